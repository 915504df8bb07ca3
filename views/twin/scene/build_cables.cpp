// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/value_colors.h"
#include "views/twin/scene/build.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

constexpr float kCableArea = 0.003f * 0.003f / 0.55f; ///< m² that a 3 mm cable takes in a bundle as laid
constexpr float kBehindRack = 0.05f;                  ///< of the risers at the rear

std::size_t meshOf(const SceneFacts& facts, const SceneFacts::Section& section)
{
    return std::min<std::size_t>(section.building, facts.buildings().size());
}

std::uint32_t totalCables(const SceneFacts& facts, std::uint32_t section, const std::vector<bool>& hidden)
{
    std::uint32_t total = 0;
    const auto counts = facts.cablesOfSection(section);
    for (std::size_t n = 0; n < counts.size(); ++n)
        if (n >= hidden.size() || !hidden[n]) total += counts[n];
    return total;
}

struct Bundle {
    Vec3 a, b;
    float width, height;
};

Bundle bundleOf(const SceneFacts::Section& section, std::uint32_t cables)
{
    const float area = float(cables) * kCableArea;
    Bundle bundle{section.a, section.b, 0, 0};
    if (section.width > 0) {
        bundle.width = std::clamp(std::sqrt(area * 3), 0.03f, section.width * float(section.trays) * 0.92f);
        bundle.height = std::max(0.02f, area / bundle.width);
        const float lift = bundle.height / 2 - section.height / 2 + 0.01f; // it lies on the tray's floor
        if (std::abs(section.a[2] - section.b[2]) < 0.01f) bundle.a[2] += lift, bundle.b[2] += lift;
    } else {
        bundle.width = bundle.height = std::max(0.025f, std::sqrt(area));
    }
    return bundle;
}

/// The network with the most shown cables in a section gives its plain color.
Rgba plainColor(const Figures& f, std::span<const std::uint32_t> counts, const CableLook& look)
{
    std::uint32_t most = 0, color = 0;
    for (std::uint32_t n = 0; n + 1 < counts.size(); ++n)
        if ((n >= look.networkHidden.size() || !look.networkHidden[n]) && counts[n] > most) {
            most = counts[n];
            color = f.snapshot->networks.color[NetworkId(n)];
        }
    return cableColor(color, look.dark);
}

} // namespace

Aabb bundleBox(const SceneFacts& facts, std::uint32_t index)
{
    const auto& section = facts.sections()[index];
    const std::uint32_t cables = totalCables(facts, index, {});
    Aabb box;
    if (!cables && !section.tray) return box;
    const Bundle bundle = bundleOf(section, cables);
    box.add(bundle.a);
    box.add(bundle.b);
    const float half = std::max({bundle.width, bundle.height, section.width * float(section.trays)}) / 2;
    const Vec3 along = normalized(bundle.b - bundle.a);
    for (int i = 0; i < 3; ++i) {
        const float across = i == 2 ? std::max(bundle.height, section.height) / 2 : half;
        const float by = (1 - std::abs(along[i])) * across;
        box.low[i] -= by, box.high[i] += by;
    }
    return box;
}

std::vector<Mesh> buildTrays(const Figures& f, const SceneFacts& facts, const Palette& palette)
{
    std::vector<Mesh> meshes(facts.buildings().size() + 1);
    f.snapshot->trays.forEach([&](TrayId id) {
        const TrayLine& line = f.placement->tray(id);
        const Vec3 a = toMeters(line.a), b = toMeters(line.b), along = normalized(b - a);
        const TraySpec& spec = f.parts->tray(f.snapshot->trays.type[id]);
        const int count = std::max<int>(1, f.snapshot->trays.count[id]);
        const auto width = float(toMeters(spec.width.value)), height = float(toMeters(spec.height.value));
        const Vec3 side = std::abs(along[2]) > 0.9f ? Vec3{1, 0, 0} : normalized(cross({0, 0, 1}, along));
        const BoxLook look{.color = palette.tray, .bottom = true, .edges = false};
        Mesh& mesh = meshes[std::min<std::size_t>(facts.buildingAt((a + b) * 0.5f), meshes.size() - 1)];
        for (int i = 0; i <= count; ++i) {
            const Vec3 offset = side * (width * (float(i) - float(count) / 2));
            addBeam(mesh, a + offset, b + offset, 0.015f, height * 0.7f, look);
        }
    });
    return meshes;
}

