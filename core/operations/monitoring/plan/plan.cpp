// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/plan/plan.h"

#include "core/derived/figures/feeder_size.h"
#include "core/derived/topology/design_index.h"
#include "core/foundation/model/setting_values.h"
#include "core/operations/monitoring/plan/planner.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numbers>
#include <tuple>

namespace hw::monitoring {

using bindings::Measure;

int numbered(std::string_view element, std::string_view word)
{
    if (!element.starts_with(word)) return -1;
    int number = -1;
    const char *begin = element.data() + word.size(), *end = element.data() + element.size();
    const auto [at, error] = std::from_chars(begin, end, number);
    return error == std::errc() && at == end ? number : -1;
}

bindings::PointNo pointOf(const bindings::Bound& bound, const bindings::Point& point)
{
    const auto at = std::ranges::lower_bound(bound.points, point);
    return at != bound.points.end() && *at == point ? bindings::PointNo(at - bound.points.begin()) : bindings::kNoPoint;
}

Planner::Planner(const Figures& figures, const bindings::Bound& bound)
    : f(figures), s(*figures.snapshot), parts(*figures.parts), basis(powerBasisOf(s)), chain(powerChain(figures, basis)),
      feeds(figures.get<PowerFeedsNode>()), cooling(figures.get<CoolingChainNode>()), index(figures.get<IndexNode>()), b(bound),
      m_takerOfRack(s.racks.nextId(), -1)
{
    for (std::size_t t = 0; t < cooling.takers.size(); ++t)
        if (const auto rack = cooling.takers[t].rack; rack && m_takerOfRack[(*rack).value] < 0) m_takerOfRack[(*rack).value] = std::int32_t(t);
}

Plans Planner::make()
{
    Plans plans;
    plans.points.resize(b.points.size());
    for (bindings::PointNo i = 0; i < b.points.size(); ++i) {
        const bindings::Point& point = b.points[i];
        Plan& plan = plans.points[i];
        if (point.element == "setpoint") continue;
        if (point.measure == Measure::Leak) { // of whatever it is
            plan.criterion = Criterion::Leak;
            if (point.entity.kind == EntityKind::Device || point.entity.kind == EntityKind::Rack) plan.target = point.entity.id;
            continue;
        }
        switch (point.entity.kind) {
        case EntityKind::Device: ofDevice(point, plan); break;
        case EntityKind::Rack: ofRack(point, plan); break;
        case EntityKind::Port: ofPort(point, PortId(point.entity.id), plan); break;
        case EntityKind::Link: ofLink(point, LinkId(point.entity.id), plan); break;
        default: break;
        }
    }
    groupPhases(plans);
    groupFlows(plans);
    findWorking(plans);
    weigh(plans);
    return plans;
}

void Planner::ofDevice(const bindings::Point& point, Plan& plan)
{
    const DeviceId id(point.entity.id);
    if (!s.devices.contains(id)) return;
    plan.target = id.value;
    if (const int gpu = numbered(point.element, "gpu"); gpu >= 0) {
        plan.signal = Signal::Part, plan.part = std::int16_t(gpu);
        return;
    }
    if (const int pump = numbered(point.element, "pump"); pump >= 0) {
        if (point.measure != Measure::PumpSpeed && point.measure != Measure::Status) return;
        const bool inside = pump <= parts.device(s.devices.type[id]).cooling.pumps;
        plan.signal = inside ? Signal::Pump : Signal::Speed, plan.part = std::int16_t(inside ? pump : -1);
        return;
    }
    if (isOfLink(point.measure) || point.measure == Measure::BreakerClosed)
        if (const auto port = portNamed(id, point.element)) return ofPort(point, *port, plan);
    const TierKind kind = s.tiers.kind[s.devices.tier[id]];
    switch (point.measure) {
    case Measure::ActivePower:
    case Measure::ApparentPower:
    case Measure::Current: return ofPower(point, id, kind, plan);
    case Measure::Voltage:
    case Measure::Frequency: return ofState(id, kind, plan);
    case Measure::Status:
        if (!point.element.starts_with("detector") && !point.element.starts_with("leak")) ofState(id, kind, plan); // these may be broken alone
        return;
    case Measure::BreakerClosed:
        if (point.element.empty()) ofState(id, kind, plan);
        return;
    case Measure::AirInlet:
        if (kind != TierKind::Cooling) return air(plan); // what comes back to what cools it follows the load
        break;
    default: break;
    }
    if (kind == TierKind::Cooling)
        ofUnit(point, id, plan);
    else if (const CooledLoad* taker = cooling.taker(id))
        ofTaker(point, *taker, plan);
}

/// A generator, or what nothing else feeds: without voltage until it has started.
bool Planner::starts(DeviceId id) const
{
    constexpr std::size_t kMost = 64;
    std::vector<DeviceId> above{id};
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (parts.device(s.devices.type[above[i]]).power.element == PowerElement::Generator) continue;
        if (feeds.of(above[i]).empty() || above.size() > kMost) return false;
        for (const PowerFeed& feed : feeds.of(above[i]))
            if (std::ranges::find(above, feed.supplier) == above.end()) above.push_back(feed.supplier);
    }
    return true;
}

