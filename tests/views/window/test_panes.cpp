// SPDX-License-Identifier: GPL-3.0-or-later
// Views of the middle of the window: the map of interconnects, failures and findings in the one-line diagrams.
#include "window_test.h"

#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/dialogs/settings_dialog.h"
#include "core/derived/tiers/tier_proof.h"
#include "core/derived/values/host_fields.h"
#include "core/derived/values/impact_fields.h"
#include "core/design/edit/edits.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/phases.h"
#include "core/operations/asbuilt/segment.h"
#include "core/output/exchange/design_stamp.h"
#include "core/output/interconnects/interconnects.h"
#include "views/charts/scatter_chart.h"
#include "views/interconnects/interconnect_view.h"
#include "views/live/job_watch.h"
#include "views/panels/findings_panel.h"
#include "views/panels/impact_panel.h"
#include "views/panels/list_view.h"
#include "views/panels/message_bar.h"
#include "views/panels/phase_bar.h"
#include "views/panels/settings_form.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_view.h"
#include "views/style/format.h"
#include "views/style/units.h"
#include "views/tables/entity_table_model.h"
#include "views/tables/tables_panel.h"
#include "views/values/overlay_source.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSet>
#include <QSlider>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>

using namespace hw;
using namespace hw::views;

class TestPanes : public test::WindowTest {
    Q_OBJECT
public:
    TestPanes() : WindowTest(1) {}

private:
    InterconnectView* interconnects() { return m_window->central()->interconnects(); }
    /// HALLWRIGHT_PICTURES names a folder.
    QImage picture(const QString& name)
    {
        const QImage image = m_window->grab().toImage();
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (!folder.isEmpty()) (void)image.save(folder + "/" + name);
        return image;
    }
    static QPoint rowCenter(ListView* list, int row)
    {
        const QModelIndex at = list->model()->index(row, 0);
        list->scrollTo(at);
        return list->visualRect(at).center();
    }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1600, 1000}, Library::Later);
    }
    void cleanupTestCase() { closeWindow(); }

    /// A panel or pane is called the same in the menu and where it is.
    void oneNameEach()
    {
        int seen = 0;
        for (const QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
            const QString name = dock->objectName().section('.', 1);
            const QAction* action = m_window->action("view." + name);
            QVERIFY2(action, qPrintable(name));
            QCOMPARE(dock->windowTitle(), QString(action->text()).remove('&'));
            ++seen;
        }
        QVERIFY(seen > 20);
        const auto* tabs = m_window->central()->findChild<QTabWidget*>();
        QStringList titles;
        for (int i = 0; i < tabs->count(); ++i) titles << tabs->tabText(i);
        QCOMPARE(titles, (QStringList{"Halls", "Fabric", "Power chain", "Cooling loops", "Interconnects"}));
    }

    /// Figures of the command; rows and marks choose each other; an edit is followed; the export is the command's.
    void mapOfInterconnects()
    {
        auto* action = m_window->findChild<QAction*>("view.interconnects");
        QVERIFY(action && !action->associatedObjects().isEmpty());
        action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(interconnects()->map(), 30000);
        const InterconnectMap map = interconnectsOf(*bridge().figures());
        QVERIFY(map.links.size() >= 3);
        auto* list = interconnects()->list();
        QCOMPARE(std::size_t(list->model()->rowCount()), map.links.size() + interconnectKinds().size());
        QCOMPARE(interconnects()->chart()->marks().size(), interconnectMarks(map).size());
        picture("interconnects.png");

        std::size_t network = 0;
        while (!map.links[network].id) ++network;
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, rowCenter(list, int(network)));
        QCOMPARE(bridge().selected(), ref(*map.links[network].id));
        QCOMPARE(interconnects()->chart()->current(), std::optional(int(network)));

        auto* chart = interconnects()->chart();
        const int technology = -1 - int(interconnectKinds().size() - 1); // the farthest, with nothing near it
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->placeOf(technology)->toPoint());
        QCOMPARE(chart->current(), std::optional(technology));
        QCOMPARE(list->currentRow()->key, QString::number(technology));

        (void)bridge().edit("Move", [&](Transaction& t) { return edit::moveEntity(t, ref(firstRow()), 0, 9000); });
        settle();
        const InterconnectMap moved = interconnectsOf(*bridge().figures());
        const auto longest = [](const InterconnectMap& of) {
            double most = 0;
            for (const auto& one : of.links) most = std::max(most, one.longestM);
            return most;
        };
        QVERIFY(longest(moved) != longest(map));
        QTRY_COMPARE(longest(*interconnects()->map()), longest(moved));

        const QString file = m_folder.filePath("map.svg");
        answerFileDialog(file);
        QTest::mouseClick(interconnects()->findChild<QToolButton*>("interconnectExport"), Qt::LeftButton);
        QTRY_VERIFY(QFile::exists(file) && !bridge().jobs().busy("export"));
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QCOMPARE(in.readAll().toStdString(), interconnectSvg(moved, DesignStamp::of(*bridge().snapshot())));
        bridge().undo();

        m_window->resize(1280, 720);
        QTest::qWait(100);
        QVERIFY(m_window->width() <= 1280 && chart->width() > 300 && list->width() > 200);
        picture("interconnects-small.png");
        m_window->resize(1600, 1000);
        action->trigger(); // again: back to the halls
        QVERIFY(!interconnects()->isVisible());
    }

    /// The project goes over to a currency that nothing named before, and gets a rate of another one: fields appear where they are needed.
    void exchangeRates()
    {
        app::SettingsDialog dialog(m_window->session(), m_window.get());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const auto field = [&](const char* key) { return qobject_cast<QLineEdit*>(dialog.form()->editor(key)); };
        const auto type = [](QLineEdit* into, const char* text) {
            into->setFocus();
            into->selectAll();
            QTest::keyClicks(into, text);
        };
        auto* apply = dialog.findChild<QPushButton*>("applySettings");
        QVERIFY(!field("currency.USD.rate"));
        type(field("project.currency"), "EUR");
        QVERIFY(field("currency.USD.rate")); // prices of the catalog are in it
        QTest::mouseClick(apply, Qt::LeftButton);
        QVERIFY(dialog.isVisible()); // refused: without a rate every sum would be wrong
        QCOMPARE(settingOf(*bridge().snapshot(), "project.currency"), std::string("USD"));
        type(field("currency.USD.rate"), "0.92");
        type(field("currency.USD.date"), "2026-11-20");
        type(field("currency.USD.source"), "ECB");
        auto* code = dialog.findChild<QLineEdit*>("currencyCode");
        auto* add = dialog.findChild<QPushButton*>("currencyAdd");
        type(code, "x1");
        QVERIFY(!add->isEnabled());
        type(code, "chf");
        QVERIFY(add->isEnabled());
        QTest::mouseClick(add, Qt::LeftButton);
        QVERIFY(field("currency.CHF.rate"));
        type(field("currency.CHF.rate"), "1.05");
        if (const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES"); !folder.isEmpty()) {
            dialog.findChild<QLineEdit*>("settingFilter")->setText("currency");
            QTest::qWait(100);
            (void)dialog.grab().save(folder + "/exchange-rates.png");
        }
        QTest::mouseClick(apply, Qt::LeftButton);
        QVERIFY(!dialog.isVisible());
        const Snapshot& s = *bridge().snapshot();
        QCOMPARE(settingOf(s, "project.currency"), std::string("EUR"));
        QCOMPARE(s.setting("currency.USD.rate"), std::string("0.92"));
        QCOMPARE(s.setting("currency.USD.source"), std::string("ECB"));
        QVERIFY(!s.setting("currency.CHF.rate").empty());
        bridge().undo(); // one step
        QCOMPARE(settingOf(*bridge().snapshot(), "project.currency"), std::string("USD"));
        QCOMPARE(bridge().snapshot()->setting("currency.USD.rate", "none"), std::string("none"));
        settle();
    }

    /// Sums in the currency that was chosen, at the rate of the project; the files and the project stay as they are.
    void task_displayCurrency()
    {
        QVERIFY(bridge().edit("Rate", [](Transaction& t) -> Result<void> {
            for (const auto& [key, value] :
                 {std::pair("currency.EUR.rate", "1.25"), {"currency.EUR.date", "2026-11-20"}, {"currency.EUR.source", "ECB"}})
                if (auto done = edit::setSetting(t, key, value); !done) return done;
            return {};
        }));
        settle();
        m_window->raisePanel("cost");
        auto* cost = qobject_cast<QTextBrowser*>(m_window->panel("cost"));
        QTRY_VERIFY_WITH_TIMEOUT(cost->toPlainText().contains(" USD per accelerator-hour"), 30000);
        const auto perHour = [&] { return cost->toPlainText().section(' ', 0, 0).toDouble(); };
        const double dollars = perHour();
        const QImage before = picture("currency-before.png");
        m_window->action("edit.preferences")->trigger();
        app::PreferencesDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<app::PreferencesDialog*>()) && dialog->isVisible());
        QTest::keyClicks(dialog->search(), "currency");
        auto* choice = dialog->choice("currency");
        QVERIFY(choice->isVisible() && !dialog->choice("theme")->isVisible());
        QTest::keyClicks(choice, "EUR");
        QCOMPARE(choice->currentText(), QString("EUR"));
        if (const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES"); !folder.isEmpty())
            (void)dialog->grab().save(folder + "/currency-preference.png");
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(cost->toPlainText().contains(" EUR per accelerator-hour"), 30000);
        QVERIFY(std::abs(perHour() - dollars / 1.25) < 2e-4);
        QVERIFY2(cost->toPlainText().contains("1 EUR = 1.25 USD (2026-11-20, ECB)"), qPrintable(cost->toPlainText().left(400)));
        QCOMPARE(money(Money(12'500'000)), QString("EUR 1,000"));
        m_window->raisePanel("bom");
        auto* bom = m_window->panel("bom");
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(bom->findChildren<QLabel*>(),
                                                     [](QLabel* label) { return label->text().contains("1 EUR = 1.25 USD (2026-11-20, ECB)"); }),
                                 30000);
        QVERIFY(picture("currency-after.png") != before);
        QCOMPARE(settingOf(*bridge().snapshot(), "project.currency"), std::string("USD"));
        bridge().undo(); // the rate is gone: sums are in the project's currency again
        settle();
        m_window->raisePanel("cost");
        QTRY_VERIFY_WITH_TIMEOUT(cost->toPlainText().contains(" USD per accelerator-hour"), 30000);
        QVERIFY(perHour() == dollars);
        m_window->setCurrency({});
        QVERIFY(!displayCurrency());
    }

    /// The row of a rack gets a phase, which is added, in one step.
    void assignedPhase()
    {
        const RackId rack = m_sample.snapshot->racks.ids().back();
        bridge().select(ref(rack));
        m_window->action("design.phase")->trigger();
        QTRY_VERIFY(QApplication::activeModalWidget());
        auto* dialog = QApplication::activeModalWidget();
        auto* scope = dialog->findChild<QComboBox*>("phaseScope");
        scope->setCurrentIndex(1);
        QVERIFY(dialog->findChild<QLabel*>("phaseState")->text().startsWith("1 object")); // its row
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(!QApplication::activeModalWidget());
        const PhaseIndex phases(*bridge().snapshot());
        QCOMPARE(phases.of(m_sample.snapshot->racks.row[rack]), 2);
        QCOMPARE(phases.of(rack), 2);
        bridge().undo();
        QVERIFY(PhaseIndex(*bridge().snapshot()).single());
        settle();
    }

    /// The slider shows the design as installed by a phase in all views, and nothing can be edited there; at its right end all of it again.
    void task_phaseSlider()
    {
        auto* bar = m_window->phaseBar();
        QVERIFY(!bar->isVisible()); // of a design with one phase
        const RackId rack = m_sample.snapshot->racks.ids().back();
        const RowId row = m_sample.snapshot->racks.row[rack];
        const auto whole = bridge().snapshot()->racks.size();
        bridge().select(ref(row));
        m_window->action("design.phase")->trigger();
        QTRY_VERIFY(QApplication::activeModalWidget());
        QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Return);
        QTRY_VERIFY(!QApplication::activeModalWidget());
        settle();
        QVERIFY(bar->isVisible());
        m_window->raisePanel("tables");
        m_window->tables()->showEntity(ref(rack));
        m_window->setShown("power", true);
        bool ready = false;
        m_window->power()->whenReady([&] { ready = true; });
        QTRY_VERIFY_WITH_TIMEOUT(ready, 30000);
        QTRY_COMPARE(std::size_t(m_window->tables()->model()->rowCount()), std::size_t(whole));
        const QImage before = picture("phases-all.png");
        const auto racksOfPower = [&] {
            const auto& elements = m_window->power()->canvas()->model()->line->elements;
            return std::ranges::count_if(elements, [](const auto& e) { return e.entity.kind == EntityKind::Rack; });
        };
        const auto powered = racksOfPower();

        std::size_t later = 0;
        bridge().snapshot()->racks.forEach([&](RackId id) { later += bridge().snapshot()->racks.row[id] == row; });
        QVERIFY(later > 0 && later < whole);
        QTest::mouseClick(bar->slider(), Qt::LeftButton, {}, QPoint(8, bar->slider()->height() / 2)); // a page to the left
        QTRY_COMPARE_WITH_TIMEOUT(bridge().phase(), std::optional(1), 30000);
        QCOMPARE(bridge().figures()->snapshot->racks.size(), whole - later);
        QCOMPARE(bridge().snapshot()->racks.size(), whole); // the document is not changed
        QVERIFY2(bar->text().contains("read-only"), qPrintable(bar->text()));
        settle();
        QTRY_COMPARE(std::size_t(m_window->tables()->model()->rowCount()), std::size_t(whole - later));
        QTRY_VERIFY_WITH_TIMEOUT(racksOfPower() < powered, 30000);
        QVERIFY(!living(*bridge().figures()->snapshot, ref(rack)));
        const auto edited = bridge().edit("Move", [&](Transaction& t) { return edit::moveEntity(t, ref(firstRow()), 0, 100); });
        QVERIFY(!edited.has_value() && !bridge().beginPreview("Move"));
        QVERIFY2(m_window->messages()->text().contains("phase 1"), qPrintable(m_window->messages()->text()));
        QVERIFY(picture("phases-first.png") != before);
        QTest::keyClick(bar->slider(), Qt::Key_End);
        QVERIFY(!bridge().phase());
        QCOMPARE(bridge().figures()->snapshot->racks.size(), whole);
        QTest::keyClick(bar->slider(), Qt::Key_Home);
        QTRY_COMPARE_WITH_TIMEOUT(bridge().phase(), std::optional(1), 30000);
        QTest::mouseClick(bar->findChild<QToolButton*>("phaseAll"), Qt::LeftButton);
        QVERIFY(!bridge().phase());
        m_window->setShown("power", false);
        bridge().undo();
        settle();
        QVERIFY(!bar->isVisible());
    }

    /// Every statement with the outages that break it, as on the command line; a click selects what is taken out, a double click shows it.
    void task_tierCheck()
    {
        m_window->raisePanel("findings");
        auto* panel = qobject_cast<FindingsPanel*>(m_window->panel("findings"));
        const QImage before = picture("tier-before.png");
        m_window->action("design.tier4")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(panel->summary(), QString("Tier 4: not met"), 30000);
        const auto proof = tiers::proveTier(*bridge().figures(), powerBasisOf(*bridge().snapshot()), 4).value();
        std::size_t rows = proof.statements.size() + proof.availability.size();
        for (const auto& one : proof.statements) rows += one.breaks.size();
        QCOMPARE(std::size_t(panel->list()->model()->rowCount()), rows);
        QVERIFY(picture("tier-after.png") != before);
        QVERIFY(!panel->findChild<QPushButton*>("waiveButton")->isVisible());
        int broken = -1;
        for (int row = 0; row < int(rows) && broken < 0; ++row)
            if (panel->list()->cells()->rowAt(row)->entity && panel->list()->cells()->rowAt(row)->cells[0].text.startsWith("T4.2")) broken = row;
        QVERIFY(broken >= 0);
        const EntityRef out = panel->list()->cells()->rowAt(broken)->entity;
        int shown = 0; // the list is sorted as the text of the command line
        while (panel->list()->rowOf(panel->list()->model()->index(shown, 0)) != panel->list()->cells()->rowAt(broken)) ++shown;
        QCOMPARE(shown, broken);
        QTest::mouseClick(panel->list()->viewport(), Qt::LeftButton, {}, rowCenter(panel->list(), shown));
        QCOMPARE(bridge().selected(), out);
        QTest::keyClicks(panel->search(), "T4.3");
        QCOMPARE(panel->list()->model()->rowCount(), 1);
        panel->search()->clear();
        auto* show = panel->findChild<QComboBox*>("findingsToShow");
        show->setFocus();
        QTest::keyClick(show, Qt::Key_Up); // Tier III
        QTRY_VERIFY_WITH_TIMEOUT(panel->summary().startsWith("Tier 3: "), 30000);
        QTest::keyClick(show, Qt::Key_Home); // findings again
        QVERIFY(panel->findChild<QPushButton*>("waiveButton")->isVisible());
        QVERIFY(!panel->summary().contains("Tier"));
        bridge().select(EntityRef{});
    }

    /// The package of the segment, as `handover` writes it.
    void handoverPackage()
    {
        const QString file = m_folder.filePath("handover.html");
        answerFileDialog(file);
        m_window->action("export.handover")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 60000);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString html = QString::fromUtf8(written.readAll());
        const auto key = asbuilt::findSegment(*bridge().snapshot(), "1");
        QVERIFY(key);
        QVERIFY(html.contains(text(words(asbuilt::segmentTitle(*bridge().snapshot(), *key))).toHtmlEscaped()));
    }

    /// Test results against the gates of a segment; what is recorded is one step, and a gate behind an open one is refused.
    void task_acceptance()
    {
        const auto key = asbuilt::findSegment(*bridge().snapshot(), "1");
        QVERIFY(key);
        const auto state = [&](int gate) { return asbuilt::gatesOf(*bridge().snapshot(), *key)[std::size_t(gate - 1)].result; };
        QFile audit(m_folder.filePath("audit.json"));
        QVERIFY(audit.open(QIODevice::WriteOnly));
        audit.write(R"({"checks": [{"device": "pod1-seg01-host001", "check": "BIOS", "expected": "1.4", "actual": "1.2"}]})");
        audit.close();
        m_window->action("design.acceptance")->trigger();
        QTRY_VERIFY(QApplication::activeModalWidget());
        auto* dialog = QApplication::activeModalWidget();
        auto* result = dialog->findChild<QTextBrowser*>("acceptanceResult");
        auto* evaluate = dialog->findChild<QPushButton*>("acceptanceEvaluate");
        auto* record = dialog->findChild<QPushButton*>("acceptanceRecord");
        auto* model = dialog->findChild<QLineEdit*>("acceptance.model");
        QVERIFY(!evaluate->isEnabled() && !record->isEnabled());
        const QImage before = dialog->grab().toImage();
        QTest::keyClicks(model, HW_TEST_DATA "/asbuilt/model.json");
        QTest::mouseClick(evaluate, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(record->isEnabled(), 30000);
        QVERIFY2(result->toPlainText().contains(": pass"), qPrintable(result->toPlainText()));
        QTest::mouseClick(record, Qt::LeftButton);
        QVERIFY2(result->toPlainText().contains("gate 1"), qPrintable(result->toPlainText())); // must pass first
        QCOMPARE(state(4), GateResult::Open);
        model->clear();
        QVERIFY(!record->isEnabled()); // results of other files
        QTest::keyClicks(dialog->findChild<QLineEdit*>("acceptance.audit"), audit.fileName());
        QTest::mouseClick(evaluate, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(record->isEnabled(), 30000);
        QVERIFY2(result->toPlainText().contains(": fail") && result->toPlainText().contains("BIOS"), qPrintable(result->toPlainText()));
        const QImage after = dialog->grab().toImage();
        QVERIFY(after != before);
        if (const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES"); !folder.isEmpty()) (void)after.save(folder + "/acceptance.png");
        QTest::mouseClick(record, Qt::LeftButton);
        QCOMPARE(state(1), GateResult::Failed);
        QVERIFY(!record->isEnabled());
        auto* waive = dialog->findChild<QPushButton*>("acceptanceWaive"); // only with a reason
        QVERIFY(!waive->isEnabled());
        QTest::keyClicks(dialog->findChild<QLineEdit*>("acceptanceReason"), "BIOS follows in May");
        QTest::mouseClick(waive, Qt::LeftButton);
        QCOMPARE(state(1), GateResult::Waived);
        QVERIFY2(result->toPlainText().contains("BIOS follows in May") && !waive->isEnabled(), qPrintable(result->toPlainText()));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activeModalWidget());
        bridge().undo();
        QCOMPARE(state(1), GateResult::Failed);
        bridge().undo();
        QCOMPARE(state(1), GateResult::Open);
        settle();
    }

    /// The hosts of a job, their racks and links have a color in all views, until the button is released.
    void task_hostsOfAJob()
    {
        const Snapshot& s = *bridge().snapshot();
        std::vector<DeviceId> servers;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && servers.size() < 2) servers.push_back(id);
        });
        const auto write = [&](const char* name, const QByteArray& content) {
            QFile file(m_folder.filePath(name));
            (void)file.open(QIODevice::WriteOnly);
            file.write(content);
            return file.fileName();
        };
        QByteArray log, hosts("job,host,rank\n");
        for (int i = 1; i <= 20; ++i)
            log +=
                QString(
                    " [2026-11-27 10:%1:00] iteration %2/ 1000 | consumed samples: 1 | elapsed time per iteration (ms): 14900.0 | lm loss: 2.1 |\n")
                    .arg(i, 2, 10, QChar('0'))
                    .arg(i)
                    .toUtf8();
        for (std::size_t i = 0; i < servers.size(); ++i)
            hosts += "gpt3," + QByteArray::fromStdString(s.devices.name[servers[i]]) + "," + QByteArray::number(int(i) * 8) + "\n";
        m_window->raisePanel("jobs");
        m_window->jobWatch()->readLogs({write("gpt3.log", log)});
        m_window->jobWatch()->readHosts({write("hosts.csv", hosts)});
        auto* show = m_window->findChild<QToolButton*>("jobShow");
        QTRY_VERIFY_WITH_TIMEOUT(show->isVisible() && show->isEnabled(), 20000);
        auto& overlay = OverlaySource::of(bridge());
        const std::string colors = overlay.name();
        const QImage before = picture("job-before.png");
        QTest::mouseClick(show, Qt::LeftButton);
        QCOMPARE(overlay.name(), std::string(kHostsOverlay));
        const auto states = [&](EntityKind kind) { return overlay.values()->of(kind); };
        QCOMPARE(std::ranges::count(states(EntityKind::Device)->values, 1.0F), 2);
        for (const DeviceId id : servers) {
            QCOMPARE(states(EntityKind::Device)->at(id.value), 1.0F);
            QCOMPARE(states(EntityKind::Rack)->at((*s.devices.rack[id]).value), 1.0F);
        }
        std::int64_t links = 0;
        s.links.forEach([&](LinkId id) {
            const auto own = [&](PortId port) { return std::ranges::find(servers, s.ports.device[port]) != servers.end(); };
            links += own(s.links.from[id]) || own(s.links.to[id]);
        });
        QCOMPARE(std::int64_t(std::ranges::count(states(EntityKind::Link)->values, 1.0F)), links);
        QTest::qWait(100);
        QVERIFY(picture("job-after.png") != before);
        QTest::mouseClick(show, Qt::LeftButton);
        QCOMPARE(overlay.name(), colors);
        QTest::mouseClick(show, Qt::LeftButton);
        overlay.choose("power"); // another color releases it
        QVERIFY(!show->isChecked());
        overlay.choose(colors);
    }

    /// What fails, what depends on it and what keeps a feed have the colors of plan and twin in both diagrams; clearing takes them back.
    void failureInTheOneLine()
    {
        const Snapshot& s = *bridge().snapshot();
        const auto of = [&](PowerElement power, CoolingElement cooling) {
            EntityRef found;
            s.devices.forEach([&](DeviceId id) {
                const DeviceSpec& spec = bridge().figures()->parts->device(s.devices.type[id]);
                const bool is = power != PowerElement::None ? spec.power.element == power : spec.cooling.element == cooling;
                if (!found && is && !s.devices.rack[id]) found = ref(id);
            });
            return found;
        };
        for (const auto& [pane, failed] : {std::pair("power", of(PowerElement::Transformer, CoolingElement::None)),
                                           std::pair("cooling", of(PowerElement::None, CoolingElement::Cdu))}) {
            if (!failed) continue; // an air-cooled sample has no CDU
            m_window->setShown(pane, true);
            OneLineView* view = QLatin1String(pane) == QLatin1String("power") ? m_window->power() : m_window->cooling();
            bool ready = false;
            view->whenReady([&] { ready = true; });
            QTRY_VERIFY_WITH_TIMEOUT(ready, 30000);
            QVERIFY(!view->canvas()->look().values);
            const QImage before = picture(QString("one-line-%1.png").arg(pane));
            m_window->showImpact({failed});
            QTRY_VERIFY_WITH_TIMEOUT(view->canvas()->look().values, 30000);
            QCOMPARE(view->canvas()->look().values->name, std::string(kImpactOverlay));
            const auto& model = *view->canvas()->model();
            const std::uint32_t box = model.boxOf[model.line->elementOf(failed)];
            QVERIFY(!model.boxes[box].folded()); // it stands alone, to be seen
            QVERIFY(view->canvas()->rect().contains(view->canvas()->boxRect(box).center().toPoint()));
            QTest::qWait(50);
            QVERIFY(picture(QString("one-line-%1-failed.png").arg(pane)) != before);
            // A text stands beside what is affected only: the place of the text is empty in the boxes of the rest.
            const OneLineCanvas& canvas = *view->canvas();
            const QImage now = view->canvas()->grab().toImage();
            const auto textPlace = [&](std::uint32_t at) {
                const QRectF rect = canvas.boxRect(at);
                return QRectF(rect.left() + rect.width() * 0.45, rect.top() + rect.height() * 0.13, rect.width() * 0.48, rect.height() * 0.22)
                    .toRect();
            };
            const auto colors = [&](const QRect& place) {
                QSet<QRgb> found;
                for (int y = place.top(); y <= place.bottom(); ++y)
                    for (int x = place.left(); x <= place.right(); ++x) found.insert(now.pixel(x, y));
                return found;
            };
            QVERIFY(colors(textPlace(box)).size() > 3);
            const ValueField& states = *canvas.look().values->of(EntityKind::Device);
            int ordinary = 0;
            for (std::uint32_t i = 0; i < model.boxes.size(); ++i) {
                const EntityRef entity = model.line->elements[model.boxes[i].members.front()].entity;
                if (model.boxes[i].folded() || entity.kind != EntityKind::Device || states.at(entity.id) != 0) continue;
                const QRect place = textPlace(i);
                if (!now.rect().contains(place)) continue;
                ++ordinary;
                QVERIFY2(colors(place).size() == 1, words(model.title(model.boxes[i])).c_str());
            }
            QVERIFY(ordinary > 2);
            qobject_cast<ImpactPanel*>(m_window->panel("impact"))->clear();
            QVERIFY(!view->canvas()->look().values);
        }
        m_window->setShown("power", false);
    }
};

QTEST_MAIN(TestPanes)
#include "test_panes.moc"
