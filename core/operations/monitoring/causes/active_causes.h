// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/causes/causes.h"
#include "core/operations/monitoring/incident/alarm_book.h"

#include <functional>
#include <memory>
#include <set>

namespace hw::monitoring {

/// The causes that stand: named once they explain what is seen for some time, and until they have not for as long.
class ActiveCauses {
public:
    ActiveCauses(FiguresPtr figures, bindings::BoundPtr bound, const Plans& plans);
    /// Where nothing is out of order this costs nothing. `flapping`: links that are told to come and go, and are not told each time that they went.
    /// `hot`: points that say nothing of causes, as what they are of got too hot.
    void second(std::int64_t atMs, const Evidence& evidence, const Silence& silence, const Readings& readings, const Limits& limits,
                const std::set<std::uint32_t>& flapping, const std::function<bool(bindings::PointNo)>& hot, AlarmBook& alarms,
                std::vector<Event>& events);
    /// Whether a cause that stands, or is about to, tells of this point; `named`: only of those that were reported.
    [[nodiscard]] bool explains(bindings::PointNo p, bool named = false) const;
    [[nodiscard]] bool stops(bindings::PointNo p) const; ///< a cause that stands, or is about to, brings it to nothing
    [[nodiscard]] impact::Study& study() { return causes().predictor().study(); }
    /// Whether a cause that is mended explains what a point said last, before it was: it is read again within two minutes.
    [[nodiscard]] bool explained(bindings::PointNo point, std::int64_t heardMs) const;
    /// Whether what began before a cause was mended is of it: flows and temperatures need a while, two minutes at most, and averages, too.
    [[nodiscard]] bool left(bindings::PointNo p, std::int64_t sinceMs) const;
    /// Links that causes which stand, or are about to, bring down, whether anything says so or not.
    void addLinksDown(std::set<std::uint32_t>& links) const;
    [[nodiscard]] bool names(EntityRef entity) const; ///< that it failed, or is about to
    [[nodiscard]] bool endedLately() const { return !m_ended.empty(); }
    [[nodiscard]] std::size_t standing() const { return m_active.size(); }
    [[nodiscard]] std::vector<Suspect> named() const; ///< ascending: what was reported and has not ended
    /// Points have other numbers, and the design may be another; causes that stand go on where their elements are still there.
    void renumber(const std::vector<bindings::PointNo>& now, FiguresPtr figures, bindings::BoundPtr bound, const Plans& plans);

private:
    struct ActiveCause {
        Causes::Found found;
        std::int64_t sinceMs = 0, foundMs = 0, goneMs = -1, mendedMs = -1, toldMs = -1; ///< sinceMs: of what it explains; foundMs: that it does
        bool named = false, lone = false;                                               ///< lone: one flow meter alone speaks of it
        bool follows = false;                  ///< it was listed as indistinguishable from one that was active
        bool supersedes = false;               ///< it would explain what a cause that stands explains already
        std::vector<bindings::PointNo> covers; ///< ascending: all that it tells of
        std::vector<bindings::PointNo> stops;  ///< ascending: what it brings to nothing
        std::vector<std::uint32_t> links;      ///< that it brings down
        std::vector<bindings::PointNo> most;   ///< ascending: what had gone to nothing, when that was most
        std::vector<bindings::PointNo> leaves; ///< ascending: once it is mended, what it and those beside it tell of
    };
    [[nodiscard]] std::vector<Suspect> alikeOfNamed() const;
    [[nodiscard]] Causes& causes(); ///< made when first needed
    [[nodiscard]] static bool coversMost(const ActiveCause& one, const ActiveCause& other);
    [[nodiscard]] static std::int64_t onset(const Causes::Found& found, const Evidence& evidence);
    void look(std::int64_t atMs, const Evidence& evidence, const Silence& silence, const std::function<bool(bindings::PointNo)>& hot);
    [[nodiscard]] bool isBack(const ActiveCause& one, const Evidence& evidence) const;
    [[nodiscard]] std::vector<bindings::PointNo> leftBy(const ActiveCause& one) const;
    void tellMended(std::int64_t atMs, const Evidence& evidence);
    [[nodiscard]] std::vector<bindings::PointNo> stale(const Evidence& evidence, const Silence& silence,
                                                       const std::function<bool(bindings::PointNo)>& hot) const;
    [[nodiscard]] bool flaps(const ActiveCause& one, const std::set<std::uint32_t>& flapping) const;
    [[nodiscard]] bool isHeader(EntityRef entity) const;
    [[nodiscard]] bool isLone(const Causes::Found& found, const Evidence& evidence, std::int64_t atMs) const;
    [[nodiscard]] std::vector<Suspect> partnersOf(const Suspect& suspect);
    void tell(ActiveCause& one, std::int64_t atMs, const Evidence& evidence, const Readings& readings, AlarmBook& alarms, std::vector<Event>& events);
    [[nodiscard]] Alarm alarmOf(const ActiveCause& one, const Evidence& evidence, const Readings& readings);
    [[nodiscard]] std::optional<std::int64_t> rideThroughEndsMs(const ActiveCause& one, const std::vector<Suspect>& together);
    [[nodiscard]] std::vector<Compared> compare(const ActiveCause& one, const Readings& readings);
    [[nodiscard]] std::string nameOf(const Suspect& suspect) const;
    /// A feeder by its breaker.
    [[nodiscard]] Text describedAs(const Suspect& other, const Suspect& named) const;
    [[nodiscard]] std::string aboutOf(const Suspect& suspect) const;

    FiguresPtr m_figures;
    bindings::BoundPtr m_bound;
    const Plans* m_plans;
    impact::ModelPtr m_model;
    std::unique_ptr<Causes> m_causes;
    std::map<Suspect, ActiveCause> m_active;
    using Onsets = std::vector<std::pair<std::int64_t, Suspect>>; ///< ascending
    std::pair<Onsets, std::optional<std::int64_t>> m_rideThrough; ///< what was asked for last, and when it ends
    struct Ended {
        std::int64_t atMs = 0, mendedMs = -1; ///< mendedMs -1: another took its place
        std::vector<bindings::PointNo> covers;
    };
    std::vector<Ended> m_ended;                ///< of late
    std::vector<bindings::PointNo> m_together; ///< what those that stand change together: what depends on two feeds is in no one's covers
    std::int64_t m_lookedMs = -1, m_freshMs = -1, m_restsMs = -1; ///< m_restsMs: it does not look again before
};

} // namespace hw::monitoring
