// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/figures/small_hall.h"

#include <stdexcept>

namespace hw::test {

namespace {

const Catalog& catalog()
{
    static const Catalog loaded = Catalog::load(HW_RESOURCES "/catalog").value();
    return loaded;
}

template <class TableT>
auto pick(const TableT& table, unsigned& state)
{
    const auto ids = table.ids();
    return ids[nextRandom(state) % ids.size()];
}

std::int32_t jump(unsigned& state) { return std::int32_t(nextRandom(state) % 6001) - 3000; }

} // namespace

SmallHall::SmallHall()
{
    for (const char* slug : {"200g-sr2", "400g-sr4", "400g-dr4", "400g-fr4", "mpo12-om4", "mpo12-om4-y2", "mpo12-os2", "lc-os2"}) (void)part(slug);
    building = addBuilding(1000, 2000, 60000, 40000);
    hall = addHall(building, 500, 700, 50000, 30000);
    network = s.networks.insert();
    s.networks.name.set(network, "backend");
    const auto tier = [&](TierKind kind, int level, bool member) {
        const TierId id = s.tiers.insert();
        s.tiers.kind.set(id, kind);
        s.tiers.level.set(id, std::int16_t(level));
        if (member) s.tiers.network.set(id, network);
        return id;
    };
    serverTier = tier(TierKind::Server, 0, false);
    torTier = tier(TierKind::Switch, 1, true);
    aggTier = tier(TierKind::Switch, 2, true);
}

PartTypeId SmallHall::part(const std::string& slug)
{
    std::optional<PartTypeId> found;
    s.partTypes.forEach([&](PartTypeId id) {
        if (s.partTypes.slug[id] == slug) found = id;
    });
    if (found) return *found;
    const Part* part = catalog().find(slug);
    if (!part) throw std::runtime_error("no part " + slug);
    const PartTypeId id = s.partTypes.insert();
    s.partTypes.slug.set(id, slug);
    s.partTypes.kind.set(id, kindOf(*part));
    s.partTypes.definition.set(id, part->definition);
    return id;
}

BuildingId SmallHall::addBuilding(std::int32_t x, std::int32_t y, std::int32_t sizeX, std::int32_t sizeY)
{
    const BuildingId id = s.buildings.insert();
    s.buildings.x.set(id, Millimeters(x)), s.buildings.y.set(id, Millimeters(y));
    s.buildings.sizeX.set(id, Millimeters(sizeX)), s.buildings.sizeY.set(id, Millimeters(sizeY)), s.buildings.sizeZ.set(id, Millimeters(6000));
    return id;
}

HallId SmallHall::addHall(BuildingId in, std::int32_t x, std::int32_t y, std::int32_t sizeX, std::int32_t sizeY)
{
    const HallId id = s.halls.insert();
    s.halls.building.set(id, in);
    s.halls.x.set(id, Millimeters(x)), s.halls.y.set(id, Millimeters(y));
    s.halls.sizeX.set(id, Millimeters(sizeX)), s.halls.sizeY.set(id, Millimeters(sizeY)), s.halls.sizeZ.set(id, Millimeters(4500));
    return id;
}

RowId SmallHall::addRow(std::int32_t x, std::int32_t y, int angle)
{
    const RowId id = s.rows.insert();
    s.rows.hall.set(id, hall);
    s.rows.x.set(id, Millimeters(x)), s.rows.y.set(id, Millimeters(y));
    s.rows.angle.set(id, std::int16_t(angle));
    return id;
}

RackId SmallHall::addRack(RowId row, std::int32_t along, std::int32_t across)
{
    const RackId id = s.racks.insert();
    s.racks.row.set(id, row);
    s.racks.type.set(id, part("rack-48u-600x1200"));
    s.racks.along.set(id, Millimeters(along)), s.racks.across.set(id, Millimeters(across));
    return id;
}

namespace {

TrayId addTray(SmallHall& h, TrayKind kind, Point a, Point b, int plane)
{
    const PartTypeId type = h.part("tray-600x100");
    auto& t = h.s.trays;
    const TrayId id = t.insert();
    t.kind.set(id, kind);
    t.type.set(id, type);
    t.x1.set(id, Millimeters(a.x)), t.y1.set(id, Millimeters(a.y)), t.z1.set(id, Millimeters(a.z));
    t.x2.set(id, Millimeters(b.x)), t.y2.set(id, Millimeters(b.y)), t.z2.set(id, Millimeters(b.z));
    t.plane.set(id, std::int16_t(plane));
    t.count.set(id, 1);
    return id;
}

} // namespace

TrayId SmallHall::addRowTray(RowId row, std::int32_t length, std::int32_t z, int plane)
{
    const TrayId id = addTray(*this, TrayKind::Row, {0, 600, z}, {length, 600, z}, plane);
    s.trays.row.set(id, row);
    return id;
}

TrayId SmallHall::addSpine(HallId in, Point a, Point b, int plane)
{
    const TrayId id = addTray(*this, TrayKind::Spine, a, b, plane);
    s.trays.hall.set(id, in);
    return id;
}

TrayId SmallHall::addDuct(Point a, Point b) { return addTray(*this, TrayKind::Duct, a, b, -1); }

DeviceId SmallHall::addServer(RackId rack, int u, DeviceRole role)
{
    const DeviceId id = addSwitch(serverTier, rack, u);
    s.devices.type.set(id, part("hpn-host-8gpu"));
    s.devices.role.set(id, role);
    return id;
}

DeviceId SmallHall::addSwitch(TierId tier, RackId rack, int u, int plane)
{
    const DeviceId id = s.devices.insert();
    s.devices.type.set(id, part("switch-51t-128x400g"));
    s.devices.tier.set(id, tier);
    s.devices.rack.set(id, rack);
    s.devices.u.set(id, std::int16_t(u));
    s.devices.plane.set(id, std::int16_t(plane));
    s.devices.pod.set(id, 0), s.devices.segment.set(id, 0);
    m_cages.resize(id.value + 1, 0);
    return id;
}

PortId SmallHall::addPort(DeviceId device, PortRole role, int rateGbps, int split)
{
    const CageId cage = s.cages.insert();
    s.cages.device.set(cage, device);
    s.cages.number.set(cage, m_cages[device.value]++);
    s.cages.split.set(cage, std::uint8_t(split));
    std::optional<PortId> first;
    for (int lane = 0; lane < split; ++lane) {
        const PortId id = s.ports.insert();
        if (!first) first = id;
        s.ports.cage.set(id, cage);
        s.ports.device.set(id, device);
        s.ports.network.set(id, network);
        s.ports.rate.set(id, Gbps(rateGbps));
        s.ports.lane.set(id, std::uint8_t(lane));
        s.ports.role.set(id, role);
    }
    return *first;
}

CableId SmallHall::addCable(Medium medium)
{
    const CableId id = s.cables.insert();
    s.cables.medium.set(id, medium);
    return id;
}

LinkId SmallHall::connect(PortId from, PortId to, CableId cable, LinkRole role)
{
    const LinkId id = s.links.insert();
    s.links.from.set(id, from), s.links.to.set(id, to);
    s.links.cable.set(id, cable);
    s.links.role.set(id, role);
    return id;
}

CableId SmallHall::join(DeviceId lower, DeviceId upper)
{
    const PortId a = addPort(lower, PortRole::Up, 400), b = addPort(upper, PortRole::Down, 400);
    const CableId cable = addCable();
    connect(a, b, cable);
    return cable;
}

FiguresPtr SmallHall::figures() const { return computeFigures(snapshot()).value(); }

SmallHall randomHall(unsigned seed)
{
    SmallHall h;
    unsigned state = seed * 2654435761u + 1;
    const auto random = [&](unsigned n) { return nextRandom(state) % n; };
    for (unsigned i = 0, n = 1 + random(3); i < n; ++i) {
        const auto y = std::int32_t(5000 + random(20000));
        if (random(4) == 0)
            h.addSpine(h.hall, {y, 1000, 3600}, {y, 29000, 3600}, int(random(3)) - 1);
        else
            h.addSpine(h.hall, {1000, y, 3600}, {std::int32_t(20000 + random(30000)), y, 3600}, int(random(3)) - 1);
    }
    std::vector<DeviceId> devices;
    for (unsigned r = 0, rows = 2 + random(5); r < rows; ++r) {
        const RowId row = h.addRow(std::int32_t(random(45000)), std::int32_t(random(28000)), int(random(4)) * 90);
        for (unsigned t = 0, trays = random(8) == 0 ? 0 : 1 + random(2); t < trays; ++t)
            h.addRowTray(row, std::int32_t(4000 + random(3000)), std::int32_t(3000 + 300 * random(3)), trays == 2 ? int(t) : -1);
        for (unsigned k = 0, racks = 1 + random(8); k < racks; ++k) {
            const RackId rack = h.addRack(row, std::int32_t(600 * k), random(6) == 0 ? 2000 : 0);
            devices.push_back(h.addSwitch(h.torTier, rack, int(1 + random(40)), int(random(3)) - 1));
            if (random(3) == 0) devices.push_back(h.addSwitch(h.aggTier, rack, int(1 + random(40)), int(random(3)) - 1));
        }
    }
    for (unsigned i = 0; i < 60; ++i) h.join(devices[random(unsigned(devices.size()))], devices[random(unsigned(devices.size()))]);
    return h;
}

void editAtRandom(Snapshot& s, unsigned& state)
{
    const auto shift = [&](auto& column, auto id) { column.set(id, column[id] + Millimeters(jump(state))); };
    switch (nextRandom(state) % 14) {
    case 0:
    case 1:
    case 2: {
        const RowId row = pick(s.rows, state);
        shift(s.rows.x, row), shift(s.rows.y, row);
        break;
    }
    case 3: {
        const RowId row = pick(s.rows, state);
        s.rows.angle.set(row, std::int16_t(nextRandom(state) % 4 * 90));
        break;
    }
    case 4: {
        const RackId rack = pick(s.racks, state);
        shift(s.racks.along, rack);
        break;
    }
    case 5: {
        const RackId rack = pick(s.racks, state);
        s.racks.row.set(rack, pick(s.rows, state));
        break;
    }
    case 6: {
        const TrayId tray = pick(s.trays, state);
        shift(s.trays.x2, tray);
        s.trays.z1.set(tray, s.trays.z2[tray] + Millimeters(jump(state) / 10));
        break;
    }
    case 7: {
        const HallId hall = pick(s.halls, state);
        shift(s.halls.x, hall);
        break;
    }
    case 8: {
        const DeviceId device = pick(s.devices, state);
        s.devices.name.set(device, "renamed");
        break;
    }
    case 9: {
        const DeviceId device = pick(s.devices, state);
        s.devices.u.set(device, std::int16_t(1 + nextRandom(state) % 40));
        if (s.devices.rack[device]) s.devices.rack.set(device, pick(s.racks, state));
        break;
    }
    case 10: {
        const CableId cable = pick(s.cables, state);
        s.cables.length.set(cable, Millimeters(std::int32_t(nextRandom(state) % 3) * 60000));
        break;
    }
    case 11: s.links.erase(pick(s.links, state)); break;
    case 12: {
        const LinkId link = pick(s.links, state);
        s.links.role.set(link, LinkRole::Backup);
        break;
    }
    case 13: s.putSetting("cabling.slack_percent", nextRandom(state) % 2 ? "5" : "7.5"); break;
    }
}

} // namespace hw::test
