// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/lookup.h"
#include "core/design/edit/settings_check.h"
#include "tests/edit/desk.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>
#include <set>

using namespace hw;
using namespace hw::test;

class TestCreate : public QObject {
    Q_OBJECT
private slots:
    void buildsASiteByHand();
    void theExampleIsTrue();
    void everyVerbIsTakenBack();
    void randomEditsAreTakenBack();
    void lookupStaysRight();
    void linksHaveNames();
    void removingTakesAlong();
    void removingIsRefused();
    void copiesBringWhatTheyHold();
    void connectsPowerFromOutletToInlet();
    void regenerationKeepsRemovedAndRetyped();
    void copiesAreNotBuiltYet();
    void farAndLongIsRefused();
    void coolantSocketsStayApart();
    void portsHaveNamesOfTheirOwn();
    void shallowDevicesStandBackToBack();
    void manyEditsByName();
};

void TestCreate::buildsASiteByHand()
{
    Desk desk;
    build(desk);
    const Snapshot& s = desk.now();
    QCOMPARE(s.racks.size(), 3u);
    QCOMPARE(s.racks.along[RackId(2)].count(), 1200); // side by side, 600 mm each
    QCOMPARE(s.buildings.itLimit[BuildingId(0)].count(), watts(5'000'000).count());
    QCOMPARE(s.networks.color[NetworkId(0)], 0xff0000u);
    // 19 data interfaces and 8 power supplies of a host
    const auto host = DeviceId(desk.find("host-1").id);
    std::size_t data = 0, power = 0;
    s.ports.forEach([&](PortId port) {
        if (s.ports.device[port] != host) return;
        (s.ports.medium[port] == Medium::Power ? power : data)++;
    });
    QVERIFY(data == 19 && power == 8);
    QVERIFY(s.devices.u[host] == 1 && s.devices.u[DeviceId(1)] == 9); // 8 units each, from below
    QCOMPARE(s.links.size(), 3u);
    QVERIFY(s.devices.index[DeviceId(1)] == 1);
}

