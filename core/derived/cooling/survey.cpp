// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/survey.h"

#include "core/derived/cooling/capacity.h"
#include "core/derived/cooling/reading.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hw::cooling {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Own heat that ends in the loop that a unit feeds.
double pumpHeatW(const CoolingUnit& unit) { return unit.element == CoolingElement::Cdu || unit.element == CoolingElement::Pump ? unit.ownW : 0; }

/// What a unit gives to the loop that it takes from: the heat, and that of its fans or compressor.
double givenW(const CoolingUnit& unit, double heatW)
{
    if (movesAir(unit.element)) return heatW + unit.ownW;
    if (unit.element == CoolingElement::Chiller) return unit.cop > 0 ? heatW * (1 + 1 / unit.cop) : heatW + unit.ownW;
    return heatW;
}

bool isSource(const CoolingUnit& unit, std::int32_t loop) { return partsLoops(unit.element) && unit.feeds == loop; }
bool takesHere(const CoolingUnit& unit, std::int32_t loop) { return partsLoops(unit.element) && unit.takes == loop; }

} // namespace

Survey::Survey(const CoolingChain& chain)
    : m_chain(chain), m_loops(chain.loops.size()), m_lost(chain.unitOf.size(), 0), m_parts(chain.loops.size()), m_wet(chain.units.size(), 0),
      m_factor(chain.units.size(), 1)
{
    std::uint32_t links = 0;
    for (const CoolantPath& way : chain.ways)
        if (way.link) links = std::max(links, (*way.link).value + 1);
    m_shut.assign(links, 0);
    for (std::int32_t l = 0; l < std::int32_t(m_loops.size()); ++l) buildLoop(l);
    for (const CoolantPath& way : chain.ways) {
        if (way.loop < 0) continue;
        const auto& members = chain.loops[std::size_t(way.loop)].members;
        const auto place = [&](DeviceId id) { return std::uint32_t(std::ranges::lower_bound(members, id) - members.begin()); };
        m_loops[std::size_t(way.loop)].edges.push_back({place(way.taker), place(way.feeder), way.link ? (*way.link).value : kNone});
    }
    joinSystems();
    orderLoops();
    m_base.loops.resize(m_loops.size()), m_base.units.resize(chain.units.size());
    run(std::vector<char>(m_loops.size(), 1), m_base);
}

void Survey::buildLoop(std::int32_t l)
{
    Loop& loop = m_loops[std::size_t(l)];
    loop.first = std::uint32_t(m_part.size());
    loop.system = l;
    for (const DeviceId id : m_chain.loops[std::size_t(l)].members) loop.unit.push_back(m_chain.unitOf[id.value]);
    m_part.resize(m_part.size() + loop.unit.size());
    m_parts[std::size_t(l)].resize(loop.unit.size());
}

void Survey::joinSystems()
{
    for (bool more = true; more;) {
        more = false;
        for (const CoolingUnit& unit : m_chain.units) {
            if (unit.takes < 0 || unit.feeds < 0) continue;
            auto &a = m_loops[std::size_t(unit.takes)].system, &b = m_loops[std::size_t(unit.feeds)].system;
            if (a != b) a = b = std::min(a, b), more = true;
        }
    }
}

