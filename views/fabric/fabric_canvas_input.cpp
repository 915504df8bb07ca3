// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FabricCanvas that answers mouse and keyboard.
#include "core/derived/topology/holding.h"
#include "views/fabric/fabric_canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace hw::views {

FabricCanvas::Hit FabricCanvas::hitAt(QPointF position) const
{
    if (!m_model) return {};
    for (const auto& item : FabricPainter::legendItems(*m_model, m_geometry, m_look))
        if (m_look.color == FabricColor::Lane && item.rect.contains(position)) return {Hit::Kind::Legend, item.lane, {}};
    if (position.x() < m_geometry.area.left() - 2 || position.y() > m_geometry.area.bottom()) return {};
    if (position.y() < m_geometry.area.top()) {
        for (std::size_t i = 0; i < m_model->index().columns().size(); ++i)
            if (m_model->column(int(i)) != FabricModel::Fold::Hidden && headerRect(int(i)).contains(position)) return {Hit::Kind::Column, int(i), {}};
        return {};
    }
    int found = -1;
    for (std::size_t i = 0; i < m_model->boxes().size(); ++i) { // what is inside comes later
        const auto span = m_shown.boxes[i];
        const double x = m_geometry.toLayout(position.x());
        if (x >= span.x && x <= span.right() && boxRect(int(i)).contains(position)) found = int(i);
    }
    if (found < 0) {
        const int bundle = m_routes.at(position, [&](int i) { return !hidden(m_look, laneOf(*m_model, m_model->bundles()[std::size_t(i)])); });
        return bundle < 0 ? Hit{} : Hit{Hit::Kind::Bundle, bundle, {}};
    }
    const FabricBox& box = m_model->boxes()[std::size_t(found)];
    if (box.kind == FabricBox::Kind::Frame)
        return FabricPainter::frameTitle(boxRect(found)).contains(position) ? Hit{Hit::Kind::Title, found, {}} : Hit{};
    if (box.open)
        for (const auto& cell : FabricPainter::portCells(*m_model, box, boxRect(found)))
            if (cell.rect.contains(position)) return {Hit::Kind::Port, found, cell.port};
    return {Hit::Kind::Box, found, {}};
}

std::vector<EntityRef> FabricCanvas::entitiesOf(const FabricBox& box) const
{
    const FabricIndex& index = m_model->index();
    if (std::size_t(box.devices()) > kMostPicked) return {ref(index.layers()[std::size_t(box.part.layer)].tier)};
    std::vector<EntityRef> entities;
    for (const auto run : box.runs)
        for (std::uint32_t m = run.first; m < run.last; ++m) entities.push_back(ref(index.device(m)));
    return entities;
}

void FabricCanvas::pickBox(int box)
{
    setFocusKey(m_model->boxes()[std::size_t(box)].key);
    emit picked(entitiesOf(m_model->boxes()[std::size_t(box)]));
}

/// Its links; where they are too many, the devices at its ends.
void FabricCanvas::pickBundle(int place)
{
    const FabricBundle& bundle = m_model->bundles()[std::size_t(place)];
    const FabricBox &low = m_model->boxes()[std::size_t(bundle.a)], &high = m_model->boxes()[std::size_t(bundle.b)];
    std::vector<EntityRef> entities;
    if (std::size_t(bundle.links) <= kMostPicked) {
        for (const auto& link : m_model->index().links())
            if (m_model->leafOf(link.a) == bundle.a && m_model->leafOf(link.b) == bundle.b) entities.push_back(ref(link.id));
    } else {
        entities = entitiesOf(low);
        const auto others = entitiesOf(high);
        entities.insert(entities.end(), others.begin(), others.end());
    }
    emit picked(entities);
}

void FabricCanvas::setFocusKey(const FabricKey& key)
{
    m_look.focus = key;
    refresh();
    emit focusMoved();
}

