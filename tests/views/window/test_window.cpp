// SPDX-License-Identifier: GPL-3.0-or-later
// Real clicks and keys on the real window.
#include "window_test.h"

#include "app/window/dialogs/parameters_dialog.h"
#include "app/window/main_window.h"
#include "tests/figures/same_figures.h"
#include "views/bridge/network_filter.h"
#include "views/fabric/fabric_canvas.h"
#include "views/fabric/fabric_view.h"
#include "views/models/project_tree_model.h"
#include "views/panels/bom_panel.h"
#include "views/panels/budgets_panel.h"
#include "views/panels/find_palette.h"
#include "views/panels/findings_panel.h"
#include "views/panels/list_view.h"
#include "views/panels/message_bar.h"
#include "views/panels/parameter_form.h"
#include "views/panels/tree_panel.h"
#include "views/plan/elevation_view.h"
#include "views/plan/plan_view.h"
#include "views/twin/twin_view.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeView>

using namespace hw;
using namespace hw::app;
using namespace hw::views;

class TestWindow : public test::WindowTest {
    Q_OBJECT

    TreePanel* tree() { return qobject_cast<TreePanel*>(m_window->panel("tree")); }
    RackId someRack() const { return m_sample.snapshot->racks.ids()[5]; }

private slots:
    void initTestCase() { keepSettingsHere(); }

    void init()
    {
        openWindow({1400, 900}, Library::Loaded);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        settle();
    }

    void cleanup() { closeWindow(); }

    void selectionIsOneEverywhere()
    {
        const EntityRef rack = ref(someRack());
        for (QModelIndex at = tree()->viewIndexOf(rack); at.isValid(); at = at.parent()) tree()->view()->expand(at);
        tree()->view()->scrollTo(tree()->viewIndexOf(rack));
        QTest::mouseClick(tree()->view()->viewport(), Qt::LeftButton, {}, tree()->view()->visualRect(tree()->viewIndexOf(rack)).center());
        QCOMPARE(bridge().selected(), rack);
        QCOMPARE(m_window->central()->elevation()->rack(), std::optional(someRack()));
        QCOMPARE(m_window->panel("inspector")->findChild<QLineEdit*>("inspectorName")->text(), bridge().nameOf(rack));
        if (auto* twin = m_window->central()->twin()) QCOMPARE(twin->selection(), rack);

        const RackId other = m_sample.snapshot->racks.ids()[20];
        plan()->zoomTo(ref(other));
        QTest::mouseClick(plan(), Qt::LeftButton, {}, plan()->screenRect(ref(other)).center().toPoint());
        QCOMPARE(bridge().selected(), ref(other));
        QCOMPARE(tree()->model()->entityAt(tree()->model()->indexOf(ref(other))), ref(other));
        QVERIFY(tree()->view()->selectionModel()->isSelected(tree()->viewIndexOf(ref(other))));
    }

    void dragOfARowMovesNumbersAndUndoRestores()
    {
        const RowId row = firstRow();
        const auto before = bridge().figures()->get<CableTotalsNode>();
        m_window->raisePanel("bom");
        auto* bom = qobject_cast<BomPanel*>(m_window->panel("bom"));
        QTRY_VERIFY(bom->total().count() > 0);
        const Money cost = bom->total();
        plan()->zoomTo(ref(row));
        const QPoint from = plan()->tagRect(row).center().toPoint();
        QVERIFY(plan()->rect().contains(from));
        QTest::mousePress(plan(), Qt::LeftButton, {}, from);
        const int pixels = int(6000 * plan()->camera().scale);
        for (int i = 1; i <= 6; ++i) QTest::mouseMove(plan(), from + QPoint(0, pixels * i / 6), 5);
        QTRY_VERIFY(bridge().figures()->get<CableTotalsNode>().lengthMm != before.lengthMm); // live, before the release
        QVERIFY(bridge().previewing());
        QTest::mouseRelease(plan(), Qt::LeftButton, {}, from + QPoint(0, pixels));
        QVERIFY(!bridge().previewing());
        settle();
        QVERIFY(m_sample.snapshot->rows.y[row] != bridge().snapshot()->rows.y[row]);
        QCOMPARE(bridge().snapshot()->rows.y[row].count() % 100, m_sample.snapshot->rows.y[row].count() % 100); // snapped
        QTRY_VERIFY(bom->total() != cost);
        const QString undo = m_window->action("edit.undo")->text(); // with how far it went
        QVERIFY2(undo.startsWith("&Undo: Move " + bridge().nameOf(ref(row)) + "  x ") && undo.contains(" m, y "), qPrintable(undo));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QVERIFY(sameContent(*bridge().snapshot(), *m_sample.snapshot));
        QVERIFY(test::sameFigures(*bridge().figures(), *computeFigures(bridge().snapshot()).value()));
        QTRY_COMPARE(bom->total().count(), cost.count());
    }

