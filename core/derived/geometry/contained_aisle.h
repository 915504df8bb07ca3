// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"

namespace hw {

/// An aisle that is closed in, on the campus: from the floor to the roof of its containment.
struct ContainedAisle {
    Box box;
    Containment kind = Containment::ColdAisle;
    bool alongX = true; ///< its doors stand at its ends in this direction
    RowId row{};        ///< that closes it; of several the first
    friend bool operator==(const ContainedAisle&, const ContainedAisle&) = default;
};

/// Every aisle that a row's containment closes, each once: before its fronts (cold) or behind its rears (hot), to the next row there, or
/// 1.2 m where there is none within 4 m. Chimneys close no aisle.
[[nodiscard]] std::vector<ContainedAisle> containedAisles(const Snapshot& snapshot, const Placement& placement);

} // namespace hw
