// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that arrange several things: known answers, taken back, refused.
#include "core/derived/geometry/placement.h"
#include "core/design/edit/edits_arrange.h"
#include "core/design/edit/schema.h"
#include "tests/edit/desk.h"

using namespace hw;
using test::Desk;
using test::json;
using test::textOf;

class TestArrange : public QObject {
    Q_OBJECT

    static Box boxOf(const Desk& desk, const std::string& name)
    {
        return edit::boxOf(desk.now(), *desk.parts(), *Placement::compute(desk.now(), *desk.parts()), desk.find(name)).value();
    }
    /// A hall at (1, 1) m of 30 x 20 m with three rows of three racks of 600 mm, and in it a wall, a column and a tray.
    static Desk& furnish(Desk& desk)
    {
        for (const char* edit : {
                 "{'do': 'add', 'what': 'building', 'name': 'b1', 'size_x_mm': 40000, 'size_y_mm': 30000}",
                 "{'do': 'add', 'what': 'hall', 'name': 'h1', 'in': 'b1', 'x_mm': 1000, 'y_mm': 1000, 'size_x_mm': 30000, 'size_y_mm': 20000}",
                 "{'do': 'add', 'what': 'row', 'name': 'r1', 'in': 'h1', 'x_mm': 2000, 'y_mm': 2000}",
                 "{'do': 'add', 'what': 'row', 'name': 'r2', 'in': 'h1', 'x_mm': 5000, 'y_mm': 6000}",
                 "{'do': 'add', 'what': 'row', 'name': 'r3', 'in': 'h1', 'x_mm': 9000, 'y_mm': 15000}",
                 "{'do': 'add', 'what': 'rack', 'name': 'a1', 'in': 'r1', 'type': 'rack-48u-600x1200', 'count': 3}",
                 "{'do': 'add', 'what': 'rack', 'name': 'b01', 'in': 'r2', 'type': 'rack-48u-600x1200', 'count': 3}",
                 "{'do': 'add', 'what': 'rack', 'name': 'c1', 'in': 'r3', 'type': 'rack-48u-600x1200', 'count': 3}",
                 "{'do': 'add', 'what': 'structure', 'name': 'wall', 'in': 'h1', 'kind': 'wall', 'x1_mm': 20000, 'y1_mm': 1000, 'x2_mm': 24000, "
                 "'y2_mm': 1000, 'width_mm': 200}",
                 "{'do': 'add', 'what': 'structure', 'name': 'column', 'in': 'h1', 'kind': 'column', 'x1_mm': 20000, 'y1_mm': 10000, 'x2_mm': "
                 "20600, 'y2_mm': 10000, 'width_mm': 600}",
                 "{'do': 'add', 'what': 'tray', 'name': 't1', 'in': 'h1', 'type': 'tray-300x100', 'x1_mm': 1000, 'y1_mm': 8000, 'x2_mm': 9000, "
                 "'y2_mm': 8000, 'z1_mm': 2500, 'z2_mm': 2500}",
             })
            if (const auto done = desk.run(json(edit)); !done) qFatal("%s: %s", edit, done.error().text().c_str());
        return desk;
    }

private slots:
    void rowsAlign()
    {
        Desk desk;
        furnish(desk);
        VERIFY_DONE(desk.run(json("{'do': 'align', 'entities': ['r1', 'r2', 'r3'], 'to': 'left'}")));
        for (const char* row : {"r1", "r2", "r3"}) QCOMPARE(boxOf(desk, row).low.x, 3000);
        QCOMPARE(boxOf(desk, "r2").low.y, 7000);
        QVERIFY(desk.document.undo());
        VERIFY_DONE(desk.run(json("{'do': 'align', 'entities': ['r1', 'r3', 'column'], 'to': 'top'}")));
        QCOMPARE(boxOf(desk, "r1").high.y, boxOf(desk, "r3").high.y);
        QCOMPARE(boxOf(desk, "column").high.y, boxOf(desk, "r3").high.y);
        VERIFY_DONE(desk.run(json("{'do': 'align', 'entities': ['r1', 'r2'], 'to': 'center-x'}")));
        QCOMPARE(boxOf(desk, "r1").low.x, boxOf(desk, "r2").low.x);
    }

