// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/holding.h"
#include "views/twin/scene/build.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

/// Racks that an entity stands for: itself, those of a row or rack type, else those with devices of a tier, network or type.
std::vector<RackId> racksOf(const Figures& f, const SceneFacts& facts, EntityRef e)
{
    const Snapshot& s = *f.snapshot;
    std::vector<RackId> racks;
    if (!e) return racks;
    const auto collect = [&](auto&& wanted) {
        s.racks.forEach([&](RackId id) {
            if (wanted(id)) racks.push_back(id);
        });
    };
    collect([&](RackId id) { return ref(id) == e || ref(s.racks.row[id]) == e || ref(s.racks.type[id]) == e; });
    if (!racks.empty()) return racks;
    std::vector<char> tiers(s.tiers.nextId(), 0);
    s.tiers.forEach([&](TierId id) { tiers[id.value] = ref(id) == e || holderOf(s, ref(id)) == e; });
    collect([&](RackId id) {
        const auto devices = facts.devicesOf(id);
        return std::ranges::any_of(devices, [&](DeviceId d) { return tiers[s.devices.tier[d].value] || ref(s.devices.type[d]) == e; });
    });
    return racks;
}

/// What is shown as its device: ports and cages, not links, which are shown as their cable.
Maybe<DeviceId> deviceShown(const Snapshot& s, EntityRef e) { return e.kind == EntityKind::Link ? Maybe<DeviceId>() : deviceOf(s, e); }

/// The tap-off that a way of power is.
const SceneFacts::Tap* tapOf(const Snapshot& s, const SceneFacts& facts, EntityRef e)
{
    if (e.kind != EntityKind::Link || !s.links.contains(LinkId(e.id)) || s.ports.medium[s.links.from[LinkId(e.id)]] != Medium::Power) return nullptr;
    const auto rack = s.devices.rack[s.ports.device[s.links.from[LinkId(e.id)]]];
    if (!rack) return nullptr;
    const auto taps = facts.tapsOf(*rack);
    const auto found = std::ranges::find(taps, LinkId(e.id), &SceneFacts::Tap::link);
    return found == taps.end() ? nullptr : &*found;
}

/// A device's own box: in a rack only what one sees of it, so that it stands out of the rack's front.
Aabb deviceBox(const Figures& f, const SceneFacts& facts, DeviceId id)
{
    Aabb box = toMeters(f.placement->device(*f.snapshot, *f.parts, id));
    const auto rack = f.snapshot->devices.rack[id];
    if (!rack) return box;
    const auto& place = facts.racks()[(*rack).value];
    if (isZeroU(f, id)) return place.box;
    const FaceFrame front = frontOf(place);
    const float side = std::max(0.0f, (front.width - kMountWidth) / 2);
    Aabb out;
    out.add(front.at(side, box.low[2] + 0.02f, 0.0f));
    out.add(front.at(front.width - side, box.high[2] - 0.02f, -front.depth * 0.5f));
    return out;
}

std::vector<CableId> evenly(std::vector<CableId> all, std::size_t limit)
{
    if (all.size() <= limit) return all;
    std::vector<CableId> some;
    for (std::size_t i = 0; i < limit; ++i) some.push_back(all[i * all.size() / limit]);
    return some;
}

} // namespace

