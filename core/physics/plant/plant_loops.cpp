// SPDX-License-Identifier: GPL-3.0-or-later
// Heat on its way through the loops, and what takes it out of them.
#include "core/foundation/catalog/rejection.h"
#include "core/physics/plant/coolers.h"
#include "core/physics/plant/plant_model.h"

#include <algorithm>
#include <cmath>

namespace hw::plant {

namespace {

constexpr double kPadDrag = 1.15;  ///< of the fans while pads are wet (10 to 25 %, assumed)
constexpr double kPadBleed = 1.15; ///< of the water (10 to 20 %)
constexpr double kCoolerAirK = 12; ///< rise of the air through a dry cooler at its rating (assumed)
constexpr double kAirJKgK = 1006;
constexpr double kLatentPart = 0.87;                 ///< of the heat of a tower (0.85 to 0.9)
constexpr double kCoilEndK = 2;                      ///< return over outdoor air at which free-cooling coils stop
constexpr double kRatedItdK = 18, kRatedRangeK = 10; ///< of dry coolers without points
constexpr double kBesideApproachK = 2;               ///< of the heat exchanger beside water-cooled chillers
constexpr double kMostOverK = 40;

bool isChiller(const Units& units) { return units.element == CoolingElement::Chiller; }

/// A value's smallest place at which `enough` holds, from `low` up; `high` where it does not.
template <class Enough>
double leastOf(double low, double high, const Enough& enough)
{
    if (!enough(high)) return high;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (enough(middle) ? high : low) = middle;
    }
    return high;
}

/// Heat that dry coolers pass on at full fan speed; colder air than their points know counts in proportion to return over air.
double dryCapacity(const Units& units, double airC, double supplyC, double rangeK)
{
    const double rated = units.count * units.ratedW;
    if (units.points.empty()) return rated * std::max(0.0, supplyC + kRatedRangeK - airC) / kRatedItdK;
    const double coldest = units.points.front().ambientC, returnC = supplyC + rangeK;
    if (airC >= coldest || returnC <= coldest) return rated * rejectionAt(units.points, airC, supplyC).share;
    return rated * rejectionAt(units.points, coldest, supplyC).share * (returnC - airC) / (returnC - coldest);
}

struct FullLoad {
    double capacityW = 0, cop = 0; ///< of one
};

FullLoad fullLoad(const Units& units, const ChillerCurves& curves, double outsideC, double supplyC)
{
    FullLoad out{units.ratedW * curves.capacityShare(supplyC, outsideC), curves.fullLoadCop(supplyC, outsideC)};
    if (units.points.empty()) return out;
    const double coldest = units.points.front().ambientC;
    const RejectionPoint at = rejectionAt(units.points, std::max(outsideC, coldest), supplyC);
    out.capacityW = units.ratedW * at.share;
    if (at.cop <= 0) return out;
    out.cop = at.cop;
    if (outsideC < coldest)
        out.cop =
            std::max(out.cop, std::min(curves.airCooled ? kBestAirCop : kBestWaterCop,
                                       out.cop * carnotCop(supplyC, outsideC, curves.airCooled) / carnotCop(supplyC, coldest, curves.airCooled)));
    return out;
}

/// Input of so many machines that take the least for this heat.
double leastInput(const Units& units, const ChillerCurves& curves, const FullLoad& full, double heat)
{
    if (heat <= 0 || full.capacityW <= 0 || full.cop <= 0) return 0;
    const double most = std::max(1.0, std::floor(units.count));
    double best = 0;
    for (double n = std::clamp(std::ceil(heat / full.capacityW - 1e-9), 1.0, most); n <= most; n += 1) {
        const double input = n * full.capacityW / full.cop * curves.inputShare(heat / n / full.capacityW);
        if (best == 0 || input < best) best = input;
    }
    return best;
}

} // namespace

void PlantSolver::draw(const Units& units, double watts, double& sum)
{
    if (units.group >= 0) m_groupW[std::size_t(units.group)] += watts;
    sum += watts;
}

