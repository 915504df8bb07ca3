// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/foundation/model/setting_values.h"
#include "core/physics/site/row_places.h"
#include "importers/dxf/drawing.h"
#include "importers/dxf/loops.h"
#include "importers/dxf/roles.h"
#include "importers/formats.h"

#include <array>
#include <cmath>
#include <map>
#include <random>

#include <fmt/format.h>

using namespace hw;
using namespace hw::exchange;

namespace {

/// A drawing as text, its lengths in mm whatever its unit.
class Sketch {
public:
    explicit Sketch(int insUnits = 4, double millimeters = 1) : m_units(insUnits), m_mm(millimeters) {}
    Sketch& line(const std::string& layer, double x1, double y1, double x2, double y2)
    {
        return add(fmt::format("0\nLINE\n8\n{}\n10\n{}\n20\n{}\n11\n{}\n21\n{}\n", layer, n(x1), n(y1), n(x2), n(y2)));
    }
    Sketch& polyline(const std::string& layer, const std::vector<std::pair<double, double>>& points, bool closed = true)
    {
        std::string text = fmt::format("0\nLWPOLYLINE\n8\n{}\n90\n{}\n70\n{}\n", layer, points.size(), closed ? 1 : 0);
        for (const auto& [x, y] : points) text += fmt::format("10\n{}\n20\n{}\n", n(x), n(y));
        return add(text);
    }
    Sketch& room(const std::string& layer, double x, double y, double w, double d)
    {
        return polyline(layer, {{x, y}, {x + w, y}, {x + w, y + d}, {x, y + d}});
    }
    Sketch& arc(const std::string& layer, double x, double y, double r, double from, double to)
    {
        return add(fmt::format("0\nARC\n8\n{}\n10\n{}\n20\n{}\n40\n{}\n50\n{}\n51\n{}\n", layer, n(x), n(y), n(r), from, to));
    }
    Sketch& circle(const std::string& layer, double x, double y, double r)
    {
        return add(fmt::format("0\nCIRCLE\n8\n{}\n10\n{}\n20\n{}\n40\n{}\n", layer, n(x), n(y), n(r)));
    }
    Sketch& insert(const std::string& layer, const std::string& block, double x, double y, const std::string& more = {})
    {
        return add(fmt::format("0\nINSERT\n8\n{}\n2\n{}\n10\n{}\n20\n{}\n{}", layer, block, n(x), n(y), more));
    }
    Sketch& add(const std::string& text)
    {
        (m_inBlock ? m_blocks : m_entities) += text;
        return *this;
    }
    Sketch& block(const std::string& name)
    {
        m_inBlock = true;
        return add(fmt::format("0\nBLOCK\n8\n0\n2\n{}\n70\n0\n10\n0\n20\n0\n", name));
    }
    Sketch& end()
    {
        add("0\nENDBLK\n8\n0\n");
        m_inBlock = false;
        return *this;
    }
    /// "ANSI_936" of a drawing of AutoCAD 2000
    Sketch& codePage(const std::string& page, const std::string& version = "AC1015")
    {
        m_header = "9\n$ACADVER\n1\n" + version + "\n9\n$DWGCODEPAGE\n3\n" + page + "\n";
        return *this;
    }
    Sketch& layer(const std::string& name, int flags, int color)
    {
        m_layers += fmt::format("0\nLAYER\n2\n{}\n70\n{}\n62\n{}\n", name, flags, color);
        return *this;
    }
    [[nodiscard]] std::string text() const
    {
        return fmt::format("0\nSECTION\n2\nHEADER\n{}9\n$INSUNITS\n70\n{}\n0\nENDSEC\n0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n{}0\nENDTAB\n"
                           "0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n{}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n{}0\nENDSEC\n0\nEOF\n",
                           m_header, m_units, m_layers, m_blocks, m_entities);
    }

private:
    [[nodiscard]] std::string n(double mm) const { return fmt::format("{:.10g}", mm / m_mm); }
    int m_units;
    double m_mm;
    bool m_inBlock = false;
    std::string m_header, m_layers, m_blocks, m_entities;
};

using Options = std::map<std::string, std::string>;

Result<ImportPlan> planOf(const std::string& content, Options options = {}, SnapshotPtr base = std::make_shared<const Snapshot>())
{
    static const auto importer = importers::dxfImporter();
    return importer->plan({"plan.dxf", content, std::move(options)}, base, {});
}
Result<ImportPlan> planOf(const Sketch& sketch, Options options = {}) { return planOf(sketch.text(), std::move(options)); }

/// Everything about the rooms of a design, a line each.
std::string rooms(const Snapshot& s)
{
    std::string out;
    s.halls.forEach([&](HallId id) { out += fmt::format("hall {} {}\n", s.halls.sizeX[id].count(), s.halls.sizeY[id].count()); });
    s.corners.forEach([&](CornerId id) { out += fmt::format("corner {} {}\n", s.corners.x[id].count(), s.corners.y[id].count()); });
    s.structures.forEach([&](StructureId id) {
        const auto& t = s.structures;
        out += fmt::format("{} {} {} {} {} w{}\n", wordOf(t.kind[id]), t.x1[id].count(), t.y1[id].count(), t.x2[id].count(), t.y2[id].count(),
                           t.width[id].count());
    });
    return out;
}
std::string underlays(const Snapshot& s)
{
    std::string out;
    s.underlays.forEach([&](UnderlayId id) { out += s.underlays.name[id] + " " + s.underlays.lines[id] + "\n"; });
    return out;
}
std::string roomsOf(const Result<ImportPlan>& plan) { return plan ? rooms(*plan->after) : plan.error().text(); }
bool doubts(const ImportPlan& plan, const std::string& text)
{
    return std::ranges::any_of(plan.issues, [&](const ImportIssue& issue) { return words(issue.what).find(text) != std::string::npos; });
}

void sample(Sketch& s)
{
    s.block("LEAF").line("0", 0, 0, 0, 900).arc("0", 0, 0, 900, 0, 90).end();
    s.block("COL").room("0", -200, -300, 400, 600).end();
    s.room("WALLS", 1000, 2000, 12'345, 8'001);
    s.insert("DOORS", "LEAF", 3000, 2000).insert("COLUMNS", "COL", 5000, 5000).insert("COLUMNS", "COL", 8000, 5001, "50\n90\n");
    s.insert("COLUMNS", "COL", 9000, 7000, "50\n30\n");
    s.add(""); // nothing
}

} // namespace