/// planned: 1 where it works at all times, 0.5 where it may stand by until it was seen at work, 0 where it starts when others fail.
void Planner::ofState(DeviceId id, TierKind kind, Plan& plan) const
{
    plan.signal = Signal::Live;
    const bool idle = kind == TierKind::Cooling || (kind == TierKind::Power && chain.through(id).count() <= 0);
    plan.planned = !idle ? 1.0f : kind == TierKind::Power && starts(id) ? 0.0f : 0.5f;
}

void Planner::ofPower(const bindings::Point& point, DeviceId id, TierKind kind, Plan& plan)
{
    const bool whole = point.element.empty() || point.element == "total" || point.element == "output";
    const bool phase = point.element == "l1" || point.element == "l2" || point.element == "l3";
    if (!whole && !phase) return;
    const DeviceSpec& spec = parts.device(s.devices.type[id]);
    const bool direct = takesDirectCurrent(spec);
    if (direct && phase) return; // it has none
    const double watts = toWatts(kind == TierKind::Power ? chain.through(id) : chain.network[id.value].draw);
    const double perWatt = point.measure == Measure::ActivePower     ? 1
                           : point.measure == Measure::ApparentPower ? 1 / (direct ? 1 : powerFactorOf(s))
                                                                     : amperesPerWatt(spec, phase);
    plan.signal = Signal::Power;
    const double planned = phase && kind == TierKind::Power ? phaseW(id, point.element[1] - '1') : watts * (phase ? 1.0 / 3 : 1);
    plan.planned = planned < 1 ? 0 : float(planned * perWatt);
    plan.scale = std::uint8_t(kind == TierKind::Power     ? int(spec.power.element)
                              : kind == TierKind::Server  ? 11
                              : kind == TierKind::Cooling ? 14
                                                          : 12);
    if (phase) {
        plan.criterion = Criterion::Phase;
        if (spec.capacity.value.count() > 0) plan.limit = float(toWatts(spec.capacity.value) * perWatt / 3);
        return;
    }
    plan.counted = point.measure == Measure::ActivePower && point.element.empty();
    if (kind == TierKind::Power && point.measure != Measure::Current) {
        plan.criterion = Criterion::FeedPower;
        if (const double most = ratingW(spec) * perWatt; most > 0) plan.limit = float(most);
    } else if (kind == TierKind::Server && point.measure == Measure::ActivePower) {
        plan.criterion = Criterion::HostPower;
    }
}

/// A of one conductor per W: of direct current, P / U; of one phase, P / (U to neutral · power factor); of all three, P / (3 · U to neutral · power
/// factor), their mean.
double Planner::amperesPerWatt(const DeviceSpec& spec, bool onePhase) const
{
    if (takesDirectCurrent(spec)) return 1 / kDirectVolts;
    const bool medium = spec.power.element == PowerElement::Utility || spec.power.element == PowerElement::Switchgear;
    const double toNeutralV = medium ? 1000 * numberSetting(s, "power.medium_kv") / std::numbers::sqrt3 : numberSetting(s, "rule.p2.phase_v", 230);
    return 1 / ((onePhase ? 1 : 3) * toNeutralV * powerFactorOf(s));
}

