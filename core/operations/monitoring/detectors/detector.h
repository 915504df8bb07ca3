// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/point_detector.h"

#include <memory>
#include <span>

/// Detectors: each watches for one thing in what is measured and raises at most one alarm for one thing, however many sensors show it.
/// A new one is two files and a row in `registry.cpp`; its thresholds are settings.
namespace hw::monitoring {

class JobTimeline;

/// What a detector works on. What it refers to must outlive the detector.
struct DetectorScene {
    const Figures& figures;
    const bindings::Bound& bound;
    const Plans& plans;
    const JobTimeline& job; ///< that was simulated, as its links show it
};

/// What a detector found, as an alarm.
struct Detection {
    EntityRef entity;
    std::string element;                   ///< part of the entity: "l2"
    std::vector<EntityRef> symptoms;       ///< what shows it
    std::vector<std::string> alike{};      ///< names of what may be behind it
    std::vector<bindings::PointNo> covers; ///< ascending: their deviations are its symptoms
    bool settles = false;                  ///< it says why: what it covers is no evidence of anything else
    std::int64_t sinceMs = 0;
    std::int64_t endsMs = -1; ///< when a battery is empty; -1: nothing runs out
    Text what;
};

/// Not thread-safe. Its only clock is `second`.
class Detector {
public:
    Detector() = default;
    Detector(const Detector&) = delete;
    Detector& operator=(const Detector&) = delete;
    virtual ~Detector() = default;
    /// The second that ends at `atMs`; what is found then, by what it is about, unique within the detector.
    [[nodiscard]] virtual std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) = 0;
};

class SystemDetector;

/// A row of the table of detectors.
struct DetectorInfo {
    std::string_view id;                    ///< of its alarms: "on-battery"
    TextId title;                           ///< "UPS on battery"
    TextId condition;                       ///< from which readings it is raised
    TextId after;                           ///< how long that lasts before
    TextId cleared;                         ///< when
    std::vector<std::string_view> settings; ///< its thresholds, keys of the registry of settings
    std::unique_ptr<Detector> (*make)(const DetectorScene& scene) = nullptr;
    bool yields = false;               ///< not reported where a root cause covers it
    std::vector<Criterion> criteria{}; ///< of the points that `verdict` looks at
    PointDetector verdict = nullptr;
    std::unique_ptr<SystemDetector> (*system)(const DetectorScene& scene) = nullptr; ///< see system_detector.h
};
/// All detectors. `make`: one alarm each; `verdict`: a deviation of a point; `system`: of links, loops, jobs and servers. The monitor itself
/// evaluates the rest, as other parts need it: trends, sensors, clocks, missing telemetry and causes.
[[nodiscard]] std::span<const DetectorInfo> detectors();
/// The table of all detectors with their default thresholds: Markdown.
[[nodiscard]] std::string detectorTable();

inline constexpr std::int64_t kReadingAgeMs = 200'000; ///< sources that speak on change repeat themselves after 100 s (DSX event bus)
/// What was read last, NaN where nothing was for so long.
[[nodiscard]] inline float rawReadingOf(const Readings& readings, bindings::PointNo point, std::int64_t atMs)
{
    if (point == bindings::kNoPoint || readings.arrived[point] == Readings::kNever) return kUnknown;
    return atMs - readings.arrived[point] > kReadingAgeMs ? kUnknown : readings.values[point];
}
/// The same, of a sensor that is good; else NaN.
[[nodiscard]] inline float readingOf(const Readings& readings, bindings::PointNo point, std::int64_t atMs)
{
    return point == bindings::kNoPoint || !readings.good[point] ? kUnknown : rawReadingOf(readings, point, atMs);
}

} // namespace hw::monitoring
