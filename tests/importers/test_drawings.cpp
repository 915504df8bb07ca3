// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/design/build/design_builder.h"
#include "core/foundation/catalog/catalog.h"
#include "importers/drawings/dxf_export.h"
#include "importers/drawings/dxf_file.h"
#include "importers/drawings/layers.h"
#include "importers/formats.h"
#include "tests/money/small_design.h"

#include <QProcess>
#include <QTemporaryDir>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::exchange;

namespace {

using Options = FormatChoices;

struct Folder {
    QTemporaryDir folder;
    [[nodiscard]] std::filesystem::path file(const char* name) const { return folder.filePath(name).toStdString(); }
};

Result<std::string> exported(const SnapshotPtr& design, const Options& options = {})
{
    static const auto exporter = drawings::dxfExporter();
    Folder folder;
    const ExportJob job{"design.hall",
                        [&] { return Result<SnapshotPtr>(design); },
                        [&] { return Result<FiguresPtr>(figuresFor(design)); },
                        folder.file("plan.dxf"),
                        {},
                        options};
    if (const auto written = exporter->write(job, {}); !written) return tl::unexpected(written.error());
    std::ifstream in(job.output, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<ImportPlan> imported(const std::string& content, Options options = {}, SnapshotPtr base = std::make_shared<const Snapshot>())
{
    static const auto importer = importers::dxfImporter();
    return importer->plan({"plan.dxf", content, std::move(options)}, base, {});
}

/// Every rack of a hall: its type, where it is in the hall, and which way its front looks.
std::map<std::string, std::string> racksIn(const SnapshotPtr& design, const std::string& hallName)
{
    const auto figures = figuresFor(design);
    std::map<std::string, std::string> all;
    design->racks.forEach([&](RackId id) {
        const HallId hall = design->rows.hall[design->racks.row[id]];
        if (design->halls.name[hall] != hallName) return;
        const Box box = figures->placement->rack(id), room = figures->placement->hall(hall);
        all[design->racks.name[id]] =
            fmt::format("{} {},{} {},{} {} in {}", design->partTypes.slug[design->racks.type[id]], box.low.x - room.low.x, box.low.y - room.low.y,
                        box.high.x - room.low.x, box.high.y - room.low.y, figures->placement->facing(id), design->rows.name[design->racks.row[id]]);
    });
    return all;
}

/// Walls, columns and doors of all halls, their outlines and sizes, without names.
std::string roomsIn(const Snapshot& s)
{
    std::string out;
    s.halls.forEach([&](HallId id) { out += fmt::format("hall {} {}\n", s.halls.sizeX[id].count(), s.halls.sizeY[id].count()); });
    s.corners.forEach([&](CornerId id) { out += fmt::format("corner {} {}\n", s.corners.x[id].count(), s.corners.y[id].count()); });
    std::multiset<std::string> structures;
    s.structures.forEach([&](StructureId id) {
        const auto& t = s.structures;
        std::pair a(t.x1[id].count(), t.y1[id].count()), b(t.x2[id].count(), t.y2[id].count());
        if (b < a) std::swap(a, b); // a wall has no direction
        structures.insert(fmt::format("{} {} {} {} {} w{}\n", wordOf(t.kind[id]), a.first, a.second, b.first, b.second, t.width[id].count()));
    });
    for (const auto& structure : structures) out += structure;
    return out;
}

SnapshotPtr importedFile(const char* path)
{
    const auto source = readSource(path);
    if (!source) qFatal("%s", source.error().text().c_str());
    const auto plan = imported(source->content);
    if (!plan) qFatal("%s", plan.error().text().c_str());
    return plan->after;
}

/// A hall of 30 m × 20 m with rows in all four directions, one of which has two types of racks.
SnapshotPtr fourDirections()
{
    const auto catalog = Catalog::load(HW_RESOURCES "/catalog/racks");
    auto design = std::make_shared<Snapshot>();
    DesignBuilder build(*design);
    const auto narrow = build.partType(*catalog->find("rack-48u-600x1200")), wide = build.partType(*catalog->find("rack-48u-800x1200"));
    const auto mm = [](int v) { return Millimeters(v); };
    const BuildingId building =
        build.building({.name = "b", .x = mm(5000), .y = mm(700), .sizeX = mm(40'000), .sizeY = mm(30'000), .sizeZ = mm(7000)});
    const HallId hall = build.hall(
        {.name = "Halle Süd", .building = building, .x = mm(1234), .y = mm(567), .sizeX = mm(30'000), .sizeY = mm(20'000), .sizeZ = mm(4500)});
    for (int turn = 0; turn < 4; ++turn) {
        const RowId row = build.row(
            {.name = fmt::format("row-{}", turn), .hall = hall, .x = mm(10'000 + 3001 * turn), .y = mm(9'003), .angle = std::int16_t(90 * turn)});
        int along = 0;
        for (int i = 0; i < 4; ++i) {
            const bool broad = turn == 2 && i == 1;
            (void)build.rack(
                {.name = fmt::format("机柜-{}-{}", turn, i), .row = row, .type = broad ? wide : narrow, .along = mm(along), .across = mm(0)});
            along += (broad ? 800 : 600) + (i == 2 ? 1200 : 0);
        }
    }
    return design;
}

/// A drawing of a room with racks as blocks; `inserts` as text.
std::string room(const std::string& inserts, const std::string& tables = {})
{
    const auto line = [](int x1, int y1, int x2, int y2) {
        return fmt::format("0\nLINE\n8\nWALL\n10\n{}\n20\n{}\n11\n{}\n21\n{}\n", x1, y1, x2, y2);
    };
    return "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n" + tables +
           "0\nENDTAB\n0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n"
           "0\nBLOCK\n8\n0\n2\nRack600\n70\n0\n10\n300\n20\n0\n"
           "0\nLWPOLYLINE\n8\n0\n90\n4\n70\n1\n10\n0\n20\n0\n10\n600\n20\n0\n10\n600\n20\n1200\n10\n0\n20\n1200\n0\nENDBLK\n8\n0\n"
           "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" +
           line(0, 0, 20'000, 0) + line(20'000, 0, 20'000, 10'000) + line(20'000, 10'000, 0, 10'000) + line(0, 10'000, 0, 0) + inserts +
           "0\nENDSEC\n0\nEOF\n";
}
std::string insert(double x, double y, const std::string& more = {}, const std::string& attributes = {})
{
    return fmt::format("0\nINSERT\n8\nRACKS\n2\nRack600\n10\n{}\n20\n{}\n{}{}", x, y, more, attributes);
}
std::string attribute(const std::string& tag, const std::string& value)
{
    return fmt::format("0\nATTRIB\n8\n0\n10\n0\n20\n0\n40\n100\n1\n{}\n2\n{}\n70\n0\n", value, tag);
}

bool tells(const ImportPlan& plan, const std::string& part)
{
    return std::ranges::any_of(plan.issues, [&](const ImportIssue& issue) { return words(issue.what).find(part) != std::string::npos; });
}

/// What ezdxf finds in a drawing; null: it is not installed.
nlohmann::json read(const std::string& content)
{
    Folder folder;
    std::ofstream(folder.file("plan.dxf"), std::ios::binary) << content;
    for (const char* python : {"/usr/bin/python3", "python3"}) {
        QProcess process;
        process.start(python, {"-c", "import ezdxf"});
        if (!process.waitForFinished(30'000) || process.exitCode() != 0) continue;
        process.start(python, {HW_RESOURCES "/../tests/importers/check_drawing.py", QString::fromStdString(folder.file("plan.dxf").string())});
        if (!process.waitForFinished(60'000)) return {};
        auto json = nlohmann::json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
        if (json.is_discarded()) qWarning("%s", process.readAllStandardError().constData());
        return json;
    }
    return {};
}

} // namespace

class DrawingsTest : public QObject {
    Q_OBJECT
private slots:
    void writing()
    {
        QCOMPARE(drawings::dxfNumber(12'345), std::string("12345.0"));
        QCOMPARE(drawings::dxfNumber(-0.25), std::string("-0.25"));
        QCOMPARE(drawings::dxfNumber(1e-9), std::string("0.0"));
        QCOMPARE(drawings::dxfNumber(1.0 / 0.0), std::string("0.0"));
        QCOMPARE(drawings::dxfText("100 %%d\n50 ^J"), std::string("100 %%%%%%d 50 ^ J"));
        QCOMPARE(drawings::dxfText("机柜 ü"), std::string("机柜 ü"));
        QCOMPARE(drawings::dxfText("a\xFF"), std::string("a?"));
        QCOMPARE(drawings::dxfName("A*B/C:1 "), std::string("A_B_C_1"));
        QCOMPARE(drawings::dxfName(""), std::string("_"));
    }

    /// Every handle is there once, every owner is an object of the file, and the next free handle is above all.
    void handles()
    {
        const Options one{{"hall", "pod1-hall"}};
        const auto text = exported(oneSegment(), one);
        QVERIFY2(text.has_value(), text ? "" : text.error().text().c_str());
        std::set<std::string> own, owners, numbers;
        std::istringstream in(*text);
        std::string code, value, kind, variable, seed;
        while (std::getline(in, code) && std::getline(in, value)) {
            const int c = std::stoi(code);
            if (c == 0) kind = value;
            if (c == 9) variable = value;
            if (c == 5 && variable == "$HANDSEED" && seed.empty()) {
                seed = value;
                continue;
            }
            if (c == 5 || (c == 105 && kind == "DIMSTYLE")) QVERIFY2(own.insert(value).second, value.c_str());
            if (c == 330 && value != "0") owners.insert(value);
        }
        QVERIFY(own.size() > 1000);
        for (const auto& owner : owners) QVERIFY2(own.contains(owner), owner.c_str());
        for (const auto& handle : own) QVERIFY(std::stoull(handle, nullptr, 16) < std::stoull(seed, nullptr, 16));
        QCOMPARE(*exported(oneSegment(), one), *text);
    }

    /// A hall of a template goes out and comes back: the same racks to the millimeter, by name.
    void ownDrawing()
    {
        const auto design = oneSegment();
        const std::string hall = "pod1-hall";
        const auto before = racksIn(design, hall);
        QVERIFY(before.size() > 50);
        const auto text = exported(design, {{"hall", hall}, {"sheets", "none"}});
        QVERIFY2(text.has_value(), text ? "" : text.error().text().c_str());
        const auto plan = imported(*text, {{"rack-block", "EQPM-RACK-*=*"}});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(racksIn(plan->after, plan->after->halls.name[HallId(0)]), before);
        QCOMPARE(plan->after->halls.sizeX[HallId(0)], design->halls.sizeX[HallId(0)]);
        const auto without = imported(*text);
        QCOMPARE(without->after->racks.size(), 0u);
    }

    /// Rows in four directions, names in several scripts, a hall off the origin; with the whole site and moved.
    void directions()
    {
        const auto design = fourDirections();
        const auto before = racksIn(design, "Halle Süd");
        QCOMPARE(before.size(), std::size_t(16));
        for (const Options& options : {Options{}, Options{{"hall", "Halle Süd"}}, Options{{"hall", "Halle Süd"}, {"origin", "-1500,2500.4"}}}) {
            const auto text = exported(design, options);
            QVERIFY2(text.has_value(), text ? "" : text.error().text().c_str());
            const auto plan = imported(*text, {{"rack-block", "EQPM-RACK-*=*"}});
            QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
            QCOMPARE(racksIn(plan->after, plan->after->halls.name[HallId(0)]), before);
        }
    }

    /// A real plan goes in, and what comes out is the same plan: rooms, walls, columns and doors to the millimeter.
    void plansGoRound_data()
    {
        QTest::addColumn<QByteArray>("file");
        for (const char* file : {"docs/examples/hall-120x20.dxf", "tests/data/dxf/hall-columns-doors.dxf", "tests/data/dxf/room-mm.dxf"})
            QTest::newRow(file) << QByteArray(HW_RESOURCES "/../") + file;
    }
    void plansGoRound()
    {
        QFETCH(QByteArray, file);
        const auto design = importedFile(file.constData());
        const auto text = exported(design, {{"hall", design->halls.name[HallId(0)]}});
        QVERIFY2(text.has_value(), text ? "" : text.error().text().c_str());
        const auto again = imported(*text);
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QCOMPARE(QString::fromStdString(roomsIn(*again->after)), QString::fromStdString(roomsIn(*design)));
        // The drawing below is kept, on layers of its own that are no walls.
        std::set<std::string> layers;
        again->after->underlays.forEach([&](UnderlayId id) { layers.insert(again->after->underlays.name[id]); });
        design->underlays.forEach([&](UnderlayId id) { QVERIFY(layers.contains("X-REFR-" + design->underlays.name[id])); });
        const auto twice = exported(again->after, {{"hall", again->after->halls.name[HallId(0)]}});
        QVERIFY(twice->find("X-REFR-X-REFR") == std::string::npos);
    }

    /// The plan comes in, the design is filled into it, and what goes out is read back.
    void filledPlan()
    {
        const auto empty = importedFile(HW_RESOURCES "/../docs/examples/hall-120x20.dxf");
        auto filled = std::make_shared<Snapshot>(*empty);
        DesignBuilder build(*filled);
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog/racks");
        const auto type = build.partType(*catalog->find("rack-48u-600x1200"));
        for (int r = 0; r < 4; ++r) {
            const RowId row = build.row({.name = fmt::format("row-{}", r + 1),
                                         .hall = HallId(0),
                                         .x = Millimeters(5000),
                                         .y = Millimeters(3000 + 3600 * r),
                                         .angle = std::int16_t(0)});
            for (int i = 0; i < 20; ++i)
                (void)build.rack(
                    {.name = fmt::format("r{}-{:02}", r + 1, i + 1), .row = row, .type = type, .along = Millimeters(600 * i), .across = {}});
        }
        const std::string hall = filled->halls.name[HallId(0)];
        const auto text = exported(filled, {{"hall", hall}});
        const auto back = imported(*text, {{"rack-block", "EQPM-RACK-*=*"}});
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        QCOMPARE(racksIn(back->after, back->after->halls.name[HallId(0)]), racksIn(filled, hall));
        QCOMPARE(roomsIn(*back->after), roomsIn(*empty));
    }

    /// Another program reads the same: no errors in its audit, the same meters, names and scales.
    void otherLibrary()
    {
        const auto design = fourDirections();
        const auto text = exported(design, {{"hall", "Halle Süd"}, {"scale", "1:50"}, {"date", "2026-11-26"}});
        QVERIFY2(text.has_value(), text ? "" : text.error().text().c_str());
        const auto json = read(*text);
        if (json.is_null()) QSKIP("python3-ezdxf is not installed");
        QVERIFY(!json.is_discarded());
        QVERIFY2(json["errors"].empty() && json["fixes"].empty(), json.dump().c_str());
        QCOMPARE(json["version"].get<std::string>(), std::string("AC1021"));
        QCOMPARE(json["units"].get<int>(), 4);
        std::map<std::string, std::array<double, 3>> racks;
        for (const auto& insert : json["inserts"])
            if (insert["block"].get<std::string>().starts_with("EQPM-RACK-"))
                racks[insert["values"]["NAME"].get<std::string>()] = {insert["x"].get<double>(), insert["y"].get<double>(),
                                                                      insert["angle"].get<double>()};
        QCOMPARE(racks.size(), std::size_t(16));
        // Rows begin at 10000 + 3001 i, 9003 and run along their angle; block and row have the same origin and direction.
        QCOMPARE(racks["机柜-0-3"], (std::array<double, 3>{10'000 + 3 * 600 + 1200, 9003, 0}));
        QCOMPARE(racks["机柜-1-1"], (std::array<double, 3>{13'001, 9003 + 600, 90}));
        QCOMPARE(racks["机柜-2-2"], (std::array<double, 3>{16'002 - 600 - 800, 9003, 180}));
        QCOMPARE(racks["机柜-3-1"], (std::array<double, 3>{19'003, 9003 - 600, 270}));
        QCOMPARE(json["layouts"]["P-01 Halle Süd plan"].dump(), std::string("[50.0]"));
        QVERIFY(json["layouts"].contains("E-01 Rack elevations"));
        const auto dimensions = json["dimensions"].get<std::vector<double>>();
        for (const double wanted : {30'000.0, 20'000.0}) QVERIFY(std::ranges::find(dimensions, wanted) != dimensions.end());

        const auto whole = read(*exported(oneSegment(), {{"hall", "pod1-hall"}, {"sheets", "plan,one-line,cooling"}}));
        QVERIFY2(whole["errors"].empty() && whole["fixes"].empty(), whole["errors"].dump().c_str());
        for (const char* sheet : {"D-01 One-line diagram", "D-02 Cooling loops", "P-01 pod1-hall plan"})
            QVERIFY2(whole["layouts"].contains(sheet), sheet);
        const auto layers = whole["layers"].get<std::set<std::string>>();
        for (const char* layer : {"A-WALL", "T-EQPM-RACK", "T-CABL-TRAY", "E-POWR-BUSW", "M-PIPE-SUPP", "M-PIPE-RETN", "A-ANNO-DIMS"})
            QVERIFY2(layers.contains(layer), layer);
    }

    void options_data()
    {
        QTest::addColumn<QByteArray>("option");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* option, const char* value, const char* says) {
            QTest::newRow((std::string(option) + " " + value).c_str()) << QByteArray(option) << QByteArray(value) << QByteArray(says);
        };
        row("hall", "none", "hall not found");
        row("layers", "wals=X", "does not assign a layer");
        row("layers", "walls=A*B", "not a valid layer name");
        row("layers", "/nowhere", "cannot be read");
        row("sheets", "plan,roof", "'roof' is not a sheet type");
        row("paper", "A9", "is not a paper size");
        row("scale", "0", "is not a scale");
        row("scale", "12.5", "is not a scale");
        row("scale", "10", "does not fit on A1");
        row("north", "up", "is not an angle");
        row("origin", "12", "is not a position");
        row("date", "26.11.2026", "is not a valid date");
    }
    void options()
    {
        QFETCH(QByteArray, option);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, says);
        const auto text = exported(fourDirections(), {{option.toStdString(), value.toStdString()}});
        QVERIFY(!text.has_value());
        QVERIFY2(text.error().text().find(says.toStdString()) != std::string::npos, text.error().text().c_str());
    }

    void optionsWithoutEffect()
    {
        for (const Options& options : {Options{{"sheets", "none"}, {"paper", "A3"}}, Options{{"sheets", "none"}, {"date", "2026-11-26"}},
                                       Options{{"sheets", "elevations"}, {"scale", "50"}}, Options{{"sheets", "one-line"}, {"north", "90"}}}) {
            const auto text = exported(fourDirections(), options);
            QVERIFY(!text.has_value());
            QVERIFY2(text.error().text().find("has no effect") != std::string::npos, text.error().text().c_str());
        }
    }

    void layers()
    {
        Folder folder;
        std::ofstream(folder.file("layers.txt")) << "# of the office\nracks = I-RACK\n\nwalls=I-WALL-NEW\n";
        const auto set = drawings::Layers::of(folder.file("layers.txt").string() + "\ncolumns=S-COLS");
        QVERIFY(set.has_value());
        QCOMPARE((*set)[drawings::On::Rack], std::string("I-RACK"));
        QCOMPARE((*set)[drawings::On::Wall], std::string("I-WALL-NEW"));
        QCOMPARE((*set)[drawings::On::Column], std::string("S-COLS"));
        QCOMPARE((*set)[drawings::On::Door], std::string("A-DOOR"));
        QCOMPARE(set->underlay("A-WALL"), std::string("X-REFR-A-WALL"));
        std::ofstream(folder.file("bad.txt")) << "racks=I-RACK\nroof=X\n";
        const auto wrong = drawings::Layers::of(folder.file("bad.txt").string());
        QVERIFY(!wrong.has_value() && wrong.error().where.ends_with("bad.txt:2"));
        const auto text = exported(fourDirections(), {{"layers", "racks=I-RACK"}});
        QVERIFY(text->find("\nI-RACK\n") != std::string::npos && text->find("T-EQPM-RACK") == std::string::npos);
        for (const auto& [word, name] : drawings::Layers::defaults()) QVERIFY(drawings::dxfName(name) == name && !word.empty());
    }

    /// Blocks of other offices: base point in the middle, rotation, arrays, mirrored, front at another edge, attributes or none.
    void foreignBlocks()
    {
        const Options rule{{"rack-block", "rack*=rack-48u-600x1200"}};
        // Four in a row by an array, one of them named; fronts look down.
        const auto array = imported(room(insert(2300, 2000, "70\n4\n44\n600\n")), rule);
        QVERIFY2(array.has_value(), array ? "" : array.error().text().c_str());
        const std::string hall = array->after->halls.name[HallId(0)];
        const auto racks = racksIn(array->after, hall);
        QCOMPARE(racks.size(), std::size_t(4));
        QCOMPARE(racks.at(hall + "-row-1-1"), fmt::format("rack-48u-600x1200 2000,2000 2600,3200 270 in {}-row-1", hall));
        QCOMPARE(racks.at(hall + "-row-1-4"), fmt::format("rack-48u-600x1200 3800,2000 4400,3200 270 in {}-row-1", hall));
        // Turned by 90°: it looks to the right. Attributes name it and its row.
        const auto turned =
            imported(room(insert(9000, 4000, "50\n90\n66\n1\n", attribute("tag", "R07") + attribute("ROW", "A") + "0\nSEQEND\n8\n0\n")), rule);
        QCOMPARE(racksIn(turned->after, turned->after->halls.name[HallId(0)]),
                 (std::map<std::string, std::string>{{"R07", "rack-48u-600x1200 7800,3700 9000,4300 0 in A"}}));
        // The same block whose front is drawn at its top; and mirrored at the x axis.
        const auto top = imported(room(insert(9000, 4000)), {{"rack-block", "Rack600=rack-48u-600x1200@top"}});
        const auto mirrored = imported(room(insert(9000, 5200, "41\n1\n42\n-1\n")), rule);
        for (const auto& plan : {top, mirrored}) {
            const auto one = racksIn(plan->after, plan->after->halls.name[HallId(0)]);
            QCOMPARE(one.size(), std::size_t(1));
            QVERIFY2(one.begin()->second.starts_with("rack-48u-600x1200 8700,4000 9300,5200 90"), one.begin()->second.c_str());
        }
        // A gap of more than an aisle begins a new row.
        const auto gap = imported(room(insert(2300, 2000) + insert(2900, 2000) + insert(6000, 2000)), rule);
        QCOMPARE(gap->after->rows.size(), 2u);
        QVERIFY(gap->after->underlays.size() > 0);
    }

    /// A drawing that lies askew is rotated with its racks.
    void rotatedDrawing()
    {
        const double turn = 30 * 3.14159265358979323846 / 180, c = std::cos(turn), s = std::sin(turn);
        const auto at = [&](double x, double y) { return std::pair(c * x - s * y + 5000, s * x + c * y - 700); };
        std::string walls;
        const std::pair<double, double> corners[] = {{0, 0}, {20'000, 0}, {20'000, 10'000}, {0, 10'000}, {0, 0}};
        for (std::size_t i = 1; i < 5; ++i) {
            const auto [x1, y1] = at(corners[i - 1].first, corners[i - 1].second);
            const auto [x2, y2] = at(corners[i].first, corners[i].second);
            walls += fmt::format("0\nLINE\n8\nWALL\n10\n{:.9f}\n20\n{:.9f}\n11\n{:.9f}\n21\n{:.9f}\n", x1, y1, x2, y2);
        }
        const auto [x, y] = at(2300, 2000);
        std::string text = room(walls + insert(x, y, "50\n30\n70\n3\n44\n600\n"));
        const auto first = text.find("0\nLINE"), second = text.find(walls);
        text.erase(first, second - first); // the walls along the axes
        const auto plan = imported(text, {{"rack-block", "RACK*=rack-48u-600x1200"}});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const std::string hall = plan->after->halls.name[HallId(0)];
        const auto racks = racksIn(plan->after, hall);
        QCOMPARE(racks.size(), std::size_t(3));
        QCOMPARE(racks.at(hall + "-row-1-1"), fmt::format("rack-48u-600x1200 2000,2000 2600,3200 270 in {}-row-1", hall));
        QCOMPARE(racks.at(hall + "-row-1-3"), fmt::format("rack-48u-600x1200 3200,2000 3800,3200 270 in {}-row-1", hall));
    }

    /// The arrow points where the project has north: up is so many degrees clockwise of it.
    void north()
    {
        auto design = std::make_shared<Snapshot>(*fourDirections());
        const auto plain = *exported(design), asked = *exported(design, {{"north", "-30"}});
        design->putSetting("site.plan_north_deg", "30");
        QVERIFY(plain != asked);
        QCOMPARE(*exported(design), asked);
        QCOMPARE(*exported(design, {{"north", "0"}}), plain);
    }

    void doubtfulBlocks()
    {
        const Options rule{{"rack-block", "RACK*=rack-48u-600x1200"}};
        const auto askew = imported(room(insert(9000, 4000, "50\n30\n") + insert(2300, 2000)), rule);
        QCOMPARE(askew->after->racks.size(), 1u);
        QVERIFY(tells(*askew, "1 rack is not at a right angle"));
        const auto outside = imported(room(insert(40'000, 4000) + insert(2300, 2000)), rule);
        QVERIFY(tells(*outside, "1 rack more than 2 m outside"));
        const auto twice =
            imported(room(insert(2300, 2000, "66\n1\n", attribute("NAME", "R1")) + insert(2900, 2000, "66\n1\n", attribute("NAME", "R1"))), rule);
        QVERIFY(tells(*twice, "1 rack has a duplicate name"));
        QCOMPARE(racksIn(twice->after, twice->after->halls.name[HallId(0)]).count("R1-2"), std::size_t(1));
        const auto size = imported(room(insert(2300, 2000)), {{"rack-block", "RACK*=rack-48u-800x1200"}});
        QVERIFY(tells(*size, "600 mm × 1200 mm"));
        QVERIFY(racksIn(size->after, size->after->halls.name[HallId(0)]).begin()->second.starts_with("rack-48u-800x1200 1900,2000 2700,3200"));
        const auto frozen = imported(room(insert(2300, 2000), "0\nLAYER\n2\nRACKS\n70\n1\n62\n7\n"), rule);
        QVERIFY(tells(*frozen, "1 rack on a layer that is frozen or off"));
        const auto again = imported(room(insert(2300, 2000, "66\n1\n", attribute("NAME", "R1"))), rule);
        const auto known = imported(room(insert(2300, 2000, "66\n1\n", attribute("NAME", "R1"))),
                                    {{"rack-block", "RACK*=rack-48u-600x1200"}, {"hall", again->after->halls.name[HallId(0)]}}, again->after);
        QVERIFY(tells(*known, "is already in the design: position unchanged"));
        QCOMPARE(known->after->racks.size(), 1u);
        for (const auto& [given, says] : std::map<std::string, std::string>{{"RACK*", "assigns no rack type"},
                                                                            {"RACK*=", "assigns no rack type"},
                                                                            {"RACK*=rack-48u-600x1200@front", "is not an edge"},
                                                                            {"RACK*=no-such", "rack type 'no-such' not found"}}) {
            const auto refused = imported(room(insert(2300, 2000)), {{"rack-block", given}});
            QVERIFY(!refused.has_value());
            QVERIFY2(refused.error().text().find(says) != std::string::npos, refused.error().text().c_str());
        }
    }

    /// Cut, without lines, with lines doubled: refused with a place, or read; never a crash, never half a rack.
    void brokenDrawings()
    {
        const auto text = exported(fourDirections(), {{"hall", "Halle Süd"}, {"sheets", "none"}});
        const Options rule{{"rack-block", "EQPM-RACK-*=*"}};
        for (int i = 1; i < 20; ++i) {
            const auto cut = imported(text->substr(0, text->size() * std::size_t(i) / 20), rule);
            QVERIFY(!cut.has_value());
        }
        for (int i = 1; i < 40; ++i) {
            std::string broken = *text;
            const auto at = broken.find('\n', broken.size() * std::size_t(i) / 40);
            broken.erase(at, broken.find('\n', at + 1) - at);
            const auto plan = imported(broken, rule);
            if (plan) QVERIFY(plan->after->racks.size() <= 16u);
        }
    }
};

QTEST_APPLESS_MAIN(DrawingsTest)
#include "test_drawings.moc"
