// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/cords.h"

#include "core/derived/figures/node_info.h"
#include "core/derived/figures/power_feeds.h"

#include <algorithm>
#include <cstdlib>

namespace hw {

namespace {

constexpr std::int32_t kCordSlackPercent = 10; ///< assumed
constexpr std::int32_t kHoseMm = 700;          ///< from the middle of a device to the manifold at the rear, with a bend. Assumed

/// Cords, or hoses, of a project by what they end in; of several the thinnest, then by slug.
class EndParts {
public:
    EndParts(const Snapshot& s, const ProjectParts& parts, std::string_view medium) : m_parts(parts)
    {
        s.partTypes.forEach([&](PartTypeId id) {
            if (s.partTypes.kind[id] != PartKind::Cable || parts.cable(id).medium != medium) return;
            const auto [known, fresh] = m_byEnd.try_emplace(parts.cable(id).connector, id);
            if (fresh) return;
            const auto rank = [&](PartTypeId p) { return std::pair(parts.cable(p).diameter.value, s.partTypes.slug[p]); };
            if (rank(id) < rank(known->second)) known->second = id;
        });
    }
    [[nodiscard]] Maybe<PartTypeId> of(const std::string& end) const
    {
        const auto found = m_byEnd.find(end);
        return found == m_byEnd.end() ? Maybe<PartTypeId>() : Maybe<PartTypeId>(found->second);
    }
    /// The next stocked length; beyond the longest, whole meters.
    [[nodiscard]] std::int32_t bought(Maybe<PartTypeId> type, std::int32_t neededMm) const
    {
        if (type)
            for (const Millimeters stocked : m_parts.cable(*type).stocked)
                if (stocked.count() >= neededMm) return stocked.count();
        return (neededMm + 999) / 1000 * 1000;
    }

private:
    const ProjectParts& m_parts;
    std::map<std::string, PartTypeId> m_byEnd;
};

std::int32_t middleOfDevice(const Snapshot& s, const DeviceSpec& spec, DeviceId id)
{
    return heightOfUnitMm(s.devices.u[id]) + std::int32_t(std::int64_t(spec.halfUnits) * kRackUnitUm / 4000);
}

/// Height of an outlet: evenly over a strip beside the rack, else the middle of the device.
std::int32_t outletHeight(const Snapshot& s, const DeviceSpec& strip, DeviceId id, std::int16_t outlet)
{
    if (strip.halfUnits > 0) return middleOfDevice(s, strip, id);
    const std::int32_t height = strip.height.value.count();
    const auto outlets = std::int32_t(strip.outlets.size());
    return kRackBaseMm + (outlet < 0 || outlets == 0 ? height / 2 : std::int32_t(std::int64_t(height) * (2 * outlet + 1) / (2 * outlets)));
}

} // namespace

void Cords::forCords(const Snapshot& s, const ProjectParts& parts, const PowerFeeds& feeds, const std::function<void(const Cord&)>& f)
{
    const EndParts types(s, parts, "power");
    s.devices.forEach([&](DeviceId id) {
        const DeviceSpec& spec = parts.device(s.devices.type[id]);
        for (const PowerFeed& feed : feeds.of(id)) {
            const DeviceSpec& strip = parts.device(s.devices.type[feed.supplier]);
            if (feed.link || strip.power.element == PowerElement::Shelf) continue;
            Cord cord{.device = id, .supplier = feed.supplier, .inlet = feed.inlet, .outlet = feed.outlet, .type = {}};
            if (feed.inlet >= 0 && std::size_t(feed.inlet) < spec.inlets.size()) cord.type = types.of(spec.inlets[std::size_t(feed.inlet)].type);
            cord.routeMm = std::abs(middleOfDevice(s, spec, id) - outletHeight(s, strip, feed.supplier, feed.outlet)) + Cabling::kPatchingMm;
            cord.lengthMm = types.bought(cord.type, (cord.routeMm * (100 + kCordSlackPercent) + 99) / 100);
            f(cord);
        }
    });
}

void Cords::forHoses(const Snapshot& s, const ProjectParts& parts, const MediumGraph& coolant, const std::function<void(const Cord&)>& f)
{
    const EndParts types(s, parts, "coolant");
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        if (!s.devices.rack[id] || kind == TierKind::Cooling || kind == TierKind::Power) return;
        const DeviceSpec& spec = parts.device(s.devices.type[id]);
        if (spec.liquidPermille.value <= 0 || std::ranges::any_of(coolant.arcs(id), [](const auto& arc) { return arc.up; })) return;
        Cord hose{.device = id, .supplier = {}, .type = {}, .routeMm = kHoseMm};
        if (!spec.cooling.ports.empty()) hose.type = types.of(spec.cooling.ports.front().connector);
        hose.lengthMm = types.bought(hose.type, kHoseMm);
        f(hose);
    });
}

std::shared_ptr<const Cords> Cords::compute(const Snapshot& s, const ProjectParts& parts, const PowerFeeds& feeds, const MediumGraph& coolant)
{
    auto result = std::make_shared<Cords>();
    Cords& c = *result;
    const auto take = [&](const Cord& cord, std::map<Cabling::TypeLength, std::int64_t>& sums, std::int64_t& count) {
        ++count;
        if (cord.type)
            ++sums[{*cord.type, cord.lengthMm}];
        else
            ++c.m_withoutPart;
    };
    forCords(s, parts, feeds, [&](const Cord& cord) {
        take(cord, c.m_cords, c.m_cordCount);
        c.m_cordMm += cord.lengthMm;
    });
    forHoses(s, parts, coolant, [&](const Cord& hose) { take(hose, c.m_hoses, c.m_hoseCount); });
    return result;
}

template const NodeInfo& nodeInfo<CordsNode>();

} // namespace hw
