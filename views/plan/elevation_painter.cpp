// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/elevation_painter.h"

#include "core/derived/topology/rack_units.h"
#include "views/plan/rack_facts.h"
#include "views/style/format.h"
#include "views/style/load_bar.h"
#include "views/style/theme.h"
#include "views/style/value_colors.h"

#include <QPainter>

#include <algorithm>
#include <vector>

namespace hw::views {
namespace {

constexpr int kBars = 4;

QColor inkOn(const QColor& fill) { return fill.lightnessF() > 0.55 ? QColor("#10151c") : QColor("#f4f7fb"); }

} // namespace

ElevationPainter::ElevationPainter(QSizeF size, const ElevationScene& scene)
    : m_size(size), m_scene(scene), m_figures(scene.figures), m_s(*scene.figures.snapshot), m_index(scene.figures.get<IndexNode>()),
      m_mainNetwork(scene.figures.get<RackKindsNode>().main)
{
    if (scene.zeroU)
        for (const DeviceId device : devices())
            if (m_s.devices.u[device] < 1) ((m_s.devices.face[device] == Face::Left) == scene.rear ? m_right : m_left).push_back(device);
    if (plain()) return;
    m_legend = overlayLegend(scene.values, EntityKind::Device, theme());
    m_legend.bars.clear(); // of all devices: they say nothing about this rack
    m_legend.notes.clear();
    for (Legend::Entry& entry : m_legend.entries) entry.count.clear();
}

QSizeF ElevationPainter::legendRoom() const { return {std::max(0.0, m_size.width() - 2.0 * space(3)), m_size.height() * 0.2}; }

double ElevationPainter::legendHeight() const
{
    if (m_legend.ramp.empty() && m_legend.entries.empty() && m_legend.warning.isEmpty()) return 0;
    return LegendLayout(m_legend, scaledFont(0.82), legendRoom()).size().height() + space(2);
}

QColor ElevationPainter::colorOf(DeviceId device) const
{
    if (plain()) return deviceColor(m_s, device, m_mainNetwork);
    const ValueField* field = m_scene.values.of(EntityKind::Device);
    return QColor::fromRgb(field ? valueRgb(*field, field->at(device.value), theme().dark()) : noValueRgb(theme().dark()));
}

QString ElevationPainter::valueOf(DeviceId device) const
{
    const ValueField* field = m_scene.values.of(EntityKind::Device);
    return field ? text(noteText(*field, field->at(device.value))) : QString();
}

std::span<const DeviceId> ElevationPainter::devices() const { return m_index.devicesOfRack[m_scene.rack.value]; }

QRectF ElevationPainter::frame() const
{
    const QFontMetricsF metrics(scaledFont(1));
    const double top = metrics.height() * 2.6 + space(3);
    const double bottom = kBars * (loadBarHeight() + space(2)) + space(2) + legendHeight();
    const double left = metrics.horizontalAdvance("48") + space(3) + double(m_left.size()) * stripWidth();
    const double right = space(3) + double(m_right.size()) * stripWidth();
    return {left, top, std::max(60.0, m_size.width() - left - right), std::max(80.0, m_size.height() - top - bottom)};
}

double ElevationPainter::stripWidth() const { return QFontMetricsF(scaledFont(0.8)).height() * 1.3; }
double ElevationPainter::unitHeight() const { return frame().height() / std::max(1, m_figures.parts->rack(m_s.racks.type[m_scene.rack]).heightU); }

bool ElevationPainter::behind(DeviceId device) const
{
    if (m_s.devices.u[device] < 1) return false;
    const Mounted there = mounted(m_s, *m_figures.parts, device);
    return there.rear != m_scene.rear && !there.full;
}

bool ElevationPainter::chosen(DeviceId device) const
{
    return m_scene.selected == ref(device) || std::ranges::find(m_scene.selection, ref(device)) != m_scene.selection.end();
}

QRectF ElevationPainter::deviceRect(DeviceId device) const
{
    if (m_s.devices.u[device] > 0) return rectAt(device, m_s.devices.u[device]);
    const QRectF area = frame();
    const double strip = stripWidth();
    if (const auto at = std::ranges::find(m_left, device); at != m_left.end())
        return {area.left() - 3 - double(at - m_left.begin() + 1) * strip, area.top(), strip, area.height()};
    if (const auto at = std::ranges::find(m_right, device); at != m_right.end())
        return {area.right() + 3 + double(at - m_right.begin()) * strip, area.top(), strip, area.height()};
    return {};
}

QRectF ElevationPainter::rectAt(DeviceId device, int u) const
{
    if (u < 1) return deviceRect(device);
    const QRectF area = frame();
    const double unit = unitHeight();
    const double height = m_figures.parts->device(m_s.devices.type[device]).halfUnits * unit / 2;
    return {area.left(), area.bottom() - (u - 1) * unit - height, area.width(), height};
}

void ElevationPainter::paint(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(QPointF(), m_size), theme().panel);
    drawRack(painter);
    for (const bool far : {true, false}) // what is behind lies below
        for (const DeviceId device : devices()) {
            const QRectF place = deviceRect(device);
            if (place.isEmpty() || behind(device) != far) continue;
            if (far) painter.setOpacity(0.3);
            m_s.devices.u[device] > 0 ? drawDevice(painter, device, place) : drawBeside(painter, device, place);
            painter.setOpacity(1);
        }
    drawBars(painter);
    if (m_scene.ghost) drawGhost(painter);
}

