// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/plausibility.h"

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

/// What sensors say together; used by Plausibility and by the detector of lost coolant.
namespace hw::bindings::balances {

/// The latest of a point; NaN where it has nothing, or something old.
using Value = std::function<double(PointNo)>;

/// Sensors that physics ties to each other: `left` equals `right`, both made of what they say.
struct Relation {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    enum class Kind : std::uint8_t {
        Heat,     ///< flow, supply, return; then the heat, or all power that becomes it: flow × rise × ρ cp
        Exchange, ///< flow, supply, return, and the same of the other side of a heat exchanger
        Split,    ///< flows into a loop (`first` of them), then those out of it
        Water,    ///< a supply temperature, held against all of its pool: they are in the same water
        Mix,      ///< supply temperatures of what feeds a loop, then the flows of these: their mean, against what the others in its pool say
        Meter,    ///< a meter, then all of those below it; `lossW` between them, as designed
        Current,  ///< power, voltage, current, and the power factor where it is measured
        Apparent, ///< power, apparent power, and the power factor where it is measured
        Phases    ///< the mean current, then those of the phases
    } kind = Kind::Heat;
    EntityRef entity{};
    std::vector<PointNo> points{};
    std::uint32_t first = 0;             ///< of Split, Mix
    std::uint32_t pool = 0;              ///< of Water, Mix
    double share = 1;                    ///< of the heat or power that this coolant takes
    double assumed = 1;                  ///< the same, as designed
    double lossW = 0;                    ///< of Meter
    bool slow = false;                   ///< power becomes heat with delay
    bool learns = false;                 ///< what is said by whom is not known exactly: only a change of their ratio counts
    bool storing = false;                ///< of Meter: a battery between gives and takes
    bool source = false;                 ///< of Water: it may have a temperature of its own
    std::uint32_t insteadOf = kNone;     ///< another relation, while a sensor of that is not read
    double restFlow = 0, restHeat = 0;   ///< L/min, W: below, it stands still, or carries too little to say much
    std::string coolant{}, farCoolant{}; ///< water, pg25
    std::int32_t loop = -1;              ///< places of one loop are neighbors
};
/// Sensors in the same water, with the flow past each, kNoPoint: not measured.
struct Pool {
    struct Member {
        PointNo point = kNoPoint, flow = kNoPoint;
        double restFlow = 0;
        bool source = false; ///< may have a temperature of its own
    };
    std::vector<Member> members;
};

struct All {
    std::vector<Relation> relations;
    std::vector<Pool> pools;
    std::unordered_map<PointNo, std::vector<std::uint32_t>> of;     ///< by point: its relations
    std::unordered_map<PointNo, std::vector<std::uint32_t>> poolOf; ///< by point, flows too: pools
    std::vector<std::vector<std::uint32_t>> relationsOfPool;
    std::map<std::tuple<Relation::Kind, std::int32_t, EntityKind>, std::vector<std::uint32_t>> alike; ///< of heat, by kind, loop and kind of place
    [[nodiscard]] const std::vector<std::uint32_t>& relationsOf(PointNo point) const
    {
        static const std::vector<std::uint32_t> none;
        const auto found = of.find(point);
        return found == of.end() ? none : found->second;
    }
};
[[nodiscard]] All allOf(const Figures& design, const Bound& bound);

struct Terms {
    double left = 0, right = 0;
};
/// Both sides; NaN where one of its sensors says nothing. `pool`: the median of a Water relation's pool.
[[nodiscard]] Terms termsOf(const Relation& relation, const Value& value, double pool);
/// How fast left - right changes with one of its sensors.
[[nodiscard]] double slopeOf(const Relation& relation, std::size_t sensor, const Value& value);
/// What left - right may be.
[[nodiscard]] double allowedOf(const Relation& relation, const Terms& terms, const PlausibilityLimits& limits);
/// Whether so little flows that only a gross contradiction counts, such as a wrong unit.
[[nodiscard]] bool isCoarse(const Relation& relation, const Terms& terms);
/// Whether nothing flows, so that it says nothing.
[[nodiscard]] bool restsOf(const Relation& relation, const Terms& terms, const Value& value);
/// Of those in the water, NaN: too few; how far its sources differ; of those that are no sources.
struct Median {
    double value = 0, spread = 0;
    double takers = std::numeric_limits<double>::quiet_NaN();
};
[[nodiscard]] Median medianOf(const Pool& pool, const Value& value);

/// W that a flow takes: L/min, °C.
[[nodiscard]] double heatOf(const std::string& coolant, double lpm, double supplyC, double returnC);

} // namespace hw::bindings::balances