/// What stands at a feed is seldom even by design.
double Planner::phaseW(DeviceId id, int phase) const { return double(chain.flow.through[id.value].mw[std::size_t(phase)]) / 1000; }

double Planner::ratingW(const DeviceSpec& spec) const
{
    const double apparent = double(spec.power.apparent.value.count()) / 1000 * powerFactorOf(s), active = toWatts(spec.capacity.value);
    return apparent > 0 && active > 0 ? std::min(apparent, active) : std::max(apparent, active);
}

void Planner::ofUnit(const bindings::Point& point, DeviceId id, Plan& plan)
{
    const CoolingUnit* unit = cooling.unit(id);
    if (!unit) return;
    const bool primary = point.element == "primary";
    if (!point.element.empty() && !primary && point.element != "secondary") return;
    const auto element = std::uint8_t(unit->element);
    switch (point.measure) {
    case Measure::Flow:
        plan.signal = Signal::Flow, plan.planned = float(primary ? unit->takesLpm : unit->lpm), plan.scale = std::uint8_t(16 + element);
        plan.counted = !primary;
        if (!primary && unit->parts() && unit->feeds >= 0) plan.criterion = Criterion::UnitFlow;
        break;
    case Measure::AirFlow:
        plan.signal = Signal::Flow, plan.planned = float(unit->airM3s), plan.scale = std::uint8_t(16 + element), plan.counted = true;
        break;
    case Measure::Heat:
        plan.signal = Signal::Heat, plan.planned = float(unit->heatW), plan.scale = std::uint8_t(32 + element), plan.counted = true;
        break;
    case Measure::PumpSpeed:
    case Measure::FanSpeed: plan.signal = Signal::Speed; break;
    case Measure::AirOutlet: plan.signal = Signal::Temperature; break; // what it blows out
    case Measure::SupplyTemperature:
        plan.signal = Signal::Temperature;
        if (!primary) plan.criterion = Criterion::LoopSupply, plan.planned = float(unit->supplyC);
        break;
    default: break;
    }
}

void Planner::ofTaker(const bindings::Point& point, const CooledLoad& taker, Plan& plan)
{
    plan.target = taker.device.value;
    if (point.measure == Measure::Flow) {
        plan.signal = Signal::Flow, plan.criterion = Criterion::Flow;
        plan.planned = float(std::max(taker.leastLpm, taker.lpm)); // with less it returns warmer than the loop is made for
        plan.scale = Plans::kTakers;
        if (taker.rack) plan.other = pointOf(b, {ref(*taker.rack), Measure::ActivePower, {}});
    } else if (point.measure == Measure::SupplyTemperature) {
        plan.signal = Signal::Temperature, plan.criterion = Criterion::Supply;
        if (taker.warmestC > 0) plan.limit = float(taker.warmestC);
        plan.planned = float(taker.supplyC);
    } else if (point.measure == Measure::DifferentialPressure && point.element.empty()) { // without any, nothing flows
        plan.signal = Signal::Flow, plan.scale = Plans::kTakers;
    }
}

void Planner::ofRack(const bindings::Point& point, Plan& plan)
{
    const RackId rack(point.entity.id);
    if (!s.racks.contains(rack)) return;
    plan.target = rack.value;
    if (point.measure == Measure::AirInlet) {
        plan.criterion = Criterion::Air, plan.limit = float(cooling.at.airLimitC);
    } else if (point.measure == Measure::ActivePower && point.element.empty()) {
        plan.criterion = Criterion::RackPower, plan.signal = Signal::RackPower, plan.scale = 13, plan.counted = true;
        plan.planned = float(toWatts(f.power->rack(rack).at(basis)));
        if (const Milliwatts most = rackPowerLimit(s, parts, rack); most.count() > 0) plan.limit = float(toWatts(most));
    } else if (point.measure == Measure::ActivePower && point.element.size() == 1) {
        if (const auto strip = stripOf(rack, char(point.element[0] >= 'a' ? point.element[0] - 'a' + 'A' : point.element[0]))) {
            const bindings::Point whole{ref(*strip), Measure::ActivePower, {}};
            plan.target = (*strip).value;
            ofPower(whole, *strip, TierKind::Power, plan);
            plan.counted = pointOf(b, whole) == bindings::kNoPoint;
        }
    } else if (m_takerOfRack[rack.value] >= 0) {
        ofTaker(point, cooling.takers[std::size_t(m_takerOfRack[rack.value])], plan);
    }
}

