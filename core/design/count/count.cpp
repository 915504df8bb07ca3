// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/count.h"

#include "core/design/count/design.h"
#include "core/design/layout/plan.h"

#include <algorithm>

namespace hw {

std::int64_t TemplateCount::Tier::total() const
{
    std::int64_t sum = 0;
    for (const auto& part : devices) sum += part.count;
    return sum;
}

std::int64_t TemplateCount::Tier::total(DeviceRole role) const
{
    std::int64_t sum = 0;
    for (const auto& part : devices)
        if (part.role == role) sum += part.count;
    return sum;
}

std::int64_t TemplateCount::dataLinks() const
{
    std::int64_t sum = 0;
    for (const auto& rule : rules)
        if (rule.medium == Medium::Data) sum += rule.links;
    return sum;
}

std::int64_t TemplateCount::dataCables() const
{
    std::int64_t sum = 0;
    for (const auto& rule : rules)
        if (rule.medium == Medium::Data) sum += rule.cables;
    return sum;
}

std::int64_t TemplateCount::servers(DeviceRole role) const
{
    std::int64_t sum = 0;
    for (const auto& tier : tiers)
        if (tier.kind == TierKind::Server) sum += tier.total(role);
    return sum;
}

struct TemplateCounter::Bound : count::Design {
    using count::Design::Design;
};

TemplateCounter::TemplateCounter(std::unique_ptr<Bound> bound) : m_bound(std::move(bound)) {}
TemplateCounter::TemplateCounter(TemplateCounter&&) noexcept = default;
TemplateCounter& TemplateCounter::operator=(TemplateCounter&&) noexcept = default;
TemplateCounter::~TemplateCounter() = default;

namespace {

/// Runs what throws inside and gives a Result.
template <class F>
auto guarded(F&& f) -> Result<decltype(f())>
{
    try {
        return f();
    } catch (const TemplateFailure& failure) {
        return tl::unexpected(failure.error);
    } catch (const layout::Failure& failure) {
        return tl::unexpected(failure.error);
    }
}

} // namespace

Result<TemplateCounter> TemplateCounter::bind(const Template& design, const Catalog& catalog)
{
    return guarded([&] { return TemplateCounter(std::make_unique<Bound>(design, catalog)); });
}

Result<TemplateCount> TemplateCounter::count(const ParameterValues& values)
{
    return guarded([&] { return m_bound->count(values); });
}

Result<TemplateCount> TemplateCounter::countDevices(const ParameterValues& values)
{
    return guarded([&] { return m_bound->countDevices(values); });
}

Result<std::int64_t> TemplateCounter::accelerators(const ParameterValues& values)
{
    return guarded([&] { return m_bound->accelerators(values, true); });
}

Result<std::int64_t> TemplateCounter::acceleratorsUnchecked(const ParameterValues& values)
{
    return guarded([&] { return m_bound->accelerators(values, false); });
}

std::vector<LinkSample> TemplateCounter::sampleLinks(std::size_t rule, std::size_t most) { return m_bound->sampleLinks(rule, most); }
std::vector<LinkSample> TemplateCounter::allLinks(std::size_t rule, std::int64_t most) { return m_bound->allLinks(rule, most); }
std::vector<LinkSample> TemplateCounter::linksOfFirst(std::size_t rule) { return m_bound->linksOfFirst(rule); }

Result<SitePlan> TemplateCounter::sitePlan(const std::optional<HallRoom>& room)
{
    return guarded([&] { return m_bound->sitePlan(room); });
}

std::optional<DeviceSpot> TemplateCounter::spot(const SitePlan& plan, std::size_t tier, std::size_t member)
{
    return m_bound->spot(plan, tier, member);
}

} // namespace hw
