// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_handles.h"

#include "core/derived/geometry/frame.h"
#include "core/design/edit/edits_arrange.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr double kHalf = 4, kHandleReach = 8; ///< pixels
constexpr double kSnapPixels = 10;            ///< at which the cursor takes hold of a point
constexpr double kLeastMm = 50;               ///< of a side
constexpr double kLeastPixels = 24;           ///< smaller things show corners only

double onGrid(double mm, int step) { return step > 1 ? std::round(mm / step) * step : std::round(mm); }

edit::PlanLine inFrame(QPointF a, QPointF b, QPointF origin)
{
    const QPointF p = a - origin, q = b - origin;
    return {std::llround(p.x()), std::llround(p.y()), std::llround(q.x()), std::llround(q.y())};
}

} // namespace

std::optional<PlanHandles::Outline> PlanHandles::outlineOf(const Snapshot& s, EntityRef e) const
{
    if (!living(s, e)) return std::nullopt;
    const auto box = [&](const auto& table, auto id, QPointF origin) {
        const QPointF low = origin + QPointF(table.x[id].count(), table.y[id].count());
        return Outline{e, false, low, low + QPointF(table.sizeX[id].count(), table.sizeY[id].count()), origin};
    };
    const auto hallOrigin = [&](HallId hall) {
        const Frame frame = hallFrame(s, hall);
        return QPointF(frame.x, frame.y);
    };
    switch (e.kind) {
    case EntityKind::Building: return box(s.buildings, BuildingId(e.id), {});
    case EntityKind::Hall: {
        const HallId id(e.id);
        bool rectangle = true;
        s.corners.forEach([&](CornerId corner) { rectangle = rectangle && s.corners.hall[corner] != id; });
        const BuildingId in = s.halls.building[id];
        return rectangle ? std::optional(box(s.halls, id, QPointF(s.buildings.x[in].count(), s.buildings.y[in].count()))) : std::nullopt;
    }
    case EntityKind::Structure: {
        const StructureId id(e.id);
        const QPointF origin = hallOrigin(s.structures.hall[id]);
        const QPointF a = origin + QPointF(s.structures.x1[id].count(), s.structures.y1[id].count()),
                      b = origin + QPointF(s.structures.x2[id].count(), s.structures.y2[id].count());
        const StructureKind kind = s.structures.kind[id];
        if (kind != StructureKind::Column && kind != StructureKind::KeepOut) return Outline{e, true, a, b, origin};
        if (a.x() != b.x() && a.y() != b.y()) return std::nullopt; // at an angle
        const double half = s.structures.width[id].count() / 2.0;
        const QPointF across = a.y() == b.y() ? QPointF(0, half) : QPointF(half, 0);
        const QRectF area = QRectF(a, b).normalized();
        return Outline{e, false, area.topLeft() - across, area.bottomRight() + across, origin};
    }
    case EntityKind::Tray: {
        const TrayId id(e.id);
        if (s.trays.row[id] || !s.trays.hall[id]) return std::nullopt; // it goes with its row
        const QPointF origin = hallOrigin(*s.trays.hall[id]);
        return Outline{e, true, origin + QPointF(s.trays.x1[id].count(), s.trays.y1[id].count()),
                       origin + QPointF(s.trays.x2[id].count(), s.trays.y2[id].count()), origin};
    }
    default: return std::nullopt;
    }
}

std::vector<PlanHandles::Handle> PlanHandles::handles() const
{
    if (!m_bridge.figures() || m_bridge.selection().size() != 1) return {};
    const auto outline = m_active ? std::optional(m_now) : outlineOf(*m_bridge.figures()->snapshot, m_bridge.selected());
    if (!outline) return {};
    if (outline->line) return {{outline->a, 0, 0, 1}, {outline->b, 0, 0, 2}};
    std::vector<Handle> all;
    const QPointF middle = (outline->a + outline->b) / 2;
    for (const int dx : {-1, 0, 1})
        for (const int dy : {-1, 0, 1})
            if (dx != 0 || dy != 0)
                all.push_back({{dx < 0   ? outline->a.x()
                                : dx > 0 ? outline->b.x()
                                         : middle.x(),
                                dy < 0   ? outline->a.y()
                                : dy > 0 ? outline->b.y()
                                         : middle.y()},
                               dx,
                               dy,
                               0});
    return all;
}

