// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monitoring/fault_table.h"

#include "core/derived/cooling/chain.h"
#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

using namespace hw;

namespace {

std::string nameOf(const FiguresPtr& figures, const monitoring::Alarm& alarm)
{
    const std::string name = entityName(*figures->snapshot, *figures->parts, alarm.cause);
    return alarm.element.empty() ? name : name + ":" + alarm.element;
}

} // namespace

std::set<std::string> causesOf(const FiguresPtr& figures, const monitoring::Frame& frame)
{
    std::set<std::string> names;
    for (const monitoring::Alarm& alarm : frame.alarms)
        if (alarm.kind == monitoring::AlarmKind::Cause) names.insert(nameOf(figures, alarm));
    return names;
}

namespace {

/// A hall that is watched for the warm-up.
struct Watched {
    Watched(const FiguresPtr& figures, const FaultRun& run) : hall(figures, run.options)
    {
        watch.design(figures, hall.bound());
        if (run.missingPercent > 0) hall.missing(run.missingPercent);
        (void)hall.watch(watch, run.warmUpS);
    }
    Emulated hall;
    monitoring::Monitor watch;
};

FaultFound tryIn(Watched& watched, const FiguresPtr& figures, const FaultCase& fault, const FaultRun& run)
{
    auto& [hall, watch] = watched;
    FaultFound out;
    out.fault = fault;
    for (const std::string& deed : fault.deeds) hall.deed(deed);
    const std::set<std::string> wanted(fault.causes.begin(), fault.causes.end());
    std::set<std::string> wrong, falsely;
    for (int s = 1; s <= (fault.mostS > 0 ? fault.mostS : run.mostS); ++s) {
        for (const monitoring::Event& e : hall.watch(watch, 1))
            if (e.kind == monitoring::Event::Kind::Alarm && e.alarm.kind != monitoring::AlarmKind::Cause) out.beside.push_back(words(e.alarm.what));
        const auto frame = watch.frame();
        const auto named = causesOf(figures, *frame);
        std::ranges::set_difference(named, wanted, std::inserter(wrong, wrong.end()));
        for (const monitoring::Alarm& alarm : frame->alarms)
            if (alarm.kind == monitoring::AlarmKind::Cause && !wanted.contains(nameOf(figures, alarm)) &&
                std::ranges::none_of(alarm.alike, [&](const std::string& name) { return wanted.contains(name); }))
                falsely.insert(nameOf(figures, alarm));
        if (std::ranges::includes(named, wanted) && out.seconds < 0) out.seconds = s;
        if (!std::ranges::includes(named, wanted)) out.seconds = -1;
    }
    out.wrong.assign(wrong.begin(), wrong.end()), out.falsely.assign(falsely.begin(), falsely.end());
    const auto frame = watch.frame();
    const auto named = causesOf(figures, *frame);
    out.named.assign(named.begin(), named.end());
    out.all = named == wanted;
    std::set<std::string> said = wanted;
    for (const monitoring::Alarm& alarm : frame->alarms) {
        if (alarm.kind != monitoring::AlarmKind::Cause) continue;
        out.said += words(alarm.what) + " | ";
        said.erase(nameOf(figures, alarm));
        for (const std::string& name : alarm.alike) said.erase(name);
    }
    out.among = !wanted.empty() && said.empty() && named.size() == wanted.size();
    for (const monitoring::Deviation& d : frame->deviations)
        if (d.kind >= monitoring::DeviationKind::LowPerformance && d.kind <= monitoring::DeviationKind::NoConnection)
            out.located.push_back(entityName(*figures->snapshot, *figures->parts, d.entity) + ": " + words(d.what));
    return out;
}

constexpr char kField = '\x1f', kItem = '\x1e'; // between what is written through a pipe

std::string written(const FaultFound& found)
{
    std::string out = fmt::format("{}{}{}{}{}{}{}", int(found.all), kField, int(found.among), kField, found.seconds, kField, found.said);
    for (const auto* list : {&found.named, &found.located, &found.wrong, &found.falsely, &found.beside}) {
        out += kField;
        for (const std::string& item : *list) out += item + kItem;
    }
    return out;
}

std::vector<std::string> parts(const std::string& text, char by)
{
    std::vector<std::string> out(1);
    for (const char c : text)
        if (c == by)
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

FaultFound readFrom(const std::string& text, const FaultCase& fault)
{
    FaultFound out;
    out.fault = fault;
    const auto fields = parts(text, kField);
    if (fields.size() != 9) {
        out.said = "the process that tried it stopped";
        return out;
    }
    out.all = fields[0] == "1", out.among = fields[1] == "1", out.seconds = std::atoi(fields[2].c_str()), out.said = fields[3];
    std::size_t at = 4;
    for (auto* list : {&out.named, &out.located, &out.wrong, &out.falsely, &out.beside}) {
        *list = parts(fields[at++], kItem);
        list->pop_back();
    }
    return out;
}

/// What is written by a copy of the process.
template <class Work>
std::string apart(Work&& work)
{
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return {};
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        const std::string text = work();
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t n = ::write(ends[1], text.data() + at, text.size() - at);
            if (n <= 0) break;
            at += std::size_t(n);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string all;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; child > 0 && (n = ::read(ends[0], buffer.data(), buffer.size())) > 0;) all.append(buffer.data(), std::size_t(n));
    ::close(ends[0]);
    int status = 0;
    if (child > 0) ::waitpid(child, &status, 0);
    return all;
}

} // namespace

