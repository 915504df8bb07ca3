// SPDX-License-Identifier: GPL-3.0-or-later
// What is built against what is planned in the window, and the rules that bind what is measured there: seen before anything changes.
#include "window_test.h"

#include "app/window/dialogs/import_dialog.h"
#include "core/operations/asbuilt/compare_output.h"
#include "core/operations/asbuilt/segment.h"
#include "core/operations/bindings/binder.h"
#include "importers/formats.h"
#include "tests/asbuilt/built_hall.h"
#include "views/live/binding_rules_dialog.h"
#include "views/panels/asbuilt_panel.h"
#include "views/panels/list_view.h"
#include "views/twin/twin_view.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::views;

namespace {

const exchange::Importer& importer(const char* name)
{
    static const auto formats = [] {
        auto all = std::make_unique<exchange::Formats>();
        importers::registerFormats(*all);
        return all;
    }();
    return **formats->importer(name);
}

} // namespace

class TestBuilt : public test::WindowTest {
    Q_OBJECT

public:
    TestBuilt() : WindowTest(1) {}

private:
    /// The sample as it was built, two plugs exchanged and one cable left out, as a list of cables.
    app::Capture capture()
    {
        BuiltHall built(m_sample.figures);
        std::vector<BuiltHall::Plug*> some;
        for (auto& plug : built.plugs)
            if (some.size() < 3 && (some.empty() || built.s().ports.network[plug.a] == built.s().ports.network[some[0]->a])) some.push_back(&plug);
        std::swap(some[0]->b, some[1]->b);
        some[2]->there = false;
        std::string csv = "from_device,from_port,to_device,to_port\n";
        for (const auto& plug : built.plugs)
            if (plug.there) csv += built.device(plug.a) + "," + built.port(plug.a) + "," + built.device(plug.b) + "," + built.port(plug.b) + "\n";
        return {&importer("labels"), {{"scanned.csv", csv, {}}}};
    }
    AsBuiltPanel* panel() { return qobject_cast<AsBuiltPanel*>(m_window->panel("asbuilt")); }
    void click(const char* button) { panel()->findChild<QPushButton*>(button)->click(); }
    QString cell(QAbstractItemView* view, int row, int column) { return view->model()->index(row, column).data().toString(); }

    QString write(const char* name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        const bool opened = file.open(QIODevice::WriteOnly);
        Q_ASSERT(opened);
        file.write(bytes);
        return file.fileName();
    }
    static void type(BindingRulesDialog& dialog, const char* field, const QString& text)
    {
        dialog.findChild<QLineEdit*>(QString("rule.") + field)->setText(text);
    }

private slots:
    void initTestCase() { keepSettingsHere(); }
    void init() { openWindow({1280, 800}, Library::Later); }
    void cleanup() { closeWindow(); }