/// docs/examples/by-hand.json: four racks of two hosts, a leaf and a PDU, wired inside.
void TestCreate::theExampleIsTrue()
{
    const auto script = edit::readScript(HW_RESOURCES "/../docs/examples/by-hand.json");
    QVERIFY2(script, script ? "" : script.error().text().c_str());
    Desk desk;
    VERIFY_DONE(test::applyScript(desk.document, *script, desk.context, "by-hand.json"));
    QCOMPARE(desk.now().racks.size(), 4u);
    QCOMPARE(desk.now().devices.size(), 16u);
    QCOMPARE(desk.now().links.size(), 12u);
    QCOMPARE(desk.now().cables.size(), 8u); // a breakout and a power cord each
    QCOMPARE(desk.now().racks.powerLimit[RackId(3)].count(), watts(35'000).count());
    QCOMPARE(dangling(desk.now()), std::string());
}

void TestCreate::everyVerbIsTakenBack()
{
    std::vector<std::string> edits = siteEdits();
    const std::vector<std::string> more = {
        "{'do': 'move', 'entity': 'row-01', 'dx_mm': 10, 'dy_mm': 20}",
        "{'do': 'rename', 'entity': 'host-2', 'name': 'host-b'}",
        "{'do': 'place', 'entity': 'host-b', 'rack': 'rack-02', 'u': 5}",
        "{'do': 'place', 'entity': 'host-b', 'hall': 'h1', 'x_mm': 500, 'y_mm': 600}",
        "{'do': 'rotate', 'entity': 'row-01', 'by_deg': 90}",
        "{'do': 'resize', 'entity': 'h1', 'size_x_mm': 20000}",
        "{'do': 'resize', 'entity': 'tray-01', 'length_mm': 2400}",
        "{'do': 'set', 'entity': 'rack-01', 'column': 'power_limit', 'value': '35 kW'}",
        "{'do': 'set', 'entity': 'leaf-1:cage1', 'column': 'module', 'value': '400g-sr4'}",
        "{'do': 'set-cable-length', 'from': 'host-1:nic1p1', 'length_mm': 5000}",
        "{'do': 'retype', 'entity': 'rack-02', 'type': 'rack-48u-800x1200'}",
        "{'do': 'retype', 'entity': 'leaf-1', 'type': 'switch-25t-64x400g', 'force': true}",
        "{'do': 'copy', 'entity': 'rack-01', 'count': 2}",
        "{'do': 'copy', 'entity': 'row-01', 'dx_mm': 3000, 'dy_mm': 0}",
        "{'do': 'copy', 'entity': 'b1'}",
        "{'do': 'disconnect', 'from': 'pdu-1:1'}",
        "{'do': 'remove', 'entity': 'host-1:bmc'}",
        "{'do': 'add', 'what': 'port', 'in': 'host-1', 'interface': 'bmc'}",
        "{'do': 'set', 'entity': 'host-1:bmc', 'column': 'network', 'value': 'net'}",
        "{'do': 'set-setting', 'key': 'site.pue', 'value': 1.3}",
        "{'do': 'set-limit', 'entity': 'b1', 'limit_w': 1000}",
        "{'do': 'waive', 'finding': 'N1', 'reason': 'so'}",
        "{'do': 'unwaive', 'finding': 'N1'}",
        "{'do': 'remove', 'entity': 'host-1'}",
        "{'do': 'remove', 'entity': 'leaves'}",
        "{'do': 'remove', 'entity': 'net'}",
        "{'do': 'remove', 'entity': 'row-01'}",
        "{'do': 'remove', 'entity': 'b1'}",
        "{'do': 'remove', 'entity': '400g-sr4'}",
    };
    edits.insert(edits.end(), more.begin(), more.end());
    Desk desk;
    for (const auto& edit : edits) {
        const std::string before = exported(desk.now());
        const auto done = desk.run(json(edit));
        QVERIFY2(done, (edit + ": " + textOf(done)).c_str());
        const std::string after = exported(desk.now());
        QVERIFY2(before != after, edit.c_str());
        QVERIFY(desk.document.undo());
        QVERIFY2(exported(desk.now()) == before, edit.c_str());
        QVERIFY(desk.document.redo());
        QVERIFY2(exported(desk.now()) == after, edit.c_str());
    }
}

namespace {

/// A random edit of the design as it stands, as JSON.
std::string randomEdit(const Snapshot& s, const ProjectParts& parts, std::mt19937& random)
{
    const auto any = [&](const auto& table) {
        const auto ids = table.ids();
        return ids.empty() ? std::string("nothing") : entityName(s, parts, ref(ids[random() % ids.size()]));
    };
    const auto quoted = [](const std::string& text) { return "'" + text + "'"; };
    const std::string fresh = quoted("n" + std::to_string(random() % 1'000'000));
    switch (random() % 13) {
    case 0: return "{'do': 'remove', 'entity': " + quoted(any(s.racks)) + "}";
    case 1: return "{'do': 'remove', 'entity': " + quoted(any(s.devices)) + "}";
    case 2: return "{'do': 'copy', 'entity': " + quoted(any(s.racks)) + "}";
    case 3: return "{'do': 'copy', 'entity': " + quoted(any(s.devices)) + ", 'in': " + quoted(any(s.racks)) + "}";
    case 4: return "{'do': 'add', 'what': 'rack', 'in': " + quoted(any(s.rows)) + ", 'type': 'rack-48u-600x1200'}";
    case 5: return "{'do': 'add', 'what': 'device', 'in': " + quoted(any(s.racks)) + ", 'type': 'hpn-host-8gpu', 'tier': 'servers'}";
    case 6: return "{'do': 'rename', 'entity': " + quoted(any(s.devices)) + ", 'name': " + fresh + "}";
    case 7: return "{'do': 'connect', 'from': " + quoted(any(s.ports)) + ", 'to': " + quoted(any(s.ports)) + "}";
    case 8: return "{'do': 'disconnect', 'from': " + quoted(any(s.ports)) + "}";
    case 9: return "{'do': 'rotate', 'entity': " + quoted(any(s.rows)) + ", 'by_deg': 90}";
    case 10: return "{'do': 'place', 'entity': " + quoted(any(s.devices)) + ", 'rack': " + quoted(any(s.racks)) + ", 'u': 20}";
    case 11: return "{'do': 'retype', 'entity': " + quoted(any(s.devices)) + ", 'type': 'switch-51t-128x400g', 'force': true}";
    default: return "{'do': 'copy', 'entity': " + quoted(any(s.rows)) + ", 'dy_mm': 3000}";
    }
}

} // namespace

void TestCreate::randomEditsAreTakenBack()
{
    Desk desk;
    build(desk);
    std::mt19937 random(4711);
    const std::string start = exported(desk.now());
    const auto revision = desk.now().revision;
    std::size_t refused = 0;
    for (int i = 0; i < 300; ++i) refused += !desk.run(json(randomEdit(desk.now(), *desk.parts(), random)));
    const auto done = desk.now().revision - revision;
    QVERIFY2(done > 80, std::to_string(done).c_str());
    const std::string end = exported(desk.now());
    QCOMPARE(dangling(desk.now()), std::string());

    QTemporaryDir folder;
    const std::string path = folder.filePath("d.hall").toStdString();
    VERIFY_DONE(writeProject(desk.now(), path));
    {
        const auto file = ProjectFile::open(path);
        QVERIFY(file);
        QVERIFY(exported(*(*file)->loaded().snapshot) == end);
    }
    for (std::uint64_t i = 0; i < done; ++i) QVERIFY(desk.document.undo());
    QVERIFY(exported(desk.now()) == start);
    for (std::uint64_t i = 0; i < done; ++i) QVERIFY(desk.document.redo());
    QVERIFY(exported(desk.now()) == end);
}

/// Names and references kept from edit to edit are those that a look at every row finds.
void TestCreate::lookupStaysRight()
{
    Desk desk;
    build(desk);
    std::mt19937 random(12);
    edit::Lookup kept(desk.document.snapshot());
    for (int i = 0; i < 60; ++i) {
        (void)desk.run(json(randomEdit(desk.now(), *desk.parts(), random)));
        if (i % 17 == 16) (void)desk.document.undo();
        kept.follow(desk.document.snapshot());
        const Snapshot& s = desk.now();
        const auto parts = desk.parts();
        const auto check = [&](const auto& table) {
            std::size_t n = 0;
            table.forEach([&](auto id) {
                if (++n % 7 != 0 && table.size() > 50) return;
                const auto name = entityName(s, *parts, ref(id));
                QVERIFY2(kept.find(*parts, name) == findEntity(s, *parts, name), name.c_str());
            });
        };
        check(s.racks), check(s.devices), check(s.rows);
        if (i % 10 == 0) check(s.ports), check(s.links);
        s.ports.forEach([&](PortId port) {
            std::optional<LinkId> link;
            s.links.forEach([&](LinkId id) {
                if (s.links.from[id] == port || s.links.to[id] == port) link = id;
            });
            if (link || port.value % 11 == 0) QCOMPARE(kept.linkOf(port).has_value(), link.has_value());
        });
        QVERIFY(!kept.find(*parts, "object not found") && !kept.taken("object not found"));
    }
}

/// As the product shows it, in either order, with a hyphen, and where names have dashes.
void TestCreate::linksHaveNames()
{
    Desk desk;
    build(desk);
    const Snapshot& s = desk.now();
    const auto parts = desk.parts();
    edit::Lookup lookup(desk.document.snapshot());
    std::size_t links = 0;
    s.links.forEach([&](LinkId link) {
        const std::string from = entityName(s, *parts, ref(s.links.from[link])), to = entityName(s, *parts, ref(s.links.to[link]));
        for (const std::string& name : {entityName(s, *parts, ref(link)), to + " – " + from, from + " - " + to, from + " > " + to}) {
            QVERIFY2(findEntity(s, *parts, name) == ref(link), name.c_str());
            QVERIFY2(lookup.find(*parts, name) == ref(link), name.c_str());
        }
        QVERIFY(!findEntity(s, *parts, from + " – " + from));
        QVERIFY(!findEntity(s, *parts, from + " – " + to + "x"));
        ++links;
    });
    QVERIFY(links > 0);
    QVERIFY(!findEntity(s, *parts, " – ") && !lookup.find(*parts, "a – b – c"));
}

void TestCreate::removingTakesAlong()
{
    Desk desk;
    build(desk);
    const auto ports = desk.now().ports.size();
    VERIFY_DONE(desk.run(json("{'do': 'remove', 'entity': 'host-1'}")));
    QVERIFY2(desk.notes.back() == "deleted 1 device, 27 ports, 2 links, 1 cable", desk.notes.back().c_str());
    QCOMPARE(desk.now().ports.size(), ports - 27);
    QCOMPARE(desk.now().links.size(), 1u);
    QCOMPARE(desk.now().cables.size(), 1u);
    VERIFY_DONE(desk.run(json("{'do': 'remove', 'entity': 'net'}"))); // its tiers with their devices
    QCOMPARE(desk.now().tiers.size(), 1u);
    QCOMPARE(desk.now().devices.size(), 1u); // the PDU
    VERIFY_DONE(desk.run(json("{'do': 'remove', 'entity': 'b1'}")));
    QVERIFY(desk.now().halls.empty() && desk.now().racks.empty() && desk.now().trays.empty() && desk.now().ports.empty() && desk.now().cages.empty());
    QVERIFY(desk.now().removals.empty()); // nothing of it was a template's
    QCOMPARE(dangling(desk.now()), std::string());
}

void TestCreate::removingIsRefused()
{
    Desk desk;
    build(desk);
    VERIFY_REFUSED(desk.run(json("{'do': 'remove', 'entity': 'hpn-host-8gpu'}")), "used as the type of 2 objects");
    VERIFY_REFUSED(desk.run(json("{'do': 'remove', 'entity': 'nowhere'}")), "name not found");
    VERIFY_DONE(desk.run(json("{'do': 'remove', 'entity': '400g-sr4'}")));
    Desk generated(smallHpn({{"segments", 1}, {"pods", 1}}));
    const auto& s = generated.now();
    const std::string port = entityName(s, *generated.parts(), ref(s.ports.ids().front()));
    VERIFY_REFUSED(generated.run(json("{'do': 'remove', 'entity': '" + port + "'}")), "ports are defined by the template");
}

void TestCreate::copiesBringWhatTheyHold()
{
    Desk desk;
    build(desk);
    const Snapshot before = desk.now();
    VERIFY_DONE(desk.run(json("{'do': 'copy', 'entity': 'rack-01', 'count': 2}")));
    const Snapshot& s = desk.now();
    QCOMPARE(s.racks.size(), before.racks.size() + 2);
    QCOMPARE(s.devices.size(), before.devices.size() * 3);
    QCOMPARE(s.ports.size(), before.ports.size() * 3);
    QCOMPARE(s.links.size(), before.links.size() * 3); // all of them are inside the rack
    QCOMPARE(s.cables.size(), before.cables.size() * 3);
    QVERIFY(desk.find("rack-04") && desk.find("rack-05") && desk.find("host-6") && desk.find("leaf-3"));
    const RackId copy(desk.find("rack-05").id);
    QCOMPARE(s.racks.along[copy].count(), s.racks.along[RackId(0)].count() + 2 * 600);
    s.links.forEach([&](LinkId link) { // both ends of a copied link stand in one rack, as the original's do
        const auto rackOf = [&](PortId port) { return s.devices.rack[s.ports.device[port]]; };
        QVERIFY(rackOf(s.links.from[link]) == rackOf(s.links.to[link]));
        QVERIFY(!s.links.rule[link]);
    });
    // Another rack takes a device alone: the links stay behind.
    VERIFY_DONE(desk.run(json("{'do': 'copy', 'entity': 'host-1', 'in': 'rack-02', 'name': 'twin'}")));
    const DeviceId twin(desk.find("twin").id);
    QVERIFY(desk.now().devices.rack[twin] == RackId(desk.find("rack-02").id) && desk.now().devices.u[twin] == 1);
    QCOMPARE(desk.now().links.size(), before.links.size() * 3);
    VERIFY_REFUSED(desk.run(json("{'do': 'copy', 'entity': 'host-1', 'in': 'net'}")), "cannot be placed there");
    VERIFY_REFUSED(desk.run(json("{'do': 'copy', 'entity': 'host-1', 'count': 0}")), "specify 1 to 10,000");
    VERIFY_REFUSED(desk.run(json("{'do': 'copy', 'entity': 'host-1', 'count': 50}")), "no room for another hpn-host-8gpu");
    QCOMPARE(desk.now().devices.size(), before.devices.size() * 3 + 1); // nothing of it is left
}

void TestCreate::connectsPowerFromOutletToInlet()
{
    Desk desk;
    build(desk);
    const LinkId link(2);
    QVERIFY(desk.now().ports.role[desk.now().links.from[link]] == PortRole::Up); // from what takes the power
    QVERIFY(desk.now().cables.medium[*desk.now().links.cable[link]] == Medium::Power);
    VERIFY_REFUSED(desk.run(json("{'do': 'connect', 'from': 'host-1:PSU2', 'to': 'host-2:PSU2'}")), "both ports are inlets");
    VERIFY_REFUSED(desk.run(json("{'do': 'connect', 'from': 'host-1:PSU2', 'to': 'leaf-1:port9'}")), "one port carries power, the other data");
    VERIFY_REFUSED(desk.run(json("{'do': 'connect', 'from': 'host-2:PSU1', 'to': 'pdu-1:1'}")), "in use");
    VERIFY_DONE(desk.run(json("{'do': 'disconnect', 'from': 'pdu-1:1'}")));
    VERIFY_DONE(desk.run(json("{'do': 'connect', 'from': 'host-2:PSU1', 'to': 'pdu-1:1'}")));
}

void TestCreate::regenerationKeepsRemovedAndRetyped()
{
    Desk desk(smallHpn({{"segments", 1}, {"pods", 1}}));
    desk.context.regenerate = [](Transaction& t, std::string_view name, std::string_view value) -> Result<void> {
        const auto merged = regenerate(t, {{std::string(name), std::stoll(std::string(value))}}, catalog());
        if (!merged) return tl::unexpected(merged.error());
        return {};
    };
    const Snapshot first = desk.now();
    const auto tors = [](const Snapshot& s) {
        std::vector<DeviceId> found;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.key[s.devices.tier[id]] == "tor") found.push_back(id);
        });
        return found;
    };
    const DeviceId retyped = tors(first).front();
    const std::string name = first.devices.name[retyped], key = first.devices.key[retyped];
    std::optional<RackId> filled; // a rack with a host
    first.devices.forEach([&](DeviceId id) {
        if (first.tiers.kind[first.devices.tier[id]] == TierKind::Server && first.devices.rack[id]) filled = *first.devices.rack[id];
    });
    QVERIFY(filled);
    std::vector<std::string> removed{first.racks.key[*filled]};
    std::optional<DeviceId> saved; // carried out of the rack before it goes
    first.devices.forEach([&](DeviceId id) {
        if (first.devices.rack[id] != *filled) return;
        if (!saved && first.tiers.kind[first.devices.tier[id]] == TierKind::Server)
            saved = id;
        else
            removed.push_back(first.devices.key[id]);
    });
    const auto devices = first.devices.size();
    const auto hall = first.halls.name[first.halls.ids().front()];
    VERIFY_DONE(desk.run(json("{'do': 'place', 'entity': '" + first.devices.name[*saved] + "', 'hall': '" + hall + "'}")));
    VERIFY_DONE(desk.run(json("{'do': 'set', 'entity': 'backend', 'column': 'label', 'value': 'Mine'}")));
    VERIFY_DONE(desk.run(json("{'do': 'remove', 'entity': '" + first.racks.name[*filled] + "'}")));
    VERIFY_DONE(desk.run(json("{'do': 'retype', 'entity': '" + name + "', 'type': 'switch-102t-256x400g', 'force': true}")));
    QCOMPARE(desk.now().devices.size(), devices - (removed.size() - 1));
    const auto linksOf = [&](DeviceId id) {
        std::size_t n = 0;
        desk.now().links.forEach([&](LinkId link) { n += desk.now().ports.device[desk.now().links.to[link]] == id; });
        return n;
    };
    const auto kept = linksOf(retyped);
    const std::string before = exported(desk.now());

    const auto check = [&] {
        const Snapshot& s = desk.now();
        s.racks.forEach([&](RackId id) { QVERIFY(s.racks.key[id] != removed.front()); });
        s.devices.forEach([&](DeviceId id) { QVERIFY2(std::ranges::find(removed, s.devices.key[id]) == removed.end(), s.devices.key[id].c_str()); });
        QCOMPARE(dangling(s), std::string());
        QCOMPARE(s.partTypes.slug[s.devices.type[retyped]], std::string("switch-102t-256x400g"));
        QCOMPARE(s.devices.key[retyped], key);
        QVERIFY(s.devices.contains(*saved) && s.devices.hall[*saved] && !s.devices.rack[*saved]);
        QCOMPARE(s.networks.label[NetworkId(0)], std::string("Mine"));
    };
    // With another value and back: what was removed does not come again, what was retyped stays so.
    VERIFY_DONE(desk.run(json("{'do': 'set-parameter', 'name': 'segments', 'value': 2}")));
    check();
    QVERIFY(desk.now().devices.size() > devices);
    VERIFY_DONE(desk.run(json("{'do': 'set-parameter', 'name': 'segments', 'value': 1}")));
    check();
    QCOMPARE(linksOf(retyped), kept);
    QVERIFY(desk.document.undo() && desk.document.undo());
    QVERIFY(exported(desk.now()) == before);
    // Undone, the removal is forgotten: the rack comes back, and stays at the next regeneration.
    QVERIFY(desk.document.undo() && desk.document.undo());
    QCOMPARE(desk.now().removals.size(), 0u);
    VERIFY_DONE(desk.run(json("{'do': 'set-parameter', 'name': 'segments', 'value': 2}")));
    QVERIFY(desk.find(first.racks.name[*filled]).kind == EntityKind::Rack);
}

