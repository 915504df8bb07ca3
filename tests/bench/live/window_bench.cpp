// SPDX-License-Identifier: GPL-3.0-or-later
// The window while a hall speaks: how often it is drawn, how long it does not answer, and what comes in meanwhile. The publisher is a program
// of its own; a broker stands between. Needs a screen: xvfb-run hallwright-window-bench [SECONDS [SAMPLES A SECOND [CHANNELS]]]; 0 seconds: scrubbing
// through a day
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include "app/window/central_area.h"
#include "app/window/main_window.h"
#include "core/design/template/template.h"
#include "tests/bench/live/scrub_bench.h"
#include "views/plan/plan_view.h"
#include "views/style/theme.h"
#include "views/twin/twin_view.h"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace hw;

constexpr int kTogether = 20; ///< values of a message, as the publisher sends them

pid_t startChild(const std::string& command)
{
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
        ::_exit(127);
    }
    return pid;
}

double processorSeconds()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

double residentMb()
{
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return double(resident) * double(::sysconf(_SC_PAGESIZE)) / 1e6;
}

/// A pod in which every channel of the publisher is bound by hand to what its sensor is like (telemetrygen.h).
SnapshotPtr boundPod(int channels)
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto pod = Template::load(HW_RESOURCES "/templates/hpn.yaml").value();
    Snapshot s(*instantiate(pod, pod.complete({{"segments", "2"}}).value(), catalog).value());
    std::vector<DeviceId> servers;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server) servers.push_back(id);
    });
    struct Said {
        const char *measure, *unit, *element;
    };
    const Said kinds[] = {{"active-power", "kW", "feed"}, {"air-inlet", "Cel", ""},       {"active-power", "W", "gpu"},
                          {"flow", "L/min", "loop"},      {"receive", "Bytes total", ""}, {"status", "", ""}};
    for (int i = 0; i < channels; ++i) {
        const int device = i / kTogether;
        const Said& said = kinds[i % 6];
        const BindingId id = s.bindings.insert();
        s.bindings.channel.set(id, "soak/device" + std::to_string(device) + "#/v" + std::to_string(i % kTogether));
        s.bindings.device.set(id, servers[std::size_t(device) % servers.size()]);
        s.bindings.measure.set(id, std::string(said.measure));
        s.bindings.element.set(id, said.element + std::to_string(i % kTogether + kTogether * (device / int(servers.size()))));
        s.bindings.unit.set(id, std::string(said.unit));
    }
    return std::make_shared<const Snapshot>(std::move(s));
}

void writeMapping(const std::filesystem::path& file)
{
    std::ofstream out(file);
    out << "kind: mqtt\ntopics:\n  - subscribe: soak/#\n    time: /timestamp\n    values: {";
    for (int i = 0; i < kTogether; ++i) out << (i ? ", " : "") << "/v" << i << ": ''";
    out << "}\n";
}

/// Counts how often a widget is drawn, and the longest time in which the event loop did not turn.
class Counter final : public QObject {
public:
    Counter(QWidget* twin, QWidget* plan) : m_twin(twin), m_plan(plan)
    {
        twin->installEventFilter(this);
        plan->installEventFilter(this);
        connect(&m_turn, &QTimer::timeout, this, [this] { turned(); });
    }
    void begin()
    {
        twins = plans = 0, longest = 0;
        m_clock.start();
        m_turn.start(5);
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) ++(watched == m_twin ? twins : plans);
        return false;
    }
    int twins = 0, plans = 0;
    qint64 longest = 0;
    bool moving = false; ///< somebody turns the hall around

private:
    void turned()
    {
        longest = std::max(longest, m_clock.restart());
        if (!moving) return;
        const QPointF at(m_twin->width() / 2.0 + 60 * std::sin(m_step * 0.05), m_twin->height() / 2.0);
        const bool begins = m_step++ == 0; // somebody turns the hall around
        QMouseEvent event(begins ? QEvent::MouseButtonPress : QEvent::MouseMove, at, m_twin->mapToGlobal(at), begins ? Qt::LeftButton : Qt::NoButton,
                          Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_twin, &event);
        m_plan->update();
    }
    QWidget *m_twin, *m_plan;
    QTimer m_turn;
    QElapsedTimer m_clock;
    int m_step = 0;
};

