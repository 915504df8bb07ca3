// SPDX-License-Identifier: GPL-3.0-or-later
// Views of the middle of the window: the map of interconnects, failures and findings in the one-line diagrams.
#include "window_test.h"

#include "app/window/dialogs/settings_dialog.h"
#include "core/derived/values/impact_fields.h"
#include "core/design/edit/edits.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/phases.h"
#include "core/output/exchange/design_stamp.h"
#include "core/output/interconnects/interconnects.h"
#include "views/charts/scatter_chart.h"
#include "views/interconnects/interconnect_view.h"
#include "views/panels/impact_panel.h"
#include "views/panels/list_view.h"
#include "views/panels/settings_form.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_view.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
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
            qobject_cast<ImpactPanel*>(m_window->panel("impact"))->clear();
            QVERIFY(!view->canvas()->look().values);
        }
        m_window->setShown("power", false);
    }
};

QTEST_MAIN(TestPanes)
#include "test_panes.moc"
