// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/causes/causes.h"

#include "core/operations/monitoring/causes/weights.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;
using namespace weight;

namespace {

/// When points changed. Some may have stood so from before, for reasons of their own: it began when a quarter had.
class Moments {
public:
    void add(std::int64_t ms) { m_all.push_back(ms); }
    [[nodiscard]] bool empty() const { return m_all.empty(); }
    [[nodiscard]] std::int64_t first()
    {
        const auto at = m_all.begin() + std::ptrdiff_t(m_all.size() / 4);
        std::ranges::nth_element(m_all, at);
        return *at;
    }
    [[nodiscard]] std::int64_t last() const { return *std::ranges::max_element(m_all); }

private:
    std::vector<std::int64_t> m_all;
};

/// A room on fire takes along more than one thing that may fail by itself.
bool isPlace(const Suspect& suspect) { return suspect.element.entity.kind == EntityKind::Rack || suspect.element.entity.kind == EntityKind::Row; }

} // namespace

Causes::Causes(std::unique_ptr<Predictor> predictor, const Plans& plans) : m_predictor(std::move(predictor)), m_plans(plans) {}

State Causes::stateOf(PointNo p) const
{
    return !m_stale.empty() && std::ranges::binary_search(m_stale, p) ? State::Nothing : m_evidence->stateOf(p);
}

/// What those of a set that stand already told of. What dies later, and was told to, is theirs; another cause cannot claim it as its own.
const std::vector<PointNo>& Causes::expectedOf(std::span<const Suspect> set)
{
    std::vector<Suspect> standing;
    for (const Suspect& suspect : set)
        if (m_standing.contains(suspect)) standing.push_back(suspect);
    std::ranges::sort(standing, std::less());
    const auto [at, isNew] = m_expected.try_emplace(std::move(standing));
    if (isNew && !at->first.empty())
        for (const auto told = m_predictor->remembered(at->first, 0); const Forecast& f : told->forecasts)
            if (f.later || f.what == Predicted::MayDie || f.what == Predicted::Dead) at->second.push_back(f.point);
    return at->second;
}

double Causes::matched(const Forecast& forecast, const Sight& sight, const std::vector<PointNo>& expected) const
{
    const PointNo p = forecast.point;
    const bool came = sight.state == State::Zero || sight.state == State::Silent || sight.state == State::Down;
    if (came && forecast.what == Predicted::MayDie && sight.sinceMs - m_first < forecast.fromMs) return 0; // too soon
    const Predicted what = forecast.later && came ? Predicted::MayDie : forecast.what;
    const bool swings = (what == Predicted::MayDie && sight.state == State::Down) || (what == Predicted::MayRise && sight.state == State::Up);
    if (swings && sight.sinceMs - m_first < forecast.dueMs / 2) return 0; // of a job: batteries carry still
    const bool dies = what == Predicted::Dead || what == Predicted::MayDie;
    const bool warm = m_plans.points[p].signal == Signal::Temperature;
    if (what == Predicted::MayStop) {
        if (sight.state != State::Zero) return sight.state == State::Silent ? kSilent : 0;
        // What is polled does not tell that others have taken over before it is read again.
        const std::int64_t knownMs = m_silence->nextReadMs(p) < m_now ? m_now : m_silence->lastMs(p);
        return forecast.forMs == 0 ? 1 : knownMs - sight.sinceMs <= forecast.forMs ? kForAWhile : kTooMuch;
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
    case State::Silent:
        if (what == Predicted::MayDie) return std::ranges::binary_search(expected, p) ? kSilent : kSilent * kLater;
        return dies ? quiet(p) > 0 ? quiet(p) : kSilent : 0;
    case State::Up:
        if (what == Predicted::MayRise) return warm ? kWarm : kRose * kLater / 2;
        if (warm) return 0;
        if (what == Predicted::Up || what == Predicted::MayUp) return isReserve(p) || tookOver(forecast) ? kReserve : kRose;
        return what == Predicted::Dead ? kRoseDead : 0;
    case State::Down: return what == Predicted::Down || what == Predicted::MayDie ? kFell : what == Predicted::Dead ? kWrongWay : 0;
    case State::Nothing:
    case State::Normal: break;
    }
    return 0;
}

/// Whether a header carries what it should once others beside it are lost, while no more flows through its loop: valves and pumps do not do that.
bool Causes::tookOver(const Forecast& forecast) const
{
    constexpr float kAsMuch = 0.2f; // of the flow (assumed)
    const auto risen = m_risen.find(forecast.point);
    return risen != m_risen.end() && std::abs(risen->second / forecast.ratio - 1) <= kAsMuch;
}

