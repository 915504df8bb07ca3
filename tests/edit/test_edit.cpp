// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/script.h"
#include "core/design/edit/settings_check.h"
#include "tests/edit/apply_script.h"

#include <QTest>

#include <set>

using namespace hw;

namespace {

/// A hall with a row turned by 90°, two racks, two hosts and a switch of the shipped catalog; switch
/// ports 0 and 1 are the lanes of one split cage.
struct Small {
    Document document;
    std::vector<std::uint64_t> committed;
    edit::EditContext context;

    Small() : document(make())
    {
        context.author = "planner";
        context.date = "2026-01-31";
        context.committed = [this](std::uint64_t revision) { committed.push_back(revision); };
    }

    static PartTypeId addPart(Snapshot& s, const Catalog& catalog, const char* slug, PartKind kind)
    {
        const auto id = s.partTypes.insert();
        s.partTypes.slug.set(id, slug);
        s.partTypes.kind.set(id, kind);
        s.partTypes.definition.set(id, catalog.find(slug)->definition);
        return id;
    }

    static DeviceId addDevice(Snapshot& s, const char* name, TierId tier, PartTypeId type, int u)
    {
        const auto id = s.devices.insert();
        s.devices.name.set(id, name);
        s.devices.tier.set(id, tier);
        s.devices.type.set(id, type);
        s.devices.rack.set(id, RackId(0));
        s.devices.u.set(id, std::int16_t(u));
        return id;
    }

    static PortId addPort(Snapshot& s, DeviceId device, CageId cage, int lane, std::int32_t rate)
    {
        const auto id = s.ports.insert();
        s.ports.device.set(id, device);
        s.ports.cage.set(id, cage);
        s.ports.network.set(id, NetworkId(0));
        s.ports.rate.set(id, Gbps(rate));
        s.ports.lane.set(id, std::uint8_t(lane));
        return id;
    }

    static CageId addCage(Snapshot& s, DeviceId device, int number, int split)
    {
        const auto id = s.cages.insert();
        s.cages.device.set(id, device);
        s.cages.number.set(id, std::uint16_t(number));
        s.cages.split.set(id, std::uint8_t(split));
        return id;
    }

    static SnapshotPtr make()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        if (!catalog) qFatal("%s", catalog.error().text().c_str());
        auto snapshot = std::make_shared<Snapshot>();
        Snapshot& s = *snapshot;
        const auto host = addPart(s, *catalog, "hpn-host-8gpu", PartKind::Device),
                   tor = addPart(s, *catalog, "switch-51t-128x400g", PartKind::Device),
                   rack = addPart(s, *catalog, "rack-48u-600x1200", PartKind::Rack);
        addPart(s, *catalog, "mpo12-om4", PartKind::Cable);
        s.networks.name.set(s.networks.insert(), "backend");
        s.buildings.name.set(s.buildings.insert(), "building-1");
        s.halls.name.set(s.halls.insert(), "hall-1");
        s.rows.name.set(s.rows.insert(), "row-01");
        s.rows.angle.set(RowId(0), 90);
        for (const char* name : {"rack-01", "rack-02"}) {
            const auto id = s.racks.insert();
            s.racks.name.set(id, name);
            s.racks.type.set(id, rack);
        }
        s.trays.name.set(s.trays.insert(), "tray-01");
        s.trays.row.set(TrayId(0), RowId(0));
        for (const char* name : {"server", "tor"}) s.tiers.level.set(s.tiers.insert(), std::string_view(name) == "tor" ? 1 : 0);
        const auto a = addDevice(s, "host-1", TierId(0), host, 1), b = addDevice(s, "host-2", TierId(0), host, 20),
                   t = addDevice(s, "tor-1", TierId(1), tor, 40);
        for (const DeviceId h : {a, b})
            for (int i = 0; i < 2; ++i) addPort(s, h, addCage(s, h, i, 1), 0, 200);
        const auto split = addCage(s, t, 0, 2), whole = addCage(s, t, 1, 1);
        addPort(s, t, split, 0, 200);
        addPort(s, t, split, 1, 200);
        addPort(s, t, whole, 0, 400);
        snapshot->revision = 1;
        return snapshot;
    }

