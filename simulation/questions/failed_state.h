// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"
#include "core/foundation/base/progress.h"
#include "simulation/questions/scenario_kind.h"

namespace hw::sim {
inline namespace questions {

/// `failed`: elements of the design that are lost before a scenario starts, by name, with all that follows from their loss.
[[nodiscard]] Field failedField();

/// What elements that fail together leave of the networks: as core/derived/impact works it out.
struct FailedState {
    std::vector<DeviceId> hosts;           ///< without power, coolant or a way into the backend; ascending
    std::vector<LinkId> links;             ///< data links that are down, those of what is dark among them; ascending
    std::int64_t gpus = 0;                 ///< lost, backup hosts left out
    std::optional<impact::Loss> loss = {}; ///< all that it costs, where elements were named
    [[nodiscard]] bool hasLost(DeviceId host) const;
    [[nodiscard]] Text note() const;
    [[nodiscard]] Json json() const;
};
/// Of the parameters of a scenario, and what the design has lost before; nothing where none has failed. Errors: Refused with the key's path;
/// Canceled.
[[nodiscard]] Result<std::optional<FailedState>> failedState(const ScenarioDesign& design, const Json& parameters, const Progress& progress = {});

/// What the loss of these costs, as `impact` counts it. Errors: Canceled.
[[nodiscard]] Result<impact::Loss> lossOf(const ScenarioDesign& design, std::span<const EntityRef> lost, const Progress& progress = {});
/// In the words of `impact --json`: GPUs, hosts, ports and NICs, backups left out.
[[nodiscard]] Json lossJson(const impact::Loss& loss);

/// The design without these links; its lost hosts serve no job. Ids stay.
[[nodiscard]] SnapshotPtr designLeft(const Snapshot& design, const FailedState& failed);
/// The kind with a key `failed`: it asks its question about what is left of the design, between switches that all know.
[[nodiscard]] ScenarioKind afterFailure(ScenarioKind kind);

} // namespace questions
} // namespace hw::sim
