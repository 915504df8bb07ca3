// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/faults/followed_hall.h"

#include <string>
#include <vector>

/// Faults of a design, one of each kind that it has: equipment, breakers, valves, batteries, generators, headers, sensors, clocks.
namespace hw::bench {

struct Trial {
    enum class Expect : std::uint8_t {
        Cause,     ///< elements are named as failed
        Condition, ///< an alarm of kind condition on an element, see monitoring::detectors
        Sensor,    ///< a sensor of each element is reported as bad
        Told,      ///< something is reported of one of the elements
        Quiet      ///< no cause, and one line at most: clocks, values that are no numbers
    };
    std::string kind;                   ///< "breaker of a transformer"
    std::vector<std::string> actions{}; ///< as a person types them, at_s=… from now
    Expect expect = Expect::Cause;
    std::vector<std::string> names{}; ///< that have to be said
    std::string condition{};          ///< id of a detector
    int mostS = 90;
    int failS = 0; ///< of the actions, when that happens which has to be said
};

/// Of a hall that was watched for a while: only sensors that speak go wrong, and only hosts whose work differs are exchanged.
[[nodiscard]] std::vector<Trial> trialsOf(const impact::Model& model, std::uint64_t seed, FollowedHall& hall);

} // namespace hw::bench
