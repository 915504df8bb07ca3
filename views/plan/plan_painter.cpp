// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_painter.h"

#include "core/derived/topology/holding.h"

#include "views/bridge/network_filter.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/value_colors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::views {
namespace {

/// A grid step of 1, 5, 10, 50 … m that is at least `pixels` wide.
double gridStep(double scale, double pixels)
{
    double step = 1000;
    for (int i = 0; step * scale < pixels; ++i) step *= i % 2 == 0 ? 5 : 2;
    return step;
}

QFont tagFont() { return scaledFont(0.75, QFont::DemiBold); }

QColor contrast(const QColor& fill) { return fill.lightnessF() > 0.55 ? QColor("#10151c") : QColor("#f2f5fa"); }

} // namespace

Box planBox(const Figures& figures, EntityRef entity)
{
    const Snapshot& s = *figures.snapshot;
    const Placement& places = *figures.placement;
    switch (entity.kind) {
    case EntityKind::Building: return places.building(BuildingId(entity.id));
    case EntityKind::Hall: return places.hall(HallId(entity.id));
    case EntityKind::Row: return places.row(RowId(entity.id));
    case EntityKind::Rack: return places.rack(RackId(entity.id));
    case EntityKind::Device: {
        const DeviceId id(entity.id);
        return s.devices.rack[id] ? places.rack(*s.devices.rack[id]) : places.device(s, *figures.parts, id);
    }
    case EntityKind::Tray: {
        const TrayLine& line = places.tray(TrayId(entity.id));
        return {{std::min(line.a.x, line.b.x), std::min(line.a.y, line.b.y), 0}, {std::max(line.a.x, line.b.x), std::max(line.a.y, line.b.y), 0}};
    }
    case EntityKind::Structure: return places.structure(StructureId(entity.id)).box();
    default: { // it has no place of its own: that of what holds it
        const EntityRef holder = holderOf(s, entity);
        return holder ? planBox(figures, holder) : Box{};
    }
    }
}

PlanPainter::PlanPainter(QPainter& painter, const PlanCamera& camera, const PlanScene& scene, const RackFacts& facts, const OverlayValues& values)
    : m_painter(painter), m_camera(camera), m_scene(scene), m_figures(scene.figures), m_snapshot(*scene.figures.snapshot), m_facts(facts),
      m_values(values.of(EntityKind::Rack)), m_deviceValues(values.name == "kind" ? nullptr : values.of(EntityKind::Device)),
      m_trayValues(values.of(EntityKind::Tray)), m_area(QPointF(), camera.view)
{
    m_painter.setRenderHint(QPainter::Antialiasing);
}

void PlanPainter::drawDesign(const UnderlayLines& underlays, const PlanLayers& layers, const PlanLayerFacts& facts)
{
    drawGround();
    drawUnderlays(underlays);
    drawStructures();
    drawHeat(facts);
    drawFacilities();
    drawRacks();
    drawRoomNames();
    drawContainment(facts);
    drawBusways();
    if (layers.has(PlanLayer::Trays)) drawTrays();
    if (layers.has(PlanLayer::Network)) drawNetworks();
    if (layers.has(PlanLayer::Power)) drawPower(facts);
    drawRowTags();
    drawRowSums(facts);
    if (layers.has(PlanLayer::Clearances)) drawClearances(facts);
}

