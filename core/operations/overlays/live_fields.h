// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/link_load.h"
#include "core/operations/overlays/live_index.h"

#include <optional>
#include <string_view>
#include <vector>

namespace hw {

/// What is measured at a moment, for makers of overlays; and the moment that it is compared with.
struct LiveValues {
    monitoring::FramePtr frame, against; ///< against null: compared with nothing
    LiveIndexPtr index, againstIndex;
    Text source; ///< "measured, 14:03:22"
    bool stale = false;
};

// Makers of overlays from a frame: numbers of racks and devices (and links). With `against` all but categories are the change since then.

[[nodiscard]] std::vector<ValueField> livePowerFields(const Figures& figures, const LiveValues& values);
/// Over what the design says that it draws, on the project's basis.
[[nodiscard]] std::vector<ValueField> livePowerShareFields(const Figures& figures, const LiveValues& values);
[[nodiscard]] std::vector<ValueField> liveSupplyFields(const Figures& figures, const LiveValues& values);
/// Over the flow that the cooling chain says is needed.
[[nodiscard]] std::vector<ValueField> liveFlowFields(const Figures& figures, const LiveValues& values);
[[nodiscard]] std::vector<ValueField> liveLinkFields(const Figures& figures, const LinkPlaces& places, const LiveValues& values);
[[nodiscard]] std::vector<ValueField> liveUtilizationFields(const Figures& figures, const LiveValues& values);
[[nodiscard]] std::vector<ValueField> liveDeviationFields(const Figures& figures, const LiveValues& values);
[[nodiscard]] std::vector<ValueField> liveAlarmFields(const Figures& figures, const LiveValues& values);

/// Of which measures the overlay of this name is made; empty: of none alone (deviations, alarms), or it is no overlay of what is measured.
[[nodiscard]] std::vector<bindings::Measure> measuresOf(std::string_view overlay);

/// What is planned for a point, in the unit of its measure: power of racks and devices (of power equipment what it takes in), flow and
/// temperatures of cooling equipment and of what it cools. None: the design does not say.
[[nodiscard]] std::optional<double> plannedValue(const Figures& figures, const bindings::Point& point);

} // namespace hw