    void escapeGivesUpADrag()
    {
        const RowId row = firstRow();
        plan()->zoomTo(ref(row));
        const QPoint from = plan()->tagRect(row).center().toPoint();
        QTest::mousePress(plan(), Qt::LeftButton, {}, from);
        QTest::mouseMove(plan(), from + QPoint(40, 40), 5);
        QTest::mouseMove(plan(), from + QPoint(60, 60), 5);
        QTRY_VERIFY(bridge().previewing());
        QTest::keyClick(plan(), Qt::Key_Escape);
        QVERIFY(!bridge().previewing());
        QTest::mouseRelease(plan(), Qt::LeftButton, {}, from + QPoint(60, 60));
        QVERIFY(!bridge().document().canUndo());
        QVERIFY(test::sameFigures(*bridge().figures(), *m_sample.figures));
    }

    void arrowsNudge()
    {
        const RowId row = firstRow();
        bridge().select(ref(row));
        plan()->setFocus();
        QTest::keyClick(plan(), Qt::Key_Right);
        QCOMPARE(bridge().snapshot()->rows.x[row].count(), m_sample.snapshot->rows.x[row].count() + 100);
        QTest::keyClick(plan(), Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(bridge().snapshot()->rows.y[row].count(), m_sample.snapshot->rows.y[row].count() + 600);
        QCOMPARE(bridge().historyPosition(), 2);
    }

    void renameInTheInspector()
    {
        const EntityRef rack = ref(someRack());
        bridge().select(rack);
        auto* name = m_window->panel("inspector")->findChild<QLineEdit*>("inspectorName");
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, "the good rack");
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(bridge().nameOf(rack), QString("the good rack"));
        QTRY_COMPARE(tree()->model()->data(tree()->model()->indexOf(rack), ProjectTreeModel::NameRole).toString(), QString("the good rack"));
    }

    void placeInTheInspector()
    {
        const RowId row = firstRow();
        bridge().select(ref(row));
        auto* x = m_window->panel("inspector")->findChild<QLineEdit*>("inspectorX");
        const int before = m_sample.snapshot->rows.x[row].count();
        x->setFocus();
        x->selectAll();
        QTest::keyClicks(x, QString::number(before + 300) + " mm");
        QTest::keyClick(x, Qt::Key_Return);
        QCOMPARE(bridge().snapshot()->rows.x[row].count(), before + 300);
    }

    void parametersPreviewEqualsResult()
    {
        m_window->action("design.parameters")->trigger();
        auto* dialog = m_window->findChild<ParametersDialog*>();
        QVERIFY(dialog);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->form()->acceptable(), 60000);
        const DesignCounts before = *dialog->form()->counts();
        auto* segments = dialog->form()->field("segments");
        segments->setFocus();
        segments->selectAll();
        QTest::keyClicks(segments, "3");
        QTRY_VERIFY_WITH_TIMEOUT(dialog->form()->acceptable() && dialog->form()->counts()->servers != before.servers, 60000);
        const DesignCounts preview = *dialog->form()->counts();
        QTest::mouseClick(dialog->applyButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(bridge().historyPosition(), 1, 60000);
        settle();
        QCOMPARE(countDesign(*bridge().figures()), preview);
        bridge().undo();
        settle();
        QVERIFY(sameContent(*bridge().snapshot(), *m_sample.snapshot));
    }

