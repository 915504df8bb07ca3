// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/acceptance/injected_faults.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/following/follower.h"
#include "core/operations/jobs/evaluation.h"
#include "core/operations/jobs/job_tap.h"
#include "importers/telemetry/recording.h"
#include "simulation/emulation/fault_action.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include <fmt/format.h>

namespace hw::app {

namespace {

using asbuilt::kFaultKinds;
using emulation::FaultAction;
using emulation::Verb;

/// What of a hall a fault of equipment shows at: itself, its ports, and the other ends of their links.
class Surroundings {
public:
    Surroundings(const Figures& f, EntityRef entity) : m_s(*f.snapshot), m_index(f.get<IndexNode>())
    {
        if (entity.kind == EntityKind::Port) addPort(PortId(entity.id));
        if (entity.kind == EntityKind::Link) addLink(LinkId(entity.id));
        if (entity.kind == EntityKind::Cable)
            for (const LinkId link : f.cabling->linksOf(CableId(entity.id))) addLink(link);
        if (entity.kind == EntityKind::Device) {
            for (const PortId port : m_index.portsOfDevice[entity.id])
                if (m_s.ports.medium[port] == Medium::Data) addPort(port);
            m_servers = m_s.tiers.kind[m_s.devices.tier[DeviceId(entity.id)]] == TierKind::Server;
        }
        m_all.insert(entity);
    }
    [[nodiscard]] bool holds(EntityRef entity) const { return m_all.contains(entity); }
    /// Whether it ends at a server.
    [[nodiscard]] bool ofServer() const { return m_servers; }

private:
    void addPort(PortId port)
    {
        m_all.insert(ref(port));
        m_servers = m_servers || m_s.tiers.kind[m_s.devices.tier[m_s.ports.device[port]]] == TierKind::Server;
        // A NIC or switch port that fails may be reported as its device.
        m_all.insert(ref(m_s.ports.device[port]));
        if (const auto link = m_index.linkOf(port)) addEnds(*link);
    }
    void addLink(LinkId link)
    {
        for (const PortId port : {m_s.links.from[link], m_s.links.to[link]})
            m_servers = m_servers || m_s.tiers.kind[m_s.devices.tier[m_s.ports.device[port]]] == TierKind::Server;
        addEnds(link);
    }
    void addEnds(LinkId link)
    {
        m_all.insert({ref(link), ref(m_s.links.from[link]), ref(m_s.links.to[link])});
        if (m_s.links.cable[link]) m_all.insert(ref(*m_s.links.cable[link]));
    }

