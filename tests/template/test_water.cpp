// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"
#include "core/derived/figures/power_feeds.h"
#include "core/derived/geometry/placement.h"
#include "core/derived/topology/medium_graph.h"
#include "core/design/edit/edits.h"
#include "core/design/template/template.h"
#include "core/foundation/model/document.h"
#include "core/foundation/model/places.h"
#include "tests/cooling/cooling_without.h"

#include <QtTest>

#include <filesystem>
#include <map>
#include <set>

using namespace hw;

namespace {

using Given = std::map<std::string, std::string>;

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

Result<SnapshotPtr> make(const Template& design, const Given& given = {})
{
    const auto values = design.complete(given);
    if (!values) return tl::unexpected(values.error());
    return instantiate(design, *values, catalog());
}

Template shipped(const std::string& name)
{
    auto read = Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
    if (!read) qFatal("%s", read.error().text().c_str());
    return *read;
}

/// A shipped template with more in it.
Template varied(const std::string& base, const std::string& more)
{
    auto read = Template::parse("template: t\nextends: " + base + "\n" + more + "\n", "t.yaml", HW_RESOURCES "/templates");
    if (!read) qFatal("%s", read.error().text().c_str());
    return *read;
}

FiguresPtr figured(const Template& design, const Given& given = {})
{
    const auto made = make(design, given);
    if (!made) qFatal("%s", made.error().text().c_str());
    const auto figures = computeFigures(*made);
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}

std::string tierOf(const Snapshot& s, DeviceId id) { return s.tiers.key[s.devices.tier[id]]; }

std::map<std::string, int> byTier(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.devices.forEach([&](DeviceId id) { ++count[tierOf(s, id)]; });
    return count;
}

/// How many pipes and hoses of a type a design has laid.
std::map<std::string, int> pipesByType(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.cables.forEach([&](CableId id) {
        if (s.cables.medium[id] == Medium::Coolant) ++count[s.cables.type[id] ? s.partTypes.slug[*s.cables.type[id]] : std::string("none")];
    });
    return count;
}

/// What a device reaches by coolant links, from what takes to what feeds.
std::set<DeviceId> suppliersOf(const MediumGraph& graph, DeviceId from)
{
    std::set<DeviceId> seen;
    std::vector<DeviceId> open{from};
    while (!open.empty()) {
        const DeviceId id = open.back();
        open.pop_back();
        for (const auto& arc : graph.arcs(id))
            if (arc.up && seen.insert(arc.to).second) open.push_back(arc.to);
    }
    return seen;
}

CoolingElement elementOf(const Figures& f, DeviceId id) { return f.parts->device(f.snapshot->devices.type[id]).cooling.element; }

bool rejects(const Figures& f, DeviceId id)
{
    const CoolingElement e = elementOf(f, id);
    return e == CoolingElement::Chiller || e == CoolingElement::DryCooler || e == CoolingElement::Tower;
}

/// What is wrong with the cooling of a design: everything that gives off heat has a way to the outdoor air, every loop a unit to spare.
std::string wrongWith(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    const auto& chain = f.get<CoolingChainNode>();
    const auto& graph = f.get<MediumNode<Medium::Coolant>>();
    if (!chain.unfed.empty()) return s.devices.name[chain.unfed.front()] + " has no coolant";
    for (const CooledLoad& taker : chain.takers) {
        const auto ways = suppliersOf(graph, taker.device);
        if (std::ranges::none_of(ways, [&](DeviceId id) { return rejects(f, id); })) return s.devices.name[taker.device] + " reaches no chiller";
        if (std::ranges::none_of(ways, [&](DeviceId id) { return elementOf(f, id) == CoolingElement::Cdu; }))
            return s.devices.name[taker.device] + " reaches no CDU";
    }
    std::string wrong;
    s.devices.forEach([&](DeviceId id) {
        const CoolingElement e = elementOf(f, id);
        if (e != CoolingElement::Cdu && e != CoolingElement::FanWall && e != CoolingElement::Crah) return;
        if (std::ranges::none_of(suppliersOf(graph, id), [&](DeviceId way) { return rejects(f, way); }))
            wrong = s.devices.name[id] + " reaches no chiller";
    });
    for (const CoolingLoop& loop : chain.loops) {
        if (loop.implied) wrong = loop.name + " is taken for given";
        if (loop.kind == LoopKind::Air) continue;
        if (loop.spare() < 1) wrong = loop.name + " has no unit to spare";
        if (!loop.fits) wrong = loop.name + " does not fit";
    }
    return wrong;
}

} // namespace

