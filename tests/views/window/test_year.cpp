// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of the year and of feeders in the real window: figures of the commands, place, heat map, states, and what cannot be computed.
#include "window_test.h"

#include "core/derived/year/year_of.h"
#include "core/foundation/model/setting_values.h"
#include "views/feeders/feeders_panel.h"
#include "views/panels/list_view.h"
#include "views/year/year_panel.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>

#include <numeric>

using namespace hw;
using namespace hw::views;

class TestYearPanel : public test::WindowTest {
    Q_OBJECT
    YearPanel* panel() { return qobject_cast<YearPanel*>(m_window->panel("year")); }
    YearMap* map() { return panel()->findChild<YearMap*>("yearMap"); }
    /// HALLWRIGHT_PICTURES names a folder.
    void picture(const QString& name)
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(500);
        QVERIFY(m_window->grab().save(folder + "/" + name));
    }
    void showsPlace(const std::string& slug) { QTRY_VERIFY_WITH_TIMEOUT(panel()->year() && panel()->year()->weather.slug == slug, 60000); }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1280, 720}, Library::Later);
        m_window->raisePanel("year");
        QVERIFY(panel());
        showsPlace("ashburn");
    }
    void cleanupTestCase() { closeWindow(); }

    /// The same year as that of the command.
    void figuresOfTheCommand()
    {
        const auto year = yearOf(*bridge().figures());
        QVERIFY(year.has_value());
        QCOMPARE(panel()->year()->all.pue(), year->all.pue());
        QCOMPARE(panel()->year()->bill.total(), year->bill.total());
        const QString figures = panel()->findChild<QLabel*>("yearFigures")->text();
        for (const QString& part : {QString::number(year->all.pue(), 'f', 3), QString::number(year->all.wue(), 'f', 3),
                                    QString::number(*year->cue(), 'f', 3), QString::fromStdString(weather::momentOf(year->worst).text())})
            QVERIFY2(figures.contains(part), qPrintable(figures));
        const auto* months = panel()->findChild<QTableWidget*>("yearMonths");
        QCOMPARE(months->rowCount(), 13);
        QCOMPARE(months->item(6, 4)->text(), QString::number(year->months[6].pue(), 'f', 3));
        QCOMPARE(months->item(12, 4)->text(), QString::number(year->all.pue(), 'f', 3));
    }

    /// A point of the map is the hour that it is drawn for, and has its color.
    void mapOfTheHours()
    {
        const Year& year = *panel()->year();
        const auto [least, most] = map()->range();
        double low = 1e9, high = 0;
        for (const auto& hour : year.hours) low = std::min(low, hour.pue()), high = std::max(high, hour.pue());
        QCOMPARE(least, low);
        QCOMPARE(most, high);
        const QRectF area = map()->map();
        const auto point = [&](int day, int hour) {
            return QPointF(area.left() + area.width() * (day + 0.5) / 365, area.bottom() - area.height() * (hour + 0.5) / 24);
        };
        for (const auto& [day, hour] : {std::pair(0, 0), std::pair(0, 23), std::pair(200, 15), std::pair(364, 23)})
            QCOMPARE(map()->hourAt(point(day, hour)), std::optional<std::size_t>(std::size_t(day * 24 + hour)));
        QVERIFY(!map()->hourAt({0, 0}));
        auto* quantity = panel()->findChild<QComboBox*>("yearQuantity");
        quantity->setCurrentIndex(int(YearQuantity::DryBulb));
        QVERIFY(map()->quantity() == YearQuantity::DryBulb && map()->range().first < 0 && map()->range().second > 25);
        picture("year-dry-bulb.png");
        quantity->setCurrentIndex(0);
    }

    /// A place is tried without changing the project, then set in one undo step.
    void places()
    {
        const auto revision = bridge().snapshot()->revision;
        const double ashburn = panel()->year()->all.pue();
        auto* use = panel()->findChild<QPushButton*>("yearUse");
        QVERIFY(!use->isEnabled());
        panel()->setPlace("singapore");
        showsPlace("singapore");
        QVERIFY(panel()->year()->all.pue() > ashburn); // no free cooling there
        QCOMPARE(bridge().snapshot()->revision, revision);
        picture("year-singapore.png");
        QTRY_VERIFY(use->isEnabled());
        use->click();
        QCOMPARE(settingOf(*bridge().snapshot(), "site.climate"), std::string("singapore"));
        QTRY_VERIFY_WITH_TIMEOUT(panel()->findChild<QComboBox*>("yearPlace")->currentText().contains("Singapore") && panel()->place().empty(), 60000);
        bridge().undo();
        showsPlace("ashburn");
    }

    /// The same feeders as those of the command; a click selects what is fed or the board; a state without a transformer.
    void feeders()
    {
        for (const char* id : {"view.year", "view.feeders"}) { // both are in the menu
            auto* action = m_window->findChild<QAction*>(id);
            QVERIFY2(action && !action->associatedObjects().isEmpty(), id);
            QVERIFY2(std::ranges::any_of(action->associatedObjects(), [](QObject* o) { return qobject_cast<QMenu*>(o); }), id);
        }
        m_window->findChild<QAction*>("view.feeders")->trigger();
        auto* feeders = qobject_cast<FeedersPanel*>(m_window->panel("feeders"));
        QVERIFY(feeders);
        QTRY_VERIFY_WITH_TIMEOUT(feeders->study() && feeders->isVisible(), 60000);
        const auto study = feederStudy(*bridge().figures()).value();
        QCOMPARE(feeders->study()->feeders, study.feeders);
        QCOMPARE(feeders->study()->lossW(), study.lossW());
        QCOMPARE(std::size_t(feeders->runs()->model()->rowCount()), study.feeders.size());
        QCOMPARE(std::size_t(feeders->faults()->model()->rowCount()), study.faults.size());
        QCOMPARE(std::size_t(feeders->grid()->model()->rowCount()), gridFacts(study, *bridge().snapshot(), *bridge().figures()->parts).size());
        const auto cell = [](const ListView* list, int row, int column) { return list->model()->index(row, column).data().toString(); };
        QVERIFY2(cell(feeders->faults(), 0, 2).endsWith(",000 V"), qPrintable(cell(feeders->faults(), 0, 2))); // medium voltage comes first
        QVERIFY2(cell(feeders->faults(), 0, 6) == "25.0 kA", qPrintable(cell(feeders->faults(), 0, 6)));
        const auto click = [](ListView* list, int row) {
            const QModelIndex at = list->model()->index(row, 0);
            list->scrollTo(at);
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(at).center());
            return list->rowOf(at)->entity;
        };
        QCOMPARE(click(feeders->runs(), 0), ref(study.feeders[0].consumer));
        QCOMPARE(bridge().selected(), ref(study.feeders[0].consumer));
        picture("feeders-dark.png");
        feeders->showPage(FeedersPanel::Faults);
        const EntityRef board = click(feeders->faults(), 0);
        QVERIFY(board == ref(study.faults[0].at) || board.kind == EntityKind::Device);
        QCOMPARE(bridge().selected(), board);
        picture("feeders-short-circuits.png");
        feeders->showPage(FeedersPanel::Grid);
        picture("feeders-grid.png");
        feeders->showPage(FeedersPanel::Runs);

        auto* states = feeders->findChild<QComboBox*>("feedersState");
        int transformer = -1;
        for (int i = 1; i < states->count() && transformer < 0; ++i)
            if (const DeviceId id(std::uint32_t(states->itemData(i).toInt()));
                bridge().figures()->parts->device(bridge().snapshot()->devices.type[id]).power.element == PowerElement::Transformer)
                transformer = i;
        QVERIFY(transformer > 0);
        const DeviceId lost(std::uint32_t(states->itemData(transformer).toInt()));
        states->setCurrentIndex(transformer);
        QTRY_VERIFY_WITH_TIMEOUT(feeders->study() && feeders->study()->lost == std::vector<DeviceId>{lost}, 60000);
        QCOMPARE(feeders->study()->feeders, feederStudy(*bridge().figures(), {&lost, 1})->feeders);
        QVERIFY(std::ranges::none_of(feeders->study()->feeders, [&](const Feeder& f) { return f.supplier == lost; }));
        QVERIFY(!feeders->findChild<QTabBar*>("feedersPages")->isTabVisible(FeedersPanel::Faults) && feeders->runs()->isVisible());
        picture("feeders-state.png");
        states->setCurrentIndex(0);
        QTRY_VERIFY_WITH_TIMEOUT(feeders->study() && feeders->study()->lost.empty(), 60000);

        auto odd = std::make_shared<Snapshot>(*bridge().snapshot());
        odd->putSetting("site.grid", "nowhere");
        bridge().load(odd);
        auto* problem = feeders->findChild<QLabel*>("feedersProblem");
        QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible(), 60000);
        QVERIFY2(problem->text().contains("nowhere"), qPrintable(problem->text()));
        QVERIFY(!feeders->study() && feeders->runs()->model()->rowCount() == 0);
        bridge().load(m_sample.snapshot, m_sample.figures);
        m_window->raisePanel("year");
        showsPlace("ashburn");
    }

    /// What cannot be computed is said, and no figures of before are left.
    void whatIsMissing()
    {
        picture("year-dark.png");
        applyTheme(*qApp, ThemeKind::Light);
        picture("year-light.png");
        m_window->resize(1920, 1080);
        picture("year-large.png");
        auto empty = std::make_shared<Snapshot>(*bridge().snapshot());
        empty->putSetting("site.climate", "nowhere");
        bridge().load(empty);
        auto* problem = panel()->findChild<QLabel*>("yearProblem");
        QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible(), 60000);
        QVERIFY2(problem->text().contains("site.climate nowhere"), qPrintable(problem->text()));
        QVERIFY(!panel()->year() && panel()->findChild<QLabel*>("yearFigures")->text().isEmpty());
        picture("year-problem.png");
    }
};

QTEST_MAIN(TestYearPanel)
#include "test_year.moc"
