// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of the plan: busways with their taps, networks in trays, weights, heat, free floor; and aisles that are closed in.
#include "views/plan/plan_layers.h"

#include "core/derived/figures/power_feeds.h"
#include "core/derived/values/place_fields.h"
#include "core/foundation/catalog/entity.h"
#include "views/bridge/network_filter.h"
#include "views/plan/plan_painter.h"
#include "views/style/format.h"
#include "views/style/side_color.h"
#include "views/style/theme.h"
#include "views/style/units.h"
#include "views/style/value_colors.h"

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr double kTapPixels = 14;                ///< racks as wide along their row show their taps
constexpr double kTapShare = 0.16, kMostTap = 7; ///< half of a tap's box: of its rack, and pixels; as large as that it shows its name

bool isBusway(const Figures& f, DeviceId id)
{
    return f.snapshot->devices.row[id] && f.parts->device(f.snapshot->devices.type[id]).power.element == PowerElement::Busway;
}

std::string tapName(const Figures& f, const PowerFeed& feed)
{
    const Snapshot& s = *f.snapshot;
    std::string name;
    if (feed.link) {
        const PortId from = s.links.from[*feed.link], to = s.links.to[*feed.link];
        name = entityName(s, *f.parts, ref(s.ports.device[from] == feed.supplier ? from : to));
        name = name.substr(name.find_last_of(':') + 1);
    }
    if (feed.phase > 0) name += (name.empty() ? "L" : " L") + std::to_string(feed.phase); // no text
    return name;
}

/// Of a share of the hottest: 0 … 1.
QColor heatColor(double share) { return QColor::fromHsvF(float(0.12 - 0.12 * std::clamp(share, 0.0, 1.0)), 0.85F, theme().dark() ? 0.9F : 0.85F); }

} // namespace

std::optional<PlanLayer> planLayerOf(std::string_view name)
{
    for (std::size_t i = 0; i < kPlanLayerNames.size(); ++i)
        if (name == kPlanLayerNames[i]) return PlanLayer(i);
    return std::nullopt;
}

void PlanLayerFacts::update(const Figures& f, const PlanLayers& layers)
{
    const Snapshot& s = *f.snapshot;
    *this = {};
    aisles = containedAisles(s, *f.placement);
    if (layers.has(PlanLayer::Power)) {
        const auto& feeds = f.get<PowerFeedsNode>();
        sides.assign(s.devices.nextId(), 0);
        s.devices.forEach([&](DeviceId id) {
            sides[id.value] = feeds.side(id);
            const auto rack = s.devices.rack[id];
            if (!rack) return;
            for (const PowerFeed& feed : feeds.of(id))
                if (isBusway(f, feed.supplier)) taps.push_back({feed.supplier, *rack, feeds.side(feed.supplier), tapName(f, feed), feed.link});
        });
        std::ranges::stable_sort(taps, {}, [](const Tap& tap) { return std::pair(tap.busway, tap.rack); });
    }
    if (layers.has(PlanLayer::Weights)) {
        grams.assign(s.racks.nextId(), 0);
        s.racks.forEach([&](RackId id) { grams[id.value] = f.parts->rack(s.racks.type[id]).weight.value.count(); });
        s.devices.forEach([&](DeviceId id) {
            if (const auto rack = s.devices.rack[id]) grams[(*rack).value] += f.parts->device(s.devices.type[id]).weight.value.count();
        });
    }
    if (layers.has(PlanLayer::Heat)) {
        heat.assign(s.rows.nextId(), Milliwatts());
        s.rows.forEach([&](RowId id) { heat[id.value] = f.power->row(id).at(powerBasisOf(s)); });
        for (const ValueField& field : heatDensityFields(f))
            for (const float v : field.values)
                if (known(v)) mostHeat = std::max(mostHeat, double(v));
    }
    if (layers.has(PlanLayer::Clearances)) clearances = clearanceFields(f).front();
}

