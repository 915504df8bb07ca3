// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hw {

enum class SettingKind { Text, Currency, Choice, Number, Count, Address };
enum class SettingWriter {
    User,   ///< people change it
    Program ///< the template or an edit writes it; people only see what it does
};

/// What a project may say beside its tables, and what it is for people. Forms, checks, lists and help are made from this one list.
struct Setting {
    std::string key; ///< "site.pue"; a pattern has `*` for the key of a network, a tier or the like: "network.*.hash.*"
    SettingKind kind = SettingKind::Number;
    double least = 0, most = 1e6;       ///< of Number and Count
    std::vector<std::string> choices{}; ///< of Choice
    Text group{}, label{};              ///< "Site", "PUE"
    std::string unit{};                 ///< "MVA"
    std::string fallback{};             ///< what holds where the project says nothing; empty: nothing
    Text help{};                        ///< what it does
    Text source{};                      ///< where the fallback comes from
    SettingWriter writer = SettingWriter::User;
};

/// All settings that code reads, in the order in which forms show them. Thresholds of rules stand with the rules; tests/settings looks through
/// the sources for keys that are not here, and for defaults that differ.
[[nodiscard]] std::span<const Setting> settingsRegistry();
[[nodiscard]] bool isPattern(std::string_view key);
/// A pattern with its stars replaced in order.
[[nodiscard]] std::string writtenOut(std::string_view pattern, const std::vector<std::string>& names);
/// The entry of a key, also by pattern; nullptr for one that nobody reads.
[[nodiscard]] const Setting* findSetting(std::string_view key);
/// What holds for a key where the project says nothing; empty: nothing.
[[nodiscard]] std::string defaultOf(std::string_view key);

[[nodiscard]] const char* name(SettingKind kind);

} // namespace hw
