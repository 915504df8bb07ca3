// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_draw.h"

#include "core/derived/geometry/frame.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/fields.h"
#include "core/design/edit/lookup.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr double kReachPixels = 10; ///< at which the cursor takes hold of a point
constexpr double kLeast = 50;       ///< mm: a smaller shape is a slip of the mouse
constexpr double kAround = 1000;    ///< mm between a room and the building that is made for it
constexpr double kWall = 200, kDoorDepth = 200;
constexpr double kAngle = 15;

double snapped(double mm, int step) { return step > 0 ? std::round(mm / step) * step : std::round(mm); }

std::string mmText(double mm) { return std::to_string(std::llround(mm)) + " mm"; }

QString toolName(DrawTool tool)
{
    switch (tool) {
    case DrawTool::Building: return QObject::tr("building");
    case DrawTool::Hall: return QObject::tr("room");
    case DrawTool::Wall: return QObject::tr("wall");
    case DrawTool::Column: return QObject::tr("column");
    case DrawTool::Door: return QObject::tr("door");
    case DrawTool::KeepOut: return QObject::tr("keep-out area");
    case DrawTool::None: break;
    }
    return {};
}

QRectF buildingRect(const Snapshot& s, BuildingId id)
{
    return {double(s.buildings.x[id].count()), double(s.buildings.y[id].count()), double(s.buildings.sizeX[id].count()),
            double(s.buildings.sizeY[id].count())};
}

QRectF hallRect(const Snapshot& s, HallId id)
{
    const BuildingId building = s.halls.building[id];
    return {double((s.buildings.x[building] + s.halls.x[id]).count()), double((s.buildings.y[building] + s.halls.y[id]).count()),
            double(s.halls.sizeX[id].count()), double(s.halls.sizeY[id].count())};
}

/// The smallest hall around a point.
std::optional<HallId> hallAt(const Snapshot& s, QPointF p)
{
    std::optional<HallId> found;
    double least = 0;
    s.halls.forEach([&](HallId id) {
        const QRectF rect = hallRect(s, id);
        const double area = rect.width() * rect.height();
        if (!rect.adjusted(-1, -1, 1, 1).contains(p) || (found && area >= least)) return;
        found = id, least = area;
    });
    return found;
}

} // namespace

std::optional<std::pair<double, std::optional<double>>> readSize(const QString& typed)
{
    static const QRegularExpression between("\\s*[x×*,;]\\s*", QRegularExpression::CaseInsensitiveOption);
    const QStringList parts = typed.trimmed().split(between, Qt::SkipEmptyParts);
    if (parts.isEmpty() || parts.size() > 2) return std::nullopt;
    std::vector<double> sizes;
    for (const QString& part : parts) {
        const auto mm = readLength(text(edit::inUnitShown(part.toStdString(), parts.last().toStdString()))); // 30 x 20 ft: both are in ft
        if (!mm || *mm <= 0 || *mm > 10'000'000) return std::nullopt;
        sizes.push_back(double(*mm));
    }
    return std::pair(sizes[0], sizes.size() > 1 ? std::optional(sizes[1]) : std::nullopt);
}

void PlanDraw::setTool(DrawTool tool)
{
    cancel();
    m_tool = tool;
}

void PlanDraw::cancel()
{
    m_from.reset();
    m_typed.clear();
}

std::optional<QPointF> PlanDraw::anchorNear(QPointF world, double reach, EntityRef except) const
{
    const Snapshot& s = *m_bridge.figures()->snapshot;
    std::optional<QPointF> best;
    double nearest = reach;
    const auto offer = [&](QPointF p) {
        const double distance = std::hypot(p.x() - world.x(), p.y() - world.y());
        if (distance >= nearest) return;
        nearest = distance, best = p;
    };
    const auto rect = [&](const QRectF& r) {
        for (const double x : {r.left(), r.center().x(), r.right()})
            for (const double y : {r.top(), r.center().y(), r.bottom()})
                if (x != r.center().x() || y != r.center().y()) offer({x, y});
    };
    s.buildings.forEach([&](BuildingId id) {
        if (ref(id) != except) rect(buildingRect(s, id));
    });
    s.halls.forEach([&](HallId id) {
        if (ref(id) != except) rect(hallRect(s, id));
    });
    s.structures.forEach([&](StructureId id) {
        if (ref(id) == except) return;
        const auto frame = hallFrame(s, s.structures.hall[id]);
        const Point a = frame.at(s.structures.x1[id].count(), s.structures.y1[id].count(), 0);
        const Point b = frame.at(s.structures.x2[id].count(), s.structures.y2[id].count(), 0);
        offer(QPointF(a.x, a.y)), offer(QPointF(b.x, b.y)), offer(QPointF(a.x + b.x, a.y + b.y) / 2);
    });
    return best;
}

