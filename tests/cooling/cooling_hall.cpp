// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling_hall.h"

#include <stdexcept>

using namespace hw;

namespace {

std::string fact(const std::string& key, const std::string& value, const std::string& unit)
{
    return key + ": {value: " + value + ", unit: \"" + unit + "\", source: t, confidence: A}\n";
}
std::string loss(const std::string& key, const std::string& kpa, const std::string& lpm)
{
    return "  " + key + ": {drop: {value: " + kpa + ", unit: kPa, source: t, confidence: A}, at: {value: " + lpm +
           ", unit: L/min, source: t, confidence: A}}\n";
}
std::string box(const char* width, const char* depth, const char* height)
{
    return fact("width", width, "mm") + fact("depth", depth, "mm") + fact("height", height, "mm");
}
std::string draws(const char* kw) { return fact("typical_power", kw, "kW") + fact("design_power", kw, "kW") + fact("nameplate_power", kw, "kW"); }
std::string in(const std::string& line) { return "  " + line; }

const char* kTakes = "    - {name: in, count: 16, connector: flange-dn100}\n";
const char* kFeeds = "    - {name: out, count: 32, feeds: true, connector: flange-dn100}\n";

} // namespace

void CoolingHall::define(const std::string& slug, const std::string& own)
{
    const std::string text = "manufacturer: Test\nmodel: " + slug + "\nslug: " + slug + "\nu_height: " + (slug == "c-cabinet" ? "40" : "0") +
                             "\nis_full_depth: true\n---\nkind: device\nslug: " + slug + "\nreviewed: \"2026-11-20\"\n" + own;
    const PartTypeId id = s.partTypes.insert();
    s.partTypes.slug.set(id, slug);
    s.partTypes.kind.set(id, PartKind::Device);
    s.partTypes.definition.set(id, text);
}

void CoolingHall::addParts()
{
    define("c-cabinet", draws("140") + fact("liquid_share", "80", "%") + "optics_included: true\ncooling:\n" +
                            in(fact("warmest_supply", "45", "°C")) + loss("loss", "50", "140") + in(fact("liters", "15", "L")) +
                            "  flow_need: {points: [20/0.75, 40/0.75, 45/2.0], source: t, confidence: A}\n");
    define("c-manifold", box("150", "120", "2000") + "cooling:\n  element: manifold\n  ports:\n    - {name: in, count: 2, connector: lqc-1in}\n" +
                             loss("loss", "10", "140") + in(fact("liters", "12", "L")) + "  leak_sensor: true\n  isolates: true\n");
    define("c-header", box("9000", "400", "300") + "cooling:\n  element: header\n  ports:\n" + kTakes + kFeeds +
                           in(fact("inner_diameter", "161.5", "mm")) + in(fact("roughness", "0.015", "mm")) + in(fact("liters", "370", "L")));
    define("c-plant-header", box("9000", "400", "300") + "cooling:\n  element: header\n  ports:\n" + kTakes + kFeeds +
                                 in(fact("inner_diameter", "315", "mm")) + in(fact("roughness", "0.045", "mm")) + in(fact("liters", "1400", "L")));
    define("c-cdu", box("900", "1200", "2300") + fact("capacity", "1300", "kW") + fact("coolant_flow", "1625", "L/min") + draws("20") +
                        "removes: liquid\ncooling:\n  element: cdu\n  ports:\n    - {name: facility, connector: flange-dn100}\n"
                        "    - {name: loop, feeds: true, connector: flange-dn100}\n" +
                        in(fact("approach", "4", "K")) + in(fact("head", "244", "kPa")) + loss("facility_loss", "84", "1860") +
                        in(fact("liters", "40", "L")) + in(fact("feed_liters", "90", "L")) + "  pumps: 2\n  spares: 1\n  leak_sensor: true\n");
    define("c-fan", box("3000", "1500", "3500") + fact("capacity", "450", "kW") + draws("18") +
                        "removes: air\ncooling:\n  element: fan-wall\n  ports:\n    - {name: facility, connector: flange-dn80}\n" +
                        in(fact("air_flow", "31.1", "m3/s")) + in(fact("face_area", "12.5", "m2")) + in(fact("warmest_supply", "22", "°C")) +
                        loss("facility_loss", "40", "645") + in(fact("liters", "60", "L")));
    define("c-pump", box("1300", "600", "800") + fact("coolant_flow", "7000", "L/min") + draws("42") +
                         "cooling:\n  element: pump\n  ports:\n    - {name: in, connector: flange-dn250}\n"
                         "    - {name: out, feeds: true, connector: flange-dn250}\n" +
                         in(fact("head", "300", "kPa")) + in(fact("liters", "25", "L")));
    define("c-chiller", box("2300", "12200", "2600") + fact("capacity", "1500", "kW") + draws("500") +
                            "cooling:\n  element: chiller\n  ports:\n    - {name: out, feeds: true, connector: flange-dn200}\n"
                            "  rejection: {points: [25/10/1.1/4, 25/20/1.2/5, 35/10/1.0/3, 35/20/1.1/4, 45/10/0.8/2, 45/20/0.9/3], source: t, "
                            "confidence: A}\n" +
                            loss("loss", "40", "2150") + in(fact("liters", "350", "L")) + in(fact("restart", "600", "s")));
    define("c-valve", box("200", "200", "300") +
                          "cooling:\n  element: valve\n  ports:\n    - {name: in, connector: flange-dn150}\n"
                          "    - {name: out, feeds: true, connector: flange-dn150}\n" +
                          in(fact("kv", "900", "m3/h")) + "  isolates: true\n");
}