    [[nodiscard]] std::string port(std::uint32_t id) const
    {
        return entityName(*document.snapshot(), **ProjectParts::of(document.snapshot()->partTypes), ref(PortId(id)));
    }

    Result<void> run(const std::string& edits)
    {
        auto script = edit::parseScript("{\"edits\": [" + edits + "]}", "script.json");
        if (!script) return tl::unexpected(script.error());
        return test::applyScript(document, *script, context, "script.json");
    }

    [[nodiscard]] const Snapshot& now() const { return *document.snapshot(); }
};

std::string textOf(const Result<void>& result) { return result ? "done" : result.error().text(); }

} // namespace

#define VERIFY_DONE(result)                                                                                                                          \
    do {                                                                                                                                             \
        const auto outcome = result;                                                                                                                 \
        QVERIFY2(outcome, textOf(outcome).c_str());                                                                                                  \
    } while (false)

class TestEdit : public QObject {
    Q_OBJECT
private slots:
    void movesInHallDirections();
    void movesOutOfRangeAreRefused();
    void renames();
    void placesDevices();
    void connectsAndDisconnects();
    void aPortOfNoNetworkJoinsOne();
    void setsCables();
    void waivesAndSettings();
    void settingsAreChecked();
    void settingsSayWhatTheyAre();
    void powerLimits();
    void waivesOnlyWhatIsFound();
    void parametersGoToTheTemplate();
    void undoAndRedo();
    void unknownNamesShowNearOnes();
    void stopsAtTheFirstError();
    void malformedScripts_data();
    void malformedScripts();
};

void TestEdit::movesInHallDirections()
{
    Small small;
    VERIFY_DONE(small.run(R"({"do": "move", "entity": "row-01", "dx_mm": 600, "dy_mm": -50})"));
    QCOMPARE(small.now().rows.x[RowId(0)].count(), 600);
    QCOMPARE(small.now().rows.y[RowId(0)].count(), -50);
    QVERIFY(small.now().rows.overridden[RowId(0)] & overridden::kPlace);
    // The row runs along +y, so +x of the hall is to its right: across becomes negative.
    VERIFY_DONE(small.run(R"({"do": "move", "entity": "rack-02", "dx_mm": 100, "dy_mm": 30})"));
    QCOMPARE(small.now().racks.along[RackId(1)].count(), 30);
    QCOMPARE(small.now().racks.across[RackId(1)].count(), -100);
    VERIFY_DONE(small.run(R"({"do": "move", "entity": "tray-01", "dx_mm": 0, "dy_mm": 7})"));
    QCOMPARE(small.now().trays.x1[TrayId(0)].count(), 7);
    QCOMPARE(small.now().trays.x2[TrayId(0)].count(), 7);
    VERIFY_DONE(
        small.run(R"({"do": "move", "entity": "hall-1", "dx_mm": 1, "dy_mm": 0}, {"do": "move", "entity": "building-1", "dx_mm": 2, "dy_mm": 0})"));
    QCOMPARE(small.document.undoName(), std::string("Move building-1 by 2, 0 mm"));
    QVERIFY(textOf(small.run(R"({"do": "move", "entity": "host-1", "dx_mm": 1, "dy_mm": 0})")).find("mounted in rack-01") != std::string::npos);
}

void TestEdit::movesOutOfRangeAreRefused()
{
    Small small;
    for (const char* by : {"9223372036854775807", "-9223372036854775808", "2147483648", "200000000", "-100000001"}) {
        const auto result = small.run(std::string(R"({"do": "move", "entity": "row-01", "dx_mm": )") + by + ", \"dy_mm\": 0}");
        QVERIFY2(!result && result.error().code == ErrorCode::Refused, by);
    }
    QVERIFY(!small.run(R"({"do": "move", "entity": "row-01", "dx_mm": 18446744073709551615, "dy_mm": 0})"));
    QCOMPARE(small.now().revision, 1u);
    VERIFY_DONE(small.run(R"({"do": "move", "entity": "row-01", "dx_mm": 100000000, "dy_mm": 0})"));
    VERIFY_DONE(small.run(R"({"do": "move", "entity": "row-01", "dx_mm": -200000000, "dy_mm": 0})"));
    QVERIFY(!small.run(R"({"do": "move", "entity": "row-01", "dx_mm": -1, "dy_mm": 0})"));
}

