// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/elevation_view.h"

#include "views/plan/rack_facts.h"
#include "views/style/format.h"
#include "views/style/load_bar.h"
#include "views/style/theme.h"
#include "views/style/value_colours.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <vector>

namespace hw::views {
namespace {

constexpr int kBars = 4;

std::optional<RackId> rackOf(const Snapshot& s, EntityRef entity)
{
    if (!entity) return std::nullopt;
    for (const EntityRef e : ancestry(s, entity))
        if (e.kind == EntityKind::Rack) return RackId(e.id);
    return std::nullopt;
}

QColor inkOn(const QColor& fill) { return fill.lightnessF() > 0.55 ? QColor("#10151c") : QColor("#f4f7fb"); }

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

Legend ElevationView::legend() const
{
    if (m_overlay.plain() || !m_rack || !m_bridge.figures()) return {};
    Legend legend = overlayLegend(*m_overlay.values(), EntityKind::Device, theme());
    legend.bars.clear(); // of all devices: they say nothing about this rack
    legend.notes.clear();
    for (Legend::Entry& entry : legend.entries) entry.count.clear();
    return legend;
}

QSizeF ElevationView::legendRoom() const { return {std::max(0.0, width() - 2.0 * space(3)), height() * 0.2}; }

double ElevationView::legendHeight() const
{
    const Legend all = legend();
    if (all.ramp.empty() && all.entries.empty() && all.warning.isEmpty()) return 0;
    return LegendLayout(all, scaledFont(0.82), legendRoom()).size().height() + space(2);
}

QColor ElevationView::colourOf(DeviceId device) const
{
    const Snapshot& s = *figures().snapshot;
    if (m_overlay.plain()) return deviceColor(s, device, m_mainNetwork);
    const ValueField* field = m_overlay.values()->of(EntityKind::Device);
    return QColor::fromRgb(field ? valueRgb(*field, field->at(device.value), theme().dark()) : noValueRgb(theme().dark()));
}

std::span<const DeviceId> ElevationView::devices() const
{
    return m_rack ? m_bridge.index().devicesOfRack[m_rack->value] : std::span<const DeviceId>();
}

QRectF ElevationView::frame() const
{
    const QFontMetricsF metrics(font());
    const double top = metrics.height() * 2.6 + space(3);
    const double bottom = kBars * (loadBarHeight() + space(2)) + space(2) + legendHeight();
    const double left = metrics.horizontalAdvance("48") + space(3);
    return {left, top, std::max(60.0, width() - left - space(3)), std::max(80.0, height() - top - bottom)};
}

QRectF ElevationView::screenRect(DeviceId device) const
{
    if (!m_rack) return {};
    const Snapshot& s = *figures().snapshot;
    const int units = figures().parts->rack(s.racks.type[*m_rack]).heightU;
    const int u = s.devices.u[device];
    if (u < 1) return {};
    const QRectF area = frame();
    const double unit = area.height() / units;
    const double height = figures().parts->device(s.devices.type[device]).halfUnits * unit / 2;
    return {area.left(), area.bottom() - (u - 1) * unit - height, area.width(), height};
}

EntityRef ElevationView::entityAt(QPointF position) const
{
    for (const DeviceId device : devices())
        if (screenRect(device).contains(position)) return ref(device);
    return m_rack ? ref(*m_rack) : EntityRef{};
}

void ElevationView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme().panel);
    if (!m_rack || !m_bridge.figures()) {
        painter.setPen(theme().textFaint);
        painter.drawText(rect().adjusted(space(3), 0, -space(3), 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Select a rack or a device to see its front."));
        return;
    }
    drawRack(painter);
    m_mainNetwork = figures().get<RackKindsNode>().main;
    m_basis = powerBasisOf(*figures().snapshot);
    for (const DeviceId device : devices())
        if (const QRectF place = screenRect(device); !place.isEmpty()) drawDevice(painter, device, place);
    drawBars(painter);
}

void ElevationView::drawRack(QPainter& painter) const
{
    const Snapshot& s = *figures().snapshot;
    const Part& part = (*figures().parts)[s.racks.type[*m_rack]];
    const int units = figures().parts->rack(s.racks.type[*m_rack]).heightU;
    const QRectF area = frame();
    painter.setFont(scaledFont(1.15, QFont::DemiBold));
    painter.setPen(theme().text);
    painter.drawText(QRectF(area.left(), space(2), area.width(), area.top()), Qt::AlignTop | Qt::AlignLeft, text(s.racks.name[*m_rack]));
    painter.setFont(scaledFont(0.88));
    painter.setPen(theme().textDim);
    painter.drawText(QRectF(area.left(), 0, area.width(), area.top() - space(2)), Qt::AlignBottom | Qt::AlignLeft,
                     QString("%1 · %2").arg(text(s.rows.name[s.racks.row[*m_rack]]), text(part.model.empty() ? part.slug : part.model)));
    painter.setPen(QPen(theme().borderStrong, 2));
    painter.setBrush(theme().field);
    painter.drawRoundedRect(area.adjusted(-2, -2, 2, 2), 3, 3);
    const double unit = area.height() / units;
    painter.setFont(scaledFont(0.72));
    const int every = unit > 11 ? 1 : unit > 5.5 ? 2 : 4;
    for (int u = 1; u <= units; ++u) {
        const double y = area.bottom() - u * unit;
        painter.setPen(QPen(theme().border, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme().textFaint);
        if (u == 1 || u % every == 0)
            painter.drawText(QRectF(0, y, area.left() - space(1) - 2, unit), Qt::AlignRight | Qt::AlignVCenter, QString::number(u));
    }
}

void ElevationView::drawDevice(QPainter& painter, DeviceId device, const QRectF& place) const
{
    const Snapshot& s = *figures().snapshot;
    const Part& part = (*figures().parts)[s.devices.type[device]];
    const bool chosen = m_bridge.selected() == ref(device);
    const QColor accent = colourOf(device), base = theme().raised;
    const double much = m_overlay.plain() ? 0.28 : 0.62; // values are to be read, kinds only told apart
    const auto mixed = [&](double a, double b) { return float(a * (1 - much) + b * much); };
    const QColor fill =
        QColor::fromRgbF(mixed(base.redF(), accent.redF()), mixed(base.greenF(), accent.greenF()), mixed(base.blueF(), accent.blueF()));
    const QRectF body = place.adjusted(1, 0.7, -1, -0.7);
    painter.setPen(chosen ? QPen(theme().accent, 2) : QPen(accent, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(body, 2, 2);
    painter.fillRect(QRectF(body.left(), body.top() + 1, 3, body.height() - 2), accent);

    const auto use = m_bridge.index().portUse(device);
    const QFont name = scaledFont(0.9, QFont::DemiBold), small = scaledFont(0.8);
    const double line = QFontMetricsF(name).height();
    const QRectF inside = body.adjusted(space(2) + 2, 1, -space(2), -1);
    QString load = power(figures().power->device(device).at(powerBasisOf(s)));
    if (const QString value = m_overlay.textOf(ref(device)); !m_overlay.plain() && !value.isEmpty()) load = value;
    const QColor ink = inkOn(fill);
    QColor dim = ink;
    dim.setAlphaF(m_overlay.plain() ? 1.0f : 0.8f);
    painter.setPen(ink);
    if (body.height() < line * 0.8) return;
    painter.setFont(body.height() < line ? scaledFont(0.75) : name);
    const bool tall = body.height() > line * 2.2, ports = body.height() > line * 3.4 && use.total > 0;
    const double middle = ports ? inside.top() + line * 1.15 : inside.center().y();
    const QRectF first = tall ? QRectF(inside.left(), middle - line, inside.width(), line) : inside;
    const double loadWidth = QFontMetricsF(small).horizontalAdvance(load);
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(s.devices.name[device]), Qt::ElideMiddle, int(inside.width() - loadWidth - 6)));
    painter.setFont(small);
    painter.setPen(m_overlay.plain() ? theme().textDim : dim);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, load);
    if (!tall) return;
    const QString plugged = use.total ? tr("%1/%2 ports").arg(use.used).arg(use.total) : QString();
    const QRectF second(inside.left(), middle + 1, inside.width(), line);
    painter.drawText(second, Qt::AlignRight | Qt::AlignVCenter, plugged);
    painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(part.model), Qt::ElideRight,
                                                      int(inside.width() - painter.fontMetrics().horizontalAdvance(plugged) - 8)));
    if (ports)
        drawPorts(painter, device, QRectF(inside.left(), second.bottom() + space(1), inside.width(), inside.bottom() - second.bottom() - space(2)));
}

