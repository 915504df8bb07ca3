// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_view.h"

#include "views/plan/plan_sheet.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>

#include <algorithm>
#include <map>

namespace hw::views {

constexpr double kRackPixels = 6; ///< narrower racks are picked row by row
constexpr double kWallPixels = 6; ///< thinner walls are picked as if they were as thick

PlanView::PlanView(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_drag(bridge), m_draw(bridge), m_handles(bridge, m_draw), m_overlay(OverlaySource::of(bridge))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Floor plan"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this] { onFigures(); });
    connect(&bridge, &DocumentBridge::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(&bridge, &DocumentBridge::previewChanged, this, qOverload<>(&QWidget::update));
    connect(&bridge, &DocumentBridge::zoomRequested, this, &PlanView::zoomTo);
    connect(&bridge, &DocumentBridge::cablesShownChanged, this, &PlanView::findWays);
    connect(&m_overlay, &OverlaySource::changed, this, [this] {
        if (m_fitted) zoomToAll(); // another legend may want another place
        update();
    });
    connect(&bridge, &DocumentBridge::placesReplaced, this, &PlanView::zoomToAll);
    if (!bridge.figures()) return;
    onFigures();
    zoomToAll();
}

void PlanView::onFigures()
{
    if (!living(*m_bridge.figures()->snapshot, m_hover)) m_hover = {}; // of another design, or removed
    const Figures& figures = *m_bridge.figures();
    updateKinds(m_facts, figures);
    m_underlays.update(figures);
    updateLayers();
    findWays();
    if (living(*figures.snapshot, m_draw.made()))
        QTimer::singleShot(0, this, [this] { m_bridge.select(m_draw.takeMade()); }); // once all views have these figures
    update();
}

/// The tray sections through which the cables of the selection run.
void PlanView::findWays()
{
    m_ways.clear();
    if (m_bridge.figures() && m_bridge.cablesShown()) {
        const Routing& routing = *m_bridge.figures()->routing;
        std::map<std::uint32_t, std::uint32_t> ofPair, ofSection;
        for (const EntityRef e : m_bridge.selection())
            for (const LinkId link : m_bridge.linksOf(e))
                if (const auto pair = routing.pairOfLink(link); pair != Routing::kNoPair) ++ofPair[pair];
        for (const auto& [pair, links] : ofPair)
            for (const std::uint32_t section : routing.sectionsOf(pair)) ofSection[section] += links;
        m_ways.assign(ofSection.begin(), ofSection.end());
    }
    update();
}

Legend PlanView::legend() const { return planLegend(*m_bridge.figures(), *m_overlay.values(), m_facts, m_layers, m_layerFacts); }

/// While something is dragged the layers stay as they were, but for the aisles.
void PlanView::updateLayers()
{
    if (!m_bridge.figures()) return;
    const Figures& figures = *m_bridge.figures();
    if (m_layers.has(PlanLayer::Network) || !m_facts.hiddenNetworks.empty()) updateNetworks(m_facts, figures);
    if (m_bridge.previewing())
        m_layerFacts.aisles = containedAisles(*figures.snapshot, *figures.placement), m_layerFacts.clearances = {};
    else
        m_layerFacts.update(figures, m_layers);
}

void PlanView::setLayer(PlanLayer layer, bool on)
{
    if (m_layers.has(layer) == on) return;
    m_layers.set(layer, on);
    updateLayers();
    if (m_fitted) zoomToAll();
    update();
    emit layersChanged();
}

QRectF PlanView::legendRect() const { return m_bridge.figures() ? PlanPainter::legendRect(legend(), QSizeF(size())) : QRectF(); }

void PlanView::setHiddenNetworks(std::set<std::uint32_t> networks)
{
    m_facts.hiddenNetworks = std::move(networks);
    updateLayers();
    update();
}

QRectF PlanView::siteBounds() const { return m_bridge.figures() ? views::siteBounds(*m_bridge.figures()) : QRectF(); }

void PlanView::zoomToAll()
{
    if (!m_bridge.figures()) return;
    m_camera.view = QSizeF(size());
    fitPlan(m_camera, *m_bridge.figures(), siteBounds(), legendRect());
    m_fitted = true;
    update();
}

void PlanView::zoomTo(EntityRef entity)
{
    const Box box = boxOf(entity);
    if (box == Box{}) return;
    QRectF world = worldRect(box);
    const double air = std::max({world.width(), world.height(), 2000.0}) * 0.4;
    world.adjust(-air, -air, air, air);
    m_camera.fit(world, 24);
    m_fitted = false;
    update();
}

Box PlanView::boxOf(EntityRef entity) const { return m_bridge.figures() ? planBox(*m_bridge.figures(), entity) : Box{}; }

QRectF PlanView::screenRect(EntityRef entity) const
{
    const Box box = boxOf(entity);
    return box == Box{} ? QRectF() : m_camera.toScreen(box);
}

QRectF PlanView::tagRect(RowId row) const { return PlanPainter::tagRect(m_camera, *m_bridge.figures(), row); }

EntityRef PlanView::entityAt(QPointF position) const
{
    if (!m_bridge.figures()) return {};
    const Figures& figures = *m_bridge.figures();
    EntityRef found;
    figures.snapshot->rows.forEach([&](RowId id) {
        if (tagRect(id).contains(position)) found = ref(id);
    });
    if (found) return found;
    for (const auto& tap : m_layerFacts.taps) // the power that a rack takes off a busway
        if (tap.link && figures.snapshot->links.contains(*tap.link) && tapRect(figures, m_camera, tap).contains(position)) return ref(*tap.link);
    for (const DeviceId id : m_facts.kinds->freeStanding)
        if (figures.snapshot->devices.contains(id) &&
            m_camera.toScreen(figures.placement->device(*figures.snapshot, *figures.parts, id)).contains(position))
            found = ref(id);
    figures.snapshot->racks.forEach([&](RackId id) {
        const QRectF rect = m_camera.toScreen(figures.placement->rack(id));
        if (!rect.contains(position)) return;
        found = std::min(rect.width(), rect.height()) < kRackPixels ? ref(figures.snapshot->racks.row[id]) : ref(id);
    });
    if (!found) found = structureAt(position);
    return found ? found : outlineAt(position);
}

/// The room, or else the building, whose outline is there.
EntityRef PlanView::outlineAt(QPointF position) const
{
    const Figures& figures = *m_bridge.figures();
    const auto onEdge = [&](const Box& box) {
        const QRectF rect = m_camera.toScreen(box);
        return rect.adjusted(-kWallPixels, -kWallPixels, kWallPixels, kWallPixels).contains(position) &&
               !rect.adjusted(kWallPixels, kWallPixels, -kWallPixels, -kWallPixels).contains(position);
    };
    EntityRef found;
    figures.snapshot->buildings.forEach([&](BuildingId id) {
        if (onEdge(figures.placement->building(id))) found = ref(id);
    });
    figures.snapshot->halls.forEach([&](HallId id) {
        if (onEdge(figures.placement->hall(id))) found = ref(id);
    });
    return found;
}

void PlanView::setTool(DrawTool tool)
{
    m_draw.setTool(tool);
    if (tool == DrawTool::None)
        unsetCursor();
    else
        setCursor(Qt::CrossCursor);
    if (tool != DrawTool::None) setFocus();
    update();
    emit toolChanged();
}

void PlanView::hoverDrawing(QPointF position, Qt::KeyboardModifiers modifiers)
{
    m_draw.hover(m_camera.toWorld(position), m_camera, m_drag.step(), modifiers & Qt::AltModifier);
    update();
}

/// The smallest piece of the building there, walls as a finger can hit them.
EntityRef PlanView::structureAt(QPointF position) const
{
    const Figures& figures = *m_bridge.figures();
    const QPointF world = m_camera.toWorld(position);
    EntityRef found;
    double least = 0;
    figures.snapshot->structures.forEach([&](StructureId id) {
        StructureShape shape = figures.placement->structure(id);
        shape.width = std::max(shape.width, std::int32_t(kWallPixels / m_camera.scale));
        const QPolygonF polygon = structurePolygon(shape);
        if (!polygon.containsPoint(world, Qt::OddEvenFill)) return;
        const QRectF around = polygon.boundingRect();
        const double size = around.width() * around.height();
        if (!found || size < least) found = ref(id), least = size;
    });
    return found;
}

void PlanView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_bridge.figures()) {
        painter.fillRect(rect(), theme().canvas);
        painter.setPen(theme().textFaint);
        painter.drawText(rect(), Qt::AlignCenter, tr("Calculating the design …"));
        return;
    }
    m_camera.view = QSizeF(size());
    PlanPainter plan(painter, m_camera, {*m_bridge.figures(), m_bridge.selection(), m_bridge.figuresBeforePreview().get()}, m_facts,
                     *m_overlay.values());
    plan.drawDesign(m_underlays, m_layers, m_layerFacts);
    if (m_layers.has(PlanLayer::Trays) && m_overlay.name() == "tray-fill") plan.drawTrayNames();
    plan.drawWays(m_ways);
    plan.drawGhost();
    plan.drawSelection(m_hover);
    plan.drawDimensions();
    plan.drawRulers();
    plan.drawNorth();
    plan.drawLegend(legend());
    plan.drawReadOut(m_drag);
    if (m_draw.tool() == DrawTool::None) m_handles.paint(painter, m_camera);
    m_draw.paint(painter, m_camera);
    if (m_gesture == Gesture::Band) {
        QColor fill = theme().accent;
        fill.setAlphaF(0.15f);
        painter.setPen(QPen(theme().accent, 1));
        painter.setBrush(fill);
        painter.drawRect(m_band);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PlanView::resizeEvent(QResizeEvent*)
{
    m_camera.view = QSizeF(size());
    if (m_fitted) zoomToAll();
}

} // namespace hw::views
