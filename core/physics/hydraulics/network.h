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

inline constexpr double kLitre = 1e-3, kKilopascal = 1e3; ///< m³, Pa

/// Where links meet. A fixed node keeps its head (an expansion vessel, a tank, a supply); a junction gives off its demand.
struct Node {
    std::string id;
    bool fixed = false;
    double elevationM = 0;
    double headM = 0;     ///< of a fixed node, metres of the fluid
    double demandM3s = 0; ///< of a junction, leaving the network; below 0 it enters
};

enum class LinkKind : std::uint8_t {
    Pipe,
    Pump,
    Valve, ///< any part with a Kv: valves, strainers, quick disconnects
    Plate  ///< cold plates, filters, heat exchangers: a loss at one flow and an exponent
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
    std::vector<CurvePoint> curve;              ///< of a pump: one point, or rising flows with falling heads
    double kv = 0;                              ///< m³/h of water at 1 bar
    double lossPa = 0, atM3s = 0, exponent = 2; ///< of a plate
    double wantedM3s = 0;                       ///< of a valve without Kv: the flow that it is to be set to (balance.h)
};

enum class Friction : std::uint8_t { DarcyWeisbach, HazenWilliams };

struct Network {
    std::vector<Node> nodes;
    std::vector<Link> links;
    Friction friction = Friction::DarcyWeisbach;
    double viscosityM2s = 0;   ///< kinematic; Darcy-Weisbach needs it
    double densityKgM3 = 1000; ///< between losses in pascal and heads
};

} // namespace hw::hydraulics
