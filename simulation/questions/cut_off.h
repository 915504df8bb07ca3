// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/fabric_state.h"
#include "simulation/questions/failed_state.h"

#include <span>

namespace hw::sim {
inline namespace questions {

/// What of a network is cut off, without a full stop: "rail 1 of unit 1 is cut off". `graph` is that of the whole design, `state` what of it is up
/// (null: all of it), `hosts` those that take part. A NIC is cut off where it has no link left, or where the switches that it still reaches are no
/// longer joined to most of its network. Empty where nothing is.
[[nodiscard]] Text cutOffText(const Snapshot& snapshot, const FabricGraph& graph, const FabricState* state, std::span<const DeviceId> hosts,
                              int nics);
/// The same of a network of a design that has lost so much.
[[nodiscard]] Text cutOffText(const ScenarioDesign& design, const std::string& network, const FailedState& lost);

/// Puts into the results that flows have no path: `cut_off` names why in words, `unreachable_flows` how many they are. `why` empty: not known.
void tellCutOff(ScenarioOutcome& outcome, std::uint64_t flows, const Text& why);
/// The `cut_off` of an answer's document, of a sweep the first one; empty where all flows have a path.
[[nodiscard]] std::string cutOffOf(const Json& document);
/// An error that names `network`, as of flows without a path, says what is cut off instead; others stay. `why` empty: all stay.
[[nodiscard]] Error namingCutOff(Error error, const Text& why);

} // namespace questions
} // namespace hw::sim
