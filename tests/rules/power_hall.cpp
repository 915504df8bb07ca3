// SPDX-License-Identifier: GPL-3.0-or-later
#include "power_hall.h"

#include <stdexcept>

using namespace hw;

namespace {

struct Made {
    const char *slug, *ports, *own;
};

/// Whole numbers that the tests' arithmetic is easy with; the four hosts and four switches draw 10 kW.
const Made kParts[] = {
    {"t-utility", "", "capacity: {value: 50, unit: kW, source: t, confidence: A}\npower: {element: utility}\n"},
    {"t-transformer", "",
     "width: {value: 2000, unit: mm, source: t, confidence: A}\ndepth: {value: 1500, unit: mm, source: t, confidence: A}\n"
     "height: {value: 2000, unit: mm, source: t, confidence: A}\n"
     "power: {element: transformer, apparent: {value: 20, unit: kVA, source: t, confidence: A}}\n"},
    {"t-generator", "", "capacity: {value: 12, unit: kW, source: t, confidence: A}\npower: {element: generator}\n"},
    {"t-board", "", "capacity: {value: 50, unit: kW, source: t, confidence: A}\npower: {element: switchboard}\n"},
    {"t-ups", "",
     "capacity: {value: 12, unit: kW, source: t, confidence: A}\n"
     "power: {element: ups, battery: {value: 2, unit: kWh, source: t, confidence: A}, end_of_life: {value: 80, unit: '%', source: t, confidence: "
     "A}}\n"},
    {"t-busway", "",
     "width: {value: 3000, unit: mm, source: t, confidence: A}\ndepth: {value: 200, unit: mm, source: t, confidence: A}\n"
     "height: {value: 150, unit: mm, source: t, confidence: A}\ncapacity: {value: 60, unit: kW, source: t, confidence: A}\npower: {element: "
     "busway}\n"},
    {"t-strip",
     "power-ports:\n  - {name: Input, type: iec-60309-3p-n-e-6h, maximum_draw: 20000}\npower-outlets:\n"
     "  - {name: o1, type: iec-60320-c19, power_port: Input}\n  - {name: o2, type: iec-60320-c19, power_port: Input}\n"
     "  - {name: o3, type: iec-60320-c19, power_port: Input}\n",
     "capacity: {value: 20, unit: kW, source: t, confidence: A}\npower: {element: pdu}\n"},
    {"t-host",
     "power-ports:\n  - {name: PSU1, type: iec-60320-c20, maximum_draw: 3000}\n  - {name: PSU2, type: iec-60320-c20, maximum_draw: 3000}\n"
     "interfaces:\n  - {name: nic1p1, type: 400gbase-x-qsfp112}\n  - {name: nic1p2, type: 400gbase-x-qsfp112}\n",
     "typical_power: {value: 2000, unit: W, source: t, confidence: A}\ndesign_power: {value: 2000, unit: W, source: t, confidence: A}\n"
     "nameplate_power: {value: 2000, unit: W, source: t, confidence: A}\noptics_included: true\n"},
    {"t-switch",
     "power-ports:\n  - {name: PSU1, type: iec-60320-c20, maximum_draw: 1000}\n  - {name: PSU2, type: iec-60320-c20, maximum_draw: 1000}\n"
     "interfaces:\n  - {name: swp1, type: 400gbase-x-osfp}\n  - {name: swp2, type: 400gbase-x-osfp}\n  - {name: swp3, type: 400gbase-x-osfp}\n"
     "  - {name: swp4, type: 400gbase-x-osfp}\n  - {name: swp5, type: 400gbase-x-osfp}\n",
     "typical_power: {value: 500, unit: W, source: t, confidence: A}\ndesign_power: {value: 500, unit: W, source: t, confidence: A}\n"
     "nameplate_power: {value: 500, unit: W, source: t, confidence: A}\noptics_included: true\n"},
};

template <class Table, class IdOf>
void label(Table& table, IdOf id, const std::string& name)
{
    table.key.set(id, name);
    table.name.set(id, name);
}

} // namespace

