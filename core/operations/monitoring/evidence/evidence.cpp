// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/evidence.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace hw::monitoring {

using bindings::Measure, bindings::PointNo;

namespace {

constexpr float kNothing = 0.02f;               ///< of what is usual: noise of a meter that carries nothing (assumed)
constexpr float kNoPressure = 0.005f;           ///< of a pressure difference, which falls with the square of the flow (assumed)
constexpr float kWokenW = 1000, kWokenA = 1.5f; ///< of a feed that carries nothing as planned: others have failed over to it (assumed)
constexpr float kMoved = 1.15f;                 ///< of what it read of late, to have moved by itself (assumed)
constexpr float kMostSwing = 0.15f;             ///< beyond that a load that doubles would not show (assumed)
constexpr float kSwings = 0.1f;                 ///< from one poll to the next, from which one reading alone says little (assumed)
constexpr double kMemoryMs = 60'000;            ///< over which what is usual is remembered (assumed)
constexpr std::int64_t kSettleMs = 1000;        ///< that a state has to last
constexpr std::int64_t kNewUsualMs = 600'000;   ///< after which another level counts as usual (assumed)
constexpr float kFellOffTheBus = 79;            ///< XID of a GPU that does not answer any more (NVIDIA, Xid Errors)

bool follows(const Plan& plan) { return plan.signal == Signal::Power && (plan.scale <= Plans::kFeeds || plan.scale == 14); }

State byRatio(float ratio, float up, float down) { return ratio > up ? State::Up : ratio < down ? State::Down : State::Normal; }

/// What moved against its like, and by itself: where a large job stops, all others stand out and none has moved.
State byBoth(State against, State itself) { return against == itself ? against : State::Normal; }

} // namespace

void Evidence::resize(std::size_t points)
{
    m_points.assign(points, {});
    m_sights.clear(), m_pending.clear();
}

/// `level`: what is remembered of it while it is normal.
State Evidence::classify(PointNo p, float v, float swing, const Plan& plan, Measure measure, const LoadFactors& factors, float& level) const
{
    const Known& known = m_points[p];
    level = v;
    switch (plan.signal) {
    case Signal::None: return State::Nothing;
    case Signal::RackPower:
    case Signal::Power: {
        if (std::isnan(plan.planned)) return State::Nothing;
        if (!(plan.planned > 0)) return v > (measure == Measure::Current ? kWokenA : kWokenW) ? State::Up : State::Normal;
        if (v < kNothing * plan.planned) // phases may be wired in another order than planned
            return plan.criterion == Criterion::Phase && known.most < kNothing * plan.planned ? State::Nothing : State::Zero;
        const double factor = factors.of(plan.scale);
        level = float(v / (plan.planned * (factor > kNothing ? factor : 1)));
        if (!follows(plan) || std::isnan(known.slow)) return State::Normal;
        // What swings from one poll to the next has to leave that range.
        return byBoth(byRatio(level / known.slow, 1.35f * (1 + swing), 0.65f / (1 + swing)), byRatio(v / known.raw, kMoved, 1 / kMoved));
    }
    case Signal::Live: {
        const bool works = plan.planned == 1 || (plan.planned > 0 && known.most > 0);
        return works && v < 0.1f * std::max(known.most, 1.0f) ? State::Zero : State::Normal;
    }
    case Signal::Flow:
    case Signal::Heat:
        if (known.most > 0 && v < (measure == Measure::DifferentialPressure ? kNoPressure : 0.03f) * known.most) return State::Zero;
        if (plan.scale == Plans::kTakers || !(plan.planned > 0)) return State::Normal; // each has a load of its own
        level = float(v / std::max(factors.of(plan.scale), 0.02));
        if (!(known.slow > 0)) return State::Normal;
        return byBoth(byRatio(level / known.slow, 1.2f * (1 + swing), 0.7f / (1 + swing)), byRatio(v / known.raw, kMoved, 1 / kMoved));
    case Signal::Speed:
    case Signal::Pump: return known.most > 0 && v < 0.03f * known.most ? State::Zero : State::Normal;
    case Signal::Temperature: return !std::isnan(known.slow) && v > known.slow + 3 ? State::Up : State::Normal;
    case Signal::Link:
    case Signal::Breaker: return v < 0.5f ? State::Zero : State::Normal;
    case Signal::Part:
        if (measure == Measure::Xid) return v == kFellOffTheBus ? State::Zero : State::Normal;
        return (measure == Measure::ActivePower || measure == Measure::Temperature) && v <= 0 ? State::Zero : State::Normal;
    }
    return State::Nothing;
}