std::vector<PlanHandles::Handle> PlanHandles::handles(const PlanCamera& camera) const
{
    auto all = handles();
    if (all.empty() || m_active) return all;
    const QPointF size = (all.back().at - all.front().at) * camera.scale;
    const bool line = all.size() == 2;
    const double least = line ? std::hypot(size.x(), size.y()) : std::min(std::abs(size.x()), std::abs(size.y()));
    if (least < kLeastPixels) all.clear();
    return all;
}

std::optional<PlanHandles::Handle> PlanHandles::at(QPointF screen, const PlanCamera& camera) const
{
    std::optional<Handle> nearest;
    double least = kHandleReach;
    for (const Handle& handle : handles(camera)) {
        const QPointF d = camera.toScreen(handle.at.x(), handle.at.y()) - screen;
        const double distance = std::max(std::abs(d.x()), std::abs(d.y()));
        if (distance <= least && (!nearest || distance < least)) nearest = handle, least = distance;
    }
    return nearest;
}

bool PlanHandles::begin(const Handle& handle)
{
    if (m_active || !m_bridge.figures()) return false;
    const Snapshot& s = *m_bridge.figures()->snapshot;
    const auto outline = outlineOf(s, m_bridge.selected());
    if (!outline || !m_bridge.beginPreview(QObject::tr("Reshape %1").arg(m_bridge.nameOf(outline->entity)))) return false;
    m_handle = handle;
    m_from = m_now = *outline;
    m_typed.clear();
    m_joined.clear();
    if (outline->entity.kind == EntityKind::Tray) {
        const QPointF joint = handle.end == 1 ? outline->a : outline->b;
        const auto heightAt = [&](TrayId id, int end) { return end == 1 ? s.trays.z1[id] : s.trays.z2[id]; };
        const Millimeters height = heightAt(TrayId(outline->entity.id), handle.end);
        s.trays.forEach([&](TrayId id) {
            const auto other = ref(id) == outline->entity ? std::nullopt : outlineOf(s, ref(id));
            if (!other) return;
            for (const int end : {1, 2})
                if ((end == 1 ? other->a : other->b) == joint && heightAt(id, end) == height) m_joined.emplace_back(*other, end);
        });
    }
    m_active = true;
    return true;
}

PlanHandles::Outline PlanHandles::dragged(QPointF to) const
{
    Outline o = m_from;
    if (o.line) {
        (m_handle.end == 1 ? o.a : o.b) = to;
        return o;
    }
    if (m_handle.dx < 0) o.a.setX(std::min(to.x(), o.b.x() - kLeastMm));
    if (m_handle.dx > 0) o.b.setX(std::max(to.x(), o.a.x() + kLeastMm));
    if (m_handle.dy < 0) o.a.setY(std::min(to.y(), o.b.y() - kLeastMm));
    if (m_handle.dy > 0) o.b.setY(std::max(to.y(), o.a.y() + kLeastMm));
    return o;
}

