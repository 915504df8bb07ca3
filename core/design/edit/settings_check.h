// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"
#include "core/foundation/settings/registry.h"

#include <string>
#include <string_view>
#include <vector>

namespace hw::edit {

using hw::Setting;
using hw::SettingKind;

/// Every setting that a person may change in this design, by group, in the order in which forms show them: those of the registry, written out
/// for the networks and tiers of the design, the thresholds of the rules, the address pools.
[[nodiscard]] std::vector<Setting> knownSettings(const Snapshot& snapshot);
/// Rate, date and source of a currency that nothing may name yet; none for what is no currency.
[[nodiscard]] std::vector<Setting> currencySettings(const std::string& code);

/// Whether a project setting is one that something reads, and its value one that it understands.
/// Errors: Usage for an unknown key, naming near ones; Refused for a bad value. Keys of networks
/// (network.NETWORK.target_oversubscription.TIER, network.NETWORK.hash.TIER) are known for the networks and tiers of the design.
[[nodiscard]] Result<void> checkSetting(const Snapshot& snapshot, std::string_view key, std::string_view value);

} // namespace hw::edit
