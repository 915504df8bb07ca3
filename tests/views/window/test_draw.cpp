// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing in the plan with mouse and keys: from an empty site to a hall with a column, a door and a place to keep free.
#include "window_test.h"

#include "views/plan/plan_view.h"

using namespace hw;
using namespace hw::views;

class TestDraw : public test::WindowTest {
    Q_OBJECT
    QPoint at(double x_m, double y_m) { return plan()->camera().toScreen(x_m * 1000, y_m * 1000).toPoint(); }
    void tool(const char* id)
    {
        m_window->action(id)->trigger();
        QVERIFY(plan()->draw().tool() != DrawTool::None);
    }
    void drag(double x1, double y1, double x2, double y2)
    {
        QTest::mousePress(plan(), Qt::LeftButton, {}, at(x1, y1));
        QTest::mouseMove(plan(), at((x1 + x2) / 2, (y1 + y2) / 2));
        QTest::mouseMove(plan(), at(x2, y2));
        QTest::mouseRelease(plan(), Qt::LeftButton, {}, at(x2, y2));
    }
    void click(double x, double y)
    {
        QTest::mouseMove(plan(), at(x, y));
        QTest::mouseClick(plan(), Qt::LeftButton, {}, at(x, y));
    }
    const Snapshot& now() { return *bridge().snapshot(); }
    void picture(const char* name)
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (!folder.isEmpty()) QVERIFY(plan()->grab().save(folder + "/" + name));
    }
    void ready() { QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent(), 20000); }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1600, 950}, Library::Loaded);
        m_window->session().discardChanges();
        m_window->action("file.newSite")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(now().sites.size() == 1 && now().buildings.size() == 0, 20000);
        ready();
        plan()->setSnap(1000); // more than a pixel, far out
    }
    void cleanupTestCase() { closeWindow(); }

    void sizesAreRead()
    {
        QCOMPARE(readSize("30 x 20")->first, 30000.0);
        QCOMPARE(*readSize("30 x 20")->second, 20000.0);
        QCOMPARE(*readSize("40 ft × 12.5 m")->second, 12500.0);
        QCOMPARE(readSize("12.5")->first, 12500.0);
        QVERIFY(!readSize("12.5")->second);
        for (const char* bad : {"", "x", "-3", "0", "3 x 4 x 5", "3 miles", "1e99"}) QVERIFY2(!readSize(bad), bad);
    }

    void aRoomIsDrawnWithABuildingAroundIt()
    {
        tool("draw.hall");
        QTest::mousePress(plan(), Qt::LeftButton, {}, at(0, 0));
        QTest::mouseMove(plan(), at(10, 8));
        QTest::keyClicks(plan(), "30 x 20");
        picture("draw-room.png");
        QTest::keyClick(plan(), Qt::Key_Return);
        QTest::mouseRelease(plan(), Qt::LeftButton, {}, at(10, 8));
        ready();
        QCOMPARE(now().halls.size(), 1u);
        QCOMPARE(now().buildings.size(), 1u);
        const HallId hall = now().halls.ids().front();
        QCOMPARE(now().halls.sizeX[hall].count(), 30000);
        QCOMPARE(now().halls.sizeY[hall].count(), 20000);
        const BuildingId building = now().halls.building[hall];
        QCOMPARE(now().buildings.x[building].count() + now().halls.x[hall].count(), 0);
        QTRY_COMPARE(bridge().selected(), ref(hall));
    }

    void structuresStandInTheRoom()
    {
        ready();
        tool("draw.column");
        drag(9, 9, 10, 10);
        ready();
        tool("draw.keepOut");
        drag(20, 2, 24, 5);
        ready();
        tool("draw.door");
        click(0, 4); // on the wall: two clicks
        click(0, 6);
        ready();
        QCOMPARE(now().structures.size(), 3u);
        const auto ids = now().structures.ids();
        QCOMPARE(now().structures.kind[ids[0]], StructureKind::Column);
        QCOMPARE(now().structures.x1[ids[0]].count(), 9000);
        QCOMPARE(now().structures.x2[ids[0]].count(), 10000);
        QCOMPARE(now().structures.y1[ids[0]].count(), 9500);
        QCOMPARE(now().structures.width[ids[0]].count(), 1000);
        QCOMPARE(now().structures.kind[ids[1]], StructureKind::KeepOut);
        QCOMPARE(now().structures.width[ids[1]].count(), 3000);
        QCOMPARE(now().structures.kind[ids[2]], StructureKind::Door);
        QCOMPARE(now().structures.y2[ids[2]].count() - now().structures.y1[ids[2]].count(), 2000);
    }

    void wallsGoOnUntilEscape()
    {
        ready();
        const auto before = now().structures.size();
        tool("draw.wall");
        click(14, 12);
        QTest::mouseMove(plan(), at(20, 12.4)); // nearly level: level
        QTest::keyClicks(plan(), "5");
        QTest::keyClick(plan(), Qt::Key_Return);
        ready();
        const auto first = now().structures.ids().back();
        QCOMPARE(now().structures.x2[first].count() - now().structures.x1[first].count(), 5000);
        QCOMPARE(now().structures.y2[first].count(), now().structures.y1[first].count());
        QVERIFY(plan()->draw().drawing()); // from its end
        click(19, 15);
        ready();
        QCOMPARE(now().structures.size(), before + 2);
        const auto second = now().structures.ids().back();
        QCOMPARE(now().structures.x1[second].count(), now().structures.x2[first].count());
        QTest::keyClick(plan(), Qt::Key_Escape);
        QVERIFY(!plan()->draw().drawing());
        QTest::keyClick(plan(), Qt::Key_Escape);
        QCOMPARE(plan()->draw().tool(), DrawTool::None);
        picture("draw-hall.png");
    }

    void outsideARoomIsRefused()
    {
        ready();
        const auto revision = now().revision;
        tool("draw.column");
        drag(-9, -9, -8, -8);
        QCOMPARE(now().revision, revision);
        QTest::mouseClick(plan(), Qt::RightButton, {}, at(5, 5)); // ends drawing
        QCOMPARE(plan()->draw().tool(), DrawTool::None);
    }

    void outlinesAreClicked()
    {
        ready();
        const HallId hall = now().halls.ids().front();
        QCOMPARE(plan()->entityAt(at(30, 10)), ref(hall));
        QCOMPARE(plan()->entityAt(at(15, 3)), EntityRef{});
    }

    void everyStepIsUndone()
    {
        while (bridge().document().canUndo()) bridge().undo();
        QCOMPARE(now().halls.size(), 0u);
        QCOMPARE(now().structures.size(), 0u);
        QCOMPARE(now().buildings.size(), 0u);
    }
};

QTEST_MAIN(TestDraw)
#include "test_draw.moc"
