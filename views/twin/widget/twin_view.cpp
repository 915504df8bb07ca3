// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/widget/view_state.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "views/twin/widget/front_atlas.h"

#include <QApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>

namespace hw::views {

namespace {

constexpr int kRestMs = 140; ///< without a move, after which the picture is drawn finely
constexpr int kFlightMs = 220;
constexpr double kSlowMs = 44, kFastMs = 24;

} // namespace

void TwinView::prepareApplication()
{
    // VTK's GLEW knows GLX only.
    if (qEnvironmentVariableIsEmpty("QT_XCB_GL_INTEGRATION")) qputenv("QT_XCB_GL_INTEGRATION", "xcb_glx");
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && !qEnvironmentVariableIsEmpty("DISPLAY")) qputenv("QT_QPA_PLATFORM", "xcb");
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setSamples(0);
    QSurfaceFormat::setDefaultFormat(format);
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

bool TwinView::available()
{
    static const bool kAvailable = [] {
        if (QGuiApplication::platformName() != QLatin1String("xcb")) return false;
        QOpenGLContext context;
        QOffscreenSurface surface;
        surface.create();
        return context.create() && surface.isValid() && context.makeCurrent(&surface);
    }();
    return kAvailable;
}

TwinView::Private::Private(TwinView& view) : q(view)
{
    const QImage atlas = twin::frontAtlas();
    scene.vtk().setFrontTexture(atlas.constBits(), atlas.width(), atlas.height());
    worker.setMaxThreadCount(1);
    rest.setSingleShot(true);
    rest.setInterval(kRestMs);
    QObject::connect(&rest, &QTimer::timeout, &q, [this] { q.update(); });
    QObject::connect(&flowTimer, &QTimer::timeout, &q, [this] { stepFlow(); });
    hoverTimer.setSingleShot(true);
    hoverTimer.setInterval(25);
    QObject::connect(&hoverTimer, &QTimer::timeout, &q, [this] { updateHover(); });
}

TwinView::Private::~Private()
{
    ++request;
    ++airRequest;
    worker.waitForDone();
}

TwinView::TwinView(QWidget* parent) : QOpenGLWidget(parent), d(std::make_unique<Private>(*this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    setAccessibleName(tr("3D view"));
    setAccessibleDescription(tr("The halls with their racks, trays and cables. Arrow keys rotate the view, plus and minus zoom."));
}

TwinView::~TwinView() { d->release(); }

void TwinView::Private::attach()
{
    for (const auto& c : contextConnections) QObject::disconnect(c);
    contextConnections.clear();
    QOpenGLContext* context = q.context();
    host.attach(context, context->surface());
    contextConnections.push_back(QObject::connect(
        context, &QOpenGLContext::aboutToBeDestroyed, &q, [this] { release(); }, Qt::DirectConnection));
    dirty = true;
}

void TwinView::Private::release()
{
    for (const auto& c : contextConnections) QObject::disconnect(c);
    contextConnections.clear();
    if (!host.ready()) return;
    q.makeCurrent();
    host.detach();
    q.doneCurrent();
}

void TwinView::initializeGL()
{
    if (d->host.ready()) d->host.detach();
    d->attach();
}

void TwinView::resizeGL(int, int)
{
    d->scene.vtk().setLineScale(devicePixelRatioF());
    d->redraw();
}

QSize TwinView::Private::pixels() const { return (QSizeF(q.size()) * q.devicePixelRatioF()).toSize(); }
float TwinView::Private::aspect() const { return float(std::max(1, q.width())) / float(std::max(1, q.height())); }
twin::CameraFrame TwinView::Private::frame() const { return twin::CameraFrame::of(camera, float(q.width()), float(q.height())); }

void TwinView::Private::redraw()
{
    dirty = true;
    smoother.restart();
    finalPicture = {};
    q.update();
}

void TwinView::Private::build(std::shared_ptr<const ChangeSet> changes)
{
    if (!wanted) return;
    // Other colors for the same figures are a change that changes nothing.
    if (!changes && scene.figures() == wanted) changes = std::make_shared<const ChangeSet>();
    twin::SceneRequest ask{wanted, scene.facts(), std::move(changes), loads, networkHidden, rackColors, dark};
    const auto number = ++request;
    const bool first = !drawn, small = wanted->snapshot->racks.size() <= kWorkerRacks;
    if (first || small) {
        adopt(twin::prepare(ask));
        return;
    }
    building = number;
    worker.start([this, number, ask = std::move(ask), view = QPointer(&q)] {
        if (number != request) return;
        std::shared_ptr<twin::PreparedScene> prepared;
        if (const auto fault = faultIn([&] { prepared = std::make_shared<twin::PreparedScene>(twin::prepare(ask)); }))
            logging::error(logging::Id::WindowFault, "scene of the twin: {}", *fault);
        QMetaObject::invokeMethod(
            &q,
            [this, number, prepared] {
                if (number != request) return;
                if (prepared)
                    adopt(std::move(*prepared));
                else
                    building = 0; // the scene stays as it was
            },
            Qt::QueuedConnection);
    });
}

void TwinView::Private::adopt(twin::PreparedScene prepared)
{
    building = 0;
    scene.setNetworkHidden(networkHidden);
    scene.adopt(std::move(prepared));
    scene.setRackColors(rackColors); // they may have changed meanwhile
    if (!homed) {
        homed = true;
        camera = scene.preset(TwinPreset::Home, aspect());
    }
    redraw();
}

void TwinView::setFigures(FiguresPtr figures, std::shared_ptr<const ChangeSet> changes)
{
    QElapsedTimer clock;
    clock.start();
    // Changes lead from what is shown to the new figures only if nothing is still being built.
    const bool follows = changes && d->wanted && d->scene.figures() == d->wanted && changes->revisionBefore == d->wanted->snapshot->revision;
    d->wanted = std::move(figures);
    d->readColors();
    d->build(follows ? std::move(changes) : nullptr);
    d->statistics.buildMs = double(clock.nsecsElapsed()) * 1e-6;
}

void TwinView::goHomeWithNext()
{
    d->flight.reset();
    d->homed = false;
}

void TwinView::setNetworkVisible(NetworkId network, bool visible)
{
    if (d->networkHidden.size() <= network.value) d->networkHidden.resize(network.value + 1, false);
    d->networkHidden[network.value] = !visible;
    d->build(nullptr);
}

void TwinView::setDark(bool dark)
{
    if (d->dark == dark) return;
    d->dark = dark;
    d->readColors();
    d->build(nullptr);
    if (d->air.air) d->prepareAir();
}

void TwinView::setSelection(EntityRef entity)
{
    if (entity == d->scene.selection()) return;
    d->scene.setSelection(entity);
    d->redraw();
}

void TwinView::setCablesShown(bool shown)
{
    d->scene.setCablesShown(shown);
    d->redraw();
    if (!shown) return;
    if (const auto target = d->scene.cameraForCables(d->camera, d->aspect())) d->flyTo(*target);
}

EntityRef TwinView::selection() const { return d->scene.selection(); }

void TwinView::setLayerVisible(TwinLayer layer, bool visible)
{
    d->scene.setLayerVisible(layer, visible);
    d->redraw();
}

bool TwinView::layerVisible(TwinLayer layer) const { return d->scene.layerVisible(layer); }

TwinCamera TwinView::camera() const { return d->camera; }
void TwinView::setCamera(const TwinCamera& camera) { d->flight.reset(), d->setCamera(camera); }

void TwinView::setView(TwinPreset preset)
{
    if (d->scene.facts()) d->flyTo(d->scene.preset(preset, d->aspect()));
}

void TwinView::zoomTo(EntityRef entity)
{
    if (const auto target = d->scene.cameraFor(entity, d->camera, d->aspect())) d->flyTo(*target);
}

void TwinView::Private::setCamera(const TwinCamera& next)
{
    camera = next;
    redraw();
    rest.start();
}

void TwinView::Private::flyTo(const TwinCamera& target)
{
    if (!drawn || !q.isVisible()) {
        setCamera(target);
        return;
    }
    flight = Flight{camera, target, {}};
    flight->clock.start();
    rest.start();
    q.update();
}

void TwinView::Private::stepFlight()
{
    if (!flight) return;
    const double t = double(flight->clock.elapsed()) / kFlightMs;
    camera = twin::between(flight->from, flight->to, t);
    dirty = true;
    smoother.restart();
    finalPicture = {};
    rest.start();
    if (t >= 1) flight.reset();
}

void TwinView::Private::drawMoving()
{
    const QSize full = pixels(), part = (QSizeF(full) * fraction).toSize().expandedTo({1, 1});
    scene.vtk().setCamera(camera, aspect());
    host.render(part);
    host.blit(q.defaultFramebufferObject(), full);
    statistics.reducedResolution = fraction < 1;
}

void TwinView::Private::drawStill()
{
    smoother.step(host, scene, camera, q.defaultFramebufferObject(), pixels());
    statistics.reducedResolution = false;
    const int steps = smoother.steps();
    if (steps > 1 && (steps & (steps - 1)) == 0) finalPicture = smoother.image(); // after 2, 4 and 8
    if (!smoother.finished()) q.update();
}

void TwinView::paintGL()
{
    if (!d->host.ready() || !d->scene.facts()) {
        QPainter(this).fillRect(rect(), d->dark ? QColor(0x20272E) : QColor(0xE3E7EA));
        return;
    }
    d->stepFlight();
    const bool moving = d->rest.isActive(), draw3d = d->dirty || (!moving && !d->smoother.finished());
    QElapsedTimer clock;
    clock.start();
    if (draw3d) {
        if (d->dirty) d->scene.updateDetail(d->frame());
        if (moving)
            d->drawMoving();
        else
            d->drawStill();
        context()->functions()->glFinish();
        d->statistics.frameMs = double(clock.nsecsElapsed()) * 1e-6;
        if (moving && d->statistics.frameMs > kSlowMs) d->fraction = std::max(0.5, d->fraction * 0.75);
        if (moving && d->statistics.frameMs < kFastMs) d->fraction = std::min(1.0, d->fraction * 1.25);
        ++d->statistics.frames;
        d->dirty = false;
        d->drawn = true;
    } else if (d->finalPicture.isNull()) {
        d->host.blit(defaultFramebufferObject(), d->pixels());
    }
    QPainter painter(this);
    if (!d->finalPicture.isNull() && !moving) painter.drawImage(QRectF(rect()), d->finalPicture);
    d->overlay.setHandle(d->sliceHandle(), d->air.look.sliceAxis);
    d->overlay.paint(painter, size(), d->scene, d->camera, font());
    painter.end();
    if (d->flight) update();
    if (draw3d) emit frameDrawn();
}

QImage TwinView::grabImage()
{
    if (!d->host.ready() || !d->scene.facts()) return grabFramebuffer();
    makeCurrent();
    d->scene.updateDetail(d->frame());
    while (!d->smoother.finished()) d->smoother.step(d->host, d->scene, d->camera, defaultFramebufferObject(), d->pixels());
    QImage image = d->smoother.image().convertToFormat(QImage::Format_ARGB32_Premultiplied);
    doneCurrent();
    image.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&image);
    d->overlay.paint(painter, size(), d->scene, d->camera, font());
    return image;
}

TwinStatistics TwinView::statistics() const
{
    TwinStatistics s = d->statistics;
    const auto& c = d->scene.counts();
    s.racks = c.racks, s.devices = c.devices, s.bundles = c.bundles, s.cables = c.cables;
    const auto& work = d->scene.vtk().work();
    s.meshes = work.meshes, s.lineSets = work.lines, s.recolors = work.colors;
    return s;
}

} // namespace hw::views
