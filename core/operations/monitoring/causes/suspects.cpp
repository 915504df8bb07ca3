// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/places.h"
#include "core/operations/monitoring/causes/causes.h"
#include "core/operations/monitoring/causes/weights.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

// Which elements could be behind what is seen: every point that is not as it was votes for those by whose loss it may have come.

using bindings::PointNo;
using namespace weight;

double Causes::worth(PointNo p) const
{
    switch (stateOf(p)) {
    case State::Zero: return 1;
    case State::Silent: return quiet(p) > 0 ? quiet(p) : kSilent;
    case State::Up: return m_risen.contains(p) ? kReserve : kRose;
    case State::Down: return kFell;
    case State::Nothing:
    case State::Normal: break;
    }
    return 0;
}

/// One source reads all GPUs of a server: where it says nothing of one of them, and goes on with the others, that one is gone.
void Causes::gatherQuiet()
{
    m_quiet.clear(), m_risen.clear();
    constexpr float kNoMore = 1.15f, kLeastRise = 1.3f; // of the flow (assumed)
    const auto riseOf = [&](PointNo p) { return m_evidence->last(p) / m_evidence->usual(p); };
    for (const auto& [p, sight] : sights()) {
        if (sight.state != State::Up || m_plans.points[p].signal != Signal::Flow || !(riseOf(p) >= kLeastRise)) continue;
        float now = 0, usual = 0;
        for (const PointNo other : m_predictor->flowsBeside(p))
            if (!std::isnan(riseOf(other))) now += m_evidence->last(other), usual += m_evidence->usual(other);
        if (usual > 0 && now <= kNoMore * usual) m_risen[p] = riseOf(p);
    }
    std::map<std::pair<std::uint32_t, std::int16_t>, std::vector<PointNo>> silent;
    for (const auto& [p, sight] : sights())
        if (m_plans.points[p].signal == Signal::Part && sight.state == State::Silent)
            silent[{m_plans.points[p].target, m_plans.points[p].part}].push_back(p);
    constexpr std::size_t kLeast = 2; // readings of it, and of others
    for (const auto& [part, points] : silent) {
        std::int64_t lastMs = -1;
        if (std::ranges::any_of(points, [&](PointNo p) { return m_silence->denies(p); })) continue; // it answers, without a number
        for (const PointNo p : points) lastMs = std::max(lastMs, m_silence->lastMs(p));
        std::size_t others = 0;
        bool speaks = false;
        for (const PointNo p : m_predictor->pointsOf(DeviceId(part.first))) {
            const Plan& plan = m_plans.points[p];
            if (plan.signal != Signal::Part || m_predictor->measureOf(p) == bindings::Measure::Xid || m_silence->lastMs(p) <= lastMs) continue;
            speaks = speaks || plan.part == part.second, others += plan.part != part.second;
        }
        if (speaks || points.size() < kLeast || others < kLeast) continue;
        for (const PointNo p : points) m_quiet[p] = 1 / (double(points.size()) * weightOf(p));
    }
}

void Causes::vote(const Suspect& suspect, PointNo p)
{
    Vote& v = m_votes[suspect];
    v.suspect = suspect;
    vote(v, p);
}

void Causes::voteDevice(DeviceId id, PointNo p)
{
    Vote*& v = m_ofDevice[id.value];
    if (!v) v = &m_votes[{{ref(id)}}], v->suspect = {{ref(id)}};
    vote(*v, p);
}

void Causes::vote(Vote& v, PointNo p)
{
    if (!v.points.empty() && v.points.back() == p) return;
    v.points.push_back(p);
    v.weight += weightOf(p) * worth(p);
}

