// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/figures.h"
#include "core/derived/rules/check.h"
#include "core/design/template/layout_section.h"
#include "core/design/template/template.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <map>
#include <random>
#include <set>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

/// A rail-optimized fabric without a word about places: `pods` of `segments` of `hosts`, dual plane, agg and core.
std::string fabric(const std::string& layout = {})
{
    return R"(template: bare
parameters:
  pods: {default: 1, min: 1, max: 64}
  segments: {default: 4, min: 1, max: 15}
  hosts: {default: 16, min: 1, max: 128}
  aggs: {default: 8, min: 1, max: 60}
  cores: {default: 4, min: 1, max: 64}
networks:
  net: {planes: 2, rails: 8}
tiers:
  server:
    kind: server
    each: {pod: pods, segment: segments, host: hosts}
    name: "pod{pod}-seg{segment}-host{host}"
    type: hpn-host-8gpu
    ports: {host: {cages: 16, network: net}}
  tor:
    network: net
    level: 1
    each: {pod: pods, segment: segments, rail: 8, plane: 2}
    name: "pod{pod}-seg{segment}-tor{rail}-{plane}"
    type: switch-51t-128x400g
    ports: {down: {cages: 64, split: 2}, up: {cages: 60}}
  agg:
    network: net
    level: 2
    each: {pod: pods, plane: 2, index: aggs}
    name: "pod{pod}-agg{plane}-{index}"
    type: switch-51t-128x400g
    ports: {down: {cages: 120}, up: {cages: 8}}
  core:
    network: net
    level: 3
    each: {plane: 2, member: cores}
    name: "core{plane}-{member}"
    type: switch-51t-128x400g
    ports: {down: {cages: 128}}
links:
  access: {network: net, from: server.host, to: tor.down, from_index: rail * 2 + plane, to_index: host}
  tor-agg: {network: net, from: tor.up, to: agg.down, from_index: index, to_index: segment * 8 + rail}
  agg-core: {network: net, from: agg.up, to: core.down, when: "member < 8 && pod * aggs + index < 128", from_index: member, to_index: pod * aggs + index}
parts: [400g-sr4, 400g-dr4, 400g-fr4, 200g-sr2, 200g-dr2, mpo12-om4, mpo12-om4-y2, mpo12-os2, mpo12-os2-y2, lc-os2]
)" + layout;
}

Result<SnapshotPtr> make(const std::string& yaml, const ParameterValues& values = {})
{
    const auto parsed = Template::parse(yaml, "bare.yaml");
    if (!parsed) return tl::unexpected(parsed.error());
    const auto complete = parsed->complete(values);
    if (!complete) return tl::unexpected(complete.error());
    return instantiate(*parsed, *complete, catalog());
}