Maybe<DeviceId> Planner::stripOf(RackId rack, char side) const
{
    Maybe<DeviceId> found;
    for (const DeviceId id : index.devicesOfRack[rack.value]) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Power || feeds.side(id) != side) continue;
        if (found) return {};
        found = id;
    }
    return found;
}

void Planner::air(Plan& plan) const { plan.criterion = Criterion::Air, plan.limit = float(cooling.at.airLimitC); }

bool Planner::isOfLink(Measure m)
{
    switch (m) {
    case Measure::Transmit:
    case Measure::Receive:
    case Measure::Errors:
    case Measure::Drops:
    case Measure::LinkUp:
    case Measure::LinkRate:
    case Measure::LinkLanes:
    case Measure::LinkChanges:
    case Measure::Retransmits:
    case Measure::OpticalPower: return true;
    default: return false;
    }
}

Maybe<PortId> Planner::portNamed(DeviceId device, const std::string& name)
{
    if (name.empty()) return {};
    auto [at, isNew] = m_ports.try_emplace(device.value);
    if (isNew)
        for (const PortId port : index.portsOfDevice[device.value]) at->second.emplace(portName(s, parts, port), port);
    const auto found = at->second.find(name);
    return found == at->second.end() ? Maybe<PortId>() : Maybe<PortId>(found->second);
}

void Planner::ofPort(const bindings::Point& point, PortId port, Plan& plan)
{
    if (!s.ports.contains(port)) return;
    const auto link = index.linkOf(port);
    if (!link) return;
    ofLink(point, *link, plan);
    if (point.measure == Measure::LinkRate) plan.planned = float(double(s.ports.rate[port].count()) * 1e9);
    const bool lower = s.links.from[*link] == port;
    if (point.measure == Measure::Transmit || point.measure == Measure::Receive)
        plan.other = 2 * (*link).value + ((point.measure == Measure::Transmit) == lower ? 0 : 1);
}

void Planner::ofLink(const bindings::Point& point, LinkId link, Plan& plan)
{
    if (!s.links.contains(link)) return;
    plan.target = link.value;
    switch (point.measure) {
    case Measure::BreakerClosed: plan.signal = Signal::Breaker; break;
    case Measure::LinkUp: plan.signal = Signal::Link, plan.criterion = Criterion::LinkUp; break;
    case Measure::LinkRate:
        plan.criterion = Criterion::LinkRate;
        plan.planned = float(double(std::min(s.ports.rate[s.links.from[link]], s.ports.rate[s.links.to[link]]).count()) * 1e9);
        break;
    case Measure::LinkLanes: plan.criterion = Criterion::LinkLanes; break;
    case Measure::LinkChanges: plan.criterion = Criterion::LinkChanges; break;
    case Measure::Errors: plan.criterion = Criterion::Errors; break;
    case Measure::Drops: plan.criterion = Criterion::Drops; break;
    case Measure::Retransmits: plan.criterion = Criterion::Retransmits; break;
    case Measure::Transmit: plan.criterion = Criterion::Traffic, plan.other = 2 * link.value; break;
    case Measure::Receive: plan.criterion = Criterion::Traffic, plan.other = 2 * link.value + 1; break;
    default: break;
    }
}

/// The most loaded phase over the mean of the three: what stands at a feed is seldom even by design.
float Planner::plannedImbalance(EntityRef feed) const
{
    if (feed.kind != EntityKind::Device) return 1;
    const auto& mw = chain.flow.intake[feed.id].mw;
    const double sum = double(mw[0]) + double(mw[1]) + double(mw[2]);
    return sum > 0 ? float(3 * double(std::max({mw[0], mw[1], mw[2]})) / sum) : 1;
}

