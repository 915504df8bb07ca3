// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace hw::sim {
inline namespace questions {

/// The label of a key of parameters or results as engineers write it, within a sentence ("GPU utilization"); empty where the words of the key
/// are the label. `key` carries no unit.
[[nodiscard]] std::string_view writtenLabel(std::string_view key);

} // namespace questions
} // namespace hw::sim