SnapshotPtr design(const std::string& yaml, const ParameterValues& values = {})
{
    auto made = make(yaml, values);
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

QString errorsOf(const SnapshotPtr& s)
{
    const auto figures = computeFigures(s);
    if (!figures) return QString::fromStdString(figures.error().text());
    QString text;
    const auto checked = check(**figures);
    if (!checked) return QString::fromStdString(checked.error().text());
    for (const auto& finding : checked->findings)
        if (finding.severity == Severity::Error && !finding.waived)
            text += QString::fromStdString(finding.rule + " " + words(finding.message) + "\n");
    return text;
}

std::string tierOf(const Snapshot& s, DeviceId id) { return s.tiers.key[s.devices.tier[id]]; }

std::set<std::string> racksOf(const Snapshot& s, const std::string& tier)
{
    std::set<std::string> racks;
    s.devices.forEach([&](DeviceId id) {
        if (tierOf(s, id) == tier) racks.insert(s.racks.name[*s.devices.rack[id]]);
    });
    return racks;
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT
private slots:
    /// Random sizes: nothing without a rack, nothing overlaps, every limit holds, every cable has a way.
    void randomDesignsPassEveryRule()
    {
        std::mt19937 random(20261121);
        const auto upTo = [&](int most) { return std::int64_t(1 + random() % std::uint32_t(most)); };
        for (int round = 0; round < 18; ++round) {
            const ParameterValues values{{"pods", upTo(4)}, {"segments", upTo(5)}, {"hosts", upTo(40)}, {"aggs", upTo(30)}, {"cores", upTo(12)}};
            const std::string limit = round % 3 == 0   ? "layout: {building_it_limit_w: 1000000}\n"
                                      : round % 3 == 1 ? "layout: {building: pod, racks_per_row: 7}\n"
                                                       : "layout: {halls_per_building: 2, cells_per_hall: 1}\n";
            const auto s = design(fabric(limit), values);
            s->devices.forEach([&](DeviceId id) { QVERIFY(s->devices.rack[id] || s->devices.row[id] || s->devices.hall[id]); });
            const QString errors = errorsOf(s);
            QVERIFY2(errors.isEmpty(),
                     qPrintable(errors +
                                QString("pods %1 segments %2 hosts %3").arg(values.at("pods")).arg(values.at("segments")).arg(values.at("hosts"))));
        }
    }

    /// The published pod: a cell of 36 racks a segment, its ToRs mid-row by plane, 576 positions less what is empty
    /// (SAMPLES: 510 server racks, 30 ToR racks).
    void onePodIsLaidOutAsPublished()
    {
        const auto s = design(fabric(), {{"segments", 15}, {"hosts", 128}, {"aggs", 60}});
        QCOMPARE(racksOf(*s, "server").size(), std::size_t(15 * 32));
        QCOMPARE(racksOf(*s, "tor").size(), std::size_t(30));
        std::map<std::uint32_t, std::set<int>> planesOfRack, planesOfRow;
        s->devices.forEach([&](DeviceId id) {
            if (tierOf(*s, id) != "tor") return;
            planesOfRack[(*s->devices.rack[id]).value].insert(s->devices.plane[id]);
            planesOfRow[s->racks.row[*s->devices.rack[id]].value].insert(s->devices.plane[id]);
        });
        for (const auto& [rack, planes] : planesOfRack) QCOMPARE(planes.size(), std::size_t(1));
        for (const auto& [row, planes] : planesOfRow) QCOMPARE(planes.size(), std::size_t(1));
        QCOMPARE(s->buildings.size(), 1u);
        const QString errors = errorsOf(s);
        QVERIFY2(errors.isEmpty(), qPrintable(errors));
    }

    /// Two pods do not fit 18 MW: a building each, the core in a third.
    void podsBecomeBuildings()
    {
        const auto s = design(fabric(), {{"pods", 2}, {"segments", 15}, {"hosts", 128}, {"aggs", 60}, {"cores", 8}});
        std::set<std::string> names;
        s->buildings.forEach([&](BuildingId id) { // without substations
            if (s->buildings.kind[id] != BuildingKind::Plant) names.insert(s->buildings.name[id]);
        });
        QCOMPARE(names, (std::set<std::string>{"core", "pod1", "pod2"}));
        for (const auto& rack : racksOf(*s, "core")) QVERIFY(rack.starts_with("core-"));
    }

    /// The same text gives the same design, row by row.
    void sameInputSameDesign() { QVERIFY(sameContent(*design(fabric()), *design(fabric()))); }

    /// A larger parameter keeps the racks, rows and devices that were there: keys and what stands in a rack.
    void growingKeepsKeys()
    {
        Document document(design(fabric(), {{"segments", 2}}));
        const auto before = document.snapshot();
        auto tx = document.begin("Grow");
        const auto report = regenerate(tx, {{"segments", 3}}, catalog());
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        tx.commit();
        const auto after = document.snapshot();
        before->racks.forEach([&](RackId id) {
            QVERIFY(after->racks.contains(id));
            QCOMPARE(after->racks.key[id], before->racks.key[id]);
        });
        before->devices.forEach([&](DeviceId id) {
            if (tierOf(*before, id) == "server") QCOMPARE((*after->devices.rack[id]).value, (*before->devices.rack[id]).value);
        });
        QVERIFY(errorsOf(after).isEmpty());
    }

    /// From one hall to several buildings with a core, and back: the merged design is as good as a fresh one.
    void growingIntoBuildingsAndBack()
    {
        const std::string yaml = fabric("layout: {building_it_limit_w: 700000}\n");
        Document document(design(yaml, {{"pods", 1}}));
        for (const int pods : {4, 2, 1}) {
            auto tx = document.begin("Pods");
            const auto report = regenerate(tx, {{"pods", pods}}, catalog());
            QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
            tx.commit();
            const auto merged = document.snapshot(), fresh = design(yaml, {{"pods", pods}});
            QCOMPARE(merged->buildings.size(), fresh->buildings.size());
            QCOMPARE(merged->racks.size(), fresh->racks.size());
            QCOMPARE(merged->links.size(), fresh->links.size());
            const QString errors = errorsOf(merged);
            QVERIFY2(errors.isEmpty(), qPrintable(errors));
        }
    }

    /// Four pods of six rows and more in one building of up to four halls; what they share has a hall of its own.
    void podsFillHallsOfOneBuilding()
    {
        const auto s = design(fabric("layout: {halls_per_building: 4, cells_per_hall: 2, racks_per_row: 12, building_it_limit_w: 90000000}\n"),
                              {{"pods", 4}, {"segments", 4}, {"hosts", 32}});
        QCOMPARE(s->buildings.size(), 1u);
        std::size_t rackHalls = 0;
        s->halls.forEach([&](HallId id) { rackHalls += s->halls.kind[id] == RoomKind::Hall; });
        QCOMPARE(rackHalls, std::size_t(5));
        for (const auto& rack : racksOf(*s, "core")) QVERIFY(rack.starts_with("core-"));
        std::map<int, std::set<std::uint32_t>> hallsOfPod;
        s->devices.forEach([&](DeviceId id) {
            if (tierOf(*s, id) == "server") hallsOfPod[s->devices.pod[id]].insert(s->rows.hall[s->racks.row[*s->devices.rack[id]]].value);
        });
        for (const auto& [pod, halls] : hallsOfPod) QCOMPARE(halls.size(), std::size_t(1));
        const QString errors = errorsOf(s);
        QVERIFY2(errors.isEmpty(), qPrintable(errors));
    }

    /// A torus: every server with its switch, no tiers above. A switch and its one server share a rack with others.
    void fabricsWithoutTiersAreLaidOutToo()
    {
        const auto s = design(R"yaml(template: torus
parameters: {n: {default: 6, min: 3, max: 64}}
networks: {net: {label: Torus}}
tiers:
  server:
    kind: server
    each: {x: n, y: n}
    name: "host{x}-{y}"
    type: hgx-h100-8gpu
    ports: {host: {interfaces: nic, cages: 8, network: net}}
  node:
    network: net
    level: 1
    each: {x: n, y: n}
    name: "switch{x}-{y}"
    type: switch-51t-128x400g
    ports: {down: {cages: 8}, peer: {cages: 4}}
links:
  access: {network: net, from: server.host, to: node.down, each: {k: 8}, from_index: k, to_index: k}
  right: {network: net, from: node.peer, to: node.peer, at: {x: "mod(x + 1, n)"}, from_index: 0, to_index: 1}
  up: {network: net, from: node.peer, to: node.peer, at: {y: "mod(y + 1, n)"}, from_index: 2, to_index: 3}
)yaml");
        std::map<std::string, std::string> rackOf;
        s->devices.forEach([&](DeviceId id) {
            if (s->devices.u[id] > 0) rackOf[s->devices.name[id]] = s->racks.name[*s->devices.rack[id]];
        });
        for (int x = 1; x <= 6; ++x) {
            const std::string at = std::to_string(x) + "-" + std::to_string(x);
            QCOMPARE(rackOf.at("host" + at), rackOf.at("switch" + at));
        }
        QVERIFY(s->racks.size() <= 18u);
        QVERIFY(errorsOf(s).isEmpty());
    }

    /// Switches alone, storage nodes alone: network rows.
    void withoutServersThereAreNetworkRows()
    {
        const auto s = design(R"yaml(template: bits
networks: {net: {label: Net}}
tiers:
  node:
    network: net
    level: 1
    each: {x: 5}
    name: "switch{x}"
    type: switch-51t-128x400g
    ports: {peer: {cages: 2}}
  disk:
    kind: other
    each: {n: 30}
    name: "disk{n}"
    type: storage-node-2u
links:
  ring: {network: net, from: node.peer, to: node.peer, at: {x: "mod(x + 1, 5)"}, from_index: 0, to_index: 1}
)yaml");
        s->devices.forEach([&](DeviceId id) { QVERIFY(s->devices.rack[id] || s->devices.row[id] || s->devices.hall[id]); });
        QCOMPARE(racksOf(*s, "node").size(), std::size_t(1));
        QCOMPARE(racksOf(*s, "disk").size(), std::size_t(2));
    }

    void everyRackIsFedFromBothSides()
    {
        const auto s = design(fabric());
        std::map<std::uint32_t, std::set<char>> sides;
        s->links.forEach([&](LinkId id) {
            const DeviceId fed = s->ports.device[s->links.from[id]], from = s->ports.device[s->links.to[id]];
            if (tierOf(*s, fed) == "pdu") sides[(*s->devices.rack[fed]).value].insert(s->devices.key[from].back());
        });
        QCOMPARE(sides.size(), std::size_t(s->racks.size()));
        for (const auto& [rack, feeds] : sides) QCOMPARE(feeds.size(), std::size_t(2));
    }

    void optionsDecide()
    {
        const auto two = design(fabric("layout: {servers_per_rack: 2}\n"));
        std::map<std::uint32_t, int> perRack;
        two->devices.forEach([&](DeviceId id) {
            if (tierOf(*two, id) == "server") ++perRack[(*two->devices.rack[id]).value];
        });
        for (const auto& [rack, servers] : perRack) QVERIFY(servers <= 2);
        QCOMPARE(two->setting("note.layout.servers_per_rack"), std::string());
        // Ten servers of 5U and more do not go into 40 kW: the design says which limit stood in the way.
        const auto ten = design(fabric("layout: {servers_per_rack: 10}\n"));
        const auto note = ten->setting("note.layout.servers_per_rack");
        QVERIFY2(note.starts_with("servers per rack: ") &&
                     note.find(" of 10 in a rack-48u-600x1200: next device does not fit: total ") != std::string::npos,
                 note.c_str());
        const auto dark = design(fabric("layout: {rack_pdu: none, busway: none, transformer: none, fan_wall: none}\n"));
        dark->tiers.forEach([&](TierId id) { QVERIFY(dark->tiers.kind[id] != TierKind::Power && dark->tiers.kind[id] != TierKind::Cooling); });
        const auto moved = design(fabric("layout: {place: {tor: network-rows}}\n"));
        for (const auto& rack : racksOf(*moved, "tor")) QVERIFY(!racksOf(*moved, "server").contains(rack));
        QVERIFY(errorsOf(moved).isEmpty());
    }

    /// Network racks stand in the middle of their row's server racks, or after them.
    void networkRacksStandWhereWanted()
    {
        const auto last = [](const Snapshot& s) {
            std::map<std::uint32_t, std::pair<int, int>> rows; // of a row: furthest server rack, furthest ToR rack
            s.devices.forEach([&](DeviceId id) {
                const auto rack = s.devices.rack[id];
                if (!rack || (tierOf(s, id) != "server" && tierOf(s, id) != "tor")) return;
                auto& [server, tor] = rows[s.racks.row[*rack].value];
                auto& place = tierOf(s, id) == "tor" ? tor : server;
                place = std::max(place, int(s.racks.along[*rack].count()));
            });
            return rows;
        };
        const ParameterValues one{{"segments", 1}, {"hosts", 64}};
        for (const auto& [row, place] : last(*design(fabric(), one))) QVERIFY(place.second < place.first);
        for (const auto& [row, place] : last(*design(fabric("layout: {network_racks: end-of-row}\n"), one))) QVERIFY(place.second > place.first);
    }

    void everyKeyIsInTheGuide()
    {
        QFile file(HW_RESOURCES "/templates/README.md");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        for (const auto& key : layoutKeys()) QVERIFY2(text.contains(QByteArray("`") + key.c_str() + "`"), key.c_str());
    }

    void mistakesNameTheKey_data()
    {
        QTest::addColumn<QByteArray>("layout");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("unknown key") << QByteArray("layout: {rak: x}\n") << int(ErrorCode::Unreadable) << QByteArray("layout.rak");
        QTest::newRow("unknown tier") << QByteArray("layout: {place: {tro: in-rack}}\n") << int(ErrorCode::Unreadable)
                                      << QByteArray("unknown tier 'tro'");
        QTest::newRow("unknown place") << QByteArray("layout: {place: {tor: roof}}\n") << int(ErrorCode::Unreadable)
                                       << QByteArray("use in-rack, with-servers");
        QTest::newRow("unknown part") << QByteArray("layout: {rack: shed}\n") << int(ErrorCode::Unreadable)
                                      << QByteArray("part 'shed' is not in the catalog");
        QTest::newRow("not a rack") << QByteArray("layout: {rack: busway-1600a-400v}\n") << int(ErrorCode::Unreadable) << QByteArray("not a rack");
        QTest::newRow("negative") << QByteArray("layout: {racks_per_row: -3}\n") << int(ErrorCode::Refused) << QByteArray("racks_per_row is -3");
        QTest::newRow("on the floor") << QByteArray("  wall: {kind: cooling, each: {n: 2}, name: \"wall{n}\", type: fan-wall-450kw}\n")
                                      << int(ErrorCode::Refused) << QByteArray("wall1 is floor-standing, but the template has no halls");
        QTest::newRow("all in one rack") << QByteArray("layout: {place: {tor: in-rack}}\n") << int(ErrorCode::Refused)
                                         << QByteArray("U including its associated equipment, but");
    }
    void mistakesNameTheKey()
    {
        QFETCH(QByteArray, layout);
        QFETCH(int, code);
        QFETCH(QByteArray, says);
        const bool tier = layout.startsWith("  ");
        std::string yaml = fabric(tier ? std::string() : layout.toStdString());
        if (tier) yaml.insert(yaml.find("links:\n"), layout.toStdString());
        const auto made = make(yaml);
        QVERIFY(!made.has_value());
        QVERIFY2(QByteArray::fromStdString(made.error().text()).contains(says), made.error().text().c_str());
        QCOMPARE(int(made.error().code), code);
    }

    /// 122,880 GPUs in eight pods.
    void largeDesigns()
    {
        QElapsedTimer timer;
        timer.start();
        const auto s = design(fabric(), {{"pods", 8}, {"segments", 15}, {"hosts", 128}, {"aggs", 15}, {"cores", 8}});
        qInfo("%lld ms, %u racks", timer.elapsed(), s->racks.size());
        std::size_t buildings = 0; // without substations
        s->buildings.forEach([&](BuildingId id) { buildings += s->buildings.kind[id] != BuildingKind::Plant; });
        QCOMPARE(buildings, std::size_t(9));
    }
};

QTEST_APPLESS_MAIN(LayoutTest)
#include "test_layout.moc"
