// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/design_builder.h"

namespace hw {

namespace {

/// Writes a value where it differs from what a new row has.
template <class ColumnT, class IdT, class T>
void put(ColumnT& column, IdT id, T&& value)
{
    if (!(column[id] == value)) column.set(id, std::forward<T>(value));
}

template <class TableT, class RowT>
auto named(TableT& table, RowT& row)
{
    const auto id = table.insert();
    put(table.key, id, std::move(row.key));
    put(table.name, id, std::move(row.name));
    return id;
}

} // namespace

PartTypeId DesignBuilder::partType(const Part& part)
{
    if (const auto found = findPartType(part.slug)) return *found;
    auto& t = m_design.partTypes;
    const PartTypeId id = t.insert();
    t.slug.set(id, part.slug);
    t.kind.set(id, kindOf(part));
    t.definition.set(id, part.definition);
    return id;
}

std::optional<PartTypeId> DesignBuilder::findPartType(const std::string& slug)
{
    auto& t = m_design.partTypes;
    for (; m_typesKnown < t.nextId(); ++m_typesKnown)
        if (t.alive(m_typesKnown)) m_types.emplace(t.slug[PartTypeId(m_typesKnown)], PartTypeId(m_typesKnown));
    const auto found = m_types.find(slug);
    return found != m_types.end() && t.contains(found->second) ? std::optional(found->second) : std::nullopt;
}

NetworkId DesignBuilder::network(NewNetwork row)
{
    auto& t = m_design.networks;
    const NetworkId id = named(t, row);
    put(t.label, id, std::move(row.label));
    put(t.planes, id, row.planes), put(t.rails, id, row.rails);
    put(t.color, id, row.color), put(t.kind, id, row.kind);
    put(t.domain, id, row.domain), put(t.acceleratorRate, id, row.acceleratorRate);
    return id;
}

SiteId DesignBuilder::site(NewSite row)
{
    auto& t = m_design.sites;
    const SiteId id = named(t, row);
    put(t.contract, id, row.contract);
    return id;
}

BuildingId DesignBuilder::building(NewBuilding row)
{
    auto& t = m_design.buildings;
    const BuildingId id = named(t, row);
    put(t.site, id, row.site);
    put(t.kind, id, row.kind);
    put(t.x, id, row.x), put(t.y, id, row.y);
    put(t.sizeX, id, row.sizeX), put(t.sizeY, id, row.sizeY), put(t.sizeZ, id, row.sizeZ);
    put(t.itLimit, id, row.itLimit);
    return id;
}

HallId DesignBuilder::hall(NewHall row)
{
    auto& t = m_design.halls;
    const HallId id = named(t, row);
    put(t.building, id, row.building);
    put(t.x, id, row.x), put(t.y, id, row.y);
    put(t.sizeX, id, row.sizeX), put(t.sizeY, id, row.sizeY), put(t.sizeZ, id, row.sizeZ);
    put(t.kind, id, row.kind), put(t.floor, id, row.floor);
    put(t.floorLoad, id, row.floorLoad), put(t.clearHeight, id, row.clearHeight), put(t.itLimit, id, row.itLimit);
    return id;
}

void DesignBuilder::corners(HallId hall, std::span<const std::pair<std::int32_t, std::int32_t>> points)
{
    auto& t = m_design.corners;
    for (std::int32_t n = 0; n < std::int32_t(points.size()); ++n) {
        const CornerId id = t.insert();
        t.hall.set(id, hall);
        put(t.number, id, n);
        put(t.x, id, Millimeters(points[std::size_t(n)].first)), put(t.y, id, Millimeters(points[std::size_t(n)].second));
    }
}

StructureId DesignBuilder::structure(NewStructure row)
{
    auto& t = m_design.structures;
    const StructureId id = named(t, row);
    put(t.hall, id, row.hall), put(t.kind, id, row.kind);
    put(t.x1, id, row.x1), put(t.y1, id, row.y1), put(t.x2, id, row.x2), put(t.y2, id, row.y2);
    put(t.width, id, row.width), put(t.height, id, row.height);
    return id;
}

UnderlayId DesignBuilder::underlay(HallId hall, std::string name, std::string source, std::string lines)
{
    auto& t = m_design.underlays;
    const UnderlayId id = t.insert();
    t.hall.set(id, hall);
    t.name.set(id, std::move(name)), t.source.set(id, std::move(source)), t.lines.set(id, std::move(lines));
    return id;
}

RowId DesignBuilder::row(NewRow row)
{
    auto& t = m_design.rows;
    const RowId id = named(t, row);
    put(t.hall, id, row.hall);
    put(t.x, id, row.x), put(t.y, id, row.y);
    put(t.angle, id, row.angle), put(t.cell, id, row.cell), put(t.containment, id, row.containment);
    return id;
}

RackId DesignBuilder::rack(NewRack row)
{
    auto& t = m_design.racks;
    const RackId id = named(t, row);
    put(t.row, id, row.row), put(t.type, id, row.type);
    put(t.along, id, row.along), put(t.across, id, row.across);
    put(t.powerLimit, id, row.powerLimit);
    return id;
}

TrayId DesignBuilder::tray(NewTray row)
{
    auto& t = m_design.trays;
    const TrayId id = named(t, row);
    put(t.kind, id, row.kind), put(t.type, id, row.type);
    put(t.row, id, row.row), put(t.hall, id, row.hall);
    put(t.x1, id, row.x1), put(t.y1, id, row.y1), put(t.z1, id, row.z1);
    put(t.x2, id, row.x2), put(t.y2, id, row.y2), put(t.z2, id, row.z2);
    put(t.plane, id, row.plane), put(t.count, id, row.count);
    put(t.carries, id, row.carries), put(t.side, id, row.side), put(t.barrier, id, std::uint8_t(row.barrier));
    return id;
}

TierId DesignBuilder::tier(NewTier row)
{
    auto& t = m_design.tiers;
    const TierId id = named(t, row);
    put(t.label, id, std::move(row.label));
    put(t.kind, id, row.kind), put(t.network, id, row.network), put(t.level, id, row.level);
    return id;
}

DeviceId DesignBuilder::device(NewDevice row)
{
    auto& t = m_design.devices;
    const DeviceId id = named(t, row);
    put(t.tier, id, row.tier), put(t.type, id, row.type), put(t.role, id, row.role);
    put(t.rack, id, row.rack), put(t.u, id, row.u), put(t.row, id, row.row), put(t.hall, id, row.hall);
    put(t.x, id, row.x), put(t.y, id, row.y), put(t.z, id, row.z);
    put(t.angle, id, row.angle), put(t.face, id, row.face), put(t.side, id, row.side);
    put(t.pod, id, row.pod), put(t.segment, id, row.segment), put(t.rail, id, row.rail), put(t.plane, id, row.plane);
    put(t.index, id, row.index);
    return id;
}

void DesignBuilder::addCage(DeviceId device, std::uint16_t number, std::uint16_t firstPort, const NewPorts& kind)
{
    auto& cages = m_design.cages;
    const CageId cage = cages.insert();
    cages.device.set(cage, device);
    cages.number.set(cage, number);
    cages.split.set(cage, kind.split);
    auto& t = m_design.ports;
    for (std::uint8_t lane = 0; lane < kind.split; ++lane) {
        const PortId port = t.insert();
        t.cage.set(port, cage), t.device.set(port, device);
        put(t.network, port, kind.network), put(t.rate, port, kind.rate);
        t.number.set(port, std::uint16_t(firstPort + lane)), t.lane.set(port, lane);
        put(t.role, port, kind.role), put(t.medium, port, kind.medium);
    }
}

PortId DesignBuilder::ports(DeviceId device, std::span<const std::uint16_t> cages, const NewPorts& kind)
{
    const PortId first(m_design.ports.nextId());
    std::uint16_t number = kind.firstNumber;
    for (const std::uint16_t cage : cages) {
        addCage(device, cage, number, kind);
        number = std::uint16_t(number + kind.split);
    }
    return first;
}

PortId DesignBuilder::ports(DeviceId device, std::uint16_t first, std::uint32_t count, const NewPorts& kind)
{
    const PortId port(m_design.ports.nextId());
    for (std::uint32_t i = 0; i < count; ++i) addCage(device, std::uint16_t(first + i), std::uint16_t(kind.firstNumber + i * kind.split), kind);
    return port;
}

void DesignBuilder::allPorts(DeviceId device, const DeviceSpec& spec, TierKind tier, Maybe<NetworkId> network)
{
    allPorts(device, socketsOf(spec, tier, network));
}

void DesignBuilder::allPorts(DeviceId device, std::span<const DeviceSocket> sockets)
{
    for (const DeviceSocket& socket : sockets)
        addCage(device, socket.cage, socket.number, {.rate = socket.rate, .role = socket.role, .network = socket.network, .medium = socket.medium});
}

LinkRuleId DesignBuilder::linkRule(NewLinkRule row)
{
    auto& t = m_design.linkRules;
    const LinkRuleId id = t.insert();
    t.key.set(id, std::move(row.key));
    put(t.network, id, row.network);
    t.from.set(id, row.from), t.to.set(id, row.to);
    put(t.medium, id, row.medium);
    return id;
}

CableId DesignBuilder::cable(Medium medium)
{
    const CableId id = m_design.cables.insert();
    put(m_design.cables.medium, id, medium);
    return id;
}

LinkId DesignBuilder::link(const NewLink& row)
{
    auto& t = m_design.links;
    const LinkId id = t.insert();
    put(t.rule, id, row.rule);
    t.from.set(id, row.from), t.to.set(id, row.to);
    put(t.cable, id, row.cable);
    put(t.ordinal, id, row.ordinal), put(t.role, id, row.role), put(t.overridden, id, row.overridden);
    return id;
}

LinkId DesignBuilder::cabledLink(NewLink row)
{
    row.cable = cable(m_design.ports.medium[row.from]);
    return link(row);
}

WaiverId DesignBuilder::waiver(std::string finding, std::string reason, std::string author, std::string date)
{
    auto& t = m_design.waivers;
    const WaiverId id = t.insert();
    t.finding.set(id, std::move(finding)), t.reason.set(id, std::move(reason));
    t.author.set(id, std::move(author)), t.date.set(id, std::move(date));
    return id;
}

} // namespace hw
