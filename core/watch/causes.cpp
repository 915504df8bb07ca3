// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/causes.h"

#include <algorithm>
#include <cmath>

namespace hw::watch {

using live::PointNo;

namespace {

// Weights: what one point says for or against a set of causes. Assumed; tests/watch holds the table of what they find.
constexpr double kPrice = 0.6;       ///< of an element in the set
constexpr double kKept = 0.2;        ///< for one that stands already
constexpr double kSilent = 0.35;     ///< a point that fell silent says less than one that reads zero
constexpr double kChanged = 0.4;     ///< a load that rose
constexpr double kFell = 0.25;       ///< a load that fell
constexpr double kWarm = 0.3;        ///< a temperature that rose
constexpr double kHardEnough = 0.8;  ///< of values that are there and that nothing else in the set explains, to name a cause
constexpr double kLater = 0.6;       ///< what may die and did, against what has to
constexpr double kVotesOfBest = 0.2; ///< of the most votes, to be tried
constexpr std::int64_t kTrickleMs = 10'000;
constexpr std::size_t kMostCauses = 12, kMostTried = 400;

struct Span {
    std::int64_t first = -1, last = -1;
    void add(std::int64_t ms)
    {
        if (first < 0 || ms < first) first = ms;
        last = std::max(last, ms);
    }
};

} // namespace

Causes::Causes(std::unique_ptr<Predictor> predictor, const Plans& plans) : m_predictor(std::move(predictor)), m_plans(plans) {}

double Causes::worth(State state)
{
    switch (state) {
    case State::Zero: return 1;
    case State::Silent: return kSilent;
    case State::Up: return kChanged;
    case State::Down: return kFell;
    case State::Nothing:
    case State::Normal: break;
    }
    return 0;
}

void Causes::vote(const Suspect& suspect, PointNo p)
{
    Vote& v = m_votes[suspect];
    v.suspect = suspect;
    if (!v.points.empty() && v.points.back() == p) return;
    v.points.push_back(p);
    v.weight += weightOf(p) * worth(m_evidence->stateOf(p));
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
        const CoolingTaker* taker = cooling.taker(d);
        if (d != id && !unit) continue;
        const std::array<std::int32_t, 3> in{unit ? unit->takes : -1, unit && !unit->parts() ? unit->feeds : -1, taker ? taker->loop : -1};
        for (const std::int32_t l : in)
            if (l >= 0 && loops.insert(l).second)
                for (const DeviceId member : cooling.loops[std::size_t(l)].members)
                    if (cooling.unit(member)) add(member);
    }
    return at->second = std::move(out);
}

