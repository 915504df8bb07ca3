// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/causes/prediction.h"
#include "core/operations/monitoring/evidence/evidence.h"

#include <set>

namespace hw::monitoring {

/// Finds what is behind the points that changed: the smallest set of elements whose loss predicts them, by the graphs of power, coolant and
/// data and the study of losses. Knows values only; no list of what a fault looks like.
///
/// A set scores by what it explains, less what it predicts of points that say otherwise since it began, less a price for each element. Of sets
/// that score alike the one that reaches least is named. What stands is kept while nothing scores better.
class Causes {
public:
    explicit Causes(std::unique_ptr<Predictor> predictor, const Plans& plans);

    struct Found {
        Suspect suspect;
        std::vector<bindings::PointNo> explains; ///< ascending
        std::vector<Suspect> alike;              ///< others that would explain the same
        bool open = false;               ///< it may be another: most links of something larger were not read since, or it says itself that it works
        std::vector<Suspect> rivals;     ///< others that may prove to be the cause, once meters are read that are due
        std::int64_t rivalsUntilMs = -1; ///< by when these are read
    };
    /// `standing`: the causes that were named and have not ended; `told`: what was reported to explain as much as one of these. `stale`: points,
    /// ascending, whose last value is of a cause that is mended: they say nothing until they are read again.
    [[nodiscard]] std::vector<Found> explain(std::int64_t atMs, const Evidence& evidence, const Silence& silence, std::span<const Suspect> standing,
                                             std::span<const Suspect> told, const std::vector<bindings::PointNo>& stale = {});
    [[nodiscard]] Predictor& predictor() { return *m_predictor; }
    /// Of those that stood, which had been named too early, by the last `explain`.
    [[nodiscard]] const std::set<Suspect>& saidThatItWorks() const { return m_dropped; }
    /// Sets that were tried by the last `explain`: what it cost.
    [[nodiscard]] std::size_t tried() const { return m_tried; }

private:
    struct Vote {
        Suspect suspect;
        std::vector<bindings::PointNo> points; ///< that it could be behind, ascending
        double weight = 0;
    };
    struct Score {
        double gain = 0;
        double hard = 0;                     ///< of it, from values that are there
        double atOnce = 0, denied = 0;       ///< what it explains of what it does at once, and what points say against it
        std::vector<bindings::PointNo> dies; ///< of one element, ascending: what is measured and should die at once
        std::int64_t sinceMs = 0;            ///< when it had begun; later values may deny it
        std::int64_t firstMs = 0;            ///< when a quarter of it had shown: what is dead itself says nothing from then on
        std::size_t reached = 0;
        bool died = false;    ///< something went to nothing as it has to
        bool carried = false; ///< a reserve carries load as it has to
        bool surely = false;  ///< what else explains much cannot be by chance: a part alone is silent, a header carries what others carried
        std::vector<bindings::PointNo> explains;
    };
    void gather();
    void gatherDevice(bindings::PointNo p, DeviceId id, State state);
    void gatherOtherSide(bindings::PointNo p, DeviceId id);
    void voteUsualWays(bindings::PointNo p, DeviceId consumer, const std::set<power::Index>& reserve);
    void gatherLink(bindings::PointNo p, LinkId id);
    void gatherTrays(const std::map<LinkId, std::vector<bindings::PointNo>>& dead);
    void gatherPlaces();
    void vote(const Suspect& suspect, bindings::PointNo p);
    void vote(Vote& vote, bindings::PointNo p);
    void voteDevice(DeviceId id, bindings::PointNo p);
    [[nodiscard]] const std::vector<DeviceId>& above(DeviceId id);  ///< what feeds it, and what cools it, all the way up
    [[nodiscard]] const Score& score(std::span<const Suspect> set); ///< holds until the end of a call of `explain`
    [[nodiscard]] Score scoreAnew(std::span<const Suspect> set);
    [[nodiscard]] double matched(const Forecast& forecast, const Sight& sight, const std::vector<bindings::PointNo>& expected) const;
    [[nodiscard]] const std::vector<bindings::PointNo>& expectedOf(std::span<const Suspect> set);
    [[nodiscard]] std::int64_t readMs(bindings::PointNo p);
    [[nodiscard]] bool isReserve(bindings::PointNo p) const { return m_plans.points[p].signal == Signal::Power && !(m_plans.points[p].planned > 0); }
    [[nodiscard]] bool isReadBesideZero(bindings::PointNo p) const;
    [[nodiscard]] bool mayBeAPart(const Suspect& suspect, const Score& alone) const;
    [[nodiscard]] bool waitsForItsOwn(const Suspect& suspect, std::int64_t sinceMs);
    [[nodiscard]] double denied(const Forecast& forecast, std::int64_t sinceMs);
    [[nodiscard]] double worth(bindings::PointNo p) const;
    void gatherQuiet();
    [[nodiscard]] double quiet(bindings::PointNo p) const ///< what the silence of a point counts where its part alone is silent; else 0
    {
        const auto at = m_quiet.find(p);
        return at == m_quiet.end() ? 0 : at->second;
    }
    [[nodiscard]] bool tookOver(const Forecast& forecast) const;
    [[nodiscard]] std::int64_t sinceOf(bindings::PointNo p, std::span<const Score* const> alone, std::int64_t sinceMs) const;
    [[nodiscard]] double priceOf(const Suspect& suspect) const;
    [[nodiscard]] bool isRefuted(const Suspect& suspect);
    [[nodiscard]] std::size_t saysThatItWorks(const Suspect& suspect, std::int64_t sinceMs);
    [[nodiscard]] bool speaks(const Suspect& suspect, std::int64_t sinceMs) { return saysThatItWorks(suspect, sinceMs) >= 2; }
    [[nodiscard]] State stateOf(bindings::PointNo p) const;
    [[nodiscard]] const Evidence::Sights& sights() const { return m_stale.empty() ? m_evidence->sights() : m_fresh; }
    [[nodiscard]] std::int64_t sinceOf(bindings::PointNo p) const ///< now where it is as it was
    {
        const auto seen = sights().find(p);
        return seen == sights().end() ? m_now : seen->second.sinceMs;
    }
    [[nodiscard]] bool speaksOf(const std::vector<Suspect>& pair);
    [[nodiscard]] bool mayBeLarger(const Suspect& suspect);
    [[nodiscard]] bool mayBeIt(const Suspect& larger, const Score& smaller);
    [[nodiscard]] bool mayBeUnread(const Suspect& larger, const Score& smaller);
    [[nodiscard]] bool addBest(std::vector<Suspect>& set, Score& now);
    [[nodiscard]] bool feedsSomething(DeviceId id) const; ///< with power or coolant
    [[nodiscard]] std::vector<Suspect> bestAlone(std::size_t most);
    [[nodiscard]] std::vector<Suspect> bestPair();
    [[nodiscard]] std::pair<std::vector<Suspect>, Score> bestSet();
    void takeAlike(std::vector<Suspect>& best, Score& bestScore);
    void prune(std::vector<Suspect>& set, Score& now);
    void findRivals(Found& found, const std::vector<Suspect>& set);
    [[nodiscard]] double undecided(const std::vector<Suspect>& set, const std::vector<Suspect>& other, std::int64_t sinceMs, std::int64_t& untilMs);
    [[nodiscard]] bool isContradicted(const Suspect& suspect, std::int64_t sinceMs);
    [[nodiscard]] bool isDue(bindings::PointNo p, std::int64_t sinceMs);
    [[nodiscard]] std::int64_t dueMs(bindings::PointNo p);
    [[nodiscard]] std::vector<Suspect> alikeOf(const Suspect& suspect, const std::vector<Suspect>& set);
    [[nodiscard]] std::vector<Suspect> placesInsteadOf(const Suspect& suspect, const std::vector<Suspect>& set);
    void dropRefuted();
    void voteWays(bindings::PointNo p, DeviceId id);
    void voteWaysOut(bindings::PointNo p, DeviceId id);
    [[nodiscard]] bool feedsIt(const Suspect& supplier, const Suspect& suspect) const;
    [[nodiscard]] std::optional<Suspect> wayOf(const PowerFeed& feed) const;
    void votePipes(bindings::PointNo p, DeviceId id);
    [[nodiscard]] std::vector<Suspect> waysInto(const Suspect& suspect) const; ///< of power, each by the outlet of what feeds it
    [[nodiscard]] bool standsBy(const Suspect& suspect) const;                 ///< a generator: carries nothing until others fail
    [[nodiscard]] double weightOf(bindings::PointNo p) const { return double(m_plans.points[p].weight); }

