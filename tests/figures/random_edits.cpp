// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/figures/random_edits.h"

#include "core/design/build/panels.h"

#include <algorithm>
#include <stdexcept>

namespace hw::test {

namespace {

template <class Table>
auto pickOf(const Table& table, unsigned& state)
{
    const auto ids = table.ids();
    return ids.empty() ? Maybe<typename Table::IdType>() : Maybe<typename Table::IdType>(ids[nextRandom(state) % ids.size()]);
}

Maybe<PartTypeId> partOfKind(const Snapshot& s, PartKind kind, unsigned& state)
{
    std::vector<PartTypeId> fit;
    s.partTypes.forEach([&](PartTypeId id) {
        if (s.partTypes.kind[id] == kind) fit.push_back(id);
    });
    return fit.empty() ? Maybe<PartTypeId>() : Maybe<PartTypeId>(fit[nextRandom(state) % fit.size()]);
}

template <Worded E>
constexpr int valuesOf(E)
{
    return int(kWords<E>.size());
}

/// Other values, by type of the column.
struct Other {
    const Snapshot& s;
    unsigned& state;
    std::string_view table, column;

    template <class TableOf>
    Id<TableOf> operator()(Id<TableOf> old)
    {
        if constexpr (std::is_same_v<TableOf, PartTypes>) return *partOfKind(s, s.partTypes.kind[old], state);
        return *pickOf(s.of<TableOf>(), state);
    }
    template <class TableOf>
    Maybe<Id<TableOf>> operator()(Maybe<Id<TableOf>> old)
    {
        if (old && nextRandom(state) % 3 == 0) return {};
        if constexpr (std::is_same_v<TableOf, PartTypes>)
            return partOfKind(s, table == "cables" ? PartKind::Cable : PartKind::Transceiver, state);
        else
            return pickOf(s.of<TableOf>(), state);
    }
    std::string operator()(const std::string& old)
    {
        if (column == "value") return nextRandom(state) % 2 ? "7" : "3";
        return old + "'";
    }
    template <class T>
    requires std::is_enum_v<T> T operator()(T old)
    {
        return T((int(old) + 1 + int(nextRandom(state) % unsigned(valuesOf(T{}) - 1))) % valuesOf(T{}));
    }
    template <class T>
    requires std::is_arithmetic_v<T> T operator()(T old)
    {
        if (column == "angle") return T((old + 90) % 360);
        if (column == "split") return T(old == 1 ? 2 : 1);
        if (column == "lane") return T(0);
        return T(old < T(100) ? old + T(1 + nextRandom(state) % 2) : old - T(1));
    }
    template <class T>
    requires requires(T t) { t.count(); }
    T operator()(T old) { return old + T(typename std::remove_cvref_t<decltype(old.count())>(100 + nextRandom(state) % 900)); }
};

template <class F>
void eachColumn(Snapshot& s, F&& f)
{
    std::size_t number = 0;
    s.eachTable([&](auto& table) { table.withColumns([&](auto&, auto&... column) { (f(number++, table, column), ...); }); });
}

DeviceId newDevice(Snapshot& s, unsigned& state)
{
    const DeviceId like = *pickOf(s.devices, state), id = s.devices.insert();
    s.devices.type.set(id, s.devices.type[like]), s.devices.tier.set(id, s.devices.tier[like]);
    s.devices.rack.set(id, pickOf(s.racks, state));
    s.devices.u.set(id, std::int16_t(1 + nextRandom(state) % 40)), s.devices.plane.set(id, -1);
    return id;
}

PortId newPort(Snapshot& s, DeviceId device, Medium medium)
{
    const CageId cage = s.cages.insert();
    s.cages.device.set(cage, device), s.cages.split.set(cage, 1);
    const PortId id = s.ports.insert();
    s.ports.cage.set(id, cage), s.ports.device.set(id, device), s.ports.medium.set(id, medium), s.ports.rate.set(id, Gbps(400));
    if (medium == Medium::Data) s.ports.network.set(id, s.networks.ids().front());
    return id;
}

void newLink(Snapshot& s, DeviceId a, DeviceId b, Medium medium)
{
    const PortId from = newPort(s, a, medium), to = newPort(s, b, medium);
    const CableId cable = s.cables.insert();
    s.cables.medium.set(cable, medium);
    const LinkId link = s.links.insert();
    s.links.from.set(link, from), s.links.to.set(link, to), s.links.cable.set(link, cable);
}

void eraseLink(Snapshot& s, LinkId link)
{
    const auto cable = s.links.cable[link];
    s.links.erase(link);
    bool shared = false;
    s.links.forEach([&](LinkId id) { shared = shared || (cable && s.links.cable[id] == *cable); });
    if (cable && !shared) s.cables.erase(*cable);
}

void eraseDevice(Snapshot& s, DeviceId device)
{
    for (const LinkId link : s.links.ids())
        if (s.ports.device[s.links.from[link]] == device || s.ports.device[s.links.to[link]] == device) eraseLink(s, link);
    for (const PortId port : s.ports.ids())
        if (s.ports.device[port] == device || s.cages.device[s.ports.cage[port]] == device) {
            for (const LinkId link : s.links.ids())
                if (s.links.from[link] == port || s.links.to[link] == port) eraseLink(s, link);
            s.ports.erase(port);
        }
    for (const CageId cage : s.cages.ids())
        if (s.cages.device[cage] == device) s.cages.erase(cage);
    s.devices.erase(device);
}

void eraseRack(Snapshot& s, RackId rack)
{
    for (const DeviceId device : s.devices.ids())
        if (s.devices.rack[device] == rack) eraseDevice(s, device);
    s.racks.erase(rack);
}

void shrink(Snapshot& s, unsigned& state)
{
    switch (nextRandom(state) % 5) {
    case 0:
        if (const auto link = pickOf(s.links, state)) eraseLink(s, *link);
        break;
    case 1:
        if (s.devices.size() > 8) eraseDevice(s, *pickOf(s.devices, state));
        break;
    case 2:
        if (s.racks.size() > 4) eraseRack(s, *pickOf(s.racks, state));
        break;
    case 3:
        if (s.trays.size() > 2) s.trays.erase(*pickOf(s.trays, state));
        break;
    default: {
        if (s.rows.size() < 3) break;
        const RowId row = *pickOf(s.rows, state);
        for (const RackId rack : s.racks.ids())
            if (s.racks.row[rack] == row) eraseRack(s, rack);
        for (const TrayId tray : s.trays.ids())
            if (s.trays.row[tray] == row) s.trays.erase(tray);
        s.rows.erase(row);
    }
    }
    (void)dropBrokenRuns(s);
    for (const WaypointId point : s.waypoints.ids())
        if (!s.cables.contains(s.waypoints.cable[point]) || !s.trays.contains(s.waypoints.tray[point])) s.waypoints.erase(point);
}

void grow(Snapshot& s, unsigned& state)
{
    switch (nextRandom(state) % 8) {
    case 0: (void)newDevice(s, state); break;
    case 1: newLink(s, *pickOf(s.devices, state), newDevice(s, state), Medium::Data); break;
    case 2: newLink(s, *pickOf(s.devices, state), *pickOf(s.devices, state), nextRandom(state) % 2 ? Medium::Power : Medium::Data); break;
    case 3: {
        const RackId like = *pickOf(s.racks, state), id = s.racks.insert();
        s.racks.row.set(id, s.racks.row[like]), s.racks.type.set(id, s.racks.type[like]);
        s.racks.along.set(id, s.racks.along[like] + Millimeters(600));
        break;
    }
    case 4: {
        const RowId like = *pickOf(s.rows, state), id = s.rows.insert();
        s.rows.hall.set(id, s.rows.hall[like]), s.rows.y.set(id, s.rows.y[like] + Millimeters(3000));
        break;
    }
    case 5: {
        const TrayId like = *pickOf(s.trays, state), id = s.trays.insert();
        s.trays.type.set(id, s.trays.type[like]), s.trays.row.set(id, s.trays.row[like]), s.trays.hall.set(id, s.trays.hall[like]);
        s.trays.x2.set(id, Millimeters(5000)), s.trays.z1.set(id, Millimeters(3300)), s.trays.z2.set(id, Millimeters(3300));
        s.trays.plane.set(id, -1), s.trays.count.set(id, 1);
        break;
    }
    case 6: {
        const TierId id = s.tiers.insert();
        s.tiers.kind.set(id, TierKind::Switch), s.tiers.network.set(id, pickOf(s.networks, state)), s.tiers.level.set(id, 3);
        s.devices.tier.set(*pickOf(s.devices, state), id);
        break;
    }
    default: {
        const HallId id = s.halls.insert();
        s.halls.building.set(id, *pickOf(s.buildings, state));
        s.halls.sizeX.set(id, Millimeters(9000)), s.halls.sizeY.set(id, Millimeters(9000)), s.halls.sizeZ.set(id, Millimeters(4000));
        s.rows.hall.set(*pickOf(s.rows, state), id);
    }
    }
}

} // namespace

Snapshot randomSite(unsigned seed)
{
    SmallHall h = randomHall(seed);
    unsigned state = seed + 7;
    for (const char* slug : {"cat6a", "dac-400g-osfp", "800g-2xdr4", "mpo16-os2"}) try {
            (void)h.part(slug);
        } catch (const std::exception&) {
        }
    const auto tier = [&](TierKind kind, int level) {
        const TierId id = h.s.tiers.insert();
        h.s.tiers.kind.set(id, kind), h.s.tiers.level.set(id, std::int16_t(level));
        return id;
    };
    const auto device = [&](TierId of, const char* slug, Maybe<RackId> rack) {
        const DeviceId id = h.s.devices.insert();
        h.s.devices.type.set(id, h.part(slug)), h.s.devices.tier.set(id, of), h.s.devices.rack.set(id, rack);
        if (!rack) h.s.devices.hall.set(id, h.hall);
        return id;
    };
    const TierId busways = tier(TierKind::Power, 1), pdus = tier(TierKind::Power, 2), cooling = tier(TierKind::Cooling, 0);
    const DeviceId a = device(busways, "busway-1600a-400v", {}), b = device(busways, "busway-1600a-400v", {});
    (void)device(cooling, "fan-wall-450kw", {}), (void)device(cooling, "cdu-1300kw", {});
    for (const RackId rack : h.s.racks.ids()) {
        if (nextRandom(state) % 3 == 0) (void)h.addServer(rack, 20, nextRandom(state) % 4 ? DeviceRole::Active : DeviceRole::Backup);
        for (const DeviceId busway : {a, b})
            if (nextRandom(state) % 4) newLink(h.s, device(pdus, "rack-pdu-63a", rack), busway, Medium::Power);
    }
    const NetworkId second = h.s.networks.insert();
    h.s.networks.name.set(second, "storage"), h.s.networks.kind.set(second, NetworkKind::Storage);
    const LinkRuleId rule = h.s.linkRules.insert();
    h.s.linkRules.from.set(rule, h.torTier), h.s.linkRules.to.set(rule, h.aggTier), h.s.linkRules.network.set(rule, h.network);
    h.s.links.forEach([&](LinkId id) {
        if (id.value % 2) h.s.links.rule.set(id, rule);
    });
    PanelRouting panels; // some links over panels, some led by hand
    h.s.links.forEach([&](LinkId id) {
        if (id.value % 3 == 0) panels.links.push_back(id);
    });
    panels.panel = h.part("panel-mpo12-24"), panels.trunk = h.part("trunk-mpo12-om4-24"), panels.byRow = false;
    (void)h.part("mpo12-om4-a");
    if (!leadOverPanels(h.s, *ProjectParts::of(h.s.partTypes).value(), panels)) throw std::runtime_error("no room for panels");
    for (const CableId cable : h.s.cables.ids())
        if (cable.value % 5 == 0) {
            const WaypointId point = h.s.waypoints.insert();
            h.s.waypoints.cable.set(point, cable), h.s.waypoints.number.set(point, 1), h.s.waypoints.tray.set(point, *pickOf(h.s.trays, state));
        }
    for (const char* key :
         {"cabling.mpo_db", "cabling.spare_percent", "cabling.slack_percent", "site.pue", "rule.n10.target", "rule.k1.full_percent"})
        h.s.putSetting(key, "5");
    for (const auto& [key, word] : {std::pair{"site.power_basis", "design"}, {"site.limit_basis", "facility"}, {"project.currency", "EUR"}})
        h.s.putSetting(key, word);
    return h.s;
}

std::size_t columnCount()
{
    Snapshot s;
    std::size_t count = 0;
    eachColumn(s, [&](std::size_t, auto&, auto&) { ++count; });
    return count;
}

std::string editColumn(Snapshot& s, std::size_t wanted, unsigned& state)
{
    std::string done;
    eachColumn(s, [&](std::size_t number, auto& table, auto& column) {
        using TableT = std::remove_cvref_t<decltype(table)>;
        if (number != wanted || table.empty() || std::is_same_v<TableT, PartTypes>) return; // a part's definition is a text of its own
        const auto id = *pickOf(table, state);
        if constexpr (std::is_same_v<TableT, Settings>)
            if (column.name() == "key") return; // unique
        if constexpr (std::is_same_v<TableT, Settings>)
            if (table.key[id] == "site.power_basis") {
                s.putSetting("site.power_basis", nextRandom(state) % 2 ? "nameplate" : "typical");
                done = "settings.value";
                return;
            }
        column.set(id, Other{s, state, table.TableBase::name(), column.name()}(column[id]));
        done = std::string(table.TableBase::name()) + "." + std::string(column.name());
    });
    return done;
}

void growOrShrink(Snapshot& s, unsigned& state)
{
    if (nextRandom(state) % 2)
        grow(s, state);
    else
        shrink(s, state);
}

} // namespace hw::test
