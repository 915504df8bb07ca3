// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of the year in the real window: figures of the command, place, heat map, and what cannot be computed.
#include "window_test.h"

#include "core/derived/year/year_of.h"
#include "core/foundation/model/setting_values.h"
#include "views/year/year_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
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
