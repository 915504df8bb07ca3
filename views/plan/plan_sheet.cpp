// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_sheet.h"

#include "core/foundation/model/places.h"
#include "views/bridge/network_filter.h"
#include "views/style/format.h"
#include "views/style/side_color.h"

#include <algorithm>
#include <array>

namespace hw::views {
namespace {

constexpr double kSheetMargin = 42; // rulers and names above

/// What carries power of a side, and whether anything is drawn in its color.
void addSides(Legend& legend, const std::set<char>& sides, const QString& what)
{
    for (const char side : sides)
        if (side) legend.entries.push_back({sideColor(side), what.arg(side), {}});
}

std::set<char> traySides(const Snapshot& s)
{
    std::set<char> sides;
    s.trays.forEach([&](TrayId id) {
        if (s.trays.side[id] != PowerSide::None) sides.insert(char('A' + int(s.trays.side[id]) - int(PowerSide::A)));
    });
    return sides;
}

} // namespace

Legend planLegend(const Figures& figures, const OverlayValues& values, const RackFacts& facts, const PlanLayers& layers,
                  const PlanLayerFacts& layerFacts)
{
    const Snapshot& s = *figures.snapshot;
    const EntityKind about = legendEntity(values);
    const bool trays = about == EntityKind::Tray;
    Legend legend = overlayLegend(values, about, theme());
    if (values.name == "kind") {
        legend.title.clear(); // the swatches speak for themselves
        const bool drawn = std::ranges::find(facts.kinds->ofRack, RackKind::Facility) != facts.kinds->ofRack.end();
        const QString name = text(rackKindText(RackKind::Facility));
        if (!drawn && !facts.kinds->freeStanding.empty())
            legend.entries.push_back({kindColor(RackKind::Facility), name, count(std::int64_t(facts.kinds->freeStanding.size()))});
    }
    if (layers.has(PlanLayer::Power)) {
        std::set<char> sides;
        for (const auto& tap : layerFacts.taps) sides.insert(tap.side);
        addSides(legend, sides, QObject::tr("busways, feed %1"));
    }
    if (trays) addSides(legend, traySides(s), QObject::tr("tray edges, feed %1"));
    if (!facts.hiddenNetworks.empty() || layers.has(PlanLayer::Network))
        s.networks.forEach([&](NetworkId id) {
            if (!facts.hiddenNetworks.contains(id.value)) legend.entries.push_back({networkColor(s, id), networkTitle(s, id), {}});
        });
    return legend;
}

namespace {

/// Of the kinds of racks only those that stand in one hall, counted there.
void countInHall(Legend& legend, const Snapshot& s, const RackKinds& kinds, HallId hall)
{
    std::array<std::int64_t, kRackKinds> here{};
    s.racks.forEach([&](RackId id) { here[std::size_t(kinds.ofRack[id.value])] += s.rows.hall[s.racks.row[id]] == hall; });
    for (const DeviceId id : kinds.freeStanding) here[std::size_t(RackKind::Facility)] += hallOf(s, id) == Maybe<HallId>(hall);
    const auto left = std::remove_if(legend.entries.begin(), legend.entries.end(), [&](Legend::Entry& entry) {
        for (std::size_t kind = 0; kind < kRackKinds; ++kind)
            if (entry.text == text(rackKindText(RackKind(kind)))) {
                entry.count = count(here[kind]);
                return here[kind] == 0;
            }
        return false;
    });
    legend.entries.erase(left, legend.entries.end());
}

/// What stands around a hall fades.
void fadeAround(QPainter& painter, const PlanCamera& camera, QSizeF size, const Box& hall)
{
    constexpr double kEdge = 26, kOpacity = 0.82; // dimensions and their names stand at the edge
    QColor veil = theme().canvas;
    veil.setAlphaF(float(kOpacity));
    const QRectF all(QPointF(), size), kept = camera.toScreen(hall).adjusted(-kEdge, -kEdge, kEdge, kEdge).intersected(all);
    for (const QRectF& side : {QRectF(all.topLeft(), QPointF(all.right(), kept.top())), QRectF(QPointF(all.left(), kept.bottom()), all.bottomRight()),
                               QRectF(QPointF(all.left(), kept.top()), QPointF(kept.left(), kept.bottom())),
                               QRectF(QPointF(kept.right(), kept.top()), QPointF(all.right(), kept.bottom()))})
        painter.fillRect(side, veil);
}

} // namespace

QRectF siteBounds(const Figures& figures)
{
    QRectF bounds;
    const auto add = [&](const Box& box) { bounds = bounds.isNull() ? worldRect(box) : bounds.united(worldRect(box)); };
    figures.snapshot->buildings.forEach([&](BuildingId id) { add(figures.placement->building(id)); });
    figures.snapshot->halls.forEach([&](HallId id) { add(figures.placement->hall(id)); });
    return bounds;
}

void fitPlan(PlanCamera& camera, const Figures& figures, const QRectF& world, const QRectF& legend)
{
    camera.fit(world, kSheetMargin);
    bool covers = false;
    figures.snapshot->halls.forEach([&](HallId id) { covers = covers || camera.toScreen(figures.placement->hall(id)).intersects(legend); });
    if (covers) camera.fit(world, kSheetMargin, std::max(0.0, legend.height() + 16 - kSheetMargin + 20)); // dimensions stand below the halls
}

void paintPlanSheet(QPainter& painter, QSizeF size, const PlanSheet& sheet)
{
    const Figures& figures = *sheet.figures;
    const OverlayValues values = sheet.values ? *sheet.values : makeOverlay(*findOverlay("kind"), {figures});
    RackFacts facts;
    updateKinds(facts, figures);
    if (sheet.layers.has(PlanLayer::Network)) updateNetworks(facts, figures);
    PlanLayerFacts layerFacts;
    layerFacts.update(figures, sheet.layers);
    UnderlayLines underlays;
    underlays.update(figures);
    Legend legend = planLegend(figures, values, facts, sheet.layers, layerFacts);
    if (sheet.hall && values.name == "kind") countInHall(legend, *figures.snapshot, *facts.kinds, *sheet.hall);
    PlanCamera camera;
    camera.view = size;
    const QRectF world = sheet.hall ? worldRect(figures.placement->hall(*sheet.hall)) : siteBounds(figures);
    fitPlan(camera, figures, world, PlanPainter::legendRect(legend, size));
    painter.save();
    painter.setClipRect(QRectF(QPointF(), size));
    const std::vector<EntityRef> nothing;
    PlanPainter plan(painter, camera, {figures, nothing}, facts, values);
    plan.drawDesign(underlays, sheet.layers, layerFacts);
    if (sheet.trayNames) plan.drawTrayNames();
    plan.drawDimensions();
    if (sheet.hall) fadeAround(painter, camera, size, figures.placement->hall(*sheet.hall));
    plan.drawNorth();
    plan.drawLegend(legend);
    painter.restore();
}

} // namespace hw::views