CoolingHall::CoolingHall(const Size& size)
{
    const auto name = [](auto& table, auto id, const std::string& text) { table.key.set(id, text), table.name.set(id, text); };
    name(s.buildings, building, "building"), name(s.halls, hall, "hall");
    s.halls.sizeZ.set(hall, Millimeters(4500));
    name(s.tiers, serverTier, "server"), name(s.tiers, torTier, "tor"), name(s.tiers, aggTier, "agg");
    coolingTier = s.tiers.insert();
    name(s.tiers, coolingTier, "cooling");
    s.tiers.kind.set(coolingTier, TierKind::Cooling);
    addParts();
    addCabinets(size.cabinets);
    addPlant(size);
}

DeviceId CoolingHall::add(const std::string& name, TierId tier, const std::string& type)
{
    const DeviceId id = s.devices.insert();
    s.devices.key.set(id, name), s.devices.name.set(id, name);
    s.devices.tier.set(id, tier);
    s.devices.type.set(id, SmallHall::part(type));
    for (auto* c : {&s.devices.pod, &s.devices.segment, &s.devices.rail, &s.devices.plane}) c->set(id, -1);
    return id;
}

void CoolingHall::addCabinets(int count)
{
    for (std::size_t r = 0; r < 2; ++r) {
        rows[r] = addRow(4000, 6000 + 6000 * int(r));
        const std::string number = std::to_string(r + 1);
        s.rows.key.set(rows[r], "row" + number), s.rows.name.set(rows[r], "row" + number);
        headers[r] = add("header" + number, coolingTier, "c-header");
        s.devices.row.set(headers[r], rows[r]);
        s.devices.y.set(headers[r], Millimeters(400)), s.devices.z.set(headers[r], Millimeters(2800));
    }
    joint = connect(headers[0], headers[1], "pipe-dn150", 6000);
    for (int i = 0; i < count; ++i) {
        const auto r = std::size_t(i % 2);
        const std::string number = std::to_string(i + 1);
        const RackId rack = addRack(rows[r], 600 * (i / 2));
        s.racks.key.set(rack, "rack" + number), s.racks.name.set(rack, "rack" + number);
        racks.push_back(rack);
        cabinets.push_back(add("cabinet" + number, serverTier, "c-cabinet"));
        manifolds.push_back(add("manifold" + number, coolingTier, "c-manifold"));
        for (const DeviceId id : {cabinets.back(), manifolds.back()}) s.devices.rack.set(id, rack);
        s.devices.u.set(cabinets.back(), 1);
        s.devices.face.set(manifolds.back(), Face::Rear);
        hoses.push_back(connect(manifolds.back(), headers[r], "hose-lqc-1in", 2000));
        (void)connect(manifolds.back(), headers[r], "hose-lqc-1in", 2000);
    }
}

