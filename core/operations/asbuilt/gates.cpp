// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/gates.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::asbuilt {

namespace {

constexpr std::size_t kMostNamed = 8;
constexpr std::string_view kAllReduce = "all-reduce"; // no text
constexpr double kMeasures = 1.05;                    ///< rounding and clocks (assumed)

/// The first few of a list, and how many more there are.
Text someOf(std::vector<std::string> names)
{
    const std::size_t all = names.size();
    if (all > kMostNamed) names.resize(kMostNamed);
    return all > kMostNamed ? i18n("{}, … ({:L} in total)", listedNames(names), std::int64_t(all)) : listedNames(names);
}

void judgeCables(const Segment& segment, const Comparison& c, GateEvaluation& out)
{
    std::int64_t asDesigned = 0, unseen = 0, notTold = 0;
    std::set<std::uint32_t> own;
    for (const LinkId id : segment.links) {
        own.insert(id.value);
        const auto state = LinkState(c.linkState[id.value]);
        asDesigned += state == LinkState::AsDesigned;
        unseen += state == LinkState::Unseen || state == LinkState::NotBuilt;
        notTold += state == LinkState::NotTold;
    }
    out.facts.push_back(i18n("{:L} of {:L} links observed as designed", asDesigned, std::int64_t(segment.links.size())));
    if (unseen > 0) out.faults.push_back(i18np(unseen, "{:L} link not inspected", "{:L} links not inspected"));
    if (notTold > 0) out.faults.push_back(i18np(notTold, "{:L} link with unidentified ports", "{:L} links with unidentified ports"));
    for (const Difference& d : c.differences) {
        const bool planned = std::ranges::any_of(d.links, [&](LinkId id) { return own.contains(id.value); });
        const auto isOwn = [&](const SeenEnd& end) { return end.device && segment.has[(*end.device).value]; };
        const bool extra = d.links.empty() && std::ranges::any_of(d.seen, [&](const SeenLink& seen) { return isOwn(seen.from) || isOwn(seen.to); });
        if (planned || extra) out.faults.push_back(d.message);
    }
}

} // namespace

GateEvaluation judgeAudit(const Figures& figures, const Segment& segment, const Comparison& comparison, const std::vector<Text>& errors,
                          const std::vector<AuditCheck>& audit)
{
    GateEvaluation out;
    out.gate = 1;
    const Snapshot& s = *figures.snapshot;
    judgeCables(segment, comparison, out);
    std::vector<std::string> notInstalled, notAudited;
    const auto rules = NameRules::of(s);
    const DeviceNames names(s, rules ? rules->devices : std::vector<NameRule>());
    std::set<DeviceId> audited;
    std::size_t bad = 0;
    for (const AuditCheck& check : audit) {
        const auto id = names.find(check.device);
        if (!id) out.faults.push_back(i18n("the audit lists {}, which is not in the design", check.device));
        if (!id || !segment.has[(*id).value]) continue;
        audited.insert(*id);
        if (check.ok || ++bad > kMostNamed) continue;
        const Text what = i18n("{}: {} is {}, expected {}", s.devices.name[*id], check.check, check.actual, check.expected);
        out.faults.push_back(check.set.empty() ? what : i18n("{}; {}", what, check.set));
    }
    if (bad > kMostNamed) out.faults.push_back(i18n("and {:L} more audit failures", std::int64_t(bad - kMostNamed)));
    for (const DeviceId id : segment.devices()) {
        if (s.devices.stage[id] < Stage::Installed) notInstalled.push_back(s.devices.name[id]);
        if (!audited.contains(id)) notAudited.push_back(s.devices.name[id]);
    }
    out.facts.push_back(i18n("{:L} of {:L} devices audited", std::int64_t(audited.size()), std::int64_t(segment.devices().size())));
    if (!notInstalled.empty()) out.faults.push_back(i18n("not installed: {}", someOf(std::move(notInstalled))));
    if (!notAudited.empty()) out.faults.push_back(i18n("not audited: {}", someOf(std::move(notAudited))));
    for (const Text& error : errors) out.faults.push_back(error);
    out.passes = out.faults.empty();
    return out;
}