void TestEdit::renames()
{
    Small small;
    VERIFY_DONE(small.run(R"({"do": "rename", "entity": "rack-01", "name": "Schrank Ω"})"));
    QCOMPARE(small.now().racks.name[RackId(0)], std::string("Schrank Ω"));
    QVERIFY(small.now().racks.overridden[RackId(0)] & overridden::kName);
    for (const char* bad : {"rack-02", "host-1", "backend", "", " x", "a:b", "a\\nb", "a\\tb"}) {
        const auto result = small.run(std::string(R"({"do": "rename", "entity": "tor-1", "name": ")") + bad + "\"}");
        QVERIFY2(!result && result.error().code == ErrorCode::Refused, bad);
    }
    QVERIFY(!small.run(R"({"do": "rename", "entity": "tor-1", "name": ")" + std::string(101, 'x') + "\"}"));
    const auto revision = small.now().revision;
    VERIFY_DONE(small.run(R"({"do": "rename", "entity": "tor-1", "name": "tor-1"})")); // nothing changes
    QCOMPARE(small.now().revision, revision);
    QCOMPARE(small.committed.back(), revision);
}

void TestEdit::placesDevices()
{
    Small small;
    VERIFY_DONE(small.run(R"({"do": "place", "entity": "host-1", "rack": "rack-02", "u": 3})"));
    QVERIFY(small.now().devices.rack[DeviceId(0)] == RackId(1));
    QCOMPARE(small.now().devices.u[DeviceId(0)], std::int16_t(3));
    const auto overlap = small.run(R"({"do": "place", "entity": "host-2", "rack": "rack-02", "u": 4})");
    QVERIFY2(textOf(overlap).find("is occupied by host-1") != std::string::npos, textOf(overlap).c_str());
    QVERIFY(!small.run(R"({"do": "place", "entity": "host-2", "rack": "rack-02", "u": 48})")); // sticks out at the top
    QVERIFY(!small.run(R"({"do": "place", "entity": "host-2", "rack": "rack-02", "u": -1})"));
    QVERIFY(!small.run(R"({"do": "place", "entity": "host-2", "rack": "host-1", "u": 20})"));
    VERIFY_DONE(small.run(R"({"do": "place", "entity": "host-2", "rack": "rack-02", "u": 20})"));
}

/// As that of a coolant distribution unit on the management network.
void TestEdit::aPortOfNoNetworkJoinsOne()
{
    Small small;
    auto none = small.document.begin("No network");
    none->ports.network.set(PortId(3), Maybe<NetworkId>());
    none.commit();
    VERIFY_DONE(small.run(R"({"do": "connect", "from": ")" + small.port(3) + R"(", "to": ")" + small.port(1) + "\"}"));
    QCOMPARE(small.now().ports.network[PortId(3)], Maybe<NetworkId>(NetworkId(0)));
    QVERIFY(small.document.undo());
    QVERIFY(!small.now().ports.network[PortId(3)]);
}