    std::unique_ptr<Predictor> m_predictor;
    const Plans& m_plans;
    std::map<std::uint32_t, std::vector<DeviceId>> m_above;
    // Of one call:
    const Evidence* m_evidence = nullptr;
    const Silence* m_silence = nullptr;
    std::vector<bindings::PointNo> m_stale;           ///< ascending
    Evidence::Sights m_fresh;                         ///< what is seen, without them; where there are any
    std::int64_t m_now = 0, m_onset = 0, m_first = 0; ///< m_onset, m_first: of the last and first that went to nothing
    std::map<bindings::PointNo, double> m_quiet;      ///< of parts that alone of their device are silent, while the others are read
    std::map<bindings::PointNo, float> m_risen;       ///< flows of headers, by how many times, while no more flows through their loop
    std::map<Suspect, Vote> m_votes;
    std::vector<Vote*> m_ofDevice; ///< of them those of whole devices, by device: what most points vote for, each for all that is above it
    std::set<Suspect> m_further;   ///< breakers further down than what reads nothing: rivals of what is suspected, no suspects themselves
    std::map<std::uint32_t, std::vector<std::pair<PortId, std::int32_t>>>
        m_pipes;                                              ///< by device: those at it, by their end at what takes, and their loops
    std::set<Suspect> m_standing, m_dropped;                  ///< m_dropped: stood, and said at once that they work
    std::set<Suspect> m_told;                                 ///< were listed as indistinguishable from one that stands
    std::map<std::vector<Suspect>, Score> m_scores;           ///< of sets, ascending
    std::map<Suspect, bool> m_refuted;                        ///< of those that were asked for
    using GroupKey = std::pair<std::uint32_t, std::uint32_t>; ///< device, network
    [[nodiscard]] static GroupKey keyOf(const Predictor::PortGroup& group)
    {
        return {group.device.value, group.network ? (*group.network).value : ~0u};
    }
    std::map<GroupKey, std::int64_t> m_heard; ///< when one of these ports was heard last
    std::map<GroupKey, std::int64_t> m_due;   ///< when they are read next
    std::size_t m_tried = 0;
    /// What causes that stand tell of together, at once or later: by those of a set that stand.
    std::map<std::vector<Suspect>, std::vector<bindings::PointNo>> m_expected;
};

} // namespace hw::monitoring