GateEvaluation judgeSwitches(const Figures& figures, const Segment& segment, const std::vector<AuditCheck>& audit)
{
    GateEvaluation out;
    out.gate = 1;
    const Snapshot& s = *figures.snapshot;
    const auto rules = NameRules::of(s);
    const DeviceNames names(s, rules ? rules->devices : std::vector<NameRule>());
    std::map<DeviceId, std::vector<const AuditCheck*>> wrong;
    std::set<DeviceId> looked;
    for (const AuditCheck& check : audit) {
        const auto id = names.find(check.device);
        if (!id) continue;
        looked.insert(*id);
        if (!check.ok) wrong[*id].push_back(&check);
    }
    std::vector<std::string> ready, notLooked;
    std::set<DeviceId> notReady;
    for (const DeviceId id : segment.switches) {
        const auto& name = s.devices.name[id];
        if (!looked.contains(id)) notLooked.push_back(name), notReady.insert(id);
        if (looked.contains(id) && !wrong.contains(id)) ready.push_back(name);
        if (!wrong.contains(id)) continue;
        notReady.insert(id);
        std::size_t shown = 0;
        for (const AuditCheck* check : wrong[id]) {
            if (++shown > kMostNamed) continue;
            const Text what = i18n("{}: {} is {}, expected {}", name, check->check, check->actual, check->expected);
            out.faults.push_back(check->set.empty() ? what : i18n("{}; {}", what, check->set));
        }
        if (shown > kMostNamed) out.faults.push_back(i18n("{}: and {:L} more items", name, std::int64_t(shown - kMostNamed)));
    }
    std::set<std::string> waiting;
    for (const LinkId link : segment.links)
        for (const auto& [near, far] : {std::pair(s.links.from[link], s.links.to[link]), std::pair(s.links.to[link], s.links.from[link])})
            if (notReady.contains(s.ports.device[near]) && std::ranges::binary_search(segment.hosts, s.ports.device[far]))
                waiting.insert(s.devices.name[s.ports.device[far]]);
    out.facts.push_back(i18n("{:L} of {:L} switches ready", std::int64_t(ready.size()), std::int64_t(segment.switches.size())));
    if (!notLooked.empty()) out.faults.push_back(i18n("configuration not captured: {}", someOf(std::move(notLooked))));
    if (!waiting.empty()) out.faults.push_back(i18n("do not deploy yet: {}", someOf({waiting.begin(), waiting.end()})));
    out.passes = out.faults.empty();
    return out;
}