void PlanPainter::drawContainment(const PlanLayerFacts& facts)
{
    for (const ContainedAisle& aisle : facts.aisles) {
        const QRectF rect = m_camera.toScreen(aisle.box);
        if (!visible(rect)) continue;
        const QColor color = aisle.kind == Containment::HotAisle ? theme().error : theme().accent;
        m_painter.fillRect(rect, withOpacity(color, 0.16));
        m_painter.setPen(QPen(withOpacity(color, 0.8), 1, Qt::DashLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(rect);
        m_painter.setPen(QPen(color, std::max(1.5, 120 * m_camera.scale))); // its doors
        if (aisle.alongX)
            m_painter.drawLine(rect.topLeft(), rect.bottomLeft()), m_painter.drawLine(rect.topRight(), rect.bottomRight());
        else
            m_painter.drawLine(rect.topLeft(), rect.topRight()), m_painter.drawLine(rect.bottomLeft(), rect.bottomRight());
    }
}

QRectF tapRect(const Figures& figures, const PlanCamera& camera, const PlanLayerFacts::Tap& tap)
{
    const Snapshot& s = *figures.snapshot;
    if (!s.racks.contains(tap.rack) || !s.devices.contains(tap.busway)) return {};
    const QRectF rack = camera.toScreen(figures.placement->rack(tap.rack));
    const QRectF bus = camera.toScreen(figures.placement->device(s, *figures.parts, tap.busway));
    const bool upright = bus.height() > bus.width();
    const double pitch = upright ? rack.height() : rack.width();
    if (pitch < kTapPixels) return {};
    const double half = std::clamp(pitch * kTapShare, 1.5, kMostTap);
    const QPointF at = upright ? QPointF(bus.center().x(), rack.center().y()) : QPointF(rack.center().x(), bus.center().y());
    return {at.x() - half, at.y() - half, 2 * half, 2 * half};
}

/// The floor around every row, the hotter the more it gives off.
void PlanPainter::drawHeat(const PlanLayerFacts& facts)
{
    if (facts.heat.empty() || facts.mostHeat <= 0) return;
    m_snapshot.rows.forEach([&](RowId id) {
        Box box = m_figures.placement->row(id);
        if (id.value >= facts.heat.size() || box == Box{}) return;
        const double area = double(box.high.x - box.low.x) * double(box.high.y - box.low.y) * 1e-6;
        constexpr std::int32_t kAround = 600;
        box.low.x -= kAround, box.low.y -= kAround, box.high.x += kAround, box.high.y += kAround;
        const QRectF rect = m_camera.toScreen(box);
        if (area <= 0 || !visible(rect)) return;
        const double share = double(facts.heat[id.value].count()) * 1e-3 / area / facts.mostHeat;
        m_painter.fillRect(rect, withOpacity(heatColor(share), 0.15 + 0.45 * share));
    });
}

/// Busways and equipment in the color of their side, and where there is room every tap-off at its rack.
void PlanPainter::drawPower(const PlanLayerFacts& facts)
{
    if (facts.sides.empty()) return;
    for (const DeviceId id : m_facts.kinds->freeStanding) {
        if (!m_snapshot.devices.contains(id) || id.value >= facts.sides.size() || facts.sides[id.value] == 0) continue;
        QRectF rect = m_camera.toScreen(m_figures.placement->device(m_snapshot, *m_figures.parts, id));
        if (!visible(rect)) continue;
        const QColor side = sideColor(facts.sides[id.value]);
        if (!isBusway(m_figures, id)) { // a strip along its upper edge
            m_painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), std::clamp(rect.height() * 0.12, 1.0, 4.0)), side);
            continue;
        }
        const bool upright = rect.height() > rect.width();
        const double thin = 2 - std::min(rect.width(), rect.height());
        if (thin > 0) rect.adjust(upright ? -thin / 2 : 0, upright ? 0 : -thin / 2, upright ? thin / 2 : 0, upright ? 0 : thin / 2);
        if (!m_deviceValues || !known(m_deviceValues->at(id.value))) m_painter.fillRect(rect, withOpacity(side, 0.85));
    }
    for (const auto& tap : facts.taps) {
        const QRectF box = tapRect(m_figures, m_camera, tap);
        if (box.isEmpty() || !visible(box)) continue;
        m_painter.setPen(QPen(sideColor(tap.side), 1.4));
        m_painter.setBrush(theme().canvas);
        m_painter.drawRect(box);
        if (box.width() < 2 * kMostTap || tap.name.empty()) continue;
        const QPointF at = box.center();
        const double half = box.width() / 2;
        m_painter.setFont(scaledFont(0.7));
        m_painter.setPen(theme().text);
        const QString name = text(tap.name);
        const QRectF label(at.x() + half + 2, at.y() - 8, m_painter.fontMetrics().horizontalAdvance(name) + 4, 16);
        m_painter.fillRect(label, withOpacity(theme().canvas, 0.8));
        m_painter.drawText(label, Qt::AlignCenter, name);
    }
}

/// What runs in every tray: a line per network beside the other, the thicker the more cables.
void PlanPainter::drawNetworks()
{
    m_snapshot.trays.forEach([&](TrayId id) {
        if (id.value >= m_facts.trayCables.size()) return;
        const auto& cables = m_facts.trayCables[id.value];
        const TrayLine& line = m_figures.placement->tray(id);
        const QPointF a = m_camera.toScreen(line.a.x, line.a.y), b = m_camera.toScreen(line.b.x, line.b.y);
        if (a == b || !visible(QRectF(a, b).normalized().adjusted(-8, -8, 8, 8))) return;
        const QPointF across = QPointF((b - a).y(), -(b - a).x()) / std::hypot((b - a).x(), (b - a).y());
        std::vector<std::pair<double, QColor>> lines;
        double total = 0;
        for (std::uint32_t n = 0; n < cables.size(); ++n)
            if (cables[n] > 0 && !m_facts.hiddenNetworks.contains(n)) {
                const double width = std::min(6.0, 1.0 + 0.45 * std::log2(1.0 + cables[n]));
                lines.emplace_back(width, networkColor(m_snapshot, NetworkId(n)));
                total += width;
            }
        double at = -total / 2;
        for (const auto& [width, color] : lines) {
            m_painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
            m_painter.drawLine(a + across * (at + width / 2), b + across * (at + width / 2));
            at += width;
        }
    });
}

