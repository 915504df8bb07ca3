// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/study.h"

#include <algorithm>

namespace hw::impact {

Study::Study(ModelPtr model)
    : m_model(std::move(model)), m_power(m_model->chain->network), m_clock(*m_model->plant),
      m_coolant(m_model->coolant, m_model->s->devices.nextId()), m_down(m_model->s->devices.nextId(), 0), m_link(m_model->s->links.nextId(), 0),
      m_nicLost(m_model->nics.size()), m_upLost(m_down.size()), m_access(m_model->segments.size()), m_up(m_model->segments.size()),
      m_levelLost(m_model->levels.size(), 0)
{
}

const Effect& Study::lose(std::span<const Failing> elements)
{
    ++m_round;
    m_touchedSegments.clear();
    std::ranges::fill(m_levelLost, 0);
    Effect& e = m_effect;
    for (auto* list : {&e.dark, &e.hot, &e.weakened, &e.tripped, &e.hosts, &e.switches}) list->clear();
    e.darkMs.clear(), e.hotMs.clear(), e.gaps.clear(), e.course = {}, e.coolant = {};
    e.links.clear(), e.nics.clear(), e.segments.clear(), e.changed.clear();
    e.loss = {};
    e.failed = failedBy(*m_model, elements);
    for (const DeviceId id : e.failed.devices) m_down[id.value] = m_round;
    for (const LinkId id : e.failed.links) m_link[id.value] = m_round;
    losePower();
    loseCoolant();
    for (const LinkId id : e.failed.links) m_link[id.value] = 0; // counted below, each once
    for (const LinkId id : e.failed.links)
        if (m_model->s->ports.medium[m_model->s->links.from[id]] == Medium::Data) loseLink(id);
    for (const auto* list : {&e.failed.devices, &e.tripped, &e.dark}) // what is hot and dark counts as dark below
        for (const DeviceId id : *list) takeDown(id);
    for (const DeviceId id : e.hot)
        if (!std::ranges::binary_search(e.dark, id)) takeDown(id);
    for (const DeviceId id : e.failed.stalled)
        if (!isDown(id)) e.loss.coolingLost += m_model->coolingCapacity(id);
    countGaps();
    countHosts();
    countCooling();
    countShares();
    std::erase_if(e.switches, [&](DeviceId id) { return isDown(id); });
    std::ranges::sort(e.switches);
    e.loss.linksLost = std::int64_t(e.links.size());
    e.loss.redundancyLost += std::int64_t(e.weakened.size() + e.switches.size());
    return e;
}

void Study::losePower()
{
    Effect& e = m_effect;
    if (e.failed.devices.empty() && e.failed.ways.empty()) return;
    std::vector<power::Index> lost;
    for (const DeviceId id : e.failed.devices) lost.push_back(id.value);
    power::Impact impact = m_power.lose(lost, e.failed.ways);
    takeCourse(lost, impact);
    for (const power::Index i : impact.dark) {
        e.dark.emplace_back(i);
        m_down[i] = m_round;
        const bool equipment = m_model->s->tiers.kind[m_model->s->devices.tier[DeviceId(i)]] == TierKind::Power;
        if (equipment)
            ++e.loss.equipmentDark;
        else if (m_model->chain->network[i].draw.count() > 0)
            ++e.loss.devicesDark;
    }
    for (const power::Index i : impact.weakened) e.weakened.emplace_back(i);
    e.changed = std::move(impact.changed);
    e.darkMs.assign(e.dark.size(), 0);
    const auto& since = e.course.darkSinceMs;
    for (std::size_t i = 0; i < e.dark.size() && !since.empty(); ++i) {
        const auto found = std::ranges::lower_bound(since, e.dark[i].value, {}, [](const auto& dark) { return dark.first; });
        if (found != since.end() && found->first == e.dark[i].value) e.darkMs[i] = found->second;
    }
}

/// Plays the failure through; what trips is lost as well.
void Study::takeCourse(std::vector<power::Index>& lost, power::Impact& impact)
{
    Effect& e = m_effect;
    const CascadeTimeline& course = m_clock.run(lost, e.failed.ways, impact);
    if (course.happenings.empty()) return;
    e.course = course;
    if (course.tripped.empty()) return;
    for (const power::Index i : course.tripped) {
        e.tripped.emplace_back(i);
        m_down[i] = m_round;
        lost.push_back(i);
    }
    std::ranges::sort(e.tripped);
    e.loss.tripped = std::int64_t(e.tripped.size());
    impact = m_power.lose(lost, e.failed.ways);
}

void Study::countGaps()
{
    Effect& e = m_effect;
    const Model& m = *m_model;
    for (const CascadeTimeline::Gap& gap : e.course.gaps) {
        const DeviceId id(gap.device);
        const bool draws = m.s->tiers.kind[m.s->devices.tier[id]] != TierKind::Power && m.chain->network[gap.device].draw.count() > 0;
        if (draws && !isDown(id)) e.gaps.push_back(gap);
    }
    // The longest of each device; of equally long ones the first.
    std::ranges::stable_sort(e.gaps, {}, [](const CascadeTimeline::Gap& gap) { return std::tuple(gap.device, gap.fromMs - gap.toMs, gap.fromMs); });
    const auto same = std::ranges::unique(e.gaps, {}, &CascadeTimeline::Gap::device);
    e.gaps.erase(same.begin(), same.end());
    e.loss.devicesInterrupted = std::int64_t(e.gaps.size());
    for (const CascadeTimeline::Gap& gap : e.gaps)
        if (m.host[gap.device]) e.loss.hostsInterrupted.add(m.backup[gap.device]);
}

void Study::loseCoolant()
{
    Effect& e = m_effect;
    const CoolantTimeline& course = m_coolant.run({e.failed.devices, e.failed.stalled, e.failed.links, e.dark, e.darkMs, e.course.gaps});
    if (course.loops.empty()) return;
    e.coolant = course;
    for (const auto& [id, ms] : course.hot) {
        m_down[id.value] = m_round;
        e.hot.push_back(id), e.hotMs.push_back(ms);
    }
    e.loss.devicesHot = std::int64_t(e.hot.size());
    e.loss.coolingShort = course.missing;
    std::erase_if(e.weakened, [&](DeviceId id) { return isDown(id); });
}

void Study::takeDown(DeviceId id)
{
    const Model& m = *m_model;
    for (const auto& arc : m.data->arcs(id)) loseLink(arc.link);
    m_effect.loss.coolingLost += m.coolingCapacity(id);
}

void Study::loseLink(LinkId id)
{
    if (m_link[id.value] == m_round) return;
    m_link[id.value] = m_round;
    const Model& m = *m_model;
    m_effect.links.push_back(id);
    for (const PortId port : {m.s->links.from[id], m.s->links.to[id]}) {
        const std::uint32_t nic = m.nicOfPort[port.value];
        if (nic == kNone) continue;
        if (++m_nicLost[nic].at(m_round) == 1) m_effect.nics.push_back(nic);
        if (m.nics[nic].backend) m_effect.loss.portsLost.add(m.backup[m.nics[nic].device.value]);
    }
    if (const std::uint32_t lower = m.lowerOfLink[id.value]; lower != kNone)
        if (++m_upLost[lower].at(m_round) == 1) m_effect.switches.emplace_back(lower);
    const std::uint16_t level = m.levelOfLink[id.value];
    if (level == 0xFFFF) return;
    const std::int64_t gbps = m.s->ports.rate[m.s->links.from[id]].count();
    m_levelLost[level] += gbps;
    const std::uint32_t segment = m.segmentOfLink[id.value];
    if (segment == kNone) return;
    if (m_access[segment].get(m_round) == 0 && m_up[segment].get(m_round) == 0) m_touchedSegments.push_back(segment);
    (m.accessLink[id.value] ? m_access : m_up)[segment].at(m_round) += gbps;
}

/// Hosts by the cards that lost links; hosts that are down and have no cards besides.
void Study::countHosts()
{
    Effect& e = m_effect;
    const Model& m = *m_model;
    std::ranges::sort(e.nics);
    for (std::size_t i = 0; i < e.nics.size();) {
        std::size_t end = i + 1;
        while (end < e.nics.size() && m.nics[e.nics[end]].device == m.nics[e.nics[i]].device) ++end;
        countHost(std::span(e.nics).subspan(i, end - i));
        i = end;
    }
    for (const auto* list : {&e.failed.devices, &e.dark, &e.hot})
        for (const DeviceId id : *list)
            if (m.host[id.value] && !(list == &e.hot && std::ranges::binary_search(e.dark, id))) {
                e.loss.hostsLost.add(m.backup[id.value]);
                e.loss.gpusLost.add(m.backup[id.value], m.gpus[id.value]);
            }
}

void Study::countHost(std::span<const std::uint32_t> nics)
{
    Effect& e = m_effect;
    const Model& m = *m_model;
    const DeviceId id = m.nics[nics.front()].device;
    const bool isBackup = m.backup[id.value];
    std::int64_t lost = 0, half = 0;
    for (const std::uint32_t nic : nics) {
        const bool all = linksLost(nic) >= m.nics[nic].links;
        if (m.nics[nic].backend)
            ++(all ? lost : half);
        else if (!isDown(id))
            ++e.loss.redundancyLost;
    }
    e.loss.nicsLost.add(isBackup, lost);
    e.loss.nicsHalf.add(isBackup, half);
    if (isDown(id) || lost + half == 0) return;
    const std::int64_t cards = m.backendNics[id.value], gpus = m.gpus[id.value];
    if (lost == cards) {
        e.hosts.push_back(id);
        e.loss.hostsLost.add(isBackup);
        e.loss.gpusLost.add(isBackup, gpus);
        return;
    }
    e.loss.redundancyLost += lost + half;
    std::int64_t degraded = 0;
    for (std::int64_t g = 0; g < gpus; ++g) {
        const std::int64_t first = g * cards / gpus, last = std::max(first + 1, (g + 1) * cards / gpus);
        degraded += std::ranges::any_of(nics, [&](std::uint32_t nic) {
            const Nic& card = m.nics[nic];
            return card.backend && card.ordinal >= first && card.ordinal < last;
        });
    }
    e.loss.gpusDegraded.add(isBackup, degraded);
}

std::int64_t Study::unitsLost(std::uint32_t l) const
{
    const CoolingLoop& loop = m_model->coolant.chain->loops[l];
    const auto gone = [&](DeviceId id) { return isDown(id) || std::ranges::binary_search(m_effect.failed.stalled, id); };
    return std::max(std::ranges::count_if(loop.sources, gone), std::ranges::count_if(loop.pumps, gone));
}

/// Units of loops that keep no heat for it: reserve.
void Study::countCooling()
{
    for (const std::uint32_t l : m_effect.coolant.loops)
        if (std::ranges::none_of(m_effect.coolant.spells, [&](const CoolantInterval& spell) { return spell.loop == l; }))
            m_effect.loss.redundancyLost += unitsLost(l);
    m_effect.loss.redundancyLost += std::int64_t(m_effect.failed.pumps.size());
}

void Study::countShares()
{
    const Model& m = *m_model;
    // The narrowest level of each network, before and now; the worst network counts.
    for (std::size_t l = 0; l < m.levels.size(); ++l) {
        if (l > 0 && std::ranges::any_of(m.levels.begin(), m.levels.begin() + std::ptrdiff_t(l),
                                         [&](const Level& o) { return o.network == m.levels[l].network; }))
            continue;
        std::int64_t was = -1, is = -1;
        for (std::size_t k = l; k < m.levels.size(); ++k) {
            if (m.levels[k].network != m.levels[l].network || !m.levels[k].needed) continue;
            const std::int64_t left = m.levels[k].gbps - m_levelLost[k];
            was = was < 0 ? m.levels[k].gbps : std::min(was, m.levels[k].gbps);
            is = is < 0 ? left : std::min(is, left);
        }
        if (was > 0) m_effect.loss.bisectionShare = std::min(m_effect.loss.bisectionShare, double(is) / double(was));
    }
    std::ranges::sort(m_touchedSegments);
    const auto left = [](std::int64_t total, std::int64_t lost) { return total > 0 ? double(total - lost) / double(total) : 1.0; };
    for (const std::uint32_t i : m_touchedSegments)
        m_effect.segments.push_back(
            {i, std::min(left(m.segments[i].accessGbps, m_access[i].at(m_round)), left(m.segments[i].upGbps, m_up[i].at(m_round)))});
}

} // namespace hw::impact