/// Every logical port as a square, filled where something is plugged.
void ElevationView::drawPorts(QPainter& painter, DeviceId device, const QRectF& area) const
{
    const auto ports = m_bridge.index().portsOfDevice[device.value];
    double pitch = 9;
    const auto columns = [&] { return std::max(1, int(area.width() / pitch)); };
    while (pitch > 3 && ((int(ports.size()) + columns() - 1) / columns()) * pitch > area.height()) pitch -= 0.5;
    if (((int(ports.size()) + columns() - 1) / columns()) * pitch > area.height() + 1) return;
    const QColor plugged = theme().network, free = theme().borderStrong;
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const QPointF corner(area.left() + double(int(i) % columns()) * pitch, area.top() + double(int(i) / columns()) * pitch);
        painter.setBrush(m_bridge.index().linkOfPort[ports[i].value] != DesignIndex::kNone ? plugged : free);
        painter.drawRect(QRectF(corner, QSizeF(pitch * 0.7, pitch * 0.7)));
    }
}

void ElevationView::drawBars(QPainter& painter) const
{
    const Snapshot& s = *figures().snapshot;
    const RackSpec& rack = figures().parts->rack(s.racks.type[*m_rack]);
    std::int64_t grams = rack.weight.value.count();
    int halfUnits = 0;
    DesignIndex::PortUse ports;
    for (const DeviceId device : devices()) {
        const DeviceSpec& spec = figures().parts->device(s.devices.type[device]);
        grams += spec.weight.value.count();
        if (s.devices.u[device] > 0) halfUnits += spec.halfUnits;
        const auto use = m_bridge.index().portUse(device);
        ports.total += use.total;
        ports.used += use.used;
    }
    const PowerBasis basis = powerBasisOf(s);
    const Milliwatts load = figures().power->rack(*m_rack).at(basis), limit = rackLimit(figures(), *m_rack);
    const auto share = [](double a, double b) { return b > 0 ? a / b : 0.0; };
    const LoadBar bars[kBars] = {
        {tr("Power, %1").arg(text(std::string(powerBasisName(basis)))),
         QString("%1 / %2").arg(power(load), power(limit)),
         share(double(load.count()), double(limit.count())),
         false,
         {}},
        {tr("Weight"),
         QString("%1 / %2").arg(weight(Grams(grams)), weight(rack.maxWeight.value)),
         share(double(grams), double(rack.maxWeight.value.count())),
         false,
         {}},
        {tr("Space"), QString("%1 / %2 U").arg(halfUnits / 2.0, 0, 'g', 3).arg(rack.heightU), share(halfUnits / 2.0, rack.heightU), true, {}},
        {tr("Ports plugged"), QString("%1 / %2").arg(count(ports.used), count(ports.total)), share(ports.used, ports.total), true, {}}};
    const double height = loadBarHeight();
    double y = frame().bottom() + space(3);
    if (const Legend all = legend(); legendHeight() > 0) {
        LegendLayout(all, scaledFont(0.82), legendRoom()).paint(painter, QPointF(space(3), y - space(1)), theme());
        y += legendHeight();
    }
    for (const LoadBar& bar : bars) {
        drawLoadBar(painter, QRectF(space(3), y, width() - 2.0 * space(3), height), bar);
        y += height + space(2);
    }
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
