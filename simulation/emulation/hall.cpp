// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/state.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hw::emulation {

namespace {

constexpr double kIdleServer = 0.3;         // of a GPU server's design power, idle (assumed)
constexpr double kIdleOther = 0.75;         // of a switch's, and of what else is in racks (assumed)
constexpr double kIdleCooling = 0.25;       // of cooling equipment's (assumed)
constexpr double kGpuWarmS = 12;            // first-order time of a GPU's case (assumed)
constexpr double kLiquidK = 32, kAirK = 45; // of a GPU over what flows in, at design power (assumed)
constexpr std::int64_t kDayMs = 86'400'000;

std::vector<char> sparesOf(const impact::Model& m, const std::vector<DeviceId>& hosts)
{
    std::vector<char> out;
    for (const DeviceId id : hosts) out.push_back(m.backup[id.value]);
    return out;
}

std::vector<DeviceId> hostsOf(const impact::Model& m)
{
    std::vector<DeviceId> out;
    m.s->devices.forEach([&](DeviceId id) {
        if (m.gpus[id.value] > 0 && m.s->tiers.kind[m.s->devices.tier[id]] == TierKind::Server) out.push_back(id);
    });
    return out;
}

} // namespace

Hall::State::State(impact::ModelPtr model, const Options& o)
    : m(std::move(model)), options(o), electric(*m), thermal(*m), ports(*m, o.linkGbps), list(SensorList::of(*m, thermal.chain(), ports.linked(), o)),
      faults(*m, list.sensors, o.seed), jobs(hostsOf(*m).size(), sparesOf(*m, hostsOf(*m)), JobOptions{}, o.seed)
{
    const std::size_t devices = m->s->devices.nextId();
    hosts = hostsOf(*m);
    hostOf.assign(devices, ~0u), isHost.assign(devices, 0);
    for (std::uint32_t h = 0; h < hosts.size(); ++h) hostOf[hosts[h].value] = h, isHost[hosts[h].value] = 1;
    for (auto* flags : {&up, &powered}) flags->assign(devices, 1);
    hostUp.assign(hosts.size(), 1);
    draw.assign(devices, {}), share.assign(devices, 0), traffic.assign(devices, 0);
    gpuC.assign(hosts.size(), 0);
    for (std::size_t h = 0; h < hosts.size(); ++h) gpuC[h] = thermal.inletC(hosts[h]) + 10;
    rackMw.assign(m->s->racks.nextId(), 0);
    takersOfRack.resize(m->s->racks.nextId());
    const auto& takers = thermal.chain().takers;
    for (std::uint32_t t = 0; t < takers.size(); ++t)
        if (takers[t].rack && takers[t].loop >= 0) takersOfRack[(*takers[t].rack).value].push_back(t);
    siteFactor = powerFactorOf(*m->s);
    phaseV = numberSetting(*m->s, "rule.p2.phase_v", 230), mediumV = 1000 * numberSetting(*m->s, "power.medium_kv");
    linkUp.assign(m->s->links.nextId(), 1);
    if (!options.linkGbps.empty()) ofJob = playOne();
    last.assign(list.sensors.size(), std::numeric_limits<double>::quiet_NaN());
    answers.assign(list.sensors.size(), 0);
    lastMs.assign(list.sensors.size(), std::numeric_limits<std::int64_t>::min() / 2);
    step(0);
}

/// The hosts whose links carry something, which it returns, work on the one job.
std::vector<std::uint32_t> Hall::State::playOne()
{
    std::vector<std::uint32_t> busy;
    for (std::uint32_t h = 0; h < hosts.size(); ++h)
        if (ports.carries(hosts[h])) busy.push_back(h);
    jobs.playOne(busy);
    return busy;
}

/// What is lost of the network moves the loads of the one job; a host that is back takes part again once it takes work.
void Hall::State::reroute()
{
    if (!options.loadsAfter) return;
    const Snapshot& s = *m->s;
    impact::NetworkLoss now;
    std::vector<char> busy(hosts.size(), 0);
    for (const std::uint32_t h : ofJob) busy[h] = 1;
    for (std::uint32_t h = 0; h < hosts.size(); ++h)
        if (!hostUp[h] || (busy[h] && !jobs.takesWork(h))) now.hosts.push_back(hosts[h]);
    s.links.forEach([&](LinkId id) {
        if (!linkUp[id.value] && s.ports.medium[s.links.from[id]] == Medium::Data) now.links.push_back(id);
    });
    std::ranges::sort(now.hosts);
    if (now == lost) return;
    lost = std::move(now);
    ports.tell(lost.none() ? options.linkGbps : options.loadsAfter(lost));
    (void)playOne();
}

