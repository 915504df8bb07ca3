// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/twin_scene.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

constexpr float kNearRange = 16, kNearestRange = 7; ///< meters from the camera: devices; single cables
constexpr std::size_t kNearRacks = 70, kNearestRacks = 4;
constexpr std::size_t kChosenCables = 2000, kNearCables = 700;

/// Racks within `range` that may be in the picture, nearest first.
std::vector<RackId> racksNear(const SceneFacts& facts, const CameraFrame& frame, float range, std::size_t limit)
{
    std::vector<std::pair<float, RackId>> found;
    for (std::uint32_t i = 0; i < facts.racks().size(); ++i) {
        const auto& rack = facts.racks()[i];
        if (!rack.alive) continue;
        const float distance = length(rack.box.center() - frame.eye);
        if (distance < range && frame.mayShow(rack.box)) found.emplace_back(distance, RackId(i));
    }
    const std::size_t n = std::min(limit, found.size());
    std::partial_sort(found.begin(), found.begin() + std::ptrdiff_t(n), found.end());
    std::vector<RackId> racks;
    for (std::size_t i = 0; i < n; ++i) racks.push_back(found[i].second);
    std::sort(racks.begin(), racks.end());
    return racks;
}

} // namespace

TwinScene::TwinScene() { m_visible.fill(true); }

void TwinScene::adopt(PreparedScene prepared)
{
    if (!m_facts || prepared.dark != m_dark) m_vtk.setTheme(Palette::of(prepared.dark));
    m_figures = std::move(prepared.figures);
    m_facts = std::move(prepared.facts);
    m_loads = std::move(prepared.loads);
    setLoadsMark(m_loadsOf, m_loadsStale);
    m_dark = prepared.dark;
    m_counts.bundles = prepared.bundles;
    m_counts.racks = m_figures->snapshot->racks.size();
    dropWhatIsGone();
    for (auto& [part, meshes] : prepared.meshes) m_vtk.setMeshes(part, std::move(meshes));
    m_hot = std::move(prepared.hot);
    m_vtk.setLines(LinePart::HotCables, std::move(prepared.hotCables));
    if (m_trayValues) recolorSections();
    markSelection();
    showDistant();
    showNear();
    showCables();
}

/// What was near, hovered or at a distance in another design means nothing in this one.
void TwinScene::dropWhatIsGone()
{
    const auto gone = [&](RackId id) { return id.value >= m_facts->racks().size() || !m_facts->racks()[id.value].alive; };
    std::erase_if(m_near, gone);
    std::erase_if(m_nearest, gone);
    if (!living(*m_figures->snapshot, m_hover)) m_hover = {};
    if (m_distance.size() != m_facts->buildings().size()) m_distance.clear();
}

void TwinScene::adopt(PreparedLoads prepared)
{
    m_loads = std::move(prepared.loads);
    setLoadsMark(m_loadsOf, m_loadsStale);
    const ThingColors sections{std::move(prepared.sections), {}};
    for (const Part part : {Part::Bundles, Part::Drops}) m_vtk.setColors(part, sections);
    if (m_trayValues) recolorSections();
    if (prepared.hot != m_hot) {
        m_hot = std::move(prepared.hot);
        m_vtk.setLines(LinePart::HotCables, std::move(prepared.hotCables));
    }
    recolorCables();
}

void TwinScene::setLoadsMark(std::string whose, bool stale)
{
    m_loadsOf = std::move(whose), m_loadsStale = stale;
    m_loads.whose = m_loadsOf, m_loads.stale = stale;
}

void TwinScene::markSelection()
{
    const Rgba color = Palette::of(m_dark).selection;
    HighlightMeshes marks;
    if (m_figures && living(*m_figures->snapshot, m_selection)) marks = buildHighlight(*m_figures, *m_facts, m_selection, color);
    if (m_cablesShown && m_figures) marks.cables = cablesOf(*m_figures, *m_facts, m_selection, kChosenCables);
    m_vtk.setMesh(Part::Tint, 0, std::move(marks.tint));
    m_vtk.setLines(LinePart::Selection, std::move(marks.lines));
    if (m_figures) m_vtk.setLines(LinePart::ChosenCables, buildCables(*m_figures, *m_facts, marks.cables, cableLook(), color));
}

void TwinScene::setSelection(EntityRef entity)
{
    if (entity == m_selection) return;
    m_selection = entity;
    markSelection();
    if (m_figures) showCables();
}

void TwinScene::setRackColors(const std::shared_ptr<const std::vector<Rgba>>& colors)
{
    if (m_facts) m_vtk.setColors(Part::Racks, rackColors(*m_facts, Palette::of(m_dark), colors.get()));
}

void TwinScene::setTrayValues(std::shared_ptr<const OverlayValues> values)
{
    if (values && !values->of(EntityKind::Tray)) values = nullptr;
    if (values == m_trayValues) return;
    m_trayValues = std::move(values);
    if (m_facts) recolorSections();
}

void TwinScene::recolorSections()
{
    CableLook look = cableLook();
    if (m_trayValues) look.trays = m_trayValues->of(EntityKind::Tray);
    const ThingColors sections{sectionColors(*m_figures, *m_facts, look), {}};
    for (const Part part : {Part::Bundles, Part::Drops}) m_vtk.setColors(part, sections);
}