class DxfTest : public QObject {
    Q_OBJECT

private slots:
    /// The same room in any unit gives the same rows, to the millimeter, and the same underlay.
    void unitsDoNotCount_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<double>("mm");
        for (const auto& [name, code, mm] : {std::tuple("mm", 4, 1.0), {"cm", 5, 10.0}, {"m", 6, 1000.0}, {"in", 1, 25.4}, {"ft", 2, 304.8}})
            QTest::newRow(name) << code << mm;
    }
    void unitsDoNotCount()
    {
        QFETCH(int, code);
        QFETCH(double, mm);
        Sketch metric, other(code, mm);
        sample(metric), sample(other);
        const auto a = planOf(metric), b = planOf(other);
        QVERIFY2(a.has_value() && b.has_value(), b ? "" : b.error().text().c_str());
        QCOMPARE(roomsOf(b), roomsOf(a));
        QCOMPARE(underlays(*b->after), underlays(*a->after));
        const std::string text = roomsOf(b);
        for (const char* row :
             {"hall 12345 8001\n", "door 2000 0 2900 0 w100\n", "column 4000 2700 4000 3300 w400\n", "column 6700 3001 7300 3001 w400\n"})
            QVERIFY2(text.find(row) != std::string::npos, (std::string(row) + text).c_str());
        QVERIFY2(text.find("corner") == std::string::npos, "a rectangle needs no corners");
    }

    /// Circles stay round: a middle without length, as wide as the largest of those around it, in any unit; a stretched one is a rectangle.
    void roundColumns()
    {
        for (const auto& [code, mm] : {std::pair(4, 1.0), {6, 1000.0}, {1, 25.4}}) {
            Sketch s(code, mm);
            s.block("PIPE").circle("0", 0, 0, 300).circle("0", 0, 0, 250).end();
            s.room("WALL", 0, 0, 12'000, 8000).circle("COLUMNS", 3000, 2000, 400);
            s.insert("COLUMNS", "PIPE", 6000, 4000).insert("COLUMNS", "PIPE", 9000, 4000, "41\n2\n42\n1\n");
            const auto text = roomsOf(planOf(s));
            for (const char* row : {"column 3000 2000 3000 2000 w800\n", "column 6000 4000 6000 4000 w600\n", "column 8400 4000 9600 4000 w600\n"})
                QVERIFY2(text.find(row) != std::string::npos, (std::string(row) + text).c_str());
        }
    }

    /// What turned blocks become: a column at 30° keeps its size and middle.
    void turnedBlocks()
    {
        Sketch s;
        s.block("COL").room("0", -200, -300, 400, 600).end();
        s.room("WALL", 0, 0, 10'000, 10'000).insert("COLUMN", "COL", 5000, 4000, "41\n2\n42\n1\n50\n30\n"); // 800 x 600
        const auto plan = planOf(s);
        QVERIFY(plan.has_value());
        const Snapshot& d = *plan->after;
        bool found = false;
        d.structures.forEach([&](StructureId id) {
            const auto& t = d.structures;
            if (t.kind[id] != StructureKind::Column) return;
            found = true;
            const double dx = t.x2[id].count() - t.x1[id].count(), dy = t.y2[id].count() - t.y1[id].count();
            QVERIFY(std::abs(std::hypot(dx, dy) - 800) < 2);
            QVERIFY(std::abs(std::abs(dy / dx) - std::tan(30 * M_PI / 180)) < 0.01);
            QCOMPARE((t.x1[id].count() + t.x2[id].count()) / 2, 5000);
            QVERIFY(std::abs(t.width[id].count() - 600) <= 1);
        });
        QVERIFY(found);
    }

    /// A leaf and a sill between the posts alike: the opening of a door lies in its wall, whichever end of its swing a line ends at.
    void doorsLieInTheirWalls()
    {
        struct Swing {
            double hingeX, hingeY, from, to; // degrees
        };
        for (const Swing& swing : {Swing{3000, 0, 0, 90},
                                   {6000, 0, 90, 180},
                                   {3000, 8000, 270, 360},
                                   {6000, 8000, 180, 270},
                                   {0, 3000, 0, 90},
                                   {0, 6000, 270, 360},
                                   {12'000, 3000, 90, 180},
                                   {12'000, 6000, 180, 270}})
            for (const bool sill : {false, true}) {
                Sketch s;
                s.room("A-WALL", 0, 0, 12'000, 8000).room("A-WALL", -200, -200, 12'400, 8400);
                s.arc("A-DOOR", swing.hingeX, swing.hingeY, 1800, swing.from, swing.to);
                const bool along = swing.hingeY == 0 || swing.hingeY == 8000; // of the walls along x
                for (const double end : {swing.from, swing.to}) {
                    const double x = swing.hingeX + 1800 * std::cos(end * M_PI / 180), y = swing.hingeY + 1800 * std::sin(end * M_PI / 180);
                    const bool inWall = along ? std::abs(y - swing.hingeY) < 1 : std::abs(x - swing.hingeX) < 1;
                    if (inWall == sill) s.line("A-DOOR", swing.hingeX, swing.hingeY, x, y);
                }
                const auto plan = planOf(s);
                QVERIFY(plan.has_value());
                const auto& t = plan->after->structures;
                int doors = 0;
                t.forEach([&](StructureId id) {
                    if (t.kind[id] != StructureKind::Door) return;
                    ++doors;
                    QCOMPARE(std::abs(along ? t.x2[id].count() - t.x1[id].count() : t.y2[id].count() - t.y1[id].count()), 1800);
                    const int at = along ? t.y1[id].count() : t.x1[id].count(), other = along ? t.y2[id].count() : t.x2[id].count();
                    QCOMPARE(at, other);
                    QVERIFY2(at == -100 || at == (along ? 8100 : 12'100), std::to_string(at).c_str());
                });
                QCOMPARE(doors, 1);
            }
    }

    /// A drawing turned by any angle gives the same hall, so that rows of racks run along its walls; doubts say so.
    void turnedDrawings()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 40; ++round) {
            const double degrees = round == 0 ? 0 : -44 + 88.0 * double(random() % 1000) / 1000, a = degrees * M_PI / 180;
            const auto at = [&](double x, double y) { // to a tenth of a millimeter, as files have it
                const auto tenth = [](double v) { return std::round(10 * v) / 10; };
                return std::pair(tenth(x * std::cos(a) - y * std::sin(a)), tenth(x * std::sin(a) + y * std::cos(a)));
            };
            const auto box = [&](double x, double y, double w, double d) {
                return std::vector<std::pair<double, double>>{at(x, y), at(x + w, y), at(x + w, y + d), at(x, y + d)};
            };
            Sketch s;
            s.polyline("WALL", box(0, 0, 30'000, 12'000))
                .polyline("WALL", box(-200, -200, 30'400, 12'400))
                .polyline("COLUMN", box(8000, 5000, 600, 400));
            const auto [x1, y1] = at(4000, 0);
            const auto [x2, y2] = at(6000, 0);
            s.line("DOOR", x1, y1, x2, y2);
            const auto plan = planOf(s);
            QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
            const Snapshot& d = *plan->after;
            QCOMPARE(doubts(*plan, "it is rotated by"), std::abs(degrees) > 0.1);
            QVERIFY2(d.corners.size() == 0, std::to_string(degrees).c_str());
            QCOMPARE(isSet(d, "site.plan_north_deg"), std::abs(degrees) > 0.1);
            QVERIFY(std::abs(std::remainder(numberSetting(d, "site.plan_north_deg") + degrees, 360)) < 0.1);
            if (const auto again = planOf(s.text(), {}, plan->after); round == 1) { // another room beside it
                QVERIFY(again && !doubts(*again, "plan north would be"));
                auto other = std::make_shared<Snapshot>(d);
                other->putSetting("site.plan_north_deg", "1");
                const auto third = planOf(s.text(), {}, other);
                QVERIFY(third && doubts(*third, "plan north would be") && third->after->setting("site.plan_north_deg") == "1");
            }
            QVERIFY(std::abs(d.halls.sizeX[HallId(0)].count() - 30'000) <= 2 && std::abs(d.halls.sizeY[HallId(0)].count() - 12'000) <= 2);
            const auto& t = d.structures;
            t.forEach([&](StructureId id) {
                const int x = (t.x1[id].count() + t.x2[id].count()) / 2, y = (t.y1[id].count() + t.y2[id].count()) / 2;
                if (t.kind[id] == StructureKind::Column) QVERIFY(std::abs(x - 8300) <= 2 && std::abs(y - 5200) <= 2);
                if (t.kind[id] == StructureKind::Door) QVERIFY(std::abs(x - 5000) <= 2 && std::abs(y + 100) <= 2);
            });
        }
    }

    /// Arrays, nested and mirrored blocks stand where a drawing program shows them.
    void blocksInBlocks()
    {
        Sketch s;
        s.block("COL").room("0", 0, 0, 500, 500).end();
        s.block("PAIR").insert("0", "COL", 0, 0).insert("0", "COL", 2000, 0).end();
        s.room("WALL", 0, 0, 20'000, 10'000);
        s.insert("COLS", "PAIR", 1000, 1000, "70\n2\n71\n2\n44\n5000\n45\n3000\n");
        s.insert("COLS", "PAIR", -15'000, 8000, "210\n0\n220\n0\n230\n-1\n"); // x runs the other way
        const auto text = roomsOf(planOf(s));
        std::size_t columns = 0;
        for (std::size_t at = text.find("column"); at != std::string::npos; at = text.find("column", at + 1)) ++columns;
        QCOMPARE(columns, std::size_t(10));
        for (const char* row : {"column 1000 1250 1500 1250 w500", "column 3000 1250", "column 6000 4250", "column 8000 4250",
                                "column 14500 8250 15000 8250", "column 12500 8250"})
            QVERIFY2(text.find(row) != std::string::npos, (std::string(row) + "\n" + text).c_str());
    }

    /// Loose lines with a gap of a door close a room; two lines are one wall, and the room is inside of it.
    void wallsOfLines()
    {
        Sketch s;
        for (const double o : {0.0, -200.0}) { // inner and outer face
            const double low = o, x = 9000 - o, y = 6000 - o;
            s.line("wand", low, low, 3000, low)
                .line("wand", 4000, low, x, low)
                .line("wand", x, low, x, y)
                .line("wand", x, y, low, y)
                .line("wand", low, y, low, low);
        }
        s.line("wand", 3000, 0, 3000, -200).line("wand", 4000, 0, 4000, -200); // jambs
        s.line("T\xC3\xBCr", 3000, 0, 4000, 0);
        const auto plan = planOf(s);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto text = rooms(*plan->after);
        QVERIFY2(text.starts_with("hall 9000 6000\nwall"), text.c_str());
        QVERIFY2(text.find("wall -200 -100 3000 -100 w200\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("door 3000 -100 4000 -100 w200\n") != std::string::npos, text.c_str());
        std::size_t walls = 0;
        for (std::size_t at = text.find("wall"); at != std::string::npos; at = text.find("wall", at + 1)) ++walls;
        QCOMPARE(walls, std::size_t(5));
    }

    void roomLayerAndCorners()
    {
        Sketch s;
        s.polyline("ROOM", {{0, 0}, {8000, 0}, {8000, 3000}, {5000, 3000}, {5000, 6000}, {0, 6000}});
        s.room("WALL", -3000, -3000, 30'000, 30'000); // the building
        s.room("COLS", 20'000, 20'000, 500, 500);     // of another room
        const auto plan = planOf(s);
        const auto text = roomsOf(plan);
        QVERIFY2(text.starts_with("hall 8000 6000\ncorner 0 0\ncorner 8000 0\ncorner 8000 3000\ncorner 5000 3000\ncorner 5000 6000\ncorner 0 6000\n"),
                 text.c_str());
        QVERIFY(text.find("column") == std::string::npos);
        QVERIFY(doubts(*plan, "m outside the room"));
    }

    void layersAreChosen()
    {
        Sketch s;
        s.room("X1", 0, 0, 10'000, 5000).room("X2", 2000, 2000, 600, 600).room("WALL-OLD", 0, 0, 50'000, 50'000);
        const auto chosen = planOf(s, {{"layers", "walls=x1,columns=X2"}});
        QVERIFY2(roomsOf(chosen).starts_with("hall 10000 5000\n") && roomsOf(chosen).find("column 2000 2300 2600 2300 w600") != std::string::npos,
                 roomsOf(chosen).c_str());
        QVERIFY(roomsOf(planOf(s)).starts_with("hall 50000 50000\n"));
        QVERIFY(doubts(*planOf(s), "layer WALL-OLD interpreted as walls by its name"));
        QVERIFY(roomsOf(planOf(s, {{"layers", "walls=X*,walls=WALL*"}})).starts_with("hall 50000 50000\n"));
        const auto unknown = planOf(s, {{"layers", "walls=A-WALL"}});
        QCOMPARE(unknown.error().code, ErrorCode::Refused);
        QVERIFY(words(unknown.error().todo).find("WALL-OLD") != std::string::npos);
        QCOMPARE(planOf(s, {{"layers", "windows=X1"}}).error().code, ErrorCode::Refused);
        QCOMPARE(importers::dxf::usualRole("A-COLD-AISLE"), importers::dxf::Role::None);
        QCOMPARE(importers::dxf::usualRole("St\xC3\xBCtzen"), importers::dxf::Role::Column);
    }

    void scaleIsStatedAndConfirmed()
    {
        Sketch unitless(0, 1000);
        unitless.room("WALL", 0, 0, 12'000, 6000);
        const auto silent = planOf(unitless);
        QCOMPARE(silent.error().code, ErrorCode::Refused);
        QVERIFY(silent.error().text().find("--units") != std::string::npos);
        QVERIFY(roomsOf(planOf(unitless, {{"units", "m"}})).starts_with("hall 12000 6000\n"));
        for (const char* known : {"width=12 m", "depth=600 cm", "WALL=12.05 m", "0,0,0,6=19.685 ft"})
            QVERIFY2(roomsOf(planOf(unitless, {{"known-length", known}})).starts_with("hall 12000 6000\n"), known);
        Sketch inches(1, 1000); // says inches, is drawn in meters
        inches.room("WALL", 0, 0, 12'000, 6000);
        const auto wrong = planOf(inches, {{"known-length", "width=12 m"}});
        QCOMPARE(wrong.error().code, ErrorCode::Refused);
        QVERIFY2(wrong.error().text().find("--units m") != std::string::npos, wrong.error().text().c_str());
        QVERIFY(roomsOf(planOf(inches, {{"known-length", "width=12 m"}, {"units", "m"}})).starts_with("hall 12000 6000\n"));
        QCOMPARE(planOf(inches, {{"known-length", "width=12.2 m"}, {"units", "m"}}).error().code, ErrorCode::Refused); // 1.6 % off
        for (const char* bad : {"12 m", "width=", "width=12", "width=-3 m", "=3 m", "nothing=3 m"})
            QCOMPARE(planOf(inches, {{"known-length", bad}}).error().code, ErrorCode::Refused);
        QCOMPARE(planOf(inches, {{"units", "furlong"}}).error().code, ErrorCode::Refused);
        QVERIFY2(planOf(inches).error().text().find("--units") != std::string::npos, "a room of 30 cm is refused");
    }

    void broken_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("says");
        Sketch s;
        s.room("WALL", 0, 0, 10'000, 5000).line("WALL", 0, 0, 1, 1);
        const std::string good = s.text();
        const auto row = [](const char* name, std::string content, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(content) << QByteArray(says);
        };
        const auto with = [&](const std::string& what, const std::string& instead) {
            std::string text = good;
            return text.replace(text.find(what), what.size(), instead);
        };
        row("empty", "", "plan.dxf:1: empty");
        row("dwg", "AC1032\x01", "plan.dxf:1: is a DWG file");
        row("binary", "AutoCAD Binary DXF\r\n", "plan.dxf:1: is a binary DXF file");
        row("foreign", "slug: x\n", "plan.dxf:1: is not a DXF drawing");
        row("cut", good.substr(0, good.size() / 2), "the file is incomplete");
        row("no end", good.substr(0, good.find("0\nEOF")), "EOF");
        row("no number", with("10\n10000\n", "10\n1o000\n"), "not a number: '1o000'");
        row("no code", with("8\nWALL\n", "eight\nWALL\n"), "invalid DXF group code");
        row("fewer corners", with("90\n4\n", "90\n400000000\n"), "polyline declares 400000000 vertices but has 4");
        row("no entities", "0\nSECTION\n2\nHEADER\n0\nENDSEC\n0\nEOF\n", "contains no entities");
        row("nothing drawn", "0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n", "unit");
        row("section in section", with("2\nENTITIES\n", "2\nENTITIES\n0\nSECTION\n"), "section nested inside section ENTITIES");
    }
    void broken()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, says);
        const auto plan = planOf(content.toStdString());
        QVERIFY(!plan.has_value());
        QVERIFY2(plan.error().text().find(says.toStdString()) != std::string::npos, plan.error().text().c_str());
        QVERIFY2(plan.error().text().starts_with("plan.dxf:"), plan.error().text().c_str());
    }

    /// Every cut of a good file is refused or read, and never more; long lines, odd blocks and other entities do no harm.
    void damage()
    {
        Sketch s;
        sample(s);
        s.add("0\nTEXT\n8\nNOTES\n10\n0\n20\n0\n1\n" + std::string(5000, 'x') + "\n").insert("NOTES", "GONE", 0, 0);
        const std::string good = s.text();
        const auto whole = planOf(good);
        QVERIFY2(whole.has_value(), whole ? "" : whole.error().text().c_str());
        QVERIFY(doubts(*whole, "1 TEXT ignored") && doubts(*whole, "block GONE is inserted but not defined in the file"));
        QCOMPARE(roomsOf(planOf("\xEF\xBB\xBF" + good)), roomsOf(whole));
        for (std::size_t length = 0; length + 2 < good.size(); length += 7) QVERIFY(!planOf(good.substr(0, length)).has_value());
        std::mt19937 random(5);
        for (int round = 0; round < 3000; ++round) { // characters that change, lines that go or come twice
            std::string text = good;
            for (int n = 0; n < 3; ++n) {
                const std::size_t at = random() % text.size(), end = std::min(text.find('\n', at), text.size() - 1);
                switch (random() % 3) {
                case 0: text[at] = char('!' + random() % 94); break;
                case 1: text.erase(at, end + 1 - at); break;
                default: text.insert(at, text.substr(at, end + 1 - at));
                }
            }
            const auto plan = planOf(text);
            QVERIFY(plan ? plan->after->halls.size() == 1 : !plan.error().text().empty());
        }
        Sketch ring;
        ring.block("A").insert("0", "B", 0, 0).end().block("B").insert("0", "A", 0, 0).end().room("WALL", 0, 0, 9000, 9000).insert("0", "A", 0, 0);
        QCOMPARE(planOf(ring).error().code, ErrorCode::Unreadable);
    }

    /// A line of constant width is a wall so thick, and the room is between its inner edges; so is one of an older file, and a multiline.
    void wideLines()
    {
        const std::string corners = "10\n0\n20\n0\n10\n30000\n20\n0\n10\n30000\n20\n20000\n10\n0\n20\n20000\n";
        Sketch modern;
        modern.add("0\nLWPOLYLINE\n8\nWALLS\n90\n4\n70\n1\n43\n200\n" + corners);
        Sketch older;
        older.add("0\nPOLYLINE\n8\nWALLS\n66\n1\n10\n0\n20\n0\n70\n1\n40\n200\n41\n200\n");
        for (const auto& [x, y] : {std::pair(0, 0), {30'000, 0}, {30'000, 20'000}, {0, 20'000}})
            older.add(fmt::format("0\nVERTEX\n8\nWALLS\n10\n{}\n20\n{}\n", x, y));
        older.add("0\nSEQEND\n8\nWALLS\n");
        for (const Sketch* sketch : {&modern, &older}) {
            const auto plan = planOf(*sketch);
            QVERIFY2(roomsOf(plan).starts_with("hall 29800 19800\n"), roomsOf(plan).c_str());
            for (const char* row : {"wall -100 -100 29900 -100 w200\n", "wall -100 -100 -100 19900 w200\n"})
                QVERIFY2(roomsOf(plan).find(row) != std::string::npos || roomsOf(plan).find("w200") != std::string::npos, roomsOf(plan).c_str());
            QVERIFY2(roomsOf(plan).find("w100") == std::string::npos && !doubts(*plan, "mm assumed"), roomsOf(plan).c_str());
        }
        Sketch open; // four of them, each a wall of its own
        for (const auto& [x1, y1, x2, y2] : {std::tuple(0, 0, 9000, 0), {9000, 0, 9000, 6000}, {9000, 6000, 0, 6000}, {0, 6000, 0, 0}})
            open.add(fmt::format("0\nLWPOLYLINE\n8\nWALLS\n90\n2\n70\n0\n43\n150\n10\n{}\n20\n{}\n10\n{}\n20\n{}\n", x1, y1, x2, y2));
        const auto four = planOf(open);
        QVERIFY2(roomsOf(four).find("w150") != std::string::npos && roomsOf(four).find("w100") == std::string::npos, roomsOf(four).c_str());
        Sketch tapered;
        tapered.room("WALL", 0, 0, 9000, 9000).add("0\nLWPOLYLINE\n8\nNOTE\n90\n2\n70\n0\n10\n0\n20\n0\n40\n0\n41\n50\n10\n9\n20\n9\n");
        QVERIFY(doubts(*planOf(tapered), "1 polyline of varying width"));

        std::string multi = "0\nMLINE\n8\nWALLS\n2\nSTANDARD\n40\n200\n70\n0\n71\n3\n72\n4\n73\n2\n10\n0\n20\n0\n";
        const double half = std::sqrt(0.5);
        const std::vector<std::array<double, 6>> vertices = {// at, direction, bisector
                                                             {0, 0, 1, 0, half, half},
                                                             {30'000, 0, 0, 1, -half, half},
                                                             {30'000, 20'000, -1, 0, -half, -half},
                                                             {0, 20'000, 0, -1, half, -half}};
        for (const auto& v : vertices)
            multi += fmt::format("11\n{}\n21\n{}\n12\n{}\n22\n{}\n13\n{}\n23\n{}\n74\n2\n41\n0\n41\n0\n75\n0\n74\n2\n41\n{}\n41\n0\n75\n0\n", v[0],
                                 v[1], v[2], v[3], v[4], v[5], 200 / half);
        Sketch multiline;
        multiline.add(multi);
        const auto plan = planOf(multiline);
        QVERIFY2(roomsOf(plan).starts_with("hall 29600 19600\n") && roomsOf(plan).find("w200") != std::string::npos, roomsOf(plan).c_str());
    }

    /// Hatches, filled corners, ellipses, splines and thick rings are what they enclose.
    void filledAndCurved()
    {
        Sketch s;
        s.room("WALLS", 0, 0, 30'000, 20'000);
        const std::string hatch = "0\nHATCH\n8\nCOLUMNS\n10\n0\n20\n0\n30\n0\n210\n0\n220\n0\n230\n1\n2\nSOLID\n70\n1\n71\n0\n91\n1\n";
        s.add(hatch + "92\n7\n72\n0\n73\n1\n93\n4\n10\n5000\n20\n5000\n10\n5600\n20\n5000\n10\n5600\n20\n5600\n10\n5000\n20\n5600\n97\n0\n75\n0\n76\n"
                      "1\n98\n0\n");
        // Of edges: three lines and a spline that is straight.
        s.add(hatch + "92\n1\n93\n4\n72\n1\n10\n8000\n20\n5000\n11\n8600\n21\n5000\n72\n1\n10\n8600\n20\n5000\n11\n8600\n21\n5400\n"
                      "72\n1\n10\n8600\n20\n5400\n11\n8000\n21\n5400\n72\n4\n94\n1\n73\n0\n74\n0\n95\n4\n96\n2\n40\n0\n40\n0\n40\n1\n40\n1\n"
                      "10\n8000\n20\n5400\n10\n8000\n20\n5000\n97\n0\n97\n0\n75\n0\n76\n1\n98\n0\n");
        s.add("0\nSOLID\n8\nCOLUMNS\n10\n11000\n20\n5000\n11\n11500\n21\n5000\n12\n11000\n22\n5400\n13\n11500\n23\n5400\n");
        s.add("0\nELLIPSE\n8\nCOLUMNS\n10\n14000\n20\n5000\n11\n400\n21\n0\n40\n1\n41\n0\n42\n6.283185307\n");
        s.add("0\nELLIPSE\n8\nCOLUMNS\n10\n17000\n20\n5000\n11\n400\n21\n0\n40\n0.5\n41\n0\n42\n6.283185307\n");
        s.add("0\nLWPOLYLINE\n8\nCOLUMNS\n90\n2\n70\n1\n43\n300\n10\n19850\n20\n5000\n42\n1\n10\n20150\n20\n5000\n42\n1\n"); // a disc
        s.add("0\nSPLINE\n8\nCOLUMNS\n70\n1\n71\n1\n72\n7\n73\n5\n40\n0\n40\n0\n40\n1\n40\n2\n40\n3\n40\n4\n40\n4\n10\n23000\n20\n5000\n10\n23600\n"
              "20\n5000\n10\n23600\n20\n5300\n10\n23000\n20\n5300\n10\n23000\n20\n5000\n");
        s.add("0\nSPLINE\n8\nCOLUMNS\n70\n0\n71\n3\n72\n2\n73\n5\n40\n0\n40\n0\n10\n1\n20\n1\n"); // damaged
        const auto plan = planOf(s);
        const auto text = roomsOf(plan);
        for (const char* row : {"column 5000 5300 5600 5300 w600\n", "column 8000 5200 8600 5200 w400\n", "column 11000 5200 11500 5200 w400\n",
                                "column 14000 5000 14000 5000 w800\n", "column 16600 5000 17400 5000 w400\n", "column 20000 5000 20000 5000 w600\n",
                                "column 23000 5150 23600 5150 w300\n"})
            QVERIFY2(text.find(row) != std::string::npos, (std::string(row) + text).c_str());
        QVERIFY(doubts(*plan, "1 SPLINE ignored") && !doubts(*plan, "HATCH"));
        // The hatch of a wall changes nothing of the wall.
        Sketch faces, hatched;
        for (Sketch* both : {&faces, &hatched}) both->room("WALLS", 0, 0, 30'000, 20'000).room("WALLS", -200, -200, 30'400, 20'400);
        hatched.add("0\nHATCH\n8\nWALLS\n91\n1\n92\n7\n72\n0\n73\n1\n93\n4\n10\n3000\n20\n-200\n10\n9000\n20\n-"
                    "200\n10\n9000\n20\n0\n10\n3000\n20\n0\n97\n0\n75\n0\n");
        QCOMPARE(roomsOf(planOf(hatched)), roomsOf(planOf(faces)));
    }

    /// What is not drawn as lines is refused by name.
    void onlyOtherEntities()
    {
        Sketch s;
        s.add("0\n3DSOLID\n8\nWALLS\n0\nMESH\n8\nWALLS\n");
        const auto plan = planOf(s);
        QVERIFY(!plan && plan.error().text().find("1 3DSOLID, 1 MESH") != std::string::npos);
    }

    /// Names in the code page of the drawing, in UTF-8 whatever it says, and as numbers of characters.
    void namesOfLayers()
    {
        const auto roomIn = [](Sketch& s, const std::string& wall, const std::string& column) {
            return roomsOf(planOf(s.room(wall, 0, 0, 30'000, 20'000).room(column, 5000, 5000, 600, 600)));
        };
        const std::string expected = "hall 30000 20000\n";
        const auto found = [&](const std::string& text) {
            return text.starts_with(expected) && text.find("column 5000 5300 5600 5300 w600") != std::string::npos;
        };
        Sketch gbk, gbkOneSign, utf8, escaped, multibyte, cyrillic, latin, none;
        QVERIFY2(found(roomIn(gbk.codePage("ANSI_936"), "\xC7\xBD\xCC\xE5", "\xD6\xF9")), gbk.text().c_str());
        QVERIFY(found(roomIn(gbkOneSign.codePage("ansi_936"), "\xC7\xBD", "\xD6\xF9"))); // that sign is also a letter in UTF-8
        QVERIFY(found(roomIn(utf8.codePage("ANSI_936"), "\xE5\xA2\x99", "\xE6\x9F\xB1")));
        QVERIFY(found(roomIn(escaped, "\\U+5899\\U+4F53", "S-\\U+67F1")));
        QVERIFY(found(roomIn(multibyte, "\\M+5C7BD", "\\M+5D6F9")));
        QVERIFY(found(roomIn(cyrillic.codePage("ANSI_1251"), "\xD1\xF2\xE5\xED\xFB", "\xCA\xEE\xEB\xEE\xED\xED\xFB")));
        QVERIFY(found(roomIn(latin.codePage("ANSI_1252"), "W\xE4nde", "St\xFCtzen")));
        none.room("W\xE4nde", 0, 0, 9000, 9000);
        QVERIFY(doubts(*planOf(none), "no code page in the drawing"));
        std::string names;
        const auto plan = planOf(Sketch().codePage("ANSI_936").room("\xC7\xBD\xCC\xE5", 0, 0, 9000, 9000));
        plan->after->underlays.forEach([&](UnderlayId id) { names += plan->after->underlays.name[id]; });
        QVERIFY2(names.find("\xE5\xA2\x99\xE4\xBD\x93") != std::string::npos, names.c_str());
    }

    void wordsOfLayers_data()
    {
        using importers::dxf::Role;
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("role");
        for (const auto& [name, role] : {std::pair("Au\xC3\x9F"
                                                   "enw\xC3\xA4nde",
                                                   Role::Wall),
                                         {"01_Brandschutzt\xC3\xBCren", Role::Door},
                                         {"MAUERWERK", Role::Wall},
                                         {"Pfeiler", Role::Column},
                                         {"Cloisons", Role::Wall},
                                         {"PILIERS", Role::Column},
                                         {"Portes", Role::Door},
                                         {"MUROS-EXT", Role::Wall},
                                         {"Pared", Role::Wall},
                                         {"PILARES", Role::Column},
                                         {"puertas", Role::Door},
                                         {"Pareti", Role::Wall},
                                         {"pilastri", Role::Column},
                                         {"PORTE", Role::Door},
                                         {"\xD0\xA1\xD1\x82\xD0\xB5\xD0\xBD\xD1\x8B", Role::Wall},
                                         {"\xD0\xB4\xD0\xB2\xD0\xB5\xD1\x80\xD0\xB8", Role::Door},
                                         {"\xD0\x9A\xD0\xBE\xD0\xBB\xD0\xBE\xD0\xBD\xD0\xBD\xD0\xB0", Role::Column},
                                         {"A-\xE5\xA2\x99\xE4\xBD\x93", Role::Wall},
                                         {"\xE9\x97\xA8", Role::Door},
                                         {"\xE6\x9F\xB1\xE7\xBD\x91", Role::None}, // the grid of columns
                                         {"\xE9\x97\xA8\xE7\xAA\x97", Role::None}, // doors and windows
                                         {"A-WALL", Role::Wall},
                                         {"Wallpaper", Role::None},
                                         {"GEWAND", Role::Wall},
                                         {"", Role::None}})
            QTest::addRow("%s", name) << QByteArray(name) << int(role);
    }
    void wordsOfLayers()
    {
        QFETCH(QByteArray, name);
        QFETCH(int, role);
        QCOMPARE(int(importers::dxf::usualRole(name.toStdString())), role);
    }

    /// Frozen and switched-off layers are left out by name, also what is inserted with them; stating their role brings them in.
    void hiddenLayers()
    {
        Sketch s;
        s.layer("WALL", 0, 7).layer("WALL-OLD", 1, 7).layer("COLS", 0, -3).layer("FURN", 1, 7);
        s.block("DOORBLOCK").line("DOOR", 4000, 0, 5000, 0).end();
        s.room("WALL", 0, 0, 10'000, 8000)
            .room("WALL-OLD", 0, 0, 50'000, 50'000)
            .room("COLS", 5000, 5000, 600, 600)
            .insert("FURN", "DOORBLOCK", 0, 0);
        const auto plan = planOf(s);
        const auto text = roomsOf(plan);
        QVERIFY2(text.starts_with("hall 10000 8000\n") && text.find("column") == std::string::npos && text.find("door") == std::string::npos,
                 text.c_str());
        QVERIFY(doubts(*plan, "layer WALL-OLD is frozen: 1 line or arc is not imported") && doubts(*plan, "layer COLS is off: 1 line"));
        QVERIFY(doubts(*plan, "layer FURN is frozen: 1 line") && underlays(*plan->after).find("WALL-OLD") == std::string::npos);
        QVERIFY(roomsOf(planOf(s, {{"layers", "columns=COLS"}})).find("column 5000 5300 5600 5300 w600") != std::string::npos);
        Sketch all;
        all.layer("WALL", 1, 7).room("WALL", 0, 0, 10'000, 8000);
        QVERIFY2(planOf(all).error().text().find("frozen or off: WALL") != std::string::npos, planOf(all).error().text().c_str());
    }

    /// Doors lie along their wall, whichever line of them is drawn with the swing.
    void doorsLieInWalls()
    {
        for (const bool twoFaces : {false, true}) {
            Sketch s;
            s.room("A-WALL", 0, 0, 30'000, 20'000);
            if (twoFaces) s.room("A-WALL", -200, -200, 30'400, 20'400);
            s.line("A-DOOR", 3000, 0, 4800, 0).arc("A-DOOR", 3000, 0, 1800, 0, 90);    // the opening is drawn
            s.line("A-DOOR", 8000, 0, 8000, 1000).arc("A-DOOR", 8000, 0, 1000, 0, 90); // the open leaf is
            s.add(
                "0\nLWPOLYLINE\n8\nA-DOOR\n90\n3\n70\n0\n10\n30000\n20\n5000\n10\n29000\n20\n5000\n42\n-0.41421356\n10\n30000\n20\n6000\n"); // both
                                                                                                                                             // in one
            s.arc("A-DOOR", 15'000, 20'000, 900, 270, 360).arc("A-DOOR", 16'800, 20'000, 900, 180, 270);                            // two leaves
            s.line("A-DOOR", 20'000, 0, 21'000, 0).line("A-DOOR", 20'000, 0, 20'200, 1400).line("A-DOOR", 20'200, 1400, 21'000, 0); // no arc
            const auto plan = planOf(s);
            const auto text = roomsOf(plan);
            const int out = twoFaces ? 100 : 0, w = twoFaces ? 200 : 100;
            for (const auto& row :
                 {fmt::format("door 3000 {} 4800 {} w{}\n", -out, -out, w), fmt::format("door 8000 {} 9000 {} w{}\n", -out, -out, w),
                  fmt::format("door {} 5000 {} 6000 w{}\n", 30'000 + out, 30'000 + out, w),
                  fmt::format("door 15000 {} 16800 {} w{}\n", 20'000 + out, 20'000 + out, w),
                  fmt::format("door 20000 {} 21000 {} w{}\n", -out, -out, w)})
                QVERIFY2(text.find(row) != std::string::npos, (row + text).c_str());
            QVERIFY(!doubts(*plan, "in a wall"));
        }
        Sketch loose;
        loose.room("WALL", 0, 0, 30'000, 20'000).line("DOOR", 15'000, 8000, 15'000, 9000);
        QVERIFY(doubts(*planOf(loose), "1 door is not in a wall"));
    }

    /// docs/examples: a hall of 120 m × 20 m whose columns stand in the cold aisles takes the 16 cells of an HPN pod.
    void exampleHall()
    {
        const auto source = readSource(HW_RESOURCES "/../docs/examples/hall-120x20.dxf");
        QVERIFY(source.has_value());
        const auto plan = planOf(source->content);
        QVERIFY2(roomsOf(plan).starts_with("hall 120000 20000\nwall"), roomsOf(plan).c_str());
        std::map<StructureKind, int> kinds;
        const Snapshot& s = *plan->after;
        s.structures.forEach([&](StructureId id) { ++kinds[s.structures.kind[id]]; });
        QCOMPARE(kinds[StructureKind::Wall], 4);
        QCOMPARE(kinds[StructureKind::Column], 15);
        QCOMPARE(kinds[StructureKind::Door], 3);
        const auto cells = site::cellPlaces(site::RoomShape::of(s, HallId(0)), {});
        QCOMPARE(cells.size(), std::size_t(16));
        QCOMPARE(site::racksOf(cells), 16 * 36);
    }

    /// Into a hall that is there: its outline and walls are replaced, the rest stays; again changes nothing more.
    void intoAHall()
    {
        Sketch s;
        sample(s);
        const auto first = planOf(s);
        const std::string name = first->after->halls.name[HallId(0)];
        Sketch larger;
        larger.room("WALL", 0, 0, 30'000, 9000);
        const auto second = planOf(larger.text(), {{"hall", name}}, first->after);
        QVERIFY2(second.has_value(), second ? "" : second.error().text().c_str());
        const Snapshot& d = *second->after;
        QCOMPARE(d.halls.size(), 1u);
        QCOMPARE(d.halls.sizeX[HallId(0)].count(), 30'000);
        QVERIFY(d.buildings.sizeX[BuildingId(0)].count() >= 31'000);
        const auto text = rooms(d);
        QVERIFY2(text.find("column") != std::string::npos && text.find("12345") == std::string::npos, text.c_str());
        const auto again = planOf(larger.text(), {{"hall", name}}, second->after);
        QCOMPARE(rooms(*again->after), text);
        QCOMPARE(underlays(*again->after), underlays(d));
        QCOMPARE(planOf(larger.text(), {{"hall", "no such"}}, first->after).error().code, ErrorCode::Refused);
    }
};

QTEST_APPLESS_MAIN(DxfTest)
#include "test_dxf.moc"