void CoolingHall::addPlant(const Size& size)
{
    const auto free = [&](const std::string& stem, int i, const char* type, int x, int y) {
        const DeviceId id = add(stem + std::to_string(i + 1), coolingTier, type);
        s.devices.hall.set(id, hall);
        s.devices.x.set(id, Millimeters(x)), s.devices.y.set(id, Millimeters(y));
        return id;
    };
    hallHeader = free("hall-header", 0, "c-plant-header", 4000, 20000);
    plantHeader = free("plant-header", 0, "c-plant-header", 4000, 24000);
    for (int i = 0; i < size.cdus; ++i) {
        cdus.push_back(free("cdu", i, "c-cdu", 14000, 4000 + 3000 * i));
        cduPipes.push_back(connect(headers[std::size_t(i % 2)], cdus.back(), "pipe-dn100"));
        (void)connect(cdus.back(), hallHeader, "pipe-dn125");
    }
    for (int i = 0; i < size.fans; ++i) {
        fans.push_back(free("fan", i, "c-fan", 20000 + 4000 * i, 500));
        (void)connect(fans.back(), hallHeader, "pipe-dn80");
    }
    for (int i = 0; i < size.pumps; ++i) {
        pumps.push_back(free("pump", i, "c-pump", 6000 + 2000 * i, 22000));
        (void)connect(hallHeader, pumps.back(), "pipe-dn250");
        (void)connect(pumps.back(), plantHeader, "pipe-dn250");
    }
    for (int i = 0; i < size.chillers; ++i) {
        chillers.push_back(free("chiller", i, "c-chiller", 20000 + 4000 * i, 14000));
        (void)connect(plantHeader, chillers.back(), "pipe-dn200");
    }
}

PortId CoolingHall::socket(DeviceId device, PortRole role, Medium medium)
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

LinkId CoolingHall::connect(DeviceId taker, DeviceId feeder, const std::string& pipe, int lengthMm)
{
    const CableId cable = addCable(Medium::Coolant);
    if (!pipe.empty()) s.cables.type.set(cable, SmallHall::part(pipe));
    s.cables.length.set(cable, Millimeters(lengthMm));
    return SmallHall::connect(socket(taker, PortRole::Up), socket(feeder, PortRole::Down), cable);
}

void CoolingHall::feed(DeviceId consumer, DeviceId supplier)
{
    SmallHall::connect(socket(consumer, PortRole::Up, Medium::Power), socket(supplier, PortRole::Down, Medium::Power), addCable(Medium::Power));
}

void CoolingHall::erase(LinkId link)
{
    const CableId cable = *s.links.cable[link];
    s.links.erase(link);
    s.cables.erase(cable);
}

void CoolingHall::erase(DeviceId device)
{
    std::vector<LinkId> links;
    s.links.forEach([&](LinkId id) {
        if (s.ports.device[s.links.from[id]] == device || s.ports.device[s.links.to[id]] == device) links.push_back(id);
    });
    for (const LinkId id : links) erase(id);
    std::vector<PortId> ports;
    s.ports.forEach([&](PortId id) {
        if (s.ports.device[id] == device) ports.push_back(id);
    });
    for (const PortId id : ports) {
        const CageId cage = s.ports.cage[id];
        s.ports.erase(id);
        s.cages.erase(cage);
    }
    s.devices.erase(device);
}

void CoolingHall::change(const std::string& slug, const std::string& from, const std::string& to)
{
    const PartTypeId id = SmallHall::part(slug);
    std::string text = s.partTypes.definition[id];
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from + " in " + slug);
    s.partTypes.definition.set(id, text.replace(at, from.size(), to));
}

const CoolingChain& CoolingHall::chain()
{
    m_figures = figuresOf(snapshot()).value();
    return m_figures->get<CoolingChainNode>();
}