void PlanPainter::drawGround()
{
    m_painter.fillRect(m_area, theme().canvas);
    m_snapshot.buildings.forEach([&](BuildingId id) {
        const QRectF rect = m_camera.toScreen(m_figures.placement->building(id));
        if (!visible(rect)) return;
        m_painter.setPen(QPen(theme().borderStrong, 1, Qt::DashLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(rect);
    });
    std::map<std::uint32_t, QPolygonF> rooms = roomPolygons(m_snapshot); // of those that are no rectangles
    for (auto& [hall, corners] : rooms)
        for (QPointF& corner : corners) corner = m_camera.toScreen(corner.x(), corner.y());
    m_snapshot.halls.forEach([&](HallId id) {
        const QRectF rect = m_camera.toScreen(m_figures.placement->hall(id));
        if (!visible(rect)) return;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(theme().floor);
        if (const auto room = rooms.find(id.value); room != rooms.end())
            m_painter.drawPolygon(room->second);
        else
            m_painter.fillRect(rect, theme().floor);
    });
    drawGrid();
    drawHotAisles();
    m_snapshot.halls.forEach([&](HallId id) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(theme().borderStrong, std::max(1.5, 250 * m_camera.scale), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        if (const auto room = rooms.find(id.value); room != rooms.end())
            m_painter.drawPolygon(room->second);
        else
            m_painter.drawRect(m_camera.toScreen(m_figures.placement->hall(id)));
    });
}

void PlanPainter::drawGrid()
{
    const double fine = gridStep(m_camera.scale, 14);
    const QPointF low = m_camera.toWorld(m_area.bottomLeft()), high = m_camera.toWorld(m_area.topRight());
    const auto lines = [&](bool vertical, double from, double to) {
        for (double v = std::floor(from / fine) * fine; v <= to; v += fine) {
            const bool strong = std::lround(v / fine) % 5 == 0;
            m_painter.setPen(QPen(strong ? theme().gridStrong : theme().grid, 1));
            const QPointF p = m_camera.toScreen(v, v);
            if (vertical)
                m_painter.drawLine(QPointF(std::round(p.x()) + 0.5, 0), QPointF(std::round(p.x()) + 0.5, m_area.height()));
            else
                m_painter.drawLine(QPointF(0, std::round(p.y()) + 0.5), QPointF(m_area.width(), std::round(p.y()) + 0.5));
        }
    };
    lines(true, low.x(), high.x());
    lines(false, low.y(), high.y());
}

/// The floor between the two rows of a cell, into which both blow.
void PlanPainter::drawHotAisles()
{
    std::map<std::pair<HallId, std::int32_t>, std::vector<RowId>> cells;
    m_snapshot.rows.forEach([&](RowId id) { cells[{m_snapshot.rows.hall[id], m_snapshot.rows.cell[id]}].push_back(id); });
    QColor hot = theme().error;
    hot.setAlphaF(theme().dark() ? 0.10f : 0.08f);
    for (const auto& [cell, rows] : cells) {
        if (rows.size() != 2) continue;
        const QRectF a = worldRect(m_figures.placement->row(rows[0])), b = worldRect(m_figures.placement->row(rows[1]));
        QRectF between;
        if (a.right() <= b.left() || b.right() <= a.left())
            between = QRectF(QPointF(std::min(a.right(), b.right()), std::max(a.top(), b.top())),
                             QPointF(std::max(a.left(), b.left()), std::min(a.bottom(), b.bottom())));
        else if (a.bottom() <= b.top() || b.bottom() <= a.top())
            between = QRectF(QPointF(std::max(a.left(), b.left()), std::min(a.bottom(), b.bottom())),
                             QPointF(std::min(a.right(), b.right()), std::max(a.top(), b.top())));
        if (between.width() <= 0 || between.height() <= 0) continue;
        m_painter.fillRect(QRectF(m_camera.toScreen(between.left(), between.bottom()), m_camera.toScreen(between.right(), between.top())), hot);
    }
}

/// Sections of trays and drops that carry chosen links, the thicker the more.
void PlanPainter::drawWays(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ways)
{
    for (const auto& [section, links] : ways) {
        const TraySection& way = m_figures.routing->sections()[section];
        m_painter.setPen(QPen(theme().accent, std::min(7.0, 1.5 + std::log2(1.0 + links) * 0.6), Qt::SolidLine, Qt::RoundCap));
        m_painter.drawLine(m_camera.toScreen(way.a.x, way.a.y), m_camera.toScreen(way.b.x, way.b.y));
    }
}

void PlanPainter::drawFacilities()
{
    QColor fill = kindColor(RackKind::Facility);
    fill.setAlphaF(0.55f);
    m_painter.setFont(scaledFont(0.78));
    for (const DeviceId id : m_facts.kinds->freeStanding) {
        if (!m_snapshot.devices.contains(id)) continue;
        const QRectF rect = m_camera.toScreen(m_figures.placement->device(m_snapshot, *m_figures.parts, id));
        if (!visible(rect)) continue;
        const float value = m_deviceValues ? m_deviceValues->at(id.value) : ValueField::kNone;
        m_painter.setPen(QPen(kindColor(RackKind::Facility), 1));
        m_painter.setBrush(known(value) ? QColor::fromRgb(valueRgb(*m_deviceValues, value, theme().dark())) : fill);
        m_painter.drawRect(rect);
        const QString name = text(m_snapshot.devices.name[id]);
        if (m_painter.fontMetrics().horizontalAdvance(name) + 8 > rect.width() || m_painter.fontMetrics().height() > rect.height()) continue;
        m_painter.setPen(theme().text);
        m_painter.drawText(rect, Qt::AlignCenter, name);
    }
}

void PlanPainter::drawRacks()
{
    m_snapshot.racks.forEach([&](RackId id) {
        const Box& box = m_figures.placement->rack(id);
        const QRectF rect = m_camera.toScreen(box);
        if (!visible(rect)) return;
        QColor fill = QColor::fromRgb(m_values ? valueRgb(*m_values, m_values->at(id.value), theme().dark()) : noValueRgb(theme().dark()));
        if (hiddenRack(m_facts, id)) fill.setAlphaF(0.16f);
        if (rect.width() < 5 || rect.height() < 5) {
            m_painter.fillRect(rect.adjusted(0, 0, 0.5, 0.5), fill);
            return;
        }
        const double gap = std::min(1.0, rect.width() * 0.06);
        const QRectF body = rect.adjusted(gap, gap, -gap, -gap);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(fill);
        m_painter.drawRect(body);
        const double front = std::clamp(0.08 * std::min(rect.width(), rect.height()), 1.0, 6.0); // a bar where its front is
        m_painter.setBrush(contrast(fill).lightnessF() > 0.5 ? fill.lighter(150) : fill.darker(150));
        switch (((m_figures.placement->facing(id) % 360) + 360) % 360) {
        case 0: m_painter.drawRect(QRectF(body.right() - front, body.top(), front, body.height())); break;
        case 90: m_painter.drawRect(QRectF(body.left(), body.top(), body.width(), front)); break;
        case 180: m_painter.drawRect(QRectF(body.left(), body.top(), front, body.height())); break;
        default: m_painter.drawRect(QRectF(body.left(), body.bottom() - front, body.width(), front)); break;
        }
        drawRackLabel(id, body, fill);
    });
}

void PlanPainter::drawBusways()
{
    if (!m_deviceValues) return;
    m_snapshot.devices.forEach([&](DeviceId id) {
        const float value = m_deviceValues->at(id.value);
        if (!known(value) || m_snapshot.devices.rack[id] ||
            m_figures.parts->device(m_snapshot.devices.type[id]).power.element != PowerElement::Busway)
            return;
        const QRectF rect = m_camera.toScreen(m_figures.placement->device(m_snapshot, *m_figures.parts, id));
        if (!visible(rect)) return;
        if (m_deviceValues->categories.size() > std::size_t(value) && m_deviceValues->categories[std::size_t(value)].tone == Tone::Neutral)
            return;                     // nothing happens to it: the racks below say more
        constexpr double kOutlined = 3; // pixels; apart from the racks below, which have colors of the same map
        m_painter.setPen(std::min(rect.width(), rect.height()) < kOutlined ? QPen(Qt::NoPen) : QPen(theme().canvas, 1));
        m_painter.setBrush(QColor::fromRgb(valueRgb(*m_deviceValues, value, theme().dark())));
        m_painter.drawRect(rect);
    });
}

void PlanPainter::drawRackLabel(RackId rack, const QRectF& rect, const QColor& fill)
{
    const QFont font = scaledFont(std::clamp(std::min(rect.width(), rect.height()) / 36.0, 0.72, 1.1));
    const QFontMetricsF metrics(font);
    const bool upright = rect.height() > rect.width();
    const double along = upright ? rect.height() : rect.width(), across = upright ? rect.width() : rect.height();
    if (across < metrics.height() + 2) return;
    const QString name = text(m_snapshot.racks.name[rack]);
    const QString load = power(m_figures.power->rack(rack).at(powerBasisOf(m_snapshot)));
    const bool two = across > 2.2 * metrics.height();
    const double wanted = std::max(metrics.horizontalAdvance(name), two ? metrics.horizontalAdvance(load) : 0.0) + 10;
    if (along < wanted) return;
    m_painter.save();
    m_painter.translate(rect.center());
    if (upright) m_painter.rotate(-90);
    m_painter.setFont(font);
    m_painter.setPen(contrast(fill));
    const QRectF area(-along / 2, -across / 2, along, across);
    if (two) {
        m_painter.drawText(area.adjusted(0, 0, 0, -metrics.height()), Qt::AlignCenter, name);
        m_painter.setOpacity(0.75);
        m_painter.drawText(area.adjusted(0, metrics.height(), 0, 0), Qt::AlignCenter, load);
    } else {
        m_painter.drawText(area, Qt::AlignCenter, name);
    }
    m_painter.restore();
}

/// A row's name without its building's, which stands above the whole drawing.
QString PlanPainter::tagText(const Figures& figures, RowId row)
{
    const Snapshot& s = *figures.snapshot;
    const QString name = text(s.rows.name[row]), building = text(s.buildings.name[s.halls.building[s.rows.hall[row]]]) + "-";
    return name.startsWith(building) ? name.mid(building.size()) : name;
}

QRectF PlanPainter::tagRect(const PlanCamera& camera, const Figures& figures, RowId row)
{
    const QRectF rect = camera.toScreen(figures.placement->row(row));
    const bool upright = rect.height() > rect.width();
    const double thick = upright ? rect.width() : rect.height();
    if (thick < 9) return {};
    const QFontMetricsF metrics(tagFont());
    const double length = metrics.horizontalAdvance(tagText(figures, row)) + 8;
    const double height = std::max(metrics.height() + 2, std::min(thick, metrics.height() + 6));
    const double gap = 4;
    switch (((figures.snapshot->rows.angle[row] % 360) + 360) % 360) {
    case 90: return {rect.center().x() - height / 2, rect.bottom() + gap, height, length};
    case 180: return {rect.right() + gap, rect.center().y() - height / 2, length, height};
    case 270: return {rect.center().x() - height / 2, rect.top() - gap - length, height, length};
    default: return {rect.left() - gap - length, rect.center().y() - height / 2, length, height};
    }
}

void PlanPainter::drawRowTags()
{
    const auto& selection = m_scene.selection;
    m_painter.setFont(tagFont());
    m_snapshot.rows.forEach([&](RowId id) {
        const QRectF rect = tagRect(m_camera, m_figures, id);
        if (rect.isEmpty() || !visible(rect)) return;
        const bool chosen = std::ranges::find(selection, ref(id)) != selection.end();
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(chosen ? theme().accent : theme().raised);
        m_painter.drawRoundedRect(rect, 3, 3);
        m_painter.save();
        m_painter.translate(rect.center());
        const bool upright = rect.height() > rect.width();
        if (upright) m_painter.rotate(-90);
        const QSizeF size = upright ? rect.size().transposed() : rect.size();
        m_painter.setPen(chosen ? theme().accentText : theme().textDim);
        m_painter.drawText(QRectF(QPointF(-size.width() / 2, -size.height() / 2), size), Qt::AlignCenter, tagText(m_figures, id));
        m_painter.restore();
    });
}

void PlanPainter::outline(EntityRef entity, const QPen& pen)
{
    const Box box = planBox(m_figures, entity);
    if (box == Box{}) return;
    QRectF rect = m_camera.toScreen(box).adjusted(-1, -1, 1, 1);
    const double grow = std::max(0.0, 6 - std::min(rect.width(), rect.height())) / 2; // stays findable from far away
    rect.adjust(-grow, -grow, grow, grow);
    m_painter.setBrush(Qt::NoBrush);
    QColor halo = pen.color();
    halo.setAlphaF(0.25f);
    m_painter.setPen(QPen(halo, pen.widthF() + 5));
    m_painter.drawRoundedRect(rect, 2, 2);
    m_painter.setPen(pen);
    m_painter.drawRoundedRect(rect, 2, 2);
}

void PlanPainter::drawSelection(EntityRef hover)
{
    const auto& selection = m_scene.selection;
    if (hover && std::ranges::find(selection, hover) == selection.end()) {
        QColor soft = theme().text;
        soft.setAlphaF(0.7f);
        const Box box = planBox(m_figures, hover);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(soft, 1.2));
        if (box != Box{}) m_painter.drawRect(m_camera.toScreen(box));
    }
    for (const EntityRef e : selection) outline(e, QPen(theme().accent, 2));
}

void PlanPainter::drawGhost()
{
    if (!m_scene.before) return;
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(theme().textDim, 1, Qt::DashLine));
    for (const EntityRef e : m_scene.selection) {
        const Box was = planBox(*m_scene.before, e);
        if (was != planBox(m_figures, e)) m_painter.drawRect(m_camera.toScreen(was));
    }
}

} // namespace hw::views