void PlanDraw::hover(QPointF world, const PlanCamera& camera, int step, bool free)
{
    if (m_tool == DrawTool::None || !m_bridge.figures()) return;
    if (const auto anchor = anchorNear(world, kReachPixels / camera.scale); anchor && !free) {
        m_at = *anchor, m_anchored = true;
        return;
    }
    m_anchored = false;
    if (m_from && !rectangle() && !free) { // a line keeps to an angle
        const QPointF d = world - *m_from;
        const double angle = std::round(std::atan2(d.y(), d.x()) * 180 / M_PI / kAngle) * kAngle * M_PI / 180;
        const double length = snapped(std::hypot(d.x(), d.y()), step);
        m_at = *m_from + QPointF(std::round(length * std::cos(angle)), std::round(length * std::sin(angle)));
        return;
    }
    m_at = free ? QPointF(std::round(world.x()), std::round(world.y())) : QPointF(snapped(world.x(), step), snapped(world.y(), step));
}

QPointF PlanDraw::second() const
{
    const auto size = readSize(m_typed);
    if (!m_from || !size) return m_at;
    const QPointF d = m_at - *m_from;
    if (rectangle()) return *m_from + QPointF(d.x() < 0 ? -size->first : size->first, (d.y() < 0 ? -1 : 1) * size->second.value_or(size->first));
    const double length = std::hypot(d.x(), d.y());
    return *m_from + (length > 0 ? d / length : QPointF(1, 0)) * size->first;
}

std::optional<std::pair<QPointF, QPointF>> PlanDraw::shape() const
{
    if (!m_from) return std::nullopt;
    return std::pair(*m_from, second());
}

void PlanDraw::press()
{
    if (m_tool == DrawTool::None || !m_bridge.figures()) return;
    if (m_from)
        finish();
    else
        m_from = m_at;
}

void PlanDraw::release()
{
    if (!m_from) return;
    const QPointF d = m_at - *m_from;
    if (std::hypot(d.x(), d.y()) >= kLeast) finish(); // else it was a click: the second point follows
}

bool PlanDraw::key(int key, const QString& text)
{
    if (m_tool == DrawTool::None) return false;
    if (key == Qt::Key_Escape) {
        if (m_from)
            cancel();
        else
            m_tool = DrawTool::None;
        return true;
    }
    if (!m_from) return false;
    if (key == Qt::Key_Backspace) {
        m_typed.chop(1);
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        finish();
        return true;
    }
    const QChar c = text.isEmpty() ? QChar() : text.front();
    const bool starts = c.isDigit() || c == '.';
    if (!starts && (m_typed.isEmpty() || !(c.isLetter() || QString("x×*,; '\"").contains(c)))) return false;
    if (m_typed.size() < 40) m_typed += c;
    return true;
}

