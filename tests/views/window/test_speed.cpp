// SPDX-License-Identifier: GPL-3.0-or-later
// What one moment of work costs the window, with all panels open: nothing may hold it up for long.
#include "sample.h"

#include "app/window/main_window.h"
#include "views/panels/impact_panel.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_view.h"
#include "views/twin/twin_view.h"

#include "core/design/edit/edits.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <ctime>
#include <map>

using namespace hw;
using namespace hw::views;

/// So many that the twin makes its scene on a worker, as for eight.
constexpr int kLargePods = 5;

class TestSpeed : public QObject {
    Q_OBJECT

    static double median(std::vector<double> ms)
    {
        std::ranges::sort(ms);
        return ms[ms.size() / 2];
    }
    /// Processor time of the GUI thread: what others do on the machine does not count.
    static double millis(const std::function<void()>& work)
    {
        const auto now = [] {
            timespec t{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
            return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
        };
        const double start = now();
        work();
        return now() - start;
    }

    /// Made once, as more than one test looks at it.
    const std::pair<SnapshotPtr, FiguresPtr>& hall(int pods)
    {
        auto& made = m_halls[pods];
        if (!made.first) {
            const auto library = app::Library::load().value();
            const Template& design = *library.find("hpn");
            made.first = instantiate(design, design.complete(ParameterValues{{"pods", pods}}).value(), *library.catalog).value();
            made.second = computeFigures(made.first).value();
        }
        return made;
    }
    /// A window with its findings, for all tests of that size.
    app::MainWindow& opened(int pods)
    {
        auto& window = m_windows[pods];
        if (window) return *window;
        const auto& [snapshot, figures] = hall(pods);
        window = std::make_unique<app::MainWindow>(nullptr);
        window->resize(1600, 1000);
        window->show();
        (void)QTest::qWaitForWindowExposed(window.get());
        auto& bridge = window->session().bridge();
        m_loadMs[pods] = millis([&] { bridge.load(snapshot, figures); });
        (void)QTest::qWaitFor([&] { return bridge.findings() != nullptr; }, 120000);
        return *window;
    }
    std::map<int, std::pair<SnapshotPtr, FiguresPtr>> m_halls;
    std::map<int, std::unique_ptr<app::MainWindow>> m_windows;
    std::map<int, double> m_loadMs;

private slots:
    void cleanupTestCase()
    {
        for (auto& [pods, window] : m_windows) window->session().discardChanges();
        m_windows.clear();
    }

    void moments_data()
    {
        QTest::addColumn<int>("pods");
        QTest::newRow("1 pod") << 1;
        QTest::newRow("large") << kLargePods;
    }
    void moments()
    {
        QFETCH(int, pods);
        const auto& [snapshot, figures] = hall(pods);
        app::MainWindow& window = opened(pods);
        auto& bridge = window.session().bridge();
        const double load = m_loadMs[pods];
        QVERIFY(bridge.findings() != nullptr);

        const RowId row = snapshot->rows.ids().front();
        std::vector<double> select, step;
        for (const RackId rack : {RackId(3), RackId(40), RackId(80), RackId(120), RackId(160)})
            select.push_back(millis([&] {
                bridge.select(ref(rack));
                QCoreApplication::processEvents();
            }));
        QVERIFY(bridge.beginPreview("Move"));
        for (int i = 0; i < 15; ++i)
            step.push_back(millis([&] {
                QVERIFY(bridge.preview([&](Transaction& t) { return edit::moveEntity(t, ref(row), 100, 0); }).has_value());
                QCoreApplication::processEvents(); // figures, panels, and the pictures
                QCoreApplication::processEvents();
            }));
        const double commit = millis([&] { bridge.commitPreview(); });
        const double undo = millis([&] { bridge.undo(); });
        qInfo("%d pod(s): load %.0f ms, select %.1f ms, drag step %.1f ms (worst %.1f), commit %.1f ms, undo %.1f ms", pods, load, median(select),
              median(step), *std::ranges::max_element(step), commit, undo);
    }

    /// Loads that change, over all racks and links, with every view and panel open.
    void film()
    {
        const auto& [snapshot, figures] = hall(kLargePods);
        app::MainWindow& window = opened(kLargePods);
        auto& bridge = window.session().bridge();
        QVERIFY(bridge.findings() != nullptr);
        window.setOverlay("load");
        std::vector<std::shared_ptr<sim::FlowResult>> film;
        for (std::uint32_t frame = 0; frame < 4; ++frame) {
            film.push_back(std::make_shared<sim::FlowResult>());
            film.back()->scenarioName = "film";
            film.back()->capacityGbps.assign(2 * std::size_t(snapshot->links.nextId()), 200);
            for (std::uint32_t i = 0; i < film.back()->capacityGbps.size(); ++i)
                film.back()->loadGbps.push_back(float(((i + frame * 7919u) * 2654435761u) >> 24) / 255 * 200);
        }
        auto* twin = window.findChild<TwinView*>();
        bridge.setFlows(film.back(), {"film", false, false});
        QTest::qWait(500);
        const TwinStatistics before = twin ? twin->statistics() : TwinStatistics();
        std::vector<double> steps;
        QElapsedTimer clock;
        clock.start();
        constexpr int kFrames = 40;
        for (int i = 0; i < kFrames; ++i) {
            const auto seen = twin ? twin->statistics().frames : 0;
            steps.push_back(millis([&] {
                bridge.setFlows(film[std::size_t(i) % film.size()], {"film", false, false});
                QCoreApplication::processEvents();
            }));
            if (twin) QTRY_VERIFY_WITH_TIMEOUT(twin->statistics().frames > seen, 5000);
        }
        const double seconds = double(clock.elapsed()) / 1000;
        const TwinStatistics after = twin ? twin->statistics() : TwinStatistics();
        qInfo("%u racks and %u links in other colors %.1f times a second; GUI thread %.1f ms a step (worst %.1f), 3D frame %.1f ms; %zu "
              "meshes made anew",
              unsigned(snapshot->racks.size()), unsigned(snapshot->links.size()), kFrames / seconds, median(steps), *std::ranges::max_element(steps),
              after.frameMs, after.meshes - before.meshes);
        QCOMPARE(after.meshes, before.meshes);
    }

    /// While failures are worked out, answered, ranked and cleared, no single turn of the event loop takes the GUI thread for long.
    void whatFails()
    {
        const auto& [snapshot, figures] = hall(kLargePods);
        app::MainWindow& window = opened(kLargePods);
        auto& bridge = window.session().bridge();
        QVERIFY(bridge.findings() != nullptr);
        const auto revision = bridge.snapshot()->revision;
        auto* panel = qobject_cast<ImpactPanel*>(window.panel("impact"));
        std::vector<EntityRef> busways;
        snapshot->devices.forEach([&](DeviceId id) {
            if (snapshot->devices.row[id]) busways.push_back(ref(id));
        });
        const auto worstTurn = [&](const std::function<void()>& begin, const std::function<bool()>& done) {
            double worst = millis(begin);
            QElapsedTimer clock;
            clock.start();
            while (!done() && clock.elapsed() < 60000) {
                worst = std::max(worst, millis([] { QCoreApplication::processEvents(); }));
                QThread::msleep(1);
            }
            for (int i = 0; i < 20; ++i) worst = std::max(worst, millis([] { QCoreApplication::processEvents(); }));
            return worst;
        };
        const double ranked = worstTurn([&] { window.raisePanel("impact"); }, [&] { return panel->rankedRevision() == revision; });
        QVERIFY(panel->rankedRevision() == revision);
        std::vector<double> asked;
        for (int i = 0; i < 5; ++i) {
            asked.push_back(worstTurn([&] { window.showImpact({busways[std::size_t(i) * 40]}); },
                                      [&] { return !bridge.jobs().busy("impact.answer") && window.overlay() == "impact"; }));
            asked.push_back(worstTurn([&] { panel->clear(); }, [&] { return window.overlay() != "impact"; }));
        }
        const double diagram = worstTurn([&] { window.setShown("power", true); }, [&] { return window.power()->canvas()->model() != nullptr; });
        qInfo("longest turn of the GUI thread: ranking %.1f ms, a question or its clearing %.1f ms (worst %.1f), the one-line diagram %.1f "
              "ms",
              ranked, median(asked), *std::ranges::max_element(asked), diagram);
    }
};

int main(int argc, char** argv)
{
    TwinView::prepareApplication();
    QApplication application(argc, argv);
    applyTheme(application, ThemeKind::Dark);
    TestSpeed test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_speed.moc"
