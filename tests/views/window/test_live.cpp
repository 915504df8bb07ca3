// SPDX-License-Identifier: GPL-3.0-or-later
// The window that follows a hall: what it shows is what was measured, now and in the past; panels, dialog, edits, and the end.
#include "live_window.h"

#include "emulated_feed.h"

#include "core/operations/overlays/live_fields.h"
#include "simulation/reliability/prediction_trial.h"
#include "views/live/alarms_panel.h"
#include "views/live/charts_panel.h"
#include "views/live/deviations_panel.h"
#include "views/live/isolation_panel.h"
#include "views/live/jobs_panel.h"
#include "views/live/live_points.h"
#include "views/live/prediction_panel.h"
#include "views/live/tickets_panel.h"
#include "views/live/time_bar.h"
#include "views/panels/list_view.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_view.h"
#include "views/simulation/scenario_setup.h"
#include "views/simulation/simulation_panel.h"
#include "views/style/format.h"
#include "views/twin/twin_view.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QScreen>
#include <QTextBrowser>
#include <QToolButton>

#include <qcustomplot.h>

using namespace hw;
using namespace hw::views;
using bindings::Measure;
using MeasuredPoint = hw::bindings::Point;

class TestLive : public test::LiveWindowTest {
    Q_OBJECT

private slots:
    void initTestCase() { keepSettingsHere(); }
    void init() { openWindow({1280, 800}, Library::Later); }
    void cleanup()
    {
        closeWindow();
        m_feed = nullptr;
    }

