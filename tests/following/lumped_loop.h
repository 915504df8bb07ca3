// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Recordings of a small liquid loop that is calculated by hand: a flow network of resistances, heat carried by nodes with delays of first order,
/// controllers with a memory. Shares nothing with the emulator or core/physics. The hall is the design of template nvl36 with one segment, and has
/// its names: 14 liquid-cooled racks on two row headers, three CDUs, and their warm loop of four pumps, two headers and three dry coolers. Power is
/// measured at racks and busways alone.
namespace lumped {

enum class LoopFault {
    None,
    Cdu,       ///< c01-cdu2 stops
    Manifold,  ///< nothing flows through that of c01-r1-05
    RowHeader, ///< nothing flows through c01-row1-header, all through c01-row1-header2
    Pump,      ///< facility_pump-warm1-03 stops
    DryCooler, ///< chiller-warm1-02 stops
    Busway,    ///< c01-row1-busway1 is dead
    FlowMeter, ///< that of c01-r1-06 reads half
    CduMeter   ///< the flow meter of c01-cdu1 reads 0.06 of it: m³/h
};

struct LoopOptions {
    LoopFault fault = LoopFault::None;
    double failsAtS = 60, endsAtS = 110;
    unsigned seed = 1;
};

/// A recording as `replay` reads it.
[[nodiscard]] std::string recordingOf(const LoopOptions& options);

} // namespace lumped