/// Numbers burned in, channels, tests and how far something has come belong to what was copied.
void TestCreate::copiesAreNotBuiltYet()
{
    Desk desk;
    build(desk);
    for (const char* edit : {"{'do': 'set', 'entity': 'host-1', 'column': 'serial', 'value': 'SN-1'}",
                             "{'do': 'set', 'entity': 'host-1', 'column': 'stage', 'value': 'live'}",
                             "{'do': 'set', 'entity': 'host-1', 'column': 'stage_date', 'value': '2026-11-01'}",
                             "{'do': 'bind', 'channel': 'ch', 'entity': 'host-1', 'measure': 'active-power'}"})
        VERIFY_DONE(desk.run(json(edit)));
    {
        Transaction t = desk.document.begin("seen");
        const HardwareIdId id = t->hardwareIds.insert();
        t->hardwareIds.device.set(id, DeviceId(desk.find("host-1").id));
        t->hardwareIds.value.set(id, "00:11:22:33:44:55");
        t.commit();
    }
    VERIFY_DONE(desk.run(json("{'do': 'copy', 'entity': 'rack-01', 'name': 'rack-b'}")));
    const Snapshot& s = desk.now();
    QCOMPARE(s.hardwareIds.size(), 1u);
    QCOMPARE(s.bindings.size(), 1u);
    std::size_t numbered = 0, live = 0;
    s.devices.forEach([&](DeviceId id) {
        numbered += !s.devices.serial[id].empty();
        live += s.devices.stage[id] == Stage::Live || !s.devices.stageDate[id].empty();
    });
    QVERIFY(numbered == 1 && live == 1);
    VERIFY_REFUSED(desk.run(json("{'do': 'copy', 'entity': 'rack-01', 'name': 'rack-b'}")), "name already in use");
}