void PlantSolver::moveHeat(std::size_t l, PlantHour& out)
{
    const Loop& of = m_model.loops[l];
    LoopState& loop = m_loops[l];
    loop.heatW = m_handedW[l];
    for (const auto& [group, share] : of.itHeat) loop.heatW += share * m_groupW[std::size_t(group)];
    if (of.place >= 0) loop.heatW += m_placeLossW[std::size_t(of.place)];
    const double needed = of.designW > 0 ? of.designFlow * loop.heatW / of.designW : loop.heatW / std::max(of.wattsPerFlowK * of.deltaK, 1e-9);
    loop.flow = std::max(needed, m_model.rules.leastFlow * of.designFlow);
    // Units of several types, or with heat for several loops, share the flow by their ratings.
    double pumped = 0, blown = 0;
    for (const Units& units : of.movers) (units.element == CoolingElement::Pump ? pumped : blown) += units.ratedFlow * units.count;
    const auto input = [&](const Units& units) {
        const double all = units.element == CoolingElement::Pump ? pumped : blown, rated = units.ratedFlow > 0 ? all : of.designFlow;
        const double flow = rated > 0 ? std::clamp(loop.flow / rated, 0.0, 1.0) : 1;
        return units.count * units.drawW * drivePower(flow, m_model.rules.fixedHead);
    };
    for (const Units& units : of.movers)
        if (units.element == CoolingElement::Pump) {
            const double watts = input(units);
            draw(units, watts, out.pumpsW);
            loop.heatW += watts;
        }
    if (of.role == LoopRole::Facility || of.role == LoopRole::Condenser) return;
    double handed = 0;
    for (const Units& units : of.movers) {
        if (units.element == CoolingElement::Pump) continue;
        const double watts = input(units), heat = units.part * loop.heatW;
        draw(units, watts, units.element == CoolingElement::Cdu ? out.pumpsW : out.fansW);
        (units.takes >= 0 ? m_handedW[std::size_t(units.takes)] : out.unmetW) += heat + watts;
        handed += heat;
    }
    out.unmetW += loop.heatW - handed;
}

void PlantSolver::reuseHeat(std::size_t l, const Now& now, double& rest, PlantHour& out)
{
    const Reuse& reuse = m_model.reuse;
    if (reuse.loop != std::int32_t(l) || !reuse.active(now.month)) return;
    constexpr double kHeatPumpShare = 0.5, kEndK = 2;
    const double heat = std::min(reuse.heatW, rest), fromC = m_loops[l].returnC - kEndK;
    out.reusedW += heat, rest -= heat;
    if (fromC >= reuse.supplyC) return;
    const double cop = std::max(1.5, kHeatPumpShare * (reuse.supplyC + 273.15) / (reuse.supplyC - fromC));
    out.heatPumpW += heat / (cop - 1);
}

PlantSolver::Sunk PlantSolver::dryCooler(const Units& units, const LoopState& loop, const Loop& of, const Now& now, double heat, bool chillersBehind,
                                         PlantHour& out)
{
    const double range = std::max(loop.returnC - of.setC, 0.1);
    const double dryC = now.air.dryBulbC, padC = dryC - m_model.rules.padEffect * (dryC - now.air.wetBulbC);
    const bool wet = m_model.rules.pads && dryCapacity(units, dryC, of.setC, range) < heat;
    const double airC = wet ? padC : dryC;
    Sunk sunk{heat, of.setC};
    const auto taken = [&](double supply) { return chillersBehind ? heat * std::clamp((loop.returnC - supply) / range, 0.0, 1.0) : heat; };
    if (dryCapacity(units, airC, of.setC, range) < heat) {
        sunk.supplyC = leastOf(of.setC, chillersBehind ? loop.returnC : of.setC + kMostOverK,
                               [&](double supply) { return dryCapacity(units, airC, supply, range) >= taken(supply); });
        sunk.takenW = taken(sunk.supplyC);
        if (!chillersBehind && dryCapacity(units, airC, sunk.supplyC, range) < heat * (1 - 1e-9))
            sunk.takenW = dryCapacity(units, airC, sunk.supplyC, range);
    }
    const double capacity = dryCapacity(units, airC, sunk.supplyC, range);
    const double speed = capacity > 0 ? coolerSpeed(sunk.takenW / capacity) : 0;
    const double fans = units.count * units.drawW * speed * speed * speed * (wet ? kPadDrag : 1);
    draw(units, fans, out.rejectionW);
    out.rejectedW += sunk.takenW + fans;
    if (wet)
        out.water.evaporation += speed * units.count * units.ratedW / kCoolerAirK * (dryC - padC) / kLatentJ, // of its air, cooled
            out.water.blowDown += (kPadBleed - 1) * speed * units.count * units.ratedW / kCoolerAirK * (dryC - padC) / kLatentJ;
    return sunk;
}