/// FaultActions whose time has come, and those that are over.
void Hall::State::due(std::int64_t ms)
{
    for (auto at = ending.begin(); at != ending.end();) {
        if (at->first > ms) {
            ++at;
            continue;
        }
        if (faults.undo(at->second))
            happened.push_back({at->first, i18n("{} {} has ended", std::string(wordOf(at->second.deed.verb)), at->second.deed.entity)});
        at = ending.erase(at);
    }
    while (!coming.empty() && comingMs.front() <= ms) {
        Faults::Resolved deed = std::move(coming.front());
        const std::int64_t at = comingMs.front();
        coming.pop_front(), comingMs.erase(comingMs.begin());
        happened.push_back({at, verbatim(fmt::format("{} {}", wordOf(deed.deed.verb), deed.deed.entity))}); // as it was asked
        if (deed.deed.forS > 0) ending.emplace_back(at + std::llround(deed.deed.forS * 1000), deed);
        if (deed.deed.verb == Verb::Restore) {
            const bool one = deed.failing && deed.failing->entity.kind == EntityKind::Device;
            if (one || !deed.failing) electric.close(one ? std::optional(DeviceId(deed.failing->entity.id)) : std::nullopt);
        }
        faults.apply(std::move(deed));
    }
}

/// What is lost, told to power and cooling.
void Hall::State::rework()
{
    if (faults.revision() == faultsSeen) return;
    faultsSeen = faults.revision();
    const impact::Failed& failed = faults.failed();
    electric.lose(failed.devices, failed.ways, faults.phases());
    std::vector<DeviceId> units = failed.devices;
    units.insert(units.end(), failed.stalled.begin(), failed.stalled.end());
    std::vector<LinkId> shut;
    for (const LinkId id : failed.links)
        if (m->coolant.flow.loopOfWay(id)) shut.push_back(id);
    thermal.lose(units, shut);
    thermal.clog([this](DeviceId id) { return faults.clogged(id); });
}

/// Between idle and design power, by what it has to do.
void Hall::State::readDraws()
{
    const Snapshot& s = *m->s;
    s.devices.forEach([&](DeviceId id) {
        const double design = double(m->chain->network[id.value].draw.count());
        draw[id.value] = {};
        if (design <= 0 || faults.isFailed(id) || thermal.hot(id)) return;
        double part = kIdleOther + (1 - kIdleOther) * ports.share(id);
        if (const std::uint32_t host = hostOf[id.value]; host != ~0u) {
            part = kIdleServer + (1 - kIdleServer) * jobs.load(host) * faults.speed(id);
        } else if (s.tiers.kind[s.devices.tier[id]] == TierKind::Cooling) {
            const std::int32_t u = thermal.chain().unitOf[id.value];
            part = u < 0 ? 1 : kIdleCooling + (1 - kIdleCooling) * thermal.units()[std::size_t(u)].speed;
        }
        const double loaded = faults.overload(id);
        draw[id.value] = Milliwatts(std::llround(design * (loaded > 0 ? loaded : std::min(1.0, part))));
    });
}

void Hall::State::readUp()
{
    const Snapshot& s = *m->s;
    s.devices.forEach([&](DeviceId id) {
        powered[id.value] = electric.live(id);
        const double design = double(m->chain->network[id.value].draw.count());
        share[id.value] = design > 0 && electric.live(id) ? double(draw[id.value].count()) / design : 0;
        const char now = !faults.isFailed(id) && !thermal.hot(id) && (electric.live(id) || (design <= 0 && m->feeds->of(id).empty()));
        up[id.value] = now;
    });
    for (std::size_t h = 0; h < hosts.size(); ++h) hostUp[h] = up[hosts[h].value];
    std::vector<char> links(linkUp.size(), 1);
    s.links.forEach([&](LinkId id) {
        const DeviceId a = s.ports.device[s.links.from[id]], b = s.ports.device[s.links.to[id]];
        links[id.value] = !faults.linkFailed()[id.value] && up[a.value] && up[b.value];
    });
    linkUp = links;
    ports.change(std::move(links), faults.links());
}

