// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/compare.h"

#include "core/derived/figures/figures.h"
#include "core/foundation/catalog/catalog.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

/// Active servers by type, the most frequent first.
std::vector<std::pair<std::string, const DeviceSpec*>> serverTypes(const Figures& figures)
{
    const auto& s = *figures.snapshot;
    std::map<PartTypeId, std::int64_t> active;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] != DeviceRole::Backup) ++active[s.devices.type[id]];
    });
    std::vector<std::pair<PartTypeId, std::int64_t>> order(active.begin(), active.end());
    std::ranges::stable_sort(order, [](const auto& x, const auto& y) { return x.second > y.second; });
    std::vector<std::pair<std::string, const DeviceSpec*>> types;
    for (const auto& [type, count] : order) types.emplace_back(s.partTypes.slug[type], &figures.parts->device(type));
    return types;
}

std::string slugs(const std::vector<std::pair<std::string, const DeviceSpec*>>& types)
{
    std::string all;
    for (const auto& [slug, spec] : types) all += (all.empty() ? "" : ", ") + slug;
    return all;
}

ComparedValue numbers(const char* key, Text label, const char* unit, double a, double b)
{
    ComparedValue v;
    v.key = key, v.label = std::move(label), v.unit = unit;
    v.numberA = a, v.numberB = b;
    v.a = fmt::format("{}", a), v.b = fmt::format("{}", b);
    return v;
}

} // namespace

std::vector<ComparedValue> compareServers(const Figures& a, const Figures& b)
{
    const auto typesA = serverTypes(a), typesB = serverTypes(b);
    ComparedValue type;
    type.key = "server_type", type.label = i18n("Server type");
    type.a = slugs(typesA), type.b = slugs(typesB);
    if (typesA.empty() || typesB.empty() || type.same()) return {};
    const DeviceSpec &x = *typesA.front().second, &y = *typesB.front().second;
    const auto peak = [](const DeviceSpec& spec) {
        const auto found = spec.teraflops.find("bf16");
        return found == spec.teraflops.end() ? 0.0 : found->second.value;
    };
    return {std::move(type),
            numbers("accelerators_per_server", i18n("Accelerators per server"), "", x.accelerators, y.accelerators),
            numbers("accelerator_tflops", i18n("Accelerator peak, bf16, dense"), "TFLOPS", peak(x), peak(y)),
            numbers("scale_up_gbps", i18n("Scale-up bandwidth per accelerator"), "Gb/s", double(x.scaleUpRate.value.count()),
                    double(y.scaleUpRate.value.count())),
            numbers("scale_up_domain", i18n("Accelerators per scale-up domain"), "", x.scaleUpDomain, y.scaleUpDomain),
            numbers("server_power_w", i18n("Design power per server"), "W", toWatts(x.design.value), toWatts(y.design.value))};
}

} // namespace hw::sizing
