// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/fields.h"
#include "core/design/edit/settings_check.h"
#include "tests/edit/desk.h"

#include <QTest>

#include <set>

using namespace hw;
using namespace hw::test;

/// What `set` and `retype` take, and what they refuse.
class TestFields : public QObject {
    Q_OBJECT
private slots:
    void everyFieldTakesItsOwnText();
    void fieldsAreChecked();
    void quantities();
    void networksCanBeRenamed();
    void onlyTheNamedRowChanges();
    void hashSettingsAreKnown();
    void partTypesOfOnesOwn();
    void retypeKeepsPortsByName();
    void retypeKeepsTheFeed();
    void whatManyTakeIsTakenOnce();
};

/// Over the whole schema: what a field shows is what it takes, and setting it to that changes nothing.
void TestFields::everyFieldTakesItsOwnText()
{
    Desk desk;
    build(desk);
    const std::string before = exported(desk.now());
    std::size_t fields = 0;
    auto t = desk.document.begin("same");
    edit::Lookup lookup(desk.document.snapshot());
    const auto parts = desk.parts();
    t->eachTable([&](const auto& table) {
        constexpr auto kind = kKindOf<std::decay_t<decltype(table)>>;
        if constexpr (kind != EntityKind::None) {
            if (table.size() == 0) return;
            const EntityRef entity = ref(table.ids().front());
            for (const edit::Field& field : edit::fieldsOf(kind)) {
                const std::string text = edit::fieldText(*t, *parts, entity, field);
                if (field.column == "hall" || (field.column == "row" && kind == EntityKind::Device) ||
                    (field.column == "z_mm" && kind == EntityKind::Device) || (field.column == "x_mm" && kind == EntityKind::Device) ||
                    (field.column == "y_mm" && kind == EntityKind::Device) || (field.column == "level" && kind == EntityKind::Tier))
                    continue; // of devices in a rack, and of a tier with devices: refused
                const auto value = text.empty() && field.kind == edit::FieldKind::Reference ? std::nullopt : std::optional(text);
                if (kind == EntityKind::Port && lookup.linkOf(PortId(entity.id))) continue;
                if (field.column == "rack") continue; // chooses a unit
                const auto set = edit::setField(t, *parts, lookup, entity, field.column, value);
                QVERIFY2(set, (edit::kindWord(kind) + " " + field.column + " '" + text + "' " + textOf(set)).c_str());
                ++fields;
            }
        }
    });
    QVERIFY2(fields > 40, std::to_string(fields).c_str());
    t.commit();
    QVERIFY(exported(desk.now()) == before);
}

