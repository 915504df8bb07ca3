// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/twin_scene.h"

#include <algorithm>
#include <map>

namespace hw::views::twin {

namespace {

/// The azimuth from which one looks at a face that points to `facing` degrees (0 = +x).
double azimuthBefore(int facing) { return facing + 90; }

/// Of the rack that an entity is or stands in; nothing for others.
std::optional<RackId> rackOf(const Snapshot& s, EntityRef e)
{
    if (e.kind == EntityKind::Rack && s.racks.contains(RackId(e.id))) return RackId(e.id);
    Maybe<DeviceId> device;
    if (e.kind == EntityKind::Device && s.devices.contains(DeviceId(e.id))) device = DeviceId(e.id);
    if (e.kind == EntityKind::Port && s.ports.contains(PortId(e.id))) device = s.ports.device[PortId(e.id)];
    if (e.kind == EntityKind::Cage && s.cages.contains(CageId(e.id))) device = s.cages.device[CageId(e.id)];
    return device ? std::optional<RackId>(s.devices.rack[*device]) : std::nullopt;
}

constexpr float kLowEye = 7; ///< meters: from higher up the racks' tops hide no names

/// True when a rack stands between the eye and a place that is not on that rack itself.
bool behindRack(const SceneFacts& facts, Vec3 eye, Vec3 at)
{
    const float distance = length(at - eye);
    const Ray ray{eye, normalized(at - eye)};
    for (const auto& rack : facts.racks())
        if (rack.alive)
            if (const auto t = hit(ray, rack.box); t && *t < distance - 0.4f) return true;
    return false;
}

/// Of several azimuths half a turn or a quarter apart the one nearest to where the camera stands now.
double nearestTurn(double wanted, double now, double step) { return wanted + std::round((now - wanted) / step) * step; }

} // namespace

std::optional<TwinCamera> TwinScene::cameraFor(EntityRef entity, const TwinCamera& now, float aspect) const
{
    const Aabb box = placeOf(entity);
    if (box.empty()) return std::nullopt;
    if (const auto rack = rackOf(*m_figures->snapshot, entity)) {
        // Before the front and from above, over the row on the other side of the aisle.
        const double front = azimuthBefore(m_facts->racks()[rack->value].facing);
        const double side = std::remainder(now.azimuth - front, 360.0) < 0 ? -24 : 24;
        const bool device = entity.kind != EntityKind::Rack;
        TwinCamera camera = fit(box, front + side, device ? 26 : 33, aspect, 1.45f);
        camera.distance = std::max(camera.distance, device ? 2.4 : 5.2);
        camera.cut = 0.52; // the aisle is narrower than the distance: the row opposite is looked through
        return camera;
    }
    const double elevation = std::clamp(now.elevation, 28.0, 60.0);
    TwinCamera camera = fit(box, now.azimuth, elevation, aspect, 1.25f);
    camera.distance = std::max(camera.distance, 4.0);
    return camera;
}

std::optional<TwinCamera> TwinScene::cameraForCables(const TwinCamera& now, float aspect) const
{
    if (!m_facts) return std::nullopt;
    Aabb box = placeOf(m_selection);
    for (const CableId cable : cablesOf(*m_figures, *m_facts, m_selection, 200))
        for (const Vec3& p : cablePath(*m_figures, *m_facts, cable)) box.add(p);
    if (box.empty()) return std::nullopt;
    return fit(box, now.azimuth, 50, aspect, 1.1f); // from above, where the trays are
}

TwinCamera TwinScene::preset(TwinPreset preset, float aspect) const
{
    if (!m_facts || m_facts->bounds().empty()) return {};
    Aabb box = m_facts->bounds();
    const Vec3 size = box.size();
    const bool deep = size[1] > size[0] * 1.4f; // longer to the north than to the east
    switch (preset) {
    case TwinPreset::Top: return fit(box, deep ? nearestTurn(90, 90, 180) : 0, 90, aspect);
    case TwinPreset::Front: return fit(box, deep ? 90 : 0, 14, aspect);
    case TwinPreset::Home: break;
    }
    return fit(box, deep ? 56 : -34, 33, aspect, 1.0f);
}

/// Names start with their building's, which has a label of its own.
std::string TwinScene::shortName(const std::string& name) const
{
    for (const auto& building : m_facts->buildings()) {
        if (!building.id) continue;
        const std::string& prefix = m_figures->snapshot->buildings.name[*building.id];
        if (!prefix.empty() && name.size() > prefix.size() + 1 && name.compare(0, prefix.size(), prefix) == 0 && name[prefix.size()] == '-')
            return name.substr(prefix.size() + 1);
    }
    return name;
}

/// Rows with names at both ends; rows of one cell share a name that stands for them from afar.
void TwinScene::addRowLabels(const CameraFrame& frame, std::vector<Label>& labels) const
{
    const Snapshot& s = *m_figures->snapshot;
    std::map<std::pair<HallId, std::int32_t>, std::vector<Label>> cells;
    s.rows.forEach([&](RowId id) {
        const Aabb box = toMeters(m_figures->placement->row(id));
        const Vec3 size = box.size();
        if (size[2] <= 0 || !frame.mayShow(box)) return;
        const bool alongX = size[0] >= size[1];
        const Vec3 c = box.center();
        const float z = box.high[2] + 0.10f;
        const Vec3 a = alongX ? Vec3{box.low[0] - 0.2f, c[1], z} : Vec3{c[0], box.low[1] - 0.2f, z};
        const Vec3 b = alongX ? Vec3{box.high[0] + 0.2f, c[1], z} : Vec3{c[0], box.high[1] + 0.2f, z};
        Label label{Label::Kind::Row, a, b, alongX ? size[1] : size[0], shortName(s.rows.name[id])};
        if (s.rows.cell[id] >= 0) cells[{s.rows.hall[id], s.rows.cell[id]}].push_back(label);
        labels.push_back(std::move(label));
    });
    for (const auto& [key, rows] : cells) {
        if (rows.size() < 2) continue;
        const auto differ = std::mismatch(rows[0].text.begin(), rows[0].text.end(), rows[1].text.begin(), rows[1].text.end());
        const std::string common(rows[0].text.begin(), differ.first);
        const auto end = common.find_last_of("- "); // a whole word
        if (end == std::string::npos || end == 0) continue;
        labels.push_back({Label::Kind::Cell, (rows[0].at + rows[1].at) * 0.5f, (rows[0].other + rows[1].other) * 0.5f,
                          length(rows[0].at - rows[1].at) + rows[0].size, common.substr(0, end)});
    }
}

std::vector<Label> TwinScene::labels(const CameraFrame& frame) const
{
    std::vector<Label> labels;
    if (!m_facts || !layerVisible(TwinLayer::Labels)) return labels;
    const Snapshot& s = *m_figures->snapshot;
    for (const auto& building : m_facts->buildings()) {
        const Vec3 c = building.box.center();
        const Vec3 at{c[0], c[1], building.box.high[2] + 0.5f};
        if (building.id) labels.push_back({Label::Kind::Building, at, at, building.box.size()[0], s.buildings.name[*building.id]});
    }
    addRowLabels(frame, labels);
    if (frame.eye[2] < kLowEye)
        std::erase_if(labels, [&](const Label& l) { return behindRack(*m_facts, frame.eye, l.at) && behindRack(*m_facts, frame.eye, l.other); });
    for (const RackId id : m_near) {
        const auto& rack = m_facts->racks()[id.value];
        const FaceFrame front = frontOf(rack);
        const Vec3 at = front.at(front.width / 2, rack.box.size()[2] + 0.04f, -0.05f);
        if (dot(frame.eye - at, front.out) > 0 && !behindRack(*m_facts, frame.eye, at))
            labels.push_back({Label::Kind::Rack, at, at, front.width, shortName(s.racks.name[id])});
    }
    return labels;
}

} // namespace hw::views::twin
