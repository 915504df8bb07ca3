// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/figures.h"

namespace hw {

/// Kinds of plant that are compared with their load.
enum class PlantPart : std::uint8_t { GridTransformers, Transformers, Generators, Ups, HeatRejection, Cdus, AirUnits };
HW_WORDS(PlantPart, "grid-transformers", "transformers", "generators", "ups", "heat-rejection", "cdus", "air-units")
[[nodiscard]] Text plantPartText(PlantPart part); ///< for people

/// What stands there of one kind, and what its load needs.
struct PlantSize {
    PlantPart part = PlantPart::Transformers;
    std::int64_t count = 0;
    double installedW = 0; ///< real power, or heat at the design's temperatures; what states none is not counted
    double neededW = 0;    ///< with everything in order; of generators with no utility
    double worstW = 0;     ///< sum over the units of the most that each carries while any one unit or feed is lost: what the redundancy asks for
    [[nodiscard]] double ratio() const { return neededW > 0 ? installedW / neededW : 0; }
    [[nodiscard]] double worstRatio() const { return worstW > 0 ? installedW / worstW : 0; }
    friend bool operator==(const PlantSize&, const PlantSize&) = default;
};
/// In the order of the enum, kinds that the design has and that carry something.
[[nodiscard]] std::vector<PlantSize> plantSizes(const Figures& figures, PowerBasis basis);

inline constexpr double kUsableFuel = 0.92; ///< share of a tank. Assumed

/// Diesel for the sets of a design while no utility is there, all of them running.
struct FuelNeed {
    std::int64_t sets = 0;
    double loadW = 0, ratedW = 0;
    double litersPerHour = 0;
    double hours = 0;            ///< setting "site.fuel_hours"
    double liters = 0;           ///< of tanks, of which 92 % can be used
    double tankLiters = 0;       ///< of the tanks of these sets
    double tankHours = 0;        ///< until the first of these tanks is empty; 0: a set has none
    std::int64_t deliveries = 0; ///< of 30,000 L, for the tanks
};
/// Liters an hour: S (0.024 + 0.243 k), S the rating in kW and k its load (fit to data sheets of 2,750 kW, within 2.5 %).
[[nodiscard]] double fuelLitersPerHour(double ratedKw, double loadKw);
/// Tank in the enclosure of a set: setting "site.set_tank_hours" at full load, with 92 % usable; 0: none. Of other equipment 0.
[[nodiscard]] double tankLiters(const Snapshot& design, const DeviceSpec& set);
/// Hours of a set at this load on that tank.
[[nodiscard]] double tankHours(const Snapshot& design, const DeviceSpec& set, double loadW);
[[nodiscard]] Text volumeText(double liters); ///< in cubic meters, with one decimal below ten
[[nodiscard]] FuelNeed fuelNeed(const Figures& figures, PowerBasis basis);

/// What no figure and no rule of power and cooling covers.
[[nodiscard]] Text plantScopeText();

/// How power flows with every utility lost.
[[nodiscard]] power::Flow flowWithoutUtilities(const Figures& figures, const PowerChain& chain);
/// Devices of one element of the power chain, in their order.
[[nodiscard]] std::vector<power::Index> elementsOf(const Figures& figures, PowerElement element);

} // namespace hw