void TestCreate::farAndLongIsRefused()
{
    Desk desk;
    build(desk);
    VERIFY_REFUSED(desk.run(json("{'do': 'copy', 'entity': 'rack-01', 'count': 3, 'dx_mm': 9223372036854775807}")), "exceeds 200 km");
    VERIFY_DONE(desk.run(json("{'do': 'set', 'entity': 'tray-01', 'column': 'x1_mm', 'value': 99999000}, "
                              "{'do': 'set', 'entity': 'tray-01', 'column': 'x2_mm', 'value': 99999500}")));
    VERIFY_REFUSED(desk.run(json("{'do': 'resize', 'entity': 'tray-01', 'length_mm': 5000}")), "±100 km from the origin");
    std::string name; // a hundred characters, whatever they take in the file
    for (int i = 0; i < 100; ++i) name += "\u67dc";
    VERIFY_DONE(desk.run(json("{'do': 'rename', 'entity': 'rack-01', 'name': '" + name + "'}")));
    VERIFY_DONE(desk.run(json("{'do': 'copy', 'entity': '" + name + "', 'count': 12}")));
    desk.now().racks.forEach([&](RackId id) { QVERIFY(edit::charactersOf(desk.now().racks.name[id]) <= edit::kLongestName); });
    VERIFY_REFUSED(desk.run(json("{'do': 'rename', 'entity': 'rack-02', 'name': '" + name + "x'}")), "1 to 100 characters");
}