PowerHall::PowerHall()
{
    s.putSetting("rule.p11.limit_kw", "100");
    label(s.buildings, building, "building");
    label(s.halls, hall, "hall");
    s.halls.floorLoad.set(hall, KilogramsPerSquareMeter(2000));
    s.halls.clearHeight.set(hall, Millimeters(4000));
    label(s.networks, network, "backend");
    s.networks.planes.set(network, 2);
    label(s.tiers, serverTier, "server"), label(s.tiers, torTier, "tor"), label(s.tiers, aggTier, "agg");
    powerTier = s.tiers.insert();
    label(s.tiers, powerTier, "power");
    s.tiers.kind.set(powerTier, TierKind::Power);
    addParts();
    addPlant();
    addRow();
    addNetwork();
}

void PowerHall::addParts()
{
    for (const Made& made : kParts) {
        const std::string slug = made.slug;
        const std::string text = "manufacturer: Test\nmodel: " + slug + "\nslug: " + slug + "\nu_height: " +
                                 (slug == "t-host"     ? "4"
                                  : slug == "t-switch" ? "1"
                                                       : "0") +
                                 "\nis_full_depth: true\n" + made.ports + "---\nkind: device\nslug: " + slug + "\nreviewed: \"2026-11-20\"\n" +
                                 made.own;
        const PartTypeId id = s.partTypes.insert();
        s.partTypes.slug.set(id, slug);
        s.partTypes.kind.set(id, PartKind::Device);
        s.partTypes.definition.set(id, text);
    }
}

DeviceId PowerHall::add(const std::string& name, TierId tier, const std::string& type)
{
    const DeviceId id = s.devices.insert();
    label(s.devices, id, name);
    s.devices.tier.set(id, tier);
    s.devices.type.set(id, part(type));
    for (auto* c : {&s.devices.pod, &s.devices.segment, &s.devices.rail, &s.devices.plane}) c->set(id, -1);
    return id;
}

PortId PowerHall::addSocket(DeviceId device, Medium medium, PortRole role)
{
    const CageId cage = s.cages.insert();
    s.cages.device.set(cage, device);
    s.cages.number.set(cage, 100);
    s.cages.split.set(cage, 1);
    const PortId port = s.ports.insert();
    s.ports.cage.set(port, cage);
    s.ports.device.set(port, device);
    s.ports.role.set(port, role);
    s.ports.medium.set(port, medium);
    return port;
}

PortId PowerHall::addDataPort(DeviceId device, PortRole role)
{
    const PortId port = addSocket(device, Medium::Data, role);
    s.cages.number.set(s.ports.cage[port], m_used[device]++);
    s.ports.network.set(port, network);
    s.ports.rate.set(port, Gbps(400));
    return port;
}

LinkId PowerHall::feed(DeviceId consumer, DeviceId supplier, Medium medium)
{
    return connect(addSocket(consumer, medium, PortRole::Up), addSocket(supplier, medium, PortRole::Down), addCable(medium));
}

void PowerHall::change(const std::string& slug, const std::string& from, const std::string& to)
{
    std::string text = s.partTypes.definition[part(slug)];
    std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from);
    for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    s.partTypes.definition.set(part(slug), text);
}

void PowerHall::addPlant()
{
    for (int side = 0; side < 2; ++side) {
        const std::string letter = side == 0 ? "-a" : "-b";
        const auto make = [&](Pair& pair, const std::string& what) {
            pair[std::size_t(side)] = add(what + letter, powerTier, "t-" + what);
            s.devices.side.set(pair[std::size_t(side)], side == 0 ? PowerSide::A : PowerSide::B);
            s.devices.hall.set(pair[std::size_t(side)], hall);
            return pair[std::size_t(side)];
        };
        const auto from = make(utility, "utility"), tx = make(transformer, "transformer"), gen = make(generator, "generator"),
                   main = make(board, "board"), supply = make(ups, "ups");
        s.devices.x.set(tx, Millimeters(5000 + 10000 * side));
        s.devices.y.set(tx, Millimeters(3000));
        utilityLinks[std::size_t(side)] = feed(tx, from);
        feed(main, tx);
        feed(main, gen);
        feed(supply, main);
    }
    column = s.structures.insert();
    label(s.structures, column, "column");
    s.structures.hall.set(column, hall);
    s.structures.kind.set(column, StructureKind::Column);
    for (auto* x : {&s.structures.x1, &s.structures.x2}) x->set(column, Millimeters(30000));
    for (auto* y : {&s.structures.y1, &s.structures.y2}) y->set(column, Millimeters(20000));
    s.structures.width.set(column, Millimeters(500));
    door = s.structures.insert();
    label(s.structures, door, "door");
    s.structures.hall.set(door, hall);
    s.structures.kind.set(door, StructureKind::Door);
    s.structures.x1.set(door, Millimeters(30000)), s.structures.x2.set(door, Millimeters(31200));
    s.structures.width.set(door, Millimeters(200));
    s.structures.height.set(door, Millimeters(2600));
}

