// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets of paper: a frame with a title block, and on it a view of the plan, rack elevations or a diagram.
#pragma once

#include "importers/drawings/plan_drawing.h"

#include "core/foundation/base/progress.h"

namespace hw::drawings {

/// Landscape, mm.
struct Paper {
    const char* name;
    double width, height;
};
inline constexpr std::array kPapers{Paper{"A0", 1189, 841}, Paper{"A1", 841, 594}, Paper{"A2", 594, 420}, Paper{"A3", 420, 297}};

/// What all sheets of a file say.
struct SheetSet {
    Paper paper = kPapers[1];
    std::string project{}, revision{}, date{}; ///< date: empty, none
    double north = 90;                         ///< direction of north on the sheet, degrees counter-clockwise from the right
    std::int64_t scale = 0;                    ///< of plans, 100 for 1:100; 0: the largest that fits
};

/// One sheet with its frame.
class SheetFrame {
public:
    /// `title`: of the drawing; `scale`: "1:100", or empty.
    SheetFrame(Scene& scene, const SheetSet& set, const std::string& number, const std::string& title, const std::string& scale);
    [[nodiscard]] DxfSpace& space() { return m_space; }
    /// The room for the drawing.
    [[nodiscard]] static At low(const SheetSet& set);
    [[nodiscard]] static At high(const SheetSet& set);
    void scaleBar(std::int64_t scale); ///< and the arrow to the north
private:
    const SheetSet& m_set;
    DxfSpace& m_space;
    const std::string& m_layer;
};

/// One for each room. Errors: Refused where a stated scale does not fit the paper.
[[nodiscard]] Result<void> addPlanSheets(Scene& scene, const SheetSet& set);
/// Front and rear of every rack. Errors: Canceled.
[[nodiscard]] Result<void> addElevationSheets(Scene& scene, const SheetSet& set, const Progress& progress);
/// The one-line diagram of power, or that of cooling; nothing where there are no elements.
void addDiagramSheet(Scene& scene, const SheetSet& set, Medium medium);
/// How many sheets the elevations take.
[[nodiscard]] std::size_t elevationSheets(const Scene& scene, const SheetSet& set);

} // namespace hw::drawings