    void gapsBecomeEqual()
    {
        Desk desk;
        furnish(desk);
        VERIFY_DONE(desk.run(json("{'do': 'distribute', 'entities': ['r3', 'r1', 'r2'], 'axis': 'y'}")));
        const Box a = boxOf(desk, "r1"), b = boxOf(desk, "r2"), c = boxOf(desk, "r3");
        QCOMPARE(a.low.y, 3000); // the outermost stay
        QCOMPARE(c.low.y, 16000);
        QCOMPARE(b.low.y - a.high.y, c.low.y - b.high.y);
        VERIFY_DONE(desk.run(json("{'do': 'distribute', 'entities': ['r1', 'r2'], 'axis': 'y', 'gap_mm': 1200}")));
        QCOMPARE(boxOf(desk, "r2").low.y - boxOf(desk, "r1").high.y, 1200);
    }

    /// About the middle a row of 1.8 x 1.2 m keeps its middle; four quarter turns bring everything back.
    void rowsTurnAboutAPoint()
    {
        Desk desk;
        furnish(desk);
        const Box before = boxOf(desk, "r1");
        VERIFY_DONE(desk.run(json("{'do': 'rotate-about', 'entities': ['r1'], 'by_deg': 90}")));
        const Box after = boxOf(desk, "r1");
        QCOMPARE(after.high.x - after.low.x, before.high.y - before.low.y);
        QCOMPARE(after.low.x + after.high.x, before.low.x + before.high.x);
        QCOMPARE(after.low.y + after.high.y, before.low.y + before.high.y);
        QVERIFY(desk.document.undo());
        VERIFY_DONE(desk.run(json("{'do': 'rotate-about', 'entities': ['r1', 'wall', 't1'], 'by_deg': 90, 'x_mm': 3000, 'y_mm': 3000}")));
        QCOMPARE(boxOf(desk, "r1").high.x, 3000); // its corner was the point
        QCOMPARE(boxOf(desk, "r1").low.y, 3000);
        QCOMPARE(boxOf(desk, "wall").high.y - boxOf(desk, "wall").low.y, 4000); // upright now, 4 m long
        for (int i = 0; i < 3; ++i)
            VERIFY_DONE(desk.run(json("{'do': 'rotate-about', 'entities': ['r1', 'wall', 't1'], 'by_deg': 90, 'x_mm': 3000, 'y_mm': 3000}")));
        QCOMPARE(boxOf(desk, "r1"), before);
    }

    /// Sideways the racks change their order and look the same way; lengthwise the row looks the other way. Twice is as it was.
    void rowsMirror()
    {
        Desk desk;
        furnish(desk);
        const Box row = boxOf(desk, "r1"), first = boxOf(desk, "a1"), last = boxOf(desk, "a3"), other = boxOf(desk, "b01");
        const auto facing = [&](const char* rack) { return Placement::compute(desk.now(), *desk.parts())->facing(RackId(desk.find(rack).id)); };
        QCOMPARE(facing("a1"), 270);
        VERIFY_DONE(desk.run(json("{'do': 'mirror', 'entities': ['r1'], 'axis': 'x'}")));
        QCOMPARE(boxOf(desk, "r1"), row);
        QCOMPARE(boxOf(desk, "a1"), last);
        QCOMPARE(boxOf(desk, "a3"), first);
        QCOMPARE(facing("a1"), 270);
        VERIFY_DONE(desk.run(json("{'do': 'mirror', 'entities': ['r1'], 'axis': 'x'}")));
        QCOMPARE(boxOf(desk, "a1"), first);
        VERIFY_DONE(desk.run(json("{'do': 'mirror', 'entities': ['r1', 'r2'], 'axis': 'y'}"))); // they change places
        QCOMPARE(boxOf(desk, "a1").low.y, other.low.y);
        QCOMPARE(boxOf(desk, "a1").low.x, first.low.x);
        QCOMPARE(facing("a1"), 90);
        VERIFY_DONE(desk.run(json("{'do': 'mirror', 'entities': ['wall'], 'axis': 'x', 'at_mm': 15000}")));
        QCOMPARE(boxOf(desk, "wall").low.x, 5000); // 21 to 25 m before
    }