const std::vector<DeviceId>& Causes::above(DeviceId id)
{
    const auto [at, isNew] = m_above.try_emplace(id.value);
    if (!isNew) return at->second;
    constexpr std::size_t kMost = 600;
    const impact::Model& m = m_predictor->model();
    const CoolingChain& cooling = *m.coolant.chain;
    std::vector<DeviceId> out{id};
    std::set<DeviceId> seen{id};
    std::set<std::int32_t> loops;
    const auto add = [&](DeviceId d) {
        if (out.size() < kMost && seen.insert(d).second) out.push_back(d);
    };
    for (std::size_t i = 0; i < out.size(); ++i) {
        const DeviceId d = out[i];
        for (const power::Feed& feed : m.chain->network.feeds(d.value)) add(DeviceId(feed.from));
        const CoolingUnit* unit = cooling.unit(d);
        const CooledLoad* taker = cooling.taker(d);
        if (d != id && !unit) continue;
        const std::array<std::int32_t, 3> in{unit ? unit->takes : -1, unit && !unit->parts() ? unit->feeds : -1, taker ? taker->loop : -1};
        for (const std::int32_t l : in)
            if (l >= 0 && loops.insert(l).second)
                for (const DeviceId member : cooling.loops[std::size_t(l)].members)
                    if (cooling.unit(member)) add(member);
    }
    return at->second = std::move(out);
}

/// Breakers and cords by which a device is fed: each by the outlet of what feeds it.
std::vector<Suspect> Causes::waysInto(const Suspect& suspect) const
{
    constexpr std::size_t kMost = 6;
    const impact::Model& m = m_predictor->model();
    if (suspect.element.entity.kind != EntityKind::Device || !suspect.element.whole()) return {};
    std::vector<Suspect> out;
    for (const PowerFeed& feed : m.feeds->of(DeviceId(suspect.element.entity.id))) {
        if (out.size() >= kMost) break;
        if (const auto way = wayOf(feed)) out.push_back(*way);
    }
    return out;
}

/// Whether one device is the supply of another.
bool Causes::feedsIt(const Suspect& supplier, const Suspect& suspect) const
{
    const auto isDevice = [](const Suspect& one) { return one.gpu < 0 && one.element.entity.kind == EntityKind::Device && one.element.whole(); };
    if (!isDevice(supplier) || !isDevice(suspect)) return false;
    const DeviceId id(supplier.element.entity.id);
    return std::ranges::any_of(m_predictor->model().feeds->of(DeviceId(suspect.element.entity.id)),
                               [&](const PowerFeed& feed) { return feed.supplier == id; });
}

std::optional<Suspect> Causes::wayOf(const PowerFeed& feed) const
{
    const Snapshot& s = *m_predictor->model().s;
    if (feed.link) {
        const PortId from = s.links.from[*feed.link], to = s.links.to[*feed.link];
        return Suspect{{ref(s.ports.device[from] == feed.supplier ? from : to)}};
    }
    if (feed.outlet >= 0) return Suspect{{ref(feed.supplier), -1, feed.outlet}};
    return std::nullopt;
}

/// What takes nothing in, or has no voltage, may have lost its way: an open breaker, an input that is disconnected. Suppliers that nothing
/// measures are passed.
void Causes::voteWays(PointNo p, DeviceId id)
{
    constexpr int kDeepest = 4;
    const impact::Model& m = m_predictor->model();
    const auto isPower = [&](DeviceId d) { return m.s->tiers.kind[m.s->devices.tier[d]] == TierKind::Power; };
    if (!isPower(id) && m.feeds->of(id).size() > 1) return;
    for (int depth = 0; depth < kDeepest; ++depth) {
        for (const Suspect& way : waysInto({{ref(id)}})) vote(way, p);
        if (depth == 0) voteWaysOut(p, id);
        const auto feeds = m.feeds->of(id);
        if (feeds.size() != 1 || !m_predictor->pointsOf(feeds.front().supplier).empty()) return;
        id = feeds.front().supplier;
    }
}