class TestWater : public QObject {
    Q_OBJECT
private slots:
    void everyTemplateLeadsItsHeatOut_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& entry : std::filesystem::directory_iterator(HW_RESOURCES "/templates"))
            if (entry.path().extension() == ".yaml")
                QTest::newRow(entry.path().stem().string().c_str()) << QString::fromStdString(entry.path().stem().string());
    }
    void everyTemplateLeadsItsHeatOut()
    {
        QFETCH(QString, name);
        const auto f = figured(shipped(name.toStdString()));
        QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str());
        QVERIFY(byTier(*f->snapshot)["chiller"] >= 2);
    }

    /// Two halls of eight rows: sixteen CDUs each, four to the loop of two rows, which need 3,927 L/min; two pairs of hoses for 140 L/min to each of
    /// two headers over a row. CDUs on a warm loop, fan walls on a cool one.
    void nvl72AsPlanned()
    {
        const auto f = figured(shipped("nvl72"));
        const Snapshot& s = *f->snapshot;
        const auto& chain = f->get<CoolingChainNode>();
        auto count = byTier(s);
        QVERIFY(count["cdu"] == 32 && count["fan_wall"] == 24 && count["manifold"] == 224 && count["row_header"] == 32);
        int liquid = 0, facility = 0;
        for (const CoolingLoop& loop : chain.loops) {
            if (loop.kind == LoopKind::Liquid) {
                ++liquid;
                QCOMPARE(loop.units, 4);
                QCOMPARE(loop.running, 3);
                QVERIFY(std::abs(loop.lpm - 3625) < 0.01 * 3625 && std::abs(loop.heatW - 3.14e6) < 0.01e6);
            }
            facility += loop.kind == LoopKind::Facility;
        }
        QVERIFY(liquid == 8 && facility == 4);
        const auto& graph = f->get<MediumNode<Medium::Coolant>>();
        s.devices.forEach([&](DeviceId id) {
            if (tierOf(s, id) != "manifold") return;
            const auto hoses = std::ranges::count_if(graph.arcs(id), [](const auto& arc) { return arc.up; });
            QVERIFY2(hoses == 4, s.devices.name[id].c_str());
        });
        s.links.forEach([&](LinkId link) { // every pipe and hose has its type
            if (s.ports.medium[s.links.from[link]] != Medium::Coolant) return;
            QVERIFY(s.links.cable[link] && s.cables.medium[*s.links.cable[link]] == Medium::Coolant && s.cables.type[*s.links.cable[link]]);
        });
    }

    /// The trays of a row depend on a header over that row, and the two headers of a cell on CDUs of that cell.
    void loopsAreThoseOfACell()
    {
        const auto f = figured(shipped("nvl72"));
        const Snapshot& s = *f->snapshot;
        const auto& graph = f->get<MediumNode<Medium::Coolant>>();
        s.devices.forEach([&](DeviceId id) {
            if (tierOf(s, id) == "manifold")
                for (const auto& arc : graph.arcs(id))
                    if (arc.up) QCOMPARE(*s.devices.row[arc.to], *rowOf(s, id));
            if (tierOf(s, id) != "row_header") return;
            const std::string& row = s.rows.name[*s.devices.row[id]];
            for (const auto& arc : graph.arcs(id)) // hall1-c2-row1, hall1-c2-cdu1-2
                if (arc.up) QCOMPARE(s.devices.name[arc.to].substr(0, 8), row.substr(0, 8));
        });
    }

    /// Fan walls and CDUs of a hall, and all behind them, follow its groups of racks: no more than are needed with one to spare, or 20 %.
    void unitsFollowTheSegments_data()
    {
        QTest::addColumn<int>("segments");
        QTest::addColumn<QString>("networks");
        QTest::addColumn<QString>("units");
        QTest::newRow("one group") << 1 << "backend"
                                   << "3 cdu-600kw 2 fan-wall-200kw";
        QTest::newRow("one group, all networks") << 1 << "all"
                                                 << "3 cdu-600kw 3 fan-wall-200kw";
        QTest::newRow("a row") << 2 << "backend"
                               << "3 cdu-1300kw 3 fan-wall-200kw";
        QTest::newRow("a cell") << 4 << "backend"
                                << "4 cdu-1300kw 5 fan-wall-200kw";
        QTest::newRow("a cell and a group") << 5 << "backend"
                                            << "4 cdu-1300kw 3 cdu-600kw 5 fan-wall-300kw";
        QTest::newRow("a hall and a group") << 17 << "backend"
                                            << "16 cdu-1300kw 3 cdu-600kw 3 fan-wall-200kw 9 fan-wall-450kw";
    }
    void unitsFollowTheSegments()
    {
        QFETCH(int, segments);
        QFETCH(QString, networks);
        QFETCH(QString, units);
        const auto f = figured(shipped("nvl72"), {{"segments", std::to_string(segments)}, {"networks", networks.toStdString()}});
        QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str());
        const Snapshot& s = *f->snapshot;
        std::map<std::string, int> made;
        s.devices.forEach([&](DeviceId id) {
            if (tierOf(s, id) == "cdu" || tierOf(s, id) == "fan_wall") ++made[s.partTypes.slug[s.devices.type[id]]];
        });
        QStringList found;
        for (const auto& [slug, count] : made) found << QString("%1 %2").arg(count).arg(QString::fromStdString(slug));
        QCOMPARE(found.join(' '), units);
        for (const CoolingLoop& loop : f->get<CoolingChainNode>().loops)
            QVERIFY2(loop.carries() && loop.spare() >= 1 && loop.fits, loop.name.c_str());
    }

    /// Pumps of loops with CDUs are on UPS.
    void pumpsHangBehindTheUps()
    {
        const auto f = figured(shipped("nvl72"));
        const Snapshot& s = *f->snapshot;
        const auto& graph = f->get<MediumNode<Medium::Power>>();
        int seen = 0;
        s.devices.forEach([&](DeviceId id) {
            const std::string tier = tierOf(s, id);
            const bool warm = tier == "facility_pump" && s.devices.name[id].find("-warm") != std::string::npos;
            if (!warm && tier != "cdu") return;
            std::set<PowerSide> sides;
            for (const auto& arc : graph.arcs(id))
                if (arc.up) {
                    QCOMPARE(tierOf(s, arc.to), std::string("ups_board"));
                    sides.insert(s.devices.side[arc.to]);
                    ++seen;
                }
            QVERIFY2(sides.size() == 2, s.devices.name[id].c_str());
        });
        QCOMPARE(seen, 2 * (10 + 32));
    }

    void sameInputSameDesign()
    {
        for (const char* name : {"nvl72", "nvl36", "hpn"}) QVERIFY(sameContent(**make(shipped(name)), **make(shipped(name))));
    }

    /// Fan walls that depend on a header of the template keep that way; only CDUs get the engine's water.
    void whatIsConnectedKeepsItsWays()
    {
        const auto design = varied("nvl72", R"(tiers:
  fan_wall:
    ports: {water: {role: up, cages: 1, medium: coolant}}
  my_header:
    kind: cooling
    level: 29
    in: main
    name: "hall{hall}-own"
    type: facility-header-dn300
    at: [17000, 9800]
    ports: {out: {role: down, cages: 24, medium: coolant}}
links:
  own: {medium: coolant, from: fan_wall.water, to: my_header.out}
)");
        const auto f = figured(design);
        const Snapshot& s = *f->snapshot;
        const auto& graph = f->get<MediumNode<Medium::Coolant>>();
        int walls = 0, cdus = 0;
        s.devices.forEach([&](DeviceId id) {
            for (const auto& arc : graph.arcs(id)) {
                if (!arc.up) continue;
                const std::string tier = tierOf(s, id);
                if (tier == "fan_wall") QCOMPARE(tierOf(s, arc.to), std::string("my_header"));
                if (tier == "cdu") QCOMPARE(tierOf(s, arc.to), std::string("facility_header"));
                walls += tier == "fan_wall", cdus += tier == "cdu";
            }
        });
        QVERIFY(walls == 24 && cdus == 2 * 32); // to each of two headers
        QCOMPARE(byTier(s)["chiller"], 2 * 9);  // dry coolers, for the heat of the CDUs alone: 12.56 MW a hall
    }

    /// Names and places that somebody gave stay when a parameter changes, and what was taken away stays away.
    void regenerationKeepsEdits()
    {
        const Template design = shipped("nvl72");
        Document document(*make(design, {{"segments", "8"}}));
        const Snapshot& s = *document.snapshot();
        Maybe<DeviceId> chiller, manifold;
        s.devices.forEach([&](DeviceId id) {
            if (!chiller && tierOf(s, id) == "chiller") chiller = id;
            if (!manifold && tierOf(s, id) == "manifold") manifold = id;
        });
        auto tx = document.begin("edit");
        QVERIFY(edit::renameEntity(tx, ref(*chiller), "north-1"));
        QVERIFY(edit::renameEntity(tx, ref(*manifold), "spare-manifold"));
        Maybe<LinkId> chosen; // a pipe that somebody chose
        s.links.forEach([&](LinkId id) {
            if (!chosen && s.ports.device[s.links.from[id]] == *manifold && s.ports.medium[s.links.from[id]] == Medium::Coolant) chosen = id;
        });
        Maybe<PartTypeId> wide;
        s.cables.forEach([&](CableId id) {
            if (const auto type = s.cables.type[id]; type && s.partTypes.slug[*type].starts_with("pipe-")) wide = type;
        });
        QVERIFY(chosen && wide);
        QVERIFY(edit::setCableType(tx, *s.links.cable[*chosen], *wide));
        tx.commit();
        auto grow = document.begin("grow");
        const auto report = regenerate(grow, {{"segments", 12}}, catalog());
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        grow.commit();
        const Snapshot& after = *document.snapshot();
        QCOMPARE(after.devices.name[*chiller], std::string("north-1"));
        QCOMPARE(after.devices.name[*manifold], std::string("spare-manifold"));
        const auto figures = computeFigures(document.snapshot());
        QVERIFY2(figures.has_value(), figures ? "" : figures.error().text().c_str());
        const auto& chain = (*figures)->get<CoolingChainNode>();
        QVERIFY(chain.unfed.empty());
        QCOMPARE(wrongWith(**figures), std::string());
        QVERIFY(after.links.contains(*chosen) && after.cables.type[*after.links.cable[*chosen]] == Maybe<PartTypeId>(*wide));
        const SnapshotPtr anew = *make(design, {{"segments", "12"}});
        auto pipes = pipesByType(after);
        QVERIFY(--pipes[after.partTypes.slug[*wide]] >= 0);
        ++pipes["hose-lqc-1in"];
        std::erase_if(pipes, [](const auto& entry) { return entry.second == 0; });
        QCOMPARE(pipes, pipesByType(*anew));
        auto merged = byTier(after), fresh = byTier(*anew);
        for (const char* tier : {"manifold", "row_header", "facility_header", "facility_pump", "plant_header", "cold_tank", "chiller"})
            QCOMPARE(merged[tier], fresh[tier]);
    }

    /// What no one header carries becomes several loops, each with a pump and a chiller to spare.
    void severalLoopsWhereOneIsTooSmall()
    {
        const auto f = figured(varied("hpn", "layout: {facility_header: facility-header-dn300}"));
        QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str());
        QVERIFY(byTier(*f->snapshot)["facility_header"] >= 4);
        for (const CoolingLoop& loop : f->get<CoolingChainNode>().loops)
            if (loop.kind == LoopKind::Facility) QVERIFY2(loop.lpm < 8544 * 1.001, loop.name.c_str());
    }

    /// Without CDUs of its own a hall gets them in its plant room.
    void cdusInThePlantRoom()
    {
        const auto f = figured(varied("nvl72", "tiers: {cdu: null}"));
        QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str());
        const Snapshot& s = *f->snapshot;
        int made = 0;
        s.devices.forEach([&](DeviceId id) {
            if (tierOf(s, id) != "plant_cdu") return;
            ++made;
            QCOMPARE(s.halls.kind[*hallOf(s, id)], RoomKind::Plant);
        });
        QCOMPARE(made, 32);
    }

    /// Nothing that the water brings stands or hangs in anything else.
    void nothingMeets()
    {
        for (const char* name : {"nvl72", "nvl36", "hpn", "towers"}) {
            const auto f = figured(name == std::string("towers") ? varied("nvl72", "layout: {chiller: chiller-water-1500kw, valve: valve-dn50}")
                                                                 : shipped(name));
            const Snapshot& s = *f->snapshot;
            std::map<std::uint32_t, std::vector<std::pair<Box, DeviceId>>> rooms;
            std::map<std::uint32_t, std::vector<Box>> racks;
            s.devices.forEach([&](DeviceId id) {
                if (const auto hall = hallOf(s, id); hall && !s.devices.rack[id])
                    rooms[(*hall).value].emplace_back(f->placement->device(s, *f->parts, id), id);
            });
            s.racks.forEach([&](RackId id) { racks[s.rows.hall[s.racks.row[id]].value].push_back(f->placement->rack(id)); });
            const auto meet = [](const Box& a, const Box& b) {
                return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y && a.low.z < b.high.z &&
                       b.low.z < a.high.z;
            };
            const std::set<std::string> ours{"tower",           "condenser_pump", "condenser_header", "tower_header", "facility_valve", "row_header",
                                             "facility_header", "facility_pump",  "plant_header",     "cold_tank",    "chiller",        "plant_cdu"};
            int looked = 0;
            for (const auto& [hall, boxes] : rooms)
                for (const auto& [box, id] : boxes) {
                    if (!ours.contains(tierOf(s, id))) continue;
                    ++looked;
                    for (const auto& [other, with] : boxes)
                        if (!(with == id)) QVERIFY2(!meet(box, other), (s.devices.name[id] + " meets " + s.devices.name[with]).c_str());
                    for (const Box& rack : racks[hall]) QVERIFY2(!meet(box, rack), s.devices.name[id].c_str());
                }
            QVERIFY(looked > 10);
        }
    }

    void partsCanBeLeftOut()
    {
        const auto tiers = [](const std::string& layout) { return byTier(**make(varied("nvl72", "layout: {" + layout + "}"), {{"segments", "4"}})); };
        auto none = tiers("cooling: no");
        QVERIFY(none["manifold"] == 0 && none["chiller"] == 0 && none["row_header"] == 0 && none["cdu"] > 0 && none["utility"] > 0);
        auto bare = tiers("chiller: none");
        QVERIFY(bare["manifold"] == 28 && bare["row_header"] == 4 && bare["chiller"] == 0 && bare["facility_pump"] == 0);
        auto dry = tiers("facility_pump: none, tanks: 3");
        QVERIFY(dry["facility_pump"] == 0 && dry["cold_tank"] == 3 && dry["chiller"] > 1);
    }

    /// Water of 43 °C comes from dry coolers at 35 °C outdoors; the setting says so.
    void warmWaterFromDryCoolers()
    {
        const auto made = make(varied("hpn", "layout: {chiller: dry-cooler-2000kw, facility_supply_c: 43}"));
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        QCOMPARE((*made)->setting("cooling.facility_supply_c"), std::string("43"));
        (*made)->devices.forEach([&](DeviceId id) {
            if (tierOf(**made, id) == "chiller") QCOMPARE((*made)->partTypes.slug[(*made)->devices.type[id]], std::string("dry-cooler-2000kw"));
        });
        QCOMPARE(byTier(**made)["chiller"], 12 + 2); // 20 MW of hall and core, N+1 each, at 90 % with none lost
    }

    /// Small halls get small plant: few units of the size that their load asks for, one to spare; the building ends where its rooms do.
    void plantFollowsTheLoad_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<QMap<QString, QString>>("parts"); // by tier
        using Parts = QMap<QString, QString>;
        QTest::newRow("32 GPUs") << QString() << 4
                                 << Parts{{"fan_wall", "3 crah-50kw"},
                                          {"chiller", "2 chiller-air-75kw"},
                                          {"facility_pump", "2 pump-fws-3ls"},
                                          {"facility_header", "2 facility-header-dn100"},
                                          {"cold_tank", "2 tank-1m3"}};
        QTest::newRow("256 GPUs") << QString() << 32
                                  << Parts{{"fan_wall", "4 crah-100kw"},
                                           {"chiller", "3 chiller-air-150kw"},
                                           {"facility_pump", "4 pump-fws-3ls"},
                                           {"cold_tank", "2 tank-3m3"}};
        QTest::newRow("parts as named") << "layout: {fan_wall: fan-wall-450kw, facility_pump: pump-fws-50ls, chiller: chiller-air-1500kw}" << 4
                                        << Parts{{"fan_wall", "2 fan-wall-450kw"},
                                                 {"chiller", "2 chiller-air-1500kw"},
                                                 {"facility_pump", "2 pump-fws-50ls"}};
        QTest::newRow("dry coolers by size") << "layout: {chiller: dry-cooler, facility_supply_c: 41}" << 32
                                             << Parts{{"chiller", "3 dry-cooler-300kw"}};
        QTest::newRow("water-cooled by size") << "layout: {chiller: chiller-water}" << 32
                                              << Parts{{"chiller", "2 chiller-water-500kw"},
                                                       {"tower", "2 tower-500kw"},
                                                       {"condenser_pump", "4 pump-fws-3ls"}};
    }
    void plantFollowsTheLoad()
    {
        QFETCH(QString, more);
        QFETCH(int, hosts);
        using Parts = QMap<QString, QString>;
        QFETCH(Parts, parts);
        const auto f = figured(varied("rail-optimized-2", more.toStdString()),
                               {{"segments", "1"}, {"networks", "backend"}, {"hosts_per_segment", std::to_string(hosts)}});
        if (!more.contains("dry-cooler")) QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str()); // 41 °C is too warm for air units
        const Snapshot& s = *f->snapshot;
        std::map<std::pair<std::string, std::string>, int> made;
        s.devices.forEach([&](DeviceId id) { ++made[{tierOf(s, id), s.partTypes.slug[s.devices.type[id]]}]; });
        for (auto it = parts.begin(); it != parts.end(); ++it) {
            QString found;
            for (const auto& [what, count] : made)
                if (what.first == it.key().toStdString()) found += QString("%1 %2").arg(count).arg(QString::fromStdString(what.second));
            QCOMPARE(found, it.value());
        }
        std::int32_t end = 0;
        s.halls.forEach([&](HallId id) { end = std::max(end, s.halls.y[id].count() + s.halls.sizeY[id].count()); });
        QCOMPARE(s.buildings.size(), std::size_t(1));
        const BuildingId building = s.buildings.ids().front();
        QVERIFY2(s.buildings.sizeY[building].count() >= end && s.buildings.sizeY[building].count() <= end + 5000,
                 qPrintable(QString("%1 for %2").arg(s.buildings.sizeY[building].count()).arg(end)));
    }

    void warmLoop_data()
    {
        QTest::addColumn<QString>("ambient");
        QTest::addColumn<bool>("trimmed");
        QTest::newRow("dry coolers alone") << "35" << false;
        QTest::newRow("hot site") << "44" << true;
    }
    /// CDUs have a warm loop of their own beside the cool one of the fan walls: as warm as their approach to the coolant leaves it, from dry coolers;
    /// chillers help where it is too hot outdoors for these.
    void warmLoop()
    {
        QFETCH(QString, ambient);
        QFETCH(bool, trimmed);
        const auto f = figured(varied("nvl72", "settings: {site.ambient_c: \"" + ambient.toStdString() +
                                                   "\", cooling.coolant_supply_c: \"42\"}\nlayout: {cdu_rejector: dry-cooler}"),
                               {{"segments", "2"}});
        QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str());
        const Snapshot& s = *f->snapshot;
        const auto& chain = f->get<CoolingChainNode>();
        int warm = 0, cool = 0;
        for (std::size_t l = 0; l < chain.loops.size(); ++l) {
            const CoolingLoop& loop = chain.loops[l];
            if (loop.kind != LoopKind::Facility) continue;
            std::set<CoolingElement> takers, sources;
            for (const CoolingUnit& unit : chain.units)
                if (unit.parts() && unit.takes == std::int32_t(l)) takers.insert(unit.element);
            for (const DeviceId id : loop.sources) sources.insert(elementOf(*f, id));
            if (takers == std::set{CoolingElement::Cdu}) {
                ++warm;
                QCOMPARE(loop.supplyC, 38.0); // 42 °C less an approach of 4 K
                QCOMPARE(sources.contains(CoolingElement::DryCooler), true);
                QCOMPARE(sources.contains(CoolingElement::Chiller), trimmed);
            } else {
                ++cool;
                QCOMPARE(takers, (std::set{CoolingElement::FanWall, CoolingElement::Crah})); // of the hall and of the electrical room
                QCOMPARE(sources, std::set{CoolingElement::Chiller});
                QCOMPARE(loop.supplyC, 20.0);
            }
            QVERIFY2(loop.carries() && loop.spare() >= 1, loop.name.c_str());
        }
        QVERIFY(warm == 1 && cool == 1);
        QCOMPARE(byTier(s)["trim_chiller"] > 0, trimmed);
        for (const CooledLoad& taker : chain.takers) QVERIFY(taker.supplyC <= taker.warmestC);
    }
    /// Return water of the air units cools the CDUs: one plant for both, and the water of the cool loop comes back as warm as that of the CDUs.
    void loopsInSeries()
    {
        const auto f = figured(varied("nvl72", "layout: {cdu_rejector: series}"), {{"segments", "2"}});
        QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str());
        const Snapshot& s = *f->snapshot;
        const auto& chain = f->get<CoolingChainNode>();
        QCOMPARE(byTier(s)["series_header"], 2);
        std::vector<DeviceId> series;
        for (const CoolingUnit& unit : chain.units)
            if (unit.onReturn) series.push_back(unit.device);
        QCOMPARE(series.size(), std::size_t(2));
        const CoolingUnit& unit = *chain.unit(series.front());
        const CoolingLoop &cool = chain.loops[std::size_t(unit.takes)], &warm = chain.loops[std::size_t(unit.feeds)];
        QCOMPARE(cool.supplyC, 20.0);
        QCOMPARE(warm.supplyC, 38.0);
        const double all = cool.heatW + cool.ownW, passed = warm.heatW + warm.ownW;
        QVERIFY(std::abs(chain.unit(series.front())->heatW + chain.unit(series.back())->heatW - passed) < 1e-6 * passed);
        const double direct = (all - passed) / cool.wattsPerLpmK / 10, together = all / cool.wattsPerLpmK / 28; // returns at 30 and 48 °C
        QVERIFY2(std::abs(cool.lpm - std::max(direct, together)) < 1e-6 * cool.lpm, qPrintable(QString::number(cool.lpm)));
        QVERIFY(cool.returnC <= 48 + 1e-9 && cool.returnC > 30);
        double taken = 0; // of the supply and of the return: no more than there is
        for (const CoolingUnit& one : chain.units)
            if (one.parts() && one.takes == unit.takes && !one.onReturn) taken += one.takesLpm;
        QVERIFY(taken <= cool.lpm * (1 + 1e-9));
        const double back = chain.unit(series.front())->takesLpm + chain.unit(series.back())->takesLpm;
        QVERIFY2(back <= cool.lpm * (1 + 1e-9), qPrintable(QString("%1 of %2, %3 beside").arg(back).arg(cool.lpm).arg(taken)));
        QVERIFY(cool.carries() && cool.spare() >= 1 && warm.carries() && warm.spare() >= 1);
        const auto shortOf = [&](const std::vector<DeviceId>& lost) {
            double watts = 0;
            for (const LoopAfterLoss& loop : test::coolingWithout(chain, lost)) watts = std::max(watts, loop.shortW());
            return watts;
        };
        QVERIFY(shortOf({series.front()}) < 1 && shortOf({series.back()}) < 1);
        double cabinets = 0; // the pumps of CDUs and of the warm loop stand still then
        for (const CoolingLoop& loop : chain.loops) cabinets += loop.kind == LoopKind::Liquid ? loop.heatW : 0;
        const double cut = shortOf(series);
        QVERIFY2(std::abs(cut - cabinets) < 1e-6 * cabinets, qPrintable(QString("%1 of %2").arg(cut).arg(cabinets)));
    }
    void loopsInSeriesAreRefused_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("says");
        QTest::newRow("coolant too cold") << "settings: {cooling.coolant_supply_c: \"30\"}\nlayout: {cdu_rejector: series}"
                                          << "the return water of the cool loop (30 °C) is too warm for the CDUs (maximum 26 °C)";
        QTest::newRow("no air units") << "layout: {cdu_rejector: series, fan_wall: none}"
                                      << "'cdu_rejector: series' requires air-cooling units";
    }
    void loopsInSeriesAreRefused()
    {
        QFETCH(QString, more);
        QFETCH(QString, says);
        const auto made = make(varied("nvl72", more.toStdString()), {{"segments", "1"}, {"networks", "backend"}});
        QVERIFY(!made.has_value());
        QVERIFY2(QString::fromStdString(made.error().text()).contains(says), made.error().text().c_str());
    }
    void warmLoopNeedsDryCoolers()
    {
        const auto made = make(varied("nvl72", "layout: {cdu_rejector: chiller-air-500kw}"), {{"segments", "1"}});
        QVERIFY(!made.has_value());
        QVERIFY2(made.error().text().find("'chiller-air-500kw' does not cool a warm loop for CDUs") != std::string::npos,
                 made.error().text().c_str());
        const auto headers = [](const std::string& more) {
            const auto with = make(varied("nvl72", more), {{"segments", "1"}, {"networks", "backend"}});
            return with ? byTier(**with)["facility_header"] : -1;
        };
        QCOMPARE(headers("layout: {cdu_rejector: none, headers: single}"), 1);
        QCOMPARE(headers("layout: {headers: single}"), 2);                    // warm and cool
        QCOMPARE(headers("settings: {cooling.coolant_supply_c: \"30\"}"), 2); // 26 °C is too near to 20 °C: one loop
        QCOMPARE(headers("settings: {cooling.coolant_supply_c: \"30\"}\nlayout: {cdu_rejector: tower}"), 4);
    }

    void condenserWater_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("rejector");
        QTest::newRow("chillers and towers") << "nvl72"
                                             << "layout: {chiller: chiller-water-1500kw, cdu_rejector: none, headers: single, valve: valve-dn150}"
                                             << "tower-2000kw";
        QTest::newRow("air alone") << "rail-optimized-2"
                                   << "layout: {chiller: chiller-water}"
                                   << "tower-1000kw";
        QTest::newRow("plates and dry coolers") << "nvl72"
                                                << "settings: {site.ambient_c: \"15\", cooling.coolant_supply_c: \"32\"}\nlayout: {chiller: "
                                                   "exchanger-2000kw, condenser: dry-cooler-2000kw, facility_supply_c: 27}"
                                                << "dry-cooler-2000kw";
    }
    /// Chillers cooled by water, and plates: a loop of its own to towers or dry coolers. Any one of them, a pump or a valve may be lost; two towers
    /// may not, where one is to spare.
    void condenserWater()
    {
        QFETCH(QString, base);
        QFETCH(QString, more);
        QFETCH(QString, rejector);
        const auto f = figured(varied(base.toStdString(), more.toStdString()), base == "nvl72" ? Given{{"segments", "4"}} : Given{});
        QVERIFY2(wrongWith(*f).empty(), wrongWith(*f).c_str());
        const Snapshot& s = *f->snapshot;
        const auto& chain = f->get<CoolingChainNode>();
        std::vector<DeviceId> towers, valves;
        int inside = 0;
        s.devices.forEach([&](DeviceId id) {
            const std::string tier = tierOf(s, id);
            if (tier == "tower") {
                towers.push_back(id);
                QCOMPARE(s.partTypes.slug[s.devices.type[id]], rejector.toStdString());
                QCOMPARE(s.halls.kind[*hallOf(s, id)], RoomKind::Yard);
            }
            if (tier == "facility_valve") valves.push_back(id);
            if (tier != "chiller") return;
            ++inside;
            QCOMPARE(s.halls.kind[*hallOf(s, id)], RoomKind::Plant);
            const CoolingUnit& unit = *chain.unit(id);
            QVERIFY(unit.takes >= 0 && unit.feeds >= 0 && unit.takes != unit.feeds && unit.heatW > 0);
        });
        QVERIFY(inside >= 2 && towers.size() >= 2 && valves.empty() == !more.contains("valve"));
        double heat = 0; // of all towers: that of the chillers and what drives them
        for (const DeviceId id : towers) heat += chain.unit(id)->heatW;
        double given = 0; // with what their pumps draw
        for (const CoolingUnit& unit : chain.units) {
            if (tierOf(s, unit.device) == "chiller") given += unit.cop > 0 ? unit.heatW * (1 + 1 / unit.cop) : unit.heatW;
            if (tierOf(s, unit.device) == "condenser_pump") given += unit.ownW;
        }
        QVERIFY2(std::abs(heat - given) < 1e-6 * given, qPrintable(QString("%1 W of %2 W").arg(heat).arg(given)));
        const auto shortOf = [&](const std::vector<DeviceId>& lost) {
            double watts = 0;
            for (const LoopAfterLoss& loop : test::coolingWithout(chain, lost)) watts = std::max(watts, loop.shortW());
            return watts;
        };
        QVERIFY(shortOf({towers.front()}) < 1);
        std::vector<DeviceId> ofLoop;
        for (const DeviceId id : towers)
            if (chain.unit(id)->feeds == chain.unit(towers.front())->feeds) ofLoop.push_back(id);
        QVERIFY(shortOf(ofLoop) > 1e5);
        for (const DeviceId id : valves) {
            const auto after = test::coolingWithout(chain, std::vector<DeviceId>{id});
            const auto cut = after[std::size_t(chain.unit(id)->takes)].cutOff;
            QCOMPARE(cut.size(), std::size_t(1)); // the one behind it
        }
    }

    void whatHasNoEffectIsRefused_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* layout, const char* says) { QTest::newRow(layout) << layout << says; };
        row("cooling: no, chiller: chiller-air-500kw", "'chiller' has no effect with cooling: no");
        row("cooling: no, manifold: none", "'manifold' has no effect with cooling: no");
        row("chiller: none, facility_supply_c: 20", "'facility_supply_c' has no effect with chiller: none");
        row("tank: none, tanks: 2", "'tanks' has no effect with tank: none");
        row("chiller: dry-cooler-2000kw", "' cannot supply 20 °C water at 35 °C outdoor temperature");
        row("condenser: tower-2000kw, chiller: chiller-air-500kw", "' does not use condenser water");
        row("chiller: chiller-water-1500kw, condenser: chiller-air-500kw", "not cool condenser water");
        row("chiller: exchanger-2000kw", "' cannot supply 20 °C water downstream of 'tower' at");
        row("chiller: none, cdu_rejector: dry-cooler", "'cdu_rejector' has no effect with chiller: none");
        row("chiller: none, condenser: tower-2000kw", "'condenser' has no effect with chiller: none");
        row("chiller: pump-fws-100ls", "' does not reject heat");
        row("chiller: fridge", "part 'fridge' is not in the catalog");
        row("facility_supply_c: 80", "use 5 to 60");
    }
    void whatHasNoEffectIsRefused()
    {
        QFETCH(QString, layout);
        QFETCH(QString, says);
        const auto made = make(varied("rail-optimized-2", "layout: {" + layout.toStdString() + "}"));
        QVERIFY(!made.has_value());
        QVERIFY2(QString::fromStdString(made.error().text()).contains(says), made.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(TestWater)
#include "test_water.moc"
