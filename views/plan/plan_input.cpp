// SPDX-License-Identifier: GPL-3.0-or-later
// The part of PlanView that answers mouse and keyboard.
#include "views/plan/plan_view.h"

#include "views/plan/plan_painter.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr int kTileMm = 600, kFineMm = 10;

int stepFor(Qt::KeyboardModifiers modifiers, int ordinary)
{
    if (modifiers & Qt::AltModifier) return kFineMm;
    return modifiers & Qt::ShiftModifier ? kTileMm : ordinary;
}

Qt::CursorShape handleCursor(const PlanHandles::Handle& handle)
{
    if (handle.end != 0) return Qt::SizeAllCursor;
    if (handle.dx == 0) return Qt::SizeVerCursor;
    if (handle.dy == 0) return Qt::SizeHorCursor;
    return handle.dx == handle.dy ? Qt::SizeBDiagCursor : Qt::SizeFDiagCursor; // y runs upward
}

QPoint arrow(int key)
{
    switch (key) {
    case Qt::Key_Left: return {-1, 0};
    case Qt::Key_Right: return {1, 0};
    case Qt::Key_Up: return {0, 1};
    case Qt::Key_Down: return {0, -1};
    default: return {};
    }
}

} // namespace

void PlanView::mousePressEvent(QMouseEvent* event)
{
    m_pressedAt = m_lastAt = event->position();
    m_cursor = m_pressedAt;
    if (m_draw.tool() != DrawTool::None && m_bridge.figures() && event->button() != Qt::MiddleButton) {
        if (event->button() == Qt::RightButton) return setTool(DrawTool::None);
        hoverDrawing(event->position(), event->modifiers());
        m_draw.press();
        m_gesture = Gesture::Draw;
        return update();
    }
    if (event->button() == Qt::LeftButton && m_bridge.figures())
        pressLeft(event);
    else if (event->button() == Qt::MiddleButton || event->button() == Qt::RightButton) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    }
}

void PlanView::pressLeft(QMouseEvent* event)
{
    if (const auto handle = m_handles.at(event->position(), m_camera); handle && m_handles.begin(*handle)) {
        m_gesture = Gesture::Reshape;
        return;
    }
    m_gesture = Gesture::Press;
    const EntityRef hit = entityAt(event->position());
    if (!hit) return;
    auto selection = m_bridge.selection();
    const auto place = std::ranges::find(selection, hit);
    const bool carried = std::ranges::any_of(ancestry(*m_bridge.figures()->snapshot, hit), [&](EntityRef up) {
        return up.kind == EntityKind::Row && std::ranges::find(selection, up) != selection.end();
    });
    if (event->modifiers() & Qt::ShiftModifier) {
        if (place == selection.end())
            selection.push_back(hit);
        else
            selection.erase(place);
        m_bridge.select(selection);
    } else if (place == selection.end() && !carried) {
        m_bridge.select(hit);
    }
}

void PlanView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    m_cursor = at;
    const bool far = (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    if (m_draw.tool() != DrawTool::None && m_gesture != Gesture::Pan) {
        hoverDrawing(at, event->modifiers());
        m_lastAt = at;
        return;
    }
    switch (m_gesture) {
    case Gesture::Draw: break;
    case Gesture::None:
        setHover(entityAt(at));
        if (const auto handle = m_handles.at(at, m_camera))
            setCursor(handleCursor(*handle));
        else
            setCursor(m_hover ? Qt::PointingHandCursor : Qt::ArrowCursor);
        break;
    case Gesture::Reshape:
        m_handles.moveTo(m_camera.toWorld(at), m_camera, m_drag.step(), event->modifiers() & Qt::AltModifier);
        update();
        break;
    case Gesture::Pan:
        m_camera.panBy(at - m_lastAt);
        m_fitted = false;
        update();
        break;
    case Gesture::Press:
        if (!far) break;
        if (entityAt(m_pressedAt) && !(event->modifiers() & Qt::ShiftModifier)) {
            beginMove(event->modifiers() & Qt::ControlModifier);
        } else if (!entityAt(m_pressedAt)) {
            m_gesture = Gesture::Band;
        }
        [[fallthrough]];
    case Gesture::Move:
    case Gesture::Band:
        if (m_gesture == Gesture::Move) {
            const QPointF mm((at.x() - m_pressedAt.x()) / m_camera.scale, (m_pressedAt.y() - at.y()) / m_camera.scale);
            m_drag.moveTo(mm, stepFor(event->modifiers(), m_drag.step()));
        } else if (m_gesture == Gesture::Band) {
            m_band = QRectF(m_pressedAt, at).normalized();
            update();
        }
        break;
    }
    m_lastAt = at;
}

