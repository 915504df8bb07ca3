// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line_layout.h"
#include "core/operations/overlays/overlays.h"
#include "views/power/one_line_findings.h"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <memory>
#include <vector>

class QPainter;

namespace hw::views {

/// From the units of a layout to pixels.
struct OneLineCamera {
    static constexpr double kLegible = 0.8;  ///< scale from which on words can be read
    static constexpr double kSmallest = 0.6; ///< and to which it shrinks so that a level is whole
    QRectF whole, area;                      ///< everything that may be painted; where the diagram is: level names stand at its left
    QPointF origin;                          ///< point of the layout at the area's left upper corner
    double scale = 1;
    double cut = 0; ///< of the layout: nothing right of it is painted; 0 = all

    [[nodiscard]] QPointF toScreen(double x, double y) const { return area.topLeft() + (QPointF(x, y) - origin) * scale; }
    [[nodiscard]] QPointF toLayout(QPointF at) const { return (at - area.topLeft()) / scale + origin; }
    [[nodiscard]] QRectF rect(const OneLineLayout& layout, std::uint32_t box) const
    {
        return {toScreen(layout.boxes[box].x, layout.boxes[box].y), QSizeF(OneLineLayout::kBoxWidth, OneLineLayout::kBoxHeight) * scale};
    }
    [[nodiscard]] double shape() const { return area.height() > 0 ? area.width() / area.height() : 0; }
    void place(const QRectF& rect);         ///< makes room for names and legend
    void fit(const OneLineLayout& layout);  ///< all of it
    void read(const OneLineLayout& layout); ///< all of it where that can be read, else its whole width from the top on, as large as to be read
    [[nodiscard]] QRectF mark(const OneLineLayout& layout, std::uint32_t box) const; ///< what opens a fold
    void zoomAt(QPointF at, double factor);
};

/// What is marked in a diagram.
struct OneLineLook {
    std::vector<char> selected;                                   ///< by element; empty = nothing
    std::uint32_t hover = OneLine::kNone, focus = OneLine::kNone; ///< boxes
    std::shared_ptr<const OverlayValues> values;     ///< what is measured, or what a failure leaves, in place of what was planned; null: nothing
    std::shared_ptr<const OneLineFindings> findings; ///< null: none
};

/// Draws a one-line diagram: on a widget, an image or a page of SVG or PDF. Made again for each frame.
class OneLinePainter {
public:
    OneLinePainter(QPainter& painter, const OneLineModel& model, const OneLineLayout& layout, const OneLineCamera& camera, const OneLineLook& look);
    void paint();

private:
    struct LegendEntry {
        enum class Mark : std::uint8_t { None, Field, Line, Dashes, Tick, Badge };
        Mark mark = Mark::None;
        QColor color;
        QString text;
        [[nodiscard]] double wide() const
        {
            return mark == Mark::None ? 0 : mark == Mark::Field ? 21 : mark == Mark::Tick ? 12 : mark == Mark::Badge ? 16 : 28;
        }
    };
    [[nodiscard]] std::vector<LegendEntry> legend() const;
    void paintMark(const LegendEntry& entry, QPointF at, double height);
    void paintLevels();
    void paintNames();
    void paintLines();
    void paintLine(const OneLineLayout::Line& line, bool marked);
    void paintBox(std::uint32_t box);
    void paintStack(const QRectF& rect);
    void paintMark(const QRectF& rect);
    void paintBar(const OneLineBox& box, const QRectF& rect);
    void paintBadge(QPointF at, double radius, const QColor& color); ///< there is a finding
    void paintLegend();
    void paintValue(const OneLineBox& box, const ValueField& field, float value, const QRectF& rect);
    [[nodiscard]] QString stateText(const OneLineBox& box, const ValueField& field, float value) const;
    [[nodiscard]] bool lost(const OneLineBox& box) const; ///< all of it, by the failure that is shown
    void paintValueLegend(QRectF at, const ValueField& field);
    void drawFitting(const QRectF& rect, const QString& text, double size, int weight, Qt::Alignment alignment = Qt::AlignLeft);
    [[nodiscard]] int marked(const OneLineBox& box) const; ///< 1 partly, 2 wholly selected
    [[nodiscard]] const ValueField* measured() const;      ///< of devices; null: none
    [[nodiscard]] float valueOf(const OneLineBox& box, const ValueField& field) const;
    [[nodiscard]] bool lineMarked(const OneLineEdge& edge) const;

    QPainter& m_p;
    const OneLineModel& m_model;
    const OneLineLayout& m_layout;
    const OneLineCamera& m_camera;
    const OneLineLook& m_look;
};

} // namespace hw::views
