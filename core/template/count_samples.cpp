// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/geometry/frame.h"
#include "core/template/count_design.h"

#include <algorithm>
#include <cmath>

namespace hw::count {

namespace {

std::int32_t orZero(const Expression& e) { return e.empty() ? 0 : std::int32_t(std::clamp<std::int64_t>(e.whole(), -2'000'000'000, 2'000'000'000)); }

} // namespace

/// Walks the campus in steps of the golden ratio, which spread evenly at every length of the walk.
std::vector<LinkSample> Design::sampleLinks(std::size_t number, std::size_t most)
{
    standAtLast();
    Rule& rule = *m_rules[number];
    std::vector<LinkSample> samples;
    const std::int64_t total = rule.combinations();
    if (rule.links() == 0 || total == 0) return samples;
    if (total <= std::int64_t(most)) {
        for (std::int64_t n = 0; n < total; ++n)
            if (rule.at(n)) samples.push_back(sample(rule));
        return samples;
    }
    constexpr double kGolden = 0.6180339887498949;
    double at = 0.5;
    for (std::size_t tries = 0; samples.size() < most && tries < 20 * most; ++tries) {
        at += kGolden;
        at -= std::floor(at);
        if (rule.at(std::min(std::int64_t(at * double(total)), total - 1))) samples.push_back(sample(rule));
    }
    return samples;
}

std::vector<LinkSample> Design::linksOfFirst(std::size_t number)
{
    standAtLast();
    Rule& rule = *m_rules[number];
    std::vector<LinkSample> samples;
    std::int64_t members = 1, perMember = 1;
    for (std::size_t v = 0; v < rule.variables(); ++v) (v < rule.tier(true).set.extents().size() ? members : perMember) *= rule.extent(v);
    for (std::int64_t m = 0; m < std::min<std::int64_t>(members, 4096) && samples.empty(); ++m)
        for (std::int64_t n = 0; n < perMember; ++n)
            if (rule.at(m * perMember + n)) samples.push_back(sample(rule));
    if (!rule.spread() || samples.empty()) return samples;
    std::vector<LinkSample> dealt; // the first device starts with the first target
    const std::size_t n = samples.size(), ports = std::size_t(rule.spreadPorts());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < ports / n + (i < ports % n); ++k) {
            dealt.push_back(samples[i]);
            dealt.back().fromIndex = std::int64_t(dealt.size()) - 1;
        }
    return dealt;
}

LinkSample Design::sample(Rule& rule)
{
    LinkSample result;
    if (rule.hasIndex(true)) result.fromIndex = rule.index(true);
    if (rule.hasIndex(false)) result.toIndex = rule.index(false);
    rule.assignTier(true);
    result.fromMember = rule.tier(true).set.ordinal();
    result.from = placeOf(rule, true);
    rule.assignTier(false);
    result.toMember = rule.tier(false).set.ordinal();
    result.to = placeOf(rule, false);
    return result;
}

/// The rack's corner on the campus and the height of the device's middle.
std::optional<LinkEndPlace> Design::placeOf(Rule& rule, bool from)
{
    Tier& tier = rule.tier(from);
    if (!tier.rack || !tier.rack->go()) return std::nullopt;
    const auto own = std::find_if(m_racks.begin(), m_racks.end(), [&](const auto& set) { return &set->set == &tier.rack->racks(); });
    PlaceSet &rack = **own, &row = *rack.parent, &hall = *row.parent, &building = *hall.parent;
    const Frame frame{orZero(building.x) + orZero(hall.x) + orZero(row.x), orZero(building.y) + orZero(hall.y) + orZero(row.y), quarterOf(orZero(row.angle))};
    const Point corner = frame.at(orZero(rack.along), orZero(rack.across), 0);
    const auto number = [](PlaceSet& set) { return std::uint64_t(set.number) << 40 | set.set.ordinal(); };
    const auto& device = std::get<DeviceSpec>(part(tier.set.spec().types.front()).spec);
    LinkEndPlace place{corner.x, corner.y, 0, 0, number(rack), number(row), number(hall), hall.number, orZero(building.x) + orZero(hall.x), orZero(building.y) + orZero(hall.y)};
    place.unit = int(tier.unit.empty() ? 0 : tier.unit.whole());
    place.halfUnits = device.halfUnits;
    return place;
}

std::vector<SpineLine> Design::spines(std::size_t hallSet)
{
    standAtLast();
    std::vector<SpineLine> lines;
    for (auto& tray : m_trays) {
        if (!tray->hall || tray->hall->number != hallSet) continue;
        const std::size_t inherited = tray->hall->set.coordinates().size();
        Mask own = 0;
        for (std::size_t i = inherited; i < tray->set.coordinates().size(); ++i) own |= Mask(1) << i;
        const auto& hall = tray->hall->set;
        tray->set.forEach(own, [&](std::int64_t) {
            for (std::size_t i = 0; i < hall.coordinates().size(); ++i)
                if (tray->set.value(i) != 0) return; // the first hall stands for all
            lines.push_back({orZero(tray->from[0]), orZero(tray->from[1]), orZero(tray->to[0]), orZero(tray->to[1])});
        });
    }
    return lines;
}

} // namespace hw::count
