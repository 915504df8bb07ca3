// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/render.h"

#include "views/plan/elevation_view.h"
#include "views/plan/plan_sheet.h"
#include "views/plan/plan_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/vector_page.h"
#include "views/values/overlay_source.h"

#include <QApplication>
#include <QPainter>

namespace hw::views {
namespace {

QImage pictureOf(QWidget& view, QSize size)
{
    view.resize(size);
    QImage image(size, QImage::Format_RGB32);
    view.render(&image);
    return image;
}

void useTheme(bool dark) { applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), dark ? ThemeKind::Dark : ThemeKind::Light); }

/// Loads the design and chooses the overlay, with what it needs.
Result<void> prepare(DocumentBridge& bridge, const FiguresPtr& figures, const QString& overlay, OverlayView view, const FlowPtr& loads)
{
    const std::string name = overlay.isEmpty() ? "kind" : overlay.toStdString();
    const Overlay* found = findOverlay(name);
    if (!found || !found->drawnIn(view))
        return fail(ErrorCode::Usage, "--overlay " + name, i18n("not available here"), i18n("choose from {}", overlayNames(view)));
    bridge.load(figures->snapshot, figures);
    if (found->needs == OverlayNeeds::Findings) {
        auto findings = check(*figures);
        if (!findings) return tl::unexpected(findings.error());
        bridge.setFindings(std::make_shared<const CheckResult>(std::move(*findings)));
    }
    if (loads) bridge.setFlows(loads, {text(loads->scenarioName), false, false});
    OverlaySource::of(bridge).choose(name);
    return {};
}

} // namespace

Result<QImage> renderPlan(const FiguresPtr& figures, QSize size, bool dark, const QString& overlay, FlowPtr loads, const PlanExtras& extras)
{
    useTheme(dark);
    DocumentBridge bridge;
    if (const auto ready = prepare(bridge, figures, overlay, OverlayView::Plan, loads); !ready) return tl::unexpected(ready.error());
    if (extras.values) OverlaySource::of(bridge).show(extras.values);
    PlanView view(bridge);
    for (std::size_t i = 0; i < kPlanLayerNames.size(); ++i) view.setLayer(PlanLayer(i), extras.layers.has(PlanLayer(i)));
    view.resize(size);
    view.zoomToAll();
    return pictureOf(view, size);
}

Result<QImage> renderRack(const FiguresPtr& figures, RackId rack, QSize size, bool dark, const QString& overlay, FlowPtr loads)
{
    useTheme(dark);
    DocumentBridge bridge;
    if (const auto ready = prepare(bridge, figures, overlay, OverlayView::Rack, loads); !ready) return tl::unexpected(ready.error());
    ElevationView view(bridge);
    view.setRack(rack);
    const QSize narrow(std::min(size.width(), size.height() * 2 / 5), size.height());
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme().panel);
    QPainter painter(&image);
    painter.drawImage((size.width() - narrow.width()) / 2, 0, pictureOf(view, narrow));
    return image;
}

Result<void> writePlanPage(const PlanSheet& sheet, const QString& path, const QString& stamp)
{
    const Snapshot& s = *sheet.figures->snapshot;
    const QString project = text(s.setting("project.name"));
    const QString title = sheet.hall ? text(s.halls.name[*sheet.hall]) : QObject::tr("Floor plan");
    return writeVectorPage(path, {project.isEmpty() ? title : project + " · " + title, {}, stamp}, [&](QPainter& painter, const QRectF& rect) {
        painter.translate(rect.topLeft());
        paintPlanSheet(painter, rect.size(), sheet);
    });
}

Result<void> writeRackPage(const FiguresPtr& figures, RackId rack, std::shared_ptr<const OverlayValues> values, const QString& path,
                           const QString& stamp)
{
    if (!values) values = std::make_shared<const OverlayValues>(makeOverlay(*findOverlay("kind"), {*figures}));
    const QString title = QObject::tr("Front view of %1").arg(text(figures->snapshot->racks.name[rack]));
    return writeVectorPage(path, {title, {}, stamp}, [&](QPainter& painter, const QRectF& rect) {
        const QSizeF narrow(std::min(rect.width(), rect.height() * 2 / 5), rect.height());
        painter.translate(rect.left() + (rect.width() - narrow.width()) / 2, rect.top());
        ElevationPainter(narrow, {*figures, rack, *values}).paint(painter);
    });
}

} // namespace hw::views