void Evidence::learn(Known& known, float level, float value, std::int64_t atMs)
{
    known.most = std::max(known.most, value);
    const auto follow = [&](float& slow, float now) {
        slow = std::isnan(slow) ? now : slow + float(std::min(1.0, double(atMs - known.lastMs) / kMemoryMs)) * (now - slow);
    };
    follow(known.slow, level), follow(known.raw, value);
    known.lastMs = atMs;
}

void Evidence::set(PointNo p, State state, std::int64_t atMs)
{
    Known& known = m_points[p];
    if (known.state == state) return;
    const bool was = known.state > State::Normal, is = state > State::Normal;
    if (state == State::Up || known.state == State::Up) known.upMs = atMs;
    known.state = state;
    if (is)
        m_sights[p] = {state, atMs};
    else
        m_sights.erase(p);
    m_changed = m_changed || was || is;
}

void Evidence::second(std::int64_t atMs, std::span<const PointNo> dirty, const Readings& readings, const LoadFactors& factors, const Plans& plans,
                      const bindings::Bound& bound, const Absence& absence)
{
    m_changed = std::exchange(m_forgot, false);
    for (const PointNo p : dirty) {
        const Plan& plan = plans.points[p];
        const float value = readings.values[p];
        if (std::isnan(value) || !readings.good[p]) continue;
        Known& known = m_points[p];
        if (plan.signal == Signal::None) {
            if (bound.points[p].measure == Measure::ReturnTemperature) learn(known, value, value, atMs), known.last = value;
            continue;
        }
        float level = value;
        known.last = value;
        const float swing = readings.swing[p] > 0 ? std::min(readings.swing[p], kMostSwing) : 0; // NaN: not known
        known.swing = swing;
        const State state = classify(p, value, swing, plan, bound.points[p].measure, factors, level);
        if (state == State::Normal) learn(known, level, value, atMs);
        if (known.state == State::Nothing && state == State::Normal) known.state = state;
        if (state == known.state) {
            m_pending.erase(p);
        } else {
            const auto [at, isNew] = m_pending.try_emplace(p, Sight{state, atMs});
            Sight& sight = at->second;
            if (!isNew && sight.state == state)
                ++sight.readings;
            else
                sight = {state, atMs};
            sight.least = (state == State::Up || state == State::Down) && readings.swing[p] > kSwings ? 2 : 1;
        }
    }
    const auto quiet = [&](std::span<const PointNo> points, State state) {
        for (const PointNo p : points) // what reads nothing has nothing new to say
            if (plans.points[p].signal != Signal::None && m_points[p].state != State::Zero) m_pending.erase(p), set(p, state, atMs);
    };
    std::vector<PointNo> missed; // what says that it has no value is not dead
    std::ranges::set_difference(absence.missed(), absence.denied(), std::back_inserter(missed));
    quiet(missed, State::Silent), quiet(absence.excused(), State::Nothing), quiet(absence.denied(), State::Nothing);
    settleUp(atMs);
}

void Evidence::fellSilent(std::span<const PointNo> points, std::int64_t atMs)
{
    for (const PointNo p : points)
        if (m_points[p].state != State::Zero) m_pending.erase(p), set(p, State::Silent, atMs);
}

void Evidence::forget(PointNo p, std::int64_t atMs)
{
    m_pending.erase(p);
    m_points[p].slow = m_points[p].raw = kUnknown, m_points[p].most = 0;
    set(p, State::Nothing, atMs);
    m_forgot = true;
}

void Evidence::settleUp(std::int64_t atMs)
{
    for (auto at = m_pending.begin(); at != m_pending.end();) {
        if (atMs - at->second.sinceMs < kSettleMs || at->second.readings < at->second.least) {
            ++at;
            continue;
        }
        set(at->first, at->second.state, at->second.sinceMs);
        at = m_pending.erase(at);
    }
    if (atMs % 60'000 != 0) return;
    std::vector<PointNo> usual;
    for (const auto& [p, sight] : m_sights)
        if ((sight.state == State::Up || sight.state == State::Down) && atMs - sight.sinceMs > kNewUsualMs) usual.push_back(p);
    for (const PointNo p : usual) m_points[p].slow = m_points[p].raw = kUnknown, set(p, State::Normal, atMs);
}

void Evidence::renumber(const std::vector<PointNo>& now, std::size_t points)
{
    const auto was = std::move(m_points);
    const auto sights = std::move(m_sights), pending = std::move(m_pending);
    resize(points);
    for (PointNo old = 0; old < was.size(); ++old)
        if (now[old] != bindings::kNoPoint) m_points[now[old]] = was[old];
    for (const auto& [p, sight] : sights)
        if (now[p] != bindings::kNoPoint) m_sights.emplace(now[p], sight);
    for (const auto& [p, sight] : pending)
        if (now[p] != bindings::kNoPoint) m_pending.emplace(now[p], sight);
    m_changed = true;
}

} // namespace hw::monitoring