    void findByNameAndZoom()
    {
        const RackId rack = m_sample.snapshot->racks.ids()[40];
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(m_window->palette()->isVisible());
        QTest::keyClicks(m_window->palette()->field(), bridge().nameOf(ref(rack)));
        QTest::keyClick(m_window->palette()->field(), Qt::Key_Return);
        QVERIFY(!m_window->palette()->isVisible());
        QCOMPARE(bridge().selected(), ref(rack));
        QVERIFY(QRectF(plan()->rect()).contains(plan()->screenRect(ref(rack))));
        QVERIFY(plan()->screenRect(ref(rack)).width() > 20);
    }

    void findRunsCommands()
    {
        m_window->openFind();
        QTest::keyClicks(m_window->palette()->field(), "color by power");
        QTest::keyClick(m_window->palette()->field(), Qt::Key_Return);
        QCOMPARE(m_window->overlay(), std::string("power"));
    }

    void waiveAFinding()
    {
        m_window->raisePanel("findings");
        auto* panel = qobject_cast<FindingsPanel*>(m_window->panel("findings"));
        bridge().edit("break something", [&](Transaction& t) { // a rack on top of its neighbor's limit: any finding will do
            t->racks.powerLimit.set(someRack(), Milliwatts(1));
            return Result<void>();
        });
        settle();
        QTRY_VERIFY(panel->list()->model()->rowCount() > 0);
        const auto open = bridge().findings()->errors + bridge().findings()->warnings + bridge().findings()->infos;
        QTest::mouseClick(panel->list()->viewport(), Qt::LeftButton, {}, panel->list()->visualRect(panel->list()->model()->index(0, 0)).center());
        auto* reason = panel->findChild<QLineEdit*>("waiveReason");
        QVERIFY(reason->isEnabled());
        QTest::keyClicks(reason, "agreed with the owner");
        QTest::mouseClick(panel->findChild<QPushButton*>("waiveButton"), Qt::LeftButton);
        QCOMPARE(bridge().snapshot()->waivers.size(), m_sample.snapshot->waivers.size() + 1);
        settle();
        QCOMPARE(bridge().findings()->errors + bridge().findings()->warnings + bridge().findings()->infos, open - 1);
    }

    void saveReopen()
    {
        const QString path = m_folder.filePath("pod.hall");
        bridge().select(ref(firstRow()));
        plan()->setFocus();
        QTest::keyClick(plan(), Qt::Key_Right);
        m_window->session().saveAs(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        QTRY_VERIFY(!m_window->session().modified());
        QTest::keyClick(plan(), Qt::Key_Right);
        QVERIFY(m_window->session().modified());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().durability(), Session::Durability::Journaled, 5000);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().durability(), Session::Durability::Saved, 10000);
        const SnapshotPtr saved = bridge().snapshot();
        m_window.reset();
        m_window = std::make_unique<MainWindow>(nullptr);
        m_window->show();
        m_window->session().open(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        QVERIFY(sameContent(*bridge().snapshot(), *saved));
        QVERIFY(Session::recentFiles().contains(path));
        QVERIFY(!m_window->session().modified());
        settle();
    }

