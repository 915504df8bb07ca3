// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/render_views.h"
#include "core/model/entity.h"
#include "views/plan/render.h"
#include "views/twin/render_png.h"
#include "views/twin/twin_view.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>

#include <cstdio>

namespace {

using namespace hw;

struct Request {
    std::string file, picture, overlay;
    cli::ViewChoice view;
    QSize size;
    bool dark = false;
};

Result<QImage> drawRack(const FiguresPtr& figures, const Request& request)
{
    const auto found = findEntity(*figures->snapshot, *figures->parts, request.view.name);
    if (!found || found->kind != EntityKind::Rack)
        return fail(ErrorCode::Usage, "--view rack:" + request.view.name, "there is no rack of this name", "see the cable schedule or the plan for names");
    return views::renderRack(figures, RackId(found->id), request.size, request.dark);
}

Result<QImage> draw(const FiguresPtr& figures, const Request& request)
{
    switch (request.view.view) {
    case cli::RenderView::Twin: {
        views::TwinPicture picture;
        picture.figures = figures;
        picture.size = request.size;
        picture.dark = request.dark;
        return views::renderTwin(picture);
    }
    case cli::RenderView::Plan: return views::renderPlan(figures, request.size, request.dark, QString::fromStdString(request.overlay));
    case cli::RenderView::Rack: return drawRack(figures, request);
    case cli::RenderView::Fabric: case cli::RenderView::Power: case cli::RenderView::Cooling: break;
    }
    return fail(ErrorCode::Usage, "--view", "cannot be drawn yet", "choose from twin, plan, rack:NAME");
}

Result<void> run(const Request& request)
{
    const auto figures = cli::readFigures(request.file, {});
    if (!figures) return tl::unexpected(figures.error());
    const auto image = draw(*figures, request);
    if (!image) return tl::unexpected(image.error());
    if (image->isNull()) return fail(ErrorCode::Fault, "render", "the picture is empty", "please report it");
    if (!image->save(QString::fromStdString(request.picture), "PNG"))
        return fail(ErrorCode::Unreadable, request.picture, "cannot be written", "free some space or choose another folder");
    return {};
}

} // namespace

/// The drawing half of `hallwright-cli render`, which starts it with checked arguments:
/// FILE PICTURE VIEW OVERLAY WIDTH HEIGHT THEME.
int main(int argc, char** argv)
{
    if (argc != 8) {
        std::fputs("error: hallwright-render: is part of hallwright-cli; use 'hallwright-cli render'\n", stderr);
        return 2;
    }
    const auto view = cli::parseView(argv[3]);
    if (!view) return cli::printError(view.error());
    views::TwinView::prepareApplication();
    QApplication application(argc, argv);
    const Request request{argv[1], argv[2], argv[4], *view, QSize(std::atoi(argv[5]), std::atoi(argv[6])), std::string(argv[7]) == "dark"};
    const auto done = run(request);
    return done ? 0 : cli::printError(done.error());
}
