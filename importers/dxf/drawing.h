// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hw::importers::dxf {

/// In the drawing's own units.
struct Spot {
    double x = 0, y = 0;
};

enum class ShapeKind { Path, Circle, Arc };

/// A line, polyline, circle or arc of the model space, as a path of straight pieces; blocks are taken apart.
struct Shape {
    ShapeKind kind = ShapeKind::Path;
    std::vector<Spot> points;
    bool closed = false;
    Spot center;              ///< of a circle or arc
    std::string layer, block; ///< and the block that it came in
    std::uint32_t insert = 0; ///< the innermost insertion that it came with, from 1; 0: none
    std::uint32_t outer = 0;  ///< the outermost one
    struct Bow {
        Spot center;
        std::size_t from = 0, to = 0; ///< points
    };
    std::vector<Bow> bows{};   ///< arcs in a path
    std::string hiddenBy = {}; ///< the frozen or switched-off layer, its own or of an insertion, that hides it; empty: it is visible
};

/// An ASCII DXF after its form was checked: what dxflib shall read of it, and what it does not read.
struct Checked {
    std::string readable; ///< sections of lines, arcs and blocks only, lines of any length cut; hatches, splines … and wide lines as polylines
    int units = 0;        ///< $INSUNITS; 0: unitless or not said
    struct Others {
        std::size_t count = 0, line = 0; ///< line: of the first
    };
    std::map<std::string, Others> others;     ///< entities of other kinds, by name
    std::map<std::string, bool> hiddenLayers; ///< true: frozen, false: off
    std::size_t invisible = 0;                ///< entities that are so by themselves, and not among `readable`
    std::size_t tapered = 0;                  ///< polylines of varying width, of which the middle is read
    Text doubt;                               ///< of the text of names; empty: none
};
/// Errors: Unreadable with file and line.
[[nodiscard]] Result<Checked> checkForm(const exchange::ImportSource& source);
/// Whether it begins as a drawing does: DXF, binary DXF or DWG.
[[nodiscard]] bool looksLikeDrawing(const std::string& content);

/// An insertion that is one thing and is not taken apart.
struct Insertion {
    std::string block, layer;
    std::array<Spot, 4> corners;               ///< of the rectangle around the block: its lower left, lower right, upper right, upper left
    std::map<std::string, std::string> values; ///< of its attributes, by tag in capitals
};

struct Drawing {
    std::vector<Shape> shapes;
    std::vector<Insertion> insertions;      ///< that were asked for
    std::size_t hiddenInsertions = 0;       ///< the same on layers that are frozen or off
    std::vector<std::string> missingBlocks; ///< inserted, and not in the file
};
/// Errors: Unreadable for blocks that hold themselves or more than can be drawn; Canceled.
/// `whole`: whether insertions of a block are wanted as such, and not its lines.
[[nodiscard]] Result<Drawing> readDrawing(const Checked& checked, const std::string& file, const Progress& progress,
                                          const std::function<bool(const std::string&)>& whole = {});

} // namespace hw::importers::dxf