    const Snapshot& m_s;
    const IndexNode::Value& m_index;
    std::set<EntityRef> m_all;
    bool m_servers = false;
};

/// One of `kFaultKinds`; empty: of none of them, such as a sensor fault.
std::string_view kindOf(Verb verb, const Surroundings& at, EntityRef entity)
{
    switch (verb) {
    case Verb::Misconfigure: return kFaultKinds[2];
    case Verb::DropPackets:
    case Verb::SilentLoss: return kFaultKinds[1];
    case Verb::Throttle:
    case Verb::Xid: return kFaultKinds[0];
    case Verb::Fail:
    case Verb::Flap:
    case Verb::Degrade:
        if (entity.kind != EntityKind::Device && entity.kind != EntityKind::Port && entity.kind != EntityKind::Link &&
            entity.kind != EntityKind::Cable)
            return {};
        return at.ofServer() && entity.kind != EntityKind::Link && entity.kind != EntityKind::Cable ? kFaultKinds[0] : kFaultKinds[1];
    default: return {};
    }
}

struct Injected {
    std::string_view kind;
    std::string what;
    Surroundings at;
    double fromS = 0, toS = 0; ///< after the first value
    std::optional<double> foundS;
    Text found;
};

/// The first of its values.
Result<std::int64_t> beginningOf(const std::filesystem::path& recording)
{
    auto reader = telemetry::openReader(recording);
    if (!reader) return tl::unexpected(reader.error());
    telemetry::RecordingItem item;
    while (true) {
        const auto more = (*reader)->next(item);
        if (!more) return tl::unexpected(more.error());
        if (!*more || item.kind == telemetry::RecordingItem::Kind::End)
            return fail(ErrorCode::Unreadable, recording.string(), i18n("contains no values"), i18n("record the hall while the faults are injected"));
        if (item.kind == telemetry::RecordingItem::Kind::Samples) return item.atMs;
    }
}

Result<std::vector<Injected>> injectedOf(const Figures& f, const std::filesystem::path& script)
{
    const auto text = readTextFile(script);
    if (!text) return tl::unexpected(text.error());
    const auto actions = emulation::readScript(*text, script.string());
    if (!actions) return tl::unexpected(actions.error());
    constexpr double kForever = 1e12;
    std::vector<Injected> out;
    std::vector<std::pair<EntityRef, std::size_t>> open;
    for (const FaultAction& action : *actions) {
        if (action.entity.empty() && action.verb != Verb::Restore) continue;
        EntityRef entity;
        if (!action.entity.empty()) {
            const auto found = findEntity(*f.snapshot, *f.parts, action.entity);
            if (!found) return fail(ErrorCode::Refused, action.place, i18n("{} is not in the design", action.entity), i18n("correct the script"));
            entity = *found;
        }
        if (action.verb == Verb::Restore) {
            for (const auto& [one, at] : open)
                if (!entity || one == entity) out[at].toS = std::min(out[at].toS, action.atS);
            continue;
        }
        Surroundings at(f, entity);
        const std::string_view kind = kindOf(action.verb, at, entity);
        if (kind.empty()) continue;
        open.emplace_back(entity, out.size());
        out.push_back({kind,
                       fmt::format("{} {}", wordOf(action.verb), action.entity),
                       std::move(at),
                       action.atS,
                       action.forS > 0 ? action.atS + action.forS : kForever,
                       {},
                       {}});
    }
    if (out.empty())
        return fail(ErrorCode::Refused, script.string(), i18n("injects no fault of a host, the network or a switch configuration"),
                    i18n("see docs/configuration.md"));
    return out;
}

} // namespace

Result<InjectedFaults> findInjected(const FiguresPtr& figures, const std::filesystem::path& script, const std::filesystem::path& recording,
                                    const Progress& progress)
{
    auto injected = injectedOf(*figures, script);
    if (!injected) return tl::unexpected(injected.error());
    const auto beginning = beginningOf(recording);
    if (!beginning) return tl::unexpected(beginning.error());
    auto opened = telemetry::openRecording(recording, 0, {});
    if (!opened) return tl::unexpected(opened.error());
    auto rules = jobs::JobRules::of({});
    if (!rules) return tl::unexpected(rules.error());
    const auto telemetry = std::make_shared<jobs::JobTelemetry>();
    std::vector<std::unique_ptr<bindings::Source>> sources;
    sources.push_back(jobs::tapped(std::move(*opened), std::make_shared<const jobs::JobRules>(std::move(*rules)), telemetry));

    following::Options options;
    options.event = [&](const monitoring::Event& event) { // by the follower's thread, which is joined before this is read
        using Kind = monitoring::Event::Kind;
        const bool deviation = event.kind == Kind::Deviation;
        if (!deviation && event.kind != Kind::Alarm && event.kind != Kind::AlarmChanges) return;
        const double atS = double(event.atMs - *beginning) / 1000;
        for (Injected& one : *injected) {
            if (one.foundS || atS < one.fromS || atS > one.toS) continue;
            const auto about = [&](EntityRef entity) { return entity && one.at.holds(entity); };
            if (deviation ? !about(event.deviation.entity) : !about(event.alarm.cause) && std::ranges::none_of(event.alarm.together, about)) continue;
            one.foundS = atS - one.fromS;
            const EntityRef entity = deviation ? event.deviation.entity : event.alarm.cause;
            const Text& what = deviation ? event.deviation.what : event.alarm.what;
            one.found = i18n("{} {}", entityName(*figures->snapshot, *figures->parts, entity), what);
        }
    };
    following::Follower follower(figures, std::move(options));
    if (const auto started = follower.start(std::move(sources)); !started) return tl::unexpected(started.error());
    while (!progress.stopRequested() && !follower.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (const auto stopped = follower.stop(); !stopped) return tl::unexpected(stopped.error());
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "acceptance", i18n("stopped"), i18n("no result"));

    const auto frame = follower.frame();
    const bool live = frame && frame->bound;
    const auto states = jobs::evaluateJobs(*figures, telemetry->jobs(), {}, {}, live ? frame.get() : nullptr, live ? frame->atMs : 0);
    for (Injected& one : *injected) // a NIC in a slow slot shows in the times of its rank, while its mean load stays below the slot's rate
        for (const auto& job : states)
            for (const auto& cause : job.causes)
                if (!one.foundS && one.found.empty() && cause.entity && one.at.holds(cause.entity))
                    one.found = i18n("reported by job {}: {}", job.name, cause.what);
    InjectedFaults out;
    for (const Injected& one : *injected) {
        asbuilt::ModelTest::Fault fault;
        fault.what = one.what, fault.kind = std::string(one.kind), fault.ok = !one.found.empty();
        fault.report = one.foundS          ? i18n("reported after {:.0f} s: {}", *one.foundS, one.found)
                       : one.found.empty() ? i18n("not reported by the live twin")
                                           : one.found;
        out.faults.push_back(std::move(fault));
    }
    for (const auto& job : states)
        (job.stalled ? out.faultsOfJobs : out.facts)
            .push_back(job.stalled ? i18n("job {}: stalled; it did not survive the injected faults", job.name)
                                   : i18n("job {}: {:.3g} s per iteration at the end, effective training time {:.0f} %", job.name, job.iterationS,
                                          100 * job.times.effective));
    return out;
}

} // namespace hw::app
