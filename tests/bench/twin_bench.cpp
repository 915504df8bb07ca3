// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/twin_bench.h"

#include "tests/views/twin/sample_hall.h"
#include "views/twin/scene/twin_scene.h"
#include "views/twin/twin_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <ctime>
#include <iomanip>
#include <ostream>

using namespace hw;
using namespace hw::views;

namespace {

/// Runs the event loop until the view has drawn one more 3D frame; false after 10 s.
bool waitFrame(TwinView& view)
{
    QEventLoop loop;
    QTimer::singleShot(10000, &loop, [&] { loop.exit(1); });
    QObject::connect(&view, &TwinView::frameDrawn, &loop, [&] { loop.exit(0); });
    return loop.exec() == 0;
}

void waitMs(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/// Median of the time from one frame to the next while the camera turns, as a user has it: with Qt's
/// composition and whatever resolution the view chooses.
void orbit(TwinView& view, TwinCamera camera, const char* name, std::ostream& out)
{
    std::vector<double> all, inside;
    view.setCamera(camera);
    waitFrame(view);
    QElapsedTimer clock;
    clock.start();
    int reduced = 0;
    const std::clock_t cpu = std::clock(); // of all threads: what the machine's other work leaves untouched
    for (int i = 0; i < 60; ++i) {
        camera.azimuth += 2;
        view.setCamera(camera);
        if (!waitFrame(view)) break;
        all.push_back(double(clock.nsecsElapsed()) * 1e-6);
        inside.push_back(view.statistics().frameMs);
        reduced += view.statistics().reducedResolution;
        clock.restart();
    }
    const double ms = median(all), cpuMs = 1000.0 * double(std::clock() - cpu) / CLOCKS_PER_SEC / double(std::max<std::size_t>(1, all.size()));
    out << std::fixed << std::setprecision(1) << "twin." << name << ": frame " << ms << " ms = " << (ms > 0 ? 1000 / ms : 0) << " fps (3D alone "
        << median(inside) << " ms, CPU of all threads " << cpuMs << " ms), " << reduced << "/60 at reduced resolution, " << view.statistics().devices
        << " devices and " << view.statistics().cables << " cables in detail\n";
}

/// CPU of making the arrays, apart from drawing: from nothing, and after a row moved.
void benchArrays(const FiguresPtr& figures, std::ostream& out)
{
    Document document(figures->snapshot);
    const auto moved = test::moveRow(document, figures, RowId(4), 0, 50);
    std::vector<double> anew, after;
    for (int i = 0; i < 7; ++i) {
        QElapsedTimer clock;
        clock.start();
        const auto scene = twin::prepare({figures, nullptr, nullptr, nullptr, {}, nullptr, false});
        anew.push_back(double(clock.nsecsElapsed()) * 1e-6);
        clock.restart();
        (void)twin::prepare({moved.figures, scene.facts, moved.changes, nullptr, {}, nullptr, false});
        after.push_back(double(clock.nsecsElapsed()) * 1e-6);
    }
    out << "twin.arrays: from nothing " << median(anew) << " ms, after a moved row " << median(after) << " ms\n";
}

void benchMove(TwinView& view, const FiguresPtr& figures, std::ostream& out)
{
    Document document(figures->snapshot);
    FiguresPtr now = figures;
    std::vector<double> build, frame, update;
    for (int i = 0; i < 9; ++i) {
        QElapsedTimer clock;
        clock.start();
        const auto moved = test::moveRow(document, now, RowId(4), 0, i % 2 ? -50 : 50);
        update.push_back(double(clock.nsecsElapsed()) * 1e-6);
        now = moved.figures;
        clock.restart();
        view.setFigures(now, moved.changes);
        build.push_back(double(clock.nsecsElapsed()) * 1e-6);
        waitFrame(view);
        frame.push_back(double(clock.nsecsElapsed()) * 1e-6);
    }
    out << "twin.move_row: figures " << median(update) << " ms, arrays " << median(build) << " ms, on the screen after " << median(frame) << " ms\n";
}

/// A film of loads over all racks and links: how many of its frames are seen in a second, and what is made again for it.
void benchFilm(TwinView& view, const FiguresPtr& figures, const char* name, std::ostream& out)
{
    std::vector<std::shared_ptr<const sim::FlowResult>> film;
    for (std::uint32_t i = 0; i < 6; ++i) film.push_back(test::pretendedLoads(*figures->snapshot, i));
    const auto places = LinkPlaces::of(*figures->snapshot);
    const TwinStatistics before = view.statistics();
    std::vector<double> frames, values, asks;
    QElapsedTimer clock, whole;
    const std::clock_t cpu = std::clock();
    whole.start();
    constexpr int kFrames = 45;
    for (int i = 0; i < kFrames; ++i) {
        const auto& now = film[std::size_t(i) % film.size()];
        clock.start();
        OverlayInputs inputs{*figures, nullptr, {now->loadGbps, now->capacityGbps, "film"}, places.get()};
        const auto overlay = std::make_shared<const OverlayValues>(makeOverlay(*findOverlay("load"), inputs));
        values.push_back(double(clock.nsecsElapsed()) * 1e-6);
        view.setOverlay(overlay);
        view.setLoads(now);
        asks.push_back(double(clock.nsecsElapsed()) * 1e-6 - values.back());
        waitFrame(view);
        frames.push_back(view.statistics().frameMs);
    }
    const double seconds = double(whole.nsecsElapsed()) * 1e-9, cpuMs = 1000.0 * double(std::clock() - cpu) / CLOCKS_PER_SEC / kFrames;
    const TwinStatistics after = view.statistics();
    out << std::fixed << std::setprecision(1) << "twin." << name << ": " << kFrames / seconds << " frames of loads a second (values "
        << median(values) << " ms, asking " << median(asks) << " ms, 3D " << median(frames) << " ms, CPU of all threads " << cpuMs << " ms); "
        << after.recolors - before.recolors << " arrays of colors, " << after.meshes - before.meshes << " meshes and "
        << after.lineSets - before.lineSets << " sets of lines made anew\n";
}

/// What a frame of loads costs besides drawing it.
void benchLoads(const FiguresPtr& figures, std::ostream& out)
{
    const auto facts = twin::SceneFacts::of(*figures);
    const auto loads = test::pretendedLoads(*figures->snapshot, 3);
    std::vector<double> prepare, build;
    for (int i = 0; i < 7; ++i) {
        QElapsedTimer clock;
        clock.start();
        const auto prepared = twin::prepareLoads(*figures, *facts, loads, {}, false);
        prepare.push_back(double(clock.nsecsElapsed()) * 1e-6);
        clock.restart();
        (void)twin::buildBundles(*figures, *facts, {&prepared.loads, {}, false});
        build.push_back(double(clock.nsecsElapsed()) * 1e-6);
    }
    out << "twin.loads: sums and colors of " << figures->snapshot->links.size() << " links " << median(prepare)
        << " ms in a worker; meshes of bundles, no longer made, " << median(build) << " ms\n";
}

void benchPick(const TwinView& view, std::ostream& out)
{
    QElapsedTimer clock;
    clock.start();
    int picks = 0, hits = 0;
    for (int y = 20; y < view.height(); y += 40)
        for (int x = 20; x < view.width(); x += 40, ++picks) hits += bool(view.pick(QPointF(x, y)));
    out << std::setprecision(3) << "twin.pick: " << double(clock.nsecsElapsed()) * 1e-6 / std::max(1, picks) << " ms each (" << hits << " of "
        << picks << " hit)\n"
        << std::setprecision(1);
}

void benchDesign(int pods, std::ostream& out)
{
    QElapsedTimer clock;
    const FiguresPtr figures = test::figuresOf(test::hpnDesign(pods));
    TwinView view;
    view.resize(1400, 900);
    clock.start();
    view.setFigures(figures);
    const double build = double(clock.nsecsElapsed()) * 1e-6;
    view.show();
    waitFrame(view);
    out << std::fixed << std::setprecision(1) << "twin.pods=" << pods << ": arrays " << build << " ms, first picture "
        << double(clock.nsecsElapsed()) * 1e-6 << " ms after the figures\n";
    waitMs(1500);
    const TwinCamera home = view.camera();
    orbit(view, home, pods == 1 ? "orbit_whole_pod" : "orbit_whole_campus", out);
    benchPick(view, out);
    view.zoomTo(ref(RackId(40)));
    waitMs(600);
    orbit(view, view.camera(), pods == 1 ? "orbit_near_rack" : "orbit_near_rack_campus", out);
    benchPick(view, out);
    view.setCamera(home);
    view.setLoads(test::pretendedLoads(*figures->snapshot));
    waitMs(1500);
    orbit(view, home, pods == 1 ? "orbit_loads" : "orbit_loads_campus", out);
    benchFilm(view, figures, pods == 1 ? "film" : "film_campus", out);
    benchLoads(figures, out);
    view.setOverlay(nullptr);
    benchMove(view, figures, out);
    benchArrays(figures, out);
}

} // namespace

bool benchTwin(std::ostream& out)
{
    if (!TwinView::available()) return false;
    benchDesign(1, out);
    benchDesign(8, out);
    return true;
}