    void recoversWhatWasNotSaved()
    {
        const QString path = m_folder.filePath("before.hall"), left = m_folder.filePath("left-behind.hall");
        m_window->session().saveAs(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        bridge().select(ref(firstRow()));
        plan()->setFocus();
        QTest::keyClick(plan(), Qt::Key_Right);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().durability(), Session::Durability::Journaled, 5000);
        const SnapshotPtr moved = bridge().snapshot();
        const QStringList moves = bridge().history();
        QCOMPARE(moves.size(), 1);
        QVERIFY(QFile::copy(path, left)); // what a killed program leaves behind
        if (QFile::exists(path + "-wal")) QVERIFY(QFile::copy(path + "-wal", left + "-wal"));
        m_window->session().discardChanges();
        m_window = std::make_unique<MainWindow>(nullptr);
        m_window->show();
        m_window->session().open(left);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), left, 60000);
        QVERIFY(sameContent(*bridge().snapshot(), *moved));
        QTRY_VERIFY(!m_window->messages()->text().isEmpty());
        QVERIFY(m_window->session().modified());
        QCOMPARE(bridge().history(), moves); // and it can still be undone, by its name
        QVERIFY(m_window->action("edit.undo")->text().contains(moves.last()));
        m_window->action("edit.undo")->trigger();
        QVERIFY(sameContent(*bridge().snapshot(), *m_sample.snapshot));
        m_window->action("edit.redo")->trigger();
        QVERIFY(sameContent(*bridge().snapshot(), *moved));
        for (auto* button : m_window->messages()->findChildren<QPushButton*>())
            if (button->text() == "Revert to last save") QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(sameContent(*bridge().snapshot(), *m_sample.snapshot));
        settle();
    }

    void budgetsAreThere()
    {
        auto* budgets = qobject_cast<BudgetsPanel*>(m_window->panel("budgets"));
        QTRY_VERIFY(budgets->cards().size() >= 4);
        QCOMPARE(budgets->keys().front().value, QString("2,048")); // 2 segments of 128 hosts of 8
    }

    /// The fabric takes turns with the halls, reveals what is searched, and draws on paper.
    void fabricIsATabOfItsOwn()
    {
        FabricView* fabric = m_window->central()->fabric();
        QVERIFY(m_window->shown("plan") && !m_window->shown("fabric"));
        m_window->action("view.fabric")->trigger();
        QVERIFY(m_window->shown("fabric") && !m_window->shown("plan"));
        QTRY_VERIFY_WITH_TIMEOUT(fabric->canvas()->model() != nullptr, 20000);
        const EntityRef tor = *findEntity(*m_sample.snapshot, *m_sample.figures->parts, "pod1-seg02-tor-rail3-plane2");
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(m_window->palette()->isVisible());
        QTest::keyClicks(m_window->palette()->field(), "pod1-seg02-tor-rail3-plane2");
        QTest::keyClick(m_window->palette()->field(), Qt::Key_Return);
        QCOMPARE(bridge().selected(), tor);
        const auto box = [&] { return fabric->canvas()->model()->leafOf(fabric->canvas()->model()->index().memberOf(DeviceId(tor.id))); };
        QCOMPARE(fabric->canvas()->model()->boxes()[std::size_t(box())].kind, FabricBox::Kind::Device);
        QTRY_VERIFY(fabric->canvas()->boxRect(box()).width() > 8); // it has slid into place
        QCOMPARE(tree()->model()->entityAt(tree()->model()->indexOf(tor)), tor);
        m_window->setShown("twin", true);
        QVERIFY(m_window->shown("plan") && !m_window->shown("fabric"));
    }

    void networksAreFilteredInEveryView()
    {
        NetworkFilter* filter = m_window->central()->networks();
        const auto networks = m_sample.snapshot->networks.ids();
        const auto row = [&](NetworkId id) { return tree()->viewIndexOf(ref(id)).row(); };
        const QImage before = plan()->grab().toImage();
        filter->setShown(networks.front(), false);
        QVERIFY(tree()->view()->isRowHidden(row(networks.front()), {}));
        QVERIFY(plan()->grab().toImage() != before);
        filter->showOnly(networks.front());
        for (const NetworkId id : networks) QCOMPARE(tree()->view()->isRowHidden(row(id), {}), id != networks.front());
        filter->showAll();
        for (const NetworkId id : networks) QVERIFY(!tree()->view()->isRowHidden(row(id), {}));
        QCOMPARE(plan()->grab().toImage(), before);
    }

    void everyActionHasAName()
    {
        for (QAction* action : m_window->actions()) {
            QVERIFY(!action->text().isEmpty());
            QVERIFY(!action->objectName().isEmpty());
        }
    }
};

int main(int argc, char** argv)
{
    TwinView::prepareApplication();
    QApplication application(argc, argv);
    TestWindow test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_window.moc"
