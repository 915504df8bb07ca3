// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/elevation_view.h"

#include "views/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
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
        if (m_rack && !f->snapshot->racks.contains(*m_rack)) m_rack.reset();
        update();
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
    if (m_bridge.figures())
        if (const auto rack = rackOf(*m_bridge.figures()->snapshot, m_bridge.selected())) m_rack = rack;
    update();
}

std::span<const DeviceId> ElevationView::devices() const
{
    return m_rack ? m_bridge.index().devicesOfRack[m_rack->value] : std::span<const DeviceId>();
}

QRectF ElevationView::screenRect(DeviceId device) const { return m_rack ? elevation().deviceRect(device) : QRectF(); }

ElevationPainter ElevationView::elevation() const { return {QSizeF(size()), {figures(), *m_rack, *m_overlay.values(), m_bridge.selected()}}; }

EntityRef ElevationView::entityAt(QPointF position) const
{
    if (!m_rack) return {};
    const ElevationPainter painter = elevation();
    for (const DeviceId device : devices())
        if (painter.deviceRect(device).contains(position)) return ref(device);
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
    if (event->button() == Qt::LeftButton && m_bridge.figures()) m_bridge.select(entityAt(event->position()));
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
    if (!m_rack) return;
    const Snapshot& s = *figures().snapshot;
    const auto racks = m_bridge.index().racksOfRow[s.racks.row[*m_rack].value];
    std::vector<RackId> order(racks.begin(), racks.end());
    std::ranges::sort(order, {}, [&](RackId id) { return s.racks.along[id]; });
    const auto at = std::ranges::find(order, *m_rack) - order.begin();
    const auto next = std::clamp<std::ptrdiff_t>(at + by, 0, std::ptrdiff_t(order.size()) - 1);
    m_bridge.select(ref(order[std::size_t(next)]));
}

} // namespace hw::views
