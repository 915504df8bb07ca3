// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <vector>

namespace hw {

/// Load of IT behind its power supplies over the design, for each hour of a year.
struct LoadProfile {
    std::vector<double> shares{}; ///< 8,760, from 0 to 1
    std::string source{};         ///< name of the setting's choice, or of a file
};

/// As the settings "year.…" and "cost.load_factor" say: constant, daily with weekends, or jobs with gaps between them; growing over the year. The
/// mean is the load factor (less what growth leaves out), as far as no hour exceeds the design.
[[nodiscard]] LoadProfile loadProfile(const Snapshot& snapshot, int firstWeekday);
/// A table with 8,760 rows and a column "load" from 0 to 1. Error: Unreadable with FILE:LINE.
[[nodiscard]] Result<LoadProfile> readLoadProfile(std::string_view text, const std::string& file);

} // namespace hw