void Causes::gather()
{
    m_votes.clear();
    std::map<LinkId, std::vector<PointNo>> deadLinks;
    const impact::Model& m = m_predictor->model();
    for (const auto& [p, sight] : m_evidence->sights()) {
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
}

void Causes::gatherDevice(PointNo p, DeviceId id, State state)
{
    const impact::Model& m = m_predictor->model();
    if (state == State::Up && m_plans.points[p].signal == Signal::Power) return gatherOtherSide(p, id);
    for (const DeviceId up : above(id)) voteDevice(up, p);
    const CoolingUnit* unit = m.coolant.chain->unit(id);
    if (!unit) return;
    // What happens to a unit may come from its fellows in the loop that they feed, or from what these live by.
    if (unit->feeds < 0 || state == State::Zero || state == State::Silent) return;
    for (const DeviceId member : m.coolant.chain->loops[std::size_t(unit->feeds)].members)
        if (m.coolant.chain->unit(member))
            for (const DeviceId up : above(member)) voteDevice(up, p);
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

/// A tray is suspected where at least three of its links are down and these are half of it.
void Causes::gatherTrays(const std::map<LinkId, std::vector<PointNo>>& dead)
{
    if (dead.size() < 3) return;
    const impact::Model& m = m_predictor->model();
    m.s->trays.forEach([&](TrayId tray) {
        const auto links = m.linksThrough(tray);
        std::size_t measured = 0, down = 0;
        for (const LinkId link : links) measured += !m_predictor->pointsOf(link).empty(), down += dead.contains(link);
        if (down < 3 || down * 2 < measured) return;
        for (const LinkId link : links)
            if (const auto at = dead.find(link); at != dead.end())
                for (const PointNo p : at->second) vote({{ref(tray)}}, p);
    });
}

double Causes::matched(PointNo p, const Forecast& forecast, const Sight& sight) const
{
    const bool came = sight.state == State::Zero || sight.state == State::Silent || sight.state == State::Down;
    const Predicted what = forecast.later && came ? Predicted::MayDie : forecast.what;
    const bool dies = what == Predicted::Dead || what == Predicted::MayDie;
    const bool warm = m_plans.points[p].signal == Signal::Warmth;
    if (what == Predicted::Empties) return sight.state == State::Zero ? 1 : sight.state == State::Down ? 0.6 : sight.state == State::Up ? -0.5 : 0;
    switch (sight.state) {
    case State::Zero: return what == Predicted::MayDie ? (m_expected.contains(p) ? 1 : kLater) : dies ? 1 : what == Predicted::Down ? 0.3 : -0.3;
    case State::Silent: return what == Predicted::MayDie ? kSilent * kLater : dies ? kSilent : 0;
    case State::Up:
        if (what == Predicted::MayRise) return warm ? kWarm : kChanged * kLater / 2;
        if (warm) return 0;
        return what == Predicted::Up ? kChanged : what == Predicted::Dead ? -1 : 0;
    case State::Down: return what == Predicted::Down || what == Predicted::MayDie ? kFell : what == Predicted::Dead ? -0.5 : 0;
    case State::Nothing:
    case State::Normal: break;
    }
    return 0;
}

/// Pumps and fans give what they can, however much is asked of those that are left: that one did not rise says little.
bool isDriven(Signal signal) { return signal == Signal::Flow || signal == Signal::Heat || signal == Signal::Turns || signal == Signal::Pump; }

/// A point that says since it began that all is as it was, against the forecast.
double Causes::denied(const Forecast& forecast, std::int64_t sinceMs) const
{
    if (m_evidence->stateOf(forecast.point) != State::Normal) return 0;
    if (m_silence->lastMs(forecast.point) <= sinceMs + 2000) return 0; // from before it began, or on its way
    switch (forecast.what) {
    case Predicted::Dead:
    case Predicted::Empties: return 1;
    case Predicted::Up: return !isDriven(m_plans.points[forecast.point].signal) && (forecast.ratio >= 1.5f || forecast.ratio == 0) ? kChanged : 0.1;
    case Predicted::Down: return forecast.ratio <= 0.5f ? 0.3 : 0.1;
    case Predicted::MayDie:
    case Predicted::MayRise: break;
    }
    return 0;
}

Causes::Score Causes::score(std::span<const Suspect> set)
{
    Score out;
    const auto forecasts = m_predictor->of(set, m_now - m_onset + 1000);
    out.reached = m_predictor->reached();
    const auto& sights = m_evidence->sights();
    Span died, rose, any; // when what is explained came
    for (const Forecast& f : forecasts) {
        const auto at = sights.find(f.point);
        if (at == sights.end()) continue;
        const double value = weightOf(f.point) * matched(f.point, f, at->second);
        out.gain += value;
        if (value <= 0) continue;
        out.explains.push_back(f.point);
        const bool certain = f.what == Predicted::Dead || f.what == Predicted::Empties || f.what == Predicted::Up;
        if (at->second.state == State::Silent) continue;
        if (certain || at->second.state == State::Zero) out.hard += value;
        any.add(at->second.sinceMs);
        if (certain) (at->second.state == State::Zero ? died : rose).add(at->second.sinceMs);
    }
    out.died = died.first >= 0;
    const Span& span = out.died ? died : rose.first >= 0 ? rose : any;
    // More of the same may come for a while; what says later that all is well denies it.
    const std::int64_t since = span.first < 0 ? m_now : out.died ? std::min(span.last, span.first + kTrickleMs) : span.first;
    for (const Forecast& f : forecasts) out.gain -= weightOf(f.point) * denied(f, since);
    for (const Suspect& suspect : set) out.gain -= m_standing.contains(suspect) ? kPrice - kKept : kPrice;
    return out;
}

/// The suspect that adds most to a set; of those that add alike the one that reaches least, links before cables and trays.
bool Causes::addBest(std::vector<Suspect>& set, Score& now)
{
    std::vector<std::pair<double, const Vote*>> order;
    for (const auto& [suspect, vote] : m_votes) {
        if (std::ranges::find(set, suspect) != set.end()) continue;
        double left = 0;
        for (const PointNo p : vote.points)
            if (!std::ranges::binary_search(now.explains, p)) left += weightOf(p) * worth(m_evidence->stateOf(p));
        if (left > kPrice - kKept) order.emplace_back(left, &vote);
    }
    std::ranges::stable_sort(order, std::greater(), [](const auto& entry) { return std::llround(entry.first * 1e6); });
    const auto rank = [](const Suspect& suspect) {
        return suspect.element.entity.kind == EntityKind::Tray || suspect.element.entity.kind == EntityKind::Cable;
    };
    const Vote* best = nullptr;
    Score bestScore = now;
    std::size_t tried = 0;
    for (const auto& [left, vote] : order) {
        if (best && left < kVotesOfBest * order.front().first && !m_standing.contains(vote->suspect))
            continue; // what upstream or beside it changed did not vote for it, but most did
        if (++tried > kMostTried) break;
        set.push_back(vote->suspect);
        Score with = score(set);
        set.pop_back();
        if (with.gain < now.gain + 1e-9) continue;
        const auto better = [&] {
            if (!best || std::abs(with.gain - bestScore.gain) > 1e-6) return with.gain > bestScore.gain;
            return std::tuple(rank(vote->suspect), with.reached) < std::tuple(rank(best->suspect), bestScore.reached);
        };
        if (better()) best = vote, bestScore = std::move(with);
    }
    if (!best) return false;
    set.push_back(best->suspect);
    now = std::move(bestScore);
    return true;
}

/// Takes out what the others explain as well.
void Causes::prune(std::vector<Suspect>& set, Score& now)
{
    for (std::size_t i = 0; i < set.size() && set.size() > 1;) {
        std::vector<Suspect> without = set;
        without.erase(without.begin() + std::ptrdiff_t(i));
        Score score = this->score(without);
        if (score.gain >= now.gain - 1e-9)
            set = std::move(without), now = std::move(score), i = 0;
        else
            ++i;
    }
}

std::vector<Suspect> Causes::alikeOf(const Suspect& suspect, const std::vector<Suspect>& set, const Score& now)
{
    constexpr std::size_t kMost = 3, kLook = 24;
    std::vector<Suspect> out;
    if (suspect.gpu >= 0) return out;
    std::vector<Suspect> other = set;
    const auto at = std::size_t(std::ranges::find(set, suspect) - set.begin());
    const Vote& own = m_votes.at(suspect);
    std::size_t looked = 0;
    for (const auto& [candidate, vote] : m_votes) {
        if (out.size() >= kMost || std::ranges::find(set, candidate) != set.end() || candidate.element.entity.kind != EntityKind::Device) continue;
        if (vote.weight < own.weight - 1e-6 || ++looked > kLook) continue;
        other[at] = candidate;
        if (std::abs(score(other).gain - now.gain) < 1e-6) out.push_back(candidate);
    }
    return out;
}

std::vector<Causes::Found> Causes::explain(std::int64_t atMs, const Evidence& evidence, const Silence& silence, std::span<const Suspect> standing)
{
    m_evidence = &evidence, m_silence = &silence, m_now = atMs, m_onset = atMs;
    m_standing = std::set<Suspect>(standing.begin(), standing.end());
    for (const auto& [p, sight] : evidence.sights()) {
        if (sight.state != State::Zero) continue;
        m_onset = m_onset == atMs ? sight.sinceMs : std::max(m_onset, sight.sinceMs);
    }
    m_expected.clear();
    if (!standing.empty())
        for (const Forecast& f : m_predictor->of(standing, 0)) m_expected.insert(f.point);
    gather();
    std::vector<Suspect> set;
    Score now;
    while (set.size() < kMostCauses && addBest(set, now)) prune(set, now);
    std::vector<Found> found;
    for (const Suspect& suspect : set) {
        std::vector<Suspect> others = set;
        std::erase(others, suspect);
        const double hard = now.hard - (others.empty() ? 0 : score(others).hard);
        // Without anything that went to nothing it takes more loads that rose.
        if (hard < (now.died ? kHardEnough : 2 * kHardEnough) && !m_standing.contains(suspect)) continue;
        Score alone = score({&suspect, 1});
        if (alone.gain <= 0 && !m_standing.contains(suspect)) continue; // most of what hangs on it says that it works
        found.push_back({suspect, std::move(alone.explains), alikeOf(suspect, set, now)});
    }
    return found;
}

} // namespace hw::watch