FaultFound tryFault(const FiguresPtr& figures, const FaultCase& fault, const FaultRun& run)
{
    Watched watched(figures, run);
    return tryIn(watched, figures, fault, run);
}

std::vector<FaultFound> tryFaults(const FiguresPtr& figures, const std::vector<FaultCase>& faults, const FaultRun& run)
{
    Watched watched(figures, run);
    std::vector<FaultFound> out;
    for (const FaultCase& fault : faults) out.push_back(readFrom(apart([&] { return written(tryIn(watched, figures, fault, run)); }), fault));
    return out;
}

std::string ratesOf(const std::vector<FaultFound>& rows)
{
    std::size_t exactly = 0, alike = 0, wrong = 0;
    std::vector<int> seconds;
    for (const FaultFound& row : rows) {
        exactly += row.all, alike += !row.all && row.among, wrong += !row.wrong.empty();
        if (row.all && row.seconds >= 0) seconds.push_back(row.seconds);
    }
    std::ranges::sort(seconds);
    const int half = seconds.empty() ? -1 : seconds[seconds.size() / 2], all = seconds.empty() ? -1 : seconds.back();
    return fmt::format(
        "{} of {} named exactly, {} beside what cannot be told apart, {} not; {} with another cause for a while; half after {} s, all after {} s",
        exactly, rows.size(), alike, rows.size() - exactly - alike, wrong, half, all);
}

std::string tableOf(const std::vector<FaultFound>& rows)
{
    const auto joined = [](const std::vector<std::string>& names) {
        std::string all;
        for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
        return all.empty() ? std::string("-") : all;
    };
    std::string out = fmt::format("{:<22} {:<44} {:>6} {:>6}  {}  (named for a while)\n", "fault", "element", "found", "after", "cause named");
    for (const FaultFound& row : rows)
        out += fmt::format("{:<22} {:<44} {:>6} {:>6}  {}  ({})\n", row.fault.kind, joined(row.fault.causes),
                           row.all     ? "yes"
                           : row.among ? "alike"
                                       : "NO",
                           row.seconds < 0 ? "-" : fmt::format("{} s", row.seconds), joined(row.named), joined(row.wrong));
    return out;
}

std::vector<FaultCase> oneOfEachKind(const FiguresPtr& figures)
{
    const Snapshot& s = *figures->snapshot;
    const PowerChain& chain = powerChain(*figures, powerBasisOf(s));
    std::map<std::string, std::string> first;
    const auto add = [&](const std::string& kind, const std::string& name) { first.try_emplace(kind, name); };
    s.devices.forEach([&](DeviceId id) {
        const DeviceSpec& spec = figures->parts->device(s.devices.type[id]);
        const TierId tier = s.devices.tier[id];
        const std::string& name = s.devices.name[id];
        switch (s.tiers.kind[tier]) {
        case TierKind::Power:
            if (chain.through(id).count() > 0) add("1 " + std::string(wordOf(spec.power.element)), name);
            break;
        case TierKind::Cooling: add("2 " + std::string(wordOf(coolingElement(spec))), name); break;
        case TierKind::Switch: add("3 " + s.tiers.name[tier], name); break;
        case TierKind::Server:
            if (spec.accelerators > 0) add("3 host", name);
            break;
        case TierKind::Other: break;
        }
    });
    std::vector<FaultCase> cases;
    for (const auto& [kind, name] : first) cases.push_back({kind.substr(2), {"fail " + name}, {name}});
    return cases;
}

std::vector<FaultCase> pairsOf(const std::vector<FaultCase>& singles)
{
    std::vector<FaultCase> pairs;
    for (std::size_t i = 0; i < singles.size(); ++i) {
        const FaultCase &a = singles[i], &b = singles[(i + singles.size() / 2) % singles.size()];
        if (&a == &b) continue;
        pairs.push_back({a.kind + " + " + b.kind, {a.deeds[0], b.deeds[0]}, {a.causes[0], b.causes[0]}});
    }
    return pairs;
}