/// What passes nothing on may have lost the way to what it feeds, or, where that is one thing, the way to what that feeds.
void Causes::voteWaysOut(PointNo p, DeviceId id)
{
    constexpr std::size_t kMost = 6;
    constexpr int kDeepest = 4;
    const impact::Model& m = m_predictor->model();
    if (m_plans.points[p].signal != Signal::Power) return;
    for (int depth = 0; depth < kDeepest; ++depth) {
        std::vector<DeviceId> loaded;
        const auto uses = m.chain->network.uses(id.value);
        if (uses.size() > kMost) return;
        for (const auto& use : uses) {
            const DeviceId consumer(use.consumer);
            if (m.s->tiers.kind[m.s->devices.tier[consumer]] != TierKind::Power) continue;
            if (const auto way = wayOf(m.feeds->of(consumer)[use.feed]); way && depth > 0)
                m_further.insert(*way);
            else if (way)
                vote(*way, p);
            if (m.chain->through(consumer).count() > 0) loaded.push_back(consumer);
        }
        if (loaded.size() != 1) return;
        id = loaded.front();
    }
}

/// Nothing flows: a valve in one of the pipes at it may be shut.
void Causes::votePipes(PointNo p, DeviceId id)
{
    const CoolingChain& chain = *m_predictor->model().coolant.chain;
    if (m_pipes.empty())
        for (const CoolantPath& way : chain.ways)
            if (way.link && way.loop >= 0) {
                const Snapshot& s = *m_predictor->model().s;
                const PortId from = s.links.from[*way.link], to = s.links.to[*way.link];
                for (const DeviceId end : {way.taker, way.feeder})
                    m_pipes[end.value].emplace_back(s.ports.device[from] == way.taker ? from : to, way.loop);
            }
    const auto found = m_pipes.find(id.value);
    if (found == m_pipes.end()) return;
    const CoolingUnit* unit = chain.unit(id);
    const CooledLoad* taker = chain.taker(id);
    const std::int32_t loop = taker && taker->device == id ? taker->loop : !unit ? -1 : m_predictor->isTaken(p) ? unit->takes : unit->feeds;
    for (const auto& [port, its] : found->second)
        if (its == loop) vote({{ref(port)}}, p);
}

bool Causes::standsBy(const Suspect& suspect) const
{
    const impact::Model& m = m_predictor->model();
    if (suspect.element.entity.kind != EntityKind::Device || !suspect.element.whole()) return false;
    const DeviceId id(suspect.element.entity.id);
    return m.parts->device(m.s->devices.type[id]).power.element == PowerElement::Generator && m.chain->through(id).count() <= 0;
}

bool Causes::feedsSomething(DeviceId id) const
{
    const impact::Model& m = m_predictor->model();
    return !m.chain->network.uses(id.value).empty() || m.coolant.chain->unit(id) != nullptr;
}

void Causes::gather()
{
    m_votes.clear(), m_further.clear();
    m_ofDevice.assign(m_predictor->model().s->devices.nextId(), nullptr);
    std::map<LinkId, std::vector<PointNo>> deadLinks;
    const impact::Model& m = m_predictor->model();
    for (const auto& [p, sight] : sights()) {
        const Plan& plan = m_plans.points[p];
        switch (plan.signal) {
        case Signal::None: break;
        case Signal::Link:
            gatherLink(p, LinkId(plan.target));
            if (sight.state == State::Zero) deadLinks[LinkId(plan.target)].push_back(p);
            break;
        case Signal::Breaker: vote({{ref(LinkId(plan.target))}}, p); break;
        case Signal::RackPower:
            for (const DeviceId d : m.index->devicesOfRack[plan.target])
                for (const DeviceId up : above(d)) voteDevice(up, p);
            break;
        case Signal::Part:
            vote({{ref(DeviceId(plan.target))}, plan.part}, p);
            gatherDevice(p, DeviceId(plan.target), sight.state);
            break;
        case Signal::Pump:
            if (plan.part > 0) vote({{ref(DeviceId(plan.target)), -1, -1, std::int16_t(plan.part - 1)}}, p);
            gatherDevice(p, DeviceId(plan.target), sight.state);
            break;
        default: gatherDevice(p, DeviceId(plan.target), sight.state); break;
        }
    }
    gatherTrays(deadLinks);
    gatherPlaces();
}