    /// A hall is pulled at its left and lower side; what stands in it does not move.
    void hallsAreReshaped()
    {
        Desk desk;
        furnish(desk);
        const Box row = boxOf(desk, "r1"), wall = boxOf(desk, "wall"), tray = boxOf(desk, "t1");
        VERIFY_DONE(desk.run(json("{'do': 'reshape', 'entity': 'h1', 'x1_mm': 500, 'y1_mm': 2000, 'x2_mm': 31000, 'y2_mm': 21000}")));
        const Box hall = boxOf(desk, "h1");
        QCOMPARE(hall.low.x, 500);
        QCOMPARE(hall.high.x, 31000);
        QCOMPARE(hall.high.y - hall.low.y, 19000);
        QCOMPARE(boxOf(desk, "r1"), row);
        QCOMPARE(boxOf(desk, "wall"), wall);
        QCOMPARE(boxOf(desk, "t1"), tray);
        VERIFY_DONE(desk.run(json("{'do': 'reshape', 'entity': 'b1', 'x1_mm': -1000, 'y1_mm': 0, 'x2_mm': 40000, 'y2_mm': 30000}")));
        QCOMPARE(boxOf(desk, "h1"), hall);
        QCOMPARE(boxOf(desk, "r1"), row);
        QVERIFY(desk.document.undo() && desk.document.undo());
        QCOMPARE(boxOf(desk, "h1").low.x, 1000);
    }

    void linesAndAreasAreReshaped()
    {
        Desk desk;
        furnish(desk);
        VERIFY_DONE(desk.run(json("{'do': 'reshape', 'entity': 'column', 'x1_mm': 10800, 'y1_mm': 10000, 'x2_mm': 10000, 'y2_mm': 10400}")));
        const Box column = boxOf(desk, "column");
        QCOMPARE(column.low.x, 11000);
        QCOMPARE(column.high.x, 11800);
        QCOMPARE(column.high.y - column.low.y, 400);
        VERIFY_DONE(desk.run(json("{'do': 'reshape', 'entity': 't1', 'x1_mm': 1000, 'y1_mm': 8000, 'x2_mm': 9000, 'y2_mm': 12000, 'z2_mm': 3000}")));
        const TrayId tray(desk.find("t1").id);
        QCOMPARE(desk.now().trays.y2[tray].count(), 12000);
        QCOMPARE(desk.now().trays.z1[tray].count(), 2500);
        QCOMPARE(desk.now().trays.z2[tray].count(), 3000);
    }

    void whatDoesNotFitIsRefused()
    {
        Desk desk;
        furnish(desk);
        const std::string before = test::exported(desk.now());
        VERIFY_REFUSED(desk.run(json("{'do': 'align', 'entities': ['r1'], 'to': 'left'}")), "select at least 2");
        VERIFY_REFUSED(desk.run(json("{'do': 'align', 'entities': ['r1', 'a1'], 'to': 'left'}")), "select at least 2"); // it goes with its row
        VERIFY_REFUSED(desk.run(json("{'do': 'align', 'entities': ['r1', 'r2'], 'to': 'middle'}")), "unknown side");
        VERIFY_REFUSED(desk.run(json("{'do': 'distribute', 'entities': ['r1', 'r2'], 'axis': 'y'}")), "select at least 3");
        VERIFY_REFUSED(desk.run(json("{'do': 'distribute', 'entities': ['r1', 'r2', 'r3'], 'axis': 'z'}")), "unknown axis");
        VERIFY_REFUSED(desk.run(json("{'do': 'mirror', 'entities': ['h1'], 'axis': 'x'}")), "cannot be rotated or mirrored");
        VERIFY_REFUSED(desk.run(json("{'do': 'rotate-about', 'entities': ['r1'], 'by_deg': 45}")), "multiple of 90");
        VERIFY_REFUSED(desk.run(json("{'do': 'rotate-about', 'entities': ['r1'], 'by_deg': 90, 'x_mm': 1}")), "missing");
        VERIFY_REFUSED(desk.run(json("{'do': 'reshape', 'entity': 'h1', 'x1_mm': 0, 'y1_mm': 0, 'x2_mm': 10, 'y2_mm': 9000}")), "out of range");
        VERIFY_REFUSED(desk.run(json("{'do': 'reshape', 'entity': 'r1', 'x1_mm': 0, 'y1_mm': 0, 'x2_mm': 9, 'y2_mm': 9}")), "cannot be reshaped");
        VERIFY_REFUSED(desk.run(json("{'do': 'reshape', 'entity': 't1', 'x1_mm': 5, 'y1_mm': 5, 'x2_mm': 5, 'y2_mm': 5}")), "one point");
        QCOMPARE(test::exported(desk.now()), before);
    }
};

QTEST_GUILESS_MAIN(TestArrange)
#include "test_arrange.moc"