void TestEdit::connectsAndDisconnects()
{
    Small small;
    const auto connect = [&](std::uint32_t a, std::uint32_t b) {
        return small.run(R"({"do": "connect", "from": ")" + small.port(a) + R"(", "to": ")" + small.port(b) + "\"}");
    };
    VERIFY_DONE(connect(4, 0)); // named from the top; stored from the lower tier up
    const LinkId link(0);
    QVERIFY(small.now().links.from[link] == PortId(0) && small.now().links.to[link] == PortId(4));
    QVERIFY(small.now().links.overridden[link] & overridden::kWiring);
    VERIFY_DONE(connect(2, 5)); // the other lane of the split cage: the same breakout cable
    QVERIFY(small.now().links.cable[LinkId(1)] == *small.now().links.cable[link]);
    QCOMPARE(small.now().cables.size(), 1u);

    QVERIFY(textOf(connect(1, 4)).find("in use") != std::string::npos);
    QVERIFY(textOf(connect(1, 6)).find("rates differ") != std::string::npos);
    QVERIFY(textOf(connect(0, 1)).find("both ports belong to the same device") != std::string::npos);
    QVERIFY(textOf(connect(1, 1)).find("both ports belong to the same device") != std::string::npos);
    auto other = small.document.begin("Other network");
    other->networks.name.set(other->networks.insert(), "frontend");
    other->ports.network.set(PortId(3), NetworkId(1));
    other.commit();
    QVERIFY(textOf(connect(3, 1)).find("networks differ") != std::string::npos);

    QVERIFY(!small.run(R"({"do": "disconnect", "from": ")" + small.port(0) + R"(", "to": ")" + small.port(5) + "\"}"));
    VERIFY_DONE(small.run(R"({"do": "disconnect", "from": ")" + small.port(4) + R"(", "to": ")" + small.port(0) + "\"}"));
    QCOMPARE(small.now().cables.size(), 1u); // the other lane still uses it
    VERIFY_DONE(small.run(R"({"do": "disconnect", "from": ")" + small.port(2) + "\"}"));
    QVERIFY(small.now().cables.size() == 0 && small.now().links.size() == 0);
}

void TestEdit::setsCables()
{
    Small small;
    VERIFY_DONE(small.run(R"({"do": "connect", "from": ")" + small.port(0) + R"(", "to": ")" + small.port(4) + "\"}"));
    VERIFY_DONE(small.run(R"({"do": "set-cable-length", "from": ")" + small.port(0) + R"(", "length_mm": 12500})"));
    QCOMPARE(small.now().cables.length[CableId(0)].count(), 12500);
    QVERIFY(small.now().links.overridden[LinkId(0)] & overridden::kLength);
    VERIFY_DONE(small.run(R"({"do": "set-cable-type", "from": ")" + small.port(0) + R"(", "type": "mpo12-om4"})"));
    QVERIFY(small.now().cables.type[CableId(0)] == PartTypeId(3));
    VERIFY_DONE(small.run(R"({"do": "set-cable-type", "from": ")" + small.port(0) + R"(", "type": null})"));
    QVERIFY(!small.now().cables.type[CableId(0)]);
    QVERIFY(!(small.now().links.overridden[LinkId(0)] & overridden::kMedium));
    QVERIFY(!small.run(R"({"do": "set-cable-type", "from": ")" + small.port(0) + R"(", "type": "rack-48u-600x1200"})"));
    QVERIFY(!small.run(R"({"do": "set-cable-type", "from": ")" + small.port(0) + R"(", "type": "no-such"})"));
    QVERIFY(!small.run(R"({"do": "set-cable-length", "from": ")" + small.port(0) + R"(", "length_mm": -1})"));
}