void TestFields::fieldsAreChecked()
{
    Desk desk;
    build(desk);
    const auto set = [&](const char* entity, const char* column, const char* value) {
        return desk.run(json(std::string("{'do': 'set', 'entity': '") + entity + "', 'column': '" + column + "', 'value': " + value + "}"));
    };
    VERIFY_REFUSED(set("row-01", "angle_deg", "45"), "in multiples of 90");
    VERIFY_REFUSED(set("net", "planes", "0"), "specify 1 to 1024");
    VERIFY_REFUSED(set("net", "color", "'#12'"), "use the form #rrggbb");
    VERIFY_REFUSED(set("net", "kind", "'fast'"), "choose from backend, frontend");
    VERIFY_REFUSED(set("rack-01", "row", "'host-1'"), "specify a row");
    VERIFY_REFUSED(set("rack-01", "row", "null"), "a value is required");
    VERIFY_REFUSED(set("rack-01", "power_limit_mw", "'3 furlongs'"), "units: mW, W, kW");
    VERIFY_REFUSED(set("rack-01", "power_limit_mw", "-1"), "specify 0 to 1000 GW");
    VERIFY_REFUSED(set("rack-01", "key", "'x'"), "has no settable column with this name; choose from name, row");
    VERIFY_REFUSED(set("host-1", "x_mm", "5"), "mounted in a rack");
    VERIFY_REFUSED(set("leaf-1:cage1", "module", "'mpo12-om4'"), "is not a transceiver of the project");
    VERIFY_REFUSED(set("host-1:nic1p1", "network", "null"), "port is connected");
    VERIFY_DONE(set("host-1:fe1p1", "network", "null"));
    VERIFY_DONE(set("rack-02", "row", "'row-01'"));
    VERIFY_DONE(set("rack-01", "power_limit", "'40 kW'"));
    QCOMPARE(desk.now().racks.powerLimit[RackId(0)].count(), watts(40'000).count());
    VERIFY_DONE(set("rack-01", "along", "'1.2 m'"));
    QCOMPARE(desk.now().racks.along[RackId(0)].count(), 1200);
    QVERIFY(!desk.run(json("{'do': 'add', 'what': 'rack', 'in': 'row-01', 'type': 'rack-48u-600x1200', 'color': 3}")));
    QVERIFY(!desk.run(json("{'do': 'add', 'what': 'hat', 'name': 'x'}")));
    VERIFY_REFUSED(desk.run(json("{'do': 'add', 'what': 'link'}")), "use connect");
    VERIFY_REFUSED(desk.run(json("{'do': 'add', 'what': 'hall', 'in': 'row-01'}")), "a hall must be placed in a building");
    VERIFY_REFUSED(desk.run(json("{'do': 'rotate', 'entity': 'row-01', 'by_deg': 30}")), "° is not a multiple of 90°");
    VERIFY_REFUSED(desk.run(json("{'do': 'resize', 'entity': 'h1', 'size_x_mm': 0}")), "is out of range");
    VERIFY_REFUSED(desk.run(json("{'do': 'resize', 'entity': 'row-01', 'size_x_mm': 5}")), "this object has no size");
}

void TestFields::quantities()
{
    QCOMPARE(edit::readQuantity("35 kW", "mW").value(), std::int64_t(35'000'000));
    QCOMPARE(edit::readQuantity("1.25 m", "mm").value(), std::int64_t(1250));
    QCOMPARE(edit::readQuantity("12", "mm").value(), std::int64_t(12));
    QCOMPARE(edit::readQuantity("1,200", "mm").value(), std::int64_t(1200));
    QCOMPARE(edit::readQuantity("-12,345.5 m", "mm").value(), std::int64_t(-12'345'500));
    QCOMPARE(edit::readQuantity("1,320,000 W", "mW").value(), std::int64_t(1'320'000'000));
    QCOMPARE(edit::inUnitShown("1,500", "1,200 kW"), std::string("1500 kW"));
    QCOMPARE(edit::inUnitShown("60", "35 kW"), std::string("60 kW"));
    for (const char* bad : {"1,2", "1,2000", "12,34,567", ",200", "1,", "1234,567"}) QVERIFY2(!edit::readQuantity(bad, "mm"), bad);
    QCOMPARE(edit::readQuantity("12 ft 6 in", "mm").value(), std::int64_t(3810));
    QCOMPARE(edit::readQuantity("12' 6\"", "mm").value(), std::int64_t(3810));
    QCOMPARE(edit::readQuantity("-5 ft 6 in", "mm").value(), std::int64_t(-1676));
    QCOMPARE(edit::readQuantity("450,400 BTU/h", "mW").value() / 1000, std::int64_t(131'999)); // W
    QCOMPARE(edit::readQuantity("1 tons", "mW").value(), std::int64_t(3'516'853));
    for (const char* bad : {"12 ft 6", "12 ft 13 in", "12 ft -1 in", "1 °F", "3 BTU"}) QVERIFY2(!edit::readQuantity(bad, "mm"), bad);
    QCOMPARE(readInUnit("86 °F", "°C").value(), 30.0);
    QCOMPARE(readInUnit("-40 F", "°C").value(), -40.0);
    QCOMPARE(readInUnit("27", "°C").value(), 27.0);
    QCOMPARE(readInUnit("12000 W", "MW").value(), 0.012);
    QVERIFY(!readInUnit("3 m", "K") && !readInUnit("", "m") && !converted(1, "m", "kW"));
    QCOMPARE(edit::quantityText(3658, "mm", {.feet = true}), std::string("12 ft"));
    QCOMPARE(edit::quantityText(12'000, "mm", {.feet = true}), std::string("39.37 ft"));
    QCOMPARE(edit::quantityText(191, "mm", {.feet = true}), std::string("7.52 in"));
    QCOMPARE(edit::quantityText(0, "mm", {.feet = true}), std::string("0 ft"));
    QCOMPARE(edit::quantityText(500, "mW"), std::string("500 mW")); // units of other systems are only read
    QCOMPARE(edit::quantityText(7'000'000'000, "mW"), std::string("7 MW"));
    QCOMPARE(edit::readQuantity("1 ft", "mm").value(), std::int64_t(305));
    QCOMPARE(edit::readQuantity("51.2 Tb/s", "Gb/s").value(), std::int64_t(51'200));
    for (const char* bad : {"", "x", "1.5", "1e300", "nan", "5 kW", "0x10"}) QVERIFY2(!edit::readQuantity(bad, "mm"), bad);
}

void TestFields::networksCanBeRenamed()
{
    Desk desk;
    build(desk);
    VERIFY_DONE(desk.run(json("{'do': 'rename', 'entity': 'net', 'name': 'fabric'}")));
    QCOMPARE(desk.now().networks.name[NetworkId(0)], std::string("fabric"));
    QVERIFY(edit::canRename(EntityKind::Network) && !edit::canRename(EntityKind::Port));
}

/// An edit of row 0 of one table changes that table and no other.
void TestFields::onlyTheNamedRowChanges()
{
    Desk desk;
    build(desk);
    desk.now().eachTable([&](const auto& table) {
        using T = std::decay_t<decltype(table)>;
        if constexpr (requires {
                          table.overridden;
                          table.name;
                      } &&
                      kKindOf<T> != EntityKind::None) {
            if (table.size() == 0) return;
            auto t = desk.document.begin("rename");
            VERIFY_DONE(edit::renameEntity(t, ref(table.ids().front()), "quite new"));
            const auto changes = t.changesSoFar();
            for (const auto& chunk : changes.chunks) QCOMPARE(std::size_t(chunk.table), std::size_t(kTableNumber<T>));
            QVERIFY(!changes.chunks.empty());
        }
    });
    const auto move = desk.run(json("{'do': 'move', 'entity': 'net', 'dx_mm': 1, 'dy_mm': 1}"));
    VERIFY_REFUSED(move, "cannot be moved");
}

void TestFields::hashSettingsAreKnown()
{
    Desk desk(smallHpn({{"segments", 1}, {"pods", 1}}));
    VERIFY_DONE(desk.run(json("{'do': 'set-setting', 'key': 'network.backend.hash.tor', 'value': 'source-port'}")));
    VERIFY_REFUSED(desk.run(json("{'do': 'set-setting', 'key': 'network.backend.hash.tor', 'value': 'dice'}")), "five-tuple, source-port");
    QVERIFY(!desk.run(json("{'do': 'set-setting', 'key': 'network.backend.hash.nowhere', 'value': 'source-port'}")));
    VERIFY_DONE(desk.run(json("{'do': 'set-setting', 'key': 'cabling.slack_percent', 'value': 100}")));
    QVERIFY(!desk.run(json("{'do': 'set-setting', 'key': 'cabling.slack_percent', 'value': 101}")));
}

void TestFields::partTypesOfOnesOwn()
{
    Desk desk;
    const std::string tray = "'kind': 'tray', 'slug': 'own-tray', 'model': 'Own', 'description': 'x', 'reviewed': '2026-01-01', "
                             "'width': {'value': 450, 'unit': 'mm', 'source': 'me', 'confidence': 'C'}, "
                             "'height': {'value': 100, 'unit': 'mm', 'source': 'me', 'confidence': 'C'}, "
                             "'price_per_meter': {'value': 4, 'unit': 'USD/m', 'source': 'me', 'confidence': 'C'}";
    VERIFY_DONE(desk.run(json("{'do': 'add', 'what': 'part-type', 'definition': {" + tray + "}}")));
    QCOMPARE(desk.parts()->tray(PartTypeId(0)).width.value.count(), 450);
    VERIFY_REFUSED(desk.run(json("{'do': 'add', 'what': 'part-type', 'definition': {" + tray + "}}")),
                   "the project already has a part type with this slug");
    VERIFY_REFUSED(desk.run(json("{'do': 'add', 'what': 'part-type', 'definition': {'kind': 'hat', 'slug': 'x'}}")), "' is not a part kind");
    VERIFY_REFUSED(desk.run(json("{'do': 'add', 'what': 'part-type', 'definition': '[: not'}")), "definition");
    VERIFY_REFUSED(desk.run(json("{'do': 'add', 'what': 'part-type', 'type': 'no-such'}")), "not a part type of the catalog");
    QCOMPARE(desk.now().partTypes.size(), 1u);
    VERIFY_DONE(desk.run(json("{'do': 'add', 'what': 'tray', 'name': 't', 'type': 'own-tray'}, {'do': 'remove', 'entity': 't'}, "
                              "{'do': 'remove', 'entity': 'own-tray'}")));
    // Every definition of the catalog is one that a project takes.
    for (const auto& [slug, part] : catalog().parts()) {
        auto t = desk.document.begin("part");
        edit::Lookup lookup(desk.document.snapshot());
        const auto added = edit::addPartType(t, lookup, part->definition);
        QVERIFY2(added, slug.c_str());
    }
}

void TestFields::retypeKeepsPortsByName()
{
    Desk desk;
    build(desk);
    // 64 ports instead of 128: port1, which is wired, is there too; port100 is not.
    VERIFY_DONE(desk.run(json("{'do': 'remove', 'entity': 'leaf-1:port100'}, "
                              "{'do': 'add', 'what': 'port', 'in': 'leaf-1', 'interface': 'port100', 'split': 2}, "
                              "{'do': 'connect', 'from': 'host-1:nic2p1', 'to': 'leaf-1:port100s1'}")));
    const auto links = desk.now().links.size();
    VERIFY_REFUSED(desk.run(json("{'do': 'retype', 'entity': 'leaf-1', 'type': 'switch-25t-64x400g'}")), "1 of its links");
    QCOMPARE(desk.now().links.size(), links);
    VERIFY_DONE(desk.run(json("{'do': 'retype', 'entity': 'leaf-1', 'type': 'switch-25t-64x400g', 'force': true}")));
    QCOMPARE(desk.now().links.size(), links - 1);
    QVERIFY(desk.find("leaf-1:port64") && !desk.find("leaf-1:port65"));
    const DeviceId leaf(desk.find("leaf-1").id);
    QVERIFY(desk.now().devices.overridden[leaf] & overridden::kType);
    // What hung on the first lane of port1 still does.
    const PortId port(desk.find("leaf-1:port1s1").id);
    edit::Lookup lookup(desk.document.snapshot());
    const auto link = lookup.linkOf(port);
    QVERIFY(link);
    QCOMPARE(entityName(desk.now(), *desk.parts(), ref(desk.now().links.from[*link])), std::string("host-1:nic1p1"));
    // Back again: the missing ports come with it.
    VERIFY_DONE(desk.run(json("{'do': 'retype', 'entity': 'leaf-1', 'type': 'switch-51t-128x400g'}")));
    QVERIFY(desk.find("leaf-1:port128"));
    VERIFY_REFUSED(desk.run(json("{'do': 'retype', 'entity': 'leaf-1', 'type': 'rack-48u-600x1200'}")), "not a device type");
    VERIFY_REFUSED(desk.run(json("{'do': 'retype', 'entity': 'leaf-1', 'type': 'nonsense'}")), "not a part type of the project or the catalog");
    VERIFY_REFUSED(desk.run(json("{'do': 'retype', 'entity': 'row-01', 'type': 'hpn-host-8gpu'}")), "this object has no part type");
}

/// Of a busway to one whose part type lists no inlet and calls its tap-offs otherwise, and back.
void TestFields::retypeKeepsTheFeed()
{
    Desk desk(smallHpn({{"segments", 1}, {"backup_hosts", 0}}));
    const std::string name = "pod1-c01-row1-busway1";
    QVERIFY(desk.find(name));
    const DeviceId busway(desk.find(name).id);
    const auto links = [&] {
        std::set<std::pair<std::uint32_t, std::uint32_t>> found;
        const Snapshot& s = desk.now();
        s.links.forEach([&](LinkId id) {
            const DeviceId from = s.ports.device[s.links.from[id]], to = s.ports.device[s.links.to[id]];
            if (from == busway || to == busway) found.emplace(from.value, to.value);
        });
        return found;
    };
    const auto before = links();
    QVERIFY(before.size() > 2);
    for (const char* type : {"busway-2000a-415v", "busway-1000a-400v", "busway-2000a-415v", "busway-1600a-400v"}) {
        VERIFY_DONE(desk.run(json("{'do': 'retype', 'entity': '" + name + "', 'type': '" + type + "'}")));
        QVERIFY2(links() == before, type);
    }
}

/// Of several that go to one place each gets its own.
void TestFields::whatManyTakeIsTakenOnce()
{
    Desk desk;
    build(desk);
    VERIFY_DONE(desk.run(
        json("{'do': 'add', 'what': 'device', 'name': 'pdu-a', 'in': 'rack-03', 'type': 'rack-pdu-63a', 'tier': 'pdus', 'u': 7, 'count': 3}")));
    std::vector<int> units;
    desk.now().devices.forEach([&](DeviceId id) {
        if (desk.now().devices.name[id].starts_with("pdu-a") || desk.now().devices.name[id].starts_with("pdu-b"))
            units.push_back(desk.now().devices.u[id]);
    });
    QVERIFY(units.size() == 3 && std::ranges::count(units, 7) == 1);
    for (const char* u : {"-1", "49", "70000"})
        VERIFY_REFUSED(
            desk.run(json("{'do': 'add', 'what': 'device', 'in': 'rack-03', 'type': 'rack-pdu-63a', 'tier': 'pdus', 'u': " + std::string(u) + "}")),
            "does not fit at U");
    VERIFY_REFUSED(
        desk.run(json("{'do': 'add', 'what': 'device', 'in': 'h1', 'type': 'hpn-host-8gpu', 'tier': 'servers', 'count': 2, 'rack': 'rack-03'}")),
        "the position is already defined by 'in'");
    VERIFY_DONE(
        desk.run(json("{'do': 'add', 'what': 'device', 'name': 'free-1', 'in': 'h1', 'type': 'hpn-host-8gpu', 'tier': 'servers', 'count': 3}")));
    VERIFY_REFUSED(desk.run(json("{'do': 'set-all', 'what': 'rack', 'column': 'name', 'value': 'one'}")), "name already in use");
    VERIFY_DONE(desk.run(json("{'do': 'set-all', 'what': 'device', 'type': 'hpn-host-8gpu', 'in': 'h1', 'column': 'rack', 'value': 'rack-03'}")));
    std::set<int> places;
    std::size_t hosts = 0;
    const Snapshot& s = desk.now();
    s.devices.forEach([&](DeviceId id) {
        if (s.partTypes.slug[s.devices.type[id]] != "hpn-host-8gpu") return;
        ++hosts;
        places.insert(s.devices.u[id]);
    });
    QCOMPARE(places.size(), hosts);
    // A running number is one that no device of the tier has, also after one was set by hand.
    VERIFY_DONE(
        desk.run(json("{'do': 'set', 'entity': 'host-1', 'column': 'index', 'value': 50}, {'do': 'copy', 'entity': 'host-1', 'in': 'rack-02'}")));
    std::set<int> numbers;
    desk.now().devices.forEach([&](DeviceId id) {
        if (desk.now().partTypes.slug[desk.now().devices.type[id]] == "hpn-host-8gpu") numbers.insert(desk.now().devices.index[id]);
    });
    QCOMPARE(numbers.size(), hosts + 1);
}

QTEST_APPLESS_MAIN(TestFields)
#include "test_fields.moc"
