// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/count.h"
#include "core/design/template/template.h"

#include <QtTest>

#include <map>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

/// A hall with one row of as many racks as there are switches; where they are more than four, the engine makes the places.
std::string text(const std::string& hall, const std::string& row, const std::string& cooler, const std::string& layout = "feed: no")
{
    return R"y(template: t
parameters: {n: {default: 4, min: 3, max: 8, label: Switches}}
networks: {net: {label: Ring}}
buildings: {b: {when: n <= 4, name: b1, size: [60000, 10000, 5000]}}
halls: {h: {in: b, name: hall1, at: [1000, 500], size: [20000, 8000, 4500])y" +
           hall + R"y(}}
rows: {r: {in: h, name: row1, at: [1000, 3000])y" +
           row + R"y(}}
racks: {k: {in: r, each: {p: n}, name: "rack{p:2}", type: rack-48u-600x1200, along: p * 600}}
layout: {)y" +
           layout +
           R"y(}
tiers:
  node:
    network: net
    level: 1
    each: {x: n}
    name: "switch{x:2}"
    type: switch-51t-128x400g
    rack: {set: k, at: {p: x}}
    u: 7
    ports: {peer: {cages: 2}}
  cooler: {kind: cooling, level: 30, in: h, each: {c: 2}, name: "cooler{c}", type: cdu-1300kw, at: [15000, 1000 + c * 3000])y" +
           cooler + R"y(}
links: {around: {network: net, from: node.peer, to: node.peer, at: {x: "mod(x + 1, n)"}, from_index: 0, to_index: 1}}
parts: [400g-sr4, mpo12-om4]
)y";
}

Result<SnapshotPtr> make(const std::string& yaml, std::int64_t n)
{
    const auto design = Template::parse(yaml, "t.yaml");
    if (!design) return tl::unexpected(design.error());
    const auto values = design->complete(std::map<std::string, std::string>{{"n", std::to_string(n)}});
    if (!values) return tl::unexpected(values.error());
    return instantiate(*design, *values, catalog());
}

std::map<std::string, int> byTier(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.devices.forEach([&](DeviceId id) { ++count[s.tiers.key[s.devices.tier[id]]]; });
    return count;
}

} // namespace

/// What templates state of rooms, rows and equipment on the floor, and halls for some sizes only.
class TestPlaces : public QObject {
    Q_OBJECT
private slots:
    void roomsAndRows()
    {
        const auto made = make(text(", kind: network, floor: raised, floor_load: 1200, clear_height: 3900, it_limit_w: 2000000 + n",
                                    ", containment: cold-aisle", ", angle: \"c == 0 ? 90 : 180\""),
                               4);
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const Snapshot& s = **made;
        const HallId hall(0);
        QCOMPARE(int(s.halls.kind[hall]), int(RoomKind::Network));
        QCOMPARE(int(s.halls.floor[hall]), int(FloorKind::Raised));
        QCOMPARE(s.halls.floorLoad[hall].count(), 1200);
        QCOMPARE(s.halls.clearHeight[hall].count(), 3900);
        QCOMPARE(s.halls.itLimit[hall].count(), std::int64_t(2'000'004'000));
        QCOMPARE(int(s.rows.containment[RowId(0)]), int(Containment::ColdAisle));
        std::map<std::string, int> angles;
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.hall[id]) angles[s.devices.name[id]] = s.devices.angle[id];
        });
        QCOMPARE(angles, (std::map<std::string, int>{{"cooler1", 90}, {"cooler2", 180}}));
        const auto plain = make(text("", "", ""), 4);
        QVERIFY(plain.has_value());
        QCOMPARE(int((*plain)->halls.kind[hall]), int(RoomKind::Hall));
        QCOMPARE(int((*plain)->rows.containment[RowId(0)]), int(Containment::None));
    }

    void mistakesAreNamed_data()
    {
        QTest::addColumn<QString>("hall");
        QTest::addColumn<QString>("row");
        QTest::addColumn<QString>("cooler");
        QTest::addColumn<QString>("says");
        QTest::newRow("use") << ", kind: kitchen"
                             << ""
                             << ""
                             << "kitchen";
        QTest::newRow("floor") << ", floor: sand"
                               << ""
                               << ""
                               << "sand";
        QTest::newRow("containment") << ""
                                     << ", containment: hot"
                                     << ""
                                     << "hot-aisle";
        QTest::newRow("floor load") << ", floor_load: 0 - 5"
                                    << ""
                                    << ""
                                    << "-5";
        QTest::newRow("angle") << ""
                               << ""
                               << ", angle: 45"
                               << "45";
        QTest::newRow("a hall has no containment") << ", containment: hot-aisle"
                                                   << ""
                                                   << ""
                                                   << "containment";
    }
    void mistakesAreNamed()
    {
        QFETCH(QString, hall);
        QFETCH(QString, row);
        QFETCH(QString, cooler);
        QFETCH(QString, says);
        const auto made = make(text(hall.toStdString(), row.toStdString(), cooler.toStdString()), 4);
        QVERIFY(!made.has_value());
        QVERIFY2(QString::fromStdString(made.error().text()).contains(says), made.error().text().c_str());
    }

    /// Up to four switches stand in the template's hall, more are laid out by the engine; the counter agrees.
    void hallsForSomeSizes()
    {
        const std::string yaml = text("", ", containment: hot-aisle", "", "feed: yes, containment: chimney, fan_wall: none");
        const auto design = Template::parse(yaml, "t.yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        auto counter = TemplateCounter::bind(*design, catalog());
        QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
        for (const std::int64_t n : {3, 4, 5, 8}) {
            const auto made = make(yaml, n);
            QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
            const Snapshot& s = **made;
            const bool own = n <= 4;
            QCOMPARE(s.buildings.name[BuildingId(0)] == "b1", own);
            s.rows.forEach([&](RowId id) { QCOMPARE(int(s.rows.containment[id]), int(own ? Containment::HotAisle : Containment::Chimney)); });
            auto tiers = byTier(s);
            QCOMPARE(tiers["node"], int(n));
            QCOMPARE(tiers["cooler"], own ? 2 : 0); // left out with its hall
            s.devices.forEach([&](DeviceId id) {
                if (s.tiers.key[s.devices.tier[id]] != "node") return;
                QVERIFY(s.devices.rack[id].has_value());
                if (own) QCOMPARE(int(s.devices.u[id]), 7);
            });
            const auto values = design->complete(std::map<std::string, std::string>{{"n", std::to_string(n)}});
            const auto count = counter->count(*values);
            QVERIFY2(count.has_value(), count ? "" : count.error().text().c_str());
            QCOMPARE(count->laidOut, !own);
            for (const auto& tier : count->tiers) QCOMPARE(int(tier.total()), tiers[tier.name]);
        }
    }

    /// Where no `when` can leave the buildings out, keys of the engine's layout have no effect and are refused.
    void layoutKeysWithoutEffect()
    {
        std::string yaml = text("", "", "", "feed: yes, racks_per_row: 4");
        QVERIFY(make(yaml, 4).has_value());
        const std::string when = "when: n <= 4, ";
        yaml.erase(yaml.find(when), when.size());
        const auto made = make(yaml, 4);
        QVERIFY(!made.has_value());
        QVERIFY(QString::fromStdString(made.error().text()).contains("racks_per_row"));
    }
};

QTEST_APPLESS_MAIN(TestPlaces)
#include "test_places.moc"