std::vector<Rgba> sectionColors(const Figures& f, const SceneFacts& facts, const CableLook& look)
{
    const Rgba idle = shade(Palette::of(look.dark).tray, 0.8f);
    std::vector<Rgba> colors(facts.sections().size(), idle);
    const bool loads = look.loads && look.loads->result;
    for (std::uint32_t i = 0; i < colors.size(); ++i) {
        if (look.trays) {
            const auto tray = facts.sections()[i].tray;
            if (const float value = tray ? look.trays->at((*tray).value) : ValueField::kNone; known(value))
                colors[i] = rgb(valueRgb(*look.trays, value, look.dark));
            continue;
        }
        if (!loads) {
            colors[i] = plainColor(f, facts.cablesOfSection(i), look);
            continue;
        }
        const float load = i < look.loads->section.size() ? look.loads->section[i] : -1;
        if (load >= 0) colors[i] = utilizationColor(double(load), look.dark);
    }
    return colors;
}

BundleMeshes buildBundles(const Figures& f, const SceneFacts& facts, const CableLook& look)
{
    const std::vector<Rgba> colors = sectionColors(f, facts, look);
    BundleMeshes out;
    out.inTrays.resize(facts.buildings().size() + 1);
    out.drops.resize(facts.buildings().size() + 1);
    for (auto* meshes : {&out.inTrays, &out.drops})
        for (Mesh& mesh : *meshes) mesh.tinted = true;
    for (std::uint32_t i = 0; i < facts.sections().size(); ++i) {
        const std::uint32_t cables = totalCables(facts, i, look.networkHidden);
        if (!cables) continue;
        const auto& section = facts.sections()[i];
        const Bundle bundle = bundleOf(section, cables);
        const bool tray = section.tray.has_value();
        addBeam((tray ? out.inTrays : out.drops)[meshOf(facts, section)], bundle.a, bundle.b, bundle.width, bundle.height,
                {.color = colors[i], .bottom = true, .edges = tray, .ends = false, .thing = i});
        ++out.shown;
    }
    return out;
}

namespace {

/// A number in -1 … 1 that depends on a cable and a salt alone.
float spread(std::uint32_t id, std::uint32_t salt)
{
    std::uint32_t h = id * 0x9E3779B1u ^ (salt * 0x85EBCA77u);
    h ^= h >> 15, h *= 0x2C1B3C6Du, h ^= h >> 12;
    return float(h & 0xFFFF) / 32767.5f - 1;
}

/// A place on the rear of a device: -1 … 1 over the width, 0 … 1 up.
Vec3 rearPlace(const Figures& f, const SceneFacts& facts, DeviceId device, float across, float up, float out)
{
    const Snapshot& s = *f.snapshot;
    const Aabb box = toMeters(f.placement->device(s, *f.parts, device));
    const auto rack = s.devices.rack[device];
    if (!rack) return {box.center()[0], box.center()[1], box.high[2]};
    const FaceFrame rear = rearOf(facts.racks()[(*rack).value]);
    return rear.at(rear.width / 2 + 0.19f * across, 0, out) + Vec3{0, 0, box.low[2] + (box.high[2] - box.low[2]) * up};
}

/// Where a port is: on the rear of its device, spread over the width by its number.
Vec3 portPlace(const Figures& f, const SceneFacts& facts, PortId port, float out)
{
    const Snapshot& s = *f.snapshot;
    const std::uint32_t number = s.ports.number[port] + 37u * std::uint32_t(s.ports.role[port]);
    return rearPlace(f, facts, s.ports.device[port], float(number % 32) / 15.5f - 1, 0.25f + 0.5f * (float((number / 32) % 4) / 3), out);
}

} // namespace

