// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/render.h"

#include "views/plan/elevation_view.h"
#include "views/plan/plan_view.h"
#include "views/style/theme.h"

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

} // namespace

Result<QImage> renderPlan(const FiguresPtr& figures, QSize size, bool dark, const QString& overlay)
{
    useTheme(dark);
    DocumentBridge bridge;
    bridge.load(figures->snapshot, figures);
    PlanView view(bridge);
    if (overlay == "power")
        view.setOverlay(Overlay::Power);
    else if (overlay == "findings") {
        auto findings = check(*figures);
        if (!findings) return tl::unexpected(findings.error());
        bridge.setFindings(std::make_shared<const CheckResult>(std::move(*findings)));
        view.setOverlay(Overlay::Findings);
    } else if (!overlay.isEmpty() && overlay != "kind") {
        return fail(ErrorCode::Usage, "--overlay " + overlay.toStdString(), "is unknown in the plan", "choose from kind, power, findings");
    }
    view.resize(size);
    view.zoomToAll();
    return pictureOf(view, size);
}

QImage renderRack(const FiguresPtr& figures, RackId rack, QSize size, bool dark)
{
    useTheme(dark);
    DocumentBridge bridge;
    bridge.load(figures->snapshot, figures);
    ElevationView view(bridge);
    view.setRack(rack);
    const QSize narrow(std::min(size.width(), size.height() * 2 / 5), size.height());
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme().panel);
    QPainter painter(&image);
    painter.drawImage((size.width() - narrow.width()) / 2, 0, pictureOf(view, narrow));
    return image;
}

} // namespace hw::views
