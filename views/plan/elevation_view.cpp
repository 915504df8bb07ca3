// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/elevation_view.h"

#include "core/design/edit/edits.h"
#include "core/foundation/model/document.h"
#include "views/plan/rack_facts.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace hw::views {
namespace {

std::optional<RackId> rackOf(const Snapshot& s, EntityRef entity)
{
    if (!entity) return std::nullopt;
    for (const EntityRef e : ancestry(s, entity))
        if (e.kind == EntityKind::Rack) return RackId(e.id);
    return std::nullopt;
}

} // namespace

ElevationView::ElevationView(DocumentBridge& bridge, QWidget* parent) : QWidget(parent), m_bridge(bridge), m_overlay(OverlaySource::of(bridge))
{
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(150, 200);
    setAccessibleName(tr("Rack elevation"));
    connect(&bridge, &DocumentBridge::selectionChanged, this, &ElevationView::onSelection);
    connect(&m_overlay, &OverlaySource::changed, this, qOverload<>(&QWidget::update));
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this](const FiguresPtr& f, const ChangesPtr&) {
        if (!m_dragged.empty()) cancelDrag();
        if (m_rack && !f->snapshot->racks.contains(*m_rack)) m_rack.reset();
        update();
    });
    constexpr int kOverEdgeMs = 700;
    m_edge.setInterval(kOverEdgeMs);
    connect(&m_edge, &QTimer::timeout, this, [this] {
        if (m_dragged.empty()) return m_edge.stop();
        m_rack = neighbor(m_at.x() < 0 ? -1 : 1);
        dragTo(m_at);
    });
    onSelection();
}

void ElevationView::setRack(std::optional<RackId> rack)
{
    m_rack = rack;
    update();
}

void ElevationView::onSelection()
{
    if (m_bridge.figures() && m_dragged.empty())
        if (const auto rack = rackOf(*m_bridge.figures()->snapshot, m_bridge.selected())) m_rack = rack;
    update();
}

std::span<const DeviceId> ElevationView::devices() const
{
    return m_rack ? m_bridge.index().devicesOfRack[m_rack->value] : std::span<const DeviceId>();
}

QRectF ElevationView::screenRect(DeviceId device) const { return m_rack ? elevation().deviceRect(device) : QRectF(); }

ElevationPainter ElevationView::elevation() const
{
    return {QSizeF(size()),
            {figures(), *m_rack, *m_overlay.values(), m_bridge.selected(), m_bridge.selection(), m_rear, true, m_ghost ? &*m_ghost : nullptr}};
}

QPointF ElevationView::pointAt(DeviceId device, int u) const { return m_rack ? elevation().rectAt(device, u).center() : QPointF(); }

void ElevationView::setRear(bool rear)
{
    m_rear = rear;
    update();
}

EntityRef ElevationView::entityAt(QPointF position) const
{
    if (!m_rack) return {};
    const ElevationPainter painter = elevation();
    for (const bool behind : {false, true})
        for (const DeviceId device : devices())
            if (painter.behind(device) == behind && painter.deviceRect(device).contains(position)) return ref(device);
    return ref(*m_rack);
}

void ElevationView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_rack || !m_bridge.figures()) {
        painter.fillRect(rect(), theme().panel);
        painter.setPen(theme().textFaint);
        painter.drawText(rect().adjusted(space(3), 0, -space(3), 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Select a rack or a device to show its front."));
        return;
    }
    elevation().paint(painter);
}

void ElevationView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_bridge.figures()) return;
    const EntityRef entity = entityAt(event->position());
    m_pressed = entity;
    m_from = m_at = event->position();
    std::vector<EntityRef> selection = m_bridge.selection();
    const auto found = std::ranges::find(selection, entity);
    if ((event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) && entity.kind == EntityKind::Device) {
        found == selection.end() ? void(selection.push_back(entity)) : void(selection.erase(found));
        std::erase_if(selection, [](EntityRef e) { return e.kind != EntityKind::Device; });
        m_pressed = {};
        return m_bridge.select(std::move(selection));
    }
    if (found == selection.end() || entity.kind != EntityKind::Device) m_bridge.select(entity); // several that are selected are dragged together
}

void ElevationView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed || !(event->buttons() & Qt::LeftButton)) return;
    m_at = event->position();
    if (m_dragged.empty() && m_pressed.kind == EntityKind::Device && (m_at - m_from).manhattanLength() >= QApplication::startDragDistance())
        beginDrag();
    if (!m_dragged.empty()) dragTo(m_at);
}

