// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::views {
namespace {

constexpr double kGroup = 58, kNarrowGroup = 34, kSwitch = 30, kHost = 11, kPort = 9, kGap = 5, kColumnGap = 9, kPad = 5;
constexpr int kPortRows = 4;

/// Widths from the inside out, then places from the outside in.
class Layouter {
public:
    explicit Layouter(const FabricModel& model) : m_model(model), m_index(model.index()), m_wanted(model.boxes().size(), 0)
    {
        m_out.boxes.resize(model.boxes().size());
        m_out.columns.resize(m_index.columns().size());
        for (const int top : model.tops()) {
            m_wanted[std::size_t(top)] = boxWidth(top);
            const FabricBox& box = model.boxes()[std::size_t(top)];
            m_own[{box.column, box.row}].push_back(top);
        }
    }

    FabricLayout run()
    {
        measure(0);
        placeColumn(0, 0, m_columns[0].width);
        m_out.width = m_columns[0].width;
        for (std::size_t i = 0; i < m_out.columns.size(); ++i)
            if (m_model.column(int(i)) != FabricModel::Fold::Hidden) m_out.depth = std::max(m_out.depth, m_index.columns()[i].depth);
        return std::move(m_out);
    }

private:
    struct Measure {
        double width = 0, children = 0, beside = 0;
    }; ///< beside: own boxes in rows that the children use too

    double boxWidth(int place)
    {
        const FabricBox& box = m_model.boxes()[std::size_t(place)];
        const bool host = m_index.layers()[std::size_t(box.part.layer)].attached;
        double width = 0;
        if (box.kind == FabricBox::Kind::Frame) {
            width = 2 * kPad - kGap;
            for (const int child : box.children) width += (m_wanted[std::size_t(child)] = boxWidth(child)) + kGap;
        } else if (box.open) {
            std::int64_t ports = 0;
            for (const auto& use : box.sums.ports) ports += use.total;
            width = std::clamp(std::ceil(double(ports) / kPortRows) * kPort, 90.0, 420.0);
        } else if (box.kind == FabricBox::Kind::Device) {
            width = host ? kHost : kSwitch;
        } else {
            width = m_index.lanes() > 4 || tiersIn(box.row) > 3 || box.part.first != FabricIndex::kNone ? kNarrowGroup : kGroup;
        }
        return std::max(width, box.kind == FabricBox::Kind::Frame ? kGroup : 0.0);
    }

    [[nodiscard]] std::ptrdiff_t tiersIn(int row) const { return std::ranges::count(m_index.layers(), row, &FabricIndex::Layer::row); }

    double ownWidth(int column, int row) const
    {
        const auto found = m_own.find({column, row});
        if (found == m_own.end()) return 0;
        double width = -kGap;
        for (const int box : found->second) width += m_wanted[std::size_t(box)] + kGap;
        return width;
    }

    const Measure& measure(int column)
    {
        Measure m;
        std::vector<char> used(std::size_t(m_index.rows()), 0);
        if (m_model.column(column) == FabricModel::Fold::Open) {
            for (const int child : m_index.columns()[std::size_t(column)].children) {
                m.children += measure(child).width + kColumnGap;
                for (std::size_t row = 0; row < used.size(); ++row) used[row] = used[row] || m_rows[child][row];
            }
            m.children -= kColumnGap;
        }
        double alone = kNarrowGroup;
        for (std::size_t row = 0; row < used.size(); ++row) {
            const double own = ownWidth(column, int(row));
            if (own > 0) (used[row] ? m.beside : alone) = std::max(used[row] ? m.beside : alone, own);
            used[row] = used[row] || own > 0;
        }
        if (m.beside > 0) m.beside += kColumnGap;
        m.width = std::max(alone, m.children + m.beside);
        m_rows[column] = used;
        return m_columns[column] = m;
    }