const Causes::Score& Causes::score(std::span<const Suspect> set)
{
    std::vector<Suspect> key(set.begin(), set.end());
    std::ranges::sort(key, std::less());
    const auto [at, isNew] = m_scores.try_emplace(std::move(key));
    if (isNew) at->second = scoreAnew(at->first);
    return at->second;
}

Causes::Score Causes::scoreAnew(std::span<const Suspect> set)
{
    Score out;
    ++m_tried;
    const auto& expected = expectedOf(set);
    const auto prediction = m_predictor->remembered(set, m_now - m_onset + 1000);
    const auto& forecasts = prediction->forecasts;
    out.reached = prediction->reached;
    const Evidence::Sights& seen = sights();
    Moments died, rose, any; // when what is explained came
    for (const Forecast& f : forecasts) {
        const bool dies = f.what == Predicted::Dead || f.what == Predicted::Empties;
        const State state = stateOf(f.point);
        if (dies && set.size() == 1 && state != State::Nothing) out.dies.push_back(f.point);
        if (state <= State::Normal) continue; // most: not in what is seen
        const auto at = seen.find(f.point);
        if (at == seen.end()) continue;
        const double value = weightOf(f.point) * matched(f, at->second, expected);
        out.gain += value;
        if (value <= 0) continue;
        out.explains.push_back(f.point);
        const bool certain = f.what == Predicted::Dead || f.what == Predicted::Empties || f.what == Predicted::Up;
        if (certain || f.what == Predicted::Down) out.atOnce += value;
        if (at->second.state == State::Silent && quiet(f.point) <= 0) continue;
        out.surely = out.surely || quiet(f.point) > 0 || (f.what == Predicted::Up && at->second.state == State::Up && tookOver(f));
        if (certain || at->second.state == State::Zero) out.hard += value;
        any.add(at->second.sinceMs);
        if (certain) (at->second.state == State::Zero ? died : rose).add(at->second.sinceMs);
    }
    out.died = !died.empty();
    Moments& came = out.died ? died : !rose.empty() ? rose : any;
    // More of the same may come for a while; what says later that all is well denies it.
    out.firstMs = came.empty() ? m_now : came.first();
    out.sinceMs = came.empty() ? m_now : out.died ? std::min(came.last(), came.first() + kTrickleMs) : came.first();
    std::vector<const Score*> alone;
    if (set.size() > 1)
        for (const Suspect& suspect : set) alone.push_back(&score({&suspect, 1}));
    // Once a reserve carries what it should, voltage is back; which of several carries is up to their control.
    const auto starts = [&](const Forecast& f) {
        return (f.what == Predicted::Up || f.what == Predicted::MayUp) && !(m_plans.points[f.point].planned > 0);
    };
    const bool carried = std::ranges::any_of(forecasts, [&](const Forecast& f) { return starts(f) && stateOf(f.point) == State::Up; });
    out.carried = carried;
    for (const Forecast& f : forecasts) {
        if (carried && (starts(f) || f.what == Predicted::MayStop)) continue;
        if (f.what == Predicted::MayDie || f.what == Predicted::MayUp || f.what == Predicted::MayRise) continue; // nothing denies these
        if (stateOf(f.point) == State::Normal) out.denied += weightOf(f.point) * denied(f, sinceOf(f.point, alone, out.sinceMs));
    }
    out.gain -= out.denied;
    for (const Suspect& suspect : set) out.gain -= priceOf(suspect);
    return out;
}

/// Since when a point should be dead: since that of a set came that kills it alone, else since the last of them.
std::int64_t Causes::sinceOf(PointNo p, std::span<const Score* const> alone, std::int64_t sinceMs) const
{
    std::int64_t together = sinceMs, byOne = m_now;
    for (const Score* one : alone) {
        if (one->sinceMs >= m_now) continue; // nothing of it was seen
        if (std::ranges::binary_search(one->dies, p)) byOne = std::min(byOne, one->sinceMs);
        together = std::max(together, one->sinceMs);
    }
    return byOne < m_now ? byOne : together;
}

double Causes::priceOf(const Suspect& suspect) const
{
    if (m_standing.contains(suspect)) return kPrice - kKept;
    return suspect.element.entity.kind == EntityKind::Row ? kRowPrice : isPlace(suspect) ? kPlacePrice : kPrice;
}

