// SPDX-License-Identifier: GPL-3.0-or-later
// N9: a patch panel that all ways of a network card run over.
#include "core/derived/figures/failure_domains.h"
#include "core/derived/figures/link_sides.h"
#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"

#include <algorithm>
#include <map>

namespace hw::rules {

namespace {

using Panels = std::vector<DeviceId>; ///< ascending

void keepCommon(Panels& list, const Panels& with)
{
    std::erase_if(list, [&](DeviceId panel) { return !std::ranges::binary_search(with, panel); });
}

/// By switch: panels that every one of its ways up runs over.
std::vector<std::optional<Panels>> panelsUp(const Snapshot& s, const FailureDomains& domains)
{
    std::vector<std::optional<Panels>> out(s.devices.nextId());
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        if (s.ports.medium[from] != Medium::Data) return;
        const LowerEnd lower = lowerEnd(s, from, to);
        if (lower == LowerEnd::Neither) return;
        const DeviceId low = s.ports.device[lower == LowerEnd::To ? to : from];
        if (s.tiers.kind[s.devices.tier[low]] != TierKind::Switch) return;
        auto& common = out[low.value];
        if (!common)
            common = domains.panelsOf(s, link);
        else if (!common->empty())
            keepCommon(*common, domains.panelsOf(s, link));
    });
    return out;
}

} // namespace

/// A panel that carries, for every switch of a card, the cable to it or all of that switch's ways up. One in the host's own rack goes with it.
std::vector<Finding> panelsOfCards(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    if (s.runs.empty()) return {};
    const auto& domains = input.figures.get<FailureDomainsNode>();
    const auto up = panelsUp(s, domains);
    const auto links = dataCardLinks(input);
    struct Taken {
        std::int64_t cards = 0;
        DeviceId host{};
    };
    std::map<DeviceId, Taken> taken;
    for (std::size_t i = 0, next; i < links.size(); i = next) {
        std::optional<Panels> common;
        std::size_t switches = 0;
        for (next = i; next < links.size() && links[next].card == links[i].card;) {
            const DeviceId upper = links[next].upper;
            Panels fatal = domains.panelsOf(s, links[next].link); // of parallel cables what all of them run over
            for (++next; next < links.size() && links[next].card == links[i].card && links[next].upper == upper; ++next)
                keepCommon(fatal, domains.panelsOf(s, links[next].link));
            const Panels above = up[upper.value].value_or(Panels());
            fatal.insert(fatal.end(), above.begin(), above.end());
            std::ranges::sort(fatal);
            fatal.erase(std::unique(fatal.begin(), fatal.end()), fatal.end());
            ++switches;
            if (!common)
                common = std::move(fatal);
            else
                keepCommon(*common, fatal);
        }
        if (switches < 2) continue;
        const DeviceId host = links[i].host();
        for (const DeviceId panel : *common) {
            if (s.devices.rack[panel] && s.devices.rack[panel] == s.devices.rack[host]) continue;
            Taken& t = taken[panel];
            if (t.cards++ == 0) t.host = host;
        }
    }
    Groups groups(input, "N9");
    for (const auto& [panel, t] : taken)
        groups.add("panel|" + std::string(s.tiers.key[s.devices.tier[panel]]), ref(panel), Severity::Warning, double(t.cards),
                   [&, panel = panel, t = t] {
                       return i18np(t.cards, "{1} carries all links of {0:L} NIC (of {2}): its loss disconnects the NIC",
                                    "{1} carries all links of {0:L} NICs (for example, those of {2}): its loss disconnects them",
                                    input.name(ref(panel)), input.name(ref(t.host)));
                   });
    return groups.findings();
}

} // namespace hw::rules
