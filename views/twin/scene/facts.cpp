// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/facts.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

void countPairCables(const Figures& f, std::uint32_t networks, std::vector<std::uint32_t>& counts)
{
    if (!f.routing || !f.cabling) return;
    const Snapshot& s = *f.snapshot;
    const auto pairs = std::uint32_t(f.routing->pairs().size());
    counts.assign(std::size_t(pairs) * networks, 0);
    for (std::uint32_t pair = 0; pair < pairs; ++pair)
        for (const CableId cable : f.cabling->cablesOfPair(pair)) {
            const auto links = f.cabling->linksOf(cable);
            const auto network = links.empty() ? Maybe<NetworkId>() : s.ports.network[s.links.from[links.front()]];
            ++counts[std::size_t(pair) * networks + (network ? (*network).value : networks - 1)];
        }
}

} // namespace

std::shared_ptr<const SceneFacts::Content> SceneFacts::contentOf(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    auto content = std::make_shared<Content>();
    const std::uint32_t racks = s.racks.nextId();
    content->deviceOffset.assign(racks + 1, 0);
    s.devices.forEach([&](DeviceId id) {
        const auto rack = s.devices.rack[id];
        if (!rack) {
            if (s.devices.row[id] || s.devices.hall[id]) content->freeDevices.push_back(id);
            return;
        }
        ++content->deviceOffset[(*rack).value + 1];
    });
    for (std::uint32_t i = 0; i < racks; ++i) content->deviceOffset[i + 1] += content->deviceOffset[i];
    content->devices.resize(content->deviceOffset[racks]);
    std::vector<std::uint32_t> next(content->deviceOffset.begin(), content->deviceOffset.end() - 1);
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id]) content->devices[next[(*rack).value]++] = id;
    });
    content->kinds = f.get<RackKindsNode>().ofRack;
    const auto& feeds = f.get<PowerFeedsNode>();
    for (std::uint32_t i = 0; i < racks; ++i)
        for (std::uint32_t n = content->deviceOffset[i]; n < content->deviceOffset[i + 1]; ++n)
            for (const PowerFeed& feed : feeds.of(content->devices[n]))
                if (feed.link && s.devices.row[feed.supplier] && f.parts->device(s.devices.type[feed.supplier]).power.element == PowerElement::Busway)
                    content->taps.push_back({RackId(i), feed.supplier, *feed.link});
    for (std::uint32_t i = 0; i < racks; ++i)
        std::stable_sort(content->devices.begin() + content->deviceOffset[i], content->devices.begin() + content->deviceOffset[i + 1],
                         [&](DeviceId a, DeviceId b) { return s.devices.u[a] < s.devices.u[b]; });
    content->networks = s.networks.nextId() + 1;
    countPairCables(f, content->networks, content->pairCables);
    return content;
}

std::uint16_t SceneFacts::buildingAt(Vec3 p) const
{
    for (std::size_t i = 0; i < m_buildings.size(); ++i) {
        const Aabb& b = m_buildings[i].box;
        if (p[0] >= b.low[0] && p[0] <= b.high[0] && p[1] >= b.low[1] && p[1] <= b.high[1]) return std::uint16_t(i);
    }
    return kOutside;
}

void SceneFacts::place(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    std::vector<std::uint16_t> place(s.buildings.nextId(), kOutside);
    s.buildings.forEach([&](BuildingId id) {
        place[id.value] = std::uint16_t(m_buildings.size());
        m_buildings.push_back({id, toMeters(f.placement->building(id)), {}});
        m_bounds.add(m_buildings.back().box);
    });
    s.halls.forEach([&](HallId id) {
        Building& building = m_buildings[place[s.halls.building[id].value]];
        building.halls.push_back(toMeters(f.placement->hall(id)));
        building.ofRacks.push_back(s.halls.kind[id] == RoomKind::Hall || s.halls.kind[id] == RoomKind::Network);
    });
    m_racks.resize(s.racks.nextId());
    s.racks.forEach([&](RackId id) {
        Rack& rack = m_racks[id.value];
        rack.box = toMeters(f.placement->rack(id));
        rack.kind = m_content->kinds[id.value];
        rack.facing = std::int16_t(f.placement->facing(id));
        rack.building = place[s.halls.building[s.rows.hall[s.racks.row[id]]].value];
        rack.alive = true;
        m_bounds.add(rack.box);
    });
}