void ElevationView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    if (!m_dragged.empty())
        endDrag();
    else if (m_pressed && m_bridge.selection().size() > 1 && m_bridge.figures())
        m_bridge.select(m_pressed); // a click on one of several
    m_pressed = {};
}

/// The one that is held, and what is selected with it in the same rack.
void ElevationView::beginDrag()
{
    if (!m_rack || m_bridge.previewing()) return;
    const Snapshot& s = *figures().snapshot;
    const DeviceId held(m_pressed.id);
    if (!s.devices.contains(held) || s.devices.rack[held] != m_rack) return;
    m_home = *m_rack;
    m_dragged = {held};
    for (const EntityRef entity : m_bridge.selection())
        if (entity.kind == EntityKind::Device && entity != m_pressed && s.devices.rack[DeviceId(entity.id)] == m_rack)
            m_dragged.push_back(DeviceId(entity.id));
    m_grabbed = elevation().deviceRect(held).bottom() - m_from.y();
    setFocus(Qt::MouseFocusReason); // for Escape
}

/// Lowest units with the held one at `u`; what has no units keeps none.
std::vector<std::pair<DeviceId, int>> ElevationView::placesAt(int u) const
{
    const Snapshot& s = *figures().snapshot;
    const int own = s.devices.u[m_dragged.front()];
    std::vector<std::pair<DeviceId, int>> places;
    for (const DeviceId device : m_dragged) places.emplace_back(device, s.devices.u[device] < 1 ? 0 : s.devices.u[device] + (own < 1 ? 0 : u - own));
    return places;
}

namespace {

/// Those in the way of others go first: upward from the top, downward from the bottom.
Result<void> placeAll(Transaction& transaction, const ProjectParts& parts, std::vector<std::pair<DeviceId, int>> places, RackId rack)
{
    const Snapshot& s = *transaction;
    const bool up = !places.empty() && places.front().second > s.devices.u[places.front().first];
    std::ranges::sort(places, [up](const auto& a, const auto& b) { return up ? a.second > b.second : a.second < b.second; });
    for (const auto& [device, u] : places)
        if (const auto placed = edit::placeDevice(transaction, parts, device, rack, u); !placed) return placed;
    return {};
}

} // namespace

/// Tried on a copy: whether all fit, and what the rack then carries.
ElevationGhost ElevationView::ghostAt(int u) const
{
    const Snapshot& s = *figures().snapshot;
    ElevationGhost ghost;
    ghost.places = placesAt(u);
    Document document(figures().snapshot);
    auto transaction = document.begin("Move");
    const auto placed = placeAll(transaction, *figures().parts, ghost.places, *m_rack);
    ghost.fits = placed.has_value();
    ghost.lines << (ghost.places.front().second > 0 ? tr("U %1 of %2").arg(ghost.places.front().second).arg(text(s.racks.name[*m_rack]))
                                                    : tr("0U position in %1").arg(text(s.racks.name[*m_rack])));
    if (!placed) {
        ghost.lines << text(placed.error().text());
        return ghost;
    }
    const PowerBasis basis = powerBasisOf(s);
    Milliwatts load = figures().power->rack(*m_rack).at(basis);
    std::int64_t grams = rackWeight(figures(), *m_rack).count();
    if (*m_rack != m_home)
        for (const DeviceId device : m_dragged) {
            load += figures().power->device(device).at(basis);
            grams += figures().parts->device(s.devices.type[device]).weight.value.count();
        }
    const Milliwatts limit = rackLimit(figures(), *m_rack);
    const auto most = figures().parts->rack(s.racks.type[*m_rack]).maxWeight.value;
    ghost.lines << (limit.count() > 0 ? tr("Power and heat %1 of %2").arg(power(load), power(limit)) : tr("Power and heat %1").arg(power(load)));
    ghost.lines << (most.count() > 0 ? tr("Weight %1 of %2").arg(weight(Grams(grams)), weight(most)) : tr("Weight %1").arg(weight(Grams(grams))));
    if ((limit.count() > 0 && load > limit) || (most.count() > 0 && grams > most.count())) ghost.lines << tr("exceeds the rack limit");
    return ghost;
}