/// A type that takes coolant in and gives it out has a socket for each.
void TestCreate::coolantSocketsStayApart()
{
    Desk desk;
    build(desk);
    VERIFY_DONE(desk.run(json("{'do': 'add', 'what': 'tier', 'name': 'coolers', 'kind': 'cooling'}, "
                              "{'do': 'add', 'what': 'device', 'name': 'c-1', 'in': 'h1', 'type': 'cdu-1300kw', 'tier': 'coolers'}")));
    const DeviceId device(desk.find("c-1").id);
    for (const auto& [slug, part] : catalog().parts()) {
        if (!std::holds_alternative<DeviceSpec>(part->spec) || std::get<DeviceSpec>(part->spec).cooling.ports.empty()) continue;
        VERIFY_DONE(desk.run(json("{'do': 'retype', 'entity': 'c-1', 'type': '" + slug + "'}")));
        std::set<std::uint16_t> numbers;
        std::size_t cages = 0;
        const Snapshot& s = desk.now();
        s.cages.forEach([&](CageId id) {
            if (s.cages.device[id] != device) return;
            ++cages;
            numbers.insert(s.cages.number[id]);
        });
        QVERIFY2(numbers.size() == cages, slug.c_str());
        Desk fresh;
        build(fresh);
        VERIFY_DONE(fresh.run(json("{'do': 'add', 'what': 'tier', 'name': 'coolers', 'kind': 'cooling'}, "
                                   "{'do': 'add', 'what': 'device', 'name': 'c-1', 'in': 'h1', 'type': '" +
                                   slug + "', 'tier': 'coolers'}")));
        std::size_t sockets = 0;
        const DeviceId other(fresh.find("c-1").id);
        fresh.now().cages.forEach([&](CageId id) { sockets += fresh.now().cages.device[id] == other; });
        QVERIFY2(sockets == cages, (slug + " " + std::to_string(sockets) + " " + std::to_string(cages)).c_str());
    }
}