void SceneFacts::placeSections(const Figures& f)
{
    if (!f.routing) return;
    const Snapshot& s = *f.snapshot;
    for (const TraySection& section : f.routing->sections()) {
        Section out{toMeters(section.a), toMeters(section.b), {}, 0, 0, kOutside, 1};
        if (section.tray && s.trays.contains(*section.tray)) { // routes are those of all phases
            out.tray = section.tray;
            const TraySpec& spec = f.parts->tray(s.trays.type[*section.tray]);
            out.width = float(toMeters(spec.width.value));
            out.height = float(toMeters(spec.height.value));
            out.trays = std::uint16_t(std::max<int>(1, s.trays.count[*section.tray]));
        }
        out.building = buildingAt((out.a + out.b) * 0.5f);
        m_bounds.add(out.a);
        m_bounds.add(out.b);
        m_sections.push_back(out);
    }
    const auto pairs = std::uint32_t(f.routing->pairs().size());
    const std::uint32_t networks = m_content->networks;
    m_pairOffset.assign(1, 0);
    m_pairOffset.reserve(pairs + 1);
    m_sectionCables.assign(m_sections.size() * networks, 0);
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
        const auto path = f.routing->sectionsOf(pair);
        m_pairSections.insert(m_pairSections.end(), path.begin(), path.end());
        m_pairOffset.push_back(std::uint32_t(m_pairSections.size()));
        const auto cables = cablesOfPair(pair);
        for (const std::uint32_t section : path)
            for (std::uint32_t n = 0; n < networks; ++n) m_sectionCables[std::size_t(section) * networks + n] += cables[n];
    }
}

FactsPtr SceneFacts::of(const Figures& figures)
{
    auto facts = std::make_shared<SceneFacts>();
    facts->m_content = contentOf(figures);
    facts->place(figures);
    facts->placeSections(figures);
    return facts;
}

FactsPtr SceneFacts::update(const SceneFacts& before, const Figures& figures, const ChangeSet& changes)
{
    if (changes.touchesAny<PartTypes, Networks, Buildings, Halls, Tiers, Devices, Ports, Links, Cables>()) return of(figures);
    const RowChanges racks = changes.rows<Racks>();
    if (!racks.inserted.empty() || !racks.erased.empty()) return of(figures);
    const std::size_t pairs = figures.routing ? figures.routing->pairs().size() : 0;
    if (before.m_content->pairCables.size() != pairs * before.m_content->networks) return of(figures);

    auto facts = std::make_shared<SceneFacts>();
    facts->m_content = before.m_content;
    facts->place(figures);
    facts->placeSections(figures);
    return facts;
}

std::span<const DeviceId> SceneFacts::devicesOf(RackId rack) const
{
    const auto& offset = m_content->deviceOffset;
    return std::span(m_content->devices).subspan(offset[rack.value], offset[rack.value + 1] - offset[rack.value]);
}

std::span<const SceneFacts::Tap> SceneFacts::tapsOf(RackId rack) const
{
    const auto found = std::ranges::equal_range(m_content->taps, rack, {}, &Tap::rack);
    return {found.begin(), found.end()};
}

Aabb tapBox(const Figures& f, const SceneFacts::Tap& tap)
{
    constexpr float kAlong = 0.15f, kAcross = 0.09f, kDeep = 0.2f; // half of it, half of it, all of it: a box of 63 A (assumed)
    const Aabb bus = toMeters(f.placement->device(*f.snapshot, *f.parts, tap.busway)), rack = toMeters(f.placement->rack(tap.rack));
    const Vec3 busAt = bus.center(), rackAt = rack.center(), size = bus.size();
    const bool alongX = size[0] > size[1];
    const float dx = alongX ? kAlong : kAcross, dy = alongX ? kAcross : kAlong;
    const auto on = [&](int axis) {
        return std::clamp(rackAt[axis], bus.low[axis] + kAlong, std::max(bus.low[axis] + kAlong, bus.high[axis] - kAlong));
    };
    const float x = alongX ? on(0) : busAt[0], y = alongX ? busAt[1] : on(1);
    return {{x - dx, y - dy, bus.low[2] - kDeep}, {x + dx, y + dy, bus.low[2]}};
}

std::span<const std::uint32_t> SceneFacts::cablesOfPair(std::uint32_t pair) const
{
    return std::span(m_content->pairCables).subspan(std::size_t(pair) * m_content->networks, m_content->networks);
}

std::span<const std::uint32_t> SceneFacts::sectionsOfPair(std::uint32_t pair) const
{
    return std::span(m_pairSections).subspan(m_pairOffset[pair], m_pairOffset[pair + 1] - m_pairOffset[pair]);
}

std::span<const std::uint32_t> SceneFacts::cablesOfSection(std::uint32_t section) const
{
    return std::span(m_sectionCables).subspan(std::size_t(section) * m_content->networks, m_content->networks);
}

} // namespace hw::views::twin