std::vector<CableId> cablesOf(const Figures& f, const SceneFacts& facts, EntityRef e, std::size_t limit)
{
    std::vector<CableId> cables;
    if (!f.cabling || !f.routing) return cables;
    const Snapshot& s = *f.snapshot;
    if (const auto one = cableOf(s, e)) return {*one};
    const auto device = deviceShown(s, e);
    std::vector<char> wanted(s.racks.nextId(), 0);
    if (device && s.devices.rack[*device])
        wanted[(*s.devices.rack[*device]).value] = 1;
    else if (e.kind == EntityKind::Rack || e.kind == EntityKind::Row)
        for (const RackId rack : racksOf(f, facts, e)) wanted[rack.value] = 1;
    const auto pairs = f.routing->pairs();
    for (std::uint32_t p = 0; p < pairs.size(); ++p) {
        const auto asked = [&](RackId end) {
            const auto stand = f.routing->standAt(end);
            return stand ? stand == device : bool(wanted[end.value]);
        };
        bool take = asked(pairs[p].a) || asked(pairs[p].b);
        if (e.kind == EntityKind::Tray) {
            const auto sections = facts.sectionsOfPair(p);
            take = std::any_of(sections.begin(), sections.end(), [&](auto i) { return facts.sections()[i].tray == TrayId(e.id); });
        }
        if (!take) continue;
        const auto of = f.cabling->cablesOfPair(p);
        cables.insert(cables.end(), of.begin(), of.end());
    }
    if (device)
        std::erase_if(cables, [&](CableId cable) {
            const auto links = f.cabling->linksOf(cable);
            return std::none_of(links.begin(), links.end(), [&](LinkId l) {
                if (e.kind == EntityKind::Port) return s.links.from[l].value == e.id || s.links.to[l].value == e.id;
                return s.ports.device[s.links.from[l]] == *device || s.ports.device[s.links.to[l]] == *device;
            });
        });
    return evenly(std::move(cables), limit);
}

HighlightMeshes buildHighlight(const Figures& f, const SceneFacts& facts, EntityRef e, Rgba color)
{
    HighlightMeshes out;
    const Snapshot& s = *f.snapshot;
    const Rgba tint{color.r, color.g, color.b, 60};
    const auto mark = [&](const Aabb& box, bool filled) {
        if (box.empty()) return;
        const Aabb grown = box.grown(0.025f);
        if (filled) addBox(out.tint, grown, {.color = tint, .bottom = true, .edges = false});
        out.lines.boxEdges(grown, color);
    };
    const auto racks = racksOf(f, facts, e);
    if (e.kind == EntityKind::Row) {
        Aabb all;
        for (const RackId id : racks) all.add(facts.racks()[id.value].box);
        mark(all, true);
    } else {
        for (const RackId id : racks) mark(facts.racks()[id.value].box, true);
    }
    if (const auto device = deviceShown(s, e)) mark(deviceBox(f, facts, *device), true);
    if (const auto* tap = tapOf(s, facts, e)) mark(tapBox(f, *tap), true);
    if (e.kind == EntityKind::Tray)
        for (std::uint32_t i = 0; i < facts.sections().size(); ++i)
            if (facts.sections()[i].tray == TrayId(e.id)) mark(bundleBox(facts, i), true);
    if (e.kind == EntityKind::Hall || e.kind == EntityKind::Building || e.kind == EntityKind::Structure) mark(placeOf(f, facts, e), false);
    if (const auto cable = cableOf(s, e)) out.cables.push_back(*cable);
    return out;
}

Aabb placeOf(const Figures& f, const SceneFacts& facts, EntityRef e)
{
    const Snapshot& s = *f.snapshot;
    Aabb box;
    if (e.kind == EntityKind::Building && s.buildings.contains(BuildingId(e.id))) return toMeters(f.placement->building(BuildingId(e.id)));
    if (e.kind == EntityKind::Hall && s.halls.contains(HallId(e.id))) return toMeters(f.placement->hall(HallId(e.id)));
    if (e.kind == EntityKind::Structure && s.structures.contains(StructureId(e.id))) return toMeters(f.placement->structure(StructureId(e.id)).box());
    if (const auto device = deviceShown(s, e)) return deviceBox(f, facts, *device);
    if (const auto* tap = tapOf(s, facts, e)) return tapBox(f, *tap);
    if (const auto cable = cableOf(s, e)) {
        if (f.cabling && f.routing)
            for (const Vec3& p : cablePath(f, facts, *cable)) box.add(p);
        return box;
    }
    if (e.kind == EntityKind::Tray) {
        for (std::uint32_t i = 0; i < facts.sections().size(); ++i)
            if (facts.sections()[i].tray == TrayId(e.id)) box.add(bundleBox(facts, i));
        return box;
    }
    for (const RackId id : racksOf(f, facts, e)) box.add(facts.racks()[id.value].box);
    return box;
}

} // namespace hw::views::twin
