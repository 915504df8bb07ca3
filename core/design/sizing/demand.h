// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/sizing/sizing.h"

/// How many accelerators are wanted when, and when a design runs out of something.
namespace hw::sizing {

/// A time in quarters: quarter n of year y begins at 4 y + n − 1; months are thirds, days parts of their month.
using QuarterTime = double;
[[nodiscard]] std::optional<QuarterTime> quarterTime(const std::string& date); ///< "2026-07-15", "2026-07", "2026-Q3", "2026 Q3"
[[nodiscard]] std::string quarterName(std::int64_t quarter);                   ///< 8106 → "2026 Q3"

/// Demand of one tenant. Points hold until the next one, or are joined by straight lines; a law starts
/// at its date with its number and goes on as it says. Before its first date a tenant wants nothing.
struct TenantDemand {
    enum class Kind { Steps, Lines, Multiply, Percent, Add };
    struct Point {
        QuarterTime time = 0;
        double accelerators = 0;
    };
    std::string tenant;
    Kind kind = Kind::Steps;
    std::vector<Point> points; ///< ascending; a law has one
    double amount = 0;         ///< factor, percent, or accelerators, for each `quarters`
    double quarters = 1;
    std::optional<QuarterTime> until; ///< a law holds its value from here on
    [[nodiscard]] double at(QuarterTime time) const;
    [[nodiscard]] double before(QuarterTime time) const; ///< limit from below
};

struct DemandCurve {
    std::vector<TenantDemand> tenants;
    [[nodiscard]] bool empty() const { return tenants.empty(); }
    [[nodiscard]] std::int64_t firstQuarter() const;
    /// Last quarter with a point; for laws that nothing ends, forty quarters after the first.
    [[nodiscard]] std::int64_t lastQuarter() const;
    /// The most that is wanted at once within a quarter; of one tenant, or of all.
    [[nodiscard]] double peak(std::int64_t quarter, const TenantDemand* tenant = nullptr) const;
    [[nodiscard]] double peak() const; ///< over all quarters
};

/// What a curve file holds, for people who have none yet.
inline constexpr TextId kCurveFormat = TextId("CSV with lines date,accelerators[,tenant], for example 2027-Q1,8192,research; or JSON with data "
                                              "points and growth laws");

/// Something that a design has so much of, in active accelerators that it carries.
struct DesignLimit {
    std::string resource; ///< "servers", "ports", "power", "racks", "template"
    std::string building; ///< empty: the whole design
    std::int64_t accelerators = 0;
    Text detail;                      ///< "18.00 MW IT at 1,189 W each"
    [[nodiscard]] Text label() const; ///< the resource for people
};

/// Limits of a design: servers installed, NIC ports on access switches, power of its buildings on the
/// report's basis, rack units and rack power; first the whole design, then building by building.
[[nodiscard]] std::vector<DesignLimit> designLimits(const Figures& figures);
/// What the design's template grows to with all other parameters as they are; nothing without a template.
[[nodiscard]] std::optional<DesignLimit> templateLimit(const Snapshot& snapshot, const Catalog& catalog);

/// When a limit is passed. Buildings fill in their order: one runs out once those before it are full.
struct Exhaustion {
    DesignLimit limit;
    std::int64_t filledBefore = 0;       ///< carried by the buildings before it
    std::optional<std::int64_t> quarter; ///< nothing: it lasts as long as the curve goes
    double demand = 0;                   ///< peak of that quarter
};

struct DemandAnswer {
    struct Quarter {
        std::int64_t quarter = 0;
        double accelerators = 0;
        std::map<std::string, double> byTenant;
    };
    std::vector<Quarter> quarters;
    std::vector<Exhaustion> runOuts;
};

/// Quarters of the curve against the limits. A limit is passed when the peak of a quarter is above it.
[[nodiscard]] DemandAnswer meetDemand(const DemandCurve& curve, const std::vector<DesignLimit>& limits);

/// Schema hallwright.demand/1.
[[nodiscard]] nlohmann::ordered_json demandJson(const DemandAnswer& answer, const std::string& design);
[[nodiscard]] std::string demandText(const DemandAnswer& answer, const std::string& design);

/// A design that grows with a demand: the quarters in which it must become larger.
struct GrowthStage {
    std::int64_t quarter = 0;
    double demand = 0;                        ///< peak of the quarter
    std::optional<std::int64_t> accelerators; ///< reached; nothing: the template ends before
    Text variant;                             ///< parameters then, or why the template ends
};
/// Stages of a sized design under a curve, smallest design for each quarter's peak, never shrinking.
[[nodiscard]] Result<std::vector<GrowthStage>> growthStages(const SizedDesign& design, const Template& source, const Catalog& catalog,
                                                            const DemandCurve& curve);
[[nodiscard]] nlohmann::ordered_json stagesJson(const std::vector<GrowthStage>& stages);
[[nodiscard]] std::string stagesText(const std::vector<GrowthStage>& stages);

} // namespace hw::sizing
