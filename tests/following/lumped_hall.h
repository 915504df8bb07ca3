// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Recordings of a small hall that is calculated by hand: powers summed from the racks up with losses of their own, heat balances of air and water
/// nodes integrated by explicit steps of half a second, controllers with a memory. Shares nothing with the emulator or core/physics: what both
/// have in common is nature. The hall is the design of template fat-tree-2, with a set on each board, and has its names: 21 air-cooled racks in two
/// rows, two sides of power with a UPS each, four fan walls, two pumps, three chillers.
namespace lumped {

enum class Fault {
    None,
    Busway,      ///< c01-row2-busway1 is dead
    RackPdu,     ///< c01-r2-05-pdu2 is dead
    Transformer, ///< transformer1-1 trips: UPS on battery until generator1-1 carries
    UpsOutput,   ///< ups1-1-1 drops its load: its output breaker opens
    Utility,     ///< utility-a is gone: side A by generators
    Chiller,     ///< chiller1-02 stops
    FanWall,     ///< fanwall1-02 stops
    Pump,        ///< facility_pump1-01 stops
    RackMeter    ///< the power meter of c01-r2-03 reads half
};

struct Options {
    Fault fault = Fault::None;
    double failsAtS = 60, endsAtS = 100;
    unsigned seed = 1;
};

/// A recording as `replay` reads it.
[[nodiscard]] std::string recordingOf(const Options& options);

} // namespace lumped
