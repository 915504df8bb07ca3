// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <filesystem>

namespace hw {

/// What a cable schedule lists.
enum class ScheduleKind : std::uint8_t { Data, Power, Coolant, All };
HW_WORDS(ScheduleKind, "data", "power", "coolant", "all")

/// Columns that follow those of the data schedule where power or coolant is listed.
inline constexpr std::array<const char*, 7> kSupplyColumns{"kind", "part", "runs", "side", "phase", "current_a", "ampacity_a"};

/// The schedule of one medium, or of all. Data alone is the file that it always was (`writeCableSchedule`). Every other one has the columns of
/// that and `kSupplyColumns`: a row per link, then a row per cord, and per pair of hoses within racks; `length_m` is that of one run, and what has
/// no link has no id. Writes .csv or .xlsx by the name's ending (Usage for another one); whole or not at all.
[[nodiscard]] Result<void> writeSchedule(const Figures& figures, ScheduleKind kind, const std::filesystem::path& file, const Progress& progress = {});

} // namespace hw