/// The suspect that adds most to a set; of those that add alike the one that reaches least, links before cables and trays.
bool Causes::addBest(std::vector<Suspect>& set, Score& now)
{
    std::vector<std::pair<double, const Vote*>> order;
    for (const auto& [suspect, vote] : m_votes) {
        if (std::ranges::find(set, suspect) != set.end()) continue;
        double left = 0;
        for (const PointNo p : vote.points)
            if (!std::ranges::binary_search(now.explains, p)) left += weightOf(p) * worth(p);
        if (left > priceOf(suspect)) order.emplace_back(left, &vote);
    }
    std::ranges::stable_sort(order, std::greater(), [](const auto& entry) { return std::llround(entry.first * 1e6); });
    // Of equals links come before cables and trays, and what stands by and did not start before what it should have carried.
    const auto rank = [&](const Suspect& suspect) {
        const EntityKind kind = suspect.element.entity.kind;
        if (!set.empty() && standsBy(suspect)) return -1;
        return kind == EntityKind::Tray || kind == EntityKind::Cable || isPlace(suspect) ? 1 : 0;
    };
    const Vote* best = nullptr;
    Score bestScore = now;
    std::size_t tried = 0;
    for (const auto& [left, vote] : order) {
        if (best && left < kVotesOfBest * order.front().first && !m_standing.contains(vote->suspect))
            continue; // what upstream or beside it changed did not vote for it, but most did
        if (++tried > kMostTried) break;
        set.push_back(vote->suspect);
        const Score& with = score(set);
        set.pop_back();
        if (with.gain < now.gain + 1e-9) continue;
        const auto better = [&] {
            if (!best || std::abs(with.gain - bestScore.gain) > 1e-6) return with.gain > bestScore.gain;
            return std::tuple(rank(vote->suspect), with.reached) < std::tuple(rank(best->suspect), bestScore.reached);
        };
        if (better() && !isRefuted(vote->suspect)) best = vote, bestScore = with;
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
        const Score& score = this->score(without);
        if (score.gain >= now.gain - 1e-9)
            set = std::move(without), now = score, i = 0;
        else
            ++i;
    }
}

/// What would explain the same in its place: elements that others have reason to suspect as well, and the ways that feed it. What stands, and so
/// costs less, does not count here. Values of their own tell them apart: of a breaker, of a meter further up.
std::vector<Suspect> Causes::alikeOf(const Suspect& suspect, const std::vector<Suspect>& set)
{
    constexpr std::size_t kMost = 4, kLook = 200;
    if (suspect.gpu >= 0) return {};
    std::vector<Suspect> out = placesInsteadOf(suspect, set);
    std::vector<Suspect> others;
    const bool fromWay = suspect.element.entity.kind == EntityKind::Port; // then what it feeds may have failed instead
    const auto voted = m_votes.find(suspect);
    const double own = voted == m_votes.end() ? 0 : voted->second.weight;
    for (const auto& [candidate, vote] : m_votes) {
        const bool isWay = candidate.element.entity.kind == EntityKind::Port; // of power, or a pipe
        const bool device = candidate.element.entity.kind == EntityKind::Device && candidate.gpu < 0 && (fromWay || vote.weight > own - 1e-6);
        if (isPlace(candidate) || isWay || device) others.push_back(candidate);
    }
    others.insert(others.end(), m_further.begin(), m_further.end());
    const auto ways = waysInto(suspect);
    others.insert(others.begin(), ways.begin(), ways.end());
    for (const auto& [candidate, vote] : m_votes)
        if (feedsIt(candidate, suspect)) others.insert(others.begin() + std::ptrdiff_t(ways.size()), candidate);
    const double gain = score(set).gain;
    const Score alone = score({&suspect, 1});
    const double little = 2 * (1 - kForAWhile) * alone.hard + 1e-6; // dead for a while or for good
    const auto shares = [&](const Suspect& candidate) {             // half of what speaks of the one speaks of the other
        const Score& its = score({&candidate, 1});
        const auto both = std::ranges::count_if(alone.explains, [&](PointNo p) { return std::ranges::binary_search(its.explains, p); });
        return 2 * std::size_t(both) >= alone.explains.size();
    };
    std::vector<Suspect> other = set;
    const auto at = std::size_t(std::ranges::find(set, suspect) - set.begin());
    std::size_t looked = 0;
    for (const Suspect& candidate : others) {
        if (out.size() >= kMost || looked >= kLook) break;
        if (std::ranges::find(set, candidate) != set.end() || std::ranges::find(out, candidate) != out.end()) continue;
        ++looked;
        other[at] = candidate;
        const bool near = candidate.element.entity.kind == EntityKind::Port || !candidate.element.whole() || feedsIt(candidate, suspect);
        const double off = score(other).gain + priceOf(candidate) - gain - priceOf(suspect);
        const bool fed = fromWay && std::abs(score(other).gain - gain) < little;
        if ((std::abs(off) < 1e-6 || fed || (near && -off < little)) && shares(candidate)) out.push_back(candidate);
    }
    return out;
}

