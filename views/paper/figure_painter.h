// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/overlays/overlays.h"
#include "core/output/document/report_document.h"
#include "views/power/render.h"

#include <QImage>
#include <QRectF>

#include <map>
#include <memory>

class QPainter;

namespace hw::views::paper {

/// Makes the drawings of a document with the painters of the views. One thread, in a PaperScope.
class FigurePainter {
public:
    FigurePainter(const document::ReportDocument& document, QImage twin) : m_figures(document.figures), m_twin(std::move(twin)) {}
    /// Fills the rectangle; what cannot be drawn says why.
    void paint(QPainter& painter, const QRectF& rect, const document::Figure& figure);
    /// Sheets of such a size that a diagram takes besides the one that shows it whole, each with a part of it that can be read; 0: none.
    [[nodiscard]] std::size_t parts(const document::Figure& figure, const QSizeF& size);
    void paintPart(QPainter& painter, const QRectF& rect, const document::Figure& figure, std::size_t part);
    /// Diagrams of levels stand upright, everything else lies.
    [[nodiscard]] static bool lies(const document::Figure& figure);
    /// Height that the drawing can use at this width; `most` where it takes what there is.
    [[nodiscard]] double heightFor(const document::Figure& figure, double width, double most) const;
    [[nodiscard]] const QImage& twin() const { return m_twin; }

private:
    void plan(QPainter& painter, const QRectF& rect, const document::Figure& figure);
    void rack(QPainter& painter, const QRectF& rect, RackId rack);
    void fabric(QPainter& painter, const QRectF& rect, NetworkId network);
    [[nodiscard]] const std::shared_ptr<const OverlayValues>& values(const char* overlay);
    [[nodiscard]] const Result<OneLinePage>& diagram(const document::Figure& figure, double width);

    FiguresPtr m_figures;
    QImage m_twin;
    std::shared_ptr<const OverlayValues> m_kinds, m_fill;
    std::map<std::pair<document::Drawing, int>, Result<OneLinePage>> m_diagrams; ///< by width in whole pixels
};

} // namespace hw::views::paper
