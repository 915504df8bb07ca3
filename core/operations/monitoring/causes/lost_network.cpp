// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/causes/lost_network.h"

#include "core/derived/topology/design_index.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr float kTakesPart = 0.5f;           ///< of what a link should carry, from which its host takes part again (assumed)
constexpr std::int64_t kTakenUpMs = 600'000; ///< after which it should, whatever it carries (assumed)

} // namespace

void LostNetwork::design(const Figures& figures, const bindings::Bound& bound, const Plans& plans)
{
    m_figures = &figures, m_bound = &bound, m_plans = &plans;
    m_traffic.clear(), m_named.clear(), m_down.clear(), m_later.clear(), m_cut.clear(), m_links.clear();
    const Snapshot& s = *figures.snapshot;
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        if (plans.points[p].criterion != Criterion::Traffic) continue;
        const LinkId link(plans.points[p].target);
        for (const PortId port : {s.links.from[link], s.links.to[link]})
            if (const DeviceId d = s.ports.device[port]; s.tiers.kind[s.devices.tier[d]] == TierKind::Server) m_traffic[d].push_back(p);
    }
}

/// What the named causes take along.
void LostNetwork::readEffect(ActiveCauses& causes)
{
    m_down.clear(), m_later.clear(), m_cut.clear(), m_links.clear();
    std::vector<impact::Failing> elements;
    for (const Suspect& one : m_named)
        if (one.gpu < 0) elements.push_back(one.element);
    if (elements.empty()) return;
    const impact::Effect& effect = causes.study().lose(elements);
    m_down.insert(effect.failed.devices.begin(), effect.failed.devices.end());
    for (std::size_t i = 0; i < effect.dark.size(); ++i) (effect.darkMs[i] > 0 ? m_later : m_down).insert(effect.dark[i]);
    for (std::size_t i = 0; i < effect.hot.size(); ++i)
        if (!m_down.contains(effect.hot[i])) m_later.insert(effect.hot[i]);
    if (m_later.empty()) m_cut.insert(effect.hosts.begin(), effect.hosts.end());
    const Snapshot& s = *m_figures->snapshot;
    for (const LinkId link : effect.failed.links)
        if (s.ports.medium[s.links.from[link]] == Medium::Data) m_links.push_back(link);
}

void LostNetwork::takeDown(DeviceId device, std::set<LinkId>& links) const
{
    const DesignIndex& index = m_figures->get<IndexNode>();
    const Snapshot& s = *m_figures->snapshot;
    for (const PortId port : index.portsOfDevice[device.value])
        if (const auto link = index.linkOf(port); link && s.ports.medium[port] == Medium::Data) links.insert(*link);
}

bool LostNetwork::isGone(DeviceId device, const Evidence& evidence) const
{
    const PointNo power = m_bound->find({ref(device), bindings::Measure::ActivePower, {}});
    return power != bindings::kNoPoint && (evidence.stateOf(power) == State::Zero || evidence.stateOf(power) == State::Silent);
}

/// Whether something read since then says that its job has taken it up again; what nothing measures is taken to work.
bool LostNetwork::works(DeviceId host, std::int64_t sinceMs, const Seen& seen) const
{
    const auto its = m_traffic.find(host);
    bool measured = false;
    if (its != m_traffic.end())
        for (const PointNo p : its->second) {
            const std::uint32_t at = m_plans->points[p].other;
            const float due = at < seen.loads.size() ? seen.loads[at] * 1e9f : 0;
            if (!(due > 0)) continue;
            measured = true;
            if (seen.readings.arrived[p] >= sinceMs && seen.readings.values[p] >= kTakesPart * due) return true;
        }
    return !measured;
}

const impact::NetworkLoss& LostNetwork::second(std::int64_t atMs, ActiveCauses* causes, const Seen& seen)
{
    std::vector<Suspect> named = causes ? causes->named() : std::vector<Suspect>();
    if (named != m_named) {
        m_named = std::move(named);
        if (causes) readEffect(*causes);
    }
    const Snapshot& s = *m_figures->snapshot;
    std::set<DeviceId> hosts = m_cut;
    std::set<LinkId> links(m_links.begin(), m_links.end());
    const auto down = [&](DeviceId id) {
        takeDown(id, links);
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server) hosts.insert(id);
    };
    for (const DeviceId id : m_down) down(id);
    for (const DeviceId id : m_later)
        if (isGone(id, seen.evidence)) down(id);
    for (const auto& [p, c] : seen.conditions) {
        const Plan& plan = m_plans->points[p];
        if (plan.criterion == Criterion::LinkUp && c.stands && c.backMs < 0 && !seen.flapping.contains(plan.target))
            links.insert(LinkId(plan.target));
    }
    for (const DeviceId host : m_lost.hosts)
        if (!hosts.contains(host)) m_back.try_emplace(host, atMs);
    for (auto at = m_back.begin(); at != m_back.end();) {
        const bool again = hosts.contains(at->first), taken = atMs - at->second >= kTakenUpMs || works(at->first, at->second, seen);
        if (!again && !taken) hosts.insert(at->first);
        at = again || taken ? m_back.erase(at) : std::next(at);
    }
    m_lost.hosts.assign(hosts.begin(), hosts.end()), m_lost.links.assign(links.begin(), links.end());
    return m_lost;
}

} // namespace hw::monitoring
