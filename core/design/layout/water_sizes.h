// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plan.h"

namespace hw::layout {

/// What the loops of a design are sized at: its settings.
struct WaterConditions {
    double coolantSupplyC = 0, liquidLpmPerKw = 0;                        ///< of cabinets' loops
    double facilitySupplyC = 0, facilityDeltaK = 0, facilityLpmPerKw = 0; ///< of facility water
    double ambientC = 0, wetBulbC = 0;
    bool warm = false; ///< of a loop for CDUs alone
    /// Of a cool loop whose return water feeds the warm loop: heat of the latter, and its return.
    double onReturnW = 0, onReturnC = 0;
    std::int64_t leastLoops = 1;
    double rideK = 0, startS = 0; ///< that facility water may warm up by, and until generators carry the chillers
};
/// `facility_supply_c` of the options goes before the setting. Errors as `coolant::shippedProperties`, thrown.
[[nodiscard]] WaterConditions waterConditions(const Snapshot& design, const Options& options);

/// Whether CDUs get a warm loop of their own: as the options name its heat rejection, or where it is warm enough to do without chillers.
[[nodiscard]] bool wantsWarmLoop(const WaterConditions& at, const DeviceSpec& cdu, const Options& options);
/// The same conditions for the warm loop of CDUs: its water as warm as their approach to the coolant leaves it.
[[nodiscard]] WaterConditions warmConditions(const WaterConditions& at, const DeviceSpec& cdu, const Options& options);
/// Whether the warm loop takes the return water of the cool one instead of having heat rejection of its own.
[[nodiscard]] bool inSeries(const Options& options);
/// Conditions of both loops in series, with as many loops of either sort. `coolW`, `warmW`: heat of each alone.
struct SeriesConditions {
    WaterConditions cool{}, warm{};
};
[[nodiscard]] SeriesConditions seriesConditions(const WaterConditions& at, const DeviceSpec& cdu, double coolW, std::size_t coolConsumers,
                                                double warmW, std::size_t warmConsumers, const Options& options, const Parts& parts);
/// Options with its heat rejection.
[[nodiscard]] Options warmOptions(const Options& options);

/// Water that a pipe of this inner diameter carries at 1.83 m/s, in L/min.
[[nodiscard]] double lpmOf(double innerMm);
/// The smallest pipe pair that carries so much; the largest where none does.
[[nodiscard]] std::string pipeFor(double lpm, const Parts& parts);
/// Pumps of facility loops, or the one that is wanted; none for "none".
[[nodiscard]] std::vector<std::string> facilityPumps(const Options& options, const Parts& parts);
/// Heat rejectors of a series of the catalog, smallest first, or the part itself.
[[nodiscard]] std::vector<std::string> rejectorSeries(const std::string& name);
/// The smallest CDU, up to the part that is named, of which few carry so much.
[[nodiscard]] std::string cduFor(double watts, double lpm, const Options& options, const Parts& parts);
/// Row headers and facility headers, or the one that is wanted.
[[nodiscard]] std::vector<std::string> rowHeaders(const Options& options);
[[nodiscard]] std::vector<std::string> facilityHeaders(const Options& options);
/// The smallest header of them that carries so much and has so many branches; the last where none does.
[[nodiscard]] std::string headerFor(double lpm, const std::vector<std::string>& headers, const Parts& parts, std::size_t branches = 0);

/// L/min that a device asks of its loop for so much heat.
[[nodiscard]] double liquidLpm(const DeviceSpec& device, double watts, const WaterConditions& at);

/// The facility water of one hall: so many loops, each with its headers, pumps and heat rejectors.
struct FacilityNeed {
    /// Behind each loop whose rejectors take water themselves; without rejectors there is none.
    struct Condenser {
        double watts = 0, lpm = 0;
        std::int64_t pumps = 0, rejectors = 0; ///< one more than needed
        std::string header, rejector, pump = "none";
        [[nodiscard]] bool wanted() const { return rejectors > 0; }
    };
    double watts = 0, lpm = 0;                        ///< of one loop
    std::int64_t loops = 0, pumps = 0, rejectors = 0; ///< pumps and rejectors of each loop, one more than needed
    std::string header, chiller, pump = "none", tank = "none";
    std::int64_t tanks = 0;    ///< of each loop
    std::string trim = "none"; ///< chillers beside the rejectors, where these alone do not carry all; one more than needed
    std::int64_t trims = 0;
    std::string series{}; ///< of a warm loop on the return of a cool one: what takes that water; one for each side
    Condenser condenser;
};
/// `watts`: all heat but that of the facility pumps, which all run; `consumers`: pipes that its headers feed. Refused (thrown) where the rejector
/// takes no heat at these temperatures.
[[nodiscard]] FacilityNeed facilityNeed(double watts, std::size_t consumers, const WaterConditions& at, const Options& options, const Parts& parts);

/// Heat of a hall that ends in the water: of its air with losses, of liquids with pipes, and what fans and pumps draw.
[[nodiscard]] constexpr double waterHeatW(double airW, double liquidW, double drawW) { return 1.05 * airW + 1.01 * liquidW + drawW; }
/// The same of a loop for air units beside one for CDUs: losses of the power equipment for both sorts of heat end in air.
[[nodiscard]] constexpr double airLoopHeatW(double airW, double liquidW, double drawW) { return waterHeatW(airW, 0, drawW) + 0.05 * liquidW; }

} // namespace hw::layout
