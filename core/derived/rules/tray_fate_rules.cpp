// SPDX-License-Identifier: GPL-3.0-or-later
// What one tray or duct takes along. N9: all ways of a network card. K7: all ways up of a switch, and busways of both sides.
#include "core/derived/figures/failure_domains.h"
#include "core/derived/figures/link_sides.h"
#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace hw::rules {

namespace {

using TrayList = std::vector<TrayId>; ///< ascending

void keepCommon(TrayList& list, std::span<const TrayId> with)
{
    std::erase_if(list, [&](TrayId tray) { return !std::ranges::binary_search(with, tray); });
}

/// Where all ways up of a switch run.
struct UpstreamPaths {
    TrayList common;                 ///< trays that carry every one of them
    std::vector<std::uint32_t> ways; ///< of its links, each once
    DeviceId first;                  ///< one of the switches above
    bool several = false;            ///< there are more
    std::int64_t links = 0;
};

/// By switch. A way that lies in no tray, within a rack, leaves nothing in common.
std::vector<UpstreamPaths> waysUp(const RuleInput& input, const FailureDomains& domains)
{
    const Snapshot& s = input.snapshot();
    std::vector<UpstreamPaths> out(s.devices.nextId());
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        if (s.ports.medium[from] != Medium::Data) return;
        const auto network = s.ports.network[from];
        if (!network || s.networks.kind[*network] == NetworkKind::ScaleUp || s.networks.kind[*network] == NetworkKind::Management) return;
        const LowerEnd lower = lowerEnd(s, from, to);
        if (lower == LowerEnd::Neither) return;
        const DeviceId low = s.ports.device[lower == LowerEnd::To ? to : from], high = s.ports.device[lower == LowerEnd::To ? from : to];
        if (s.tiers.kind[s.devices.tier[low]] != TierKind::Switch) return;
        UpstreamPaths& ways = out[low.value];
        if (ways.links++ == 0) ways.first = high;
        ways.several = ways.several || ways.first != high;
        const std::uint32_t way = domains.wayOf(link);
        if (std::ranges::find(ways.ways, way) != ways.ways.end()) return;
        ways.ways.push_back(way);
        const auto trays = domains.traysOf(way);
        if (ways.ways.size() == 1)
            ways.common.assign(trays.begin(), trays.end());
        else
            keepCommon(ways.common, trays);
    });
    return out;
}

} // namespace

/// Links of network cards, without those of management: one way is enough there.
std::vector<CardLink> dataCardLinks(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<CardLink> links;
    for (const CardLink& link : input.figures.get<NicLinksNode>()) {
        const auto network = s.ports.network[s.links.from[link.link]];
        if (network && s.networks.kind[*network] != NetworkKind::Management) links.push_back(link);
    }
    return links;
}

/// A tray that carries, for every switch of a card, the cable to it or all of that switch's ways up. The row's own trays are exempt: the last
/// meters of a host.
std::vector<Finding> traysOfCards(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const auto& domains = input.figures.get<FailureDomainsNode>();
    const auto up = waysUp(input, domains);
    const auto links = dataCardLinks(input);
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
            for (const auto& [upper, way] : ways) h = (h ^ (std::size_t(upper.value) << 32 ^ way)) * 0x9E3779B97F4A7C15u;
            return h;
        }
    };
    std::unordered_map<Ways, TrayList, Hash> known; // of alike cards
    Ways ways;
    for (std::size_t i = 0, next; i < links.size(); i = next) {
        ways.clear();
        for (next = i; next < links.size() && links[next].card == links[i].card; ++next)
            if (ways.empty() || ways.back().first != links[next].upper) ways.emplace_back(links[next].upper, domains.wayOf(links[next].link));
        if (ways.size() < 2) continue;
        const auto [common, fresh] = known.try_emplace(ways);
        if (fresh) {
            for (std::size_t w = 0; w < ways.size(); ++w) {
                const auto own = domains.traysOf(ways[w].second);
                TrayList fatal(own.begin(), own.end());
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
        const DeviceId host = links[i].host();
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
            return i18np(t.cards, "{1} carries all links of {0:L} NIC (of {2}): its loss disconnects the NIC",
                         "{1} carries all links of {0:L} NICs (for example, those of {2}): its loss disconnects them", input.name(ref(tray)),
                         input.name(ref(t.host)));
        });
    return groups.findings();
}

/// Of networks without planes: there the planes are the two ways.
std::vector<Finding> switchesCutOff(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    Groups groups(input, "K7");
    const auto up = waysUp(input, input.figures.get<FailureDomainsNode>());
    for (std::uint32_t i = 0; i < up.size(); ++i) {
        const UpstreamPaths& ways = up[i];
        if (!ways.several) continue;
        const DeviceId id(i);
        const auto network = s.tiers.network[s.devices.tier[id]];
        if (ways.common.empty() || !network || s.networks.planes[*network] > 1) continue;
        const auto row = rowOf(s, id);
        const auto tray = std::ranges::find_if(ways.common, [&](TrayId t) { return !row || !(s.trays.row[t] == row); });
        if (tray == ways.common.end()) continue;
        groups.add("up|" + input.subject(ref(*network)), ref(id), Severity::Warning, double(ways.links), [&] {
            return i18n("all {:L} uplinks of {} run through {}: its loss disconnects the switch", ways.links, input.name(ref(id)),
                        input.name(ref(*tray)));
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
                               return i18n("{} and {} are the A and B feeds of one row and {:.0f} mm apart; required: {:.0f} mm",
                                           input.name(ref(first)), input.name(ref(second)), gap, wanted);
                           });
            }
    return groups.findings();
}

} // namespace hw::rules
