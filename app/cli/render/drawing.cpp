// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/render/drawing.h"

#include "app/cli/design_input.h"
#include "core/derived/impact/study.h"
#include "core/derived/values/impact_fields.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/overlays/overlays.h"
#include "core/output/exchange/design_stamp.h"
#include "simulation/questions/flow_run.h"
#include "views/fabric/render.h"
#include "views/plan/plan_sheet.h"
#include "views/plan/render.h"
#include "views/power/render.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/vector_page.h"
#include "views/twin/render_png.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

namespace hw::app {

namespace {

using Loads = std::shared_ptr<const sim::FlowResult>;

/// Overlays of loads show a ring all-reduce over the whole design; null for others.
Result<Loads> loadsFor(const FiguresPtr& figures, const Request& request)
{
    const Overlay* overlay = findOverlay(request.overlay);
    if (!overlay || overlay->needs != OverlayNeeds::Loads) return Loads();
    return sim::askFlows(*figures->snapshot, sim::FlowQuestion{});
}

using Values = std::shared_ptr<const OverlayValues>;

Result<Values> valuesFor(const FiguresPtr& figures, const Overlay& overlay, const Loads& loads)
{
    std::optional<CheckResult> findings;
    if (overlay.needs == OverlayNeeds::Findings) {
        auto checked = check(*figures);
        if (!checked) return tl::unexpected(checked.error());
        findings = std::move(*checked);
    }
    OverlayInputs inputs{*figures, findings ? &*findings : nullptr};
    if (loads) inputs.loads = {loads->loadGbps, loads->capacityGbps, loads->scenarioName};
    return std::make_shared<const OverlayValues>(makeOverlay(overlay, inputs));
}

Result<RackId> rackIn(const Figures& figures, const Request& request)
{
    const auto found = findEntity(*figures.snapshot, *figures.parts, request.view.name);
    if (found && found->kind == EntityKind::Rack) return RackId(found->id);
    return fail(ErrorCode::Usage, "--view rack:" + request.view.name, i18n("unknown rack"), // no text
                i18n("see the cable schedule or the plan for rack names"));
}

Result<QImage> drawRack(const FiguresPtr& figures, const Request& request)
{
    const auto rack = rackIn(*figures, request);
    if (!rack) return tl::unexpected(rack.error());
    const auto loads = loadsFor(figures, request);
    if (!loads) return tl::unexpected(loads.error());
    return views::renderRack(figures, *rack, request.size, request.dark, QString::fromStdString(request.overlay), *loads);
}

Result<Values> lostIn(const FiguresPtr& figures, const Request& request);

/// The plan as a sheet: with the overlay, or what a failure leaves.
Result<views::PlanSheet> planSheet(const FiguresPtr& figures, const Request& request)
{
    views::PlanSheet sheet{figures, nullptr, request.layers};
    if (const std::string& name = request.view.name; !name.empty()) {
        const auto found = findEntity(*figures->snapshot, *figures->parts, name);
        if (!found || found->kind != EntityKind::Hall)
            return fail(ErrorCode::Usage, "--view " + name, i18n("unknown hall"), i18n("see the plan for hall names")); // no text
        sheet.hall = HallId(found->id);
    }
    if (request.view.view == cli::RenderView::Trays) {
        sheet.values = std::make_shared<const OverlayValues>(makeOverlay(*findOverlay("tray-fill"), {*figures}));
        sheet.trayNames = true;
        return sheet;
    }
    const auto lost = lostIn(figures, request);
    if (!lost) return tl::unexpected(lost.error());
    sheet.values = *lost;
    if (*lost || request.overlay.empty()) return sheet;
    const auto loads = loadsFor(figures, request);
    if (!loads) return tl::unexpected(loads.error());
    const auto values = valuesFor(figures, *findOverlay(request.overlay), *loads);
    if (!values) return tl::unexpected(values.error());
    sheet.values = *values;
    return sheet;
}

/// A sheet as a picture.
Result<QImage> drawSheet(const FiguresPtr& figures, const Request& request)
{
    const auto sheet = planSheet(figures, request);
    if (!sheet) return tl::unexpected(sheet.error());
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), request.dark ? views::ThemeKind::Dark : views::ThemeKind::Light);
    QImage image(request.size, QImage::Format_RGB32);
    QPainter painter(&image);
    views::paintPlanSheet(painter, QSizeF(request.size), *sheet);
    return image;
}

