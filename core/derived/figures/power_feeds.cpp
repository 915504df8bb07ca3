// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/power_feeds.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace hw {

namespace {

bool isPowerEquipment(const Snapshot& s, DeviceId device) { return s.tiers.kind[s.devices.tier[device]] == TierKind::Power; }

/// The outlet that a plug fits: IEC 60320 names plug and socket by neighboring numbers (C14 into C13, C20 into C19).
bool plugFits(const std::string& inlet, const std::string& outlet)
{
    static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
        {"iec-60320-c14", "iec-60320-c13"}, {"iec-60320-c16", "iec-60320-c15"}, {"iec-60320-c20", "iec-60320-c19"}};
    return std::ranges::any_of(kPairs, [&](const auto& pair) { return pair.first == inlet && pair.second == outlet; });
}

char statedSide(const Snapshot& s, DeviceId id)
{
    const PowerSide side = s.devices.side[id];
    return side == PowerSide::None ? char(0) : char('A' + int(side) - 1);
}

/// Upwards, level by level: equipment that states none is of the side of everything that it feeds.
void spreadSides(const Snapshot& s, const std::vector<std::vector<PowerFeed>>& feeds, std::vector<char>& sides)
{
    constexpr char kSeveral = 1;
    for (bool more = true; more;) {
        auto next = sides;
        s.devices.forEach([&](DeviceId id) {
            if (!isPowerEquipment(s, id) || sides[id.value] == 0) return;
            for (const PowerFeed& feed : feeds[id.value]) {
                if (statedSide(s, feed.supplier)) continue;
                char& above = next[feed.supplier.value];
                above = above == 0 || above == sides[id.value] ? sides[id.value] : kSeveral;
            }
        });
        more = next != sides;
        sides = std::move(next);
    }
    std::ranges::replace(sides, kSeveral, char(0));
}

/// What depends on each phase of a supplier while ways are given to it, in mW of nameplate.
class PhaseLoad {
public:
    /// The phase with least on it, 1 to 3, which then has `more`.
    std::uint8_t take(std::int64_t more)
    {
        const auto least = std::ranges::min_element(m_mw);
        *least += more;
        return std::uint8_t(least - m_mw.begin() + 1);
    }
    void add(std::uint8_t phase, std::int64_t more)
    {
        if (phase > 0) m_mw[phase - 1u] += more;
    }
    [[nodiscard]] std::int64_t on(std::uint8_t phase) const { return phase > 0 ? m_mw[phase - 1u] : 0; }

private:
    std::array<std::int64_t, 3> m_mw{};
};

/// Single-phase plugs onto the phases of what feeds them.
void choosePhases(const Snapshot& s, const ProjectParts& parts, std::vector<std::vector<PowerFeed>>& feeds)
{
    std::vector<PhaseLoad> loads(feeds.size());
    s.devices.forEach([&](DeviceId id) {
        const DeviceSpec& spec = parts.device(s.devices.type[id]);
        auto& ways = feeds[id.value];
        for (PowerFeed& way : ways) {
            if (!way.link) continue;
            const PhaseChoice choice = s.links.phase[*way.link];
            const bool single =
                way.inlet >= 0 && std::size_t(way.inlet) < spec.inlets.size() && isSinglePhase(spec.inlets[std::size_t(way.inlet)].type);
            const std::int64_t share = spec.nameplate.value.count() / std::int64_t(ways.size()) + 1;
            if (choice == PhaseChoice::Even && single)
                way.phase = loads[way.supplier.value].take(share);
            else if (choice != PhaseChoice::Even && choice != PhaseChoice::Three)
                loads[way.supplier.value].add(way.phase = std::uint8_t(choice), share);
        }
    });
}

/// Sets come in only once no other way lives, whichever was connected first.
void utilitiesFirst(const Snapshot& s, const ProjectParts& parts, const MediumGraph& power, std::vector<std::vector<PowerFeed>>& feeds)
{
    const auto element = [&](DeviceId id) { return s.devices.contains(id) ? parts.device(s.devices.type[id]).power.element : PowerElement::None; };
    const auto ofSets = [&](const PowerFeed& way) {
        if (element(way.supplier) != PowerElement::Switchgear) return element(way.supplier) == PowerElement::Generator;
        bool sets = false, others = false;
        for (const auto& arc : power.arcs(way.supplier))
            if (arc.up) (element(arc.to) == PowerElement::Generator ? sets : others) = true;
        return sets && !others;
    };
    s.devices.forEach([&](DeviceId id) {
        auto& ways = feeds[id.value];
        if (ways.size() < 2 || !isPowerEquipment(s, id)) return;
        if (element(id) == PowerElement::Switchgear || element(id) == PowerElement::Switchboard)
            std::ranges::stable_partition(ways, [&](const PowerFeed& way) { return !ofSets(way); });
    });
}

/// Transformers or generators of one side on one switchboard run in parallel, sets on one switchgear, and UPS wherever they come together; every
/// other way is a group of its own, in the order of ways.
void groupWays(const Snapshot& s, const ProjectParts& parts, std::vector<std::vector<PowerFeed>>& feeds)
{
    const auto element = [&](DeviceId id) { return parts.device(s.devices.type[id]).power.element; };
    s.devices.forEach([&](DeviceId id) {
        auto& ways = feeds[id.value];
        if (ways.size() < 2 || !isPowerEquipment(s, id)) return;
        const bool board = element(id) == PowerElement::Switchboard, gear = element(id) == PowerElement::Switchgear;
        const auto together = [&](const PowerFeed& a, const PowerFeed& b) {
            if (element(a.supplier) == PowerElement::Ups && element(b.supplier) == PowerElement::Ups) return true;
            if (gear && element(a.supplier) == PowerElement::Generator && element(b.supplier) == PowerElement::Generator) return true;
            const char side = statedSide(s, a.supplier);
            return board && side && side == statedSide(s, b.supplier) && element(a.supplier) == element(b.supplier);
        };
        for (std::size_t i = 0; i < ways.size(); ++i) {
            std::size_t first = 0;
            while (first < i && !together(ways[first], ways[i])) ++first;
            ways[i].group = std::uint8_t(std::min<std::size_t>(first, 255));
        }
    });
}

