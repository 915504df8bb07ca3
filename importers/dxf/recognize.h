// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/tables.h"
#include "importers/dxf/loops.h"
#include "importers/dxf/roles.h"

namespace hw::importers::dxf {

/// A shape in whole mm, and what its layer says it is.
struct Drawn {
    const Shape* shape = nullptr;
    Role role = Role::None;
    std::vector<Pt> points;
    Pt center;
    struct Bow {
        Pt center;
        std::size_t from = 0, to = 0; ///< points
    };
    std::vector<Bow> bows{}; ///< arcs in a path
    [[nodiscard]] bool closed() const { return shape->closed || (points.size() > 3 && points.front() == points.back()); }
};

/// A wall, column, door, ramp or keep-out: straight from a to b, `width` across.
struct Piece {
    StructureKind kind = StructureKind::Wall;
    Pt a, b;
    std::int64_t width = 0;
    friend auto operator<=>(const Piece&, const Piece&) = default;
};

struct Recognized {
    std::vector<Pt> outline; ///< of the room; empty: none was found
    std::vector<Piece> pieces;
    std::vector<Text> doubts;
};

[[nodiscard]] Recognized recognize(const std::vector<Drawn>& drawn);

/// The parts of it, each for one role; doubts are appended.
[[nodiscard]] std::vector<Piece> findWalls(const std::vector<Seg>& lines, std::vector<Text>& doubts);
[[nodiscard]] std::vector<Piece> findColumns(const std::vector<const Drawn*>& drawn, std::vector<Text>& doubts);
[[nodiscard]] std::vector<Piece> findDoors(const std::vector<const Drawn*>& drawn, const std::vector<Piece>& walls, std::vector<Text>& doubts);
/// Ramps and keep-outs: a rectangle around each thing.
[[nodiscard]] std::vector<Piece> findAreas(const std::vector<const Drawn*>& drawn, StructureKind kind);

/// Things that belong together: of one insertion, or touching each other, unless they came in different blocks.
[[nodiscard]] std::vector<std::vector<const Drawn*>> things(const std::vector<const Drawn*>& drawn);
/// Around a thing: its own rectangle where it has one that stands askew, else along the axes.
[[nodiscard]] Piece pieceAround(const std::vector<const Drawn*>& thing, StructureKind kind);

} // namespace hw::importers::dxf
