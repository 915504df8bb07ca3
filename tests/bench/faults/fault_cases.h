// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/failing.h"

#include <string>
#include <vector>

/// Faults of a design, one of each kind that it has: equipment, breakers, valves, batteries, generators, headers, sensors, clocks.
namespace hw::bench {

struct Trial {
    enum class Expect : std::uint8_t {
        Cause,     ///< elements are named as failed
        Condition, ///< an alarm of kind condition on an element, see monitoring::detectors
        Sensor,    ///< a sensor of an element is reported as bad
        Quiet      ///< nothing is reported: clocks
    };
    std::string kind;                   ///< "breaker of a transformer"
    std::vector<std::string> actions{}; ///< as a person types them
    Expect expect = Expect::Cause;
    std::vector<std::string> names{}; ///< that have to be said
    std::string condition{};          ///< id of a detector
    int mostS = 90;
    bool clock = false; ///< clocks of a tenth of all sources are an hour ahead for a minute
};

[[nodiscard]] std::vector<Trial> trialsOf(const impact::Model& model, std::uint64_t seed);

} // namespace hw::bench
