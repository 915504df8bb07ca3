// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/plausibility.h"
#include "core/operations/monitoring/causes/active_causes.h"
#include "core/operations/monitoring/causes/rerouted.h"
#include "core/operations/monitoring/detectors/detector.h"
#include "core/operations/monitoring/detectors/flow_faults.h"
#include "core/operations/monitoring/detectors/job_timeline.h"
#include "core/operations/monitoring/detectors/link_faults.h"
#include "core/operations/monitoring/detectors/slow_hosts.h"
#include "core/operations/monitoring/detectors/slow_nics.h"
#include "core/operations/monitoring/evidence/evidence.h"
#include "core/operations/monitoring/evidence/measured_peaks.h"
#include "core/operations/monitoring/evidence/trends.h"
#include "core/operations/monitoring/incident/alarm_book.h"
#include "core/operations/monitoring/monitor.h"

#include <optional>
#include <set>

namespace hw::monitoring {

/// All that a watch knows: second by second it lets its parts look at what is new, and turns what they find into events.
struct Monitor::State {
    void design(FiguresPtr figures, bindings::BoundPtr bindings);
    void take(std::span<const PointSample> samples);
    void simulated(std::span<const float> gbps, impact::LoadsAfter after);
    void unboundLeak(const std::string& channel, bool leaks) { m_unboundLeaks[channel] = leaks; }
    void gap(const bindings::Gap& gap);
    void second(std::int64_t t);
    [[nodiscard]] FramePtr frame() const;

    FiguresPtr figures;
    bindings::BoundPtr bound;
    ClockShift clock;
    std::int64_t now = -1; ///< the last second that was judged; -1: none
    std::vector<Event> events;
    AlarmBook alarms;

private:
    void renumber(const bindings::Bound& before, const bindings::Plausibility* sensors);
    void readNew(std::int64_t t);
    void lose(bindings::PointNo p);
    void tellConditions(std::int64_t t);
    void tellClock(std::int64_t t);
    void groupConditions(std::int64_t t);
    void tellFlowFaults(std::int64_t t);
    [[nodiscard]] bool isSymptom(bindings::PointNo p, std::int64_t sinceMs, bool alarm) const;
    void tellLinkFaults(std::int64_t t);
    template <class Slow, class Tells, class Say>
    void tellSlow(std::map<bindings::PointNo, Deviation>& told, const std::map<bindings::PointNo, Slow>& slow, Tells&& tells, Say&& say,
                  std::int64_t t);
    [[nodiscard]] std::set<std::uint32_t> linksWithSymptoms() const;
    void tellSlowCards(std::int64_t t);
    void tellSlowJob(std::int64_t t);
    void tellSlowHosts(std::int64_t t);
    struct SlowRack {
        std::size_t hosts = 0, slow = 0, doubtful = 0, undecided = 0; ///< undecided: doubtful, and not slow yet
        float measured = 0, others = 0;
        std::int64_t sinceMs = 0;
        [[nodiscard]] bool most(std::size_t of, bool stands) const { return of >= 3 && 10 * of >= (stands ? 3 : 6) * hosts; }
    };
    void tellSlowRacks(const std::map<EntityRef, SlowRack>& racks, std::int64_t t);
    void tellCauses(std::int64_t t);
    [[nodiscard]] std::set<std::uint32_t> flappingLinks() const;
    void reroute(std::int64_t t);
    struct RisingRow { ///< racks of a row whose air inlets rise fast
        EntityRef row;
        std::set<EntityRef> racks;
        double kelvinPerMinute = 0;
        std::int64_t sinceMs = 0;
    };
    [[nodiscard]] std::map<std::string, RisingRow> risingRows(std::map<std::string, bindings::PointNo>& due) const;
    void raiseRow(const std::string& about, const RisingRow& row, std::int64_t t);
    void thresholdAlarms(std::int64_t t);
    [[nodiscard]] std::string flappingName(bindings::PointNo p) const;
    void stateAlarms(std::int64_t t);
    void tellDetections(std::int64_t t);
    void gpuAlarm(bindings::PointNo p, std::int64_t t);
    void missingAlarms(std::int64_t t);
    [[nodiscard]] bool isMissingExplained(EntityRef entity, const std::set<bindings::PointNo>& points) const;
    void tellMissing(EntityRef entity, std::int64_t sinceMs, const std::set<bindings::PointNo>& points, std::int64_t t);
    void tellMissingTogether(std::int64_t t);
    [[nodiscard]] bool isOfDead(EntityRef entity, std::int64_t heardMs) const;
    void judgeSensors(std::int64_t t);
    void tellShares(std::int64_t t);
    void remember(std::int64_t t);
    void chooseRecent(const std::vector<bindings::PointNo>* nowOf);
    [[nodiscard]] Deviation deviationOf(bindings::PointNo p, const Judge::Condition& c) const;
    [[nodiscard]] Deviation deviationOf(const LinkFault& fault) const;
    [[nodiscard]] Text riskOf(EntityRef entity);
    void tell(Event::Kind kind, const Deviation& deviation, std::int64_t t);
    void raise(const std::string& about, AlarmKind kind, bindings::PointNo p, std::int64_t since, Text what, std::int64_t t);
    [[nodiscard]] std::string nameOf(EntityRef entity) const;
    [[nodiscard]] std::string aboutOf(const char* kind, bindings::PointNo p) const;

