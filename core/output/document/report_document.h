// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/output/exchange/design_stamp.h"

#include <memory>
#include <variant>
#include <vector>

namespace hw {
struct OverlayValues;
}

/// The design report as a document: what it says, section by section, before it is laid out. Plain data; writers of PDF and HTML read it.
namespace hw::document {

enum class Tone : std::uint8_t { Plain, Dim, Good, Warning, Bad };

struct Paragraph {
    enum class Style : std::uint8_t { Body, Lead, Heading }; ///< Lead: the first words of a section, larger
    Text text;
    Style style = Style::Body;
    Tone tone = Tone::Plain;
};

/// "IT power  17.9 MW": labels and what is said of them.
struct Facts {
    struct Line {
        Text label, value;
        Tone tone = Tone::Plain;
    };
    std::vector<Line> lines;
};

/// A few figures that are read first.
struct Tiles {
    struct Tile {
        Text value, label, note;
        Tone tone = Tone::Plain;
    };
    std::vector<Tile> tiles;
};

struct Points {
    struct Point {
        Text text;
        Tone tone = Tone::Plain;
    };
    std::vector<Point> points;
};

struct Cell {
    Text text;
    Tone tone = Tone::Plain;
    Cell() = default;
    Cell(Text said, Tone t = Tone::Plain) : text(std::move(said)), tone(t) {}
};
enum class RowKind : std::uint8_t { Plain, Group, Total };
struct Table {
    struct Column {
        Text title;
        double weight = 1; ///< share of the width that is left to texts
        bool number = false;
    };
    struct Row {
        std::vector<Cell> cells; ///< of a group only the first, across the whole width
        RowKind kind = RowKind::Plain;
    };
    Text caption;
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// Loads over capacities, as bars.
struct Bars {
    struct Bar {
        Text label, value;
        double share = 0, worst = 0; ///< of the capacity; worst: when any one other element is lost
    };
    Text caption;
    std::vector<Bar> bars;
};

/// Values over time, as lines.
struct Chart {
    struct Curve {
        Text label;
        std::vector<std::pair<double, double>> points; ///< (s, value), ascending
        bool dashed = false;                           ///< what was planned or predicted
    };
    Text caption;
    std::string unit;
    std::vector<Curve> curves;
    std::vector<std::pair<double, Text>> marks; ///< moments, s
};

enum class Drawing : std::uint8_t { Twin, Site, Hall, Trays, HallTrays, OneLine, Cooling, Rack, Fabric };
/// A drawing of the design that the writer makes: vector, but for the twin.
struct Figure {
    Drawing drawing = Drawing::Site;
    std::uint32_t id = 0; ///< of the hall, rack or network
    Text caption, note;
    std::shared_ptr<const OverlayValues> values{}; ///< colors of a hall's racks and equipment; null: what they are
};
/// Several upright ones side by side.
struct Gallery {
    std::vector<Figure> figures;
};

using Block = std::variant<Paragraph, Facts, Tiles, Points, Table, Bars, Figure, Gallery, Chart>;

struct Section {
    Text title;
    int level = 1;      ///< 2: a part of the section before
    std::string anchor; ///< "networks.backend": unique, of letters, digits, points and dashes
    std::vector<Block> blocks;
};

struct ReportDocument {
    FiguresPtr figures;
    DesignStamp stamp;
    Text title, subtitle, basis; ///< of the cover; `basis`: what the figures rest on
    Tiles cover;
    std::vector<Section> sections;
};

/// The whole report: proves every network and runs every rule, which takes most of the time. Errors: Canceled.
[[nodiscard]] Result<ReportDocument> makeReportDocument(const FiguresPtr& figures, const DesignStamp& stamp, const Progress& progress = {});

} // namespace hw::document
