// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/plan/plan.h"

#include <map>

namespace hw::monitoring {

struct Readings;

/// How uneven the phases of a feed are, and how uneven they have to be by what depends on each of them: a server without work beside one that is
/// busy makes them so, a cord in the wrong outlet does, too, and only this is a fault. Looks at means, as servers swing within seconds and are
/// read more seldom than that.
class PhaseLoads {
public:
    /// Takes in what a server draws now.
    void host(bindings::PointNo point, const Readings& readings);
    struct Uneven {
        int fullest = 0;             ///< phase, from 0
        float carries = 0, mean = 0; ///< of late, in the unit of the points
        float without = 0;           ///< what it would carry if feeds below it that are reported were even
        float explained = 1;         ///< the fullest over the mean of the three, that what depends on them explains
        bool known = false;          ///< seen for long enough
    };
    [[nodiscard]] Uneven look(std::uint32_t group, std::int64_t atMs, const Readings& readings, const Plans& plans);
    /// That a group is reported, or not any more: those above it are not held against what it makes uneven.
    void reported(std::uint32_t group, bool is) { m_groups[group].reported = is; }
    [[nodiscard]] bool isReported(std::uint32_t group) const
    {
        const auto at = m_groups.find(group);
        return at != m_groups.end() && at->second.reported;
    }
    void clear() { m_hosts.clear(), m_groups.clear(); }

private:
    struct Host {
        double mean = 0, variance = 0, intervalMs = 0;
        std::int64_t timeMs = 0;
        int readings = 0;
    };
    struct Group {
        std::array<double, 3> mean{};
        std::int64_t ms = 0, sinceMs = 0;
        bool reported = false;
    };
    [[nodiscard]] std::array<double, 3> reportedBelow(std::uint32_t group, const Plans& plans, int deeper) const;
    [[nodiscard]] std::pair<double, double> rangeOf(const PhaseUse& use, const Readings& readings) const;
    [[nodiscard]] float explained(const PhaseGroup& group, int phase, const Readings& readings) const;

    std::map<bindings::PointNo, Host> m_hosts;
    std::map<std::uint32_t, Group> m_groups;
};

} // namespace hw::monitoring