    /// For looking at: HALLWRIGHT_PICTURES names a folder; the window is as large as the screen, HALLWRIGHT_THEME is light or dark.
    void pictures()
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) QSKIP("HALLWRIGHT_PICTURES is not set");
        QDir().mkpath(folder);
        QScreen* screen = m_window->screen();
        const auto take = [&](const QString& name) {
            QTest::qWait(1500);
            screen->grabWindow(0).save(folder + "/" + name + ".png");
        };
        m_window->setTheme(qEnvironmentVariable("HALLWRIGHT_THEME") == "light" ? ThemeKind::Light : ThemeKind::Dark);
        m_window->move(0, 0);
        m_window->resize(screen->availableGeometry().size());
        m_window->resetLayout();
        m_window->compareAsBuilt(capture());
        QTRY_COMPARE_WITH_TIMEOUT(panel()->list()->model()->rowCount(), 2, 60000);
        panel()->list()->selectRow(0);
        take("50-built");
        auto* show = panel()->findChild<QComboBox*>("asbuiltShow");
        show->setCurrentIndex(show->findText("Acceptance gates"));
        emit show->activated(show->currentIndex());
        take("51-gates");
        m_window->action("live.rules")->trigger();
        take("52-rules");
        if (QWidget* open = QApplication::activeModalWidget()) open->close();
    }

    /// A capture is only compared; then it is kept, and taken back.
    void theCaptureIsComparedThenKept()
    {
        QVERIFY(m_window->findChild<QDockWidget*>("dock.asbuilt")->isHidden());
        m_window->raisePanel("asbuilt");
        QTRY_VERIFY_WITH_TIMEOUT(panel()->comparison() != nullptr, 30000);
        QVERIFY2(panel()->summary().contains("No as-built data yet. Import an LLDP, ibnetdiscover, NetBox or label-scan capture"),
                 qPrintable(panel()->summary()));
        const auto before = bridge().snapshot()->revision;
        const auto seen = capture();
        m_window->compareAsBuilt(seen);
        QTRY_COMPARE_WITH_TIMEOUT(panel()->list()->model()->rowCount(), 2, 60000);
        QCOMPARE(bridge().snapshot()->revision, before);
        QVERIFY2(panel()->summary().contains("scanned.csv, not saved"), qPrintable(panel()->summary()));

        // the same as the library says of a project that keeps it
        const auto plan = seen.importer->planTogether(seen.sources, m_sample.snapshot, {}).value();
        const auto told = asbuilt::compareStored(figuresOf(plan.after).value()).value();
        QCOMPARE(panel()->comparison()->differences.size(), told.differences.size());
        for (std::size_t i = 0; i < told.differences.size(); ++i) {
            QCOMPARE(panel()->comparison()->differences[i].id, told.differences[i].id);
            QCOMPARE(cell(panel()->list(), int(i), 1).toStdString(), words(told.differences[i].message));
        }

        QSignalSpy order(panel(), &AsBuiltPanel::workOrderRequested);
        disconnect(panel(), &AsBuiltPanel::workOrderRequested, m_window.get(), nullptr); // it asks for a file
        click("asbuiltOrder");
        QCOMPARE(order.count(), 1);

        const int steps = bridge().historyPosition();
        click("asbuiltKeep");
        QTRY_COMPARE_WITH_TIMEOUT(bridge().historyPosition(), steps + 1, 60000);
        QVERIFY(!bridge().snapshot()->observations.empty());
        QTRY_VERIFY_WITH_TIMEOUT(panel()->comparison() && !panel()->summary().contains("not saved"), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(panel()->list()->model()->rowCount(), 2, 60000);
        QVERIFY(panel()->findChild<QPushButton*>("asbuiltKeep")->isHidden());
        bridge().undo();
        QVERIFY(bridge().snapshot()->observations.empty());
        QTRY_VERIFY_WITH_TIMEOUT(panel()->summary().contains("No as-built data yet. Import an LLDP, ibnetdiscover, NetBox or label-scan capture"),
                                 60000);
        QCOMPARE(panel()->list()->model()->rowCount(), 0);
    }

    /// A click selects the cables and the devices at their ends; beside it stands what to do, and the choice of kinds holds.
    void aDifferenceIsSelectedEverywhere()
    {
        m_window->compareAsBuilt(capture());
        QTRY_COMPARE_WITH_TIMEOUT(panel()->list()->model()->rowCount(), 2, 60000);
        const auto& differences = panel()->comparison()->differences;
        const auto swapped = std::ranges::find(differences, asbuilt::Kind::Swapped, &asbuilt::Difference::kind);
        QVERIFY(swapped != differences.end());
        const int row = int(swapped - differences.begin());
        QTest::mouseClick(panel()->list()->viewport(), Qt::LeftButton, {},
                          panel()->list()->visualRect(panel()->list()->model()->index(row, 1)).center());
        QCOMPARE(bridge().selected().kind, EntityKind::Link);
        for (const LinkId link : swapped->links) QVERIFY(std::ranges::find(bridge().selection(), ref(link)) != bridge().selection().end());
        for (const auto& step : swapped->work) QVERIFY(std::ranges::find(bridge().selection(), ref(*step.device)) != bridge().selection().end());
        QCOMPARE(panel()->work()->model()->rowCount(), int(swapped->work.size()));
        QVERIFY(cell(panel()->work(), 0, 3).contains(" / "));
        auto* show = panel()->findChild<QComboBox*>("asbuiltShow");
        show->setCurrentIndex(show->findData(int(asbuilt::Kind::Missing)));
        emit show->activated(show->currentIndex());
        QCOMPARE(panel()->list()->model()->rowCount(), 1);
        const Snapshot& s = *bridge().snapshot(); // four gates of every segment of the backend
        int gates = 0;
        s.networks.forEach([&](NetworkId id) {
            if (s.networks.kind[id] == NetworkKind::Backend) gates += asbuilt::kGates * int(asbuilt::segmentsOf(s, id).size());
        });
        QVERIFY(gates > 0);
        show->setCurrentIndex(show->findText("Acceptance gates"));
        emit show->activated(show->currentIndex());
        QCOMPARE(panel()->list()->model()->rowCount(), gates);
        QCOMPARE(cell(panel()->list(), 0, 0), QString("open"));
        QVERIFY(cell(panel()->list(), 0, 1).startsWith("1. "));
        bridge().load(m_sample.snapshot, m_sample.figures); // another project: the capture was of the one before
        QTRY_VERIFY_WITH_TIMEOUT(panel()->summary().contains("No as-built data yet. Import an LLDP, ibnetdiscover, NetBox or label-scan capture"),
                                 60000);
    }

    /// Each step whole, whatever the width: in columns, or as a sentence over several lines; nothing is scrolled sideways for.
    void whatToDoIsReadableInASmallWindow()
    {
        m_window->compareAsBuilt(capture());
        QTRY_COMPARE_WITH_TIMEOUT(panel()->list()->model()->rowCount(), 2, 60000);
        panel()->list()->selectRow(0);
        ListView* work = panel()->work();
        QVERIFY(work->model()->rowCount() > 1);
        for (const QSize size : {QSize(1280, 720), QSize(3000, 1200), QSize(1280, 720)}) {
            m_window->resize(size);
            settle();
            const bool narrow = work->isColumnHidden(0);
            QCOMPARE(narrow, size.width() == 1280);
            QTRY_COMPARE(work->horizontalScrollBar()->maximum(), 0);
            for (int row = 0; row < work->model()->rowCount(); ++row) {
                const QString sentence = cell(work, row, 5);
                for (int column = 0; column < 4; ++column) QVERIFY2(sentence.contains(cell(work, row, column)), qPrintable(sentence));
                const QRect shown = work->visualRect(work->model()->index(row, narrow ? 5 : 0));
                const QRect needed = QFontMetrics(work->font()).boundingRect(QRect(0, 0, shown.width() - 12, 10000), Qt::TextWordWrap, sentence);
                QVERIFY2(!narrow || shown.height() >= needed.height(), qPrintable(QString("%1 < %2").arg(shown.height()).arg(needed.height())));
            }
        }
    }

    void aBrokenCaptureIsTold()
    {
        QSignalSpy told(&bridge(), &DocumentBridge::problem);
        m_window->compareAsBuilt({&importer("lldp"), {{"leaf1.json", "{\"lldp\": {\"interface\": 3}}", {}}}});
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 30000);
        QVERIFY2(told[0][0].toString().contains("leaf1.json"), qPrintable(told[0][0].toString()));
        QCOMPARE(panel()->list()->model()->rowCount(), 0);
    }

    /// Several files of a capture are read together by the dialog, with what it is told.
    void theDialogReadsFilesTogether()
    {
        const auto seen = capture();
        auto halves = seen.sources;
        halves.push_back(halves[0]);
        const auto middle = halves[0].content.find('\n', halves[0].content.size() / 2) + 1;
        halves[1].content = halves[0].content.substr(0, halves[0].content.find('\n') + 1) + halves[0].content.substr(middle);
        halves[1].path = "second.csv", halves[0].content.resize(middle);
        app::ImportDialog dialog(m_window->session(), *seen.importer, halves, nullptr);
        dialog.findChild<QLineEdit*>("device")->setText("a{n}=b{n}; c=d");
        QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QPushButton*>("applyImport")->isEnabled(), 30000);
        const auto told = dialog.told();
        QCOMPARE(told.size(), std::size_t(2));
        QCOMPARE(told[1].option("device"), std::string("a{n}=b{n}\n c=d"));
        QSignalSpy compare(&dialog, &app::ImportDialog::compareRequested);
        dialog.findChild<QPushButton*>("compareImport")->click();
        QCOMPARE(compare.count(), 1);
        QVERIFY(bridge().snapshot()->observations.empty());
        dialog.findChild<QLineEdit*>("device")->clear();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QPushButton*>("applyImport")->isEnabled(), 30000);
        dialog.findChild<QPushButton*>("applyImport")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!bridge().snapshot()->observations.empty(), 30000);
    }

    /// What a rule would do is seen while it is written; then it is one step. What it says is what the binder does.
    void aRuleIsTriedThenMade()
    {
        const Snapshot& s = *m_sample.snapshot;
        const auto racks = s.racks.ids();
        const std::string one = s.racks.name[racks[0]], two = s.racks.name[racks[1]];
        const QString file = write("channels.txt", QByteArray::fromStdString("plc/" + one + "/kw\nplc/" + two + "/kw\nplc/nowhere/kw\n"));
        BindingRulesDialog dialog(bridge(), m_window->live(), nullptr);
        auto* apply = dialog.findChild<QPushButton*>("ruleApply");
        dialog.readChannels(file);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.summary().contains("3 unbound"), 30000);
        QVERIFY(!apply->isEnabled()); // nothing is written yet
        type(dialog, "channel", "plc/{rack}/kw");
        type(dialog, "entity", "{rack}");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<QLabel*>("ruleProblem")->text().isEmpty(), 30000); // no measure yet
        QVERIFY(!apply->isEnabled());
        dialog.findChild<QComboBox*>("rule.measure")->setCurrentText("active-power");
        type(dialog, "unit", "Cel");
        QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QLabel*>("ruleProblem")->text().contains("unit"), 30000);
        type(dialog, "unit", "kW");
        QTRY_VERIFY_WITH_TIMEOUT(apply->isEnabled(), 30000);
        QVERIFY2(dialog.summary().contains("<b>0 → 2</b> bound") && dialog.summary().contains("<b>3 → 1</b> unbound"), qPrintable(dialog.summary()));
        QTRY_COMPARE_WITH_TIMEOUT(dialog.list()->model()->rowCount(), 3, 30000); // the third one has another reason now
        const int steps = bridge().historyPosition();
        QVERIFY(bridge().snapshot()->bindingRules.empty());
        apply->click();
        QCOMPARE(bridge().historyPosition(), steps + 1);
        settle();
        const std::vector<bindings::ChannelText> channels{{"plc/" + one + "/kw", {}, {}}, {"plc/" + two + "/kw", {}, {}}, {"plc/nowhere/kw", {}, {}}};
        QCOMPARE(bindings::bind(bridge().figures(), channels)->bound, std::size_t(2));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.summary().contains("2 bound") && !apply->isEnabled(), 30000); // nothing more to change
        QCOMPARE(dialog.findChild<QListWidget*>("rules")->count(), 2);

        type(dialog, "entity", "-"); // set aside instead
        dialog.findChild<QComboBox*>("rule.measure")->setCurrentText("");
        type(dialog, "unit", "");
        QTRY_VERIFY_WITH_TIMEOUT(dialog.summary().contains("<b>0 → 3</b> ignored"), 30000);
        apply->click();
        QCOMPARE(bridge().historyPosition(), steps + 2);
        QCOMPARE(bridge().snapshot()->bindingRules.size(), std::size_t(1));
        bridge().undo(), bridge().undo();
        QVERIFY(bridge().snapshot()->bindingRules.empty());
        QCOMPARE(dialog.findChild<QListWidget*>("rules")->count(), 1);
        bridge().redo();
        dialog.findChild<QListWidget*>("rules")->setCurrentRow(0);
        dialog.findChild<QPushButton*>("ruleRemove")->click();
        QVERIFY(bridge().snapshot()->bindingRules.empty());
    }

    /// Two rules cannot have one name, and a rule of the name of a rack is refused and told.
    void aTakenNameIsRefused()
    {
        BindingRulesDialog dialog(bridge(), m_window->live(), nullptr);
        dialog.beginFor("metric{a=\"1\"}", "W");
        QCOMPARE(dialog.findChild<QLineEdit*>("rule.channel")->text(), QString("metric"));
        type(dialog, "entity", "{a}"), type(dialog, "labels", "a={a}");
        dialog.findChild<QComboBox*>("rule.measure")->setCurrentText("active-power");
        type(dialog, "name", QString::fromStdString(m_sample.snapshot->racks.name[m_sample.snapshot->racks.ids().front()]));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<QLabel*>("ruleProblem")->text().isEmpty(), 30000);
        QVERIFY(!dialog.findChild<QPushButton*>("ruleApply")->isEnabled());
        type(dialog, "name", "mine");
        QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QPushButton*>("ruleApply")->isEnabled(), 30000);
    }
};

int main(int argc, char** argv)
{
    TwinView::prepareApplication();
    test::keepSettingsApart();
    QApplication application(argc, argv);
    TestBuilt test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_built.moc"