std::vector<Vec3> cablePath(const Figures& f, const SceneFacts& facts, CableId cable)
{
    std::vector<Vec3> points;
    const auto links = f.cabling->linksOf(cable);
    if (links.empty()) return points;
    const Snapshot& s = *f.snapshot;
    const auto [deviceFrom, deviceTo] = f.cabling->endsOf(cable);
    const auto rackFrom = s.devices.rack[deviceFrom], rackTo = s.devices.rack[deviceTo];
    const float out = kBehindRack + 0.03f * (0.5f + 0.5f * spread(cable.value, 1));
    const auto place = [&](bool lower, float behind) {
        const DeviceId device = lower ? deviceFrom : deviceTo;
        const PortId port = lower ? s.links.from[links.front()] : s.links.to[links.front()];
        return s.ports.device[port] == device ? portPlace(f, facts, port, behind) : rearPlace(f, facts, device, spread(cable.value, 6), 0.5f, behind);
    };
    points = {place(true, 0), place(true, out)};
    const std::uint32_t pair = f.routing->pairOf(cable);
    const auto endFrom = f.routing->endOf(s, deviceFrom), endTo = f.routing->endOf(s, deviceTo);
    const auto top = [&](DeviceId device) { // of the rack, or of what stands in none
        const auto rack = s.devices.rack[device];
        return rack ? facts.racks()[(*rack).value].box.high[2] : toMeters(f.placement->device(s, *f.parts, device)).high[2];
    };
    if (pair != Routing::kNoPair && endFrom && endTo) {
        auto way = f.routing->path(pair);
        if (f.routing->pairs()[pair].a != *endFrom) std::reverse(way.begin(), way.end());
        const Vec3 offset{0.10f * spread(cable.value, 2), 0.10f * spread(cable.value, 3), 0.03f * spread(cable.value, 4)};
        // The way starts and ends on the racks' tops; a cable rises at the rear straight to the tray.
        const auto above = [](Point p, Point q) { return p.x == q.x && p.y == q.y; };
        if (way.size() > 2 && above(way[0], way[1])) way.erase(way.begin());
        if (way.size() > 2 && above(way[way.size() - 1], way[way.size() - 2])) way.pop_back();
        Vec3 rise = points.back();
        if (!way.empty()) {
            rise[2] = std::max(toMeters(way.front())[2], top(deviceFrom) + 0.05f) + offset[2];
            points.push_back(rise);
            for (const Point p : way) points.push_back(toMeters(p) + offset);
            Vec3 drop = place(false, out);
            drop[2] = std::max(toMeters(way.back())[2], top(deviceTo) + 0.05f) + offset[2];
            points.push_back(drop);
        }
    }
    const Vec3 before = place(false, out);
    if (points.size() == 2 && rackFrom != rackTo) { // no way through trays: over the racks
        const float z = std::max({points.back()[2], before[2], 2.6f});
        points.push_back({points.back()[0], points.back()[1], z});
        points.push_back({before[0], points.back()[1], z});
        points.push_back({before[0], before[1], z});
    }
    points.push_back(before);
    points.push_back(place(false, 0));
    return points;
}

Rgba colorOf(const Figures& f, CableId cable, const CableLook& look)
{
    const Snapshot& s = *f.snapshot;
    const auto links = f.cabling->linksOf(cable);
    const auto network = links.empty() ? Maybe<NetworkId>() : s.ports.network[s.links.from[links.front()]];
    Rgba own = cableColor(network ? s.networks.color[*network] : 0, look.dark);
    if (look.loads && look.loads->result) {
        const float load = look.loads->cable(f, cable);
        own = load >= 0 ? utilizationColor(double(load), look.dark) : Palette::of(look.dark).tray;
    }
    return shade(own, 1 + 0.12f * spread(cable.value, 5));
}

LineMesh buildCables(const Figures& f, const SceneFacts& facts, std::span<const CableId> cables, const CableLook& look, std::optional<Rgba> color)
{
    LineMesh mesh;
    if (!f.cabling || !f.routing) return mesh;
    const Snapshot& s = *f.snapshot;
    for (const CableId cable : cables) {
        const auto links = f.cabling->linksOf(cable);
        if (links.empty()) continue;
        const auto network = s.ports.network[s.links.from[links.front()]];
        if (network && (*network).value < look.networkHidden.size() && look.networkHidden[(*network).value]) continue;
        mesh.line(cablePath(f, facts, cable), color ? *color : colorOf(f, cable, look), cable.value);
    }
    return mesh;
}

} // namespace hw::views::twin
