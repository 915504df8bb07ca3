// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <QLineF>
#include <QPolygonF>

#include <map>
#include <vector>

namespace hw::views {

/// The lines of the drawings that lie under the rooms, read once from their text. GUI thread.
class UnderlayLines {
public:
    /// Reads again what changed.
    void update(const Figures& figures);
    struct Layer {
        HallId hall;
        std::vector<QLineF> lines; ///< mm of the hall's frame, y up
    };
    [[nodiscard]] const std::map<std::uint32_t, Layer>& layers() const { return m_layers; } ///< by underlay

private:
    SnapshotPtr m_read; ///< what the layers were read from
    std::map<std::uint32_t, Layer> m_layers;
};

/// The wall of a room that is no rectangle, in campus mm; by hall, only such.
[[nodiscard]] std::map<std::uint32_t, QPolygonF> roomPolygons(const Snapshot& snapshot);
/// What a wall, column or door covers, in campus mm.
[[nodiscard]] QPolygonF structurePolygon(const StructureShape& shape);

} // namespace hw::views