Result<EntityRef> PlanDraw::make(Transaction& t, QPointF a, QPointF b) const
{
    const auto parts = ProjectParts::of(t->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const Snapshot& s = *t;
    const QRectF rect = QRectF(a, b).normalized();
    const auto add = [&](edit::NewThing thing) -> Result<EntityRef> {
        edit::Lookup lookup(t.preview());
        auto made = edit::add(t, **parts, lookup, {}, thing);
        if (!made) return tl::unexpected(made.error());
        return made->front();
    };
    const auto box = [&](const QRectF& r, QPointF origin) {
        return std::map<std::string, std::optional<std::string>>{{"x_mm", mmText(r.left() - origin.x())},
                                                                 {"y_mm", mmText(r.top() - origin.y())},
                                                                 {"size_x_mm", mmText(r.width())},
                                                                 {"size_y_mm", mmText(r.height())}};
    };
    if (m_tool == DrawTool::Building) return add({.kind = EntityKind::Building, .fields = box(rect, {})});
    if (m_tool == DrawTool::Hall) {
        std::optional<BuildingId> building;
        s.buildings.forEach([&](BuildingId id) {
            if (buildingRect(s, id).adjusted(-1, -1, 1, 1).contains(rect)) building = id;
        });
        if (!building) { // a building around it
            const auto made = add({.kind = EntityKind::Building, .fields = box(rect.adjusted(-kAround, -kAround, kAround, kAround), {})});
            if (!made) return made;
            building = BuildingId(made->id);
        }
        return add({.kind = EntityKind::Hall, .into = ref(*building), .fields = box(rect, buildingRect(s, *building).topLeft())});
    }
    const auto hall = hallAt(s, (a + b) / 2);
    if (!hall)
        return fail(ErrorCode::Refused, toolName(m_tool).toStdString(), i18n("not inside a room"),
                    i18n("draw it inside a room; draw the room first"));
    const QPointF origin = hallRect(s, *hall).topLeft();
    edit::NewThing thing{.kind = EntityKind::Structure, .into = ref(*hall)};
    const auto line = [&](QPointF from, QPointF to, double width, const char* kind) {
        thing.fields = {{"kind", kind},
                        {"x1_mm", mmText(from.x() - origin.x())},
                        {"y1_mm", mmText(from.y() - origin.y())},
                        {"x2_mm", mmText(to.x() - origin.x())},
                        {"y2_mm", mmText(to.y() - origin.y())},
                        {"width_mm", mmText(width)}};
        return add(thing);
    };
    const QPointF left(rect.left(), rect.center().y()), right(rect.right(), rect.center().y());
    switch (m_tool) {
    case DrawTool::Wall: return line(a, b, kWall, "wall");
    case DrawTool::Door: return line(a, b, kDoorDepth, "door");
    case DrawTool::Column: return line(left, right, rect.height(), "column");
    default: return line(left, right, rect.height(), "keep-out");
    }
}

void PlanDraw::finish()
{
    if (!m_from) return;
    const QPointF a = *m_from, b = second();
    const bool flat = std::abs(b.x() - a.x()) < kLeast || std::abs(b.y() - a.y()) < kLeast;
    if (rectangle() ? flat : std::hypot(b.x() - a.x(), b.y() - a.y()) < kLeast) return; // nothing yet
    const auto done = m_bridge.edit(QObject::tr("Draw %1").arg(toolName(m_tool)), [&](Transaction& t) -> Result<void> {
        const auto result = make(t, a, b);
        if (!result) return tl::unexpected(result.error());
        m_made = *result;
        return {};
    });
    cancel();
    if (!done) return;
    if (m_tool == DrawTool::Wall) m_from = b; // walls go on from each other, until Escape
}

void PlanDraw::paint(QPainter& painter, const PlanCamera& camera) const
{
    if (m_tool == DrawTool::None) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF at = camera.toScreen(m_at.x(), m_at.y());
    painter.setPen(QPen(m_anchored ? theme().warning : theme().accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    if (m_anchored)
        painter.drawRect(QRectF(at - QPointF(4, 4), QSizeF(8, 8)));
    else
        painter.drawLine(at - QPointF(6, 0), at + QPointF(6, 0)), painter.drawLine(at - QPointF(0, 6), at + QPointF(0, 6));
    QString label;
    if (const auto now = shape()) {
        const auto [a, b] = *now;
        QColor fill = theme().accent;
        fill.setAlphaF(0.15f);
        painter.setPen(QPen(theme().accent, 1.5));
        painter.setBrush(fill);
        const QPointF p = camera.toScreen(a.x(), a.y()), q = camera.toScreen(b.x(), b.y());
        if (rectangle()) {
            painter.drawRect(QRectF(p, q).normalized());
            label = exactSize(std::abs(b.x() - a.x()), std::abs(b.y() - a.y()));
        } else {
            painter.drawLine(p, q);
            const double angle = std::atan2(b.y() - a.y(), b.x() - a.x()) * 180 / M_PI;
            label = QString::fromUtf8("%1, %2°")
                        .arg(exactLength(std::hypot(b.x() - a.x(), b.y() - a.y())))
                        .arg(angle < 0 ? angle + 360 : angle, 0, 'f', 0);
        }
        if (!m_typed.isEmpty()) label += "   " + m_typed + "▏";
    } else {
        label = QObject::tr("%1: x %2, y %3").arg(toolName(m_tool), exactLength(m_at.x()), exactLength(m_at.y()));
    }
    painter.setFont(scaledFont(0.85));
    const QFontMetricsF metrics(painter.font());
    QRectF box = metrics.boundingRect(label).adjusted(-space(1), -2, space(1), 2);
    box.moveTopLeft(at + QPointF(14, 14));
    box.moveRight(std::min(box.right(), camera.view.width() - 4));
    box.moveBottom(std::min(box.bottom(), camera.view.height() - 4));
    QColor back = theme().raised;
    back.setAlphaF(0.94f);
    painter.setPen(QPen(theme().borderStrong, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(theme().text);
    painter.drawText(box, Qt::AlignCenter, label);
    painter.restore();
}

} // namespace hw::views