void Survey::orderLoops()
{
    std::vector<int> level(m_loops.size(), 0);
    for (std::size_t round = 0; round <= m_loops.size(); ++round)
        for (const CoolingUnit& unit : m_chain.units)
            if (unit.parts() && unit.takes >= 0 && unit.feeds >= 0)
                level[std::size_t(unit.feeds)] =
                    std::max(level[std::size_t(unit.feeds)], std::min(level[std::size_t(unit.takes)] + 1, int(m_loops.size())));
    m_order.resize(m_loops.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::ranges::stable_sort(m_order, {}, [&](std::int32_t l) { return level[std::size_t(l)]; });
}

const Survey::Answer& Survey::without(std::span<const DeviceId> lost, std::span<const LinkId> shut)
{
    ++m_round;
    std::vector<char> systems(m_loops.size(), 0);
    const auto touch = [&](std::int32_t loop) {
        if (loop >= 0) systems[std::size_t(m_loops[std::size_t(loop)].system)] = 1;
    };
    for (const DeviceId id : lost) {
        if (id.value >= m_lost.size()) continue;
        m_lost[id.value] = m_round;
        if (const CoolingUnit* unit = m_chain.unit(id)) touch(unit->takes), touch(unit->feeds);
        if (const CooledLoad* taker = m_chain.taker(id)) touch(taker->loop);
    }
    for (const LinkId id : shut)
        if (id.value < m_shut.size()) m_shut[id.value] = m_round;
    for (const CoolantPath& way : m_chain.ways)
        if (way.link && !shut.empty() && m_shut[(*way.link).value] == m_round) touch(way.loop);
    m_answer = m_base;
    run(systems, m_answer);
    return m_answer;
}

void Survey::run(const std::vector<char>& systems, Answer& out)
{
    const auto in = [&](std::int32_t l) { return systems[std::size_t(m_loops[std::size_t(l)].system)] != 0; };
    const auto of = [&](const CoolingUnit& unit) { return unit.feeds >= 0 ? unit.feeds : unit.takes; };
    for (std::size_t u = 0; u < m_chain.units.size(); ++u) {
        const CoolingUnit& unit = m_chain.units[u];
        if (of(unit) >= 0 && !in(of(unit))) continue;
        m_wet[u] = !isLost(unit.device) && !unit.dry && (unit.takes < 0 || !unit.parts());
        m_factor[u] = 1, out.units[u] = {};
    }
    for (const std::int32_t l : m_order)
        if (in(l)) out.loops[std::size_t(l)] = {}, connect(l);
    for (std::size_t i = m_order.size(); i-- > 0;)
        if (in(m_order[i])) load(m_order[i], out);
    for (const std::int32_t l : m_order)
        if (in(l)) limit(l, out);
}

/// Which members still hang together, and which of these parts have a source (and a pump, where the loop has pumps). Loops that cool this one
/// are done.
void Survey::connect(std::int32_t l)
{
    Loop& loop = m_loops[std::size_t(l)];
    const CoolingLoop& said = m_chain.loops[std::size_t(l)];
    auto& parts = m_parts[std::size_t(l)];
    std::uint32_t* part = m_part.data() + loop.first;
    std::ranges::fill(parts, Part{});
    if (said.implied || said.kind == LoopKind::Air) {
        std::fill(part, part + loop.unit.size(), 0u);
    } else {
        m_joined.reset(loop.unit.size());
        for (const Edge& edge : loop.edges) {
            if (edge.link != kNone && m_shut[edge.link] == m_round) continue;
            if (isLost(said.members[edge.a]) || isLost(said.members[edge.b])) continue;
            m_joined.join(edge.a, edge.b);
        }
        for (std::uint32_t m = 0; m < loop.unit.size(); ++m) part[m] = m_joined.find(m);
    }
    std::vector<char> source(parts.size(), 0), pump(parts.size(), said.pumps.empty());
    for (std::uint32_t m = 0; m < loop.unit.size(); ++m) {
        if (loop.unit[m] < 0 || isLost(said.members[m])) continue;
        const CoolingUnit& unit = m_chain.units[std::size_t(loop.unit[m])];
        if (isSource(unit, l) && m_wet[std::size_t(loop.unit[m])]) source[part[m]] = 1;
        if (unit.element == CoolingElement::Pump) pump[part[m]] = 1;
    }
    for (std::uint32_t p = 0; p < parts.size(); ++p) parts[p].wet = source[p] && pump[p];
    for (std::uint32_t m = 0; m < loop.unit.size(); ++m) {
        if (loop.unit[m] < 0) continue;
        const CoolingUnit& unit = m_chain.units[std::size_t(loop.unit[m])];
        if (takesHere(unit, l)) m_wet[std::size_t(loop.unit[m])] = !isLost(unit.device) && parts[part[m]].wet;
    }
}

/// Heat of every part onto its sources. Loops that this one cools are done.
void Survey::load(std::int32_t l, Answer& out)
{
    const Loop& loop = m_loops[std::size_t(l)];
    const CoolingLoop& said = m_chain.loops[std::size_t(l)];
    auto& parts = m_parts[std::size_t(l)];
    const std::uint32_t* part = m_part.data() + loop.first;
    LoopAfterLoss& answer = out.loops[std::size_t(l)];
    std::vector<std::vector<std::int32_t>> sources(parts.size());
    std::vector<double> pumps(parts.size(), 0), need(parts.size(), 0), own(parts.size(), 0), onReturn(parts.size(), 0);
    if (said.kind == LoopKind::Air) {
        answer.heatW = said.heatW;
        if (!parts.empty()) parts[0].heatW = said.heatW, need[0] = said.airM3s;
    }
    for (std::uint32_t m = 0; m < loop.unit.size(); ++m) {
        const DeviceId id = said.members[m];
        const std::int32_t u = loop.unit[m];
        const bool lost = isLost(id);
        if (const CooledLoad* taker = m_chain.taker(id); taker && taker->device == id && taker->loop == l && (!lost || u >= 0)) {
            answer.heatW += taker->liquidW;
            if (lost || !parts[part[m]].wet)
                answer.cutOff.push_back(id);
            else
                parts[part[m]].heatW += taker->liquidW, need[part[m]] += taker->lpm;
        }
        if (u < 0 || lost) continue;
        const CoolingUnit& unit = m_chain.units[std::size_t(u)];
        Part& here = parts[part[m]];
        if (takesHere(unit, l)) {
            const double taken = out.units[std::size_t(u)].takesW;
            if (here.wet)
                here.heatW += taken, answer.heatW += taken, onReturn[part[m]] += unit.onReturn ? taken : 0;
            else
                answer.cutOff.push_back(id);
        }
        if (!here.wet) continue;
        const bool wetSource = isSource(unit, l) && m_wet[std::size_t(u)];
        if (wetSource) sources[part[m]].push_back(u);
        if (wetSource || unit.element == CoolingElement::Pump) own[part[m]] += pumpHeatW(unit);
        if (unit.element == CoolingElement::Pump) pumps[part[m]] += unit.capacityLpm > 0 ? unit.capacityLpm : kUnlimited;
    }
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
        if (!parts[p].wet) continue;
        if (parts[p].heatW > 0) parts[p].heatW += own[p], answer.heatW += own[p]; // what cools nothing stands still
        if (said.kind == LoopKind::Facility) need[p] = facilityLpm(m_chain, l, parts[p].heatW - onReturn[p], onReturn[p]);
        share(l, p, sources[p], said.pumps.empty() ? kUnlimited : pumps[p], need[p], out);
    }
}