    void placeColumn(int column, double x, double width)
    {
        const Measure m = m_columns[column];
        m_out.columns[std::size_t(column)] = {x, width};
        if (m_model.column(column) == FabricModel::Fold::Open) {
            const auto& children = m_index.columns()[std::size_t(column)].children;
            const double gaps = kColumnGap * double(children.size() - 1);
            const double factor = (width - m.beside - gaps) / std::max(1.0, m.children - gaps);
            double at = x;
            for (const int child : children) {
                placeColumn(child, at, m_columns[child].width * factor);
                at += m_columns[child].width * factor + kColumnGap;
            }
        }
        for (int row = 0; row < m_index.rows(); ++row) {
            const bool beside = rowOfChildren(column, row);
            const auto own = m_own.find({column, row});
            if (own == m_own.end()) continue;
            if (beside)
                placeBoxes(own->second, x + width - m.beside + kColumnGap, m.beside - kColumnGap);
            else
                placeBoxes(own->second, x, width);
        }
    }

    bool rowOfChildren(int column, int row) const
    {
        if (m_model.column(column) != FabricModel::Fold::Open) return false;
        return std::ranges::any_of(m_index.columns()[std::size_t(column)].children,
                                   [&](int child) { return m_rows.at(child)[std::size_t(row)] != 0; });
    }

    void placeBoxes(const std::vector<int>& boxes, double x, double width)
    {
        double wanted = 0;
        for (const int box : boxes) wanted += m_wanted[std::size_t(box)];
        const double gap = std::min(kGap, width * 0.1), factor = (width - gap * double(boxes.size() - 1)) / std::max(1.0, wanted);
        for (const int box : boxes) {
            const double own = m_wanted[std::size_t(box)] * factor;
            m_out.boxes[std::size_t(box)] = {x, own};
            const auto& children = m_model.boxes()[std::size_t(box)].children;
            if (!children.empty()) placeBoxes(children, x + kPad, own - 2 * kPad);
            x += own + gap;
        }
    }

    const FabricModel& m_model;
    const FabricIndex& m_index;
    FabricLayout m_out;
    std::vector<double> m_wanted;
    std::map<std::pair<int, int>, std::vector<int>> m_own; ///< by column and row, from the left
    std::map<int, Measure> m_columns;
    std::map<int, std::vector<char>> m_rows; ///< by column: rows that it has boxes in
};

double mix(double a, double b, double t) { return a + (b - a) * t; }

FabricLayout::Span mix(FabricLayout::Span a, FabricLayout::Span b, double t) { return {mix(a.x, b.x, t), mix(a.width, b.width, t)}; }

} // namespace

FabricLayout FabricLayout::make(const FabricModel& model)
{
    if (model.index().rows() == 0) return {};
    return Layouter(model).run();
}

FabricLayout FabricLayout::between(const FabricModel& from, const FabricLayout& fromLayout, const FabricModel& to, const FabricLayout& toLayout,
                                   double t)
{
    if (t >= 1 || from.indexPtr() != to.indexPtr()) return toLayout;
    FabricLayout out = toLayout;
    out.width = mix(fromLayout.width, toLayout.width, t);
    struct Reach {
        double low = 1e300, high = -1e300;
        void add(Span s) { low = std::min(low, s.x), high = std::max(high, s.right()); }
    };
    std::map<int, Reach> after, before; // by old leaf: what came of it; by new leaf: what it came of
    const auto oldLeaf = [&](const FabricBox& box) { return from.leafOf(box.runs.front().first); };
    for (std::size_t i = 0; i < to.boxes().size(); ++i)
        if (to.boxes()[i].leaf()) after[oldLeaf(to.boxes()[i])].add(toLayout.boxes[i]);
    for (std::size_t i = 0; i < from.boxes().size(); ++i)
        if (from.boxes()[i].leaf()) before[to.leafOf(from.boxes()[i].runs.front().first)].add(fromLayout.boxes[i]);
    for (std::size_t i = 0; i < to.boxes().size(); ++i) {
        const FabricBox& box = to.boxes()[i];
        const int old = oldLeaf(box);
        const Span whole = fromLayout.boxes[std::size_t(old)];
        const Reach reach = after[old];
        Span start = whole;
        if (reach.high - reach.low > toLayout.boxes[i].width + 1) { // one of several that came of it
            const double factor = whole.width / (reach.high - reach.low);
            start = {whole.x + (toLayout.boxes[i].x - reach.low) * factor, toLayout.boxes[i].width * factor};
        } else if (const auto found = before.find(int(i)); found != before.end()) {
            start = {found->second.low, found->second.high - found->second.low};
        }
        out.boxes[i] = mix(start, toLayout.boxes[i], t);
    }
    for (std::size_t i = 0; i < out.columns.size(); ++i)
        if (fromLayout.columns[i].width > 0 && toLayout.columns[i].width > 0) out.columns[i] = mix(fromLayout.columns[i], toLayout.columns[i], t);
    return out;
}