/// Servers that depend on a feed by cords of their own, and what is left of its load.
void Planner::findUses(EntityRef feed, PhaseGroup& group) const
{
    if (feed.kind != EntityKind::Device) return;
    std::map<DeviceId, PhaseUse> servers;
    std::array<double, 3> rest{};
    for (std::size_t k = 0; k < 3; ++k) rest[k] = double(chain.flow.intake[feed.id].mw[k]) / 1000;
    for (const auto& use : chain.network.uses(feed.id)) {
        const DeviceId id(use.consumer);
        const double watts = toWatts(chain.network[id.value].draw);
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Server || watts <= 0) continue;
        PhaseUse& its = servers[id];
        its.power = pointOf(b, {ref(id), Measure::ActivePower, {}}), its.watts = float(watts);
        const power::Phases& share = chain.flow.shares[chain.network.firstFeed(id.value) + use.feed];
        for (std::size_t k = 0; k < 3; ++k) its.share[k] += float(double(share.mw[k]) / 1000), rest[k] -= double(share.mw[k]) / 1000;
    }
    for (const auto& [id, use] : servers) group.uses.push_back(use);
    for (std::size_t k = 0; k < 3; ++k) group.rest[k] = float(std::max(0.0, rest[k]));
}

/// Three points l1, l2, l3 of one feed follow each other in the order of points.
void Planner::groupPhases(Plans& plans) const
{
    for (bindings::PointNo i = 0; i + 2 < b.points.size(); ++i) {
        const auto alike = [&](bindings::PointNo j, const char* element) {
            return plans.points[j].criterion == Criterion::Phase && b.points[j].entity == b.points[i].entity &&
                   b.points[j].measure == b.points[i].measure && b.points[j].element == element;
        };
        if (!alike(i, "l1") || !alike(i + 1, "l2") || !alike(i + 2, "l3")) continue;
        const float rating = plans.points[i].limit;
        plans.phases.push_back({{i, i + 1, i + 2}, rating > 0 ? rating : 0, plannedImbalance(b.points[i].entity), {}, {}, {}});
        findUses(b.points[i].entity, plans.phases.back());
        for (const bindings::PointNo j : {i, i + 1, i + 2}) plans.points[j].other = std::uint32_t(plans.phases.size() - 1);
    }
    stackPhases(plans);
}

/// Which groups of phases are part of which: of what is fed by one feed only, at the same voltage, and not through a UPS, which evens them out.
void Planner::stackPhases(Plans& plans) const
{
    std::map<std::pair<DeviceId, Measure>, std::uint32_t> groupOf;
    for (std::uint32_t g = 0; g < plans.phases.size(); ++g) {
        const bindings::Point& point = b.points[plans.phases[g].point[0]];
        if (point.entity.kind == EntityKind::Device) groupOf[{DeviceId(point.entity.id), point.measure}] = g;
    }
    const auto specOf = [&](DeviceId id) -> const DeviceSpec& { return parts.device(s.devices.type[id]); };
    const auto fedBy = [&](std::uint32_t id) { // the only feed that carries anything as planned; -1: several
        int found = -1;
        const auto count = int(chain.network.feeds(id).size());
        for (int feed = 0; feed < count; ++feed) {
            if (chain.flow.shares[chain.network.firstFeed(id) + std::size_t(feed)].total().count() <= 0) continue;
            if (found >= 0) return -1;
            found = feed;
        }
        return found;
    };
    for (const auto& [key, g] : groupOf) {
        std::vector<DeviceId> open{key.first};
        const double scale = amperesPerWatt(specOf(key.first), true);
        while (!open.empty()) {
            const DeviceId id = open.back();
            open.pop_back();
            if (specOf(id).power.element == PowerElement::Ups) continue;
            for (const auto& use : chain.network.uses(id.value)) {
                const DeviceId consumer(use.consumer);
                if (s.tiers.kind[s.devices.tier[consumer]] != TierKind::Power || int(use.feed) != fedBy(use.consumer)) continue;
                if (amperesPerWatt(specOf(consumer), true) != scale) continue;
                if (const auto below = groupOf.find({consumer, key.second}); below != groupOf.end())
                    plans.phases[g].below.push_back(below->second);
                else
                    open.push_back(consumer);
            }
        }
    }
}