/// The power strips of one rack while cords are plugged in.
class Strips {
public:
    /// `before`: by strip, what the racks before put on the phases of its side; where the phases of a strip carry alike, the one with least of that
    /// comes first. `turn`: which one comes first where these carry alike, too, so that the racks of a row do not all begin on the same one.
    Strips(const Snapshot& s, const ProjectParts& parts, const std::vector<DeviceId>& strips, std::vector<PhaseLoad*> before, std::size_t turn)
        : m_s(s), m_parts(parts), m_strips(strips), m_before(std::move(before)), m_turn(turn)
    {
        for (const DeviceId strip : strips) m_taken.emplace_back(spec(strip).outlets.size(), 0);
        m_phases.resize(strips.size());
    }

    void plug(const DeviceSpec& device, std::vector<PowerFeed>& out, std::int64_t& cords)
    {
        if (spec(m_strips.front()).power.element == PowerElement::Shelf) {
            for (const DeviceId shelf : m_strips) out.push_back({.supplier = shelf});
            return;
        }
        const std::size_t ways = device.inlets.empty() ? m_strips.size() : device.inlets.size();
        const std::size_t first = std::exchange(m_next, m_next + ways); // so that strips beyond the first pair are used, too
        for (std::size_t i = 0; i < ways; ++i) {
            const std::size_t strip = (first + i) % m_strips.size();
            PowerFeed feed{.supplier = m_strips[strip]};
            if (!device.inlets.empty()) {
                feed.inlet = std::int16_t(i);
                takeOutlet(strip, device.inlets[i].type, device.nameplate.value.count() / std::int64_t(ways) + 1, feed);
            }
            out.push_back(feed);
            ++cords;
        }
    }

private:
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_parts.device(m_s.devices.type[id]); }

    /// Of the free outlets that the plug fits, else of all free ones, the first on the phase with least on it.
    void takeOutlet(std::size_t strip, const std::string& plug, std::int64_t share, PowerFeed& feed)
    {
        const auto& outlets = spec(m_strips[strip]).outlets;
        auto& taken = m_taken[strip];
        const auto phaseOf = [](const PowerOutlet& outlet) { return outlet.leg ? std::uint8_t(outlet.leg - 'A' + 1) : std::uint8_t(0); };
        for (const bool fitting : {true, false}) {
            std::optional<std::size_t> best;
            for (std::size_t o = 0; o < outlets.size(); ++o) {
                if (taken[o] || (fitting && !plugFits(plug, outlets[o].type))) continue;
                const auto rank = [&](std::size_t at) {
                    const std::uint8_t phase = phaseOf(outlets[at]);
                    return std::tuple(m_phases[strip].on(phase), m_before[strip]->on(phase), (phase + m_turn) % 3);
                };
                if (!best || rank(o) < rank(*best)) best = o;
            }
            if (!best) continue;
            taken[*best] = 1;
            feed.outlet = std::int16_t(*best);
            feed.phase = phaseOf(outlets[*best]);
            m_phases[strip].add(feed.phase, share);
            m_before[strip]->add(feed.phase, share);
            return;
        }
    }

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const std::vector<DeviceId>& m_strips;
    std::vector<std::vector<char>> m_taken; ///< outlets, by strip
    std::vector<PhaseLoad> m_phases;        ///< by strip
    std::vector<PhaseLoad*> m_before;       ///< by strip
    std::size_t m_turn;
    std::size_t m_next = 0; ///< ways given so far
};

} // namespace

bool isSinglePhase(const std::string& plug)
{
    if (plug.starts_with("nema-")) return !plug.starts_with("nema-l15") && !plug.starts_with("nema-l2"); // L15, L21, L22: three phases
    return plug.starts_with("iec-60320-") || plug.starts_with("iec-60309-p-") || plug.starts_with("iec-60309-2p-");
}

bool takesDirectCurrent(const DeviceSpec& device)
{
    return !device.inlets.empty() && std::ranges::all_of(device.inlets, [](const PowerInlet& inlet) { return inlet.type == "dc-terminal"; });
}

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
    s.devices.forEach([&](DeviceId id) {
        if (isPowerEquipment(s, id)) out->m_side[id.value] = statedSide(s, id);
    });
    choosePhases(s, parts, feeds);
    utilitiesFirst(s, parts, power, feeds);
    groupWays(s, parts, feeds);
    std::map<std::pair<std::uint32_t, char>, PhaseLoad> halls; // by hall and side: what is above their racks sees the sum
    for (std::size_t rack = 0; rack < strips.size(); ++rack) {
        if (strips[rack].empty()) continue;
        if (parts.device(s.devices.type[strips[rack].front()]).power.element != PowerElement::Shelf)
            for (std::size_t i = 0; i < strips[rack].size() && i < 26; ++i)
                if (char& side = out->m_side[strips[rack][i].value]; side == 0) side = char('A' + i);
        const HallId hall = s.rows.hall[s.racks.row[RackId(std::uint32_t(rack))]];
        std::vector<PhaseLoad*> before;
        for (const DeviceId strip : strips[rack]) before.push_back(&halls[{hall.value, out->m_side[strip.value]}]);
        Strips here(s, parts, strips[rack], std::move(before), rack);
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
