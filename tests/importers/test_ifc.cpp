// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/design/build/design_builder.h"
#include "core/design/template/template.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/catalog/catalog.h"
#include "core/output/scene/scene.h"
#include "importers/formats.h"
#include "importers/ifc/guid.h"
#include "importers/ifc/ifc_export.h"
#include "importers/ifc/step_reader.h"
#include "importers/ifc/step_writer.h"
#include "tests/importers/ifc_schema.h"

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>

using namespace hw;
using namespace hw::exchange;

namespace {

std::string fileText(const std::string& name)
{
    std::ifstream in(HW_TEST_DATA "/ifc/" + name, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

SnapshotPtr design(const char* name, ParameterValues values)
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto shape = Template::load(std::string(HW_RESOURCES "/templates/") + name);
    if (!catalog || !shape) qFatal("no template");
    const auto complete = shape->complete(values);
    const auto made = complete ? instantiate(*shape, *complete, *catalog) : tl::unexpected(complete.error());
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}
const SnapshotPtr& pod()
{
    static const SnapshotPtr made = design("hpn.yaml", {{"segments", 1}});
    return made;
}
const SnapshotPtr& liquid()
{
    static const SnapshotPtr made = design("nvl72.yaml", {});
    return made;
}
FiguresPtr figures(const SnapshotPtr& s)
{
    auto made = hw::figuresOf(s);
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}
std::string ifcOf(const SnapshotPtr& s, const scene::Scope& scope = {})
{
    return importers::ifc::ifcText(*figures(s), scope, {"model.ifc", "2026-11-26T00:00:00"});
}

Result<ImportPlan> planOf(const std::string& content, FormatChoices options = {}, SnapshotPtr base = std::make_shared<const Snapshot>())
{
    static const auto importer = importers::ifcImporter();
    return importer->plan({"plan.ifc", content, std::move(options)}, base, {});
}

/// Buildings, halls, corners and structures, a line each, by name.
std::string rooms(const Snapshot& s)
{
    std::string out;
    s.buildings.forEach([&](BuildingId id) {
        const auto& t = s.buildings;
        out += fmt::format("building {} {} {} {} {} {}\n", t.name[id], t.x[id].count(), t.y[id].count(), t.sizeX[id].count(), t.sizeY[id].count(),
                           t.sizeZ[id].count());
    });
    std::vector<std::string> halls; // by name: buildings are read one after the other
    s.halls.forEach([&](HallId id) {
        std::string one;
        const auto& t = s.halls;
        one += fmt::format("hall {} at {} {} {} x {} x {} {} {} {} {} {}\n", t.name[id], t.x[id].count(), t.y[id].count(), t.sizeX[id].count(),
                           t.sizeY[id].count(), t.sizeZ[id].count(), wordOf(t.kind[id]), wordOf(t.floor[id]), t.floorLoad[id].count(),
                           t.clearHeight[id].count(), t.itLimit[id].count());
        s.corners.forEach([&](CornerId c) {
            if (s.corners.hall[c] == id)
                one += fmt::format("  corner {} {} {}\n", s.corners.number[c], s.corners.x[c].count(), s.corners.y[c].count());
        });
        std::vector<std::string> pieces;
        s.structures.forEach([&](StructureId p) {
            const auto& r = s.structures;
            if (r.hall[p] == id)
                pieces.push_back(fmt::format("  {} {} {} {} {} {} w{} h{}\n", wordOf(r.kind[p]), r.name[p], r.x1[p].count(), r.y1[p].count(),
                                             r.x2[p].count(), r.y2[p].count(), r.width[p].count(), r.height[p].count()));
        });
        std::ranges::sort(pieces);
        for (const auto& piece : pieces) one += piece;
        halls.push_back(one);
    });
    std::ranges::sort(halls);
    for (const auto& one : halls) out += one;
    return out;
}
std::string roomsOf(const Result<ImportPlan>& plan) { return plan ? rooms(*plan->after) : plan.error().text(); }
bool doubts(const ImportPlan& plan, const std::string& text)
{
    return std::ranges::any_of(plan.issues, [&](const ImportIssue& issue) { return words(issue.what).find(text) != std::string::npos; });
}

/// Two halls with everything that a room may have.
SnapshotPtr twoHalls()
{
    const auto mm = [](int v) { return Millimeters(v); };
    auto s = std::make_shared<Snapshot>();
    DesignBuilder build(*s);
    s->putSetting("project.name", "Prüfung \\ \"A\" 'B' 数据");
    const BuildingId b = build.building({.name = "Bâtiment",
                                         .kind = BuildingKind::Network,
                                         .x = mm(12'345),
                                         .y = mm(-6'789),
                                         .sizeX = mm(80'000),
                                         .sizeY = mm(50'001),
                                         .sizeZ = mm(9'000)});
    const HallId one = build.hall({.name = "H1",
                                   .building = b,
                                   .x = mm(1'003),
                                   .y = mm(2'001),
                                   .sizeX = mm(30'017),
                                   .sizeY = mm(20'001),
                                   .sizeZ = mm(4'503),
                                   .floor = FloorKind::Raised,
                                   .floorLoad = KilogramsPerSquareMeter(1200),
                                   .clearHeight = mm(3'900),
                                   .itLimit = watts(2'000'000)});
    const HallId two = build.hall({.name = "H2",
                                   .building = b,
                                   .x = mm(40'000),
                                   .y = mm(2'000),
                                   .sizeX = mm(20'000),
                                   .sizeY = mm(20'000),
                                   .sizeZ = mm(5'000),
                                   .kind = RoomKind::Electrical});
    const std::vector<std::pair<std::int32_t, std::int32_t>> corners{{0, 0},          {20'000, 0},     {20'000, 9'001},
                                                                     {11'003, 9'001}, {7'000, 20'000}, {0, 20'000}};
    build.corners(two, corners);
    const auto piece = [&](const char* name, HallId hall, StructureKind kind, int x1, int y1, int x2, int y2, int width, int height = 0) {
        build.structure({.name = name,
                         .hall = hall,
                         .kind = kind,
                         .x1 = mm(x1),
                         .y1 = mm(y1),
                         .x2 = mm(x2),
                         .y2 = mm(y2),
                         .width = mm(width),
                         .height = mm(height)});
    };
    piece("W-south", one, StructureKind::Wall, -100, -100, 30'117, -100, 200);
    piece("W-low", one, StructureKind::Wall, 5'000, 3'001, 5'000, 9'002, 115, 2'400);
    piece("W-stub", one, StructureKind::Wall, 10'000, 10'000, 10'100, 10'000, 300);
    piece("W-slant", one, StructureKind::Wall, 1'001, 1'003, 7'777, 5'555, 151);
    piece("C-round", one, StructureKind::Column, 15'000, 10'001, 15'000, 10'001, 601);
    piece("C-flat", one, StructureKind::Column, 20'000, 9'800, 20'000, 10'200, 601);
    piece("D1", one, StructureKind::Door, 3'000, -100, 5'400, -100, 200, 2'501);
    piece("R1", one, StructureKind::Ramp, 100, 15'000, 3'100, 15'000, 1'500);
    piece("K1", one, StructureKind::KeepOut, 25'000, 15'000, 28'000, 15'000, 2'000);
    piece("W-west", two, StructureKind::Wall, -50, 0, -50, 20'000, 100);
    return s;
}

} // namespace

class IfcTest : public QObject {
    Q_OBJECT

    static void checked(const std::string& text, const char* what)
    {
        const auto check = test::checkIfc(text);
        for (std::size_t i = 0; i < std::min<std::size_t>(check.faults.size(), 20); ++i) qWarning("%s: %s", what, check.faults[i].c_str());
        QCOMPARE(check.faults.size(), std::size_t(0));
    }

private slots:
    void texts()
    {
        using namespace importers::ifc;
        for (const char* text : {"plain", "it's", "a\\b", "für 数据 😀 \"x\"", "\x01\ttab", ""}) {
            const std::string step = stepText(text);
            QVERIFY(std::ranges::all_of(step, [](unsigned char c) { return c >= 0x20 && c < 0x7F; }));
            QCOMPARE(stepTextOf(step.substr(1, step.size() - 2)), std::string(text));
        }
        QCOMPARE(stepText("ü"), std::string("'\\X2\\00FC\\X0\\'"));
        QCOMPARE(stepTextOf("Caf\\S\\i \\X\\E9 \\X4\\0001F600\\X0\\"), std::string("Café é 😀"));
        QCOMPARE(stepTextOf("\\X2\\00F"), std::string("\\X2\\00F")); // malformed stays
        for (const auto& [value, text] :
             {std::pair(0.0, "0."), {1.0, "1."}, {-2.5, "-2.5"}, {1e-5, "1.E-05"}, {24000.0, "24000."}, {1.5e300, "1.5E+300"}, {NAN, "0."}})
            QCOMPARE(stepReal(value), std::string(text));
        const std::string id = globalId("racks:a");
        QCOMPARE(id.size(), std::size_t(22));
        QCOMPARE(id, globalId("racks:a"));
        QVERIFY(id != globalId("racks:b"));
    }

    /// The checker finds what is wrong, and a file that was checked by others is right.
    void schemaChecker()
    {
        const std::string sample = fileText("hall.ifc");
        checked(sample, "sample");
        for (const auto& [from, to] : {std::pair<const char*, const char*>("IFCRECTANGLEPROFILEDEF(.AREA.,$,#33,24000.,12000.)",
                                                                           "IFCRECTANGLEPROFILEDEF(.AREA.,$,#33,24000,12000.)"),
                                       {".DISTRIBUTIONBOARD.", ".PANELBOARD."},
                                       {"'Rack',#55,#56", "'Rack',#56,#55"},
                                       {",#38);\n#119", ",#4711);\n#119"},
                                       {"'CDU-1',.USERDEFINED.", "'CDU-1',.USERDEFINED.,$"},
                                       {"'28NAKu1B5KsfPFds1EYqiE'", "'8NAKu1B5KsfPFds1EYqiE'"}}) {
            std::string broken = sample;
            const auto at = broken.find(from);
            QVERIFY2(at != broken.npos, from);
            broken.replace(at, std::string(from).size(), to);
            QVERIFY2(!test::checkIfc(broken).faults.empty(), to);
        }
    }

    void exportsFitTheSchema()
    {
        const SnapshotPtr designs[] = {pod(), liquid(), twoHalls(), std::make_shared<const Snapshot>()};
        for (const SnapshotPtr& s : designs)
            for (const bool devices : {false, true}) {
                if (devices && s == liquid()) continue; // the same again, and long
                const std::string text = ifcOf(s, {.devices = devices});
                checked(text, s->setting("project.name").c_str());
                QCOMPARE(text, ifcOf(s, {.devices = devices})); // the same design, the same file
                const auto check = test::checkIfc(text);
                const scene::Scene scene = scene::Scene::of(*figures(s), {.devices = devices});
                std::map<scene::ElementKind, std::size_t> kinds;
                for (const auto& e : scene.elements) ++kinds[e.kind];
                const auto count = [&](const char* entity) { return check.entities.contains(entity) ? check.entities.at(entity) : 0; };
                QCOMPARE(count("IFCSPACE"), std::size_t(s->halls.size()));
                QCOMPARE(count("IFCBUILDING"), std::size_t(s->buildings.size()));
                QCOMPARE(count("IFCCABLECARRIERSEGMENT"), kinds[scene::ElementKind::Tray]);
                QCOMPARE(count("IFCWALL"), kinds[scene::ElementKind::Wall]);
                QCOMPARE(kinds[scene::ElementKind::Rack], std::size_t(s->racks.size()));
                QCOMPARE(count("IFCRELCONNECTSPORTS"), scene.connections.size());
                QCOMPARE(count("IFCDISTRIBUTIONPORT"), 2 * scene.connections.size());
            }
        QVERIFY(ifcOf(liquid()).find("'Coolant distribution unit'") != std::string::npos);
        QVERIFY(ifcOf(liquid()).find("IFCRELCONNECTSPORTS") != std::string::npos);
    }

    void globalIdsOutliveEdits()
    {
        const auto before = test::checkIfc(ifcOf(pod()));
        auto edited = std::make_shared<Snapshot>(*pod());
        const RowId row = edited->rows.ids().front();
        edited->rows.x.set(row, edited->rows.x[row] + Millimeters(600));
        const RackId gone = edited->racks.ids().back();
        std::vector<DeviceId> inside;
        edited->devices.forEach([&](DeviceId id) {
            if (edited->devices.rack[id] == gone) inside.push_back(id);
        });
        const std::string name = edited->racks.name[gone];
        for (const DeviceId id : inside) edited->devices.rack.set(id, std::nullopt);
        edited->racks.erase(gone);
        const auto after = test::checkIfc(ifcOf(edited));
        QVERIFY(before.guidOfName.contains("IFCBUILDINGELEMENTPROXY '" + name + "'"));
        std::size_t same = 0;
        for (const auto& [of, guid] : after.guidOfName) {
            const auto known = before.guidOfName.find(of);
            if (known == before.guidOfName.end()) continue;
            QVERIFY2(guid == known->second, of.c_str());
            ++same;
        }
        QVERIFY(same > 50);
        QVERIFY(!after.guidOfName.contains("IFCBUILDINGELEMENTPROXY '" + name + "'"));
    }

    void oneHall()
    {
        const auto s = twoHalls();
        const HallId two = s->halls.ids().back();
        const std::string text = ifcOf(s, {.hall = two});
        checked(text, "one hall");
        const auto check = test::checkIfc(text);
        QCOMPARE(check.entities.at("IFCSPACE"), std::size_t(1));
        QCOMPARE(check.entities.at("IFCWALL"), std::size_t(1));
        QVERIFY(!check.entities.contains("IFCCOLUMN"));
    }

    void roundTrip()
    {
        for (const SnapshotPtr& s : {twoHalls(), pod()}) {
            const auto plan = planOf(ifcOf(s));
            QCOMPARE(QString::fromStdString(roomsOf(plan)), QString::fromStdString(rooms(*s)));
        }
        // Into a hall that is there.
        auto other = std::make_shared<Snapshot>();
        DesignBuilder build(*other);
        const BuildingId b = build.building({.name = "B", .sizeX = Millimeters(10'000), .sizeY = Millimeters(10'000), .sizeZ = Millimeters(5'000)});
        const HallId hall = build.hall({.name = "Mine",
                                        .building = b,
                                        .x = Millimeters(500),
                                        .y = Millimeters(700),
                                        .sizeX = Millimeters(4'000),
                                        .sizeY = Millimeters(4'000),
                                        .sizeZ = Millimeters(3'000)});
        build.structure({.name = "old", .hall = hall, .x2 = Millimeters(4'000), .width = Millimeters(100)});
        const std::string two = ifcOf(twoHalls());
        const auto several = planOf(two, {{"hall", "Mine"}}, other);
        QVERIFY(!several && words(several.error().todo).find("--space") != std::string::npos);
        const auto plan = planOf(two, {{"hall", "Mine"}, {"space", "H1"}}, other);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const Snapshot& after = *plan->after;
        QCOMPARE(after.halls.size(), 1u);
        QCOMPARE(after.halls.sizeX[hall].count(), 30'017);
        QCOMPARE(after.halls.sizeZ[hall].count(), 4'503);
        QCOMPARE(after.structures.size(), 9u);
        QVERIFY(after.buildings.sizeX[b].count() >= 30'517);
        // A second time beside the first.
        const auto again = planOf(two, {}, planOf(two)->after);
        QVERIFY(again && doubts(*again, "overlaps"));
        QCOMPARE(again->after->halls.size(), 4u);
        std::set<std::string> names;
        again->after->halls.forEach([&](HallId id) { QVERIFY(names.insert(again->after->halls.name[id]).second); });
        again->after->structures.forEach([&](StructureId id) { QVERIFY(names.insert(again->after->structures.name[id]).second); });
    }

    void readsOthers()
    {
        const auto sample = planOf(fileText("hall.ifc"));
        QVERIFY2(sample, sample ? "" : sample.error().text().c_str());
        QCOMPARE(QString::fromStdString(rooms(*sample->after)), QString("building Building A 0 0 25000 13000 7000\n"
                                                                        "hall H1 at 0 0 24000 x 12000 x 4500 hall slab 0 0 0\n"));
        QVERIFY(doubts(*sample, "IFCPIPESEGMENT"));

        const auto tower = planOf(fileText("foreign.ifc"));
        QVERIFY2(tower, tower ? "" : tower.error().text().c_str());
        const Snapshot& s = *tower->after;
        QCOMPARE(s.halls.size(), 2u);
        const HallId one = s.halls.ids().front(), two = s.halls.ids().back();
        QCOMPARE(s.halls.name[one], std::string("101"));
        QCOMPARE(s.halls.sizeX[one].count(), 30'480); // 100 ft
        QCOMPARE(s.halls.sizeY[one].count(), 18'288);
        QCOMPARE(s.halls.sizeZ[one].count(), 4'572);
        QCOMPARE(s.halls.sizeX[two].count(), 12'192);
        QCOMPARE(s.halls.sizeY[two].count(), 9'144);
        QCOMPARE(s.halls.sizeZ[two].count(), 3'658);
        std::vector<std::pair<int, int>> corners;
        s.corners.forEach([&](CornerId c) { corners.emplace_back(s.corners.x[c].count(), s.corners.y[c].count()); });
        const std::vector<std::pair<int, int>> expected{{0, 0}, {30'480, 0}, {30'480, 9'144}, {15'240, 9'144}, {15'240, 18'288}, {0, 18'288}};
        QCOMPARE(corners, expected);
        QCOMPARE(s.buildings.name[s.halls.building[one]], std::string("Türm Level 1"));
        QCOMPARE(s.buildings.name[s.halls.building[two]], std::string("Türm Level 2"));
        std::map<std::string, StructureId> pieces;
        s.structures.forEach([&](StructureId id) { pieces[s.structures.name[id]] = id; });
        QCOMPARE(pieces.size(), std::size_t(4));
        const auto at = [&](const char* name) {
            const StructureId id = pieces.at(name);
            const auto& t = s.structures;
            return fmt::format("{} {} {} {} {}", t.x1[id].count(), t.y1[id].count(), t.x2[id].count(), t.y2[id].count(), t.width[id].count());
        };
        QCOMPARE(at("Wall south"), std::string("0 -152 30480 -152 305"));
        QCOMPARE(at("C1"), std::string("6096 6096 6096 6096 610"));
        QCOMPARE(at("C2"), std::string("8992 6096 9296 6096 610"));
        QCOMPARE(at("D1"), std::string("3048 -152 4267 -152 100"));
        for (const char* said : {"rotated by -30.0", "IFCSLAB", "duplicate"}) QVERIFY2(doubts(*tower, said), said);
        const auto named = planOf(fileText("foreign.ifc"), {{"space", "Data Hall Café"}});
        QVERIFY(named && named->after->halls.size() == 1);
        const auto unknown = planOf(fileText("foreign.ifc"), {{"space", "301"}});
        QVERIFY(!unknown && unknown.error().code == ErrorCode::Refused && words(unknown.error().todo).find("201") != std::string::npos);

        const auto ring = planOf(fileText("walls.ifc"));
        QVERIFY2(ring, ring ? "" : ring.error().text().c_str());
        const HallId inside = ring->after->halls.ids().front();
        QCOMPARE(ring->after->halls.sizeX[inside].count(), 10'000);
        QCOMPARE(ring->after->halls.sizeY[inside].count(), 6'000);
        QCOMPARE(ring->after->halls.sizeZ[inside].count(), 4'000);
        QCOMPARE(ring->after->structures.size(), 4u);
        ring->after->structures.forEach([&](StructureId id) { QCOMPARE(ring->after->structures.width[id].count(), 200); });
        QVERIFY(doubts(*ring, "contains no spaces"));
    }

    void recognized()
    {
        Formats formats;
        importers::registerFormats(formats);
        const ImportSource source{"a.ifc", fileText("hall.ifc")};
        QCOMPARE(formats.importerOf(source)->info().name, std::string("ifc"));
        const auto kind = fileKindOf("a.ifc", source.content);
        QVERIFY(kind && kind->format == "ifc" && words(kind->todo).find("import ifc") != std::string::npos);
        const auto step = planOf("ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n");
        QVERIFY(!step && step.error().code == ErrorCode::Refused);
        QVERIFY(!planOf("hello"));
        QVERIFY(!planOf(""));
    }

    void broken()
    {
        const std::string good = fileText("foreign.ifc");
        for (std::size_t cut = 0; cut + 1 < good.size(); cut += 97) QVERIFY(!planOf(good.substr(0, cut)));
        const auto with = [&](const std::string& from, const std::string& to) {
            std::string text = good;
            const auto at = text.find(from);
            return at == text.npos ? std::string() : text.replace(at, from.size(), to);
        };
        // Placements, mapped items and parents within themselves; numbers beyond all bounds; lists without an end.
        for (const auto& text :
             {with("#14=IFCLOCALPLACEMENT($", "#14=IFCLOCALPLACEMENT(#16"), with("IFCREPRESENTATIONMAP(#3,#87)", "IFCREPRESENTATIONMAP(#3,#91)"),
              with("$,#10,(#15))", "$,#15,(#15))"), with("(1000.,2000.,0.)", "(1.E300,2000.,0.)"), with("(1000.,2000.,0.)", "(1.E999,2000.,0.)"),
              with("#36=", "#99999999999999999999999="), with("(#30,#31,#32,#33,#34,#35,#30)", "(" + std::string(50'000, '(')),
              with("#37,#3,#2,15.", "#37,#3,#2,-1.E8"), with("(0.86602540378443865,0.5,0.)", "(0.,0.,0.)"), with("'FOOT',#7)", "'FOOT',#8)")}) {
            QVERIFY(!text.empty());
            const auto plan = planOf(text); // either way, but no crash
            if (!plan) QVERIFY(!plan.error().text().empty());
        }
        const auto cycle = planOf(with("#14=IFCLOCALPLACEMENT($", "#14=IFCLOCALPLACEMENT(#16"));
        QVERIFY(!cycle); // nothing of it can be placed
        std::string random = good;
        std::mt19937 dice(1);
        for (int i = 0; i < 300; ++i) {
            std::string text = good;
            for (int n = 0; n < 4; ++n) text[dice() % text.size()] = char("0123456789#(),.'$*;"[dice() % 19]);
            (void)planOf(text);
        }
    }
};

QTEST_GUILESS_MAIN(IfcTest)
#include "test_ifc.moc"
