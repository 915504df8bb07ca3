// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_drag.h"

#include "core/design/edit/edits.h"
#include "views/style/units.h"

#include <algorithm>
#include <cmath>

namespace hw::views {

QString moveName(const QString& what, QPoint mm)
{
    return mm.isNull() ? what : QString("%1  x %2, y %3").arg(what, signedLength(mm.x()), signedLength(mm.y()));
}

std::vector<EntityRef> PlanDrag::movable(const Snapshot& s, const std::vector<EntityRef>& selection)
{
    std::vector<EntityRef> result;
    const auto holds = [&](EntityRef e) { return std::ranges::find(selection, e) != selection.end(); };
    for (const EntityRef e : selection) {
        const bool freeDevice = e.kind == EntityKind::Device && !s.devices.rack[DeviceId(e.id)];
        const bool kindMoves =
            e.kind == EntityKind::Row || e.kind == EntityKind::Rack || e.kind == EntityKind::Hall || e.kind == EntityKind::Structure || freeDevice;
        if (!kindMoves) continue;
        const auto chain = ancestry(s, e);
        const bool carried = std::ranges::any_of(chain, [&](EntityRef up) { return up != e && holds(up); });
        if (!carried) result.push_back(e);
    }
    return result;
}

bool PlanDrag::begin(std::vector<EntityRef> entities)
{
    if (m_active || entities.empty()) return false;
    m_name =
        entities.size() == 1 ? QObject::tr("Move %1").arg(m_bridge.nameOf(entities.front())) : QObject::tr("Move %1 objects").arg(entities.size());
    if (!m_bridge.beginPreview(m_name)) return false;
    m_entities = std::move(entities);
    m_moved = {};
    m_active = true;
    return true;
}

void PlanDrag::moveTo(QPointF mm, int step_mm)
{
    const double step = std::max(1, step_mm);
    const QPoint target(int(std::lround(mm.x() / step) * std::lround(step)), int(std::lround(mm.y() / step) * std::lround(step)));
    if (target != m_moved) moveBy(target - m_moved);
}

void PlanDrag::moveBy(QPoint mm)
{
    if (!m_active) return;
    const auto result = m_bridge.preview([&](Transaction& transaction) -> Result<void> {
        for (const EntityRef e : m_entities)
            if (auto moved = edit::moveEntity(transaction, e, mm.x(), mm.y()); !moved) return moved;
        return {};
    });
    if (result)
        m_moved += mm;
    else
        m_bridge.report(result.error());
}

void PlanDrag::commit()
{
    if (!m_active) return;
    m_active = false;
    m_bridge.commitPreview(moveName(m_name, m_moved));
}

void PlanDrag::cancel()
{
    if (!m_active) return;
    m_active = false;
    m_bridge.cancelPreview();
}

} // namespace hw::views