void Hall::State::warmGpus(double seconds)
{
    const double part = 1 - std::exp(-seconds / kGpuWarmS);
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        const DeviceId id = hosts[h];
        const double wants = thermal.inletC(id) + (thermal.isLiquid(id) ? kLiquidK : kAirK) * share[id.value];
        gpuC[h] += (wants - gpuC[h]) * part;
    }
}

void Hall::State::sumRacks()
{
    std::ranges::fill(rackMw, 0);
    const Snapshot& s = *m->s;
    s.devices.forEach([&](DeviceId id) {
        const auto rack = s.devices.rack[id];
        if (rack && s.tiers.kind[s.devices.tier[id]] != TierKind::Power) rackMw[(*rack).value] += electric.flow().intake[id.value].total().count();
    });
}

void Hall::State::step(std::int64_t ms)
{
    const double seconds = double(ms - now) / 1000;
    due(ms);
    rework();
    const double day = double((options.startMs + ms) % kDayMs) / double(kDayMs);
    jobs.advance(ms, day, hostUp);
    readDraws();
    electric.advance(ms, draw, happened);
    now = ms;
    readUp();
    reroute();
    thermal.advance(ms, share, powered, happened);
    for (std::size_t h = 0; h < hosts.size(); ++h) traffic[hosts[h].value] = jobs.traffic(h);
    ports.advance(ms, traffic, isHost, jobs.wentOn());
    warmGpus(seconds);
    sumRacks();
}

void Hall::State::say(SensorNo no, double value, bool always)
{
    const bool again = always || now - lastMs[no] >= kSayAgainMs;
    if (!again && value == last[no]) return;
    last[no] = value, lastMs[no] = now, answers[no] = 1;
    values.push_back({no, options.startMs + now + faults.clockMs(no), value, true});
}

