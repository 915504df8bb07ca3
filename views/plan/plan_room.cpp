// SPDX-License-Identifier: GPL-3.0-or-later
// Rooms that are given: their wall, what stands in them, and the drawing under them.
#include "views/plan/plan_room.h"

#include "core/derived/geometry/frame.h"
#include "core/foundation/model/underlay_lines.h"
#include "views/plan/plan_painter.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <array>
#include <charconv>
#include <cmath>

namespace hw::views {
namespace {

constexpr double kShortestPixels = 0.7; ///< of a drawing's lines: letters and hatches show from near

std::vector<QLineF> readLines(const std::string& text)
{
    std::vector<QLineF> lines;
    for (const auto& [x1, y1, x2, y2] : underlayLines(text)) lines.emplace_back(x1, y1, x2, y2);
    return lines;
}

QPolygonF toScreen(const PlanCamera& camera, const QPolygonF& world)
{
    QPolygonF screen;
    for (const QPointF p : world) screen << camera.toScreen(p.x(), p.y());
    return screen;
}

/// A door: its leaf shut as a line, and a bar at each jamb.
void drawDoor(QPainter& painter, const QPolygonF& p)
{
    painter.setBrush(theme().floor);
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(p);
    painter.setPen(QPen(theme().accent, 2));
    painter.drawLine((p[0] + p[3]) / 2, (p[1] + p[2]) / 2);
    painter.setPen(QPen(theme().textDim, 1.5));
    painter.drawLine(p[0], p[3]);
    painter.drawLine(p[1], p[2]);
}

void drawHatched(QPainter& painter, const QPolygonF& p, QColor color, Qt::BrushStyle style)
{
    painter.setPen(QPen(color, 1));
    color.setAlphaF(0.55f);
    painter.setBrush(QBrush(color, style));
    painter.drawPolygon(p);
}

} // namespace

void UnderlayLines::update(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    std::map<std::uint32_t, Layer> layers;
    s.underlays.forEach([&](UnderlayId id) {
        const auto known = m_layers.find(id.value); // texts that did not change lie where they lay, as long as the design before lives
        const bool same = known != m_layers.end() && m_read->underlays.contains(id) && &m_read->underlays.lines[id] == &s.underlays.lines[id];
        layers[id.value] = {s.underlays.hall[id], same ? std::move(known->second.lines) : readLines(s.underlays.lines[id])};
    });
    m_layers = std::move(layers);
    m_read = figures.snapshot;
}

std::map<std::uint32_t, QPolygonF> roomPolygons(const Snapshot& s)
{
    std::map<std::uint32_t, std::map<std::int32_t, QPointF>> corners; // by hall, then number
    s.corners.forEach([&](CornerId id) {
        const HallId hall = s.corners.hall[id];
        if (!s.halls.contains(hall)) return;
        const Point p = hallFrame(s, hall).at(s.corners.x[id].count(), s.corners.y[id].count(), 0);
        corners[hall.value][s.corners.number[id]] = QPointF(p.x, p.y);
    });
    std::map<std::uint32_t, QPolygonF> rooms;
    for (const auto& [hall, points] : corners) {
        if (points.size() < 3) continue;
        for (const auto& [number, point] : points) rooms[hall] << point;
    }
    return rooms;
}

QPolygonF structurePolygon(const StructureShape& shape)
{
    const QPointF a(shape.a.x, shape.a.y), b(shape.b.x, shape.b.y);
    const double length = std::hypot(b.x() - a.x(), b.y() - a.y()), half = shape.width / 2.0;
    if (length <= 0) { // a round column
        constexpr int kSides = 36;
        QPolygonF round;
        for (int i = 0; i < kSides; ++i) round << a + half * QPointF(std::cos(2 * M_PI * i / kSides), std::sin(2 * M_PI * i / kSides));
        return round;
    }
    const QPointF side(-(b.y() - a.y()) / length * half, (b.x() - a.x()) / length * half);
    return {{a - side, b - side, b + side, a + side}};
}

/// Of buildings above them; in the upper left corner of every room that has the place, without the building's name, which stands above.
void PlanPainter::drawRoomNames()
{
    m_painter.setFont(scaledFont(0.9, QFont::DemiBold)); // over the grid
    m_painter.setPen(theme().textDim);
    m_snapshot.buildings.forEach([&](BuildingId id) {
        const QRectF rect = m_camera.toScreen(m_figures.placement->building(id));
        if (visible(rect) && rect.width() > 60)
            m_painter.drawText(QPointF(std::max(rect.left(), 24.0), rect.top() - space(1) - 2), text(m_snapshot.buildings.name[id]));
    });
    m_painter.setFont(scaledFont(0.78));
    const QFontMetricsF metrics(m_painter.font());
    QColor back = theme().floor;
    back.setAlphaF(0.8F);
    m_snapshot.halls.forEach([&](HallId id) {
        const QRectF rect = m_camera.toScreen(m_figures.placement->hall(id));
        QString name = text(m_snapshot.halls.name[id]);
        const QString building = text(m_snapshot.buildings.name[m_snapshot.halls.building[id]]) + "-";
        if (name.startsWith(building)) name = name.mid(building.size());
        if (!visible(rect) || metrics.horizontalAdvance(name) + 12 > rect.width() || metrics.height() * 3 > rect.height()) return;
        const QRectF at(std::max(rect.left(), 20.0) + 3, std::max(rect.top(), 20.0) + 2, metrics.horizontalAdvance(name) + 6, metrics.height());
        m_painter.fillRect(at, back);
        m_painter.setPen(theme().textDim);
        m_painter.drawText(at, Qt::AlignCenter, name);
    });
}

void PlanPainter::drawUnderlays(const UnderlayLines& underlays)
{
    if (underlays.layers().empty()) return;
    QColor faint = theme().textDim;
    faint.setAlphaF(0.45f);
    m_painter.setRenderHint(QPainter::Antialiasing, false); // many thin lines
    m_painter.setPen(QPen(faint, 0));
    QList<QLineF> screen;
    for (const auto& [id, layer] : underlays.layers()) {
        if (!m_snapshot.halls.contains(layer.hall)) continue;
        const Frame frame = hallFrame(m_snapshot, layer.hall);
        for (const QLineF& line : layer.lines) {
            if ((std::abs(line.dx()) + std::abs(line.dy())) * m_camera.scale < kShortestPixels) continue;
            const QLineF drawn(m_camera.toScreen(frame.x + line.x1(), frame.y + line.y1()),
                               m_camera.toScreen(frame.x + line.x2(), frame.y + line.y2()));
            if (visible(QRectF(drawn.p1(), drawn.p2()).normalized().adjusted(-1, -1, 1, 1))) screen.push_back(drawn);
        }
    }
    m_painter.drawLines(screen);
    m_painter.setRenderHint(QPainter::Antialiasing);
}

/// Walls first, so that doors open them.
void PlanPainter::drawStructures()
{
    const auto draw = [&](bool walls) {
        m_snapshot.structures.forEach([&](StructureId id) {
            const StructureKind kind = m_snapshot.structures.kind[id];
            if ((kind == StructureKind::Wall) != walls) return;
            const QPolygonF p = toScreen(m_camera, structurePolygon(m_figures.placement->structure(id)));
            if (!visible(p.boundingRect().adjusted(-1, -1, 1, 1))) return;
            switch (kind) {
            case StructureKind::Wall:
                m_painter.setPen(QPen(theme().borderStrong, 1));
                m_painter.setBrush(theme().borderStrong);
                m_painter.drawPolygon(p);
                break;
            case StructureKind::Column:
                m_painter.setPen(QPen(theme().text, 1));
                m_painter.setBrush(theme().textDim);
                m_painter.drawPolygon(p);
                break;
            case StructureKind::Door: drawDoor(m_painter, p); break;
            case StructureKind::Ramp: drawHatched(m_painter, p, theme().textDim, Qt::HorPattern); break;
            case StructureKind::KeepOut: drawHatched(m_painter, p, theme().error, Qt::BDiagPattern); break;
            }
        });
    };
    draw(true), draw(false);
}

} // namespace hw::views
