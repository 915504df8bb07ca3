// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hw::hydraulics {

using Index = std::uint32_t; ///< of a node or link in its list

/// 32.2 ft/s², as EPANET: 0.08 % above standard gravity. Losses in pascal do not depend on it, as head and pascal are
/// converted with the same number.
inline constexpr double kGravity = 32.2 * 0.3048;

inline constexpr double kLiter = 1e-3, kKilopascal = 1e3; ///< m³, Pa

/// Where links meet. A fixed node keeps its head (an expansion vessel, a tank, a supply); a junction gives off its demand.
struct Node {
    std::string id;
    bool fixed = false;
    double elevationM = 0;
    double headM = 0;     ///< of a fixed node, meters of the fluid
    double demandM3s = 0; ///< of a junction, leaving the network; below 0 it enters
};

enum class LinkKind : std::uint8_t {
    Pipe,
    Pump,
    Valve, ///< any part with a Kv: valves, strainers, quick disconnects
    Plate  ///< cold plates, filters, heat exchangers: a loss at one flow and an exponent
};

/// What a pump's curve means.
enum class PumpLaw : std::uint8_t {
    Points,       ///< one point: a parabola; else straight lines between the points
    PowerLaw,     ///< three points, the first without flow: H = H0 - r Q^n through them
    ConstantPower ///< `powerW` goes into the fluid at any flow; no curve
};

struct CurvePoint {
    double flowM3s = 0, headM = 0;
};

/// One way for the fluid. Which fields count depends on the kind.
struct Link {
    std::string id;
    LinkKind kind = LinkKind::Pipe;
    Index from = 0, to = 0;
    bool open = true;        ///< false: shut by hand
    bool checkValve = false; ///< lets nothing back; pumps never do
    double lengthM = 0, diameterM = 0, roughnessM = 0, hazenC = 0, minorK = 0;
    double manningN = 0; ///< of a pipe, with Friction::ChezyManning
    /// Of a pump: one point, or rising flows with falling heads. Of a valve without Kv: its loss, from no loss without flow on.
    std::vector<CurvePoint> curve;
    PumpLaw law = PumpLaw::Points;
    double speed = 1;                           ///< of a pump, of that of its curve: flow in proportion, head with the square
    double powerW = 0;                          ///< with PumpLaw::ConstantPower
    double kv = 0;                              ///< m³/h of water at 1 bar
    double lossPa = 0, atM3s = 0, exponent = 2; ///< of a plate
    double wantedM3s = 0;                       ///< of a valve without Kv: the flow that it is to be set to (balance.h)
};

enum class Friction : std::uint8_t { DarcyWeisbach, HazenWilliams, ChezyManning };

struct Network {
    std::vector<Node> nodes;
    std::vector<Link> links;
    Friction friction = Friction::DarcyWeisbach;
    double viscosityM2s = 0;   ///< kinematic; Darcy-Weisbach needs it
    double densityKgM3 = 1000; ///< between losses in pascal and heads
};

} // namespace hw::hydraulics