void spend(double seconds)
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < qint64(seconds * 1000)) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

} // namespace

int main(int argc, char** argv)
{
    const double seconds = argc > 1 ? std::atof(argv[1]) : 20;
    const int perSecond = argc > 2 ? std::atoi(argv[2]) : 100'000, channels = argc > 3 ? std::atoi(argv[3]) : 20'000;
    views::TwinView::prepareApplication();
    QTemporaryDir folder;
    QCoreApplication::setOrganizationName("HallwrightBench");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QApplication application(argc, argv);
    views::applyTheme(application, views::ThemeKind::Dark);
    app::MainWindow window;
    window.resize(1600, 900);
    window.show();
    auto& bridge = window.session().bridge();
    bridge.load(boundPod(channels));
    while (!bridge.figures() || !bridge.figuresCurrent()) spend(0.1);

    const std::filesystem::path room = folder.path().toStdString();
    const int port = 20'000 + ::getpid() % 20'000;
    std::ofstream(room / "broker.conf") << "listener " << port << " 127.0.0.1\nallow_anonymous true\nmax_queued_messages 10000000\n";
    writeMapping(room / "soak.yaml");
    if (seconds == 0) return bench::benchScrub(window, room), window.session().discardChanges(), 0;
    const pid_t broker = startChild("mosquitto -c " + (room / "broker.conf").string() + " 2>/dev/null");
    spend(1);
    views::LiveRequest request;
    request.url = "mqtt://127.0.0.1:" + std::to_string(port);
    request.mappings = {room / "soak.yaml"};
    window.session().saveAs(QString::fromStdString((room / "pod.hall").string())); // a history beside it
    spend(2);
    window.follow(request);
    while (!window.live().on()) spend(0.1);
    const std::string publisher = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "hallwright-live-bench").string();
    const pid_t child = startChild(publisher + " publish " + std::to_string(port) + " " + std::to_string(int(seconds * 3 + 20)) + " " +
                                   std::to_string(perSecond) + " " + std::to_string(channels) + " > /dev/null");
    QWidget* twin = window.central()->twin();
    QWidget* plan = window.central()->plan();
    Counter counter(twin, plan);
    int shown = 0;
    QObject::connect(&window.live(), &views::LiveSession::shownChanged, &counter, [&] { ++shown; });
    spend(10); // channels become known and are bound
    const auto measure = [&](const char* what, bool moving) {
        counter.moving = moving, shown = 0;
        const auto before = window.live().counts();
        const double used = processorSeconds();
        QElapsedTimer clock;
        counter.begin();
        clock.start();
        spend(seconds);
        const double took = double(clock.elapsed()) / 1000;
        const auto& counts = window.live().counts();
        std::printf("%-12s %6.1f twin/s %6.1f plan/s  longest pause %4lld ms  %4.1f moments/s  %8.0f samples/s  bound %zu  lost %llu  %5.0f MB  CPU "
                    "%.2f s/s\n",
                    what, counter.twins / took, counter.plans / took, static_cast<long long>(counter.longest), shown / took,
                    double(counts.received - before.received) / took, std::size_t(counts.bound), static_cast<unsigned long long>(counts.lost),
                    residentMb(), (processorSeconds() - used) / took);
        std::fflush(stdout);
    };
    measure("still", false);
    measure("turning", true);
    window.raisePanel("bindings");
    measure("bindings", true);
    ::kill(child, SIGTERM), ::waitpid(child, nullptr, 0);
    window.live().close();
    spend(3);
    measure("not live", true);
    ::kill(broker, SIGTERM), ::waitpid(broker, nullptr, 0);
    window.session().discardChanges();
    return 0;
}
