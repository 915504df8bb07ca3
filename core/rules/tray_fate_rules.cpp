// SPDX-License-Identifier: GPL-3.0-or-later
// What one tray or duct takes along. N9: all ways of a network card. K7: all ways up of a switch, and busways of both sides.
#include "core/derive/link_sides.h"
#include "core/model/places.h"
#include "core/rules/card_links.h"
#include "core/rules/functions.h"
#include "core/rules/groups.h"
#include "core/topology/cable_runs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <unordered_map>

namespace hw::rules {

namespace {

using TrayList = std::vector<TrayId>; ///< ascending

/// Trays of links, those of a pair of racks worked out once. Links over panels have several pairs, which together count as one more.
class TraysOfLinks {
public:
    explicit TraysOfLinks(const RuleInput& input)
        : m_snapshot(input.snapshot()), m_routing(*input.figures.routing), m_runs(m_snapshot), m_ofPair(m_routing.pairs().size())
    {
    }

    const TrayList& of(LinkId link)
    {
        static const TrayList kNothing;
        const auto pair = pairOf(link);
        return pair == Routing::kNoPair ? kNothing : ofPair(pair);
    }
    const TrayList& ofPair(std::uint32_t pair)
    {
        auto& trays = m_ofPair[pair];
        if (trays) return *trays;
        trays.emplace();
        const std::size_t single = m_routing.pairs().size();
        for (const std::uint32_t part : pair < single ? std::vector<std::uint32_t>{pair} : m_together[pair - single])
            for (const std::uint32_t section : m_routing.sectionsOf(part))
                if (const auto tray = m_routing.sections()[section].tray) trays->push_back(*tray);
        std::ranges::sort(*trays);
        trays->erase(std::unique(trays->begin(), trays->end()), trays->end());
        return *trays;
    }
    [[nodiscard]] std::uint32_t pairOf(LinkId link)
    {
        const std::uint32_t first = m_routing.pairOfLink(link);
        if (m_runs.of(link).empty()) return first;
        std::vector<std::uint32_t> pairs{first};
        for (const RunId run : m_runs.of(link)) pairs.push_back(m_routing.pairOfRun(run));
        std::erase(pairs, Routing::kNoPair);
        std::ranges::sort(pairs);
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        if (pairs.size() < 2) return pairs.empty() ? Routing::kNoPair : pairs.front();
        const auto [known, fresh] = m_numbers.try_emplace(pairs, std::uint32_t(m_ofPair.size()));
        if (fresh) {
            m_together.push_back(pairs);
            m_ofPair.emplace_back();
        }
        return known->second;
    }

private:
    const Snapshot& m_snapshot;
    const Routing& m_routing;
    CableRuns m_runs;
    std::deque<std::optional<TrayList>> m_ofPair; ///< of the pairs, then of those together
    std::vector<std::vector<std::uint32_t>> m_together;
    std::map<std::vector<std::uint32_t>, std::uint32_t> m_numbers;
};

void keepCommon(TrayList& list, const TrayList& with)
{
    std::erase_if(list, [&](TrayId tray) { return !std::ranges::binary_search(with, tray); });
}

/// Where all ways up of a switch run.
struct WaysUp {
    TrayList common;                  ///< trays that carry every one of them
    std::vector<std::uint32_t> pairs; ///< of racks, each once
    DeviceId first;                   ///< one of the switches above
    bool several = false;             ///< there are more
    std::int64_t links = 0;
};

/// By switch. A way that lies in no tray, within a rack, leaves nothing in common.
std::vector<WaysUp> waysUp(const RuleInput& input, TraysOfLinks& trays)
{
    const Snapshot& s = input.snapshot();
    std::vector<WaysUp> out(s.devices.nextId());
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        if (s.ports.medium[from] != Medium::Data) return;
        const auto network = s.ports.network[from];
        if (!network || s.networks.kind[*network] == NetworkKind::ScaleUp || s.networks.kind[*network] == NetworkKind::Management) return;
        const LowerEnd lower = lowerEnd(s, from, to);
        if (lower == LowerEnd::Neither) return;
        const DeviceId low = s.ports.device[lower == LowerEnd::To ? to : from], high = s.ports.device[lower == LowerEnd::To ? from : to];
        if (s.tiers.kind[s.devices.tier[low]] != TierKind::Switch) return;
        WaysUp& ways = out[low.value];
        if (ways.links++ == 0) ways.first = high;
        ways.several = ways.several || ways.first != high;
        const std::uint32_t pair = trays.pairOf(link);
        if (std::ranges::find(ways.pairs, pair) != ways.pairs.end()) return;
        ways.pairs.push_back(pair);
        if (ways.pairs.size() == 1)
            ways.common = trays.of(link);
        else
            keepCommon(ways.common, trays.of(link));
    });
    return out;
}

} // namespace

