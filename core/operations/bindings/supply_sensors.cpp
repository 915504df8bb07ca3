// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/supply_sensors.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/nodes.h"

#include <algorithm>
#include <cmath>

namespace hw::bindings {

namespace {

constexpr double kMovedK = 1.5;               ///< by which a sensor moves alone: as between sensors in one water, see relation.cpp (assumed)
constexpr double kBackK = 0.75;               ///< below which one that moved is as before (assumed)
constexpr double kFollows = 0.5;              ///< of the warming that a real change would bring to the return, from which it counts as real (assumed)
constexpr double kLeastRiseK = 1.5;           ///< between supply and return of a unit that cools, while its flow is not measured (assumed)
constexpr double kUsualS = 300, kLeastS = 60; ///< over which what is usual is averaged; after which it is known (assumed)
constexpr std::int64_t kStandsMs = 90'000;    ///< until water has passed the loop (assumed)
constexpr std::int64_t kStaysMs = 60'000;     ///< that a sensor which is bad has to be as before, or its return to follow (assumed)
constexpr std::int64_t kReadAfterMs = 20'000; ///< after it began a return has to be read (assumed)

double middleOf(std::vector<double> values)
{
    if (values.empty()) return std::nan("");
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace

SupplySensors::SupplySensors(const Figures& design, const Bound& bound, const balances::All& all)
{
    const CoolingChain& chain = design.get<CoolingChainNode>();
    std::map<std::int32_t, std::vector<PointNo>> mixed; // the mixed supply is measured
    for (const balances::Relation& r : all.relations)
        if (r.kind == balances::Relation::Kind::Mix) mixed[r.loop] = r.points;
    std::map<std::int32_t, std::vector<Unit>> loops;
    std::map<std::int32_t, double> flow;
    for (const CoolingUnit& unit : chain.units) {
        if (!unit.parts() || unit.feeds < 0 || unit.takes == unit.feeds) continue;
        if (chain.loops[std::size_t(unit.feeds)].kind == LoopKind::Air || !(unit.lpm > 0)) continue;
        const auto at = [&](Measure measure) { return bound.find({ref(unit.device), measure, {}}); };
        flow[unit.feeds] += unit.lpm;
        Unit one;
        one.supply = at(Measure::SupplyTemperature), one.back = at(Measure::ReturnTemperature), one.flow = at(Measure::Flow);
        one.share = unit.lpm, one.restFlow = 0.05 * unit.lpm;
        if (one.supply != kNoPoint && one.back != kNoPoint) loops[unit.feeds].push_back(one);
    }
    for (auto& [loop, units] : loops) {
        if (units.size() < 2) continue;
        for (Unit& unit : units) unit.share /= flow[loop];
        m_loops.push_back({std::move(units), mixed[loop]});
    }
}

void SupplySensors::second(std::int64_t atMs, const balances::Value& value, const std::function<std::int64_t(PointNo)>& lastMs)
{
    const double seconds = m_lastMs < 0 ? 1 : std::clamp(double(atMs - m_lastMs) / 1000, 0.0, 10.0);
    m_lastMs = atMs;
    m_doubts.clear(), m_inQuestion.clear();
    for (Loop& loop : m_loops) {
        const std::size_t doubts = m_doubts.size(), inQuestion = m_inQuestion.size();
        look(loop.units, atMs, seconds, value, lastMs);
        const auto isRead = [&](PointNo p) { return !std::isnan(value(p)); };
        if (!loop.mixed.empty() && std::ranges::all_of(loop.mixed, isRead)) m_doubts.resize(doubts), m_inQuestion.resize(inQuestion);
    }
    std::ranges::sort(m_doubts, {}, &Doubt::point), std::ranges::sort(m_inQuestion);
}

void SupplySensors::follow(const SupplySensors& was, const std::vector<PointNo>& now)
{
    std::map<PointNo, const Unit*> known;
    for (const Loop& loop : was.m_loops)
        for (const Unit& unit : loop.units)
            if (now[unit.supply] != kNoPoint) known.emplace(now[unit.supply], &unit);
    for (Loop& loop : m_loops)
        for (Unit& unit : loop.units) {
            const auto at = known.find(unit.supply);
            if (at == known.end()) continue;
            const Unit its = unit;
            unit = *at->second;
            unit.supply = its.supply, unit.back = its.back, unit.flow = its.flow, unit.share = its.share, unit.restFlow = its.restFlow;
        }
    m_lastMs = was.m_lastMs;
}

void SupplySensors::look(std::vector<Unit>& units, std::int64_t atMs, double seconds, const balances::Value& value,
                         const std::function<std::int64_t(PointNo)>& lastMs)
{
    const auto cools = [&](const Unit& unit) {
        const double flow = unit.flow == kNoPoint ? std::nan("") : value(unit.flow), supply = value(unit.supply), back = value(unit.back);
        return !std::isnan(supply) && (std::isnan(flow) ? back - supply > kLeastRiseK : flow > unit.restFlow);
    };
    std::vector<double> moves, backMoves;
    for (const Unit& unit : units)
        if (cools(unit) && unit.learnedS >= kLeastS) {
            moves.push_back(value(unit.supply) - (unit.sinceMs < 0 ? unit.usualC : unit.wasC));
            const double backMove = value(unit.back) - (unit.sinceMs < 0 ? unit.usualBackC : unit.wasBackC);
            if (!std::isnan(backMove)) backMoves.push_back(backMove);
        }
    std::size_t alone = 0;
    for (const double move : moves) alone += std::abs(move) > kBackK;
    const double backMove = middleOf(backMoves); // one return sensor alone may be wrong, too
    for (Unit& unit : units) {
        const double supply = value(unit.supply), back = value(unit.back);
        if (!cools(unit)) {
            unit.sinceMs = -1, unit.stands = false;
            continue;
        }
        const double move = supply - (unit.sinceMs < 0 ? unit.usualC : unit.wasC);
        const bool off = unit.learnedS >= kLeastS && moves.size() >= 2 && std::abs(move) > (unit.sinceMs < 0 ? kMovedK : kBackK) && alone == 1;
        const double follows = move * unit.share == 0 ? 0 : backMove / (move * unit.share);
        const bool doubtful = off && follows < kFollows, stays = unit.stands && std::abs(move) > kBackK && atMs - unit.offMs < kStaysMs;
        if (doubtful) unit.offMs = atMs;
        if (!doubtful && !stays) {
            unit.sinceMs = -1, unit.stands = false;
            const double part = std::min(1.0, seconds / std::min(kUsualS, std::max(unit.learnedS, 1.0)));
            if (unit.learnedS == 0) unit.usualC = supply, unit.usualBackC = back;
            if (std::isnan(unit.usualBackC)) unit.usualBackC = back;
            unit.usualC += (supply - unit.usualC) * part;
            if (!std::isnan(back)) unit.usualBackC += (back - unit.usualBackC) * part;
            unit.learnedS += seconds;
            continue;
        }
        if (unit.sinceMs < 0) unit.sinceMs = atMs, unit.wasC = unit.usualC, unit.wasBackC = unit.usualBackC;
        const bool read = std::ranges::any_of(units, [&](const Unit& other) { return lastMs(other.back) >= unit.sinceMs + kReadAfterMs; });
        unit.stands = unit.stands || (read && atMs - unit.sinceMs >= kStandsMs);
        if (!unit.stands) {
            m_inQuestion.push_back(unit.supply);
            continue;
        }
        Doubt doubt{unit.supply, {}, supply, unit.wasC, unit.sinceMs};
        for (const Unit& other : units) doubt.against.push_back(other.back);
        m_doubts.push_back(std::move(doubt));
    }
}

} // namespace hw::bindings