void TwinScene::setCablesShown(bool shown)
{
    if (shown == m_cablesShown) return;
    m_cablesShown = shown;
    if (m_figures) markSelection();
}

void TwinScene::setLayerVisible(TwinLayer layer, bool visible)
{
    m_visible[std::size_t(layer)] = visible;
    switch (layer) {
    case TwinLayer::Racks: m_vtk.setVisible(Part::Racks, visible); break;
    case TwinLayer::Devices:
        for (const Part part : {Part::Fronts, Part::NearBoxes, Part::NearFronts}) m_vtk.setVisible(part, visible);
        break;
    case TwinLayer::Trays: m_vtk.setVisible(Part::Trays, visible); break;
    case TwinLayer::Bundles:
        for (const Part part : {Part::Bundles, Part::Drops}) m_vtk.setVisible(part, visible);
        break;
    case TwinLayer::Cables:
        for (const LinePart part : {LinePart::Cables, LinePart::HotCables, LinePart::ChosenCables}) m_vtk.setVisible(part, visible);
        break;
    case TwinLayer::Shell:
        for (const Part part : {Part::Slab, Part::Walls}) m_vtk.setVisible(part, visible);
        break;
    case TwinLayer::Labels: break; // drawn by the widget
    }
}

void TwinScene::showNear()
{
    NearMeshes near = buildNear(*m_figures, *m_facts, m_near, Palette::of(m_dark));
    m_counts.devices = near.devices;
    m_vtk.setMesh(Part::NearBoxes, 0, std::move(near.boxes));
    m_vtk.setMesh(Part::NearFronts, 0, std::move(near.fronts));
}

void TwinScene::showCables()
{
    m_cables = cablesOf(*m_figures, *m_facts, m_selection, kChosenCables);
    for (const RackId rack : m_nearest) {
        const auto more = cablesOf(*m_figures, *m_facts, ref(rack), kNearCables / std::max<std::size_t>(1, m_nearest.size()));
        m_cables.insert(m_cables.end(), more.begin(), more.end());
    }
    std::sort(m_cables.begin(), m_cables.end());
    m_cables.erase(std::unique(m_cables.begin(), m_cables.end()), m_cables.end());
    m_counts.cables = m_cables.size();
    LineMesh lines = buildCables(*m_figures, *m_facts, m_cables, cableLook());
    m_lines = lines.things;
    m_vtk.setLines(LinePart::Cables, std::move(lines));
}

void TwinScene::recolorCables()
{
    std::vector<Rgba> colors;
    for (const std::uint32_t cable : m_lines) colors.push_back(colorOf(*m_figures, CableId(cable), cableLook()));
    m_vtk.setColors(LinePart::Cables, colors);
}

/// From afar a building loses what is smaller than a pixel there.
void TwinScene::showDistant()
{
    for (std::size_t i = 0; i < m_distance.size(); ++i) {
        m_vtk.setVisible(Part::Drops, i, m_distance[i] < 1);
        m_vtk.setVisible(Part::Fronts, i, m_distance[i] < 2);
        m_vtk.setVisible(Part::Trays, i, m_distance[i] < 3);
    }
}

bool TwinScene::updateDetail(const CameraFrame& frame)
{
    if (!m_facts) return false;
    std::vector<std::uint8_t> steps;
    for (const auto& building : m_facts->buildings()) {
        float square = 0;
        for (int i = 0; i < 3; ++i) {
            const float d = std::max({building.box.low[i] - frame.eye[i], frame.eye[i] - building.box.high[i], 0.0f});
            square += d * d;
        }
        const float pixels = frame.scale / std::max(1.0f, std::sqrt(square)); // of a meter
        steps.push_back(pixels > 26 ? 0 : pixels > 9 ? 1 : pixels > 5 ? 2 : 3);
    }
    auto near = racksNear(*m_facts, frame, kNearRange, kNearRacks), nearest = racksNear(*m_facts, frame, kNearestRange, kNearestRacks);
    bool changed = steps != m_distance;
    if (changed) {
        m_distance = std::move(steps);
        showDistant();
    }
    if (near != m_near) {
        m_near = std::move(near);
        showNear();
        changed = true;
    }
    if (nearest != m_nearest) {
        m_nearest = std::move(nearest);
        showCables();
        changed = true;
    }
    return changed;
}

Pick TwinScene::pick(const CameraFrame& frame, float x, float y) const
{
    if (!m_facts) return {};
    PickOptions options;
    options.racks = layerVisible(TwinLayer::Racks);
    options.devices = layerVisible(TwinLayer::Devices);
    options.sections = layerVisible(TwinLayer::Trays) || layerVisible(TwinLayer::Bundles);
    if (layerVisible(TwinLayer::Cables)) options.cables = m_cables;
    return pickAt(*m_figures, *m_facts, frame, x, y, options);
}

Aabb TwinScene::placeOf(EntityRef entity) const { return m_facts ? twin::placeOf(*m_figures, *m_facts, entity) : Aabb(); }

} // namespace hw::views::twin