/// Equipment without units, its name along the rack.
void ElevationPainter::drawBeside(QPainter& painter, DeviceId device, const QRectF& place) const
{
    const QColor accent = colorOf(device);
    QColor fill = accent;
    fill.setAlphaF(0.3F);
    const QRectF body = place.adjusted(1, 0, -1, 0);
    painter.setPen(chosen(device) ? QPen(theme().accent, 2) : QPen(accent, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(body, 2, 2);
    painter.save();
    painter.translate(body.left(), body.bottom());
    painter.rotate(-90);
    painter.setFont(scaledFont(0.8));
    painter.setPen(theme().text);
    const QRectF along(4, 0, body.height() - 8, body.width());
    painter.drawText(along, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(m_s.devices.name[device]), Qt::ElideMiddle, int(along.width())));
    painter.restore();
}

/// What is dragged, with what it does to the rack beside it.
void ElevationPainter::drawGhost(QPainter& painter) const
{
    const ElevationGhost& ghost = *m_scene.ghost;
    const QColor ink = ghost.fits ? theme().ok : theme().error;
    QColor fill = ink;
    fill.setAlphaF(0.2F);
    QRectF all;
    for (const auto& [device, u] : ghost.places) {
        QRectF place = rectAt(device, u);
        if (place.isEmpty()) place = QRectF(frame().right(), frame().top(), stripWidth(), frame().height()); // zero-U, from another rack
        painter.setPen(QPen(ink, 2, Qt::DashLine));
        painter.setBrush(fill);
        painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 2, 2);
        all = all.united(place);
    }
    painter.setFont(scaledFont(0.88));
    const QFontMetrics metrics = painter.fontMetrics();
    const double wide = std::min(m_size.width() - 2.0 * space(2), frame().width() + 2.0 * space(2));
    double high = 2.0 * space(1);
    std::vector<QRectF> lines;
    for (const QString& line : ghost.lines) {
        const QRectF box = metrics.boundingRect(QRect(0, 0, int(wide) - 2 * space(2), 1000), Qt::TextWordWrap, line);
        lines.push_back(box);
        high += box.height();
    }
    double top = all.top() - high - 4 > 0 ? all.top() - high - 4 : all.bottom() + 4;
    top = std::clamp(top, 0.0, std::max(0.0, m_size.height() - high));
    const QRectF card(std::max(0.0, (m_size.width() - wide) / 2), top, wide, high);
    painter.setPen(QPen(ink, 1));
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(card, 4, 4);
    painter.setPen(theme().text);
    double y = card.top() + space(1);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        painter.drawText(QRectF(card.left() + space(2), y, wide - 2.0 * space(2), lines[i].height()), Qt::TextWordWrap, ghost.lines[qsizetype(i)]);
        y += lines[i].height();
    }
}

void ElevationPainter::drawRack(QPainter& painter) const
{
    const Snapshot& s = m_s;
    const Part& part = (*m_figures.parts)[s.racks.type[m_scene.rack]];
    const int units = m_figures.parts->rack(s.racks.type[m_scene.rack]).heightU;
    const QRectF area = frame();
    painter.setFont(scaledFont(1.15, QFont::DemiBold));
    painter.setPen(theme().text);
    painter.drawText(QRectF(area.left(), space(2), area.width(), area.top()), Qt::AlignTop | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_scene.rear ? QObject::tr("%1, rear").arg(text(s.racks.name[m_scene.rack]))
                                                                   : text(s.racks.name[m_scene.rack]),
                                                      Qt::ElideMiddle, int(area.width())));
    painter.setFont(scaledFont(0.88));
    painter.setPen(theme().textDim);
    painter.drawText(QRectF(area.left(), 0, area.width(), area.top() - space(2)), Qt::AlignBottom | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(
                         QString("%1 · %2").arg(text(s.rows.name[s.racks.row[m_scene.rack]]), text(part.model.empty() ? part.slug : part.model)),
                         Qt::ElideRight, int(area.width())));
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
            painter.drawText(QRectF(0, y, area.left() - double(m_left.size()) * stripWidth() - space(1) - 2, unit), Qt::AlignRight | Qt::AlignVCenter,
                             QString::number(u));
    }
}