/// Racks and rows that would explain the same in the place of this one and of others of the set: both feeds of a row, or all of the row.
std::vector<Suspect> Causes::placesInsteadOf(const Suspect& suspect, const std::vector<Suspect>& set)
{
    std::vector<Suspect> out;
    if (set.size() < 2 || isPlace(suspect)) return out;
    const auto worthOf = [&](const std::vector<Suspect>& all) {
        double gain = score(all).gain;
        for (const Suspect& one : all) gain += priceOf(one);
        return gain;
    };
    const double now = worthOf(set);
    for (const auto& [place, vote] : m_votes) {
        if (!isPlace(place)) continue;
        const std::vector<PointNo> its = score({&place, 1}).explains;
        std::vector<Suspect> other{place};
        bool instead = false;
        for (const Suspect& one : set) {
            const bool within = std::ranges::includes(its, score({&one, 1}).explains);
            instead = instead || (within && one == suspect);
            if (!within) other.push_back(one);
        }
        if (instead && other.size() < set.size() && now - worthOf(other) < kAlikePlace) out.push_back(place);
    }
    return out;
}

/// What stands and says at once that it works was named too early: it has no claim to what it explained. (Later, it may be mended.)
void Causes::dropRefuted()
{
    m_dropped.clear();
    for (const Suspect& suspect : m_standing) {
        if (!m_votes.contains(suspect)) continue;
        const std::int64_t first = score({&suspect, 1}).firstMs;
        if (m_now - first <= 2 * kTrickleMs && speaks(suspect, first)) m_dropped.insert(suspect);
    }
    if (m_dropped.empty()) return;
    for (const Suspect& suspect : m_dropped) m_standing.erase(suspect);
    m_scores.clear(), m_expected.clear(), m_refuted.clear();
}

/// Of those that were worth a try by themselves the ones that explain most, best first.
std::vector<Suspect> Causes::bestAlone(std::size_t most)
{
    std::vector<std::pair<double, const Suspect*>> order;
    for (const auto& [suspect, vote] : m_votes) {
        if (suspect.gpu >= 0 || suspect.element.entity.kind != EntityKind::Device) continue;
        const auto known = m_scores.find(std::vector{suspect});
        if (known != m_scores.end() && known->second.gain > kPrice && feedsSomething(DeviceId(suspect.element.entity.id)) &&
            !speaks(suspect, known->second.firstMs))
            order.emplace_back(known->second.gain, &suspect);
    }
    std::ranges::stable_sort(order, std::greater(), [](const auto& entry) { return std::llround(entry.first * 1e6); });
    std::vector<Suspect> out;
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) out.push_back(*order[i].second);
    return out;
}

/// The best two that bring down together what neither does alone: both feeds of a load, all pumps of a loop. Empty where none is better than
/// one alone.
std::vector<Suspect> Causes::bestPair()
{
    const auto alone = bestAlone(kMostPaired);
    std::vector<Suspect> best;
    double gain = 0;
    for (std::size_t i = 0; i < alone.size(); ++i)
        for (std::size_t k = i + 1; k < alone.size(); ++k) {
            const double apart = score({&alone[i], 1}).gain + score({&alone[k], 1}).gain;
            const std::vector<Suspect> pair{alone[i], alone[k]};
            const double together = score(pair).gain;
            if (together > gain + 1e-6 && together > apart + kPrice && !speaksOf(pair)) best = pair, gain = together;
        }
    return best;
}