    /// For looking at: HALLWRIGHT_PICTURES names a folder; the window is as large as the screen, HALLWRIGHT_THEME is light or dark.
    void pictures()
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) QSKIP("HALLWRIGHT_PICTURES is not set");
        QDir().mkpath(folder);
        QScreen* screen = m_window->screen();
        const auto take = [&](const QString& name) {
            live().tick();
            QTest::qWait(1500);
            screen->grabWindow(0).save(folder + "/" + name + ".png");
        };
        m_window->setTheme(qEnvironmentVariable("HALLWRIGHT_THEME") == "light" ? ThemeKind::Light : ThemeKind::Dark);
        m_window->move(0, 0);
        m_window->resize(screen->availableGeometry().size());
        m_window->resetLayout();
        m_window->session().loadLibrary();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().hasLibrary(), 30000);
        m_window->session().startDesign(*m_window->session().library().find("nvl72"), {{"segments", 1}});
        QTRY_VERIFY_WITH_TIMEOUT(bridge().snapshot()->racks.size() != m_sample.snapshot->racks.size(), 120000);
        settle();
        const auto feed = test::followEmulated(live(), QDateTime::currentMSecsSinceEpoch() - 600'000);
        QVERIFY(feed);
        const auto goOn = [&](int seconds) {
            for (int s = 0; s < seconds; ++s) {
                feed->goOn(1);
                live().tick();
            }
        };
        goOn(420);
        take("30-live");
        const std::int64_t before = live().newestMs();
        EntityRef rack;
        for (const bindings::Point& point : feed->bound()->points)
            if (!rack && point.entity.kind == EntityKind::Rack && point.measure == Measure::Flow) rack = point.entity;
        bridge().select(rack);
        take("31-rack");
        auto* charts = qobject_cast<ChartsPanel*>(m_window->panel("charts"));
        for (const bindings::Point& point : pointsOf(*feed->bound(), rack)) charts->add(point);
        m_window->raisePanel("charts");
        take("32-charts");
        feed->deed("fail " + bridge().nameOf(ref(busway())).toStdString());
        goOn(45);
        m_window->raisePanel("alarms");
        m_window->setOverlay("live-alarms");
        take("33-busway");
        auto* alarms = qobject_cast<AlarmsPanel*>(m_window->panel("alarms"));
        QTest::mouseClick(alarms->list()->viewport(), Qt::LeftButton, {}, alarms->list()->visualRect(alarms->list()->model()->index(0, 0)).center());
        take("34-alarm");
        m_window->raisePanel("deviations");
        m_window->setOverlay("live-deviations");
        take("35-deviations");
        m_window->setOverlay("live-power");
        live().compare(before);
        take("36-compare");
        live().compare(std::nullopt);
        live().scrub(before - 60'000);
        m_window->setOverlay("live-power-share");
        take("37-past");
        live().goLive();
        m_window->setShown("power", true);
        take("38-power");
        m_window->setShown("cooling", true);
        m_window->setOverlay("live-supply");
        take("39-cooling");
        m_window->setShown("fabric", true);
        m_window->setOverlay("live-links");
        take("40-fabric");
        m_window->setShown("fabric", false);
        m_window->raisePanel("bindings");
        take("41-bindings");
        m_window->action("live.connect")->trigger();
        take("42-connect");
        if (QWidget* open = QApplication::activeModalWidget()) open->close();
    }

    /// An emulated busway fails: the window names it, shows its racks, and finds the moment again.
    void theFailedBuswayIsNamed()
    {
        const auto feed = test::followEmulated(live(), test::kLiveStart);
        QVERIFY(feed);
        feed->goOn(130);
        live().tick();
        const DeviceId failed = busway();
        const std::int64_t before = live().newestMs();
        feed->deed("fail " + bridge().nameOf(ref(failed)).toStdString());
        const auto named = [&] {
            return live().shown() && std::ranges::any_of(live().shown()->alarms, [&](const monitoring::Alarm& a) { return a.cause == ref(failed); });
        };
        for (int s = 0; s < 60 && !named(); ++s) {
            feed->goOn(1);
            live().tick();
        }
        QVERIFY2(named(), "within a minute");
        OverlaySource::of(bridge()).choose("live-alarms");
        QCOMPARE(overlay(ref(failed)), 3.0F);
        m_window->raisePanel("alarms");
        auto* panel = qobject_cast<AlarmsPanel*>(m_window->panel("alarms"));
        QTRY_VERIFY(panel->list()->model()->rowCount() > 0);
        const auto alarms = live().log().alarms();
        const auto cause = std::ranges::find_if(alarms, [&](const monitoring::Alarm& a) { return a.cause == ref(failed); });
        QVERIFY(cause != alarms.end());
        const QString report = m_folder.filePath("incident.html");
        m_window->writeIncident(*cause, report);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(report), 60000);
        QFile written(report);
        QVERIFY(written.open(QIODevice::ReadOnly) && written.readAll().contains(bridge().nameOf(ref(failed)).toUtf8()));
        live().scrub(before);
        QCOMPARE(live().shown()->atMs, before);
        QVERIFY(!named());
    }

    /// Colors of what is measured are the frame's values: own meters, strips together, parts in the mean; what nobody measures is unknown.
    void overlayValuesAreTheFrames()
    {
        follow();
        put(frameAt(test::kLiveStart));
        auto& source = OverlaySource::of(bridge());
        source.choose("live-power");
        const monitoring::FramePtr shown = live().shown();
        QVERIFY(shown);
        const auto value = [&](EntityRef e, Measure m, const char* part = "") { return shown->values[no(e, m, part)]; };
        QCOMPARE(overlay(ref(m_racks[0])), value(ref(m_racks[0]), Measure::ActivePower) / 1000);
        QVERIFY(m_strips.size() >= 2);
        float strips = 0;
        for (const DeviceId strip : m_strips) strips += value(ref(strip), Measure::ActivePower);
        QCOMPARE(overlay(ref(m_racks[2])), strips / 1000);
        QVERIFY(!known(overlay(ref(m_racks[3]))));
        source.choose("live-power-share");
        const PowerBasis basis = powerBasisOf(design());
        const double planned = double(m_sample.figures->power->rack(m_racks[1]).at(basis).count()) * 1e-3;
        QCOMPARE(overlay(ref(m_racks[1])), float(double(value(ref(m_racks[1]), Measure::ActivePower)) / planned));
        source.choose("live-utilization");
        const float mean = (value(ref(m_servers[0]), Measure::Utilization, "gpu0") + value(ref(m_servers[0]), Measure::Utilization, "gpu1")) / 200;
        QCOMPARE(overlay(ref(m_servers[0])), mean);
        source.choose("live-supply");
        QCOMPARE(overlay(ref(m_racks[0])), value(ref(m_racks[0]), Measure::SupplyTemperature)); // what is asked for is not measured

        monitoring::Frame missing = frameAt(test::kLiveStart + 1000); // a sum of which a part is missing is not known
        missing.values[no(ref(m_strips[0]), Measure::ActivePower)] = ValueField::kNone;
        put(std::move(missing));
        source.choose("live-power");
        QVERIFY(!known(overlay(ref(m_racks[2]))));
        QVERIFY(known(overlay(ref(m_strips[1]))));
    }

    void deviationsAndAlarmsColor()
    {
        follow();
        monitoring::Frame frame = frameAt(test::kLiveStart);
        frame.deviations = {deviation(ref(m_racks[0]), 0.4), deviation(ref(m_servers[0]), -0.05)};
        frame.alarms = {alarm("a", ref(m_strips[0]), test::kLiveStart)};
        put(frame);
        auto& source = OverlaySource::of(bridge());
        source.choose("live-deviations");
        QCOMPARE(overlay(ref(m_racks[0])), 2.0F);
        QCOMPARE(overlay(ref(m_racks[1])), 0.0F); // measured, as designed
        QCOMPARE(overlay(ref(m_servers[0])), 1.0F);
        QCOMPARE(overlay(ref(m_racks[2])), 1.0F); // its server
        QVERIFY(!known(overlay(ref(m_racks[3]))));
        source.choose("live-alarms");
        QCOMPARE(overlay(ref(m_racks[0])), 2.0F);
        QCOMPARE(overlay(ref(m_strips[0])), 3.0F);
        frame.alarms[0].acknowledged = true;
        frame.atMs += 1000;
        put(frame);
        QCOMPARE(overlay(ref(m_strips[0])), 1.0F);
    }

    /// A moment in memory is that frame; an older one is what the history says, by a worker.
    void scrubShowsWhatWasStored()
    {
        follow();
        for (int s = 0; s < 5; ++s) put(frameAt(test::kLiveStart + s * 1000, float(s + 1)));
        m_feed->oldest = test::kLiveStart - 3'600'000;
        OverlaySource::of(bridge()).choose("live-power");
        QCOMPARE(live().oldestMs(), test::kLiveStart - 3'600'000);
        live().scrub(test::kLiveStart + 2400);
        QVERIFY(live().mode() == LiveSession::Mode::Still);
        QCOMPARE(live().shown()->atMs, test::kLiveStart + 2000);
        QCOMPARE(overlay(ref(m_racks[0])), live().shown()->values[no(ref(m_racks[0]), Measure::ActivePower)] / 1000);
        QCOMPARE(m_feed->kept().asked.load(), 0);
        QVERIFY(text(OverlaySource::of(bridge()).values()->fields.front().source).startsWith("not live"));

        const std::int64_t old = test::kLiveStart - 600'000;
        live().scrub(old - 5000);
        live().scrub(old); // the newest wish is what comes
        QTRY_COMPARE_WITH_TIMEOUT(live().shown()->atMs, old, 5000);
        const auto point = no(ref(m_racks[0]), Measure::ActivePower);
        QCOMPARE(live().shown()->values[point], float(test::FormulaHistory::value(point, old)));
        QCOMPARE(overlay(ref(m_racks[0])), float(test::FormulaHistory::value(point, old)) / 1000);

        put(frameAt(test::kLiveStart + 6000)); // it goes on, and does not pull the views along
        QCOMPARE(live().shown()->atMs, old);
        live().goLive();
        QCOMPARE(live().shown()->atMs, test::kLiveStart + 6000);
    }

    void replayGoesOnToNow()
    {
        follow();
        for (int s = 0; s <= 20; ++s) put(frameAt(test::kLiveStart + s * 1000));
        live().scrub(test::kLiveStart + 1000);
        live().play(600);
        QTRY_VERIFY_WITH_TIMEOUT(live().shown()->atMs > test::kLiveStart + 1000, 5000);
        QTRY_VERIFY_WITH_TIMEOUT(live().mode() == LiveSession::Mode::Live, 5000);
        QCOMPARE(live().shown()->atMs, test::kLiveStart + 20'000);
    }

    /// All colors become the change between two moments.
    void comparedIsTheDifference()
    {
        follow();
        put(frameAt(test::kLiveStart, 1));
        put(frameAt(test::kLiveStart + 5000, 1.5F));
        OverlaySource::of(bridge()).choose("live-power");
        live().compare(test::kLiveStart);
        const auto point = no(ref(m_racks[1]), Measure::ActivePower);
        const float now = live().shown()->values[point];
        QCOMPARE(overlay(ref(m_racks[1])), now / 1000 - now / 1500);
        const ValueField* field = OverlaySource::of(bridge()).values()->of(EntityKind::Rack);
        QCOMPARE(field->low, -field->high);
        live().compare(std::nullopt);
        QCOMPARE(overlay(ref(m_racks[1])), now / 1000);
        m_feed->oldest = test::kLiveStart - 3'600'000;
        const std::int64_t old = test::kLiveStart - 60'000; // from the history
        live().compare(old);
        QTRY_COMPARE_WITH_TIMEOUT(overlay(ref(m_racks[1])), now / 1000 - float(test::FormulaHistory::value(point, old)) / 1000, 5000);
    }

    void timeBarScrubs()
    {
        follow();
        for (int s = 0; s <= 100; ++s) put(frameAt(test::kLiveStart + s * 1000));
        auto* canvas = m_window->timeBar()->canvas();
        QVERIFY(canvas->isVisible());
        canvas->setSpan(60'000);
        const std::int64_t wanted = test::kLiveStart + 70'000;
        QVERIFY(std::abs(canvas->timeAt(canvas->xOf(wanted)) - wanted) <= 1);
        const QPoint at(int(std::lround(canvas->xOf(wanted))), canvas->height() / 3);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
        QCOMPARE(live().wantedMs(), canvas->timeAt(at.x()));
        QCOMPARE(live().shown()->atMs, canvas->timeAt(at.x()) / 1000 * 1000);
        QVERIFY(m_window->timeBar()->findChild<QToolButton*>("timeLive")->isEnabled());
        QVERIFY(!m_window->timeBar()->findChild<QToolButton*>("timeLive")->isChecked());
        QTest::mouseClick(canvas, Qt::LeftButton, Qt::ShiftModifier, {at.x() - 40, at.y()});
        QCOMPARE(live().comparedMs().value_or(0), canvas->timeAt(at.x() - 40));
        QTest::keyClick(canvas, Qt::Key_End);
        QVERIFY(live().mode() == LiveSession::Mode::Live);
    }

    void clickOnADeviationSelects()
    {
        follow();
        m_window->raisePanel("deviations");
        monitoring::Frame frame = frameAt(test::kLiveStart);
        frame.deviations = {deviation(ref(m_racks[1]), 0.4), deviation(ref(m_racks[0]), 0.2)};
        put(frame);
        auto* panel = qobject_cast<DeviationsPanel*>(m_window->panel("deviations"));
        QTRY_COMPARE(panel->list()->model()->rowCount(), 2);
        QCOMPARE(panel->list()->model()->index(0, 1).data().toString(), bridge().nameOf(ref(m_racks[1]))); // worst first
        QCOMPARE(panel->list()->model()->index(0, 2).data().toString(), QString("46.2 kW"));
        QCOMPARE(panel->list()->model()->index(0, 4).data().toString(), QString("+40 %"));
        QTest::mouseClick(panel->list()->viewport(), Qt::LeftButton, {}, panel->list()->visualRect(panel->list()->model()->index(1, 1)).center());
        QCOMPARE(bridge().selected(), ref(m_racks[0]));
    }

    void alarmsAreAnswered()
    {
        follow();
        m_window->raisePanel("alarms");
        monitoring::Frame frame = frameAt(test::kLiveStart);
        frame.alarms = {alarm("old", ref(m_racks[3]), test::kLiveStart - 9000), alarm("new", ref(m_strips[0]), test::kLiveStart)};
        frame.alarms[0].acknowledged = true;
        put(frame);
        auto* panel = qobject_cast<AlarmsPanel*>(m_window->panel("alarms"));
        QTRY_COMPARE(panel->list()->model()->rowCount(), 2);
        QTest::mouseClick(panel->list()->viewport(), Qt::LeftButton, {}, panel->list()->visualRect(panel->list()->model()->index(0, 0)).center());
        QVERIFY(panel->current());
        QCOMPARE(panel->current()->id, std::string("new")); // what nobody has seen comes first
        QCOMPARE(bridge().selected(), ref(m_strips[0]));
        QVERIFY(panel->detail()->toPlainText().contains(bridge().nameOf(ref(m_racks[1]))));
        panel->findChild<QToolButton*>("alarmAcknowledge")->click();
        QCOMPARE(m_feed->answers.size(), std::size_t(1));
        QCOMPARE(m_feed->answers[0].alarm, std::string("new"));
        live().pause(); // the past is not answered
        put(frame);
        QTRY_VERIFY(!panel->findChild<QToolButton*>("alarmAcknowledge")->isEnabled());
    }

    /// What costs most is shown without being asked for; what is chosen stays so while others come, and the seconds that are left are counted.
    void theWorstAlarmIsShown()
    {
        follow();
        m_window->raisePanel("alarms");
        bridge().select(EntityRef{});
        monitoring::Frame frame = frameAt(test::kLiveStart);
        frame.alarms = {alarm("small", ref(m_strips[0]), test::kLiveStart - 1000), alarm("large", ref(m_racks[3]), test::kLiveStart - 9000)};
        frame.alarms[1].gpusLost = 64;
        put(frame);
        auto* panel = qobject_cast<AlarmsPanel*>(m_window->panel("alarms"));
        const auto text = [&](int row, int column) { return panel->list()->model()->index(row, column).data().toString(); };
        QTRY_COMPARE(panel->list()->model()->rowCount(), 2);
        QVERIFY(panel->current());
        QCOMPARE(panel->current()->id, std::string("large"));
        QVERIFY(panel->detail()->toPlainText().contains("64"));
        QVERIFY(!bridge().selected());
        QVERIFY2(text(0, 3).contains("36"), qPrintable(text(0, 3))); // each counts down its own 45 s
        QVERIFY2(text(1, 3).contains("44"), qPrintable(text(1, 3)));
        QTest::mouseClick(panel->list()->viewport(), Qt::LeftButton, {}, panel->list()->visualRect(panel->list()->model()->index(1, 0)).center());
        QCOMPARE(panel->current()->id, std::string("small"));
        frame.atMs = test::kLiveStart + 60'000;
        frame.alarms.push_back(alarm("worst", ref(m_racks[1]), test::kLiveStart));
        frame.alarms[2].gpusLost = 640;
        put(frame);
        QTRY_COMPARE(panel->list()->model()->rowCount(), 3);
        QCOMPARE(panel->current()->id, std::string("small"));
        QCOMPARE(text(0, 2), QString("656"));                        // lost and degraded
        QVERIFY2(!text(0, 3).contains("4"), qPrintable(text(0, 3))); // it is over
    }

    /// The scenario of the simulator says what links should carry, also once something is lost.
    void linksAreJudgedByTheScenario()
    {
        follow();
        put(frameAt(test::kLiveStart));
        QVERIFY(m_window->simulation()->setup()->choose("permutation"));
        m_window->action("live.simulated")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(live().simulatedBy().isEmpty(), false, 30000);
        QVERIFY(std::ranges::any_of(m_feed->gbps, [](float gbps) { return gbps > 0; }));
        impact::NetworkLoss loss;
        for (std::uint32_t l = 0; l < m_feed->gbps.size() / 2 && loss.none(); ++l)
            if (m_feed->gbps[2 * l] > 0) loss.links = {LinkId(l)};
        const auto left = m_feed->loadsAfter(loss);
        QCOMPARE(left[2 * loss.links.front().value], 0.0f);
        QVERIFY(m_window->action("live.simulated")->isChecked());
        m_window->action("live.simulated")->trigger();
        QVERIFY(live().simulatedBy().isEmpty() && m_feed->gbps.empty());
    }

    /// What stands in no rack has no front.
    void aCauseInNoRackOpensNoRack()
    {
        m_window->setShown("elevation", false);
        bridge().zoomTo(ref(busway()));
        QVERIFY(!m_window->shown("elevation"));
        bridge().zoomTo(ref(m_strips[0]));
        QVERIFY(m_window->shown("elevation"));
        m_window->setShown("elevation", false);
    }

    /// What stood at a moment of the past stands there again, also where the frame comes from the history.
    void thePastHasItsAlarms()
    {
        EventLog log;
        monitoring::Event event;
        event.kind = monitoring::Event::Kind::Alarm;
        event.atMs = 1000, event.alarm.id = "x", event.alarm.sinceMs = 1000;
        log.add(event);
        event.kind = monitoring::Event::Kind::AlarmEnds, event.atMs = 5000;
        log.add(event);
        event.kind = monitoring::Event::Kind::Deviation, event.atMs = 2000, event.deviation.share = 0.1;
        log.add(event);
        event.deviation.element = "l1", event.deviation.share = -0.3;
        log.add(event);
        event.kind = monitoring::Event::Kind::DeviationEnds, event.atMs = 3000;
        log.add(event);
        QVERIFY(log.alarmsAt(999).empty());
        QCOMPARE(log.alarmsAt(1000).size(), std::size_t(1));
        QCOMPARE(log.alarmsAt(4999).size(), std::size_t(1));
        QVERIFY(log.alarmsAt(5000).empty());
        QCOMPARE(log.alarms().front().clearedMs, 5000);
        QCOMPARE(log.deviationsAt(2500).size(), std::size_t(2));
        QCOMPARE(log.deviationsAt(2500).front().element, std::string("l1")); // worst first
        QCOMPARE(log.deviationsAt(3000).size(), std::size_t(1));
        bindings::Gap gap{"s", 10, 0, {}};
        event.kind = monitoring::Event::Kind::Gap, event.gap = gap;
        log.add(event);
        event.gap.toMs = 90;
        log.add(event);
        QCOMPARE(log.gaps().size(), std::size_t(1)); // its end, not another one
        QCOMPARE(log.gaps().front().toMs, 90);
    }

    void ringKeepsWhatFits()
    {
        const auto frame = [](std::int64_t ms) {
            auto made = std::make_shared<monitoring::Frame>();
            made->atMs = ms;
            made->values.assign(100, 1);
            return made;
        };
        FrameRing ring(10 * (100 * 12 + 256), 1000);
        for (int i = 0; i < 50; ++i) ring.push(frame(i * 500)); // twice a second: every other one
        QCOMPARE(ring.frames().size(), std::size_t(10));
        QCOMPARE(ring.at(24'000)->atMs, 24'000);
        QCOMPARE(ring.at(23'999)->atMs, 23'000);
        QVERIFY(!ring.at(ring.oldestMs() - 1));
    }

    void countersBecomeRises()
    {
        history::Series series{{1000, 3000, 4000, 5000}, {10, 30, 5, 6}, {}, {}}; // it begins again in between
        const PointSeries rises = converted(series, {8, 0, true});
        QCOMPARE(rises.timesMs, (std::vector<std::int64_t>{3000, 5000}));
        QCOMPARE(rises.values, (std::vector<double>{80, 8}));
        QCOMPARE(converted(series, {2, 1, false}).values.front(), 21.0);
    }

    void inspectorShowsWhatIsMeasured()
    {
        follow();
        m_feed->keeps = false; // what is in memory alone
        for (int s = 0; s < 3; ++s) put(frameAt(test::kLiveStart + s * 1000));
        auto* points = m_window->findChild<LivePoints*>();
        QVERIFY(points && points->isHidden());
        bridge().select(ref(m_racks[0]));
        QVERIFY(!points->isHidden());
        QCOMPARE(points->points().size(), std::size_t(3));
        QCOMPARE(points->valueOf(0), measureText(Measure::ActivePower, double(live().shown()->values[no(ref(m_racks[0]), Measure::ActivePower)])));
        const MeasuredPoint& first = points->points().front();
        QCOMPARE(pointFrom(pointBytes(first)).value(), first);
        QVERIFY(!pointFrom("nonsense") && !pointFrom("1/2/999/"));
        emit points->chartRequested(first);
        auto* charts = qobject_cast<ChartsPanel*>(m_window->panel("charts"));
        QCOMPARE(charts->points().size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(charts->plot()->graphCount() == 2 && charts->plot()->graph(0)->dataCount() == 3, 5000); // and what was planned
        const auto last = std::prev(charts->plot()->graph(0)->data()->constEnd());
        QCOMPARE(float(last->value), live().shown()->values[no(ref(m_racks[0]), Measure::ActivePower)] / 1000);
        charts->removeAt(0);
        QVERIFY(charts->points().empty());
        bridge().select(ref(m_racks[3]));
        QVERIFY(points->isHidden());
    }

    /// A job beside its plan: its slow rank is found, its fault located, the host listed for isolation and written in four formats.
    void task_jobs()
    {
        follow();
        const std::string host = design().devices.name[m_servers[0]];
        for (int i = 0; i < 10; ++i) {
            const std::int64_t ms = test::kLiveStart + i * 6000;
            m_feed->telemetry->take({"gpt", jobs::JobMeasure::Iteration, -1, {}, ms, double(i)});
            m_feed->telemetry->take({"gpt", jobs::JobMeasure::IterationTime, -1, {}, ms, 7.5});
            for (int rank = 0; rank < 8; ++rank)
                m_feed->telemetry->take({"gpt", jobs::JobMeasure::ComputeTime, rank, host, ms, rank == 5 ? 5.5 : 4.0});
        }
        const EntityRef port = ref(design().ports.ids().front());
        monitoring::Frame frame = frameAt(test::kLiveStart + 60'000);
        frame.deviations = {deviation(ref(m_servers[0]), 0.5), deviation(port, 0.5)};
        frame.deviations[0].kind = monitoring::DeviationKind::PacketLoss;
        frame.deviations[0].what = verbatim("loses packets");
        const auto click = [&](const char* name) {
            auto* button = m_window->findChild<QToolButton*>(name);
            QVERIFY(button && button->isVisible());
            QTRY_VERIFY(button->isEnabled());
            QTest::mouseClick(button, Qt::LeftButton);
        };
        m_window->raisePanel("jobs");
        auto* panel = qobject_cast<JobsPanel*>(m_window->panel("jobs"));
        put(frame);
        QTRY_COMPARE_WITH_TIMEOUT(panel->list()->model()->rowCount(), 1, 20000);
        const auto cell = [&](int column) { return panel->list()->model()->index(0, column).data().toString(); };
        QCOMPARE(cell(3), "7.50 s (7.50 s)"); // the best so far
        m_window->jobWatch()->plan(jobs::JobPlan{"gpt3", 8, 6, 4, 0, 50'000, 0.4, 0, 0.9});
        QTRY_COMPARE_WITH_TIMEOUT(cell(3), "7.50 s (6.00 s)", 20000);
        QCOMPARE(cell(1), "slow");
        QVERIFY2(cell(6).endsWith("(90.0 %)"), qPrintable(cell(6)));
        const QString name = QString::fromStdString(host);
        QTRY_VERIFY2(panel->detail()->toPlainText().contains(name + " · gpu5"), qPrintable(panel->detail()->toPlainText()));
        click("jobCause");
        QCOMPARE(bridge().selected(), ref(m_servers[0]));
        click("jobLocate");
        QTRY_VERIFY(panel->detail()->toPlainText().contains("Fault check: gpt"));
        const QString located = panel->detail()->toPlainText();
        QVERIFY2(located.contains("loses packets") && located.contains("slows the training job gpt by 1.5 s") && located.contains("not measured"),
                 qPrintable(located));

        m_window->raisePanel("tickets"); // both deviations, with team and remedy
        auto* ticketsPanel = qobject_cast<TicketsPanel*>(m_window->panel("tickets"));
        QTRY_COMPARE_WITH_TIMEOUT(ticketsPanel->list()->model()->rowCount(), 2, 20000);
        const auto made = tickets::ticketsOf(*bridge().figures(), frame).value();
        QCOMPARE(ticketsPanel->list()->model()->index(0, 2).data().toString().toStdString(), made.front().team);
        QVERIFY(ticketsPanel->detail()->toPlainText().contains(QString::fromStdString(words(made.front().remedy))));
        const QString listed = m_folder.filePath("tickets.csv");
        answerFileDialog(listed);
        click("ticketExport");
        QFile ticketFile(listed);
        QVERIFY(ticketFile.open(QIODevice::ReadOnly));
        QCOMPARE(ticketFile.readAll().toStdString(), tickets::ticketsCsv(made));

        m_window->raisePanel("isolation");
        auto* isolation = qobject_cast<IsolationPanel*>(m_window->panel("isolation"));
        QTRY_COMPARE_WITH_TIMEOUT(isolation->list()->model()->rowCount(), 1, 20000);
        QVERIFY(isolation->detail()->toPlainText().contains("loses packets"));
        QFile cordoned(m_folder.filePath("sinfo.txt"));
        QVERIFY(cordoned.open(QIODevice::WriteOnly));
        cordoned.write("REASON               USER      TIMESTAMP           NODELIST\nbad fan              root      2026-11-20T08:00:00 " +
                       QByteArray::fromStdString(host) + "\n");
        cordoned.close();
        m_window->jobWatch()->readCordoned({cordoned.fileName()});
        QTRY_COMPARE_WITH_TIMEOUT(isolation->list()->model()->index(0, 4).data().toString(), "slurm", 20000);
        // What is out of service takes part in the plan no longer.
        const auto planned = [&](double iterationS) {
            return [iterationS](const impact::NetworkLoss& loss) -> Result<nlohmann::ordered_json> {
                if (loss.hosts.size() != 1 || iterationS == 0) return fail(ErrorCode::Refused, "job", verbatim("too few hosts"), {});
                return nlohmann::ordered_json{
                    {"iteration_s", iterationS}, {"gpus", 8}, {"time", {{"compute_s", 4}}}, {"phases", nlohmann::ordered_json::array()}};
            };
        };
        m_window->jobWatch()->plan(jobs::JobPlan{"gpt3", 8, 6, 4, 0, 50'000, 0.4, 0, 0.9}, planned(9));
        QTRY_COMPARE_WITH_TIMEOUT(cell(3), "7.50 s (9.00 s)", 20000);
        QVERIFY(cell(1) != "slow");
        QVERIFY2(panel->summary().contains("on what is left: 1 host, 0 links out of service"), qPrintable(panel->summary()));
        QVERIFY(panel->detail()->toPlainText().contains("Planned with all equipment"));
        m_window->jobWatch()->plan(jobs::JobPlan{"gpt3", 8, 6, 4, 0, 50'000, 0.4, 0, 0.9}, planned(0));
        QTRY_COMPARE_WITH_TIMEOUT(cell(3), "7.50 s (6.00 s)", 20000);
        QVERIFY2(panel->summary().contains("on the whole design"), qPrintable(panel->summary()));
        QVERIFY(panel->detail()->toPlainText().contains("too few hosts"));
        const QByteArray expected[] = {"hallwright.isolation/1", "# scontrol update NodeName=" + name.toUtf8(), "effect: NoSchedule", "packet-loss"};
        for (int format = 0; format < 4; ++format) {
            const QString file = m_folder.filePath(QString("nodes.%1").arg(format));
            answerFileDialog(file);
            isolation->findChild<QAction*>(QString("isolation.%1").arg(format))->trigger();
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            const QByteArray content = written.readAll();
            QVERIFY2(content.contains(expected[format]), content.constData());
        }
        bridge().select(ref(m_servers[0]));
        QVERIFY(m_window->action("live.locate")->isEnabled());
        m_window->action("live.locate")->trigger();
        QTRY_VERIFY(panel->detail()->toPlainText().contains("Fault check: " + bridge().nameOf(ref(m_servers[0]))));
    }

    /// Ranked on an emulated history, as the command does; precision and recall go to the goodput scenario.
    void task_predictions()
    {
        m_window->raisePanel("predictions");
        auto* panel = qobject_cast<PredictionPanel*>(m_window->panel("predictions"));
        const auto click = [&](const char* name) {
            auto* button = m_window->findChild<QToolButton*>(name);
            QVERIFY(button && button->isVisible());
            QTRY_VERIFY(button->isEnabled());
            QTest::mouseClick(button, Qt::LeftButton);
        };
        click("predictionEmulate");
        QTRY_VERIFY_WITH_TIMEOUT(panel->list()->model()->rowCount() > 0, 20000);
        const auto expected = sim::emulatedPrediction(*bridge().figures(), 90, 1).value();
        QCOMPARE(panel->list()->model()->rowCount(), int(expected.hosts.size()));
        QCOMPARE(panel->list()->model()->index(0, 0).data().toString().toStdString(), expected.hosts.front().name);
        QVERIFY2(panel->summary().contains("90 days, seed 1") && panel->summary().contains("Precision"), qPrintable(panel->summary()));
        QVERIFY(panel->detail()->toPlainText().contains("within 7 days"));
        const QString file = m_folder.filePath("likely.csv");
        answerFileDialog(file);
        click("predictionExport");
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll().toStdString(), prediction::predictionCsv(expected, 0));
        sim::ScenarioRequest request;
        connect(&m_window->simulationSession(), &SimulationSession::requestOffered, this,
                [&request](const sim::ScenarioRequest& offered) { request = offered; });
        click("predictionGoodput");
        QVERIFY(request.kind && request.kind->name == "design-goodput");
        QTRY_VERIFY(m_window->panel("scenario")->isVisible());
        QCOMPARE(request.parameters["recall"].get<double>(), expected.quality->recall());
        m_window->raisePanel("predictions");
        panel->read({m_folder.filePath("missing.jsonl")}); // reported, and the list stays
        QTRY_VERIFY_WITH_TIMEOUT(!bridge().jobs().busy("live.prediction"), 20000);
        QCOMPARE(panel->list()->model()->rowCount(), int(expected.hosts.size()));
    }

    void oneLineShowsIt()
    {
        follow();
        put(frameAt(test::kLiveStart));
        m_window->setShown("power", true);
        bool ready = false;
        m_window->power()->whenReady([&] { ready = true; });
        QTRY_VERIFY_WITH_TIMEOUT(ready, 30000);
        OverlaySource::of(bridge()).choose("live-power");
        const QImage measured = m_window->power()->canvas()->grab().toImage();
        OverlaySource::of(bridge()).choose("kind");
        QVERIFY(m_window->power()->canvas()->grab().toImage() != measured);
    }
};

int main(int argc, char** argv)
{
    TwinView::prepareApplication();
    test::keepSettingsApart();
    QApplication application(argc, argv);
    TestLive test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_live.moc"