void Hall::State::readGroup(const Group& group)
{
    for (SensorNo no = group.first; no < group.first + group.count; ++no) {
        double value = truth(faults.readAs(no));
        SensorFault* fault = faults.sensor(no);
        using enum SensorFault::Kind;
        if (std::isnan(value) || (fault && fault->kind == Missing)) {
            if (std::exchange(answers[no], 0)) fellSilent.push_back(no);
            last[no] = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        if (fault && fault->kind == Nan) {
            say(no, std::numeric_limits<double>::quiet_NaN(), group.polled);
            continue;
        }
        if (fault && fault->kind == Reset) {
            if (!fault->stuckAt) fault->stuckAt = value;
            value -= *fault->stuckAt;
        }
        value = measured(no, value);
        if (fault && fault->kind == Stuck) {
            if (!fault->stuckAt) fault->stuckAt = std::isnan(last[no]) ? value : last[no];
            value = *fault->stuckAt;
        }
        if (fault && (fault->kind == Offset || (fault->kind == Jump && (now / 3000 + no) % 2 == 0))) value += fault->by;
        if (fault && fault->kind == Scale) value *= fault->by;
        if (fault && fault->kind == Drift) value += fault->by * double(now - fault->sinceMs.value_or(now)) / 60'000;
        if (fault && fault->kind == Drift && !fault->sinceMs) fault->sinceMs = now;
        say(no, value, group.polled);
    }
}

void Hall::State::readSensors()
{
    values.clear(), fellSilent.clear();
    if (faults.silent()) return;
    for (const Group& group : list.groups) {
        if (group.everyMs > 0) {
            const auto turns = [&](std::int64_t ms) { return (ms - group.offsetMs + group.everyMs * 4) / group.everyMs; };
            if (turns(now) == turns(readMs)) continue;
        }
        readGroup(group);
    }
    readMs = now;
}

Hall::Hall(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Hall::~Hall() = default;

Result<std::unique_ptr<Hall>> Hall::of(FiguresPtr figures, const Options& options, const Progress& progress)
{
    auto model = impact::Model::of(std::move(figures), progress);
    if (!model) return tl::unexpected(model.error());
    if ((*model)->s->devices.empty())
        return fail(ErrorCode::Refused, "emulate", i18n("the design has no device that can publish telemetry"),
                    i18n("create a design with new, or add devices"));
    return std::unique_ptr<Hall>(new Hall(std::make_unique<State>(std::move(*model), options)));
}

const impact::Model& Hall::model() const { return *m_state->m; }
const std::vector<Sensor>& Hall::sensors() const { return m_state->list.sensors; }
std::int64_t Hall::nowMs() const { return m_state->now; }
std::int64_t Hall::startMs() const { return m_state->options.startMs; }

std::span<const Value> Hall::advance(std::int64_t ms)
{
    do m_state->step(std::clamp(ms, m_state->now + 1, m_state->now + kMostStepMs));
    while (m_state->now < ms);
    m_state->readSensors();
    return m_state->values;
}

Result<void> Hall::plan(std::span<const FaultAction> deeds, const std::string& where)
{
    std::vector<std::pair<std::int64_t, Faults::Resolved>> found;
    for (const FaultAction& deed : deeds) {
        auto resolved = m_state->faults.resolve(deed, deed.place.empty() ? where : deed.place);
        if (!resolved) return tl::unexpected(resolved.error());
        const std::int64_t at = m_state->now + std::llround(deed.atS * 1000);
        if (deed.verb != Verb::Flap) {
            found.emplace_back(at, std::move(*resolved));
            continue;
        }
        resolved->deed.verb = Verb::Fail;
        for (double s = 0; s < deed.forS; s += 2 * *deed.everyS) {
            resolved->deed.atS = deed.atS + s, resolved->deed.forS = std::min(*deed.everyS, deed.forS - s);
            found.emplace_back(at + std::llround(s * 1000), *resolved);
        }
    }
    for (auto& [ms, deed] : found) {
        const auto at = std::ranges::upper_bound(m_state->comingMs, ms) - m_state->comingMs.begin();
        m_state->comingMs.insert(m_state->comingMs.begin() + at, ms);
        m_state->coming.insert(m_state->coming.begin() + at, std::move(deed));
    }
    return {};
}

Result<void> Hall::apply(const FaultAction& deed, const std::string& where)
{
    FaultAction now = deed;
    now.atS = 0;
    return plan({&now, 1}, where);
}

std::vector<HallEvent> Hall::happenings() { return std::exchange(m_state->happened, {}); }
const std::vector<SensorNo>& Hall::fellSilent() const { return m_state->fellSilent; }
double Hall::truth(SensorNo sensor) const { return m_state->truth(sensor); }

std::optional<SensorNo> Hall::find(EntityRef entity, Reading reading, int part) const
{
    const Sensor wanted{entity, reading, std::uint8_t(part)};
    const auto& all = m_state->list.sensors;
    const auto found = std::ranges::find(all, wanted);
    return found == all.end() ? std::nullopt : std::optional(SensorNo(found - all.begin()));
}

const std::string& Hall::renamed(SensorNo sensor) const { return m_state->faults.renamed(sensor); }
const power::Network& Hall::network() const { return m_state->electric.network(); }
const power::Flow& Hall::flow() const { return m_state->electric.flow(); }
bool Hall::isUp(DeviceId device) const { return m_state->up[device.value] != 0; }
double Hall::speed(DeviceId server) const { return m_state->faults.speed(server); }
double Hall::portShare(PortId port) const { return m_state->ports.share(port); }
double Hall::jobSeconds() const { return m_state->jobs.wentOn(); }

std::vector<DeviceId> Hall::jobHosts() const
{
    std::vector<DeviceId> out;
    for (const std::uint32_t host : m_state->jobs.hostsOfOne()) out.push_back(m_state->hosts[host]);
    std::ranges::sort(out);
    return out;
}

const std::vector<Hall::Heat>& Hall::heat() const { return m_state->thermal.loops(); }

std::vector<std::string> Hall::failable(std::string_view words) const
{
    const Snapshot& s = *m_state->m->s;
    std::vector<std::string> out;
    const auto add = [&](const std::string& name) {
        if (name.find(words) != std::string::npos) out.push_back(name);
    };
    s.devices.forEach([&](DeviceId id) {
        if (const TierKind kind = s.tiers.kind[s.devices.tier[id]]; kind == TierKind::Power || kind == TierKind::Cooling) add(s.devices.name[id]);
    });
    s.racks.forEach([&](RackId id) { add(s.racks.name[id]); });
    if (!words.empty())
        s.devices.forEach([&](DeviceId id) {
            if (const TierKind kind = s.tiers.kind[s.devices.tier[id]]; kind != TierKind::Power && kind != TierKind::Cooling) add(s.devices.name[id]);
        });
    return out;
}

} // namespace hw::emulation