PlantSolver::Sunk PlantSolver::tower(const Units& units, const LoopState& loop, const Loop& of, const Now& now, double heat, bool chillersBehind,
                                     PlantHour& out)
{
    const double range = std::max(loop.returnC - of.setC, 0.1), factor = units.approachK > 0 ? units.approachK : 1;
    const double rated = units.count * units.ratedW, water = rated > 0 ? heat / rated : 1;
    const auto supplyAt = [&](double air) { return now.air.wetBulbC + factor * towerApproach(now.air.wetBulbC, range, water, air); };
    Sunk sunk{heat, std::max(of.setC, supplyAt(1))};
    constexpr double kSlowest = 0.1;
    double speed = 1;
    if (supplyAt(1) < of.setC) {
        // Slower fans come out warmer: the slowest that still reach the set point.
        speed = supplyAt(kSlowest) <= of.setC ? kSlowest : leastOf(kSlowest, 1, [&](double air) { return supplyAt(air) <= of.setC; });
    } else if (chillersBehind) {
        sunk.takenW = heat * std::clamp((loop.returnC - sunk.supplyC) / range, 0.0, 1.0);
        if (sunk.takenW <= 0) speed = 0;
    }
    const double fans = units.count * units.drawW * speed * speed * speed;
    draw(units, fans, out.rejectionW);
    out.rejectedW += sunk.takenW + fans;
    const WaterUse used = towerWater(kLatentPart * sunk.takenW, loop.flow * of.kgPerFlow * (heat > 0 ? sunk.takenW / heat : 0) * units.part,
                                     m_model.rules.cycles, m_model.rules.driftShare);
    out.water.evaporation += used.evaporation, out.water.drift += used.drift, out.water.blowDown += used.blowDown;
    return sunk;
}

PlantSolver::Sunk PlantSolver::exchanger(const Units& units, const LoopState& loop, const Loop& of, double heat, bool chillersBehind)
{
    const double rated = units.count * units.ratedW, range = std::max(loop.returnC - of.setC, 0.1);
    const double approach = units.approachK * (rated > 0 ? std::min(heat / rated, 1.5) : 1);
    const double coldest = units.takes >= 0 ? m_loops[std::size_t(units.takes)].supplyC + approach : loop.returnC;
    Sunk sunk{heat, std::max(of.setC, coldest)};
    if (chillersBehind) sunk.takenW = heat * std::clamp((loop.returnC - sunk.supplyC) / range, 0.0, 1.0);
    if (units.takes >= 0) m_handedW[std::size_t(units.takes)] += sunk.takenW;
    return sunk;
}

PlantSolver::Sunk PlantSolver::freeSinks(std::size_t l, const Now& now, double rest, bool chillersBehind, PlantHour& out)
{
    const Loop& of = m_model.loops[l];
    const LoopState& loop = m_loops[l];
    double rated = 0;
    for (const Units& units : of.sinks)
        if (!isChiller(units)) rated += units.count * units.ratedW;
    Sunk all{0, of.setC};
    double warmer = 0;
    for (const Units& units : of.sinks) {
        if (isChiller(units)) continue;
        const double part = rated > 0 ? units.count * units.ratedW / rated : 1, heat = rest * part;
        const Sunk sunk = units.element == CoolingElement::DryCooler ? dryCooler(units, loop, of, now, heat, chillersBehind, out)
                          : units.element == CoolingElement::Tower   ? tower(units, loop, of, now, heat, chillersBehind, out)
                                                                     : exchanger(units, loop, of, heat, chillersBehind);
        all.takenW += sunk.takenW, warmer += part * (sunk.supplyC - of.setC);
    }
    // A heat exchanger between the water of water-cooled chillers and that of their towers, where the rules have one.
    const auto chiller = std::ranges::find_if(of.sinks, [](const Units& units) { return isChiller(units) && units.takes >= 0; });
    if (rated == 0 && m_model.rules.economizer && chiller != of.sinks.end()) {
        const Units beside{.element = CoolingElement::Exchanger, .approachK = kBesideApproachK, .takes = chiller->takes};
        all.takenW += exchanger(beside, loop, of, rest, true).takenW;
    }
    all.supplyC += warmer;
    return all;
}

