// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/widget/view_state.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace hw::views {

using namespace twin;

twin::Pick TwinView::Private::pickAt(QPointF at) const { return scene.pick(frame(), float(at.x()), float(at.y())); }

EntityRef TwinView::pick(QPointF position) const { return d->pickAt(position).entity; }

/// Takes what is under the cursor as the center of turns and the measure of pans.
void TwinView::Private::grabPivot(QPointF at)
{
    const auto hit = pickAt(at);
    const auto f = frame();
    const float depth = hit.solid ? dot(hit.point - f.eye, f.forward) : 0;
    if (hit.solid && depth < 8 * float(camera.distance)) {
        pivot = hit.point;
        camera = twin::focusedAt(camera, std::max(0.8, double(depth)));
    } else {
        pivot = {float(camera.focus[0]), float(camera.focus[1]), float(camera.focus[2])};
    }
}

/// The pivot's plane follows the cursor: the floor's direction from above, the picture's when flat.
void TwinView::Private::pan(QPointF from, QPointF to)
{
    const auto f = frame();
    const auto meet = [&](QPointF p) {
        const twin::Ray ray = f.ray(float(p.x()), float(p.y()));
        const bool flat = camera.elevation < 18;
        const Vec3 normal = flat ? f.forward : Vec3{0, 0, 1};
        const float down = dot(ray.direction, normal);
        if (std::abs(down) < 0.02f) return pivot;
        return ray.origin + ray.direction * (dot(pivot - ray.origin, normal) / down);
    };
    const Vec3 by = meet(from) - meet(to);
    if (length(by) < 5 * float(camera.distance)) setCamera(twin::moved(camera, by));
}

void TwinView::Private::drag(QPointF to)
{
    if (panning) {
        pan(last, to);
    } else {
        const QPointF by = to - last;
        setCamera(twin::orbited(camera, pivot, -by.x() * 0.35, by.y() * 0.30));
    }
    last = to;
}

void TwinView::Private::updateHover()
{
    if (button != Qt::NoButton || flight) return;
    const bool handle = onHandle(hoverAt);
    if (handle) q.setCursor(air.look.sliceAxis == 2 ? Qt::SizeVerCursor : Qt::SizeAllCursor);
    if (std::exchange(overHandle, handle) && !handle) q.setCursor(scene.hover() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (handle) return;
    const EntityRef entity = pickAt(hoverAt).entity;
    if (entity == scene.hover()) return;
    scene.setHover(entity);
    q.setCursor(entity ? Qt::PointingHandCursor : Qt::ArrowCursor);
    q.update(); // the overlay only
    emit q.hovered(entity);
}

void TwinView::mousePressEvent(QMouseEvent* event)
{
    d->flight.reset();
    d->button = event->button();
    d->panning = event->button() != Qt::LeftButton || (event->modifiers() & Qt::ShiftModifier);
    d->dragged = false;
    d->slicing = event->button() == Qt::LeftButton && d->onHandle(event->position());
    d->pressed = d->last = event->position();
}

void TwinView::mouseMoveEvent(QMouseEvent* event)
{
    if (d->button == Qt::NoButton) {
        d->hoverAt = event->position();
        if (!d->hoverTimer.isActive()) d->hoverTimer.start();
        return;
    }
    if (d->slicing) {
        d->dragged = true;
        d->dragSlice(event->position() - d->last);
        d->last = event->position();
        return;
    }
    if (!d->dragged) {
        if ((event->position() - d->pressed).manhattanLength() < 4) return;
        d->dragged = true;
        d->grabPivot(d->pressed);
    }
    d->drag(event->position());
}

void TwinView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool click = !d->dragged && d->button == event->button();
    d->button = Qt::NoButton;
    if (std::exchange(d->slicing, false)) return;
    if (!click) return;
    const EntityRef entity = d->pickAt(event->position()).entity;
    if (event->button() == Qt::LeftButton) emit picked(entity);
    if (event->button() == Qt::RightButton) emit menuRequested(entity, event->globalPosition().toPoint());
}

void TwinView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) emit menuRequested(selection(), mapToGlobal(rect().center())); // a mouse may be about to pan
}

void TwinView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    d->button = Qt::NoButton;
    const EntityRef entity = d->pickAt(event->position()).entity;
    if (!entity) return;
    zoomTo(entity);
    emit activated(entity);
}

void TwinView::wheelEvent(QWheelEvent* event)
{
    d->flight.reset();
    const double notches = event->angleDelta().y() / 120.0; // fractions from touch pads are taken as they come
    if (notches == 0) return;
    const auto hit = d->pickAt(event->position());
    const auto f = d->frame();
    const twin::Ray ray = f.ray(float(event->position().x()), float(event->position().y()));
    Vec3 toward = ray.origin + ray.direction * float(d->camera.distance);
    if (hit.solid && dot(hit.point - f.eye, f.forward) < 8 * float(d->camera.distance)) toward = hit.point;
    d->setCamera(twin::zoomed(d->camera, toward, std::pow(0.86, notches)));
    event->accept();
}

void TwinView::keyPressEvent(QKeyEvent* event)
{
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const Vec3 focus{float(d->camera.focus[0]), float(d->camera.focus[1]), float(d->camera.focus[2])};
    const double step = d->camera.distance * 0.06;
    const auto turnOrPan = [&](double right, double up) {
        d->flight.reset();
        if (!shift) {
            d->setCamera(twin::orbited(d->camera, focus, -right * 6, up * 4));
            return;
        }
        const auto f = d->frame();
        const Vec3 ahead = twin::normalized({f.up[0] + f.forward[0], f.up[1] + f.forward[1], 0});
        d->setCamera(twin::moved(d->camera, f.right * float(right * step) + ahead * float(up * step)));
    };
    switch (event->key()) {
    case Qt::Key_Left: turnOrPan(-1, 0); break;
    case Qt::Key_Right: turnOrPan(1, 0); break;
    case Qt::Key_Up: turnOrPan(0, 1); break;
    case Qt::Key_Down: turnOrPan(0, -1); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: d->flight.reset(), d->setCamera(twin::zoomed(d->camera, focus, 0.8)); break;
    case Qt::Key_Minus: d->flight.reset(), d->setCamera(twin::zoomed(d->camera, focus, 1.25)); break;
    case Qt::Key_Home: setView(TwinPreset::Home); break;
    case Qt::Key_T: setView(TwinPreset::Top); break;
    case Qt::Key_R: setView(TwinPreset::Front); break;
    case Qt::Key_F: zoomTo(selection()); break;
    case Qt::Key_Escape: d->flight.reset(); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selection()) {
            zoomTo(selection());
            emit activated(selection());
        }
        break;
    default: QOpenGLWidget::keyPressEvent(event); return;
    }
    event->accept();
}

void TwinView::leaveEvent(QEvent*)
{
    d->hoverTimer.stop();
    if (!d->scene.hover()) return;
    d->scene.setHover({});
    update();
    emit hovered({});
}

bool TwinView::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange || event->type() == QEvent::LocaleChange) update();
    return QOpenGLWidget::event(event);
}

} // namespace hw::views
