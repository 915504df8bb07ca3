// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/figure_painter.h"

#include "views/fabric/render.h"
#include "views/paper/type_grid.h"
#include "views/plan/elevation_painter.h"
#include "views/plan/plan_sheet.h"
#include "views/style/theme.h"

#include <QPainter>

namespace hw::views::paper {
namespace {

using document::Drawing;

void say(QPainter& painter, const QRectF& rect, const Text& what)
{
    paintLine(painter, rect, text(what), face(12), theme().textDim, Qt::AlignHCenter);
}

bool showsTrays(const document::Figure& figure) { return figure.drawing == Drawing::Trays || figure.drawing == Drawing::HallTrays; }

void oneLine(QPainter& painter, const QRectF& rect, const Result<OneLinePage>& page)
{
    if (!page) return say(painter, rect, page.error().what);
    paintOneLinePage(painter, rect, *page);
}

} // namespace

const std::shared_ptr<const OverlayValues>& FigurePainter::values(const char* overlay)
{
    auto& kept = std::string_view(overlay) == "kind" ? m_kinds : m_fill;
    if (!kept) kept = std::make_shared<const OverlayValues>(makeOverlay(*findOverlay(overlay), {*m_figures}));
    return kept;
}

bool FigurePainter::lies(const document::Figure& figure) { return figure.drawing != Drawing::OneLine && figure.drawing != Drawing::Cooling; }

double FigurePainter::heightFor(const document::Figure& figure, double width, double most) const
{
    constexpr double kAround = 84, kBelow = 64; // names above and dimensions; the legend
    const bool hall = figure.drawing == Drawing::Hall || figure.drawing == Drawing::HallTrays;
    const bool plan = hall || figure.drawing == Drawing::Site || figure.drawing == Drawing::Trays;
    const QRectF world = hall ? worldRect(m_figures->placement->hall(HallId(figure.id))) : siteBounds(*m_figures);
    if (!plan || world.width() <= 0) return most;
    const double legend = showsTrays(figure) ? 2 * kBelow : kBelow;
    return std::min(most, std::max(260.0, (width - kAround) * world.height() / world.width() + kAround + legend));
}

void FigurePainter::plan(QPainter& painter, const QRectF& rect, const document::Figure& figure)
{
    PlanSheet sheet{m_figures, figure.values ? figure.values : values(showsTrays(figure) ? "tray-fill" : "kind")};
    if (figure.drawing == Drawing::Hall || figure.drawing == Drawing::HallTrays) sheet.hall = HallId(figure.id);
    sheet.trayNames = showsTrays(figure);
    painter.translate(rect.topLeft());
    paintPlanSheet(painter, rect.size(), sheet);
}

/// Smaller than on a screen, so that every unit of a high rack finds room for a name.
void FigurePainter::rack(QPainter& painter, const QRectF& rect, RackId rack)
{
    constexpr double kScale = 0.82;
    painter.translate(rect.topLeft());
    painter.scale(kScale, kScale);
    ElevationPainter(rect.size() / kScale, {*m_figures, rack, *values("kind")}).paint(painter);
}

void FigurePainter::fabric(QPainter& painter, const QRectF& rect, NetworkId network)
{
    FabricPicture picture;
    picture.network = m_figures->snapshot->networks.name[network];
    const auto page = makeFabricPage(m_figures, picture);
    if (!page) return say(painter, rect, page.error().what);
    paintFabricPage(painter, rect, *page);
}

const Result<OneLinePage>& FigurePainter::diagram(const document::Figure& figure, double width)
{
    const std::pair key(figure.drawing, int(width));
    if (const auto known = m_diagrams.find(key); known != m_diagrams.end()) return known->second;
    const bool power = figure.drawing == Drawing::OneLine;
    return m_diagrams.emplace(key, power ? makeOneLinePage(*m_figures, width) : makeCoolingPage(*m_figures, width)).first->second;
}

std::size_t FigurePainter::parts(const document::Figure& figure, const QSizeF& size)
{
    if (lies(figure)) return 0;
    const auto& page = diagram(figure, size.width());
    const std::size_t parts = page ? partsOf(*page, size).spans.size() : 0;
    return parts > 1 ? parts : 0;
}

void FigurePainter::paintPart(QPainter& painter, const QRectF& rect, const document::Figure& figure, std::size_t part)
{
    const auto& page = diagram(figure, rect.width());
    if (!page) return;
    painter.save();
    painter.setClipRect(rect);
    paintOneLinePart(painter, rect, *page, partsOf(*page, rect.size()), part);
    painter.restore();
}

void FigurePainter::paint(QPainter& painter, const QRectF& rect, const document::Figure& figure)
{
    painter.save();
    painter.setClipRect(rect);
    switch (figure.drawing) {
    case Drawing::Twin: {
        const QSizeF size = QSizeF(m_twin.size()).scaled(rect.size(), Qt::KeepAspectRatioByExpanding);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(QRectF(rect.center() - QPointF(size.width(), size.height()) / 2, size), m_twin);
        break;
    }
    case Drawing::Site:
    case Drawing::Hall:
    case Drawing::HallTrays:
    case Drawing::Trays: plan(painter, rect, figure); break;
    case Drawing::OneLine:
    case Drawing::Cooling: oneLine(painter, rect, diagram(figure, rect.width())); break;
    case Drawing::Rack: rack(painter, rect, RackId(figure.id)); break;
    case Drawing::Fabric: fabric(painter, rect, NetworkId(figure.id)); break;
    }
    painter.restore();
}

} // namespace hw::views::paper
