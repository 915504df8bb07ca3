// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/live/plausibility.h"

#include <functional>
#include <optional>
#include <unordered_map>

/// What sensors say together; used by Plausibility only.
namespace hw::live::balances {

/// The latest of a point; NaN where it has nothing, or something old.
using Value = std::function<double(PointNo)>;

/// Flow and temperatures of one place against heat: as it is measured there, or as its power becomes it.
struct Heat {
    EntityRef entity;
    PointNo flow = kNoPoint, supply = kNoPoint, back = kNoPoint, heat = kNoPoint;
    double share = 1;       ///< of `heat`, that this coolant takes
    bool ofPower = false;   ///< `heat` is power: it follows with delay
    std::string coolant;    ///< water, pg25
    std::int32_t loop = -1; ///< places of one loop are neighbours
};
/// A meter against those below it. `lossW`: between them, as designed.
struct Meter {
    PointNo parent = kNoPoint;
    std::vector<PointNo> children;
    double lossW = 0;
};

struct All {
    std::vector<Heat> heats;
    std::vector<Meter> meters;
    std::unordered_map<PointNo, std::vector<std::uint32_t>> of; ///< by point: heats by number, then meters behind them
};
[[nodiscard]] All allOf(const Figures& design, const Bound& bound);

/// A contradiction, and which sensor it comes from; nothing while all agree or something is missing.
struct Contradiction {
    PointNo bad = kNoPoint;
    std::vector<PointNo> against;
    double measured = 0, expected = 0;
};
[[nodiscard]] std::optional<Contradiction> judge(const Heat& heat, const std::vector<Heat>& all, const Value& value,
                                                 const PlausibilityLimits& limits);
[[nodiscard]] std::optional<Contradiction> judge(const Meter& meter, const All& all, const Value& value, const PlausibilityLimits& limits);
/// W that a flow takes: L/min, °C.
[[nodiscard]] double heatOf(const std::string& coolant, double lpm, double supplyC, double returnC);

} // namespace hw::live::balances