Result<QImage> drawPlan(const FiguresPtr& figures, const Request& request)
{
    if (!request.view.name.empty()) return drawSheet(figures, request);
    const auto loads = loadsFor(figures, request);
    if (!loads) return tl::unexpected(loads.error());
    const auto lost = lostIn(figures, request);
    if (!lost) return tl::unexpected(lost.error());
    return views::renderPlan(figures, request.size, request.dark, QString::fromStdString(request.overlay), *loads, {*lost, request.layers});
}

/// What a failure leaves; null where nothing fails.
Result<Values> lostIn(const FiguresPtr& figures, const Request& request)
{
    if (request.fail.empty()) return Values();
    const auto model = impact::Model::of(figures);
    if (!model) return tl::unexpected(model.error());
    std::vector<impact::Failing> failing;
    for (const auto& name : request.fail) {
        const auto found = impact::findFailing(**model, name);
        if (!found) return tl::unexpected(found.error());
        failing.push_back(*found);
    }
    impact::Study study(*model);
    const impact::Effect& effect = study.lose(failing);
    return std::make_shared<const OverlayValues>(
        OverlayValues{std::string(kImpactOverlay), impactFields(study, effect, impactTitle(**model, failing))});
}

/// The 3D view: racks, and with loads the bundles too, in the colors of the overlay.
Result<QImage> drawTwin(const FiguresPtr& figures, const Request& request)
{
    const Overlay* overlay = request.overlay.empty() ? nullptr : findOverlay(request.overlay);
    if (!request.overlay.empty() && !(overlay && overlay->drawnIn(OverlayView::Twin)))
        return fail(ErrorCode::Usage, "--overlay " + request.overlay, i18n("not available in the twin"),
                    i18n("choose from {}", overlayNames(OverlayView::Twin)));
    const auto loads = loadsFor(figures, request);
    if (!loads) return tl::unexpected(loads.error());
    views::TwinPicture picture;
    picture.figures = figures;
    picture.size = request.size;
    picture.dark = request.dark;
    picture.loads = *loads;
    const auto lost = lostIn(figures, request);
    if (!lost) return tl::unexpected(lost.error());
    picture.overlay = *lost;
    if (!overlay) return views::renderTwin(picture);
    const auto values = valuesFor(figures, *overlay, *loads);
    if (!values) return tl::unexpected(values.error());
    picture.overlay = *values;
    return views::renderTwin(picture);
}

Result<views::FabricPicture> fabricPicture(const FiguresPtr& figures, const Request& request)
{
    views::FabricPicture picture{request.view.name, request.overlay, request.open, nullptr, request.size, request.dark};
    const auto loads = loadsFor(figures, request);
    if (!loads) return tl::unexpected(loads.error());
    picture.loads = *loads;
    const Overlay* overlay = findOverlay(request.overlay);
    if (!overlay || !overlay->make) return picture;
    const auto values = valuesFor(figures, *overlay, *loads);
    if (!values) return tl::unexpected(values.error());
    picture.values = *values;
    return picture;
}

Result<QImage> drawFabric(const FiguresPtr& figures, const Request& request)
{
    const auto picture = fabricPicture(figures, request);
    if (!picture) return tl::unexpected(picture.error());
    return views::renderFabric(figures, *picture);
}

QString stampOf(const Figures& figures) { return views::text(DesignStamp::of(*figures.snapshot).text()); }

Result<void> writeFabric(const FiguresPtr& figures, const Request& request)
{
    auto picture = fabricPicture(figures, request);
    if (!picture) return tl::unexpected(picture.error());
    auto page = views::makeFabricPage(figures, *picture);
    if (!page) return tl::unexpected(page.error());
    page->stamp = stampOf(*figures);
    return views::writeFabricPage(*page, QString::fromStdString(request.picture));
}