/// Every port of every type can be named, so that a hall can be connected by hand in every medium.
void TestCreate::portsHaveNamesOfTheirOwn()
{
    Desk desk;
    build(desk);
    VERIFY_DONE(desk.run(json("{'do': 'add', 'what': 'tier', 'name': 'coolers', 'kind': 'cooling'}, "
                              "{'do': 'add', 'what': 'device', 'name': 'cdu-1', 'in': 'h1', 'type': 'cdu-1300kw', 'tier': 'coolers'}, "
                              "{'do': 'add', 'what': 'device', 'name': 'fan-1', 'in': 'h1', 'type': 'manifold-nvl72', 'tier': 'coolers'}")));
    VERIFY_DONE(desk.run(json("{'do': 'connect', 'from': 'fan-1:in-1', 'to': 'cdu-1:loop'}")));
    VERIFY_REFUSED(desk.run(json("{'do': 'connect', 'from': 'fan-1:in-2', 'to': 'cdu-1:facility'}")), "both ports are inlets");
    VERIFY_DONE(desk.run(json("{'do': 'disconnect', 'from': 'cdu-1:loop'}")));
    for (const auto& [slug, part] : catalog().parts()) {
        if (!std::holds_alternative<DeviceSpec>(part->spec)) continue;
        VERIFY_DONE(desk.run(json("{'do': 'add', 'what': 'device', 'name': 'one', 'in': 'h1', 'type': '" + slug + "', 'tier': 'coolers'}")));
        const auto parts = desk.parts();
        const DeviceId device(desk.find("one").id);
        std::set<std::string> names;
        std::size_t ports = 0;
        desk.now().ports.forEach([&](PortId id) {
            if (desk.now().ports.device[id] == device) ++ports, names.insert(portName(desk.now(), *parts, id));
        });
        QVERIFY2(names.size() == ports, slug.c_str());
        QVERIFY(desk.document.undo());
    }
}

