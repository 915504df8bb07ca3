// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/snapshot.h"

#include <string_view>

namespace hw::edit {

/// Whether a project setting is one that something reads, and its value one that it understands.
/// Errors: Usage for an unknown key, naming near ones; Refused for a bad value. Keys of networks
/// (network.NETWORK.target_oversubscription.TIER) are known for the networks and tiers of the design.
[[nodiscard]] Result<void> checkSetting(const Snapshot& snapshot, std::string_view key, std::string_view value);

} // namespace hw::edit