/// A rack or row is suspected where a quarter of what was read in it since is dead (the rest may fall silent later), at least three devices, and
/// two of them by meters of their own, or by meters that are still due: fire, water, a switch for emergencies. So is a rack all of whose strips or
/// shelves are dead.
void Causes::gatherPlaces()
{
    const Snapshot& s = *m_predictor->model().s;
    struct Place {
        std::map<std::uint32_t, std::vector<PointNo>> dead; ///< by device
        std::set<std::uint32_t> byThemselves;
        std::vector<std::int64_t> sinceMs;
        std::size_t measured = 0, due = 0; ///< due: not read since
    };
    std::map<EntityRef, Place> places;
    const auto around = [&](DeviceId id, auto&& tell) {
        if (const auto rack = s.devices.rack[id]) tell(ref(*rack));
        if (const auto row = rowOf(s, id)) tell(ref(*row));
    };
    for (const auto& [p, sight] : sights()) {
        const Plan& plan = m_plans.points[p];
        if (plan.signal == Signal::Breaker || plan.signal == Signal::RackPower || (sight.state != State::Zero && sight.state != State::Silent))
            continue;
        const bool own = plan.signal != Signal::Link;
        const LinkId link(own ? 0 : plan.target);
        for (const DeviceId id :
             own ? std::vector{DeviceId(plan.target)} : std::vector{s.ports.device[s.links.from[link]], s.ports.device[s.links.to[link]]})
            around(id, [&](EntityRef where) {
                places[where].dead[id.value].push_back(p), places[where].sinceMs.push_back(sight.sinceMs);
                if (own) places[where].byThemselves.insert(id.value);
            });
    }
    const auto isDark = [&](EntityRef where, const Place& place) {
        if (where.kind != EntityKind::Rack) return false;
        std::size_t inlets = 0, dead = 0;
        for (const DeviceId id : m_predictor->model().index->devicesOfRack[where.id])
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power && !m_predictor->pointsOf(id).empty())
                ++inlets, dead += place.dead.contains(id.value);
        return inlets >= 2 && dead == inlets;
    };
    const auto hasPower = [&](const Place& place) { // then all that is still due may be dead with it
        return std::ranges::any_of(place.byThemselves,
                                   [&](std::uint32_t id) { return s.tiers.kind[s.devices.tier[DeviceId(id)]] == TierKind::Power; });
    };
    const auto isSmall = [&](EntityRef where, const Place& place) { return place.dead.size() < 3 && !isDark(where, place); };
    std::erase_if(places, [&](const auto& entry) { return isSmall(entry.first, entry.second) && !hasPower(entry.second); });
    if (places.empty()) return;
    for (auto& [where, place] : places) std::ranges::nth_element(place.sinceMs, place.sinceMs.begin() + std::ptrdiff_t(place.sinceMs.size() / 4));
    s.devices.forEach([&](DeviceId id) {
        const auto points = m_predictor->pointsOf(id);
        if (points.empty()) return;
        around(id, [&](EntityRef where) {
            const auto at = places.find(where);
            if (at == places.end()) return;
            Place& place = at->second;
            const std::int64_t sinceMs = place.sinceMs[place.sinceMs.size() / 4];
            const bool due = !place.byThemselves.contains(id.value) && std::ranges::any_of(points, [&](PointNo p) { return isDue(p, sinceMs); });
            ++(due ? place.due : place.measured);
        });
    });
    for (const auto& [where, place] : places) {
        if (isSmall(where, place) && place.dead.size() + place.due < 3) continue;
        if (place.byThemselves.size() + place.due < 2 || (place.dead.size() * 4 < place.measured && !isDark(where, place))) continue;
        for (const auto& [device, points] : place.dead)
            for (const PointNo p : points) vote({{where}}, p);
    }
}