GateEvaluation judgeCollectives(const Figures& figures, const Segment& segment, const std::vector<CollectiveRun>& runs, double share,
                                const std::function<Result<CollectiveLimit>(const CollectiveRun&)>& limit)
{
    GateEvaluation out;
    out.gate = 3;
    const Snapshot& s = *figures.snapshot;
    const auto rules = NameRules::of(s);
    const DeviceNames names(s, rules ? rules->devices : std::vector<NameRule>());
    bool whole = false;
    std::set<DeviceId> tested; // in runs that passed
    for (const CollectiveRun& run : runs) {
        if (!run.failed.empty()) {
            out.faults.push_back(i18n("{}: {}", run.source, run.failed));
            continue;
        }
        std::set<DeviceId> hosts;
        for (const std::string& host : run.hosts) {
            const auto id = names.find(host);
            if (!id)
                out.faults.push_back(i18n("{}: {} is not in the design", run.source, host));
            else if (segment.has[(*id).value])
                hosts.insert(*id);
        }
        if (hosts.empty()) {
            out.faults.push_back(run.hosts.empty()
                                     ? i18n("{}: names no hosts; keep the lines '# Rank … on HOST' of the output", run.source)
                                     : i18n("{}: none of its {:L} hosts is in this segment; choose the segment, or map names with asbuilt.devices",
                                            run.source, std::int64_t(run.hosts.size())));
            continue;
        }
        const bool all = std::ranges::all_of(segment.hosts, [&](DeviceId id) { return hosts.contains(id); });
        whole = whole || (all && run.rail == 0);
        long long wrong = 0;
        for (const auto& size : run.sizes) wrong += size.wrong;
        if (wrong > 0) out.faults.push_back(i18n("{}: {:L} wrong result values", run.source, std::int64_t(wrong)));
        if (run.sizes.empty()) {
            out.faults.push_back(i18n("{}: no result lines", run.source));
            continue;
        }
        const auto known = limit(run);
        if (!known) {
            out.faults.push_back(i18n("{}: {}", run.source, verbatim(known.error().text())));
            continue;
        }
        const double rails = std::max(1, known->rails), wanted = run.rail > 0 ? known->busGBps / rails : known->busGBps;
        const double found = std::ranges::max_element(run.sizes, {}, &CollectiveRun::Size::bytes)->busGBps;
        const Text fact = i18n("{}: {} over {:L} hosts reaches {:.1f} GB/s ({:.1f} per rail), simulated {:.1f} ({:.1f} per rail): {:.0f} %",
                               run.source, known->collective, std::int64_t(hosts.size()), found, run.rail > 0 ? found : found / rails, wanted,
                               known->busGBps / rails, wanted > 0 ? 100 * found / wanted : 0.0);
        // Switches that reduce halve what an all-reduce sends; its bus bandwidth counts it in full.
        const double most = wanted * (known->collective == kAllReduce ? 2 : 1) * kMeasures;
        if (wanted > 0 && found > most)
            out.faults.push_back(i18n("{}; above the physical limit of {:.1f} GB/s: result rejected; check hosts and unit", fact, most));
        else if (wanted > 0 && found >= share * wanted) {
            out.facts.push_back(fact);
            if (wrong == 0) tested.insert(hosts.begin(), hosts.end());
        } else if (run.rail > 0)
            out.faults.push_back(i18n("{}; an entire rail is slow: check the switches of rail {}", fact, run.rail));
        else
            out.faults.push_back(i18n("{}; required: {:.0f} %", fact, 100 * share));
    }
    std::vector<std::string> backups, untested;
    for (const DeviceId id : segment.backup) (tested.contains(id) ? backups : untested).push_back(s.devices.name[id]);
    if (const auto count = std::int64_t(backups.size()); count > 0)
        out.facts.push_back(i18n("{:L} of {:L} backup hosts passed: {}", count, std::int64_t(segment.backup.size()), someOf(std::move(backups))));
    if (!untested.empty())
        out.facts.push_back(i18n("backup hosts not tested: {}; test them before they replace a host", someOf(std::move(untested))));
    if (!whole) out.faults.push_back(i18n("no run over all rails includes all {:L} hosts of the segment", std::int64_t(segment.hosts.size())));
    out.passes = out.faults.empty();
    return out;
}

GateEvaluation judgeModel(const std::vector<ModelTest>& tests, const std::vector<ModelTest::Fault>& injected)
{
    GateEvaluation out;
    out.gate = 4;
    std::size_t faults = 0;
    std::set<std::string> kinds;
    for (const ModelTest& test : tests) {
        const bool slow = test.expected > 0 && test.measured > 0 && test.measured < test.expected;
        if (test.ok && !slow)
            out.facts.push_back(i18n("{} passed: {:g}, expected {:g}", test.model, test.measured, test.expected));
        else
            out.faults.push_back(i18n("{}: {:g}, expected {:g} {}", test.model, test.measured, test.expected, test.note));
        for (const auto& fault : test.faults) {
            ++faults;
            if (!fault.kind.empty()) kinds.insert(fault.kind);
            (fault.ok ? out.facts : out.faults)
                .push_back(fault.ok ? i18n("survived: {}", fault.what) : i18n("not survived: {} {}", fault.what, fault.note));
        }
    }
    for (const auto& fault : injected) {
        ++faults;
        kinds.insert(fault.kind);
        (fault.ok ? out.facts : out.faults).push_back(i18n("{} ({}): {}", fault.what, fault.kind, fault.report));
    }
    if (tests.empty()) out.faults.push_back(i18n("no model run"));
    if (faults == 0) out.faults.push_back(i18n("no fault injected"));
    for (const std::string_view kind : kFaultKinds) // who states kinds has to put in all of them
        if (!kinds.empty() && !kinds.contains(std::string(kind))) out.faults.push_back(i18n("no fault of kind {} injected", kind));
    out.passes = out.faults.empty();
    return out;
}

} // namespace hw::asbuilt
