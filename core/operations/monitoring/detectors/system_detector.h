// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"
#include "core/operations/monitoring/detectors/detector.h"
#include "core/operations/monitoring/detectors/judge.h"
#include "core/operations/monitoring/incident/alarm_book.h"

#include <optional>

/// Detectors of systems: links, loops, jobs, servers beside their like. They look at many points at once, after the root causes of a second are
/// known. A new one is two files and a row in `registry.cpp`.
namespace hw::monitoring {

/// What is reported of a hall already: a detector does not report it again.
class Reported {
public:
    virtual ~Reported() = default;
    [[nodiscard]] virtual bool byCause(bindings::PointNo p) const = 0; ///< a root cause that stands, or is about to, explains it
    /// One that is repaired explains what a point said last, or what began before.
    [[nodiscard]] virtual bool byPastCause(bindings::PointNo p, std::int64_t heardMs) const = 0;
    [[nodiscard]] virtual bool leftByCause(bindings::PointNo p, std::int64_t sinceMs) const = 0;
    [[nodiscard]] virtual bool asFailed(DeviceId device) const = 0; ///< it is named as a root cause
    [[nodiscard]] virtual std::size_t causes() const = 0;           ///< that stand
    [[nodiscard]] virtual bool causeEndedLately() const = 0;
    virtual void addLinksDown(std::set<std::uint32_t>& links) const = 0; ///< that a root cause brings down
    [[nodiscard]] virtual bool deviates(bindings::PointNo p) const = 0;  ///< a deviation of the point, or a condition that it shows
    [[nodiscard]] virtual bool isSlow(EntityRef entity) const = 0;       ///< a system detector reports its low performance
    [[nodiscard]] virtual std::size_t slow() const = 0;                  ///< how many are
    [[nodiscard]] virtual Text risk(EntityRef entity) const = 0;         ///< what its loss would cost
    [[nodiscard]] virtual impact::Study& study() const = 0;
};

using Place = std::tuple<DeviationKind, EntityRef>;
using Deviations = std::map<Place, Deviation>;

/// What is slow beside its like, without words.
[[nodiscard]] inline Deviation slowDeviation(const bindings::Point& point, float measured, float others, std::int64_t sinceMs)
{
    Deviation d;
    d.kind = DeviationKind::LowPerformance, d.entity = point.entity, d.measure = point.measure;
    d.measured = measured, d.expected = others, d.sinceMs = sinceMs, d.share = double(1 - measured / others);
    return d;
}
/// Adds a deviation; one that stands keeps the words with which it was reported.
inline void keepReported(Deviations& found, Deviation deviation, const Deviations& standing)
{
    const Place place{deviation.kind, deviation.entity};
    const auto before = standing.find(place);
    found.emplace(place, before == standing.end() ? std::move(deviation) : before->second);
}

/// What a detector of a system sees of a second.
struct Seen {
    std::int64_t atMs = 0;
    const Readings& readings;
    std::span<const bindings::PointNo> dirty; ///< with new values, ascending
    const Judge& judge;
    const Limits& limits;
    const Reported& reported;
    bool simulated = false; ///< links have a simulated load
};

/// Not thread-safe. Its only clock is that of `Seen`.
class SystemDetector {
public:
    SystemDetector() = default;
    SystemDetector(const SystemDetector&) = delete;
    SystemDetector& operator=(const SystemDetector&) = delete;
    virtual ~SystemDetector() = default;
    /// Takes over what the one before reported: bindings have changed.
    virtual void follow(SystemDetector& before) { (void)before; }
    virtual void second(const Seen& seen) { (void)seen; }
    /// Raises, changes and ends its alarms.
    virtual void alarms(const Seen& seen, AlarmBook& book, std::vector<Event>& events) { (void)seen, (void)book, (void)events; }
    [[nodiscard]] virtual bool alarming() const { return false; } ///< an alarm of its stands
    /// What deviates; `standing`: what did, in its words. Nothing: it is as before.
    [[nodiscard]] virtual std::optional<Deviations> deviations(const Seen& seen, const Deviations& standing)
    {
        (void)seen, (void)standing;
        return std::nullopt;
    }
    /// Whether what it reports explains a point; `alarm`: also one that stays a deviation of its own.
    [[nodiscard]] virtual bool explains(bindings::PointNo p, bool alarm) const { return (void)p, (void)alarm, false; }
    [[nodiscard]] virtual bool shutsDown(bindings::PointNo p) const { return (void)p, false; }      ///< what it measures may be off because of it
    [[nodiscard]] virtual bool reportsInstead(bindings::PointNo p) const { return (void)p, false; } ///< of what a point detector finds
};

} // namespace hw::monitoring
