// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/site/row_places.h"
#include "importers/dxf/drawing.h"
#include "importers/dxf/loops.h"
#include "importers/dxf/roles.h"
#include "importers/formats.h"

#include <map>
#include <random>

#include <fmt/format.h>

using namespace hw;
using namespace hw::exchange;

namespace {

/// A drawing as text, its lengths in mm whatever its unit.
class Sketch {
public:
    explicit Sketch(int insUnits = 4, double millimetres = 1) : m_units(insUnits), m_mm(millimetres) {}
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
    [[nodiscard]] std::string text() const
    {
        return fmt::format("0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n{}\n0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n{}0\nENDSEC\n"
                           "0\nSECTION\n2\nENTITIES\n{}0\nENDSEC\n0\nEOF\n",
                           m_units, m_blocks, m_entities);
    }

private:
    [[nodiscard]] std::string n(double mm) const { return fmt::format("{:.10g}", mm / m_mm); }
    int m_units;
    double m_mm;
    bool m_inBlock = false;
    std::string m_blocks, m_entities;
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
    /// The same room in any unit gives the same rows, to the millimetre, and the same underlay.
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
            const auto at = [&](double x, double y) { // to a tenth of a millimetre, as files have it
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
            QCOMPARE(doubts(*plan, "is turned by"), std::abs(degrees) > 0.1);
            QVERIFY2(d.corners.size() == 0, std::to_string(degrees).c_str());
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
        QVERIFY(doubts(*plan, "outside of the room"));
    }

    void layersAreChosen()
    {
        Sketch s;
        s.room("X1", 0, 0, 10'000, 5000).room("X2", 2000, 2000, 600, 600).room("WALL-OLD", 0, 0, 50'000, 50'000);
        const auto chosen = planOf(s, {{"layers", "walls=x1,columns=X2"}});
        QVERIFY2(roomsOf(chosen).starts_with("hall 10000 5000\n") && roomsOf(chosen).find("column 2000 2300 2600 2300 w600") != std::string::npos,
                 roomsOf(chosen).c_str());
        QVERIFY(roomsOf(planOf(s)).starts_with("hall 50000 50000\n"));
        QVERIFY(doubts(*planOf(s), "layer WALL-OLD is taken for walls by its name"));
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
        Sketch inches(1, 1000); // says inches, is drawn in metres
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
        row("empty", "", "plan.dxf:1: is empty");
        row("dwg", "AC1032\x01", "plan.dxf:1: is a DWG drawing");
        row("binary", "AutoCAD Binary DXF\r\n", "plan.dxf:1: is a binary DXF");
        row("foreign", "slug: x\n", "plan.dxf:1: is no DXF drawing");
        row("cut", good.substr(0, good.size() / 2), "ends");
        row("no end", good.substr(0, good.find("0\nEOF")), "EOF");
        row("no number", with("10\n10000\n", "10\n1o000\n"), "is no number: '1o000'");
        row("no code", with("8\nWALL\n", "eight\nWALL\n"), "is no group code");
        row("fewer corners", with("90\n4\n", "90\n400000000\n"), "is a polyline of 400000000 corners with 4");
        row("no entities", "0\nSECTION\n2\nHEADER\n0\nENDSEC\n0\nEOF\n", "holds no entities");
        row("nothing drawn", "0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n", "unit");
        row("section in section", with("2\nENTITIES\n", "2\nENTITIES\n0\nSECTION\n"), "is a section inside of section ENTITIES");
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
        QVERIFY(doubts(*whole, "1 TEXT is not read") && doubts(*whole, "block GONE is inserted and not in the file"));
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
