// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/snapshot.h"

#include <string>
#include <string_view>
#include <vector>

namespace hw::edit {

enum class SettingKind { Text, Currency, Choice, Number, Count, Address };

/// A setting that the report, the rules, the cabling or the address plan read: what it may be, and for people
/// what it is. Forms and checks are made from this one list.
struct Setting {
    std::string key;
    SettingKind kind = SettingKind::Number;
    double least = 0, most = 1e6;         ///< of Number and Count
    std::vector<std::string> choices{};   ///< of Choice
    std::string group{}, label{}, unit{}; ///< "Site", "PUE", "MVA"
    std::string fallback{};               ///< what holds where the project says nothing; empty: nothing
    std::string help{};                   ///< what it does, or where the fallback comes from
};

/// Every setting that this design can have, by group, in the order in which forms show them. Thresholds are those of
/// the rules; keys of networks and tiers are those of the design.
[[nodiscard]] std::vector<Setting> knownSettings(const Snapshot& snapshot);

/// Whether a project setting is one that something reads, and its value one that it understands.
/// Errors: Usage for an unknown key, naming near ones; Refused for a bad value. Keys of networks
/// (network.NETWORK.target_oversubscription.TIER) are known for the networks and tiers of the design.
[[nodiscard]] Result<void> checkSetting(const Snapshot& snapshot, std::string_view key, std::string_view value);

} // namespace hw::edit