/// Free floor before the rack of each row that has least.
void PlanPainter::drawClearances(const PlanLayerFacts& facts)
{
    if (facts.clearances.values.empty()) return;
    std::vector<std::pair<float, RackId>> least(m_snapshot.rows.nextId(), {1e9F, RackId()});
    m_snapshot.racks.forEach([&](RackId id) {
        auto& row = least[m_snapshot.racks.row[id].value];
        if (const float v = facts.clearances.at(id.value); known(v) && v < row.first) row = {v, id};
    });
    for (const auto& [meters, rack] : least) {
        if (meters > 1e8F || !m_snapshot.racks.contains(rack)) continue;
        const QRectF rect = worldRect(m_figures.placement->rack(rack));
        const double mm = double(meters) * 1000;
        QPointF from = rect.center(), to = from;
        switch (((m_figures.placement->facing(rack) % 360) + 360) % 360) {
        case 0: from.setX(rect.right()), to = from + QPointF(mm, 0); break;
        case 90: from.setY(rect.bottom()), to = from + QPointF(0, mm); break; // the world's y grows upwards
        case 180: from.setX(rect.left()), to = from - QPointF(mm, 0); break;
        default: from.setY(rect.top()), to = from - QPointF(0, mm); break;
        }
        const QPointF a = m_camera.toScreen(from.x(), from.y()), b = m_camera.toScreen(to.x(), to.y());
        if (visible(QRectF(a, b).normalized().adjusted(-4, -4, 4, 4))) dimension(a, b, exactLength(mm));
    }
}

/// Weight and heat of every row beyond its far end; of racks, where they are large enough.
void PlanPainter::drawRowSums(const PlanLayerFacts& facts)
{
    if (facts.grams.empty() && facts.heat.empty()) return;
    std::vector<std::int64_t> grams(m_snapshot.rows.nextId(), 0);
    const QFont font = scaledFont(0.75);
    const QFontMetricsF metrics(font);
    m_painter.setFont(font);
    m_snapshot.racks.forEach([&](RackId id) {
        if (id.value >= facts.grams.size()) return;
        grams[m_snapshot.racks.row[id].value] += facts.grams[id.value];
        const QRectF rect = m_camera.toScreen(m_figures.placement->rack(id));
        const QString label = weight(Grams(facts.grams[id.value]));
        if (!visible(rect) || metrics.horizontalAdvance(label) + 6 > rect.width() || rect.height() < 4.5 * metrics.height()) return;
        const QRectF at(rect.left(), rect.bottom() - metrics.height() * 1.6, rect.width(), metrics.height());
        m_painter.fillRect(at.adjusted(2, 0, -2, 0), withOpacity(theme().canvas, 0.75));
        m_painter.setPen(theme().text);
        m_painter.drawText(at, Qt::AlignCenter, label);
    });
    m_snapshot.rows.forEach([&](RowId id) {
        const QRectF rect = m_camera.toScreen(m_figures.placement->row(id));
        const bool upright = rect.height() > rect.width();
        if (!visible(rect) || std::min(rect.width(), rect.height()) < 9) return;
        QStringList parts;
        if (!facts.grams.empty()) parts << weight(Grams(grams[id.value]));
        if (id.value < facts.heat.size()) parts << heat(facts.heat[id.value]);
        const QString label = parts.join(" · ");
        const double length = metrics.horizontalAdvance(label) + 8, height = metrics.height() + 2, gap = 4;
        QRectF at;
        switch (((m_snapshot.rows.angle[id] % 360) + 360) % 360) { // away from the tag
        case 90: at = {rect.center().x() - height / 2, rect.top() - gap - length, height, length}; break;
        case 180: at = {rect.left() - gap - length, rect.center().y() - height / 2, length, height}; break;
        case 270: at = {rect.center().x() - height / 2, rect.bottom() + gap, height, length}; break;
        default: at = {rect.right() + gap, rect.center().y() - height / 2, length, height}; break;
        }
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(withOpacity(theme().raised, 0.92));
        m_painter.drawRoundedRect(at, 3, 3);
        m_painter.save();
        m_painter.translate(at.center());
        if (upright) m_painter.rotate(-90);
        m_painter.setPen(theme().text);
        m_painter.drawText(QRectF(-length / 2, -height / 2, length, height), Qt::AlignCenter, label);
        m_painter.restore();
    });
}

} // namespace hw::views