/// Bands from edge to edge, with about as much room for links between two of them as a band is high.
QRectF FabricGeometry::band(int row) const
{
    constexpr double kMargin = 10, kLinks = 0.95;
    const double height = area.height() * stretch - 2 * kMargin, count = std::max(1, rows);
    const double tall = std::clamp(height / (count + (count - 1) * kLinks), 12.0, 170.0 * stretch);
    const double step = rows > 1 ? (height - tall) / (count - 1) : 0;
    const double bottom = area.bottom() + lift - kMargin - (rows > 1 ? step * row : (height - tall) / 2);
    return QRectF(area.left(), bottom - tall, area.width(), tall);
}

QRectF FabricGeometry::rect(const FabricModel& model, const FabricLayout& layout, int box) const
{
    const auto span = layout.boxes[std::size_t(box)];
    QRectF rect = band(model.boxes()[std::size_t(box)].row);
    for (int frame = model.boxes()[std::size_t(box)].parent; frame >= 0; frame = model.boxes()[std::size_t(frame)].parent)
        rect.adjust(0, std::min(kFabricFrameTitle, rect.height() * 0.25), 0, -std::min(4.0, rect.height() * 0.05));
    rect.setLeft(toScreen(span.x));
    rect.setRight(toScreen(span.right()));
    return rect;
}

QRectF FabricGeometry::columnRect(const FabricLayout& layout, int column) const
{
    const auto span = layout.columns[std::size_t(column)];
    return QRectF(QPointF(toScreen(span.x), area.top()), QPointF(toScreen(span.right()), area.bottom()));
}

void FabricGeometry::fit(const FabricLayout& layout)
{
    origin = lift = 0;
    stretch = 1;
    if (layout.width > 0) scale = area.width() / layout.width;
}

void FabricGeometry::zoomAt(double screenX, double factor, const FabricLayout& layout)
{
    const double at = toLayout(screenX), fitted = layout.width > 0 ? area.width() / layout.width : 1;
    scale = std::clamp(scale * factor, std::min(fitted, 1.0) * 0.5, std::max(fitted, 1.0) * 12);
    origin = at - (screenX - area.left()) / scale;
    pan({}, layout);
}

void FabricGeometry::stretchAt(double screenY, double factor)
{
    const double before = stretch;
    stretch = std::clamp(stretch * factor, 1.0, 6.0);
    const double fromBottom = area.bottom() + lift - screenY;
    lift = std::clamp(lift + fromBottom * (stretch / before - 1), 0.0, area.height() * (stretch - 1));
}

/// Something always stays in view.
void FabricGeometry::pan(QPointF pixels, const FabricLayout& layout)
{
    const double seen = area.width() / scale;
    origin = std::clamp(origin - pixels.x() / scale, -0.75 * seen, std::max(layout.width - 0.25 * seen, -0.75 * seen));
    lift = std::clamp(lift + pixels.y(), 0.0, area.height() * (stretch - 1));
}

} // namespace hw::views