void FabricCanvas::setHover(const Hit& hit)
{
    if (hit == m_hover) return;
    m_hover = hit;
    const bool box = hit.kind == Hit::Kind::Box || hit.kind == Hit::Kind::Port;
    m_look.hoverBox = box ? hit.index : -1;
    m_look.hoverBundle = hit.kind == Hit::Kind::Bundle ? hit.index : -1;
    setCursor(hit.kind == Hit::Kind::None ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void FabricCanvas::mousePressEvent(QMouseEvent* event)
{
    m_pressedAt = m_lastAt = event->position();
    m_pressed = event->button() == Qt::LeftButton;
    m_panning = event->button() == Qt::MiddleButton || event->button() == Qt::RightButton;
    if (m_panning) setCursor(Qt::ClosedHandCursor);
}

void FabricCanvas::mouseMoveEvent(QMouseEvent* event)
{
    m_cursor = event->position();
    if (m_pressed && (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
        m_pressed = false;
        m_panning = true;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_panning && m_model) {
        m_animation.stop();
        onStep(1.0);
        m_fitted = m_fitting = false;
        m_geometry.pan(event->position() - m_lastAt, m_layout);
        m_routes = FabricRoutes(*m_model, m_shown, m_geometry);
        m_lastAt = event->position();
        return refresh();
    }
    setHover(hitAt(event->position()));
    if (m_hover.kind != Hit::Kind::None) update(); // the card follows the cursor
}

void FabricCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const bool click = std::exchange(m_pressed, false);
    if (std::exchange(m_panning, false)) {
        if (event->button() == Qt::RightButton && (event->position() - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
            openMenu(event);
        unsetCursor();
        m_hover = {};
        update();
        return;
    }
    if (!click || !m_model) return;
    const Hit hit = hitAt(event->position());
    switch (hit.kind) {
    case Hit::Kind::None: emit picked({}); break;
    case Hit::Kind::Box: pickBox(hit.index); break;
    case Hit::Kind::Title: toggle(m_model->boxes()[std::size_t(hit.index)].key); break;
    case Hit::Kind::Column:
        if (m_model->index().columns()[std::size_t(hit.index)].children.empty())
            setFocusKey(m_model->index().columnKey(hit.index));
        else
            toggle(m_model->index().columnKey(hit.index));
        break;
    case Hit::Kind::Bundle: pickBundle(hit.index); break;
    case Hit::Kind::Port: emit picked({ref(hit.port)}); break;
    case Hit::Kind::Legend:
        setLaneHidden(hit.index, !m_look.hiddenLanes.contains(hit.index));
        emit looksChanged();
        break;
    }
}

/// The menu of the box, bundle or port under the cursor, which is picked.
void FabricCanvas::openMenu(QMouseEvent* event)
{
    const Hit hit = hitAt(m_pressedAt);
    if (hit.kind == Hit::Kind::Box)
        pickBox(hit.index);
    else if (hit.kind == Hit::Kind::Bundle)
        pickBundle(hit.index);
    else if (hit.kind == Hit::Kind::Port)
        emit picked({ref(hit.port)});
    emit menuRequested(event->globalPosition().toPoint());
}

void FabricCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) emit menuRequested(mapToGlobal(rect().center())); // a mouse may be about to pan
}

/// A box that stands for columns opens the column, one of a single group its devices, a device its ports.
void FabricCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_pressed = false;
    if (!m_model || event->button() != Qt::LeftButton) return;
    const Hit hit = hitAt(event->position());
    if (hit.kind != Hit::Kind::Box && hit.kind != Hit::Kind::Port) return;
    const FabricBox& box = m_model->boxes()[std::size_t(hit.index)];
    toggle(box.whole || box.kind == FabricBox::Kind::Device ? box.key : m_model->index().columnKey(box.column));
}

void FabricCanvas::wheelEvent(QWheelEvent* event)
{
    event->accept();
    if (!m_model) return;
    m_animation.stop();
    onStep(1.0);
    const QPointF turn = event->angleDelta();
    const double notches = turn.y() / 120.0;
    if (turn.x() != 0 || event->modifiers() & Qt::ShiftModifier)
        m_geometry.pan(QPointF(turn.x() + (turn.x() != 0 ? 0 : turn.y()), 0), m_layout);
    else if (event->modifiers() & Qt::ControlModifier)
        m_geometry.stretchAt(event->position().y(), std::pow(1.18, notches));
    else
        m_geometry.zoomAt(event->position().x(), std::pow(1.2, notches), m_layout);
    m_fitted = m_fitting = false;
    m_routes = FabricRoutes(*m_model, m_shown, m_geometry);
    m_cursor = event->position();
    setHover(hitAt(m_cursor));
    refresh();
}

/// To the nearest box in the direction of an arrow; the first box where there is none yet.
void FabricCanvas::moveFocus(int key)
{
    int at = m_look.focus ? m_model->find(*m_look.focus) : -1;
    if (at >= 0)
        while (!m_model->boxes()[std::size_t(at)].leaf()) at = m_model->boxes()[std::size_t(at)].children.front();
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    int best = -1;
    if (at < 0) // the leftmost of the lowest row
        for (std::size_t i = 0; i < m_model->boxes().size(); ++i) {
            const FabricBox& box = m_model->boxes()[i];
            if (!box.leaf() || box.row != 0) continue;
            if (best < 0 || m_layout.boxes[i].x < m_layout.boxes[std::size_t(best)].x) best = int(i);
        }
    double nearest = 1e300;
    for (std::size_t i = 0; i < m_model->boxes().size() && at >= 0; ++i) {
        const FabricBox &box = m_model->boxes()[i], &from = m_model->boxes()[std::size_t(at)];
        if (!box.leaf() || int(i) == at) continue;
        const double way = m_layout.boxes[i].middle() - m_layout.boxes[std::size_t(at)].middle();
        if (sideways && (box.row != from.row || (way > 0) != (key == Qt::Key_Right))) continue;
        if (!sideways && box.row != from.row + (key == Qt::Key_Up ? 1 : -1)) continue;
        if (std::abs(way) < nearest) nearest = std::abs(way), best = int(i);
    }
    if (best < 0) return;
    pickBox(best);
    bringNear(m_model->boxes()[std::size_t(best)].key);
}

void FabricCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!m_model) return QWidget::keyPressEvent(event);
    const int focus = m_look.focus ? m_model->find(*m_look.focus) : -1;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: moveFocus(event->key()); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (focus >= 0) {
            const FabricBox& box = m_model->boxes()[std::size_t(focus)];
            toggle(box.whole || box.kind == FabricBox::Kind::Device ? box.key : m_model->index().columnKey(box.column));
        } else if (m_look.focus) {
            toggle(*m_look.focus);
        }
        return;
    case Qt::Key_Backspace: {
        const auto path = crumbs();
        for (auto step = path.rbegin(); step != path.rend(); ++step)
            if (m_open.has(step->key) && step + 1 != path.rend()) {
                const FabricKey key = step->key;
                return toggle(key);
            }
        return;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal: stepZoom(1.3); return;
    case Qt::Key_Minus: stepZoom(1 / 1.3); return;
    case Qt::Key_Home: fit(); return;
    case Qt::Key_F:
        if (m_look.focus) zoomTo(*m_look.focus);
        return;
    case Qt::Key_Escape:
        m_look.focus.reset();
        refresh();
        emit focusMoved();
        emit picked({});
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void FabricCanvas::leaveEvent(QEvent*) { setHover({}); }
void FabricCanvas::focusInEvent(QFocusEvent* event) { QWidget::focusInEvent(event), update(); }
void FabricCanvas::focusOutEvent(QFocusEvent* event) { QWidget::focusOutEvent(event), update(); }

std::vector<char> fabricMembers(const FabricIndex& index, const std::vector<EntityRef>& entities)
{
    std::vector<char> members(index.members(), 0);
    if (entities.empty()) return members;
    const Snapshot& s = index.snapshot();
    const auto device = [&](DeviceId id) {
        if (const auto m = index.memberOf(id); m != FabricIndex::kNone) members[m] = 1;
    };
    const auto link = [&](LinkId id) {
        for (const PortId port : {s.links.from[id], s.links.to[id]}) device(s.ports.device[port]);
    };
    std::set<EntityRef> around; // what devices stand in or belong to
    std::set<std::uint32_t> cables;
    for (const EntityRef e : entities) {
        if (e.kind == EntityKind::Link)
            link(LinkId(e.id));
        else if (e.kind == EntityKind::Cable)
            cables.insert(e.id);
        else if (const auto own = deviceOf(s, e))
            device(*own);
        else
            around.insert(e);
    }
    if (!cables.empty())
        for (const auto& l : index.links())
            if (const auto cable = s.links.cable[l.id]; cable && cables.contains((*cable).value)) link(l.id);
    if (around.empty()) return members;
    for (std::uint32_t m = 0; m < index.members(); ++m) {
        const DeviceId id = index.device(m);
        bool in = around.contains(ref(s.devices.tier[id])) || around.contains(ref(s.devices.type[id]));
        for (EntityRef holder = holderOf(s, ref(id)); holder && !in; holder = holderOf(s, holder)) in = around.contains(holder);
        if (in) members[m] = 1;
    }
    return members;
}

} // namespace hw::views