    using Place = std::tuple<DeviationKind, EntityRef>;
    struct ReportedFault {
        Deviation deviation;
        LinkFault fault;
    };

    Limits m_limits;
    Plans m_plans;
    Readings m_readings;
    LoadFactors m_factors;
    Judge m_judge;
    Silence m_silence;
    Absence m_absence;
    Evidence m_evidence;
    Trends m_trends;
    MeasuredPeaks m_life;
    LostNetwork m_lost;
    Rerouted m_rerouted;
    std::optional<JobTimeline> m_job; ///< begins again with the bindings
    std::optional<LinkFaults> m_linkFaults;
    std::optional<FlowFaults> m_flowFaults; ///< begins again with the bindings
    std::optional<SlowNics> m_slowCards;    ///< begins again with the bindings
    std::optional<SlowHosts> m_slowHosts;   ///< so does this
    std::optional<ActiveCauses> m_causes;
    std::optional<bindings::Plausibility> m_plausibility;
    std::vector<std::pair<const DetectorInfo*, std::unique_ptr<Detector>>> m_detectors; ///< begin again with the bindings
    struct ReportedDetection {
        std::size_t symptoms = 0;
        std::int64_t atMs = 0, endsMs = -1;
    };
    std::map<std::string, ReportedDetection> m_detected; ///< by what the alarm is about
    std::set<bindings::PointNo> m_detectedPoints;        ///< that these tell of
    std::int64_t m_detectingSinceMs = -1;                ///< the first second of the detectors
    std::vector<bindings::PointNo> m_dirty;
    std::vector<char> m_isDirty;
    std::map<bindings::PointNo, Deviation> m_deviations;                                 ///< told, of conditions
    std::map<Place, ReportedFault> m_faults;                                             ///< told, of links
    std::map<EntityRef, std::pair<std::int64_t, std::set<bindings::PointNo>>> m_missing; ///< since, and which points
    struct MissingTogether {
        std::set<EntityRef> elements;
        std::int64_t sinceMs = 0, toldMs = 0;
        std::size_t told = 0; ///< elements
    };
    std::optional<MissingTogether> m_missingTogether;
    std::int64_t m_clockSinceMs = -1, m_clockLastMs = -1; ///< a clock is off since; was so last
    ClockShift m_clockSaid;                               ///< of these the most
    std::size_t m_clockTold = 0;                          ///< channels
    std::map<EntityRef, Text> m_risks;
    std::set<bindings::PointNo> m_symptoms;              ///< whose conditions stand, and a cause tells of them
    std::map<bindings::PointNo, Deviation> m_badSensors; ///< told
    std::map<bindings::PointNo, std::int64_t> m_doubted; ///< of these: when something last spoke against them
    std::map<bindings::PointNo, Deviation> m_cards;      ///< told, of slow cards
    std::map<bindings::PointNo, Deviation> m_hosts;      ///< told, of slow servers
    std::map<EntityRef, Deviation> m_slowRacks;          ///< told, of racks with slow servers
    std::optional<Deviation> m_slowJob;                  ///< told
    std::size_t m_causesSeen = 0, m_cardsSeen = 0;
    struct ReportedFlow {
        std::vector<bindings::PointNo> units; ///< ascending
        bool whole = false;
        std::size_t racks = 0, warm = 0;
        std::int64_t atMs = 0, goneMs = -1;
    };
    struct ReturnedFlow {
        int times = 0;
        std::int64_t endedMs = 0;
    };
    std::map<std::string, ReturnedFlow> m_flowsEnded; ///< by what the alarm is about: one that comes and goes stands for longer each time
    std::map<std::string, ReportedFlow> m_flowsTold;  ///< by what the alarm is about
    std::map<EntityRef, Deviation> m_shares;          ///< told, of what coolant takes, by the first rack of a loop
    std::map<std::string, bool> m_unboundLeaks;       ///< by channel, since the last second
    std::set<std::string> m_raised;                   ///< what thresholds and trends raised
    std::shared_ptr<const std::vector<Life>> m_lifeNow;
    std::shared_ptr<const Recent> m_recent;
};

} // namespace hw::monitoring