/// The power chain, or the loops of cooling; with what a failure leaves.
Result<views::OneLinePage> oneLinePage(const FiguresPtr& figures, const Request& request, double width)
{
    auto page = request.view.view == cli::RenderView::Cooling ? views::makeCoolingPage(*figures, width, request.open)
                                                              : views::makeOneLinePage(*figures, width, request.open);
    if (!page) return tl::unexpected(page.error());
    auto lost = lostIn(figures, request);
    if (!lost) return tl::unexpected(lost.error());
    page->look.values = std::move(*lost);
    return page;
}

Result<void> writeOneLine(const FiguresPtr& figures, const Request& request)
{
    auto page = oneLinePage(figures, request, views::kOneLineA3Width);
    if (!page) return tl::unexpected(page.error());
    page->stamp = stampOf(*figures);
    return views::writeOneLinePage(*page, QString::fromStdString(request.picture));
}

Result<void> writeRack(const FiguresPtr& figures, const Request& request)
{
    const auto rack = rackIn(*figures, request);
    if (!rack) return tl::unexpected(rack.error());
    const auto loads = loadsFor(figures, request);
    if (!loads) return tl::unexpected(loads.error());
    Result<Values> values{Values()};
    if (!request.overlay.empty()) values = valuesFor(figures, *findOverlay(request.overlay), *loads);
    if (!values) return tl::unexpected(values.error());
    return views::writeRackPage(figures, *rack, *values, QString::fromStdString(request.picture), stampOf(*figures));
}

Result<void> writePlan(const FiguresPtr& figures, const Request& request)
{
    const auto sheet = planSheet(figures, request);
    if (!sheet) return tl::unexpected(sheet.error());
    return views::writePlanPage(*sheet, QString::fromStdString(request.picture), stampOf(*figures));
}

/// A drawing of lines, where the file's name asks for one.
Result<void> write(const FiguresPtr& figures, const Request& request)
{
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), views::ThemeKind::Light);
    switch (request.view.view) {
    case cli::RenderView::Twin: break;
    case cli::RenderView::Plan:
    case cli::RenderView::Trays: return writePlan(figures, request);
    case cli::RenderView::Rack: return writeRack(figures, request);
    case cli::RenderView::Fabric: return writeFabric(figures, request);
    case cli::RenderView::Power:
    case cli::RenderView::Cooling: return writeOneLine(figures, request);
    }
    return fail(ErrorCode::Usage, "--view", i18n("the twin cannot be exported as a line drawing"),
                i18n("use the extension .png, or choose another view"));
}

Result<QImage> draw(const FiguresPtr& figures, const Request& request)
{
    switch (request.view.view) {
    case cli::RenderView::Twin: return drawTwin(figures, request);
    case cli::RenderView::Plan: return drawPlan(figures, request);
    case cli::RenderView::Rack: return drawRack(figures, request);
    case cli::RenderView::Fabric: return drawFabric(figures, request);
    case cli::RenderView::Power:
    case cli::RenderView::Cooling: return views::renderOneLine(oneLinePage(figures, request, request.size.width()), request.size, request.dark);
    case cli::RenderView::Trays: return drawSheet(figures, request);
    }
    return fail(ErrorCode::Fault, "--view", i18n("cannot be drawn"), i18n("please report it"));
}

} // namespace

Result<void> drawPicture(const Request& request)
{
    const auto figures = cli::readFigures(request.file, {});
    if (!figures) return tl::unexpected(figures.error());
    if (views::isVectorFile(QString::fromStdString(request.picture))) return write(*figures, request);
    const auto image = draw(*figures, request);
    if (!image) return tl::unexpected(image.error());
    if (image->isNull()) return fail(ErrorCode::Fault, "render", i18n("the image is empty"), i18n("please report it"));
    QImage stamped = *image;
    stamped.setText("Description", stampOf(**figures));
    if (!stamped.save(QString::fromStdString(request.picture), "PNG"))
        return fail(ErrorCode::Unreadable, request.picture, i18n("cannot be written"), i18n("free up disk space or choose another folder"));
    return {};
}

} // namespace hw::app