void PowerHall::addRow()
{
    row = SmallHall::addRow(10000, 10000);
    label(s.rows, row, "row");
    s.rows.containment.set(row, Containment::ColdAisle);
    for (int plane = 0; plane < 2; ++plane) {
        trays[std::size_t(plane)] = addRowTray(row, 3000, 3500 + 300 * plane, plane);
        label(s.trays, trays[std::size_t(plane)], "tray" + std::to_string(plane + 1));
        s.trays.carries.set(trays[std::size_t(plane)], Carries::Data);
    }
    for (std::size_t side = 0; side < 2; ++side) {
        busway[side] = add(side == 0 ? "busway-a" : "busway-b", powerTier, "t-busway");
        s.devices.side.set(busway[side], side == 0 ? PowerSide::A : PowerSide::B);
        s.devices.row.set(busway[side], row);
        s.devices.y.set(busway[side], Millimeters(400 + 300 * std::int32_t(side)));
        s.devices.z.set(busway[side], Millimeters(2700));
        feed(busway[side], ups[side]);
    }
    for (std::size_t r = 0; r < racks.size(); ++r) {
        racks[r] = addRack(row, 600 * std::int32_t(r));
        label(s.racks, racks[r], "rack" + std::to_string(r + 1));
        for (std::size_t side = 0; side < 2; ++side) {
            strips[r][side] = add("rack" + std::to_string(r + 1) + (side == 0 ? "-strip-a" : "-strip-b"), powerTier, "t-strip");
            s.devices.rack.set(strips[r][side], racks[r]);
            stripLinks[r][side] = feed(strips[r][side], busway[side]);
        }
    }
}

void PowerHall::addNetwork()
{
    const auto inRack = [&](const std::string& name, TierId tier, const std::string& type, RackId rack, int u) {
        const DeviceId id = add(name, tier, type);
        s.devices.rack.set(id, rack);
        s.devices.u.set(id, std::int16_t(u));
        s.devices.pod.set(id, 0);
        return id;
    };
    for (std::size_t plane = 0; plane < 2; ++plane) {
        const std::string number = std::to_string(plane + 1);
        tor[plane] = inRack("tor" + number, torTier, "t-switch", racks[1 + plane], 1);
        agg[plane] = inRack("agg" + number, aggTier, "t-switch", racks[3], 1 + int(plane));
        for (const DeviceId id : {tor[plane], agg[plane]}) s.devices.plane.set(id, std::int16_t(plane));
        connect(addDataPort(tor[plane], PortRole::Up), addDataPort(agg[plane], PortRole::Down), addCable());
    }
    for (std::size_t h = 0; h < 4; ++h) {
        const DeviceId host = h < 3 ? inRack("host" + std::to_string(h + 1), serverTier, "t-host", racks[0], 1 + 4 * int(h))
                                    : inRack("backup", serverTier, "t-host", racks[3], 5);
        s.devices.segment.set(host, 0);
        if (h < 3)
            hosts[h] = host;
        else
            s.devices.role.set(backup = host, DeviceRole::Backup);
        for (const DeviceId up : tor) connect(addDataPort(host, PortRole::Host), addDataPort(up, PortRole::Down), addCable());
    }
}