void Causes::gatherDevice(PointNo p, DeviceId id, State state)
{
    const impact::Model& m = m_predictor->model();
    if (state == State::Up && m_plans.points[p].signal == Signal::Power) return gatherOtherSide(p, id);
    for (const DeviceId up : above(id)) voteDevice(up, p);
    const Signal signal = m_plans.points[p].signal;
    if (state == State::Zero && (signal == Signal::Power || signal == Signal::Live)) voteWays(p, id);
    if (state == State::Zero && signal == Signal::Flow) votePipes(p, id);
    const CoolingUnit* unit = m.coolant.chain->unit(id);
    if (!unit) return;
    // What happens to a unit may come from its fellows in the loop that they feed, or from what these live by.
    const bool stands = state == State::Zero || state == State::Silent;
    if (unit->feeds < 0 || (stands && m_plans.points[p].signal != Signal::Flow)) return;
    for (const DeviceId member : m.coolant.chain->loops[std::size_t(unit->feeds)].members) {
        if (!m.coolant.chain->unit(member)) continue;
        if (stands)
            voteDevice(member, p); // a header that lets nothing pass
        else
            for (const DeviceId up : above(member)) voteDevice(up, p);
    }
}

/// A load rose: what else feeds those that it feeds may be gone.
void Causes::gatherOtherSide(PointNo p, DeviceId id)
{
    const power::Network& network = m_predictor->model().chain->network;
    constexpr std::size_t kMost = 32;
    std::vector<power::Index> below{id.value};
    std::set<power::Index> seen{id.value};
    for (std::size_t i = 0; i < below.size() && below.size() < kMost; ++i)
        for (const auto& use : network.uses(below[i]))
            if (below.size() < kMost && seen.insert(use.consumer).second) below.push_back(use.consumer);
    for (const power::Index consumer : below) {
        if (consumer == id.value || network.feeds(consumer).size() < 2) continue;
        for (const power::Feed& feed : network.feeds(consumer))
            if (!seen.contains(feed.from))
                for (const DeviceId up : above(DeviceId(feed.from))) voteDevice(up, p);
        if (!(m_plans.points[p].planned > 0)) voteUsualWays(p, DeviceId(consumer), seen);
    }
}

/// A reserve carries load: on the way by which what it feeds has its supply as a rule a breaker may be open.
void Causes::voteUsualWays(PointNo p, DeviceId consumer, const std::set<power::Index>& reserve)
{
    constexpr int kDeepest = 4;
    const impact::Model& m = m_predictor->model();
    if (m.s->tiers.kind[m.s->devices.tier[consumer]] != TierKind::Power) return;
    std::vector<DeviceId> at{consumer};
    for (int depth = 0; depth < kDeepest && !at.empty(); ++depth) {
        std::vector<DeviceId> next;
        for (const DeviceId id : at)
            for (const PowerFeed& feed : m.feeds->of(id)) {
                if (reserve.contains(feed.supplier.value) || m.chain->through(feed.supplier).count() <= 0) continue;
                if (const auto way = wayOf(feed)) vote(*way, p);
                next.push_back(feed.supplier);
            }
        at = std::move(next);
    }
}

void Causes::gatherLink(PointNo p, LinkId id)
{
    const impact::Model& m = m_predictor->model();
    vote({{ref(id)}}, p);
    for (const PortId port : {m.s->links.from[id], m.s->links.to[id]})
        for (const DeviceId up : above(m.s->ports.device[port])) voteDevice(up, p);
    if (const auto cable = m.s->links.cable[id]) vote({{ref(*cable)}}, p);
}

/// A tray is suspected where at least three of its links are down and these are half of those that were read since.
void Causes::gatherTrays(const std::map<LinkId, std::vector<PointNo>>& dead)
{
    if (dead.size() < 3) return;
    const impact::Model& m = m_predictor->model();
    const auto isUp = [&](LinkId link) { // no port says that it is down
        return std::ranges::any_of(m_predictor->pointsOf(link),
                                   [&](PointNo p) { return readMs(p) > m_first + kInFlightMs && !m_evidence->isTurning(p); });
    };
    m.s->trays.forEach([&](TrayId tray) {
        const auto links = m.linksThrough(tray);
        std::size_t up = 0, down = 0;
        for (const LinkId link : links) (dead.contains(link) ? down : up) += dead.contains(link) || isUp(link);
        if (down < 3 || down < up) return;
        for (const LinkId link : links)
            if (const auto at = dead.find(link); at != dead.end())
                for (const PointNo p : at->second) vote({{ref(tray)}}, p);
    });
}

} // namespace hw::monitoring
