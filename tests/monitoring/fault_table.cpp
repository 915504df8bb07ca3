// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monitoring/fault_table.h"

#include "core/derived/cooling/chain.h"
#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <map>
#include <set>

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

FaultFound tryFault(const FiguresPtr& figures, const FaultCase& fault, const FaultRun& run)
{
    Emulated hall(figures, run.options);
    monitoring::Monitor watch;
    watch.design(figures, hall.bound());
    if (run.missingPercent > 0) hall.missing(run.missingPercent);
    (void)hall.watch(watch, run.warmUpS);
    FaultFound out;
    out.fault = fault;
    for (const std::string& deed : fault.deeds) hall.deed(deed);
    const std::set<std::string> wanted(fault.causes.begin(), fault.causes.end());
    std::set<std::string> wrong;
    for (int s = 1; s <= run.mostS; ++s) {
        for (const monitoring::Event& e : hall.watch(watch, 1))
            if (e.kind == monitoring::Event::Kind::Alarm && e.alarm.kind != monitoring::AlarmKind::Cause) out.beside.push_back(words(e.alarm.what));
        const auto frame = watch.frame();
        const auto named = causesOf(figures, *frame);
        std::ranges::set_difference(named, wanted, std::inserter(wrong, wrong.end()));
        if (std::ranges::includes(named, wanted) && out.seconds < 0) out.seconds = s;
        if (!std::ranges::includes(named, wanted)) out.seconds = -1;
    }
    out.wrong.assign(wrong.begin(), wrong.end());
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