/// Devices that are not as deep as the rack may have the same units, one from behind; rule S1 says the same.
void TestCreate::shallowDevicesStandBackToBack()
{
    Desk desk;
    build(desk);
    const auto shelf = [](const std::string& slug, int depth_mm) {
        return "{'do': 'add', 'what': 'part-type', 'definition': 'manufacturer: Own\\nmodel: " + slug + "\\nslug: " + slug +
               "\\nu_height: 1\\nis_full_depth: false\\n---\\nkind: device\\nslug: " + slug + "\\ndepth: {value: " + std::to_string(depth_mm) +
               ", unit: mm, source: measured, confidence: A}\\n'}";
    };
    VERIFY_DONE(desk.run(json(shelf("shelf-400", 400) + ", " + shelf("shelf-900", 900) + ", {'do': 'add', 'what': 'tier', 'name': 'mine'}")));
    const auto add = [](const std::string& name, const std::string& type, const std::string& more) {
        return json("{'do': 'add', 'what': 'device', 'name': '" + name + "', 'in': 'rack-02', 'type': '" + type + "', 'tier': 'mine'" + more + "}");
    };
    VERIFY_DONE(desk.run(add("front", "shelf-400", ", 'u': 10")));
    VERIFY_DONE(desk.run(add("rear", "shelf-400", ", 'u': 10, 'face': 'rear'")));
    VERIFY_REFUSED(desk.run(add("third", "shelf-400", ", 'u': 10")), "is occupied by front");
    VERIFY_REFUSED(desk.run(json("{'do': 'set', 'entity': 'rear', 'column': 'face', 'value': 'front'}")), "are occupied on that side");
    VERIFY_DONE(desk.run(add("deep", "shelf-900", ", 'u': 12")));
    VERIFY_REFUSED(desk.run(add("behind", "shelf-400", ", 'u': 12, 'face': 'rear'")), "is occupied by deep");
    VERIFY_DONE(desk.run(json("{'do': 'copy', 'entity': 'rear'}"))); // to the lowest unit that is open behind
    QCOMPARE(int(desk.now().devices.u[DeviceId(desk.find("rear-2").id)]), 1);
}

/// A name is found at once, however many edits came before: the second half takes no longer than the first.
void TestCreate::manyEditsByName()
{
    constexpr int kEdits = 20'000;
    Desk desk;
    build(desk);
    VERIFY_DONE(desk.run(json("{'do': 'copy', 'entity': 'rack-01', 'count': 100}")));
    std::string script;
    const Snapshot s = desk.now();
    const auto racks = s.racks.ids();
    for (int i = 0; i < kEdits; ++i) {
        const auto& name = s.racks.name[racks[std::size_t(i) % racks.size()]];
        script += (i ? ", " : "") +
                  json("{'do': 'set', 'entity': '" + name + "', 'column': 'power_limit', 'value': '" + std::to_string(10 + i % 7) + " kW'}");
    }
    QElapsedTimer timer;
    timer.start();
    VERIFY_DONE(desk.run(script));
    qInfo("%d edits by name: %lld ms", kEdits, static_cast<long long>(timer.elapsed()));
    QVERIFY(desk.document.canUndo());
}

QTEST_APPLESS_MAIN(TestCreate)
#include "test_create.moc"