void PlantSolver::freeCoils(const Units& units, const LoopState& loop, const Loop& of, const Now& now, double& heat, PlantHour& out)
{
    const PlantRules& rules = m_model.rules;
    if (!rules.freeCooling || units.takes >= 0) return;
    const double end = loop.returnC - kCoilEndK, whole = of.setC - rules.freeApproachK, airC = now.air.dryBulbC;
    const double share = end > whole ? std::clamp((end - airC) / (end - whole), 0.0, 1.0) : 0;
    if (share <= 0) return;
    const double free = share * heat, rated = units.count * units.ratedW;
    const double reach = (of.deltaK + rules.freeApproachK) / std::max(loop.returnC - airC, 0.1);
    const double speed = coolerSpeed(std::min(1.0, free / rated * reach));
    const double fans = rated * rules.freeFanShare * speed * speed * speed;
    draw(units, fans, out.rejectionW);
    out.rejectedW += free + fans;
    m_freeW += free, heat -= free;
}

void PlantSolver::chillers(std::size_t l, const Now& now, double rest, PlantHour& out)
{
    const Loop& of = m_model.loops[l];
    const LoopState& loop = m_loops[l];
    const PlantRules& rules = m_model.rules;
    const auto outside = [&](const Units& units) {
        return units.takes >= 0 ? std::max(rules.leastCondenserC, m_loops[std::size_t(units.takes)].supplyC) : now.air.dryBulbC;
    };
    const auto curves = [&](const Units& units) -> const ChillerCurves& { return units.takes >= 0 ? rules.waterChiller : rules.airChiller; };
    double capacity = 0;
    for (const Units& units : of.sinks)
        if (isChiller(units)) capacity += units.count * fullLoad(units, curves(units), outside(units), of.setC).capacityW;
    if (capacity <= 0) {
        out.unmetW += rest;
        return;
    }
    for (const Units& units : of.sinks) {
        if (!isChiller(units)) continue;
        const FullLoad full = fullLoad(units, curves(units), outside(units), of.setC);
        double heat = rest * units.count * full.capacityW / capacity;
        freeCoils(units, loop, of, now, heat, out);
        const double met = std::min(heat, units.count * full.capacityW);
        out.unmetW += heat - met;
        const double input = leastInput(units, curves(units), full, met);
        draw(units, input, out.chillersW);
        out.compressors = out.compressors || input > 0;
        (units.takes >= 0 ? m_handedW[std::size_t(units.takes)] : out.rejectedW) += met + input;
    }
}

void PlantSolver::sinkHeat(std::size_t l, const Now& now, PlantHour& out)
{
    const Loop& of = m_model.loops[l];
    LoopState& loop = m_loops[l];
    if (loop.heatW <= 0) return;
    loop.returnC = of.setC + loop.heatW / std::max(of.wattsPerFlowK * loop.flow, 1e-9);
    double rest = loop.heatW;
    reuseHeat(l, now, rest, out);
    const bool behind = std::ranges::any_of(of.sinks, isChiller);
    const bool counts = of.role == LoopRole::Facility;
    const Sunk free = freeSinks(l, now, rest, behind, out);
    rest = std::max(0.0, rest - free.takenW);
    if (counts) m_facilityW += loop.heatW, m_freeW += free.takenW;
    loop.supplyC = behind ? of.setC : free.supplyC;
    if (behind)
        chillers(l, now, rest, out);
    else
        out.unmetW += rest;
}

} // namespace hw::plant