/// A tray that carries, for every switch of a card, the cable to it or all of that switch's ways up. The row's own trays are exempt: the last
/// metres of a host.
std::vector<Finding> traysOfCards(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    TraysOfLinks trays(input);
    const auto up = waysUp(input, trays);
    const auto links = cardLinks(input);
    struct Taken {
        std::int64_t cards = 0;
        DeviceId host;
    };
    std::map<TrayId, Taken> taken;
    using Ways = std::vector<std::pair<DeviceId, std::uint32_t>>;
    struct Hash {
        std::size_t operator()(const Ways& ways) const
        {
            std::size_t h = 0;
            for (const auto& [upper, pair] : ways) h = (h ^ (std::size_t(upper.value) << 32 ^ pair)) * 0x9E3779B97F4A7C15u;
            return h;
        }
    };
    std::unordered_map<Ways, TrayList, Hash> known; // of alike cards
    Ways ways;
    for (std::size_t i = 0, next; i < links.size(); i = next) {
        ways.clear();
        for (next = i; next < links.size() && links[next].card == links[i].card; ++next)
            if (ways.empty() || ways.back().first != links[next].upper) ways.emplace_back(links[next].upper, trays.pairOf(links[next].link));
        if (ways.size() < 2) continue;
        const auto [common, fresh] = known.try_emplace(ways);
        if (fresh) {
            for (std::size_t w = 0; w < ways.size(); ++w) {
                TrayList fatal = ways[w].second == Routing::kNoPair ? TrayList() : trays.ofPair(ways[w].second);
                const TrayList& above = up[ways[w].first.value].common;
                fatal.insert(fatal.end(), above.begin(), above.end());
                std::ranges::sort(fatal);
                if (w == 0)
                    common->second = std::move(fatal);
                else
                    keepCommon(common->second, fatal);
            }
            common->second.erase(std::unique(common->second.begin(), common->second.end()), common->second.end());
        }
        const DeviceId host(std::uint32_t(links[i].card >> 16));
        const auto row = rowOf(s, host);
        for (const TrayId tray : common->second) {
            if (row && s.trays.row[tray] == row) continue;
            Taken& t = taken[tray];
            if (t.cards++ == 0) t.host = host;
        }
    }
    Groups groups(input, "N9");
    for (const auto& [tray, t] : taken)
        groups.add("tray|" + std::string(wordOf(s.trays.kind[tray])), ref(tray), Severity::Warning, double(t.cards), [&, tray = tray, t = t] {
            return i18np(t.cards, "{1} carries all ways of {0:L} network card, such as of {2}: its loss takes them together",
                         "{1} carries all ways of {0:L} network cards, such as of {2}: its loss takes them together", input.name(ref(tray)),
                         input.name(ref(t.host)));
        });
    return groups.findings();
}

/// Of networks without planes: there the planes are the two ways.
std::vector<Finding> switchesCutOff(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    TraysOfLinks trays(input);
    Groups groups(input, "K7");
    const auto up = waysUp(input, trays);
    for (std::uint32_t i = 0; i < up.size(); ++i) {
        const WaysUp& ways = up[i];
        if (!ways.several) continue;
        const DeviceId id(i);
        const auto network = s.tiers.network[s.devices.tier[id]];
        if (ways.common.empty() || !network || s.networks.planes[*network] > 1) continue;
        const auto row = rowOf(s, id);
        const auto tray = std::ranges::find_if(ways.common, [&](TrayId t) { return !row || !(s.trays.row[t] == row); });
        if (tray == ways.common.end()) continue;
        groups.add("up|" + input.subject(ref(*network)), ref(id), Severity::Warning, double(ways.links), [&] {
            return i18n("all {:L} ways up of {} run through {}: its loss cuts it off", ways.links, input.name(ref(id)), input.name(ref(*tray)));
        });
    }
    return groups.findings();
}

std::vector<Finding> sidesTogether(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double wanted = input.threshold(kSidesApart);
    if (wanted <= 0) return {};
    std::map<RowId, std::vector<DeviceId>> rows;
    s.devices.forEach([&](DeviceId id) {
        const bool busway = input.parts().device(s.devices.type[id]).power.element == PowerElement::Busway;
        if (const auto row = rowOf(s, id); row && busway && s.devices.side[id] != PowerSide::None) rows[*row].push_back(id);
    });
    Groups groups(input, "K7");
    const auto apart = [](std::int32_t lowA, std::int32_t highA, std::int32_t lowB, std::int32_t highB) {
        return double(std::max({0, lowA - highB, lowB - highA}));
    };
    for (const auto& [row, busways] : rows)
        for (std::size_t a = 0; a < busways.size(); ++a)
            for (std::size_t b = a + 1; b < busways.size(); ++b) {
                if (s.devices.side[busways[a]] == s.devices.side[busways[b]]) continue;
                const Box one = input.figures.placement->device(s, input.parts(), busways[a]),
                          two = input.figures.placement->device(s, input.parts(), busways[b]);
                const double gap =
                    std::hypot(std::hypot(apart(one.low.x, one.high.x, two.low.x, two.high.x), apart(one.low.y, one.high.y, two.low.y, two.high.y)),
                               apart(one.low.z, one.high.z, two.low.z, two.high.z));
                if (gap >= wanted) continue;
                groups.add("sides|" + input.subject(ref(s.rows.hall[row])), ref(busways[a]), Severity::Warning, wanted - gap,
                           [&, first = busways[a], second = busways[b]] {
                               return i18n("{} and {} feed one row from two sides and hang {:.0f} mm apart, {:.0f} mm are wanted",
                                           input.name(ref(first)), input.name(ref(second)), gap, wanted);
                           });
            }
    return groups.findings();
}

} // namespace hw::rules
