// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/merge/merge_rows.h"

namespace hw::merging {

/// Both its devices and its rule are older than this merge.
bool Merge::wasThere(const WholeLinkKey& key) const
{
    return key.from < m_before.devices.nextId() && key.rest.to < m_before.devices.nextId() && key.rest.rule < m_before.linkRules.nextId();
}

/// Of links that are new between devices that were there: those that base has, and mine lacked.
Result<void> Merge::eraseDisconnected(std::vector<AddedLink> links)
{
    if (links.empty() || m_before.links.size() == m_before.links.nextId()) return {}; // none was ever erased
    const auto base = m_makeBase();
    if (!base) return tl::unexpected(base.error());
    for (const LinkId link : disconnectedLinks(m_before, **base, std::move(links))) m_mine.links.erase(link);
    return {};
}

Result<void> Merge::mergeLinks()
{
    auto& m = m_mine;
    const auto& t = m_theirs;
    // Wiring by hand first: links that the user made hold their ports; links whose ports are gone cannot stay.
    std::vector<std::uint8_t> taken(m.ports.nextId(), 0);
    std::vector<LinkId> lost;
    const auto aliveLink = [&](LinkId id) { return m.ports.contains(m.links.from[id]) && m.ports.contains(m.links.to[id]); };
    m.links.forEach([&](LinkId id) {
        if (m.links.rule[id]) return;
        if (!aliveLink(id))
            lost.push_back(id);
        else
            taken[m.links.from[id].value] = taken[m.links.to[id].value] = 1;
    });
    for (const auto id : lost) {
        m_report.notKept.push_back(i18n("a manually connected link lost a port"));
        m.links.erase(id);
    }
    std::vector<std::uint32_t> oldCableOfPort(m.ports.nextId(), kNone), oldCableOfCage(m.cages.nextId(), kNone);
    m.links.forEach([&](LinkId id) {
        if (!m.links.cable[id] || !aliveLink(id)) return;
        oldCableOfPort[m.links.to[id].value] = oldCableOfCage[m.ports.cage[m.links.to[id]].value] = (*m.links.cable[id]).value;
    });

    const auto deviceOf = [&](PortId port) { return m.ports.contains(port) ? m.ports.device[port].value : kNone; };
    const auto keyOf = [&](const Links& table, LinkId id, bool own) {
        const PortId from = own ? table.from[id] : mapped(table.from[id]), to = own ? table.to[id] : mapped(table.to[id]);
        const auto rule = table.rule[id];
        return std::pair(deviceOf(from), LinkKey{rule ? (own ? *rule : mapped(*rule)).value : kNone, deviceOf(to), table.ordinal[id]});
    };
    const auto ratesAgree = [&](LinkId id) { // of another type, a device may have other rates
        return m.ports.rate[mapped(t.links.from[id])] == m.ports.rate[mapped(t.links.to[id])];
    };
    std::vector<AddedLink> fresh; // between devices that were there
    const IdMap links = matchParts(
        m.links, t.links, keyOf, [&](LinkId id) { return m.links.rule[id].has_value(); },
        [&](LinkId id) { return standing(t.links, id, &t.links.cable) && ratesAgree(id); },
        [&](LinkId a, LinkId b, bool isNew) {
            copyRow(m.links, a, t.links, b, 0, &m.links.cable);
            if (!isNew) return;
            const auto [from, rest] = keyOf(t.links, b, false);
            if (const WholeLinkKey key{from, rest}; wasThere(key)) fresh.push_back({key, a});
        },
        [](LinkId) { return false; });
    if (auto erased = eraseDisconnected(std::move(fresh)); !erased) return erased;

    // A port that the user rewired is not given to the generated link as well.
    std::size_t yielded = 0;
    t.links.forEach([&](LinkId b) {
        const LinkId a(links[b.value]);
        if (a.value == kNone || !m.links.contains(a)) return;
        if (taken[m.links.from[a].value] || taken[m.links.to[a].value]) {
            m.links.erase(a);
            ++yielded;
        }
    });
    if (yielded)
        m_report.notKept.push_back(i18np(yielded, "{} generated link omitted: its ports are connected manually",
                                         "{} generated links omitted: their ports are connected manually"));

    // Cables: kept where the upper port, or its cage, had one, so that lengths and types set by hand stay.
    std::vector<std::uint32_t> cableOf(t.cables.nextId(), kNone);
    std::vector<std::uint8_t> used(m.cables.nextId(), 0);
    t.links.forEach([&](LinkId b) {
        const LinkId a(links[b.value]);
        if (a.value == kNone || !m.links.contains(a) || !t.links.cable[b]) return;
        auto& cable = cableOf[(*t.links.cable[b]).value];
        if (cable == kNone) {
            const auto ofPort = oldCableOfPort[m.links.to[a].value],
                       old = ofPort != kNone ? ofPort : oldCableOfCage[m.ports.cage[m.links.to[a]].value];
            if (old != kNone && m.cables.alive(old) && !used[old])
                cable = old;
            else
                cable = m.cables.insert().value;
            if (cable < used.size()) used[cable] = 1;
            put(m.cables.medium, CableId(cable), t.cables.medium[*t.links.cable[b]]);
        }
        put(m.links.cable, a, Maybe<CableId>(CableId(cable)));
        // Pipes and hoses are laid for what now flows in them, unless somebody chose theirs.
        if (const CableId laid = *t.links.cable[b]; t.cables.medium[laid] == Medium::Coolant && !(m.links.overridden[a] & overridden::kMedium))
            put(m.cables.type, CableId(cable), mapped(t.cables.type[laid]));
    });
    ids<Links>() = links;
    return {};
}

} // namespace hw::merging
