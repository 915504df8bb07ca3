// SPDX-License-Identifier: GPL-3.0-or-later
// Dimensions of the plan: size of the rooms, and the free floor between rows and walls.
#include "importers/drawings/plan_drawing.h"

#include <algorithm>
#include <map>

namespace hw::drawings {

namespace {

constexpr double kDimensionHeight = 250, kLine = 1200; ///< mm of the model; from a wall to its dimension line, and to the next

struct Span {
    std::int32_t low = 0, high = 0;
    RowId row{}; ///< one of those that lie there
    friend auto operator<=>(const Span&, const Span&) = default;
};

/// Rows side by side as spans across them: those that overlap are one.
std::vector<Span> merged(std::vector<Span> spans)
{
    std::ranges::sort(spans);
    std::vector<Span> out;
    for (const Span& span : spans)
        if (!out.empty() && span.low < out.back().high)
            out.back().high = std::max(out.back().high, span.high);
        else
            out.push_back(span);
    return out;
}

class Dimensions {
public:
    explicit Dimensions(Scene& scene) : m(scene), m_model(scene.file.model()), m_layer(scene.layers[On::Dimension]) {}

    void room(HallId hall)
    {
        const Box& b = m.figures.placement->hall(hall);
        m_model.dimension(m_layer, m.at(b.low.x, b.low.y), m.at(b.high.x, b.low.y), m.at(b.low.x, b.low.y - 2 * kLine), false, kDimensionHeight);
        m_model.dimension(m_layer, m.at(b.high.x, b.low.y), m.at(b.high.x, b.high.y), m.at(b.high.x + 2 * kLine, b.low.y), true, kDimensionHeight);
        std::vector<Span> alongX, alongY; // spans across rows that run along x, and along y
        m.s.rows.forEach([&](RowId id) {
            const Box& row = m.figures.placement->row(id);
            if (m.s.rows.hall[id] != hall || row.high.x <= row.low.x || row.high.y <= row.low.y) return;
            if (rowFrame(m.s, id).quarter % 2 == 0)
                alongX.push_back({row.low.y, row.high.y, id});
            else
                alongY.push_back({row.low.x, row.high.x, id});
        });
        chain(merged(alongX), b, true);
        chain(merged(alongY), b, false);
    }

private:
    /// From wall over aisles and rows to wall; `upright`: measured along y.
    void chain(const std::vector<Span>& spans, const Box& b, bool upright)
    {
        if (spans.empty()) return;
        std::vector<std::int32_t> marks{upright ? b.low.y : b.low.x};
        for (const Span& span : spans) marks.push_back(span.low), marks.push_back(span.high);
        marks.push_back(upright ? b.high.y : b.high.x);
        for (std::size_t i = 1; i < marks.size(); ++i) {
            if (marks[i] <= marks[i - 1]) continue;
            if (upright)
                m_model.dimension(m_layer, m.at(b.low.x, marks[i - 1]), m.at(b.low.x, marks[i]), m.at(b.low.x - kLine, marks[i]), true,
                                  kDimensionHeight);
            else
                m_model.dimension(m_layer, m.at(marks[i - 1], b.low.y), m.at(marks[i], b.low.y), m.at(marks[i], b.low.y - kLine), false,
                                  kDimensionHeight);
        }
        // The first row's place between the walls at its ends.
        const Box& row = m.figures.placement->row(spans.front().row);
        const std::array<std::int32_t, 4> ends =
            upright ? std::array{b.low.x, row.low.x, row.high.x, b.high.x} : std::array{b.low.y, row.low.y, row.high.y, b.high.y};
        for (std::size_t i = 1; i < ends.size(); ++i) {
            if (ends[i] <= ends[i - 1]) continue;
            if (upright)
                m_model.dimension(m_layer, m.at(ends[i - 1], b.low.y), m.at(ends[i], b.low.y), m.at(ends[i], b.low.y - kLine), false,
                                  kDimensionHeight);
            else
                m_model.dimension(m_layer, m.at(b.low.x, ends[i - 1]), m.at(b.low.x, ends[i]), m.at(b.low.x - kLine, ends[i]), true,
                                  kDimensionHeight);
        }
    }

    Scene& m;
    DxfSpace& m_model;
    const std::string& m_layer;
};

} // namespace

void drawDimensions(Scene& scene)
{
    Dimensions dimensions(scene);
    for (const HallId hall : scene.halls) dimensions.room(hall);
}

} // namespace hw::drawings
