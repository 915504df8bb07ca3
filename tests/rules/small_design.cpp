// SPDX-License-Identifier: GPL-3.0-or-later
#include "small_design.h"

#include "core/foundation/catalog/catalog.h"

#include <stdexcept>

using namespace hw;

namespace {

template <class T>
T need(Result<T> result)
{
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

} // namespace

SmallDesign::SmallDesign()
{
    s.revision = 1;
    s.putSetting("project.name", "small");
    s.putSetting("rule.n11.spare_percent", "0");
    const Catalog catalog = need(Catalog::load(HW_TEST_PARTS));
    for (const auto& [slug, part] : catalog.parts()) {
        const auto id = s.partTypes.insert();
        s.partTypes.slug.set(id, slug);
        s.partTypes.kind.set(id, kindOf(*part));
        s.partTypes.definition.set(id, part->definition);
    }
    network = s.networks.insert();
    s.networks.key.set(network, "backend");
    s.networks.name.set(network, "backend");
    s.networks.planes.set(network, 2);
    s.networks.rails.set(network, 2);
    addPlaces();
    addDevices();
    addWiring();
}

PartTypeId SmallDesign::part(const std::string& slug) const
{
    std::optional<PartTypeId> found;
    s.partTypes.forEach([&](PartTypeId id) {
        if (s.partTypes.slug[id] == slug) found = id;
    });
    return found.value();
}

void SmallDesign::addPlaces()
{
    building = s.buildings.insert();
    s.buildings.key.set(building, "building");
    s.buildings.name.set(building, "building");
    s.buildings.sizeX.set(building, Millimeters(14000));
    s.buildings.sizeY.set(building, Millimeters(14000));
    s.buildings.sizeZ.set(building, Millimeters(5000));
    s.buildings.itLimit.set(building, watts(100'000));
    hall = s.halls.insert();
    s.halls.key.set(hall, "hall");
    s.halls.name.set(hall, "hall");
    s.halls.building.set(hall, building);
    s.halls.x.set(hall, Millimeters(1000));
    s.halls.y.set(hall, Millimeters(1000));
    s.halls.sizeX.set(hall, Millimeters(12000));
    s.halls.sizeY.set(hall, Millimeters(12000));
    s.halls.sizeZ.set(hall, Millimeters(3000));
    const auto tray = [&](const std::string& name, TrayKind kind, int x1, int y1, int x2, int y2) {
        const TrayId id = s.trays.insert();
        s.trays.key.set(id, name);
        s.trays.name.set(id, name);
        s.trays.kind.set(id, kind);
        s.trays.type.set(id, part("tray"));
        s.trays.x1.set(id, Millimeters(x1));
        s.trays.y1.set(id, Millimeters(y1));
        s.trays.x2.set(id, Millimeters(x2));
        s.trays.y2.set(id, Millimeters(y2));
        for (auto* z : {&s.trays.z1, &s.trays.z2}) z->set(id, Millimeters(2200));
        s.trays.plane.set(id, -1);
        s.trays.count.set(id, 1);
        return id;
    };
    for (int r = 0; r < 2; ++r) {
        rows[r] = s.rows.insert();
        s.rows.key.set(rows[r], "row" + std::to_string(r + 1));
        s.rows.name.set(rows[r], "row" + std::to_string(r + 1));
        s.rows.hall.set(rows[r], hall);
        s.rows.x.set(rows[r], Millimeters(2000));
        s.rows.y.set(rows[r], Millimeters(2000 + 4000 * r));
        trays[r] = tray("tray" + std::to_string(r + 1), TrayKind::Row, 0, 600, 4000, 600);
        s.trays.row.set(trays[r], rows[r]);
    }
    trays[2] = tray("spine", TrayKind::Spine, 5000, 1000, 5000, 9000);
    s.trays.hall.set(trays[2], hall);
    for (int r = 0; r < 3; ++r) {
        racks[r] = s.racks.insert();
        s.racks.key.set(racks[r], "rack" + std::to_string(r + 1));
        s.racks.name.set(racks[r], "rack" + std::to_string(r + 1));
        s.racks.row.set(racks[r], rows[r / 2]);
        s.racks.type.set(racks[r], part("rack"));
        s.racks.along.set(racks[r], Millimeters(r == 1 ? 600 : 0));
    }
}

DeviceId SmallDesign::addDevice(const std::string& name, TierId tier, const std::string& type, RackId rack, int u)
{
    const DeviceId id = s.devices.insert();
    s.devices.key.set(id, name);
    s.devices.name.set(id, name);
    s.devices.tier.set(id, tier);
    s.devices.type.set(id, part(type));
    s.devices.rack.set(id, rack);
    s.devices.u.set(id, std::int16_t(u));
    for (auto* c : {&s.devices.pod, &s.devices.segment, &s.devices.rail, &s.devices.plane}) c->set(id, -1);
    return id;
}

void SmallDesign::addDevices()
{
    const auto tier = [&](const std::string& name, TierKind kind, int level) {
        const TierId id = s.tiers.insert();
        s.tiers.key.set(id, name);
        s.tiers.name.set(id, name);
        s.tiers.kind.set(id, kind);
        s.tiers.level.set(id, std::int16_t(level));
        if (level > 0) s.tiers.network.set(id, network);
        return id;
    };
    serverTier = tier("server", TierKind::Server, 0);
    torTier = tier("tor", TierKind::Switch, 1);
    aggTier = tier("agg", TierKind::Switch, 2);
    for (int h = 0; h < 2; ++h) {
        hosts[h] = addDevice("host" + std::to_string(h + 1), serverTier, "host", racks[0], 1 + 2 * h);
        s.devices.pod.set(hosts[h], 0);
        s.devices.segment.set(hosts[h], 0);
    }
    for (int rail = 0; rail < 2; ++rail)
        for (int plane = 0; plane < 2; ++plane) {
            auto& tor = tors[rail][plane];
            tor = addDevice("tor-rail" + std::to_string(rail + 1) + "-plane" + std::to_string(plane + 1), torTier, "switch", racks[1],
                            1 + 2 * rail + plane);
            s.devices.pod.set(tor, 0);
            s.devices.segment.set(tor, 0);
            s.devices.rail.set(tor, std::int16_t(rail));
            s.devices.plane.set(tor, std::int16_t(plane));
        }
    for (int plane = 0; plane < 2; ++plane) {
        aggs[plane] = addDevice("agg" + std::to_string(plane + 1), aggTier, "switch", racks[2], 1 + plane);
        s.devices.pod.set(aggs[plane], 0);
        s.devices.plane.set(aggs[plane], std::int16_t(plane));
    }
}

PortId SmallDesign::addPort(DeviceId device, int number, int split, int lane, int gbps, PortRole role)
{
    std::optional<CageId> cage;
    s.cages.forEach([&](CageId id) {
        if (s.cages.device[id] == device && s.cages.number[id] == number) cage = id;
    });
    if (!cage) {
        cage = s.cages.insert();
        s.cages.device.set(*cage, device);
        s.cages.number.set(*cage, std::uint16_t(number));
        s.cages.split.set(*cage, std::uint8_t(split));
    }
    const PortId id = s.ports.insert();
    s.ports.cage.set(id, *cage);
    s.ports.device.set(id, device);
    s.ports.network.set(id, network);
    s.ports.rate.set(id, Gbps(gbps));
    s.ports.number.set(id, std::uint16_t(number * split + lane));
    s.ports.lane.set(id, std::uint8_t(lane));
    s.ports.role.set(id, role);
    return id;
}

LinkId SmallDesign::addLink(PortId from, PortId to, LinkRuleId rule, CableId cable)
{
    const LinkId id = s.links.insert();
    s.links.rule.set(id, rule);
    s.links.from.set(id, from);
    s.links.to.set(id, to);
    s.links.cable.set(id, cable);
    return id;
}

void SmallDesign::addWiring()
{
    const auto rule = [&](const std::string& key, TierId from, TierId to) {
        const LinkRuleId id = s.linkRules.insert();
        s.linkRules.key.set(id, key);
        s.linkRules.network.set(id, network);
        s.linkRules.from.set(id, from);
        s.linkRules.to.set(id, to);
        return id;
    };
    const LinkRuleId accessRule = rule("access", serverTier, torTier), upRule = rule("tor-agg", torTier, aggTier);
    for (int rail = 0; rail < 2; ++rail)
        for (int plane = 0; plane < 2; ++plane) {
            const CableId breakout = s.cables.insert(), cord = s.cables.insert();
            for (int h = 0; h < 2; ++h)
                access[h][rail][plane] = addLink(addPort(hosts[h], 2 * rail + plane, 1, 0, 200, PortRole::Host),
                                                 addPort(tors[rail][plane], 0, 2, h, 200, PortRole::Down), accessRule, breakout);
            uplinks[rail][plane] =
                addLink(addPort(tors[rail][plane], 1, 1, 0, 400, PortRole::Up), addPort(aggs[plane], rail, 1, 0, 400, PortRole::Down), upRule, cord);
        }
}

void SmallDesign::swapUpper(LinkId a, LinkId b)
{
    const PortId upper = s.links.to[a];
    s.links.to.set(a, s.links.to[b]);
    s.links.to.set(b, upper);
    const auto cable = s.links.cable[a]; // the leg of a breakout goes with its trunk
    s.links.cable.set(a, s.links.cable[b]);
    s.links.cable.set(b, cable);
}

FiguresPtr SmallDesign::figures() const { return need(computeFigures(std::make_shared<const Snapshot>(s))); }