/// From what stands, from nothing and from the best pair on, one after the other is added; the best of these ways counts. What depends on two
/// feeds cannot be explained one feed at a time.
std::pair<std::vector<Suspect>, Causes::Score> Causes::bestSet()
{
    std::vector<Suspect> best;
    Score bestScore;
    const auto tryFrom = [&](std::vector<Suspect> set) {
        Score now = set.empty() ? Score() : score(set);
        prune(set, now);
        while (set.size() < kMostCauses && addBest(set, now)) prune(set, now);
        if (now.gain > bestScore.gain + 1e-6) best = std::move(set), bestScore = std::move(now);
    };
    std::vector<Suspect> standing;
    for (const Suspect& suspect : m_standing)
        if (m_votes.contains(suspect)) standing.push_back(suspect); // something still speaks of it
    if (!standing.empty()) tryFrom(standing);                       // first: of what scores alike it stays
    tryFrom({});
    if (const auto pair = bestPair(); !pair.empty()) tryFrom(pair);
    if (bestScore.denied > kPrice && m_tried < kMostBefore) // something that should be dead says that it lives: perhaps two further down did it
        for (const Suspect& first : bestAlone(kMostStarts)) tryFrom({first});
    takeAlike(best, bestScore);
    return {best, bestScore};
}

/// What was listed as indistinguishable from a cause that stands is known for as long: it takes its place where it explains more for the same price.
void Causes::takeAlike(std::vector<Suspect>& best, Score& bestScore)
{
    for (const Suspect& alike : m_told) {
        if (!m_votes.contains(alike) || m_standing.contains(alike) || std::ranges::find(best, alike) != best.end() || isRefuted(alike)) continue;
        const std::vector<PointNo> its = score({&alike, 1}).explains;
        for (std::size_t i = 0; i < best.size(); ++i) {
            if (!m_standing.contains(best[i]) || !std::ranges::includes(its, score({&best[i], 1}).explains)) continue;
            std::vector<Suspect> set = best;
            set[i] = alike;
            Score now = score(set);
            prune(set, now);
            if (now.gain + kKept <= bestScore.gain + 1e-6) continue;
            best = std::move(set), bestScore = std::move(now);
            return;
        }
    }
}

std::vector<Causes::Found> Causes::explain(std::int64_t atMs, const Evidence& evidence, const Silence& silence, std::span<const Suspect> standing,
                                           std::span<const Suspect> told, const std::vector<PointNo>& stale)
{
    m_evidence = &evidence, m_silence = &silence, m_now = m_onset = m_first = atMs;
    m_standing = std::set<Suspect>(standing.begin(), standing.end());
    m_told = std::set<Suspect>(told.begin(), told.end());
    m_stale = stale, m_fresh.clear();
    if (!stale.empty())
        for (const auto& seen : evidence.sights())
            if (!std::ranges::binary_search(m_stale, seen.first)) m_fresh.insert(seen);
    for (const auto& [p, sight] : sights()) {
        if (sight.state != State::Zero) continue;
        m_onset = m_onset == atMs ? sight.sinceMs : std::max(m_onset, sight.sinceMs);
        m_first = std::min(m_first, sight.sinceMs);
    }
    if (m_first == atMs) // nothing was read while it had no supply: it began before reserves carried it
        for (const auto& [p, sight] : sights())
            if (sight.state == State::Up && isReserve(p)) m_onset = m_first = std::min(m_first, sight.sinceMs);
    m_expected.clear(), m_refuted.clear(), m_scores.clear(), m_heard.clear(), m_due.clear(), m_tried = 0;
    gatherQuiet();
    gather();
    dropRefuted();
    auto [set, now] = bestSet();
    std::vector<Found> found;
    for (const Suspect& suspect : set) {
        std::vector<Suspect> others = set;
        std::erase(others, suspect);
        const double hard = now.hard - (others.empty() ? 0 : score(others).hard);
        // Without anything that went to nothing it takes more loads that rose.
        const bool known = m_standing.contains(suspect) || std::ranges::find(told, suspect) != told.end();
        const Score& alone = score({&suspect, 1});
        if (hard < (now.died || now.carried || alone.surely ? kHardEnough : 2 * kHardEnough) && !known) continue;
        const bool alive = alone.gain <= 0 && !(set.size() > 1 && standsBy(suspect)); // most of what depends on it says that it works
        if (alive && !m_standing.contains(suspect)) continue;
        found.emplace_back().suspect = suspect, found.back().explains = alone.explains;
        found.back().open = !m_standing.contains(suspect) && (mayBeLarger(suspect) || mayBeAPart(suspect, alone) ||
                                                              saysThatItWorks(suspect, alone.firstMs) > 0 || waitsForItsOwn(suspect, alone.firstMs));
    }
    m_standing.clear(), m_scores.clear(), m_expected.clear(), m_refuted.clear();
    for (Found& one : found) one.alike = alikeOf(one.suspect, set), findRivals(one, set);
    return found;
}

} // namespace hw::monitoring
