// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/job_timeline.h"

#include <map>
#include <set>

namespace hw::monitoring {

/// A symptom of a network with the place where it comes from.
struct LinkFault {
    DeviationKind kind = DeviationKind::PacketLoss;
    EntityRef at;                                 ///< a link, a port, a switch or a host
    bindings::PointNo point = bindings::kNoPoint; ///< that says it most clearly
    float measured = 0, expected = 0, beyond = 0;
    std::int64_t sinceMs = 0;
    std::uint32_t bad = 1, measuredLinks = 1; ///< links of the device at fault, and those of its links that are measured
    LinkId link{};                            ///< the worst of them
    bool back = false;                        ///< all of it reads as it should again, and only has to last
};

[[nodiscard]] Text linkFaultText(const LinkFault& fault, bindings::Measure measure, const std::string& link);

/// Finds for the four symptoms — low performance, packet loss, configuration error, connection failure — where along the path they arise: a
/// device where most of its measured links show the same, else the link, or the port whose end alone shows it.
class LinkFaults {
public:
    LinkFaults(const Figures& figures, const bindings::Bound& bound, const Plans& plans, const JobTimeline& job);
    /// Of the conditions that stand, ascending by kind and place. What may turn out to be the fault of a device once its other links were read,
    /// too, is left out for half a minute: `waiting`.
    [[nodiscard]] std::vector<LinkFault> locate(const Judge::Conditions& conditions, const Readings& readings, const Limits& limits,
                                                std::int64_t atMs);
    [[nodiscard]] bool waiting() const { return m_waiting; } ///< something was left out by the last `locate`
    [[nodiscard]] static bool isOfLink(Criterion criterion) { return criterion >= Criterion::Traffic && criterion <= Criterion::LinkLanes; }

private:
    struct Bad {
        bindings::PointNo point;
        const Judge::Condition* condition;
        LinkId link;
    };
    using BadLinks = std::map<DeviceId, std::set<LinkId>>;
    struct Seen {
        const Judge::Conditions& conditions;
        const Readings& readings;
        const Limits& limits;
        std::int64_t atMs;
    };
    void locateKind(DeviationKind kind, std::vector<Bad> bad, const Seen& seen, std::vector<LinkFault>& out);
    [[nodiscard]] bool mayBeIt(DeviceId device, const std::set<LinkId>& its, std::span<const Bad> bad, const Seen& seen) const;
    [[nodiscard]] bool isOutdated(bindings::PointNo point, const Readings& readings) const;
    void noteNarrow(const Seen& seen);
    [[nodiscard]] bool isOfJob(bindings::PointNo point, const Judge::Condition& condition, const Seen& seen, const Limits& limits);
    [[nodiscard]] bool isSymptom(bindings::PointNo point, const Judge::Condition& condition, const Seen& seen);
    [[nodiscard]] bool otherEndMayFollow(bindings::PointNo point, const Judge::Condition& condition, const Seen& seen) const;
    [[nodiscard]] LinkFault ofLink(DeviationKind kind, std::span<const Bad> ends) const;
    [[nodiscard]] std::array<DeviceId, 2> endsOf(LinkId link) const;
    [[nodiscard]] static LinkFault worstOf(DeviationKind kind, std::span<const Bad> bad);

    const Snapshot& s;
    const bindings::Bound& b;
    const Plans& m_plans;
    const JobTimeline& m_job;
    std::vector<std::uint32_t> m_measured;                  ///< by device: links with something measured
    std::vector<std::vector<bindings::PointNo>> m_pointsOf; ///< by device: what is measured of its links
    struct Narrow {
        float lanes = 1;          ///< in use, of those that it once used; 1: all, 0: it is down
        bool slow = false;        ///< it has another rate than designed
        std::int64_t lastMs = -1; ///< when it was so last; -1: it is
    };
    std::map<LinkId, Narrow> m_narrow; ///< links that carry less than they could, now or of late
    bool m_waiting = false;
};

[[nodiscard]] std::unique_ptr<SystemDetector> makeLinkFaults(const DetectorScene& scene);

} // namespace hw::monitoring