/// Racks stand in rows and are moved with them, unless they are asked for alone.
void PlanView::beginMove(bool racksAlone)
{
    const Snapshot& s = *m_bridge.figures()->snapshot;
    auto what = m_bridge.selection();
    if (!racksAlone) {
        for (EntityRef& e : what)
            if (e.kind == EntityKind::Rack) e = ref(s.racks.row[RackId(e.id)]);
        std::ranges::sort(what);
        what.erase(std::unique(what.begin(), what.end()), what.end());
    }
    if (!m_drag.begin(PlanDrag::movable(s, what))) return;
    m_bridge.select(what); // what moves is what is marked
    m_gesture = Gesture::Move;
    setCursor(Qt::SizeAllCursor);
}

void PlanView::mouseReleaseEvent(QMouseEvent* event)
{
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    if (m_draw.tool() == DrawTool::None)
        unsetCursor();
    else
        setCursor(Qt::CrossCursor);
    if (gesture == Gesture::Pan && event->button() == Qt::RightButton &&
        (event->position() - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
        m_bridge.openMenu(entityAt(event->position()), event->globalPosition().toPoint());
    switch (gesture) {
    case Gesture::Move: m_drag.commit(); break;
    case Gesture::Reshape: m_handles.commit(); break;
    case Gesture::Band: finishBand(); break;
    case Gesture::Press: {
        const EntityRef hit = entityAt(event->position());
        if (!(event->modifiers() & Qt::ShiftModifier)) m_bridge.select(hit); // a plain click narrows to what is under it
        break;
    }
    case Gesture::Draw:
        hoverDrawing(event->position(), event->modifiers());
        if ((event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) m_draw.release();
        break;
    case Gesture::None:
    case Gesture::Pan: break;
    }
    update();
}

void PlanView::finishBand()
{
    const Figures& figures = *m_bridge.figures();
    std::vector<EntityRef> hits;
    figures.snapshot->racks.forEach([&](RackId id) {
        if (m_band.contains(m_camera.toScreen(figures.placement->rack(id)).center())) hits.push_back(ref(id));
    });
    m_band = {};
    m_bridge.select(std::move(hits));
}

void PlanView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_gesture = Gesture::None;
    if (m_draw.tool() != DrawTool::None) return;
    if (const EntityRef hit = entityAt(event->position())) m_bridge.zoomTo(hit);
}

void PlanView::wheelEvent(QWheelEvent* event)
{
    const double notches = event->angleDelta().y() / 120.0;
    m_camera.zoomAt(event->position(), std::pow(1.2, notches));
    m_fitted = false;
    event->accept();
    update();
}

void PlanView::keyPressEvent(QKeyEvent* event)
{
    if (m_draw.tool() != DrawTool::None && m_draw.key(event->key(), event->text())) {
        if (m_draw.tool() == DrawTool::None) setTool(DrawTool::None); // given up by Escape
        return update();
    }
    if (m_handles.key(event->key(), event->text())) {
        if (!m_handles.active()) m_gesture = Gesture::None;
        return update();
    }
    const QPoint direction = arrow(event->key());
    if (!direction.isNull() && m_bridge.figures()) {
        if (!m_drag.active()) m_drag.begin(PlanDrag::movable(*m_bridge.figures()->snapshot, m_bridge.selection()));
        if (m_drag.active()) m_drag.moveBy(direction * stepFor(event->modifiers(), m_drag.step()));
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape:
        if (m_drag.active())
            m_drag.cancel();
        else
            m_bridge.select(EntityRef{});
        m_gesture = Gesture::None;
        m_band = {};
        unsetCursor();
        update();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_camera.zoomAt(QRectF(rect()).center(), 1.3);
        m_fitted = false;
        update();
        break;
    case Qt::Key_Minus:
        m_camera.zoomAt(QRectF(rect()).center(), 1 / 1.3);
        m_fitted = false;
        update();
        break;
    case Qt::Key_Home: zoomToAll(); break;
    case Qt::Key_F: zoomTo(m_bridge.selected()); break;
    default: QWidget::keyPressEvent(event);
    }
}

void PlanView::keyReleaseEvent(QKeyEvent* event)
{
    if (!arrow(event->key()).isNull() && !event->isAutoRepeat() && m_gesture == Gesture::None)
        m_drag.commit();
    else
        QWidget::keyReleaseEvent(event);
}

void PlanView::focusOutEvent(QFocusEvent* event)
{
    if (m_gesture == Gesture::None) m_drag.commit();
    QWidget::focusOutEvent(event);
    update();
}

void PlanView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) m_bridge.openMenu({}, mapToGlobal(rect().center())); // a mouse may be about to pan
}

void PlanView::leaveEvent(QEvent*)
{
    setHover({});
    if (!QApplication::activePopupWidget()) m_cursor.reset(); // else a menu was opened here, and means this place
}

void PlanView::setHover(EntityRef entity)
{
    if (entity == m_hover) return;
    m_hover = entity;
    setCursor(entity ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit hovered(entity);
    update();
}

} // namespace hw::views
