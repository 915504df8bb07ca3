// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of objects in the real window: filter, sort, group, edit, fill down, paste, and one selection for all views.
#include "window_test.h"

#include "app/window/dialogs/array_dialog.h"
#include "app/window/dialogs/connect_ports_dialog.h"
#include "views/panels/list_view.h"
#include "views/tables/cell_edits.h"
#include "views/tables/entity_table_model.h"
#include "views/tables/entity_table_view.h"
#include "views/tables/paste_dialog.h"
#include "views/tables/tables_panel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>

using namespace hw;
using namespace hw::views;

class TestTables : public test::WindowTest {
    Q_OBJECT
    TablesPanel* panel() { return qobject_cast<TablesPanel*>(m_window->panel("tables")); }
    EntityTableModel* model() { return panel()->model(); }
    EntityTableView* table() { return panel()->table(); }
    int columnOf(const char* key)
    {
        for (int i = 0; i < model()->columnCount(); ++i)
            if (model()->columnAt(i)->key == key) return i;
        return -1;
    }
    void shows(EntityKind kind, std::size_t rows)
    {
        QTRY_VERIFY_WITH_TIMEOUT(model()->list() && model()->list()->kind() == kind && model()->rows().size() == rows, 20000);
    }
    void filter(const char* text) { panel()->findChild<QLineEdit*>("tableFilter")->setText(text); }
    QString cell(int row, const char* key) { return model()->index(row, columnOf(key)).data().toString(); }
    void chooseCells(int top, int bottom, const char* key)
    {
        table()->setFocus();
        const int column = columnOf(key);
        table()->selectionModel()->select(QItemSelection(model()->index(top, column), model()->index(bottom, column)),
                                          QItemSelectionModel::ClearAndSelect);
        table()->selectionModel()->setCurrentIndex(model()->index(top, column), QItemSelectionModel::NoUpdate);
    }
    /// Does something with the next dialog of a kind once it is open.
    template <class Dialog>
    void answer(std::function<void(Dialog&)> with)
    {
        auto* timer = new QTimer(this);
        connect(timer, &QTimer::timeout, this, [timer, with] {
            auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            timer->deleteLater();
            timer->stop();
            QPointer<Dialog> open = dialog;
            with(*dialog);
            if (open && open->isVisible()) open->reject(); // a check failed: the test goes on
        });
        timer->start(50);
    }
    void picture(const char* name)
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(300);
        QWidget* shown = QApplication::activeModalWidget() ? QApplication::activeModalWidget() : m_window.get();
        QVERIFY(shown->grab().save(folder + "/" + name));
    }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1600, 950}, Library::Later);
        m_window->raisePanel("tables");
        QVERIFY(panel());
        new QAbstractItemModelTester(model(), QAbstractItemModelTester::FailureReportingMode::Fatal, this);
        shows(EntityKind::Rack, bridge().snapshot()->racks.ids().size());
    }
    void cleanupTestCase() { closeWindow(); }
    void init()
    {
        panel()->setKind(EntityKind::Rack);
        filter("");
        shows(EntityKind::Rack, bridge().snapshot()->racks.ids().size());
    }

    /// Everything of a plane, chosen from a menu and selected in all views.
    void task_selectByFilter()
    {
        m_window->action("edit.selectByFilter")->trigger();
        panel()->setKind(EntityKind::Link);
        shows(EntityKind::Link, bridge().snapshot()->links.size());
        auto* menu = panel()->findChild<QToolButton*>("tableFilterBy")->menu();
        const auto choose = [&](const char* column, const QString& value) {
            menu->popup(m_window->mapToGlobal(QPoint(10, 10)));
            auto* values = menu->findChild<QMenu*>(QString("filterBy.") + column);
            QVERIFY2(values, column);
            values->popup(m_window->mapToGlobal(QPoint(60, 10)));
            QTRY_VERIFY_WITH_TIMEOUT(!values->isEmpty() && values->actions().front()->data().isValid(), 20000);
            QAction* chosen = nullptr;
            for (QAction* action : values->actions())
                if (action->data().toString() == value) chosen = action;
            QVERIFY2(chosen, qPrintable(value));
            chosen->trigger();
            values->close();
            menu->close();
        };
        const Snapshot& s = *bridge().snapshot();
        std::map<std::string, std::size_t> planes;
        s.links.forEach([&](LinkId link) {
            for (const PortId end : {s.links.from[link], s.links.to[link]})
                if (const auto plane = s.devices.plane[s.ports.device[end]]; plane >= 0) {
                    ++planes[std::to_string(plane + 1)];
                    break;
                }
        });
        QVERIFY(planes.size() > 1);
        choose("plane", "2");
        shows(EntityKind::Link, planes.at("2"));
        choose("plane", "1"); // another value of the same column replaces it
        shows(EntityKind::Link, planes.at("1"));
        QTest::mouseClick(panel()->findChild<QPushButton*>("tableSelectListed"), Qt::LeftButton);
        QCOMPARE(bridge().selection().size(), std::min<std::size_t>(planes.at("1"), 20'000));
        choose("network", QString::fromStdString(s.networks.name[s.networks.ids().front()]));
        QVERIFY(panel()->findChild<QLineEdit*>("tableFilter")->text().count(';') == 1);
    }

    void aFilterLeavesWhatHolds()
    {
        const auto load = [&](RackId id) { return bridge().figures()->power->rack(id).at(powerBasisOf(*bridge().snapshot())).count(); };
        std::size_t expected = 0;
        bridge().snapshot()->racks.forEach([&](RackId id) { expected += load(id) > 20'000'000; });
        QVERIFY(expected > 0 && expected < bridge().snapshot()->racks.ids().size());
        filter("load>20 kW");
        shows(EntityKind::Rack, expected);
        picture("tables-filter.png");
        filter("load>20");
        auto* problem = panel()->findChild<QLabel*>("tableProblem");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("unit"), qPrintable(problem->text()));
        filter("");
        QTRY_VERIFY(!problem->isVisible());
    }

    void aClickOnAHeaderSorts()
    {
        const int load = columnOf("load_mw");
        auto* header = table()->horizontalHeader();
        const auto click = [&] {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {header->sectionViewportPosition(load) + 10, header->height() / 2});
        };
        const auto number = [&](int row) {
            return model()->list()->number(model()->rows()[std::size_t(row)], model()->columns()[std::size_t(load)]).value_or(-1);
        };
        const int last = model()->rowCount() - 1;
        click();
        QTRY_VERIFY(number(0) < number(last));
        click();
        QTRY_VERIFY(number(0) > number(last));
    }

    void oneSelectionForAllViews()
    {
        chooseCells(2, 4, "name");
        QCOMPARE(bridge().selection().size(), std::size_t(3));
        QCOMPARE(bridge().selected(), model()->entityAt(2));
        const QString totals = panel()->findChild<QLabel*>("tableTotals")->text();
        QVERIFY2(totals.contains("3 racks selected"), qPrintable(totals));
        const EntityRef other = model()->entityAt(7);
        bridge().select(other); // as by a click in a drawing
        QCOMPARE(table()->selectedRows(), (std::vector<int>{7}));
        const DeviceId device = bridge().snapshot()->devices.ids().front();
        bridge().select(ref(device));
        m_window->action("edit.showInTable")->trigger();
        shows(EntityKind::Device, bridge().snapshot()->devices.ids().size());
        QTRY_COMPARE(model()->entityAt(table()->currentIndex().row()), ref(device));
    }

    void aCellIsEditedInPlace()
    {
        const auto revision = bridge().snapshot()->revision;
        const EntityRef rack = model()->entityAt(0);
        table()->setFocus();
        table()->setCurrentIndex(model()->index(0, columnOf("power_limit_mw")));
        QTest::keyClick(table(), Qt::Key_F2);
        auto* line = table()->viewport()->findChild<QLineEdit*>();
        QVERIFY(line);
        line->selectAll();
        QTest::keyClicks(line, "61 kW");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(bridge().snapshot()->racks.powerLimit[RackId(rack.id)].count(), std::int64_t(61'000'000));
        QCOMPARE(bridge().snapshot()->revision, revision + 1);
        QTRY_COMPARE(cell(0, "power_limit_mw"), QString("61 kW"));
        m_window->action("edit.undo")->trigger();
        QTRY_COMPARE(bridge().snapshot()->racks.powerLimit[RackId(rack.id)].count(), m_sample.snapshot->racks.powerLimit[RackId(rack.id)].count());
    }

    void fillDownIsOneStep()
    {
        settle();
        const auto limit = [&](int row) { return bridge().snapshot()->racks.powerLimit[RackId(model()->entityAt(row).id)].count(); };
        applyCells(bridge(), "Set", {{model()->entityAt(0), edit::findField(EntityKind::Rack, "power_limit"), "62 kW", cell(0, "power_limit_mw")}});
        QTRY_COMPARE(cell(0, "power_limit_mw"), QString("62 kW"));
        const auto revision = bridge().snapshot()->revision;
        chooseCells(0, 39, "power_limit_mw");
        QTest::keyClick(table(), Qt::Key_D, Qt::ControlModifier);
        QTRY_COMPARE(limit(39), std::int64_t(62'000'000));
        for (int row = 0; row < 40; ++row) QCOMPARE(limit(row), std::int64_t(62'000'000));
        QVERIFY(limit(40) != 62'000'000);
        QCOMPARE(bridge().snapshot()->revision, revision + 1);
        bridge().undo();
        bridge().undo();
    }

    void pastedCellsAreShownBeforeTheyAreSet()
    {
        settle();
        const QString rack0 = cell(0, "name"), rack1 = cell(1, "name");
        QGuiApplication::clipboard()->setText("Name\tPower limit\tSerial number\n" + rack1 + "\t63 kW\tSN-1\n" + rack0 +
                                              "\tmuch\tSN-0\nno-such-rack\t1 kW\tx\n");
        const auto revision = bridge().snapshot()->revision;
        answer<PasteDialog>([&](PasteDialog& dialog) {
            picture("tables-paste.png");
            QCOMPARE(dialog.settable(), 3);
            QCOMPARE(dialog.refused(), 1);
            const QString summary = dialog.findChild<QLabel*>("pasteSummary")->text();
            QVERIFY2(summary.contains("no-such-rack"), qPrintable(summary));
            auto* list = dialog.findChild<QTableWidget*>("pasteTable");
            QVERIFY2(list->item(0, 4)->text().contains("not a number"), qPrintable(list->item(0, 4)->text())); // problems come first
            dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        });
        chooseCells(0, 0, "name");
        panel()->pasteCells();
        const auto& racks = bridge().snapshot()->racks;
        const RackId first(model()->entityAt(0).id), second(model()->entityAt(1).id);
        QCOMPARE(racks.powerLimit[second].count(), std::int64_t(63'000'000));
        QCOMPARE(racks.serial[second], std::string("SN-1"));
        QCOMPARE(racks.serial[first], std::string("SN-0"));
        QCOMPARE(racks.powerLimit[first].count(), m_sample.snapshot->racks.powerLimit[first].count());
        QCOMPARE(bridge().snapshot()->revision, revision + 1);
        settle();
        // Canceled: nothing stays
        QGuiApplication::clipboard()->setText("SN-9");
        answer<PasteDialog>([](PasteDialog& dialog) { dialog.reject(); });
        chooseCells(0, 5, "serial");
        panel()->pasteCells();
        QCOMPARE(bridge().snapshot()->revision, revision + 1);
        bridge().undo();
        settle();
    }

    void whatIsCopiedCanBePastedAgain()
    {
        const std::vector<QStringList> rows{{"a", "b\tc", "d\ne"}, {"\"q\"", "", "f"}, {"", "", ""}};
        QCOMPARE(cellsOfText(textOfCells(rows)), rows);
        QCOMPARE(cellsOfText("x\ty\r\n1\t2"), (std::vector<QStringList>{{"x", "y"}, {"1", "2"}}));
        QVERIFY(cellsOfText("").empty());
        chooseCells(0, 1, "name");
        QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), cell(0, "name") + "\n" + cell(1, "name") + "\n");
    }

    void groupsOpenByADoubleClick()
    {
        panel()->setKind(EntityKind::Device);
        shows(EntityKind::Device, bridge().snapshot()->devices.ids().size());
        auto* by = panel()->findChild<QComboBox*>("tableBy");
        by->setCurrentIndex(by->findData("type"));
        emit by->activated(by->currentIndex());
        QTRY_VERIFY(panel()->groupList()->isVisible());
        picture("tables-groups.png");
        auto* list = panel()->groupList();
        QVERIFY(list->model()->rowCount() > 2);
        const QString type = list->model()->index(0, 0).data().toString();
        const auto members = std::size_t(list->model()->index(0, 1).data().toString().remove(',').toInt());
        emit list->doubleClicked(list->model()->index(0, 0));
        QTRY_VERIFY(table()->isVisible());
        shows(EntityKind::Device, members);
        for (int row = 0; row < model()->rowCount(); ++row) QCOMPARE(cell(row, "type"), type);
    }

    /// Takes a link out and connects the same two ports again: by what is free, by names, from a spreadsheet.
    void portsAreDisconnectedAndConnected()
    {
        settle();
        const auto links = bridge().snapshot()->links.size();
        LinkId link;
        bridge().snapshot()->links.forEach([&](LinkId id) { // of two whole ports, so that its cable is its own
            const auto& s = *bridge().snapshot();
            if (s.ports.medium[s.links.from[id]] == Medium::Power) link = id;
        });
        const PortId from = bridge().snapshot()->links.from[link], to = bridge().snapshot()->links.to[link];
        const std::string names[] = {bridge().nameOf(ref(from)).toStdString(), bridge().nameOf(ref(to)).toStdString()};
        const DeviceId devices[] = {bridge().snapshot()->ports.device[from], bridge().snapshot()->ports.device[to]};
        bridge().select(ref(link));
        m_window->action("edit.disconnect")->trigger();
        QCOMPARE(bridge().snapshot()->links.size(), links - 1);
        settle();
        const auto connected = [&] {
            const auto found = bridge().index().linkOf(from);
            return found && (bridge().snapshot()->links.to[*found] == to || bridge().snapshot()->links.from[*found] == to);
        };
        for (const int way : {0, 1, 2}) {
            QVERIFY(!connected());
            bridge().select({ref(devices[0]), ref(devices[1])});
            answer<app::ConnectPortsDialog>([&](app::ConnectPortsDialog& dialog) {
                const auto press = [&](const char* name) { QTest::mouseClick(dialog.findChild<QPushButton*>(name), Qt::LeftButton); };
                if (way == 0) {
                    press("connectMatch");
                } else if (way == 1) {
                    dialog.findChild<QLineEdit*>("connectFrom")->setText(QString::fromStdString(names[0]));
                    dialog.findChild<QLineEdit*>("connectTo")->setText(QString::fromStdString(names[1]));
                    press("connectAdd");
                } else {
                    QGuiApplication::clipboard()->setText(
                        QString::fromStdString("From\tTo\n" + names[0] + "\t" + names[1] + "\nno-such:1\t" + names[1] + "\n"));
                    press("connectPaste");
                    auto* list = dialog.findChild<QTableWidget*>("connectTable");
                    QTRY_COMPARE(list->rowCount(), 2);
                    QTRY_VERIFY2(list->item(1, 2)->text().contains("not found"), qPrintable(list->item(1, 2)->text()));
                }
                auto* apply = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
                QTRY_VERIFY(apply->isEnabled());
                picture(way == 0 ? "connect-match.png" : way == 1 ? "connect-names.png" : "connect-paste.png");
                dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
            });
            m_window->action("edit.connect")->trigger();
            settle();
            QVERIFY2(connected(), std::to_string(way).c_str());
            m_window->action("edit.undo")->trigger();
            settle();
        }
        m_window->action("edit.undo")->trigger();
        settle();
        QVERIFY(connected());
    }

    void anArrayIsOneStep()
    {
        settle();
        const auto racks = bridge().snapshot()->racks.size();
        const auto revision = bridge().snapshot()->revision;
        bridge().select(ref(bridge().snapshot()->racks.ids().front()));
        answer<app::ArrayDialog>([&](app::ArrayDialog& dialog) {
            dialog.findChild<QSpinBox*>("arrayColumns")->setValue(3);
            auto* state = dialog.findChild<QLabel*>("arrayState");
            QTRY_VERIFY2(state->text().contains("2 racks"), qPrintable(state->text()));
            dialog.findChild<QSpinBox*>("arrayRows")->setValue(2);
            QTRY_VERIFY2(state->text().contains("both pitches"), qPrintable(state->text()));
            dialog.findChild<QSpinBox*>("arrayRows")->setValue(1);
            auto* apply = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            QTRY_VERIFY(apply->isEnabled());
            picture("array.png");
            dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        });
        m_window->action("edit.array")->trigger();
        settle();
        QCOMPARE(bridge().snapshot()->racks.size(), racks + 2);
        QCOMPARE(bridge().snapshot()->revision, revision + 1);
        bridge().undo();
        settle();
        QCOMPARE(bridge().snapshot()->racks.size(), racks);
    }

    void everyKindIsShown()
    {
        auto* kinds = panel()->findChild<QComboBox*>("tableKind");
        for (const EntityKind kind : EntityList::kinds()) {
            kinds->setCurrentIndex(kinds->findData(int(kind)));
            emit kinds->activated(kinds->currentIndex());
            shows(kind, EntityList::count(*bridge().snapshot(), kind));
            table()->grab();
            if (kind == EntityKind::Cable) picture("tables-cables.png");
        }
    }
};

QTEST_MAIN(TestTables)
#include "test_tables.moc"