void TestEdit::waivesAndSettings()
{
    Small small;
    VERIFY_DONE(small.run(R"({"do": "waive", "finding": "N8-1234", "reason": "agreed \"so\""})"));
    QCOMPARE(small.now().waivers.author[WaiverId(0)], std::string("planner"));
    QCOMPARE(small.now().waivers.date[WaiverId(0)], std::string("2026-01-31"));
    VERIFY_DONE(small.run(R"({"do": "waive", "finding": "N8-1234", "reason": "again", "author": "chief", "date": "2026-02-01"})"));
    QCOMPARE(small.now().waivers.size(), 1u);
    QCOMPARE(small.now().waivers.author[WaiverId(0)], std::string("chief"));
    QVERIFY(!small.run(R"({"do": "waive", "finding": "N8-1", "reason": " "})"));
    VERIFY_DONE(small.run(R"({"do": "unwaive", "finding": "N8-1234"})"));
    QVERIFY(!small.run(R"({"do": "unwaive", "finding": "N8-1234"})"));
    VERIFY_DONE(small.run(
        R"({"do": "set-setting", "key": "site.power_basis", "value": "nameplate"}, {"do": "set-setting", "key": "site.pue", "value": 1.25})"));
    QCOMPARE(small.now().setting("site.pue"), std::string("1.25"));
    for (const char* key : {"template.text", "parameter.pods", "", "nodot", "site.Bad key"})
        QVERIFY2(!small.run(std::string(R"({"do": "set-setting", "key": ")") + key + R"(", "value": 1})"), key);
}

void TestEdit::settingsAreChecked()
{
    Small small;
    const auto set = [&](const std::string& key, const std::string& value) {
        return small.run(R"({"do": "set-setting", "key": ")" + key + R"(", "value": )" + value + "}");
    };
    for (const auto& [key, value] : std::vector<std::pair<const char*, const char*>>{{"site.pue", "0.9"},
                                                                                     {"site.pue", "3.1"},
                                                                                     {"site.pue", "\"abc\""},
                                                                                     {"site.pue", "true"},
                                                                                     {"site.power_basis", "\"guess\""},
                                                                                     {"site.limit_basis", "1"},
                                                                                     {"site.substations", "-1"},
                                                                                     {"site.substations", "1.5"},
                                                                                     {"site.substations", "1e300"},
                                                                                     {"cabling.slack_percent", "101"},
                                                                                     {"cabling.slack_percent", "\"5 \""},
                                                                                     {"rule.n10.target", "\"x\""},
                                                                                     {"rule.n10.target", "-1"},
                                                                                     {"project.currency", "\"$\""},
                                                                                     {"project.name", "\"a\\nb\""},
                                                                                     {"site.pue", "\"nan\""},
                                                                                     {"site.pue", "\"\""}}) {
        const auto result = set(key, value);
        QVERIFY2(!result && result.error().code == ErrorCode::Refused, (std::string(key) + " " + value + " " + textOf(result)).c_str());
    }
    const auto unknown = set("site.peu", "1.2");
    QVERIFY(!unknown && unknown.error().code == ErrorCode::Usage);
    QVERIFY2(textOf(unknown).find("nearest: site.pue") != std::string::npos, textOf(unknown).c_str());
    QVERIFY(set("network.nowhere.target_oversubscription.tor", "1").error().code == ErrorCode::Usage);
    QCOMPARE(small.now().revision, 1u);
    VERIFY_DONE(set("site.pue", "\"1.3\""));
    VERIFY_DONE(set("cabling.slack_percent", "0"));
    VERIFY_DONE(set("rule.n10.target", "2.5"));
    VERIFY_DONE(set("project.name", "\"Ω one\""));
    auto keys = small.document.begin("Keys");
    keys->networks.key.set(NetworkId(0), "backend");
    keys->tiers.key.set(TierId(0), "tor");
    keys.commit();
    VERIFY_DONE(set("network.backend.target_oversubscription.tor", "1.14"));
    QCOMPARE(set("network.backend.target_oversubscription.tor", "0").error().code, ErrorCode::Refused);
    VERIFY_DONE(set("rule.s4.rear_aisle_mm", "750")); // a threshold is known because a rule has it
    VERIFY_DONE(set("site.pue", "null"));             // back to its default: nothing is set any more
    QCOMPARE(small.now().setting("site.pue", "nothing"), std::string("nothing"));
    VERIFY_DONE(set("site.pue", "null"));
    QVERIFY(set("site.peu", "null").error().code == ErrorCode::Usage);
}

/// Forms are made from the same list that checks are: every entry says what it is, and takes its own default.
void TestEdit::settingsSayWhatTheyAre()
{
    Small small;
    std::set<std::string> keys;
    for (const edit::Setting& setting : edit::knownSettings(small.now())) {
        QVERIFY2(keys.insert(setting.key).second, setting.key.c_str());
        QVERIFY2(!setting.group.empty() && !setting.label.empty(), setting.key.c_str());
        if (!setting.fallback.empty()) QVERIFY2(edit::checkSetting(small.now(), setting.key, setting.fallback).has_value(), setting.key.c_str());
    }
    QVERIFY(keys.contains("site.substations") && keys.contains("rule.k1.full_percent"));
}

void TestEdit::powerLimits()
{
    Small small;
    VERIFY_DONE(
        small.run(R"({"do": "set-limit", "entity": "building-1", "limit_w": 18000000}, {"do": "set-limit", "entity": "rack-01", "limit_w": 45000})"));
    QCOMPARE(small.now().buildings.itLimit[BuildingId(0)].count(), watts(18'000'000).count());
    QCOMPARE(small.now().racks.powerLimit[RackId(0)].count(), watts(45'000).count());
    const auto row = small.run(R"({"do": "set-limit", "entity": "row-01", "limit_w": 1})");
    QVERIFY(!row && row.error().code == ErrorCode::Refused);
    QVERIFY(!small.run(R"({"do": "set-limit", "entity": "rack-01", "limit_w": -1})"));
    VERIFY_DONE(small.run(R"({"do": "undo"}, {"do": "undo"})"));
    QCOMPARE(small.now().buildings.itLimit[BuildingId(0)].count(), std::int64_t(0));
}

void TestEdit::waivesOnlyWhatIsFound()
{
    Small small;
    small.context.hasFinding = [](const Snapshot&, const std::string& id) -> Result<bool> { return id == "N8-1"; };
    VERIFY_DONE(small.run(R"({"do": "waive", "finding": "N8-1", "reason": "agreed"})"));
    const auto result = small.run(R"({"do": "waive", "finding": "N8-2", "reason": "agreed"})");
    QVERIFY(!result && result.error().code == ErrorCode::Refused);
    QVERIFY2(textOf(result).find("N8-2: finding not found in this design") != std::string::npos, textOf(result).c_str());
    QCOMPARE(small.now().waivers.size(), 1u);
}

void TestEdit::parametersGoToTheTemplate()
{
    Small small;
    small.context.regenerate = [](Transaction& t, std::string_view name, std::string_view value) -> Result<void> {
        if (name != "segments") return fail(ErrorCode::Usage, std::string(name), i18n("no such parameter"));
        t->putSetting("parameter.segments", value);
        return {};
    };
    VERIFY_DONE(small.run(R"({"do": "set-parameter", "name": "segments", "value": 12})"));
    QCOMPARE(small.now().setting("parameter.segments"), std::string("12"));
    QCOMPARE(small.document.undoName(), std::string("Set segments to 12"));
    const auto unknown = small.run(R"({"do": "set-parameter", "name": "x", "value": 1})");
    QVERIFY(!unknown && unknown.error().code == ErrorCode::Usage);
    QCOMPARE(unknown.error().where, std::string("script.json: edit 1 (set-parameter)"));
}

void TestEdit::undoAndRedo()
{
    Small small;
    QVERIFY(!small.run(R"({"do": "undo"})"));
    VERIFY_DONE(small.run(R"({"do": "move", "entity": "row-01", "dx_mm": 5, "dy_mm": 0}, {"do": "undo"}, {"do": "redo"}, {"do": "undo"})"));
    QCOMPARE(small.now().rows.x[RowId(0)].count(), 0);
    QCOMPARE(small.committed, (std::vector<std::uint64_t>{2, 3, 4, 5}));
}

void TestEdit::unknownNamesShowNearOnes()
{
    Small small;
    const auto typo = small.run(R"({"do": "move", "entity": "rwo-01", "dx_mm": 5, "dy_mm": 0})");
    QVERIFY(!typo && typo.error().code == ErrorCode::Refused);
    QVERIFY2(textOf(typo).find("row-01") != std::string::npos, textOf(typo).c_str());
    QVERIFY(textOf(small.run(R"({"do": "rename", "entity": "all", "name": "x"})")).find("nearest: hall-1") != std::string::npos);
    const auto port = small.run(R"({"do": "disconnect", "from": "tor-1:nonsense"})");
    QVERIFY2(textOf(port).find("available ports: " + small.port(4).substr(6)) != std::string::npos, textOf(port).c_str());
    QVERIFY(!small.run(R"({"do": "disconnect", "from": "host-1"})")); // a device is not a port
}

void TestEdit::stopsAtTheFirstError()
{
    Small small;
    const auto result =
        small.run(R"({"do": "move", "entity": "row-01", "dx_mm": 5, "dy_mm": 0}, {"do": "move", "entity": "nowhere", "dx_mm": 5, "dy_mm": 0},
                                     {"do": "move", "entity": "row-01", "dx_mm": 5, "dy_mm": 0})");
    QVERIFY(!result);
    QVERIFY2(textOf(result).find("script.json: edit 2 (move): nowhere:") == 0, textOf(result).c_str());
    QCOMPARE(small.now().rows.x[RowId(0)].count(), 5);
    QCOMPARE(small.now().revision, 2u);
}

void TestEdit::malformedScripts_data()
{
    QTest::addColumn<std::string>("script");
    QTest::addColumn<std::string>("phrase");
    const auto row = [](const char* name, const char* script, const char* phrase) {
        QTest::newRow(name) << std::string(script) << std::string(phrase);
    };
    row("not JSON", "{\"edits\": [\n{\"do\": }\n]}", "s.json:2: invalid JSON");
    row("empty", "", "s.json:1: invalid JSON");
    row("no list", "{}", "key \"edits\"");
    row("list only", "[]", "key \"edits\"");
    row("unknown top key", "{\"edits\": [], \"edit\": []}", "key \"edit\"");
    row("not an object", "{\"edits\": [3]}", "edit 1: 3 is not an object");
    row("no do", "{\"edits\": [{\"entity\": \"x\"}]}", "edit 1, key \"do\"");
    row("unknown do", "{\"edits\": [{\"do\": \"undo\"}, {\"do\": \"fly\"}]}",
        "edit 2, key \"do\": \"fly\": unknown edit action; known: set-parameter");
    row("unknown key", "{\"edits\": [{\"do\": \"undo\", \"times\": 2}]}", "edit 1, key \"times\"");
    row("missing key", "{\"edits\": [{\"do\": \"move\", \"entity\": \"x\", \"dx_mm\": 1}]}", "key \"dy_mm\": missing");
    row("fraction", "{\"edits\": [{\"do\": \"move\", \"entity\": \"x\", \"dx_mm\": 1.5, \"dy_mm\": 0}]}", "1.5 is not an integer");
    row("text for number", "{\"edits\": [{\"do\": \"move\", \"entity\": \"x\", \"dx_mm\": \"1\", \"dy_mm\": 0}]}", "is not an integer");
    row("list for value", "{\"edits\": [{\"do\": \"set-parameter\", \"name\": \"x\", \"value\": [1]}]}", "key \"value\"");
    row("beyond a double", "{\"edits\": [{\"do\": \"undo\"}, {\"do\": \"move\", \"entity\": \"x\", \"dx_mm\": 1e400}]}",
        "s.json: edit 2, key \"dx_mm\": number overflow");
    const std::string deep = "{\"edits\": [{\"do\": \"undo\", \"x\": " + std::string(200'000, '[') + std::string(200'000, ']') + "}]}";
    row("deep", deep.c_str(), "edit 1, key \"x\": nested more than 64 levels deep");
    row("two cables", "{\"edits\": [{\"do\": \"set-cable-length\", \"entity\": \"c\", \"from\": \"p\", \"length_mm\": 1}]}", "key \"entity\"");
}

void TestEdit::malformedScripts()
{
    QFETCH(std::string, script);
    QFETCH(std::string, phrase);
    const auto parsed = edit::parseScript(script, "s.json");
    QVERIFY(!parsed && parsed.error().code == ErrorCode::Unreadable);
    QVERIFY2(parsed.error().text().find(phrase) != std::string::npos, parsed.error().text().c_str());
}

QTEST_APPLESS_MAIN(TestEdit)
#include "test_edit.moc"