/// The size that was typed, measured from the side or end that stays.
PlanHandles::Outline PlanHandles::typed(Outline o) const
{
    const auto size = readSize(m_typed);
    if (!size) return o;
    if (o.line) {
        const QPointF fixed = m_handle.end == 1 ? o.b : o.a, d = (m_handle.end == 1 ? o.a : o.b) - fixed;
        const double length = std::hypot(d.x(), d.y());
        (m_handle.end == 1 ? o.a : o.b) = fixed + (length > 0 ? d / length : QPointF(1, 0)) * size->first;
        return o;
    }
    const double width = m_handle.dx != 0 ? size->first : o.b.x() - o.a.x();
    const double height = m_handle.dy == 0 ? o.b.y() - o.a.y() : m_handle.dx == 0 ? size->first : size->second.value_or(o.b.y() - o.a.y());
    if (m_handle.dx < 0)
        o.a.setX(o.b.x() - width);
    else
        o.b.setX(o.a.x() + width);
    if (m_handle.dy < 0)
        o.a.setY(o.b.y() - height);
    else
        o.b.setY(o.a.y() + height);
    return o;
}

void PlanHandles::moveTo(QPointF world, const PlanCamera& camera, int step, bool free)
{
    if (!m_active) return;
    QPointF to(onGrid(world.x(), free ? 1 : step), onGrid(world.y(), free ? 1 : step));
    if (const auto anchor = free ? std::nullopt : m_draw.anchorNear(world, kSnapPixels / camera.scale, m_from.entity)) to = *anchor;
    m_now = typed(dragged(to));
    apply();
}

void PlanHandles::apply()
{
    const auto done = m_bridge.preview([&](Transaction& t) -> Result<void> {
        if (auto shaped = edit::reshape(t, m_now.entity, inFrame(m_now.a, m_now.b, m_now.origin)); !shaped) return shaped;
        const QPointF joint = m_handle.end == 1 ? m_now.a : m_now.b;
        for (const auto& [other, end] : m_joined)
            if (auto shaped = edit::reshape(t, other.entity, inFrame(end == 1 ? joint : other.a, end == 2 ? joint : other.b, other.origin)); !shaped)
                return shaped;
        return {};
    });
    if (!done) m_bridge.report(done.error());
}

bool PlanHandles::key(int key, const QString& text)
{
    if (!m_active) return false;
    if (key == Qt::Key_Escape) return cancel(), true;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return commit(), true;
    const QChar c = text.isEmpty() ? QChar() : text.front();
    const bool starts = c.isDigit() || c == '.';
    if (key == Qt::Key_Backspace)
        m_typed.chop(1);
    else if (starts || (!m_typed.isEmpty() && (c.isLetter() || QString("x×*,; '\"").contains(c))))
        m_typed += c;
    else
        return false;
    m_now = typed(m_now);
    apply();
    return true;
}

void PlanHandles::commit()
{
    if (!std::exchange(m_active, false)) return;
    m_bridge.commitPreview();
}

void PlanHandles::cancel()
{
    if (!std::exchange(m_active, false)) return;
    m_bridge.cancelPreview();
}

void PlanHandles::paint(QPainter& painter, const PlanCamera& camera) const
{
    const auto all = handles(camera);
    if (all.empty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Handle& handle : all) {
        const QPointF at = camera.toScreen(handle.at.x(), handle.at.y());
        painter.setPen(QPen(theme().accent, 1.5));
        painter.setBrush(theme().canvas);
        painter.drawRect(QRectF(at - QPointF(kHalf, kHalf), QSizeF(2 * kHalf, 2 * kHalf)));
    }
    if (m_active) {
        const QPointF size = m_now.b - m_now.a;
        QString label = m_now.line ? exactLength(std::hypot(size.x(), size.y())) : exactSize(size.x(), size.y());
        if (!m_typed.isEmpty()) label += "   " + m_typed + "▏";
        painter.setFont(scaledFont(0.85));
        QRectF box = QFontMetricsF(painter.font()).boundingRect(label).adjusted(-space(1), -2, space(1), 2);
        const QPointF middle = (m_now.a + m_now.b) / 2;
        box.moveCenter(camera.toScreen(middle.x(), middle.y()));
        painter.setPen(QPen(theme().borderStrong, 1));
        painter.setBrush(theme().raised);
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(theme().text);
        painter.drawText(box, Qt::AlignCenter, label);
    }
    painter.restore();
}

} // namespace hw::views
