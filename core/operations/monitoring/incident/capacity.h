// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/incident/findings.h"

#include <nlohmann/json_fwd.hpp>

namespace hw::monitoring {

/// What is provisioned and never used, as life showed it, and what that leaves room for.
struct MeasuredCapacity {
    /// An element of the power chain, or a loop of the cooling.
    struct Line {
        EntityRef entity; ///< of a loop: none
        std::string name;
        double provisionedW = 0; ///< rating
        double plannedW = 0;     ///< with nothing lost, on the project's basis
        double meanW = 0, p99W = 0, peakW = 0;
        double strandedW = 0; ///< of the rating, beyond the 99th percentile with its margin and what other elements' loss brings on top
        friend bool operator==(const Line&, const Line&) = default;
    };
    /// Racks of a kind that power and cooling of a place still carry; places to stand are another matter.
    struct Room {
        EntityRef place; ///< a row
        std::string name;
        std::string rackType;      ///< slug
        double rackW = 0;          ///< of one, as planned
        std::int64_t planned = 0;  ///< by the plan
        std::int64_t measured = 0; ///< by what life showed
        std::string limit;         ///< the element or loop that runs out first; empty: none states a rating
        friend bool operator==(const Room&, const Room&) = default;
    };
    std::vector<Line> feeds, loops; ///< measured ones with a rating, most stranded first
    std::vector<Room> rooms;        ///< by row
    std::size_t racks = 0;          ///< that are measured
    double plannedW = 0;            ///< of these, on the project's basis
    double nameplateW = 0;
    double peaksW = 0;           ///< their peaks added up, as if all came at once
    double p99W = 0;             ///< their 99th percentiles added up
    double strandedPowerW = 0;   ///< planned for racks beyond their 99th percentiles
    double strandedCoolingW = 0; ///< of loops' capacities, at the stage with least to spare
    std::uint32_t samples = 0;   ///< of the rack with fewest
    [[nodiscard]] double plannedDiversity() const { return nameplateW > 0 ? plannedW / nameplateW : 1; } ///< planned over nameplate
    [[nodiscard]] double realDiversity() const { return nameplateW > 0 ? p99W / nameplateW : 1; }        ///< measured over nameplate
    friend bool operator==(const MeasuredCapacity&, const MeasuredCapacity&) = default;
};

/// `life` is that of a frame; `bound` too. The margin is the setting "watch.margin_percent".
[[nodiscard]] MeasuredCapacity lifeCapacity(const Figures& figures, const bindings::Bound& bound, std::span<const Life> life);
[[nodiscard]] Text capacityText(const MeasuredCapacity& capacity);
[[nodiscard]] nlohmann::ordered_json capacityJson(const MeasuredCapacity& capacity, const Figures& figures);

} // namespace hw::monitoring
