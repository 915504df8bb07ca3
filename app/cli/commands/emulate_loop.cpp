// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/emulate_loop.h"

#include "app/cli/console.h"

#include <cctype>
#include <chrono>
#include <cmath>

#include <poll.h>
#include <unistd.h>

namespace hw::cli {

namespace {

using namespace emulation;
using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostNames = 60; // of one list

/// Lines that somebody types or pipes in, without waiting for them.
class Lines {
public:
    /// Waits until then at most; true and a line when there is one.
    bool next(Clock::time_point until, std::string& line)
    {
        if (take(line)) return true;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
        pollfd in{m_open && ours() ? STDIN_FILENO : -1, POLLIN, 0};
        if (::poll(&in, 1, int(std::clamp<long long>(left, 0, 100))) <= 0 || in.revents == 0) return false;
        char part[4096];
        const auto got = ::read(STDIN_FILENO, part, sizeof part);
        if (got <= 0)
            m_open = false;
        else
            m_text.append(part, std::size_t(got));
        return take(line);
    }

private:
    bool take(std::string& line)
    {
        const auto end = m_text.find('\n');
        if (end == std::string::npos) return false;
        line = m_text.substr(0, end);
        m_text.erase(0, end + 1);
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
        return true;
    }
    /// A program in the background would be stopped by reading from its terminal.
    static bool ours() { return ::isatty(STDIN_FILENO) == 0 || ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

    std::string m_text;
    bool m_open = true;
};

void printLine(const Text& text)
{
    print(words(text) + '\n');
    std::fflush(stdout);
}

void printNames(const Hall& hall, const std::string& word)
{
    const auto names = hall.failable(word);
    for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) print("  " + names[i] + '\n');
    if (names.size() > kMostNames) printLine(i18n("  and {:L} more; use list WORD to filter by name", std::int64_t(names.size() - kMostNames)));
    if (names.empty()) printLine(i18n("  no name contains {}", word));
    std::fflush(stdout);
}

/// False: it asks for the end.
bool obey(Hall& hall, const std::string& line)
{
    if (line.empty()) return true;
    if (line == "quit" || line == "exit") return false;
    if (line == "list" || line.starts_with("list ")) {
        printNames(hall, line.size() > 5 ? line.substr(5) : "");
        return true;
    }
    if (line == "help") {
        printLine(
            i18n("fail NAME, restore [NAME], leak NAME, degrade PORT lanes=2, drop-packets PORT percent=5, silent-loss LINK percent=1, throttle "
                 "SERVER percent=50, xid SERVER gpu=0 code=79, sensor-missing percent=5, gap for_s=20, list [WORD], "
                 "quit; full list in docs/emulate.md"));
        return true;
    }
    const auto deed = readLine(line);
    if (!deed) {
        printError(deed.error());
        return true;
    }
    if (const auto done = hall.apply(*deed, line); !done) printError(done.error());
    return true;
}

/// Something worth failing: a busway, a CDU, else whatever comes first.
void printHints(const Hall& hall)
{
    const Snapshot& s = *hall.model().s;
    std::string busway, cdu;
    s.devices.forEach([&](DeviceId id) {
        const DeviceSpec& spec = hall.model().parts->device(s.devices.type[id]);
        if (busway.empty() && spec.power.element == PowerElement::Busway && hall.model().chain->load(id).count() > 0) busway = s.devices.name[id];
        if (cdu.empty() && spec.cooling.element == CoolingElement::Cdu) cdu = s.devices.name[id];
    });
    if (busway.empty() && cdu.empty()) return;
    printLine(busway.empty() || cdu.empty() ? i18n("try: fail {}", busway + cdu) : i18n("try: fail {}, then fail {}", busway, cdu));
}

void printHappenings(Hall& hall)
{
    for (const auto& happening : hall.happenings()) {
        const auto at = happening.ms / 1000;
        print(fmt::format("{:3}:{:02} {}\n", at / 60, at % 60, words(happening.what)));
    }
    std::fflush(stdout);
}

} // namespace

Outcome emulateLive(Hall& hall, JobEmulation* job, std::vector<std::unique_ptr<Output>>& outputs, const EmulationPace& pace, const Progress& progress)
{
    for (const auto& output : outputs)
        if (const auto begun = output->begin(); !begun) return tl::unexpected(begun.error());
    printLine(i18np(std::int64_t(hall.sensors().size()), "{:L} sensor; type help for commands, Ctrl-C to end",
                    "{:L} sensors; type help for commands, Ctrl-C to end"));
    printHints(hall);
    Lines lines;
    std::vector<Text> troubles(outputs.size());
    const auto start = Clock::now() - std::chrono::milliseconds(hall.nowMs());
    bool more = true, late = false;
    for (std::int64_t step = 1; more && !progress.stopRequested(); ++step) {
        const auto target = std::llround(double(step) * 1000 / pace.rate);
        const auto due = start + std::chrono::milliseconds(target);
        std::string line;
        do {
            if (lines.next(due, line)) more = obey(hall, line) && more;
        } while (more && !progress.stopRequested() && Clock::now() < due);
        if (!more || progress.stopRequested()) break;
        const auto values = hall.advance(target);
        for (const auto& output : outputs)
            if (const auto said = output->say(values); !said) return tl::unexpected(said.error());
        if (job)
            if (const auto readings = job->advance(); !readings.empty())
                for (const auto& output : outputs)
                    if (const auto said = output->sayJob(*job, readings); !said) return tl::unexpected(said.error());
        printHappenings(hall);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            if (const Text now = outputs[i]->trouble(); now != troubles[i] && !(troubles[i] = now).empty()) printNote(now);
        if (!late && Clock::now() - due > std::chrono::seconds(5)) {
            late = true;
            printNote(i18n("cannot keep up: reduce --series or --rate, or increase --poll"));
        }
        if (pace.forS > 0 && double(hall.nowMs()) >= pace.forS * 1000) break;
    }
    for (const auto& output : outputs) {
        if (const auto ended = output->end(); !ended) return tl::unexpected(ended.error());
        const auto counts = output->counts();
        printLine(i18n("published {:L} values ({:L} lost) and {:L} metadata messages", std::int64_t(counts.values), std::int64_t(counts.lost),
                       std::int64_t(counts.metadata)));
    }
    return kDone;
}

} // namespace hw::cli
