// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"
#include "core/foundation/catalog/part.h"
#include "core/operations/monitoring/incident/findings.h"

namespace hw::monitoring {

/// "46.2 kW", "212 L/min", "31.5 °C", "392 Gb/s".
[[nodiscard]] Text valueText(bindings::Measure measure, double value);
/// "carries 46.2 kW; planned or rated 40.0 kW".
[[nodiscard]] Text deviationText(DeviationKind kind, bindings::Measure measure, double measured, double expected);
/// What an error code of a GPU says of its hardware; empty: it says nothing of it (none, of the program that runs, or off the bus: a cause).
[[nodiscard]] Text xidText(double code);
/// What follows when something is lost: "12 GPUs are lost, 30 s after"; empty where nothing is.
[[nodiscard]] Text lossText(const impact::Effect& effect);
/// Of a probable cause: what it is, what depends on one side now, what else would explain it.
struct CauseText {
    std::string name;
    std::vector<Text> alike; ///< that values do not tell apart from it
    std::size_t racksOnOneSide = 0;
    double fullest = 0; ///< measured load over rating of the fullest feed that took over; 0: not known
    std::string fullestName;
    PowerElement fullestElement = PowerElement::None;
    std::vector<std::string> with; ///< that failed, too: only together they cost this
};
/// Of a loop of coolant with too little flow.
struct FlowText {
    std::string loop;
    std::vector<std::string> units; ///< that move less than their part
    bool whole = false;             ///< most of what depends on the loop is short
    double moved = 0, part = 0;     ///< L/min, of these units; 0: nobody says
    double pumps = 0;               ///< %, NaN: nobody says
    std::size_t racks = 0;          ///< under what their heat needs
    double rackMoved = 0, rackNeed = 0;
    std::size_t warm = 0;       ///< racks that get too warm
    std::uint32_t gpus = 0;     ///< in all these
    std::uint32_t gpusOnIt = 0; ///< whose heat goes into the loop
};
/// `effect`: of the loss of all these units.
[[nodiscard]] Text flowText(const FlowText& said, const impact::Effect& effect);
[[nodiscard]] Text causeText(const CauseText& said, const impact::Effect& effect);
/// What has ended: "probable failure of cdu1", "low throughput of host1:nic1".
[[nodiscard]] Text endedText(const Alarm& alarm, const std::string& cause);
[[nodiscard]] Text endedText(const Deviation& deviation, const std::string& entity);

} // namespace hw::monitoring
