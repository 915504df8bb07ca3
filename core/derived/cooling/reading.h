// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/physics/coolant/fluid.h"

/// The steps in which a chain is made; used in this folder only.
namespace hw::cooling {

/// What a chain follows from.
struct Design {
    const Snapshot& s;
    const ProjectParts& parts;
    const Placement& placement;
    const Supply& supply;
    const PowerFigures& power;
    const PowerFeeds& feeds;
    const MediumGraph& coolant;
    const PowerChain& chain;
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return parts.device(s.devices.type[id]); }
};

/// A fluid of the library; all zero outside its range, or where this installation has no data.
[[nodiscard]] coolant::Properties fluidAt(const std::string& fluid, double celsius);
/// What a liter a minute of it takes a kelvin, W.
[[nodiscard]] double wattsPerLpmK(const coolant::Properties& fluid);

[[nodiscard]] constexpr bool movesAir(CoolingElement e)
{
    return e == CoolingElement::FanWall || e == CoolingElement::Crah || e == CoolingElement::InRow || e == CoolingElement::RearDoor;
}
[[nodiscard]] constexpr bool rejectsHeat(CoolingElement e)
{
    return e == CoolingElement::Chiller || e == CoolingElement::DryCooler || e == CoolingElement::Tower;
}
/// True for what stands between two loops, or at the end of one; all else lets coolant pass.
[[nodiscard]] constexpr bool partsLoops(CoolingElement e)
{
    return e == CoolingElement::Cdu || e == CoolingElement::Exchanger || rejectsHeat(e) || movesAir(e);
}

/// Units, takers and the ways between them, without loops.
void readDevices(const Design& design, CoolingChain& chain);
/// Loops from the ways, rooms' air, and which of them every unit, taker and way belongs to.
void formLoops(const Design& design, CoolingChain& chain);
/// Temperatures, heat and the flow that it needs, capacities; after it the chain can be surveyed.
void stateLoops(const Design& design, CoolingChain& chain);
/// What every unit carries, and how many are needed.
void loadUnits(const Design& design, CoolingChain& chain);
/// Flows, losses, velocities and heads of every loop that has ways.
void solveFlows(const Design& design, CoolingChain& chain);
/// How long coolant and air last with their heat left in them.
void findRideThrough(const Design& design, CoolingChain& chain);
/// The worst single loss of every loop.
void findWorst(const Design& design, CoolingChain& chain);

} // namespace hw::cooling