void ElevationPainter::drawDevice(QPainter& painter, DeviceId device, const QRectF& place) const
{
    const Snapshot& s = m_s;
    const Part& part = (*m_figures.parts)[s.devices.type[device]];
    const QColor accent = colorOf(device), base = theme().raised;
    const double much = plain() ? 0.28 : 0.62; // values are to be read, kinds only told apart
    const auto mixed = [&](double a, double b) { return float(a * (1 - much) + b * much); };
    const QColor fill =
        QColor::fromRgbF(mixed(base.redF(), accent.redF()), mixed(base.greenF(), accent.greenF()), mixed(base.blueF(), accent.blueF()));
    const QRectF body = place.adjusted(1, 0.7, -1, -0.7);
    painter.setPen(chosen(device) ? QPen(theme().accent, 2) : QPen(accent, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(body, 2, 2);
    painter.fillRect(QRectF(body.left(), body.top() + 1, 3, body.height() - 2), accent);

    const auto use = m_index.portUse(device);
    const QFont name = scaledFont(0.9, QFont::DemiBold), small = scaledFont(0.8);
    const double line = QFontMetricsF(name).height();
    const QRectF inside = body.adjusted(space(2) + 2, 1, -space(2), -1);
    QString load = power(m_figures.power->device(device).at(powerBasisOf(s)));
    if (const QString value = valueOf(device); !plain() && !value.isEmpty()) load = value;
    const QColor ink = inkOn(fill);
    QColor dim = ink;
    dim.setAlphaF(plain() ? 1.0f : 0.8f);
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
    painter.setPen(plain() ? theme().textDim : dim);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, load);
    if (!tall) return;
    const QString plugged = use.total ? QObject::tr("%1/%2 ports").arg(use.used).arg(use.total) : QString();
    const QRectF second(inside.left(), middle + 1, inside.width(), line);
    painter.drawText(second, Qt::AlignRight | Qt::AlignVCenter, plugged);
    painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(part.model), Qt::ElideRight,
                                                      int(inside.width() - painter.fontMetrics().horizontalAdvance(plugged) - 8)));
    if (ports)
        drawPorts(painter, device, QRectF(inside.left(), second.bottom() + space(1), inside.width(), inside.bottom() - second.bottom() - space(2)));
}

/// Every logical port as a square, filled where something is plugged.
void ElevationPainter::drawPorts(QPainter& painter, DeviceId device, const QRectF& area) const
{
    const auto ports = m_index.portsOfDevice[device.value];
    double pitch = 9;
    const auto columns = [&] { return std::max(1, int(area.width() / pitch)); };
    while (pitch > 3 && ((int(ports.size()) + columns() - 1) / columns()) * pitch > area.height()) pitch -= 0.5;
    if (((int(ports.size()) + columns() - 1) / columns()) * pitch > area.height() + 1) return;
    const QColor plugged = theme().network, free = theme().borderStrong;
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const QPointF corner(area.left() + double(int(i) % columns()) * pitch, area.top() + double(int(i) / columns()) * pitch);
        painter.setBrush(m_index.linkOfPort[ports[i].value] != DesignIndex::kNone ? plugged : free);
        painter.drawRect(QRectF(corner, QSizeF(pitch * 0.7, pitch * 0.7)));
    }
}

void ElevationPainter::drawBars(QPainter& painter) const
{
    const Snapshot& s = m_s;
    const RackSpec& rack = m_figures.parts->rack(s.racks.type[m_scene.rack]);
    const std::int64_t grams = rackWeight(m_figures, m_scene.rack).count();
    int halfUnits = 0;
    DesignIndex::PortUse ports;
    for (const DeviceId device : devices()) {
        const DeviceSpec& spec = m_figures.parts->device(s.devices.type[device]);
        if (s.devices.u[device] > 0) halfUnits += spec.halfUnits;
        const auto use = m_index.portUse(device);
        ports.total += use.total;
        ports.used += use.used;
    }
    const PowerBasis basis = powerBasisOf(s);
    const Milliwatts load = m_figures.power->rack(m_scene.rack).at(basis), limit = rackLimit(m_figures, m_scene.rack);
    const auto share = [](double a, double b) { return b > 0 ? a / b : 0.0; };
    const LoadBar bars[kBars] = {
        {QObject::tr("Power, %1").arg(text(std::string(powerBasisName(basis)))),
         QString("%1 / %2").arg(power(load), power(limit)),
         share(double(load.count()), double(limit.count())),
         false,
         {}},
        {QObject::tr("Weight"),
         QString("%1 / %2").arg(weight(Grams(grams)), weight(rack.maxWeight.value)),
         share(double(grams), double(rack.maxWeight.value.count())),
         false,
         {}},
        {QObject::tr("Space"),
         QString("%1 / %2 U").arg(halfUnits / 2.0, 0, 'g', 3).arg(rack.heightU),
         share(halfUnits / 2.0, rack.heightU),
         true,
         {}},
        {QObject::tr("Ports in use"), QString("%1 / %2").arg(count(ports.used), count(ports.total)), share(ports.used, ports.total), true, {}}};
    const double height = loadBarHeight();
    double y = frame().bottom() + space(3);
    if (legendHeight() > 0) {
        LegendLayout(m_legend, scaledFont(0.82), legendRoom()).paint(painter, QPointF(space(3), y - space(1)), theme());
        y += legendHeight();
    }
    for (const LoadBar& bar : bars) {
        drawLoadBar(painter, QRectF(space(3), y, m_size.width() - 2.0 * space(3), height), bar);
        y += height + space(2);
    }
}

} // namespace hw::views
