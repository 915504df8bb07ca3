// SPDX-License-Identifier: GPL-3.0-or-later
// Reshaping by handles and arranging in the plan, with mouse and keys; each taken back.
#include "window_test.h"

#include "core/design/edit/edits_create.h"
#include "core/design/edit/lookup.h"
#include "core/design/sizing/into_hall.h"
#include "views/plan/plan_view.h"

#include <QMenu>

using namespace hw;
using namespace hw::views;

class TestReshape : public test::WindowTest {
    Q_OBJECT
public:
    TestReshape() : WindowTest(1) {}

private:
    const Snapshot& now() { return *bridge().snapshot(); }
    HallId hall() { return now().halls.ids().front(); }
    QPoint at(double x_m, double y_m) { return plan()->camera().toScreen(x_m * 1000, y_m * 1000).toPoint(); }
    void ready() { QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent() && !bridge().previewing(), 20000); }
    void drag(QPoint from, QPoint to)
    {
        QTest::mousePress(plan(), Qt::LeftButton, {}, from);
        QTest::mouseMove(plan(), (from + to) / 2);
        QTest::mouseMove(plan(), to);
    }
    void drop(QPoint to) { QTest::mouseRelease(plan(), Qt::LeftButton, {}, to); }
    void picture(const char* name)
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (!folder.isEmpty()) QVERIFY(m_window->grab().save(folder + "/" + name));
    }
    EntityRef add(EntityKind kind, const std::string& type, std::map<std::string, std::optional<std::string>> fields)
    {
        EntityRef made;
        const auto done = bridge().edit("add", [&](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            if (!parts) return tl::unexpected(parts.error());
            edit::Lookup lookup(t.preview());
            const auto source = [&](const std::string& slug) { return m_window->session().library().catalog->find(slug); };
            const auto one = edit::add(t, **parts, lookup, source, {.kind = kind, .into = ref(hall()), .type = type, .fields = std::move(fields)});
            if (!one) return tl::unexpected(one.error());
            made = one->front();
            return {};
        });
        if (!done) qWarning("%s", done.error().text().c_str());
        return made;
    }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1600, 950}, Library::Loaded);
        m_window->session().discardChanges();
        const auto site = sizing::siteWithHall({}, 1.2); // 30 x 20 m
        QVERIFY(site);
        m_window->session().startWith(*site);
        QTRY_VERIFY_WITH_TIMEOUT(now().halls.size() == 1 && now().devices.size() == 0, 20000);
        ready();
        plan()->setSnap(1000);
        plan()->zoomToAll();
    }
    void cleanupTestCase() { closeWindow(); }

    /// The hall from (1, 1) to (31, 21) m gets its upper right corner 2 m further in; one step.
    void aCornerIsDragged()
    {
        QTest::mouseClick(plan(), Qt::LeftButton, {}, at(31, 7));
        QCOMPARE(bridge().selected(), ref(hall()));
        QCOMPARE(plan()->handles().handles().size(), std::size_t(8));
        const int steps = bridge().historyPosition();
        drag(at(31, 21), at(28, 18));
        QVERIFY(plan()->handles().active());
        picture("reshape-dark.png");
        drop(at(28, 18));
        ready();
        QCOMPARE(now().halls.sizeX[hall()].count(), 27000);
        QCOMPARE(now().halls.sizeY[hall()].count(), 17000);
        QCOMPARE(now().halls.x[hall()].count(), 1000);
        QCOMPARE(bridge().historyPosition(), steps + 1);
        bridge().undo();
        ready();
        QCOMPARE(now().halls.sizeX[hall()].count(), 30000);
    }

    /// A number typed while dragging is the size; Escape gives up.
    void aSizeIsTyped()
    {
        bridge().select(ref(hall()));
        drag(at(31, 11), at(29, 11));
        QTest::keyClicks(plan(), "24.5 m");
        QTest::keyClick(plan(), Qt::Key_Return);
        drop(at(29, 11));
        ready();
        QCOMPARE(now().halls.sizeX[hall()].count(), 24500);
        QCOMPARE(now().halls.sizeY[hall()].count(), 20000);
        bridge().undo();
        ready();
        const auto revision = now().revision;
        drag(at(31, 11), at(27, 11));
        QTest::keyClick(plan(), Qt::Key_Escape);
        drop(at(27, 11));
        ready();
        QCOMPARE(now().revision, revision);
        QCOMPARE(now().halls.sizeX[hall()].count(), 30000);
    }

    /// The left side moves, and what stands in the hall does not.
    void whatStandsInItStays()
    {
        const EntityRef column =
            add(EntityKind::Structure, {},
                {{"kind", "column"}, {"x1_mm", "10000"}, {"y1_mm", "5000"}, {"x2_mm", "11000"}, {"y2_mm", "5000"}, {"width_mm", "1000"}});
        QVERIFY(column);
        ready();
        bridge().select(ref(hall()));
        drag(at(1, 11), at(4, 11));
        drop(at(4, 11));
        ready();
        QCOMPARE(now().halls.x[hall()].count(), 4000);
        QCOMPARE(now().structures.x1[StructureId(column.id)].count(), 7000); // in the frame of the hall
        bridge().undo();
        ready();
        bridge().select(column); // 1 m wide; too small on the screen for handles, near by it becomes 2 m
        QCOMPARE(plan()->handles().handles(plan()->camera()).size(), std::size_t(0));
        plan()->zoomTo(column);
        QCOMPARE(plan()->handles().handles(plan()->camera()).size(), std::size_t(8));
        drag(at(12, 6), at(13, 6));
        drop(at(13, 6));
        ready();
        QCOMPARE(now().structures.x2[StructureId(column.id)].count(), 12000);
        QCOMPARE(now().structures.width[StructureId(column.id)].count(), 1000);
    }

    /// Two trays meet; their common end is dragged, and they still meet.
    void traysStayTogether()
    {
        const auto tray = [&](const char* x1, const char* y1, const char* x2, const char* y2) {
            return TrayId(add(EntityKind::Tray, "tray-300x100",
                              {{"x1_mm", x1}, {"y1_mm", y1}, {"x2_mm", x2}, {"y2_mm", y2}, {"z1_mm", "2500"}, {"z2_mm", "2500"}})
                              .id);
        };
        plan()->zoomToAll();
        const TrayId a = tray("3000", "14000", "9000", "14000"), b = tray("9000", "14000", "9000", "18000");
        ready();
        bridge().select(ref(a));
        QCOMPARE(plan()->handles().handles().size(), std::size_t(2));
        drag(at(10, 15), at(14, 15));
        drop(at(14, 15));
        ready();
        QCOMPARE(now().trays.x2[a].count(), 13000);
        QCOMPARE(now().trays.x1[b].count(), 13000);
        QCOMPARE(now().trays.y1[b].count(), 14000);
        QCOMPARE(now().trays.x2[b].count(), 9000);
        bridge().undo();
        ready();
        QCOMPARE(now().trays.x1[b].count(), 9000);
    }

    /// Three columns by Shift and click, aligned from the menu of the right button, distributed from the menu bar.
    void columnsAreAligned()
    {
        const auto column = [&](const char* x1, const char* y, const char* x2) {
            return StructureId(
                add(EntityKind::Structure, {}, {{"kind", "column"}, {"x1_mm", x1}, {"y1_mm", y}, {"x2_mm", x2}, {"y2_mm", y}, {"width_mm", "1000"}})
                    .id);
        };
        const StructureId a = column("20000", "3000", "21000"), b = column("22000", "6000", "23000"), c = column("21000", "12000", "22000");
        ready();
        QTest::mouseClick(plan(), Qt::LeftButton, {}, at(21.5, 4));
        QTest::mouseClick(plan(), Qt::LeftButton, Qt::ShiftModifier, at(23.5, 7));
        QTest::mouseClick(plan(), Qt::LeftButton, Qt::ShiftModifier, at(22.5, 13));
        QCOMPARE(bridge().selection().size(), std::size_t(3));
        picture("align-before.png");
        QTest::mousePress(plan(), Qt::RightButton, {}, at(21.5, 4));
        QTest::mouseRelease(plan(), Qt::RightButton, {}, at(21.5, 4));
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QStringList entries;
        for (const QAction* action : menu->actions()) entries << action->text();
        QVERIFY2(entries.contains("Arrange"), qPrintable(entries.join(", ")));
        menu->close();
        QVERIFY(m_window->action("edit.alignLeft")->isEnabled() && m_window->action("edit.distributeY")->isEnabled());
        m_window->action("edit.alignLeft")->trigger();
        for (const StructureId id : {a, b, c}) QCOMPARE(now().structures.x1[id].count(), 20000);
        ready();
        m_window->action("edit.distributeY")->trigger();
        QCOMPARE(now().structures.y1[b].count(), 7500); // half way from 3 to 12
        ready();
        picture("align-after.png");
        bridge().undo();
        bridge().undo();
        QCOMPARE(now().structures.x1[b].count(), 22000);
        ready();
        bridge().select(ref(hall())); // a hall alone has nothing to be aligned to, and does not turn
        QVERIFY(!m_window->action("edit.alignLeft")->isEnabled() && !m_window->action("edit.rotate")->isEnabled());
    }

    /// A row turns about its own middle, not about its corner.
    void aRowTurnsInPlace()
    {
        const EntityRef row = add(EntityKind::Row, {}, {{"x_mm", "15000"}, {"y_mm", "8000"}});
        QVERIFY(row);
        QVERIFY(bridge().edit("racks", [&](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            edit::Lookup lookup(t.preview());
            const auto source = [&](const std::string& slug) { return m_window->session().library().catalog->find(slug); };
            const auto made = edit::add(t, **parts, lookup, source, {.kind = EntityKind::Rack, .into = row, .type = "rack-48u-600x1200", .count = 6});
            return made ? Result<void>() : tl::unexpected(made.error());
        }));
        ready();
        const Box before = bridge().figures()->placement->row(RowId(row.id));
        bridge().select(row);
        m_window->action("edit.rotate")->trigger();
        ready();
        const Box after = bridge().figures()->placement->row(RowId(row.id));
        QCOMPARE(after.low.x + after.high.x, before.low.x + before.high.x);
        QCOMPARE(after.low.y + after.high.y, before.low.y + before.high.y);
        QCOMPARE(after.high.x - after.low.x, before.high.y - before.low.y);
        m_window->action("edit.rotateBack")->trigger();
        ready();
        QCOMPARE(bridge().figures()->placement->row(RowId(row.id)), before);
    }

    /// Mirrored top to bottom a row looks the other way; mirrored left to right its racks change their order. One step each, as the script does it.
    void aRowIsMirrored()
    {
        const EntityRef row = ref(now().rows.ids().front());
        const RackId first = now().racks.ids().front();
        bridge().select(row);
        const Box before = bridge().figures()->placement->rack(first);
        const int facing = bridge().figures()->placement->facing(first), steps = bridge().historyPosition();
        QVERIFY(m_window->action("edit.mirrorY")->isEnabled());
        const QImage seen = plan()->grab().toImage();
        m_window->action("edit.mirrorY")->trigger();
        ready();
        QCOMPARE(bridge().figures()->placement->facing(first), (facing + 180) % 360);
        QCOMPARE(bridge().figures()->placement->rack(first), before);
        QVERIFY(plan()->grab().toImage() != seen);
        m_window->action("edit.mirrorX")->trigger();
        ready();
        QCOMPARE(bridge().figures()->placement->rack(first).low.x, before.low.x + 5 * 600); // the first of six is the last
        QCOMPARE(bridge().historyPosition(), steps + 2);
        QCOMPARE(QString::fromStdString(bridge().document().undoName()), QString("Mirror left to right"));
        bridge().undo();
        bridge().undo();
        ready();
        QCOMPARE(bridge().figures()->placement->facing(first), facing);
    }
};

QTEST_MAIN(TestReshape)
#include "test_reshape.moc"
