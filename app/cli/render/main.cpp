// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/render_views.h"
#include "core/base/language.h"
#include "core/exchange/design_stamp.h"
#include "core/impact/study.h"
#include "core/model/entity.h"
#include "core/values/impact_fields.h"
#include "core/values/overlays.h"
#include "simulation/questions/flow_run.h"
#include "views/fabric/render.h"
#include "views/plan/render.h"
#include "views/power/render.h"
#include "views/style/theme.h"
#include "views/style/vector_page.h"
#include "views/twin/render_png.h"
#include "views/twin/twin_view.h"

#include <QApplication>
#include <QImage>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace hw;

struct Request {
    std::string file, picture, overlay;
    cli::ViewChoice view;
    QSize size;
    bool dark = false;
    std::vector<std::string> fail; ///< what fails together
    views::PlanLayers layers;
    std::vector<std::string> open; ///< what of a fabric or of the power chain is shown on its own
};

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

Result<QImage> drawRack(const FiguresPtr& figures, const Request& request)
{
    const auto found = findEntity(*figures->snapshot, *figures->parts, request.view.name);
    if (!found || found->kind != EntityKind::Rack)
        return fail(ErrorCode::Usage, "--view rack:" + request.view.name, i18n("there is no rack of this name"), // no text
                    i18n("see the cable schedule or the plan for names"));
    const auto loads = loadsFor(figures, request);
    if (!loads) return tl::unexpected(loads.error());
    return views::renderRack(figures, RackId(found->id), request.size, request.dark, QString::fromStdString(request.overlay), *loads);
}

Result<Values> lostIn(const FiguresPtr& figures, const Request& request);

Result<QImage> drawPlan(const FiguresPtr& figures, const Request& request)
{
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

/// The 3D view: racks, and with loads the bundles too, in the colours of the overlay.
Result<QImage> drawTwin(const FiguresPtr& figures, const Request& request)
{
    const Overlay* overlay = request.overlay.empty() ? nullptr : findOverlay(request.overlay);
    if (!request.overlay.empty() && !(overlay && overlay->in(OverlayView::Twin)))
        return fail(ErrorCode::Usage, "--overlay " + request.overlay, i18n("is unknown in the twin"),
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

/// A vector drawing, where the file's name asks for one.
Result<void> writeFabric(const FiguresPtr& figures, const Request& request)
{
    const auto picture = fabricPicture(figures, request);
    if (!picture) return tl::unexpected(picture.error());
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), views::ThemeKind::Light);
    const auto page = views::makeFabricPage(figures, *picture);
    if (!page) return tl::unexpected(page.error());
    return views::writeFabricPage(*page, QString::fromStdString(request.picture));
}

Result<void> writePower(const FiguresPtr& figures, const Request& request)
{
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), views::ThemeKind::Light);
    const auto page = views::makeOneLinePage(*figures, views::kOneLineA3Width, request.open);
    if (!page) return tl::unexpected(page.error());
    return views::writeOneLinePage(*page, QString::fromStdString(request.picture));
}

Result<QImage> draw(const FiguresPtr& figures, const Request& request)
{
    switch (request.view.view) {
    case cli::RenderView::Twin: return drawTwin(figures, request);
    case cli::RenderView::Plan: return drawPlan(figures, request);
    case cli::RenderView::Rack: return drawRack(figures, request);
    case cli::RenderView::Fabric: return drawFabric(figures, request);
    case cli::RenderView::Power: return views::renderOneLine(*figures, request.size, request.dark, request.open);
    case cli::RenderView::Cooling: // the heat of a rack is the power that it draws
        return views::renderPlan(figures, request.size, request.dark, "power");
    }
    return fail(ErrorCode::Fault, "--view", i18n("cannot be drawn"), i18n("please report it"));
}

Result<void> run(const Request& request)
{
    const auto figures = cli::readFigures(request.file, {});
    if (!figures) return tl::unexpected(figures.error());
    if (views::isVectorFile(QString::fromStdString(request.picture)))
        return request.view.view == cli::RenderView::Power ? writePower(*figures, request) : writeFabric(*figures, request);
    const auto image = draw(*figures, request);
    if (!image) return tl::unexpected(image.error());
    if (image->isNull()) return fail(ErrorCode::Fault, "render", i18n("the picture is empty"), i18n("please report it"));
    QImage stamped = *image;
    stamped.setText("Description", QString::fromStdString(words(DesignStamp::of(*(*figures)->snapshot).text())));
    if (!stamped.save(QString::fromStdString(request.picture), "PNG"))
        return fail(ErrorCode::Unreadable, request.picture, i18n("cannot be written"), i18n("free some space or choose another folder"));
    return {};
}

/// Qt's remarks about the platform (no run-time folder, …) are no business of the person who asked for a picture.
void onlyFaults(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
}

/// Further arguments, each with what it is: "open:", "fail:", "layer:".
void readMore(Request& request, const std::vector<std::string>& more)
{
    bool layers = false;
    for (const std::string& argument : more) {
        const auto cut = argument.find(':') + 1;
        const std::string name = argument.substr(cut);
        if (argument.starts_with("open:")) request.open.push_back(name);
        if (argument.starts_with("fail:")) request.fail.push_back(name);
        if (!argument.starts_with("layer:")) continue;
        if (!std::exchange(layers, true)) request.layers.bits = 0;
        if (const auto layer = views::planLayerOf(name)) request.layers.set(*layer, true);
    }
}

} // namespace

/// The drawing half of `hallwright-cli render`, which starts it with checked arguments:
/// FILE PICTURE VIEW OVERLAY WIDTH HEIGHT THEME [open:NAME | fail:NAME | layer:NAME]...
int main(int argc, char** argv)
{
    setLanguage(languageOfEnvironment());
    if (argc < 8)
        return cli::printError({ErrorCode::Usage, "hallwright-render", i18n("is part of hallwright-cli"), i18n("use 'hallwright-cli render'")});
    const auto view = cli::parseView(argv[3]);
    if (!view) return cli::printError(view.error());
    qInstallMessageHandler(onlyFaults);
    views::TwinView::prepareApplication();
    QApplication application(argc, argv);
    Request request{argv[1], argv[2], argv[4], *view, QSize(std::atoi(argv[5]), std::atoi(argv[6])), std::string(argv[7]) == "dark", {}, {}, {}};
    if (request.overlay == kImpactOverlay) request.overlay.clear(); // said by what fails
    readMore(request, {argv + 8, argv + argc});
    const auto done = run(request);
    return done ? 0 : cli::printError(done.error());
}
