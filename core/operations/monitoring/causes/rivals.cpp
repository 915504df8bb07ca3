// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/causes/causes.h"
#include "core/operations/monitoring/causes/weights.h"

#include <algorithm>

namespace hw::monitoring {

// Meters that are polled one after another show a loss one after another. What may be the cause as well, if readings that are still due agree.

using bindings::PointNo;
using namespace weight;

namespace {

bool dies(Predicted what) { return what == Predicted::Dead || what == Predicted::Empties; }
bool stops(Predicted what) { return dies(what) || what == Predicted::MayStop; } // at least until others take over

} // namespace

/// By when a polled point is read again; -1: it is not polled, or is overdue. Ports of a device and network are read together.
std::int64_t Causes::dueMs(PointNo p)
{
    std::int64_t due = m_silence->nextReadMs(p);
    if (const auto group = m_plans.points[p].signal == Signal::Link && due < 0 ? m_predictor->groupOf(p) : std::nullopt) {
        const auto [at, isNew] = m_due.try_emplace(keyOf(*group), -1);
        if (isNew)
            for (const PointNo said : m_predictor->saidBy(*group)) at->second = std::max(at->second, m_silence->nextReadMs(said));
        due = at->second;
    }
    return due >= m_now ? due : -1;
}

/// Whether a point was last read before something began and is read again soon.
bool Causes::isDue(PointNo p, std::int64_t sinceMs)
{
    return stateOf(p) == State::Normal && readMs(p) <= sinceMs + kInFlightMs && dueMs(p) >= 0 && !isReadBesideZero(p);
}

/// Whether nothing that it brings down by itself was seen so, while some of that is read soon: others rose, as they may by chance.
bool Causes::waitsForItsOwn(const Suspect& suspect, std::int64_t sinceMs)
{
    const Score& alone = score({&suspect, 1});
    const auto isGone = [&](PointNo p) { return stateOf(p) == State::Zero || stateOf(p) == State::Silent; };
    return !std::ranges::any_of(alone.dies, isGone) && std::ranges::any_of(alone.dies, [&](PointNo p) { return isDue(p, sinceMs); });
}

/// Whether all that speaks of a device is of one of its parts: a GPU that fell off the bus. What is silent or carries less may be so by chance.
bool Causes::mayBeAPart(const Suspect& suspect, const Score& alone) const
{
    if (suspect.gpu >= 0) return false;
    std::vector<PointNo> counted = alone.explains;
    if (std::ranges::any_of(counted, [&](PointNo p) { return stateOf(p) == State::Zero; }))
        std::erase_if(counted, [&](PointNo p) { return stateOf(p) != State::Zero; });
    return !counted.empty() && std::ranges::all_of(counted, [&](PointNo p) {
        return m_plans.points[p].signal == Signal::Part && m_plans.points[p].part == m_plans.points[counted.front()].part;
    });
}

/// Whether readings since then contradict the loss of an element.
bool Causes::isContradicted(const Suspect& suspect, std::int64_t sinceMs)
{
    double against = 0;
    for (const auto told = m_predictor->remembered({&suspect, 1}, m_now - m_onset + 1000); const Forecast& f : told->forecasts)
        if (dies(f.what) && stateOf(f.point) == State::Normal && (readMs(f.point) > sinceMs + kInFlightMs || isReadBesideZero(f.point)) &&
            !m_evidence->isTurning(f.point))
            if ((against += weightOf(f.point)) >= kPrice) return true;
    return false;
}

/// How far due readings may move the score of one set against that of another.
double Causes::undecided(const std::vector<Suspect>& set, const std::vector<Suspect>& other, std::int64_t sinceMs, std::int64_t& untilMs)
{
    const std::int64_t elapsedMs = m_now - m_onset + 1000;
    const auto one = m_predictor->remembered(set, elapsedMs), two = m_predictor->remembered(other, elapsedMs);
    double out = 0;
    auto a = one->forecasts.begin(), b = two->forecasts.begin();
    while (a != one->forecasts.end() || b != two->forecasts.end()) {
        const bool first = b == two->forecasts.end() || (a != one->forecasts.end() && a->point <= b->point);
        const bool second = a == one->forecasts.end() || (b != two->forecasts.end() && b->point <= a->point);
        const PointNo p = first ? a->point : b->point;
        if ((first && stops(a->what)) != (second && stops(b->what)) && isDue(p, sinceMs)) out += weightOf(p), untilMs = std::max(untilMs, dueMs(p));
        a += first, b += second;
    }
    return out;
}

/// What may be found in the place of a suspect, and of others of the set with it, once all meters are read. Standing causes count as any other.
void Causes::findRivals(Found& found, const std::vector<Suspect>& set)
{
    constexpr std::size_t kLook = 60;
    const Suspect suspect = found.suspect;
    if (suspect.gpu >= 0) return;
    const Score alone = score({&suspect, 1});
    if (alone.explains.empty()) return;
    std::vector<std::pair<std::size_t, Suspect>> candidates; // by points of its, that speak of them as well
    for (const auto& [candidate, vote] : m_votes) {
        if (candidate.gpu >= 0 || std::ranges::find(set, candidate) != set.end()) continue;
        const auto both = std::ranges::count_if(vote.points, [&](PointNo p) { return std::ranges::binary_search(alone.explains, p); });
        if (both > 0) candidates.emplace_back(std::size_t(both), candidate);
    }
    std::ranges::stable_sort(candidates, std::greater(), &std::pair<std::size_t, Suspect>::first);
    if (candidates.size() > kLook) candidates.resize(kLook);
    const double gain = score(set).gain;
    const auto isGone = [&](PointNo p) { return stateOf(p) == State::Zero || stateOf(p) == State::Silent; };
    std::vector<PointNo> counted = alone.explains; // beside what is gone, what rose or fell may have done so by chance
    if (std::ranges::any_of(counted, isGone)) std::erase_if(counted, [&](PointNo p) { return !isGone(p); });
    const auto consider = [&](const Suspect& candidate) {
        if (std::ranges::find(found.rivals, candidate) != found.rivals.end() || std::ranges::find(set, candidate) != set.end()) return false;
        const Score its = score({&candidate, 1});
        const auto both = std::ranges::count_if(counted, [&](PointNo p) { return std::ranges::binary_search(its.explains, p); });
        if (2 * std::size_t(both) < counted.size() || isRefuted(candidate) || isContradicted(candidate, alone.firstMs)) return false;
        std::vector<Suspect> other{candidate};
        for (const Suspect& one : set)
            if (one != suspect && !std::ranges::includes(its.explains, score({&one, 1}).explains)) other.push_back(one);
        std::ranges::sort(other, std::less());
        std::int64_t untilMs = -1;
        const double open = undecided(set, other, alone.firstMs, untilMs);
        if (open <= 0 || score(other).gain + open <= gain + 1e-6) return false;
        found.rivals.push_back(candidate), found.rivalsUntilMs = std::max(found.rivalsUntilMs, untilMs);
        return true;
    };
    for (const auto& [both, candidate] : candidates)
        if (consider(candidate))
            for (const Suspect& way : waysInto(candidate)) (void)consider(way);
    for (const Suspect& way : waysInto(suspect)) (void)consider(way);
    for (const Suspect& way : m_further) (void)consider(way);
}

} // namespace hw::monitoring
