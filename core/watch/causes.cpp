// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/causes.h"

#include "core/watch/weights.h"

#include <algorithm>
#include <cmath>

namespace hw::watch {

using live::PointNo;
using namespace weight;

namespace {

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

/// What those of a set that stand already told of. What dies later, and was told to, is theirs; another cause cannot claim it as its own.
const std::vector<PointNo>& Causes::expectedOf(std::span<const Suspect> set)
{
    std::vector<Suspect> standing;
    for (const Suspect& suspect : set)
        if (m_standing.contains(suspect)) standing.push_back(suspect);
    std::ranges::sort(standing, std::less());
    const auto [at, isNew] = m_expected.try_emplace(std::move(standing));
    if (isNew && !at->first.empty())
        for (const Forecast& f : m_predictor->of(at->first, 0)) at->second.push_back(f.point);
    return at->second;
}

double Causes::matched(const Forecast& forecast, const Sight& sight, const std::vector<PointNo>& expected) const
{
    const PointNo p = forecast.point;
    const bool came = sight.state == State::Zero || sight.state == State::Silent || sight.state == State::Down;
    const Predicted what = forecast.later && came ? Predicted::MayDie : forecast.what;
    const bool dies = what == Predicted::Dead || what == Predicted::MayDie;
    const bool warm = m_plans.points[p].signal == Signal::Warmth;
    if (what == Predicted::MayStop) {
        if (sight.state != State::Zero) return sight.state == State::Silent ? kSilent : 0;
        return forecast.forMs == 0 ? 1 : m_now - sight.sinceMs <= forecast.forMs ? kForAWhile : kTooMuch;
    }
    if (what == Predicted::Empties && sight.state == State::Zero) {
        const double own = double(forecast.ratio) * double(m_plans.points[p].planned); // what it takes for itself
        return own > kSeenW && m_evidence->last(p) == 0 ? kNotEvenOwn : 1;
    }
    if (what == Predicted::Empties) return sight.state == State::Down ? kNearlyEmpty : sight.state == State::Up ? kWrongWay : 0;
    switch (sight.state) {
    case State::Zero:
        if (what == Predicted::MayDie) return std::ranges::binary_search(expected, p) ? 1 : kLater;
        return dies ? 1 : what == Predicted::Down ? kPart : kTooMuch;
    case State::Silent: return what == Predicted::MayDie ? kSilent * kLater : dies ? kSilent : 0;
    case State::Up:
        if (what == Predicted::MayRise) return warm ? kWarm : kRose * kLater / 2;
        if (warm) return 0;
        return what == Predicted::Up || what == Predicted::MayUp ? kRose : what == Predicted::Dead ? kRoseDead : 0;
    case State::Down: return what == Predicted::Down || what == Predicted::MayDie ? kFell : what == Predicted::Dead ? kWrongWay : 0;
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
    if (forecast.what == Predicted::Up && m_evidence->rose(forecast.point, sinceMs - kTrickleMs)) return 0;
    switch (forecast.what) {
    case Predicted::Dead:
    case Predicted::Empties: return kLivesOn;
    case Predicted::Up:
        return !isDriven(m_plans.points[forecast.point].signal) && (forecast.ratio >= 1.5f || forecast.ratio == 0) ? kStaysLow : kHardlyChanges;
    case Predicted::Down: return forecast.ratio <= 0.5f ? kStaysHigh : kHardlyChanges;
    case Predicted::MayDie:
    case Predicted::MayStop:
    case Predicted::MayUp:
    case Predicted::MayRise: break;
    }
    return 0;
}

Causes::Score Causes::score(std::span<const Suspect> set)
{
    Score out;
    ++m_tried;
    const auto& expected = expectedOf(set);
    const auto forecasts = m_predictor->of(set, m_now - m_onset + 1000);
    out.reached = m_predictor->reached();
    const auto& sights = m_evidence->sights();
    Span died, rose, any; // when what is explained came
    for (const Forecast& f : forecasts) {
        const auto at = sights.find(f.point);
        if (at == sights.end()) continue;
        const double value = weightOf(f.point) * matched(f, at->second, expected);
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
        const EntityKind kind = suspect.element.entity.kind;
        return kind == EntityKind::Tray || kind == EntityKind::Cable || kind == EntityKind::Rack || kind == EntityKind::Row;
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
    m_expected.clear(), m_tried = 0;
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
