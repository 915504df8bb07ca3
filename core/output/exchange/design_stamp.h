// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include "core/foundation/base/text.h"

namespace hw {

/// Which design a file tells of, for whoever finds it later.
struct DesignStamp {
    std::string project;
    std::uint64_t revision = 0;
    std::string date; ///< on which the file was made, ISO 8601; empty: no stamp
    [[nodiscard]] bool empty() const { return date.empty(); }
    [[nodiscard]] Text text() const; ///< "Pod 1, revision 12, 2026-11-23"
    [[nodiscard]] static DesignStamp of(const Snapshot& snapshot);
};

/// Today in UTC, or the day of SOURCE_DATE_EPOCH where the environment has one; ISO 8601.
[[nodiscard]] std::string today();

} // namespace hw
