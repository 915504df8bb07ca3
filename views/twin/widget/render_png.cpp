// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/render_png.h"

#include "views/twin/widget/front_atlas.h"
#include "views/twin/widget/overlay.h"
#include "views/twin/widget/smoother.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QPainter>

namespace hw::views {

namespace {

Error noOpenGl()
{
    return {ErrorCode::Fault, "render", i18n("OpenGL is not available on this display"), i18n("run it under an X server, for example with xvfb-run")};
}

QImage draw(const TwinPicture& picture, QOpenGLContext& context, QSurface& surface)
{
    twin::TwinScene scene;
    const QImage atlas = twin::frontAtlas();
    scene.vtk().setFrontTexture(atlas.constBits(), atlas.width(), atlas.height());
    const auto values = picture.overlay && picture.overlay->name != "kind" ? picture.overlay : nullptr;
    const auto colors =
        twin::valueColors(values.get(), picture.figures->snapshot->racks.nextId(), picture.figures->snapshot->devices.nextId(), picture.dark);
    scene.adopt(twin::prepare({picture.figures, nullptr, nullptr, picture.loads, {}, colors, picture.dark}));
    scene.setTrayValues(values);
    if (picture.loads) scene.setLoadsMark(picture.loads->scenarioName, false);
    const float aspect = float(picture.size.width()) / float(picture.size.height());
    TwinCamera camera = scene.preset(picture.preset, aspect);
    if (const auto near = scene.cameraFor(picture.focus, camera, aspect)) camera = *near;
    if (picture.camera) camera = *picture.camera;
    scene.setSelection(picture.focus);
    scene.updateDetail(twin::CameraFrame::of(camera, float(picture.size.width()), float(picture.size.height())));

    QImage image;
    {
        QOpenGLFramebufferObject target(picture.size, QOpenGLFramebufferObject::NoAttachment);
        twin::GlHost host(scene.vtk());
        host.attach(&context, &surface);
        twin::Smoother smoother;
        while (!smoother.finished()) smoother.step(host, scene, camera, target.handle(), picture.size);
        image = smoother.image().convertToFormat(QImage::Format_ARGB32_Premultiplied);
        host.detach();
    }
    QPainter painter(&image);
    QFont font = QGuiApplication::font();
    font.setPointSizeF(10 * std::clamp(picture.size.width() / 1600.0, 0.8, 2.0));
    twin::Overlay overlay;
    overlay.setValues(values);
    overlay.paint(painter, picture.size, scene, camera, font);
    return image;
}

} // namespace

Result<QImage> renderTwin(const TwinPicture& picture)
{
    if (!picture.figures || picture.size.isEmpty())
        return fail(ErrorCode::Usage, "render", i18n("nothing to draw"), i18n("specify a design and a size"));
    QOffscreenSurface surface;
    surface.create();
    QOpenGLContext context;
    if (QGuiApplication::platformName() != QLatin1String("xcb") || !surface.isValid() || !context.create() || !context.makeCurrent(&surface))
        return tl::unexpected<Error>(noOpenGl());
    QImage image = draw(picture, context, surface);
    context.doneCurrent();
    return image;
}

} // namespace hw::views