void ElevationView::dragTo(QPointF position)
{
    if (!m_rack || !m_bridge.figures()) return;
    const ElevationPainter painter = elevation();
    const int u = int(std::lround((painter.frame().bottom() - (position.y() + m_grabbed)) / painter.unitHeight())) + 1;
    const int units = figures().parts->rack(figures().snapshot->racks.type[*m_rack]).heightU;
    m_ghost = ghostAt(std::clamp(u, 1, units));
    const int over = position.x() < 0 ? -1 : position.x() > width() ? 1 : 0;
    if (over == 0)
        m_edge.stop();
    else if (!m_edge.isActive())
        m_edge.start();
    update();
}

void ElevationView::endDrag()
{
    const auto ghost = std::exchange(m_ghost, std::nullopt);
    const auto dragged = std::exchange(m_dragged, {});
    m_edge.stop();
    update();
    if (!ghost || !m_rack || !m_bridge.figures()) return;
    const Snapshot& s = *figures().snapshot;
    const bool moved = *m_rack != m_home || ghost->places.front().second != s.devices.u[dragged.front()];
    if (!ghost->fits || !moved) {
        if (!ghost->fits) emit m_bridge.problem(ghost->lines.back());
        m_rack = m_home;
        return;
    }
    QString what = m_bridge.nameOf(ref(dragged.front()));
    if (dragged.size() > 1) what = tr("%1 and %2 more").arg(what).arg(dragged.size() - 1);
    const auto done = m_bridge.edit(tr("Move %1 to %2").arg(what, ghost->lines.front()), [&](Transaction& t) {
        const auto parts = ProjectParts::of(t->partTypes);
        return parts ? placeAll(t, **parts, ghost->places, *m_rack) : Result<void>(tl::unexpected(parts.error()));
    });
    if (!done) m_bridge.report(done.error());
}

void ElevationView::cancelDrag()
{
    m_ghost.reset();
    m_dragged.clear();
    m_pressed = {};
    m_edge.stop();
    m_rack = m_home;
    update();
}

void ElevationView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_bridge.figures()) m_bridge.zoomTo(entityAt(event->position()));
}

void ElevationView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    if (m_bridge.figures()) m_bridge.openMenu(keyboard ? EntityRef{} : entityAt(event->pos()), event->globalPos());
}

void ElevationView::keyPressEvent(QKeyEvent* event)
{
    if (!m_dragged.empty()) {
        if (event->key() == Qt::Key_Escape) return cancelDrag();
        if (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right) return;
        m_rack = neighbor(event->key() == Qt::Key_Left ? -1 : 1);
        return dragTo(m_at);
    }
    switch (event->key()) {
    case Qt::Key_Up: return step(1);
    case Qt::Key_Down: return step(-1);
    case Qt::Key_Left: return stepRack(-1);
    case Qt::Key_Right: return stepRack(1);
    default: QWidget::keyPressEvent(event);
    }
}

void ElevationView::step(int by)
{
    if (!m_rack || devices().empty()) return;
    std::vector<DeviceId> order(devices().begin(), devices().end());
    std::ranges::sort(order, {}, [&](DeviceId id) { return figures().snapshot->devices.u[id]; });
    auto at = std::ranges::find(order, m_bridge.selected(), [](DeviceId id) { return ref(id); });
    if (at == order.end()) return m_bridge.select(ref(by > 0 ? order.front() : order.back()));
    const auto next = std::clamp<std::ptrdiff_t>(at - order.begin() + by, 0, std::ptrdiff_t(order.size()) - 1);
    m_bridge.select(ref(order[std::size_t(next)]));
}

void ElevationView::stepRack(int by)
{
    if (m_rack) m_bridge.select(ref(neighbor(by)));
}

/// In the order of the row; itself at its end.
RackId ElevationView::neighbor(int by) const
{
    const Snapshot& s = *figures().snapshot;
    const auto racks = m_bridge.index().racksOfRow[s.racks.row[*m_rack].value];
    std::vector<RackId> order(racks.begin(), racks.end());
    std::ranges::sort(order, {}, [&](RackId id) { return s.racks.along[id]; });
    const auto at = std::ranges::find(order, *m_rack) - order.begin();
    const auto next = std::clamp<std::ptrdiff_t>(at + by, 0, std::ptrdiff_t(order.size()) - 1);
    return order[std::size_t(next)];
}

} // namespace hw::views