/// One part's heat over its sources, in proportion to what each can take: of flow first, then of heat.
void Survey::share(std::int32_t l, std::uint32_t p, std::span<const std::int32_t> sources, double pumpsLpm, double need, Answer& out)
{
    Part& part = m_parts[std::size_t(l)][p];
    const bool air = m_chain.loops[std::size_t(l)].kind == LoopKind::Air;
    const auto pumped = [&](const CoolingUnit& unit) { return air ? unit.capacityM3s : unit.capacityLpm; };
    double lpm = 0, heat = 0;
    bool stated = true, limited = true;
    for (const std::int32_t u : sources) {
        const double own = pumped(m_chain.units[std::size_t(u)]);
        stated = stated && own > 0, lpm += own;
    }
    if (!stated) lpm = kUnlimited;
    const double most = std::min(lpm, pumpsLpm), flow = std::min(need, most);
    std::vector<double> capacity;
    for (const std::int32_t u : sources) {
        const CoolingUnit& unit = m_chain.units[std::size_t(u)];
        out.units[std::size_t(u)].lpm = stated ? flow * pumped(unit) / lpm : flow / double(sources.size());
        capacity.push_back(capacityW(m_chain, unit, out.units[std::size_t(u)].lpm));
        limited = limited && std::isfinite(capacity.back()), heat += capacity.back();
    }
    part.carriedW = std::min(part.heatW, heat);
    if (need > most) part.carriedW = std::min(part.carriedW, part.heatW * most / need);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        auto& unit = out.units[std::size_t(sources[i])];
        unit.heatW = part.carriedW * (limited ? (heat > 0 ? capacity[i] / heat : 0) : 1.0 / double(sources.size()));
        unit.takesW = givenW(m_chain.units[std::size_t(sources[i])], unit.heatW);
    }
}

double Survey::takesFactor(const CoolingUnit& unit) const { return unit.takes < 0 ? 1 : m_factor[std::size_t(m_chain.unitOf[unit.device.value])]; }

/// What is left of it where the loops that cool this one cannot take all.
void Survey::limit(std::int32_t l, Answer& out)
{
    const Loop& loop = m_loops[std::size_t(l)];
    auto& parts = m_parts[std::size_t(l)];
    const std::uint32_t* part = m_part.data() + loop.first;
    for (std::uint32_t p = 0; p < parts.size(); ++p) parts[p].carriedW = 0;
    for (std::uint32_t m = 0; m < loop.unit.size(); ++m)
        if (const std::int32_t u = loop.unit[m]; u >= 0 && isSource(m_chain.units[std::size_t(u)], l))
            parts[part[m]].carriedW += out.units[std::size_t(u)].heatW * takesFactor(m_chain.units[std::size_t(u)]);
    LoopAfterLoss& answer = out.loops[std::size_t(l)];
    for (Part& p : parts) {
        p.factor = p.heatW > 0 ? std::min(1.0, p.carriedW / p.heatW) : 1;
        answer.carriedW += std::min(p.carriedW, p.heatW);
    }
    for (std::uint32_t m = 0; m < loop.unit.size(); ++m)
        if (const std::int32_t u = loop.unit[m]; u >= 0 && takesHere(m_chain.units[std::size_t(u)], l))
            m_factor[std::size_t(u)] = parts[part[m]].wet ? parts[part[m]].factor : 0;
    // Sums of parts differ from the sum of the whole in the last digits.
    if (answer.heatW - answer.carriedW < 1e-9 * answer.heatW) answer.carriedW = answer.heatW;
}

} // namespace hw::cooling