/// Units of which several feed one loop share its flow, and so does what depends on it.
void Planner::groupFlows(Plans& plans) const
{
    std::map<std::int32_t, LoopFlows> byLoop;
    for (bindings::PointNo i = 0; i < b.points.size(); ++i) {
        const Plan& plan = plans.points[i];
        const CoolingUnit* unit = plan.signal == Signal::Flow ? cooling.unit(DeviceId(plan.target)) : nullptr;
        if (plan.criterion == Criterion::UnitFlow)
            byLoop[unit->feeds].units.push_back(i);
        else if (plan.criterion == Criterion::Flow)
            byLoop[cooling.taker(DeviceId(plan.target))->loop].takers.push_back(i);
        else if (unit && b.points[i].element == "primary" && unit->takes >= 0 && unit->feeds >= 0 && unit->heatW > 0) {
            byLoop[unit->takes].takers.push_back(i);
            const auto side = [&](Measure measure) {
                const bindings::PointNo p = pointOf(b, {b.points[i].entity, measure, ""});
                return p == bindings::kNoPoint ? pointOf(b, {b.points[i].entity, measure, "secondary"}) : p;
            };
            plans.points[i].other = std::uint32_t(plans.heats.size());
            plans.heats.push_back({side(Measure::Flow), side(Measure::SupplyTemperature), side(Measure::ReturnTemperature),
                                   float(cooling.loops[std::size_t(unit->feeds)].wattsPerLpmK), float(unit->heatW)});
        }
    }
    for (auto& [loop, flows] : byLoop) {
        if (flows.units.empty()) continue;
        flows.loop = loop;
        for (const bindings::PointNo i : flows.units) plans.points[i].other = std::uint32_t(plans.loops.size());
        plans.loops.push_back(std::move(flows));
    }
}

void Planner::findWorking(Plans& plans) const
{
    for (bindings::PointNo i = 0; i < b.points.size(); ++i) {
        if (plans.points[i].criterion != Criterion::HostPower) continue;
        const EntityRef host = b.points[i].entity;
        const auto says = [&](const bindings::Point& point) { return point.entity == host && point.measure == Measure::Utilization; };
        const auto first = std::ranges::lower_bound(b.points, bindings::Point{host, Measure::Utilization, ""});
        const auto end = std::find_if_not(first, b.points.end(), says);
        if (first == end) continue;
        plans.points[i].other = std::uint32_t(plans.working.size());
        plans.working.push_back({bindings::PointNo(first - b.points.begin()), std::uint32_t(end - first)});
    }
}

/// What says the same of the same target counts once together.
void Planner::weigh(Plans& plans) const
{
    std::vector<std::pair<std::tuple<Signal, std::uint32_t, std::int16_t, bool>, bindings::PointNo>> alike;
    for (bindings::PointNo i = 0; i < plans.points.size(); ++i) {
        const Plan& plan = plans.points[i];
        const bool apart = plan.signal == Signal::Link || (plan.signal == Signal::Part && b.points[i].measure == Measure::Xid) ||
                           (plan.signal == Signal::Flow && b.points[i].measure == Measure::DifferentialPressure); // says it by itself
        if (plan.signal != Signal::None && !apart) alike.push_back({{plan.signal, plan.target, plan.part, b.points[i].element == "primary"}, i});
        if (plan.criterion == Criterion::Flow && plan.other != kNobody) plans.follows.emplace_back(plan.other, i);
    }
    std::ranges::sort(alike);
    for (std::size_t i = 0; i < alike.size();) {
        std::size_t end = i;
        while (end < alike.size() && alike[end].first == alike[i].first) ++end;
        for (std::size_t j = i; j < end; ++j) plans.points[alike[j].second].weight = 1 / float(end - i);
        i = end;
    }
    std::ranges::sort(plans.follows);
}

Plans Plans::of(const Figures& figures, const bindings::Bound& bound) { return Planner(figures, bound).make(); }

void Plans::simulated(std::span<const float> gbps)
{
    for (Plan& plan : points)
        if (plan.criterion == Criterion::Traffic) plan.planned = plan.other < gbps.size() ? gbps[plan.other] * 1e9f : kUnknown;
}

} // namespace hw::monitoring
