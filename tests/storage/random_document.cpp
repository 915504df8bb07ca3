// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/storage/random_document.h"

namespace hw::test {

namespace {

constexpr int kServersPerRack = 4, kRacksPerRow = 16, kPortsPerSwitch = 128;

DeviceId addDevice(Snapshot& s, const std::string& name, TierId tier, PartTypeId type, RackId rack, int u, int index)
{
    const auto id = s.devices.insert();
    s.devices.key.set(id, "d:" + name);
    s.devices.name.set(id, name);
    s.devices.tier.set(id, tier);
    s.devices.type.set(id, type);
    s.devices.rack.set(id, rack);
    s.devices.u.set(id, std::int16_t(u));
    s.devices.index.set(id, index);
    s.devices.pod.set(id, std::int16_t(index / 2040));
    return id;
}

PortId addPort(Snapshot& s, DeviceId device, int number, PortRole role)
{
    const auto cage = s.cages.insert();
    s.cages.device.set(cage, device);
    s.cages.number.set(cage, std::uint16_t(number));
    s.cages.split.set(cage, 1);
    const auto port = s.ports.insert();
    s.ports.cage.set(port, cage);
    s.ports.device.set(port, device);
    s.ports.network.set(port, NetworkId(0));
    s.ports.rate.set(port, Gbps(200));
    s.ports.number.set(port, std::uint16_t(number));
    s.ports.role.set(port, role);
    return port;
}

LinkId addLink(Snapshot& s, PortId from, PortId to)
{
    const auto cable = s.cables.insert();
    const auto link = s.links.insert();
    s.links.rule.set(link, LinkRuleId(0));
    s.links.from.set(link, from);
    s.links.to.set(link, to);
    s.links.cable.set(link, cable);
    return link;
}

RackId addRack(Snapshot& s, int number)
{
    const auto id = s.racks.insert();
    s.racks.name.set(id, "rack-" + std::to_string(number));
    s.racks.key.set(id, "k-rack-" + std::to_string(number));
    s.racks.row.set(id, RowId(std::uint32_t(number / kRacksPerRow) % s.rows.nextId()));
    s.racks.type.set(id, PartTypeId(1));
    s.racks.along.set(id, Millimeters(600 * (number % kRacksPerRow)));
    s.racks.powerLimit.set(id, watts(60000));
    return id;
}

void addPlaces(Snapshot& s, int rows)
{
    for (const char* slug : {"server", "rack", "switch", "cable \t\\\n weird Ω \x01"}) {
        const auto id = s.partTypes.insert();
        s.partTypes.slug.set(id, slug);
        s.partTypes.kind.set(id, std::string_view(slug) == "rack" ? PartKind::Rack : PartKind::Device);
        s.partTypes.definition.set(id, "model: " + std::string(slug) + "\nlines: 2\n\xff\xc3\n");
    }
    s.networks.name.set(s.networks.insert(), "backend");
    s.buildings.name.set(s.buildings.insert(), "building-1");
    s.buildings.itLimit.set(BuildingId(0), watts(18'000'000));
    s.halls.name.set(s.halls.insert(), "hall-1");
    for (int i = 0; i < rows; ++i) {
        const auto id = s.rows.insert();
        s.rows.name.set(id, "row-" + std::to_string(i + 1));
        s.rows.y.set(id, Millimeters(2400 * i));
        const auto tray = s.trays.insert();
        s.trays.name.set(tray, "tray-" + std::to_string(i + 1));
        s.trays.row.set(tray, id);
        s.trays.x2.set(tray, Millimeters(600 * kRacksPerRow));
    }
    for (const char* name : {"server", "tor"}) s.tiers.name.set(s.tiers.insert(), name);
    const auto rule = s.linkRules.insert();
    s.linkRules.key.set(rule, "access");
    s.linkRules.to.set(rule, TierId(1));
    s.putSetting("project.name", "Random \\ design\twith\ntwo lines");
    s.putSetting("template.name", "none");
}

template <class Derived>
std::optional<Id<Derived>> pick(const Table<Derived>& table, Random& random)
{
    if (table.size() == 0) return std::nullopt;
    for (;;)
        if (const Id<Derived> id(std::uint32_t(random() % table.nextId())); table.contains(id)) return id;
}

void moveSomeRacks(Snapshot& s, Random& random)
{
    const int count = random() % 4 == 0 ? int(random() % 300) : 1;
    for (int i = 0; i < count; ++i)
        if (const auto rack = pick(s.racks, random)) s.racks.along.set(*rack, Millimeters(std::int32_t(random() % 100000)));
}

void growSome(Snapshot& s, Random& random)
{
    const auto rack = addRack(s, int(random() % 100000));
    const int count = int(random() % (random() % 8 == 0 ? 600 : 6));
    for (int i = 0; i < count; ++i) {
        const auto device = addDevice(s, "new-" + std::to_string(random() % 1000000), TierId(0), PartTypeId(0), rack, i, i);
        const auto a = addPort(s, device, 0, PortRole::Host), b = addPort(s, device, 1, PortRole::Host);
        if (random() % 2) addLink(s, a, b);
    }
}

void cutSome(Snapshot& s, Random& random)
{
    const int count = int(random() % 20);
    for (int i = 0; i < count; ++i) {
        const auto link = pick(s.links, random);
        if (!link) return;
        const std::optional<CableId> cable = s.links.cable[*link];
        s.links.erase(*link);
        if (cable) s.cables.erase(*cable);
    }
}

void renameSome(Snapshot& s, Random& random)
{
    const auto rack = pick(s.racks, random);
    if (rack) s.racks.name.set(*rack, std::string(random() % 40, char('a' + random() % 26)) + "é\t");
    if (const auto device = pick(s.devices, random)) s.devices.name.set(*device, "renamed-" + std::to_string(random() % 1000));
}

void setEverywhere(Snapshot& s, Random& random)
{
    const auto limit = watts(std::int64_t(random() % 100000));
    for (const auto id : s.racks.ids()) s.racks.powerLimit.set(id, limit);
    for (const auto id : s.cables.ids()) s.cables.length.set(id, Millimeters(std::int32_t(random() % 50000)));
}

} // namespace

std::shared_ptr<Snapshot> makeDesign(int servers, int linksPerServer)
{
    auto snapshot = std::make_shared<Snapshot>();
    Snapshot& s = *snapshot;
    const int racks = (servers + kServersPerRack - 1) / kServersPerRack;
    addPlaces(s, racks / kRacksPerRow + 1);
    for (int i = 0; i < racks; ++i) addRack(s, i);
    DeviceId tor;
    for (int i = 0, used = kPortsPerSwitch, switches = 0; i < servers; ++i) {
        const RackId rack(std::uint32_t(i / kServersPerRack));
        const auto server = addDevice(s, "server-" + std::to_string(i + 1), TierId(0), PartTypeId(0), rack, 4 * (i % kServersPerRack), i);
        for (int p = 0; p < linksPerServer; ++p) {
            if (used == kPortsPerSwitch) {
                tor = addDevice(s, "tor-" + std::to_string(switches + 1), TierId(1), PartTypeId(2), rack, 40, switches);
                ++switches;
                used = 0;
            }
            addLink(s, addPort(s, server, p, PortRole::Host), addPort(s, tor, used++, PortRole::Down));
        }
    }
    snapshot->revision = 1;
    return snapshot;
}

void randomEdit(Document& document, Random& random)
{
    const auto kind = random() % 10;
    if (kind == 0) {
        document.undo();
        return;
    }
    if (kind == 1) {
        document.redo();
        return;
    }
    auto transaction = document.begin("Edit " + std::to_string(document.snapshot()->revision + 1));
    Snapshot& s = *transaction;
    if (kind < 4)
        moveSomeRacks(s, random);
    else if (kind < 6)
        growSome(s, random);
    else if (kind < 8)
        cutSome(s, random);
    else if (kind < 9)
        renameSome(s, random);
    else if (random() % 4 == 0)
        setEverywhere(s, random);
    else
        s.putSetting("note." + std::to_string(random() % 5), std::string(random() % 200, 'x'));
    transaction.commit();
}

bool identical(const Snapshot& a, const Snapshot& b)
{
    const auto tablesA = a.tables(), tablesB = b.tables();
    for (std::size_t t = 0; t < tablesA.size(); ++t)
        if (tablesA[t]->nextId() != tablesB[t]->nextId()) return false;
    return a.revision == b.revision && sameContent(a, b);
}

} // namespace hw::test
