// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/render_views.h"
#include "core/model/entity.h"
#include "simulation/questions/flow_run.h"
#include "views/fabric/render.h"
#include "views/plan/render.h"
#include "views/style/theme.h"
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
    std::vector<std::string> open; ///< devices of a fabric that are shown on their own
};

Result<QImage> drawRack(const FiguresPtr& figures, const Request& request)
{
    const auto found = findEntity(*figures->snapshot, *figures->parts, request.view.name);
    if (!found || found->kind != EntityKind::Rack)
        return fail(ErrorCode::Usage, "--view rack:" + request.view.name, "there is no rack of this name",
                    "see the cable schedule or the plan for names");
    return views::renderRack(figures, RackId(found->id), request.size, request.dark);
}

/// The 3D view; the overlay "load" colours it by a ring all-reduce over the whole design.
Result<QImage> drawTwin(const FiguresPtr& figures, const Request& request)
{
    views::TwinPicture picture;
    picture.figures = figures;
    picture.size = request.size;
    picture.dark = request.dark;
    if (request.overlay == "load") {
        const auto loads = sim::askFlows(*figures->snapshot, sim::FlowQuestion{});
        if (!loads) return tl::unexpected(loads.error());
        picture.loads = *loads;
    } else if (!request.overlay.empty()) {
        return fail(ErrorCode::Usage, "--overlay " + request.overlay, "is unknown in the twin", "choose from load");
    }
    return views::renderTwin(picture);
}

Result<views::FabricPicture> fabricPicture(const FiguresPtr& figures, const Request& request)
{
    views::FabricPicture picture{request.view.name, request.overlay, request.open, nullptr, request.size, request.dark};
    if (request.overlay != "load") return picture;
    const auto loads = sim::askFlows(*figures->snapshot, sim::FlowQuestion{});
    if (!loads) return tl::unexpected(loads.error());
    picture.loads = *loads;
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

bool vector(const std::string& path)
{
    const QString name = QString::fromStdString(path).toLower();
    return name.endsWith(".svg") || name.endsWith(".pdf");
}

Result<QImage> draw(const FiguresPtr& figures, const Request& request)
{
    switch (request.view.view) {
    case cli::RenderView::Twin: return drawTwin(figures, request);
    case cli::RenderView::Plan: return views::renderPlan(figures, request.size, request.dark, QString::fromStdString(request.overlay));
    case cli::RenderView::Rack: return drawRack(figures, request);
    case cli::RenderView::Fabric: return drawFabric(figures, request);
    case cli::RenderView::Power:
    case cli::RenderView::Cooling: // the heat of a rack is the power that it draws
        return views::renderPlan(figures, request.size, request.dark, "power");
    }
    return fail(ErrorCode::Fault, "--view", "cannot be drawn", "please report it");
}

Result<void> run(const Request& request)
{
    const auto figures = cli::readFigures(request.file, {});
    if (!figures) return tl::unexpected(figures.error());
    if (request.view.view == cli::RenderView::Fabric && vector(request.picture)) return writeFabric(*figures, request);
    const auto image = draw(*figures, request);
    if (!image) return tl::unexpected(image.error());
    if (image->isNull()) return fail(ErrorCode::Fault, "render", "the picture is empty", "please report it");
    if (!image->save(QString::fromStdString(request.picture), "PNG"))
        return fail(ErrorCode::Unreadable, request.picture, "cannot be written", "free some space or choose another folder");
    return {};
}

/// Qt's remarks about the platform (no run-time folder, …) are no business of the person who asked for a picture.
void onlyFaults(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
}

} // namespace

/// The drawing half of `hallwright-cli render`, which starts it with checked arguments:
/// FILE PICTURE VIEW OVERLAY WIDTH HEIGHT THEME [DEVICE TO OPEN]...
int main(int argc, char** argv)
{
    if (argc < 8) {
        std::fputs("error: hallwright-render: is part of hallwright-cli; use 'hallwright-cli render'\n", stderr);
        return 2;
    }
    const auto view = cli::parseView(argv[3]);
    if (!view) return cli::printError(view.error());
    qInstallMessageHandler(onlyFaults);
    views::TwinView::prepareApplication();
    QApplication application(argc, argv);
    const Request request{
        argv[1], argv[2], argv[4], *view, QSize(std::atoi(argv[5]), std::atoi(argv[6])), std::string(argv[7]) == "dark", {argv + 8, argv + argc}};
    const auto done = run(request);
    return done ? 0 : cli::printError(done.error());
}
