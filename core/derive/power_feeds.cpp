// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/power_feeds.h"

#include <algorithm>
#include <utility>

namespace hw {

namespace {

bool isPowerEquipment(const Snapshot& s, DeviceId device) { return s.tiers.kind[s.devices.tier[device]] == TierKind::Power; }

/// The outlet that a plug fits: IEC 60320 names plug and socket by neighbouring numbers (C14 into C13, C20 into C19).
bool plugFits(const std::string& inlet, const std::string& outlet)
{
    static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
        {"iec-60320-c14", "iec-60320-c13"}, {"iec-60320-c16", "iec-60320-c15"}, {"iec-60320-c20", "iec-60320-c19"}};
    return std::ranges::any_of(kPairs, [&](const auto& pair) { return pair.first == inlet && pair.second == outlet; });
}

/// Upwards, level by level: equipment is of the side of everything that it feeds.
void spreadSides(const Snapshot& s, const std::vector<std::vector<PowerFeed>>& feeds, std::vector<char>& sides)
{
    constexpr char kSeveral = 1;
    for (bool more = true; more;) {
        auto next = sides;
        s.devices.forEach([&](DeviceId id) {
            if (!isPowerEquipment(s, id) || sides[id.value] == 0) return;
            for (const PowerFeed& feed : feeds[id.value]) {
                char& above = next[feed.supplier.value];
                above = above == 0 || above == sides[id.value] ? sides[id.value] : kSeveral;
            }
        });
        more = next != sides;
        sides = std::move(next);
    }
    std::ranges::replace(sides, kSeveral, char(0));
}

/// The power strips of one rack while cords are plugged in.
class Strips {
public:
    Strips(const Snapshot& s, const ProjectParts& parts, const std::vector<DeviceId>& strips) : m_s(s), m_parts(parts), m_strips(strips)
    {
        for (const DeviceId strip : strips) m_taken.emplace_back(spec(strip).outlets.size(), 0);
    }

    void plug(const DeviceSpec& device, std::vector<PowerFeed>& out, std::int64_t& cords)
    {
        if (spec(m_strips.front()).power.element == PowerElement::Shelf) {
            for (const DeviceId shelf : m_strips) out.push_back({.supplier = shelf});
            return;
        }
        const std::size_t ways = device.inlets.empty() ? m_strips.size() : device.inlets.size();
        for (std::size_t i = 0; i < ways; ++i) {
            const std::size_t strip = (i + (ways == 1 ? m_single++ : 0)) % m_strips.size();
            PowerFeed feed{.supplier = m_strips[strip]};
            if (!device.inlets.empty()) {
                feed.inlet = std::int16_t(i);
                takeOutlet(strip, device.inlets[i].type, feed);
            }
            out.push_back(feed);
            ++cords;
        }
    }

private:
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_parts.device(m_s.devices.type[id]); }

    void takeOutlet(std::size_t strip, const std::string& plug, PowerFeed& feed)
    {
        const auto& outlets = spec(m_strips[strip]).outlets;
        auto& taken = m_taken[strip];
        for (const bool fitting : {true, false})
            for (std::size_t o = 0; o < outlets.size(); ++o) {
                if (taken[o] || (fitting && !plugFits(plug, outlets[o].type))) continue;
                taken[o] = 1;
                feed.outlet = std::int16_t(o);
                feed.phase = outlets[o].leg ? std::uint8_t(outlets[o].leg - 'A' + 1) : std::uint8_t(0);
                return;
            }
    }

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const std::vector<DeviceId>& m_strips;
    std::vector<std::vector<char>> m_taken; ///< outlets, by strip
    std::size_t m_single = 0;               ///< devices with one supply so far, which take the strips in turn
};

} // namespace

std::shared_ptr<const PowerFeeds> PowerFeeds::compute(const Snapshot& s, const ProjectParts& parts, const MediumGraph& power)
{
    const std::uint32_t devices = s.devices.nextId();
    std::vector<std::vector<PowerFeed>> feeds(devices);
    std::vector<std::vector<DeviceId>> strips(s.racks.nextId()), plugged(s.racks.nextId());
    s.devices.forEach([&](DeviceId id) {
        std::int16_t inlet = 0;
        for (const auto& arc : power.arcs(id))
            if (arc.up) feeds[id.value].push_back({.supplier = arc.to, .link = arc.link, .inlet = inlet++});
        const auto rack = s.devices.rack[id];
        if (!rack) return;
        if (isPowerEquipment(s, id))
            strips[(*rack).value].push_back(id);
        else if (feeds[id.value].empty() && parts.device(s.devices.type[id]).nameplate.value.count() > 0)
            plugged[(*rack).value].push_back(id);
    });
    auto out = std::make_shared<PowerFeeds>();
    out->m_side.assign(devices, 0);
    for (std::size_t rack = 0; rack < strips.size(); ++rack) {
        if (strips[rack].empty()) continue;
        if (parts.device(s.devices.type[strips[rack].front()]).power.element != PowerElement::Shelf)
            for (std::size_t i = 0; i < strips[rack].size() && i < 26; ++i) out->m_side[strips[rack][i].value] = char('A' + i);
        Strips here(s, parts, strips[rack]);
        for (const DeviceId id : plugged[rack]) here.plug(parts.device(s.devices.type[id]), feeds[id.value], out->m_cords);
    }
    out->m_offset.reserve(devices + 1);
    out->m_offset.push_back(0);
    for (const auto& ways : feeds) {
        out->m_feeds.insert(out->m_feeds.end(), ways.begin(), ways.end());
        out->m_offset.push_back(std::uint32_t(out->m_feeds.size()));
    }
    spreadSides(s, feeds, out->m_side);
    return out;
}

} // namespace hw
