// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/changeset.h"

namespace hw {

/// The design as lists in lists, as trees and tables show it: every row that has a name under its parent, in the order that the columns'
/// traits state, and once more under its group (a switch in its rack and in its tier). It follows from the declarations of the tables.
class Outline {
public:
    explicit Outline(const Snapshot& snapshot);

    /// Rows without a parent: those that have a place (buildings) first, then the others (networks), then what stands on the campus itself.
    [[nodiscard]] const std::vector<EntityRef>& roots() const { return m_roots; }
    /// Rows that should have a parent and have none: devices that are not placed.
    [[nodiscard]] const std::vector<EntityRef>& unplaced() const { return m_unplaced; }
    [[nodiscard]] const std::vector<EntityRef>& children(EntityRef entity) const;

    /// Whether another outline may follow from a change: rows came or went, or have another parent, group or place in the order.
    [[nodiscard]] static bool changedBy(const ChangeSet& changes);
    /// Rows of named tables whose name, or another of their texts, changed.
    [[nodiscard]] static std::vector<EntityRef> renamedBy(const ChangeSet& changes);

private:
    using Lists = std::vector<std::vector<EntityRef>>; ///< by id
    std::vector<Lists> m_children;                     ///< by kind
    std::vector<EntityRef> m_roots, m_unplaced;
};

} // namespace hw
