// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/live/soak_bench.h"

#include "core/operations/following/follower.h"
#include "importers/telemetry/sources.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <thread>

#include <fmt/ostream.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hw::bench {

namespace {

using namespace std::chrono_literals;

/// A program that runs beside us, until it is ended.
class Child {
public:
    explicit Child(const std::string& command)
    {
        m_pid = ::fork();
        if (m_pid != 0) return;
        ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
        ::_exit(127);
    }
    ~Child() { end(SIGTERM); }
    int end(int signal)
    {
        if (m_pid <= 0) return m_status;
        if (signal != 0) ::kill(m_pid, signal);
        ::wait4(m_pid, &m_status, 0, &m_used);
        m_pid = 0;
        return m_status;
    }
    [[nodiscard]] bool running()
    {
        if (m_pid > 0 && ::wait4(m_pid, &m_status, WNOHANG, &m_used) == m_pid) m_pid = 0;
        return m_pid > 0;
    }
    [[nodiscard]] const rusage& used() const { return m_used; } ///< once it has ended

private:
    pid_t m_pid = 0;
    int m_status = 0;
    rusage m_used{};
};

double residentMb()
{
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return double(resident) * double(::sysconf(_SC_PAGESIZE)) / 1e6;
}

double processorSeconds(const rusage& used)
{
    return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

double processorSeconds()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return processorSeconds(used);
}

/// Keeps the newest value of every point, as views need them; judges nothing.
class Values final : public following::Judge {
public:
    void design(FiguresPtr design, bindings::BoundPtr bound) override
    {
        m_frame.design = std::move(design);
        m_frame.bound = std::move(bound);
        m_frame.values.resize(m_frame.bound->points.size());
        m_frame.times.resize(m_frame.bound->points.size());
    }
    void take(std::span<const bindings::PointSample> samples) override
    {
        for (const auto& sample : samples) {
            m_frame.values[sample.point] = float(sample.value);
            m_frame.times[sample.point] = sample.timeMs;
        }
    }
    void gap(const bindings::Gap&) override {}
    void answer(const monitoring::Answer&, std::int64_t) override {}
    std::vector<monitoring::Event> advance(std::int64_t) override { return {}; }
    [[nodiscard]] monitoring::FramePtr frame() const override { return std::make_shared<monitoring::Frame>(m_frame); }

private:
    monitoring::Frame m_frame;
};

/// Every channel has a point of its own.
bindings::BoundPtr bindAll(const FiguresPtr&, std::span<const bindings::ChannelText> channels, std::span<const bindings::ChannelNo>)
{
    auto bound = std::make_shared<bindings::Bound>();
    bound->channels.resize(channels.size());
    for (std::size_t i = 0; i < channels.size(); ++i) {
        bound->points.push_back({{}, bindings::Measure::ActivePower, channels[i].name});
        bound->channels[i].reason = bindings::Bound::Reason::Bound;
        bound->channels[i].point = bindings::PointNo(i);
    }
    bound->bound = channels.size();
    return bound;
}

void writeMapping(const std::filesystem::path& file, int together)
{
    std::ofstream out(file);
    out << "kind: mqtt\ntopics:\n  - subscribe: soak/#\n    time: /timestamp\n    values: {";
    for (int i = 0; i < together; ++i) out << (i ? ", " : "") << "/v" << i << ": W";
    out << "}\n";
}

std::uint64_t linesOf(const std::filesystem::path& file)
{
    std::ifstream in(file);
    return std::uint64_t(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
}

void row(std::ostream& out, double seconds, const following::Follower& follower, std::uint64_t before, double over)
{
    const auto counts = follower.counts();
    const auto figures = follower.history()->figures();
    fmt::print(out, "  {:>6.0f}{:>14}{:>11.0f}{:>14}{:>9}{:>9}{:>9}{:>9.1f}{:>9.2f}{:>9.1f}  {}\n", seconds, counts.received,
               double(counts.received - before) / over, counts.stored, counts.lost, counts.duplicate, counts.waiting, residentMb(),
               double(figures.bytes) / double(std::max<std::uint64_t>(1, figures.samples)), processorSeconds(), figures.trouble);
    out.flush();
}

bool soak(std::ostream& out, const SoakOptions& options, const std::filesystem::path& folder)
{
    const int port = 20'000 + ::getpid() % 20'000;
    std::ofstream(folder / "broker.conf") << "listener " << port << " 127.0.0.1\nallow_anonymous true\nmax_queued_messages 10000000\n";
    writeMapping(folder / "soak.yaml", options.together);
    Child broker("mosquitto -c " + (folder / "broker.conf").string() + " 2>/dev/null");
    std::this_thread::sleep_for(1s);
    Child counter(fmt::format("mosquitto_sub -h 127.0.0.1 -p {} -t 'soak/#' -F %l > {}", port, (folder / "counted").string()));

    following::Options following;
    following.store = folder / "soak.telemetry";
    following.judge = [] { return std::make_unique<Values>(); };
    following.binder = bindAll;
    telemetry::SourceOptions from;
    from.url = fmt::format("mqtt://127.0.0.1:{}", port);
    from.mappings = {folder / "soak.yaml"};
    auto source = telemetry::makeMqttSource(from);
    if (!source) return (fmt::print(out, "error: {}\n", source.error().text()), false);
    std::vector<std::unique_ptr<bindings::Source>> sources;
    sources.push_back(std::move(*source));
    following::Follower follower(std::make_shared<Figures>(std::make_shared<Snapshot>(), nullptr), std::move(following));
    if (const auto started = follower.start(std::move(sources)); !started) return (fmt::print(out, "error: {}\n", started.error().text()), false);
    std::this_thread::sleep_for(1s);

    fmt::print(out,
               "{} samples a second for {} s from {} channels, {} to a message, over mosquitto; memory and processor time of this process\n"
               "  {:>6}{:>14}{:>11}{:>14}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n",
               options.perSecond, options.seconds, options.channels, options.together, "s", "received", "1/s", "stored", "lost", "twice", "waiting",
               "MB", "bytes", "CPU s");
    Child publisher(fmt::format("{} publish {} {} {} {} {} > {}", std::filesystem::read_symlink("/proc/self/exe").string(), port, options.seconds,
                                options.perSecond, options.channels, options.together, (folder / "published").string()));
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    const double every = std::max(1.0, options.seconds / 20.0);
    std::uint64_t before = 0;
    for (double next = every; publisher.running(); std::this_thread::sleep_for(50ms))
        if (passed() >= next) {
            row(out, passed(), follower, before, every);
            before = follower.counts().received;
            next += every;
        }
    for (std::uint64_t seen = 0; seen != follower.counts().received; std::this_thread::sleep_for(2s)) seen = follower.counts().received;
    const auto stopped = follower.stop();
    row(out, passed(), follower, before, every);
    std::this_thread::sleep_for(1s);
    counter.end(SIGTERM);
    std::uint64_t published = 0;
    double took = 0;
    std::ifstream(folder / "published") >> published >> took;
    broker.end(SIGTERM);
    const double million = double(std::max<std::uint64_t>(published, 1)) * 1e-6;
    fmt::print(out, "  CPU s per million samples: this process {:.2f}, mosquitto {:.2f}, publisher {:.2f}, mosquitto_sub {:.2f}\n",
               processorSeconds() / million, processorSeconds(broker.used()) / million, processorSeconds(publisher.used()) / million,
               processorSeconds(counter.used()) / million);
    const auto counts = follower.counts();
    const std::uint64_t counted = linesOf(folder / "counted") * std::uint64_t(options.together);
    fmt::print(out, "  published {} in {:.1f} s, counted by mosquitto_sub {}, received {}, stored {}, lost {}, twice {}: {}\n", published, took,
               counted, counts.received, counts.stored, counts.lost, counts.duplicate,
               published == counted && counted == counts.received && counts.received == counts.stored ? "nothing not found" : "NOT ALL THERE");
    return stopped && published == counts.stored;
}

} // namespace

bool benchSoak(std::ostream& out, const SoakOptions& options)
{
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("hallwright-soak-{}", ::getpid());
    std::filesystem::create_directories(folder);
    const bool good = soak(out, options, folder);
    std::filesystem::remove_all(folder);
    return good;
}

} // namespace hw::bench
