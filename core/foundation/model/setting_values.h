// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <string>
#include <string_view>

namespace hw {

/// What holds for a setting: what the project says, else the registry's default; empty where neither says anything.
[[nodiscard]] std::string settingOf(const Snapshot& snapshot, std::string_view key);
/// The same as a number; what is malformed or negative does not count. 0 where there is none.
[[nodiscard]] double numberSetting(const Snapshot& snapshot, std::string_view key);
/// A number of which the default stands elsewhere: thresholds stand with their rules, rates of currencies nowhere.
[[nodiscard]] double numberSetting(const Snapshot& snapshot, std::string_view key, double fallback);
/// True where the project itself says something.
[[nodiscard]] bool isSet(const Snapshot& snapshot, std::string_view key);

} // namespace hw
