// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TwinView that shows the air of a hall: a slice that is dragged, streamlines, a surface of one temperature.
#include "views/twin/widget/view_state.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "views/style/units.h"
#include "views/twin/scene/air_meshes.h"

#include <cmath>

namespace hw::views {

namespace air = sim::air;
using twin::Vec3;

namespace {

constexpr int kFlowMs = 33;
constexpr double kHandlePixels = 14, kHandleMargin = 24;
constexpr std::uint32_t kSurfaceRgb = 0xE0512F;

} // namespace

void TwinView::setAir(const TwinAir& wanted)
{
    TwinAir& now = d->air;
    const bool onlySlice = wanted.air == now.air && wanted.before == now.before && wanted.look.quantity == now.look.quantity &&
                           wanted.look.paths == now.look.paths && wanted.look.pathCount == now.look.pathCount &&
                           wanted.look.surfaceC == now.look.surfaceC;
    const bool same = onlySlice && wanted.look == now.look && wanted.stale == now.stale;
    if (same) return;
    const bool first = !now.air && wanted.air;
    now = wanted;
    if (first) zoomTo(ref(wanted.air->hall.hall));
    d->runFlow();
    if (!onlySlice) return d->prepareAir();
    d->showSlice();
    d->showAirLegend();
    d->redraw();
}

/// Values of cells, streamlines and surface, made by the worker; what is shown stays until they are there.
void TwinView::Private::prepareAir()
{
    const auto number = ++airRequest;
    if (!air.air) return adoptAir({});
    worker.start([this, number, ask = air, darkly = dark] {
        std::shared_ptr<PreparedAir> made;
        const auto fault = faultIn([&] {
            if (number != airRequest) return;
            const auto& room = *ask.air->room;
            made = std::make_shared<PreparedAir>();
            auto values = air::cellValues(*ask.air, ask.look.quantity, ask.before.get());
            made->scale = air::quantityScale(*ask.air, ask.look.quantity, values);
            if (ask.look.paths)
                made->paths =
                    twin::pathLines(air::airPaths(room, *ask.look.paths, ask.look.pathCount), values, made->scale, ask.air->hall.corner, darkly);
            if (ask.look.surfaceC) {
                const auto celsius = ask.look.quantity == air::Quantity::Celsius ? values : air::cellValues(*ask.air, air::Quantity::Celsius);
                made->surface = twin::surfaceMesh(air::surfaceCells(*room.room, celsius, *ask.look.surfaceC), *ask.look.surfaceC,
                                                  twin::rgb(kSurfaceRgb), ask.air->hall.corner);
            }
            made->values = std::move(values);
        });
        if (fault) logging::error(logging::Id::WindowFault, "air of the twin: {}", *fault);
        QMetaObject::invokeMethod(
            &q,
            [this, number, made] {
                if (made && number == airRequest) adoptAir(std::move(*made));
            },
            Qt::QueuedConnection);
    });
}

void TwinView::Private::adoptAir(PreparedAir made)
{
    airShown = std::move(made);
    statistics.airPaths = airShown.paths.lines();
    statistics.airSurface = airShown.surface.quads();
    scene.vtk().setAirTexture(twin::bandTexture(airShown.scale, dark));
    scene.vtk().setLines(twin::LinePart::AirPaths, std::move(airShown.paths));
    scene.vtk().setMesh(twin::Part::AirSurface, 0, std::move(airShown.surface));
    airShown.paths = {}, airShown.surface = {};
    showSlice();
    showAirLegend();
    runFlow();
    redraw();
}

void TwinView::Private::showSlice()
{
    twin::Mesh mesh;
    if (air.air && !airShown.values.empty() && airShown.values.size() == air.air->room->room->grid.total() && air.look.sliceAxis >= 0)
        mesh = twin::sliceMesh(air::sliceOf(*air.air->room->room, airShown.values, air.look.sliceAxis, air.look.sliceAt), airShown.scale,
                               air.air->hall.corner);
    statistics.airSlice = mesh.quads();
    scene.vtk().setMesh(twin::Part::AirSlice, 0, std::move(mesh));
}

void TwinView::Private::showAirLegend()
{
    std::optional<ValueField> scale;
    if (air.air && !airShown.values.empty() && (air.look.sliceAxis >= 0 || air.look.paths)) {
        scale = airShown.scale;
        scale->stale = air.stale;
        inPreferredUnit(*scale);
    }
    overlay.setAirScale(std::move(scale));
}

/// Moves the air along its streamlines while they can be seen.
void TwinView::Private::runFlow()
{
    const bool flows = air.air && air.look.paths && air.look.flow;
    if (flows && !flowTimer.isActive()) {
        flowClock.start();
        flowTimer.start(kFlowMs);
    } else if (!flows && flowTimer.isActive()) {
        flowTimer.stop();
        scene.vtk().setFlowTime({});
        redraw();
    }
}

void TwinView::Private::stepFlow()
{
    if (!q.isVisible()) return;
    scene.vtk().setFlowTime(double(flowClock.elapsed()) / 1000);
    rest.start();
    redraw();
}

/// The corner of the slice that is nearest to the eye among those in the picture, in meters on the campus.
std::optional<Vec3> TwinView::Private::sliceHandle() const
{
    if (!air.air || air.look.sliceAxis < 0 || statistics.airSlice == 0) return {};
    const auto f = frame();
    const auto& room = air.air->hall.plan.room;
    const auto& corner = air.air->hall.corner;
    const auto axis = std::size_t(air.look.sliceAxis), a = axis == 0 ? 1UL : 0UL, b = axis == 2 ? 1UL : 2UL;
    std::optional<Vec3> best;
    float depth = 0;
    for (const double u : {0.0, 0.5, 1.0})
        for (const double v : {0.0, 0.5, 1.0}) {
            if (u != 0.5 && v != 0.5) continue; // middles of the edges; where none is seen, that of the slice
            if (u == 0.5 && v == 0.5) continue;
            Vec3 at{};
            at[axis] = float(corner[axis] + air.look.sliceAt);
            at[a] = float(corner[a] + u * room.high[a]);
            at[b] = float(corner[b] + v * room.high[b]);
            const auto p = f.project(at);
            if (!p || double(p->x) < kHandleMargin || double(p->y) < kHandleMargin || double(p->x) > q.width() - kHandleMargin ||
                double(p->y) > q.height() - kHandleMargin)
                continue;
            if (!best || p->depth < depth) best = at, depth = p->depth;
        }
    return best;
}

std::optional<QPointF> TwinView::sliceHandle() const
{
    const auto handle = d->sliceHandle();
    const auto p = handle ? d->frame().project(*handle) : std::nullopt;
    return p ? std::optional(QPointF(double(p->x), double(p->y))) : std::nullopt;
}

bool TwinView::Private::onHandle(QPointF at) const
{
    const auto handle = q.sliceHandle();
    return handle && std::hypot(handle->x() - at.x(), handle->y() - at.y()) < kHandlePixels;
}

/// By how much a drag in the picture moves the slice along its axis.
void TwinView::Private::dragSlice(QPointF by)
{
    const auto handle = sliceHandle();
    if (!handle) return;
    const auto axis = std::size_t(air.look.sliceAxis);
    Vec3 further = *handle;
    further[axis] += 1;
    const auto f = frame();
    const auto from = f.project(*handle), to = f.project(further);
    if (!from || !to) return;
    const QPointF meter(double(to->x - from->x), double(to->y - from->y));
    const double square = QPointF::dotProduct(meter, meter);
    if (square < 1) return; // seen along its axis
    const auto& room = air.air->hall.plan.room;
    air.look.sliceAt = std::clamp(air.look.sliceAt + QPointF::dotProduct(meter, by) / square, room.low[axis], room.high[axis]);
    showSlice();
    rest.start();
    redraw();
    emit q.sliceDragged(air.look.sliceAt);
}

} // namespace hw::views
