// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/panels.h"
#include "core/design/merge/merge_rows.h"

#include <map>
#include <set>

namespace hw::merging {

/// Runs over panels of the template are as it makes them now; a cable that comes from the same position of the same panel stays. Links that
/// were led over panels by hand stay so.
void Merge::mergeRuns()
{
    auto& m = m_mine;
    const auto& t = m_theirs;
    (void)dropBrokenRuns(m);
    if (m.runs.empty() && t.runs.empty()) return eraseLooseCables(m);
    using At = std::pair<DeviceId, std::int32_t>;
    std::map<At, CableId> cableAt;                          // of the template's panels
    std::map<std::pair<LinkId, std::int32_t>, RunId> runOf; // by link and number
    std::set<LinkId> byHand;
    m.runs.forEach([&](RunId run) {
        const DeviceId panel = m.runs.panel[run];
        if (m.devices.key[panel].empty()) byHand.insert(m.runs.link[run]);
    });
    std::set<RunId> left;
    m.runs.forEach([&](RunId run) {
        if (byHand.contains(m.runs.link[run])) return;
        cableAt.try_emplace({m.runs.panel[run], m.runs.position[run]}, m.runs.cable[run]);
        runOf[{m.runs.link[run], m.runs.number[run]}] = run;
        left.insert(run);
    });
    std::map<CableId, CableId> cableOf; // theirs to mine
    std::set<CableId> used;
    const auto cableFor = [&](CableId theirs, At at) {
        if (const auto known = cableOf.find(theirs); known != cableOf.end()) return known->second;
        const auto old = cableAt.find(at);
        const bool keep = old != cableAt.end() && used.insert(old->second).second;
        const CableId own = keep ? old->second : m.cables.insert();
        if (!keep) {
            m.cables.medium.set(own, t.cables.medium[theirs]);
            if (const auto type = mapped(t.cables.type[theirs])) m.cables.type.set(own, type);
        }
        return cableOf[theirs] = own;
    };
    std::set<LinkId> direct; // theirs: a panel of theirs was removed by hand
    t.runs.forEach([&](RunId run) {
        if (mapped(t.runs.panel[run]).value == kNone) direct.insert(t.runs.link[run]);
    });
    t.runs.forEach([&](RunId run) {
        const LinkId link(ids<Links>()[t.runs.link[run].value]);
        const DeviceId panel = mapped(t.runs.panel[run]);
        if (link.value == kNone || direct.contains(t.runs.link[run]) || !m.links.contains(link) || byHand.contains(link)) return;
        const At at{panel, t.runs.position[run]};
        const auto known = runOf.find({link, t.runs.number[run]});
        const RunId own = known != runOf.end() ? known->second : m.runs.insert();
        left.erase(own);
        put(m.runs.link, own, link);
        put(m.runs.number, own, t.runs.number[run]);
        put(m.runs.panel, own, panel);
        put(m.runs.position, own, at.second);
        put(m.runs.cable, own, cableFor(t.runs.cable[run], at));
    });
    for (const RunId run : left) m.runs.erase(run);
    (void)dropBrokenRuns(m);
    eraseLooseCables(m);
}

} // namespace hw::merging
