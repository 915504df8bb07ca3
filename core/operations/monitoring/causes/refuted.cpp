// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/causes/causes.h"

#include "core/operations/monitoring/causes/weights.h"

#include <algorithm>

namespace hw::monitoring {

// What speaks against a suspect: values of its own, values of what it should have brought down, and what was not read yet.

using bindings::PointNo;
using namespace weight;

namespace {

/// Pumps and fans give what they can, however much is asked of those that are left: that one did not rise says little.
bool isDriven(Signal signal) { return signal == Signal::Flow || signal == Signal::Heat || signal == Signal::Speed || signal == Signal::Pump; }

} // namespace

/// When a port was read last. Where it speaks on change alone it says the same still when another port that is read with it is heard.
std::int64_t Causes::readMs(PointNo p)
{
    const std::int64_t own = m_silence->lastMs(p);
    if (own < 0 || m_plans.points[p].signal != Signal::Link || m_silence->repeats(p)) return own;
    const auto group = m_predictor->groupOf(p);
    if (!group) return own;
    const auto [at, isNew] = m_heard.try_emplace(keyOf(*group), own);
    if (isNew)
        for (const PointNo said : m_predictor->saidBy(*group)) at->second = std::max(at->second, m_silence->lastMs(said));
    return at->second;
}

/// Whether a point is polled together with a meter of its device that reads nothing: both are of the same moment.
bool Causes::isReadBesideZero(PointNo p) const
{
    const Plan& plan = m_plans.points[p];
    const std::int64_t lastMs = m_silence->lastMs(p);
    if (lastMs < 0 || m_silence->nextReadMs(p) - lastMs <= 2 * kInFlightMs) return false;
    if (plan.signal == Signal::None || plan.signal == Signal::Link || plan.signal == Signal::Breaker || plan.signal == Signal::RackPower)
        return false;
    return std::ranges::any_of(m_predictor->pointsOf(DeviceId(plan.target)), [&](PointNo other) {
        return m_plans.points[other].signal == Signal::Power && stateOf(other) == State::Zero && sinceOf(other) <= lastMs &&
               m_silence->lastMs(other) == lastMs;
    });
}

/// A point that says since it began that all is as it was, against the forecast.
double Causes::denied(const Forecast& forecast, std::int64_t sinceMs)
{
    if (stateOf(forecast.point) != State::Normal) return 0;
    // From before it began, or on its way; ports of a device are read together.
    const Plan& plan = m_plans.points[forecast.point];
    const auto heard = [&](PointNo p) { return m_silence->lastMs(p) > sinceMs + kInFlightMs || isReadBesideZero(p); };
    bool read = plan.signal == Signal::Link ? readMs(forecast.point) >= sinceMs : heard(forecast.point);
    // A reserve that carries nothing says so once; it does so still while anything else of it is heard.
    if (!read && plan.signal == Signal::Power && !(plan.planned > 0)) read = std::ranges::any_of(m_predictor->pointsOf(DeviceId(plan.target)), heard);
    if (!read || m_evidence->isTurning(forecast.point)) return 0;
    if (forecast.what == Predicted::Up && m_evidence->rose(forecast.point, sinceMs - kTrickleMs)) return 0;
    const float swing = 1 + m_evidence->swing(forecast.point); // within which a change is not seen
    switch (forecast.what) {
    case Predicted::Dead:
    case Predicted::Empties: return kLivesOn;
    case Predicted::Up:
        if (isDriven(m_plans.points[forecast.point].signal)) return kHardlyChanges;
        return forecast.ratio >= 1.5f * swing || forecast.ratio == 0 ? kStaysLow : forecast.ratio >= kShownUp * swing ? kHardlyChanges : 0;
    case Predicted::Down: return forecast.ratio <= 0.5f / swing ? kStaysHigh : forecast.ratio <= kShownDown / swing ? kHardlyChanges : 0;
    case Predicted::MayStop: return m_silence->lastMs(forecast.point) < sinceMs + forecast.sureMs ? kLivesOn : 0;
    case Predicted::MayDie:
    case Predicted::MayUp:
    case Predicted::MayRise: break;
    }
    return 0;
}

/// What follows with time comes of what happens at once. Where nothing of that is seen, or most of it denied, the rest cannot be its work.
bool Causes::isRefuted(const Suspect& suspect)
{
    const auto [at, isNew] = m_refuted.try_emplace(suspect, false);
    if (!isNew) return at->second;
    const Score& alone = score({&suspect, 1});
    // What stands by shows that it did not start in what it should carry; its own state may not have been read since.
    const bool waits = standsBy(suspect) && std::ranges::all_of(alone.dies, [&](PointNo p) { return isDue(p, m_first); });
    return at->second = alone.denied > alone.atOnce || (!alone.dies.empty() && alone.atOnce <= 0 && !waits) || speaks(suspect, alone.firstMs);
}

/// By how many values of its own a device says since then that it works; 0 where one says that it does not. Two refute a suspicion. A dead one
/// has no voltage and its ports are not up, however many others lost what they had from it. One that passes nothing on may have nobody left to
/// pass it on to; a voltage that is polled together with that refutes alone.
std::size_t Causes::saysThatItWorks(const Suspect& suspect, std::int64_t sinceMs)
{
    if (suspect.element.entity.kind != EntityKind::Device || !suspect.element.whole() || suspect.gpu >= 0) return 0;
    const DeviceId id(suspect.element.entity.id);
    std::size_t works = 0, live = 0, fails = 0, empty = 0;
    const auto hear = [&](PointNo p) {
        const State state = stateOf(p);
        const Signal signal = m_plans.points[p].signal;
        if (state == State::Zero || state == State::Silent) ++(signal == Signal::Power ? empty : fails);
        if (state == State::Nothing || state == State::Zero || (readMs(p) <= sinceMs + kInFlightMs && !isReadBesideZero(p))) return;
        if (!(m_evidence->last(p) > 0) || m_evidence->isTurning(p)) return;
        ++works, live += signal != Signal::Live ? 0 : isReadBesideZero(p) ? 2 : 1;
    };
    for (const PointNo p : m_predictor->pointsOf(id))
        if (m_plans.points[p].signal != Signal::Temperature) hear(p);
    for (const PointNo p : m_predictor->portsOf(id)) // those at the ends of others may be down
        if (stateOf(p) == State::Normal) hear(p);
    return fails > 0 ? 0 : empty > 0 ? live : works;
}

/// Whether a device at the end of its links, or what they lie in, may be behind them as well, and most of the links of that were not read since;
/// whether what feeds or cools it may be, and nothing else of that was.
bool Causes::mayBeLarger(const Suspect& suspect)
{
    const Score smaller = score({&suspect, 1});
    if (!smaller.explains.empty() && suspect.gpu < 0 && suspect.element.entity.kind != EntityKind::Link)
        for (const auto& [other, vote] : m_votes)
            if (other.element.entity.kind == EntityKind::Device && other.element.whole() && other.gpu < 0 && !(other == suspect) &&
                std::ranges::includes(vote.points, smaller.explains) && mayBeUnread(other, smaller))
                return true;
    const auto isLink = [&](PointNo p) { return m_plans.points[p].signal == Signal::Link; };
    if (smaller.explains.empty() || !std::ranges::all_of(smaller.explains, isLink)) return false;
    const impact::Model& m = m_predictor->model();
    std::set<Suspect> larger;
    for (const PointNo p : smaller.explains)
        for (const PortId port : {m.s->links.from[LinkId(m_plans.points[p].target)], m.s->links.to[LinkId(m_plans.points[p].target)]})
            larger.insert({{ref(m.s->ports.device[port])}});
    for (const auto& [other, vote] : m_votes)
        if (other.element.entity.kind == EntityKind::Tray || other.element.entity.kind == EntityKind::Cable) larger.insert(other);
    return std::ranges::any_of(larger, [&](const Suspect& other) { return !(other == suspect) && mayBeIt(other, smaller); });
}

/// Whether all that it should bring down beyond what a smaller one does was read last before that began.
bool Causes::mayBeUnread(const Suspect& larger, const Score& smaller)
{
    const Score& its = score({&larger, 1});
    if (!std::ranges::includes(its.explains, smaller.explains) || its.dies.size() <= smaller.dies.size()) return false;
    std::size_t open = 0;
    for (const PointNo p : its.dies) {
        if (stateOf(p) != State::Normal) continue;
        if (m_silence->lastMs(p) > smaller.firstMs + kInFlightMs) return false;
        ++open;
    }
    return open > 0 && !isRefuted(larger);
}

bool Causes::mayBeIt(const Suspect& larger, const Score& smaller)
{
    if (!m_votes.contains(larger)) return false;
    const Score& its = score({&larger, 1});
    if (!std::ranges::includes(its.explains, smaller.explains) || isRefuted(larger)) return false;
    std::int64_t first = m_now, last = 0;
    for (const PointNo p : smaller.explains) {
        const std::int64_t since = sinceOf(p);
        first = std::min(first, since), last = std::max(last, since);
    }
    first = std::max(first, last - kPortsMs); // some may have been down for reasons of their own
    std::size_t open = 0;
    for (const PointNo p : its.dies) {
        if (m_plans.points[p].signal != Signal::Link || stateOf(p) != State::Normal) continue;
        if (readMs(p) > first + kInFlightMs && !m_evidence->isTurning(p)) return false; // up, and read since
        ++open;
    }
    return open > 0 && its.dies.size() > smaller.dies.size();
}

/// Whether one of two says that it works, since what neither does alone had begun.
bool Causes::speaksOf(const std::vector<Suspect>& pair)
{
    const Score &one = score({&pair[0], 1}), &other = score({&pair[1], 1});
    std::int64_t first = m_now;
    for (const PointNo p : score(pair).explains)
        if (!std::ranges::binary_search(one.explains, p) && !std::ranges::binary_search(other.explains, p)) first = std::min(first, sinceOf(p));
    return std::ranges::any_of(pair, [&](const Suspect& suspect) { return speaks(suspect, first); });
}

} // namespace hw::monitoring
