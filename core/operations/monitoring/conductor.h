// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/plausibility.h"
#include "core/operations/monitoring/causes/active_causes.h"
#include "core/operations/monitoring/causes/rerouted.h"
#include "core/operations/monitoring/detectors/detector.h"
#include "core/operations/monitoring/detectors/job_timeline.h"
#include "core/operations/monitoring/detectors/missing_telemetry.h"
#include "core/operations/monitoring/detectors/system_detector.h"
#include "core/operations/monitoring/evidence/evidence.h"
#include "core/operations/monitoring/evidence/measured_peaks.h"
#include "core/operations/monitoring/evidence/part_silence.h"
#include "core/operations/monitoring/evidence/recent_values.h"
#include "core/operations/monitoring/evidence/trends.h"
#include "core/operations/monitoring/incident/alarm_book.h"
#include "core/operations/monitoring/incident/clock_alarm.h"
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
    void groupConditions(std::int64_t t);
    class ReportedHere;
    void seeSystems(std::int64_t t);
    void tellSystems(std::int64_t t);
    [[nodiscard]] bool systemExplains(bindings::PointNo p, bool alarm = false) const;
    [[nodiscard]] bool shutsDown(bindings::PointNo p) const;
    [[nodiscard]] impact::Study& study();
    [[nodiscard]] bool isSymptom(bindings::PointNo p, std::int64_t sinceMs, bool alarm) const;
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
    [[nodiscard]] bool isMissingExplained(EntityRef entity, const std::set<bindings::PointNo>& points) const;
    [[nodiscard]] bool isOfDead(EntityRef entity, std::int64_t heardMs) const;
    void judgeSensors(std::int64_t t);
    void tellShares(std::int64_t t);
    [[nodiscard]] Deviation deviationOf(bindings::PointNo p, const Judge::Condition& c) const;
    [[nodiscard]] Text riskOf(EntityRef entity);
    void tell(Event::Kind kind, const Deviation& deviation, std::int64_t t);
    void raise(const std::string& about, AlarmKind kind, bindings::PointNo p, std::int64_t since, Text what, std::int64_t t);
    [[nodiscard]] std::string nameOf(EntityRef entity) const;
    [[nodiscard]] std::string aboutOf(const char* kind, bindings::PointNo p) const;

    struct System {
        const DetectorInfo* info = nullptr;
        std::unique_ptr<SystemDetector> detector; ///< begins again with the bindings
        Deviations standing;                      ///< told
    };

    Limits m_limits;
    Plans m_plans;
    Readings m_readings;
    LoadFactors m_factors;
    Judge m_judge;
    Silence m_silence;
    Absence m_absence;
    Evidence m_evidence;
    PartSilence m_parts;
    Trends m_trends;
    MeasuredPeaks m_life;
    RecentValues m_recent;
    LostNetwork m_lost;
    Rerouted m_rerouted;
    std::optional<ActiveCauses> m_causes;
    std::optional<bindings::Plausibility> m_plausibility;
    std::optional<JobTimeline> m_job; ///< of these bindings; detectors refer to it
    std::vector<System> m_systems;
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
    std::map<bindings::PointNo, Deviation> m_deviations; ///< told, of conditions
    MissingTelemetry m_missing;
    ClockAlarm m_clocks;
    std::map<EntityRef, Text> m_risks;
    std::set<bindings::PointNo> m_symptoms;              ///< whose conditions stand, and a cause tells of them
    std::map<bindings::PointNo, Deviation> m_badSensors; ///< told
    std::map<bindings::PointNo, std::int64_t> m_doubted; ///< of these: when something last spoke against them
    std::map<EntityRef, Deviation> m_shares;             ///< told, of what coolant takes, by the first rack of a loop
    std::map<std::string, bool> m_unboundLeaks;          ///< by channel, since the last second
    std::set<std::string> m_raised;                      ///< what thresholds and trends raised
    std::shared_ptr<const std::vector<Life>> m_lifeNow;
};

} // namespace hw::monitoring
