// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/part.h"
#include "core/physics/plant/chiller_curves.h"
#include "core/physics/plant/power_tree.h"
#include "core/physics/plant/supplies.h"
#include "core/physics/weather/weather_year.h"

/// A plant as an hour needs it: loops from the cabinets to the outdoor air, what moves and cools their heat, and the power network behind all of it.
/// Plain values, of a design or by hand.
namespace hw::plant {

enum class LoopRole : std::uint8_t { Cabinets, Air, Facility, Condenser };

/// Units of one kind that share the work: pumps, fans, CDUs, chillers.
struct Units {
    std::string name{};
    CoolingElement element = CoolingElement::Pump;
    double count = 1;                     ///< that run together
    double installed = 1;                 ///< that draw evenly over the hours: those to spare take turns
    double drawW = 0;                     ///< of one at full flow, fan speed or load
    double ratedFlow = 0;                 ///< of one, in the unit of its loop; 0: the loop's design flow over the count
    double ratedW = 0;                    ///< of one: heat
    double approachK = 0;                 ///< of exchangers at their rating; of towers a factor on the approach of YorkCalc
    std::int32_t takes = -1;              ///< loop that the heat goes to; -1: outdoors, or nowhere
    double part = 1;                      ///< of the loop's heat, among units that hand it on
    std::vector<RejectionPoint> points{}; ///< of chillers and dry coolers
    std::int32_t group = -1;              ///< of draws in the power tree
};

struct Loop {
    std::string name{};
    LoopRole role = LoopRole::Facility;
    double setC = 0, deltaK = 10; ///< supply, and rise at any load
    double wattsPerFlowK = 0;     ///< what one unit of flow takes a kelvin
    double kgPerFlow = 0;         ///< kg/s of one unit of flow
    double designFlow = 0, designW = 0;
    double warmestC = 0;                                   ///< that what it cools allows; 0 = not stated
    std::vector<std::pair<std::int32_t, double>> itHeat{}; ///< by group of draws: W of heat for each W that the group draws
    std::int32_t place = -1;                               ///< of losses that end in this loop
    std::vector<Units> movers{};                           ///< pumps, CDUs, fans: their power ends in what they hand heat to, of pumps in this loop
    std::vector<Units> sinks{};                            ///< of facility loops: what takes the heat out
};

/// Servers and switches whose power supplies are equally loaded.
struct ItGroup {
    double designW = 0;      ///< drawn at the design load
    bool supplies = false;   ///< it has supplies of its own; otherwise its draw follows the load
    double ratedOutputW = 0; ///< of its supplies
    double output = 0;       ///< over that, at the design load
};

struct Reuse {
    double heatW = 0, supplyC = 60; ///< that a consumer takes, and at what temperature
    int firstMonth = 1, lastMonth = 12;
    std::int32_t loop = -1;
    [[nodiscard]] bool active(int month) const
    {
        return heatW > 0 && loop >= 0 &&
               (firstMonth <= lastMonth ? month >= firstMonth && month <= lastMonth : month >= firstMonth || month <= lastMonth);
    }
};

/// What settings say of a year.
struct PlantRules {
    SupplyClass supplies = SupplyClass::Titanium;
    bool freeCooling = true;     ///< air-cooled chillers have coils for it
    double freeApproachK = 5;    ///< outdoor air to supply at full heat
    double freeFanShare = 0.025; ///< fan power of those coils over the rated heat (assumed; dry coolers 4 %)
    bool economizer = false;     ///< water-cooled chillers have a heat exchanger beside them
    bool pads = false;           ///< dry coolers have adiabatic pads
    double padEffect = 0.85;     ///< of the wet-bulb depression
    double fixedHead = 0.3, leastFlow = 0.3;
    double leastCondenserC = 16;
    double cycles = 5, driftShare = 2e-5;
    double otherShare = 0.005;       ///< of IT power: lighting, controls, heaters of generators
    double ventilationShare = 0.035; ///< of losses in rooms without air units
    double leastDewPointC = -9, mostDewPointC = 15;
    double airVolumeM3 = 0, airChanges = 0.3;   ///< of halls; outdoor air an hour
    ChillerCurves airChiller{}, waterChiller{}; ///< of chillers that state no points, and of all at part load
};

struct PlantModel {
    std::vector<ItGroup> it{};                               ///< groups of draws 0 to n − 1
    std::vector<Loop> loops{};                               ///< what hands heat on before what takes it
    std::vector<std::pair<std::int32_t, double>> constant{}; ///< groups of cooling equipment outside the loops, and their W
    PowerTree power{};
    std::vector<std::string> places{}; ///< of losses: those of loops, then "outdoors", then "ventilated"
    std::int32_t outdoors = 0, ventilated = 0;
    Reuse reuse{};
    PlantRules rules{};
};

/// An hour. W are means over it.
struct PlantHour {
    double itW = 0, siteW = 0;
    double pumpsW = 0, fansW = 0, chillersW = 0, rejectionW = 0, humidityW = 0, ventilationW = 0; ///< cooling
    double lossesW = 0, feedersW = 0, supplyLossW = 0;                                            ///< the last within IT
    double otherW = 0;
    double rejectedW = 0, reusedW = 0, unmetW = 0; ///< heat to outdoors, to a consumer, beyond what the plant removes
    double heatPumpW = 0;                          ///< of the consumer, to lift the heat
    double freeShare = 0;                          ///< of the heat that passes facility water, without compressors
    bool compressors = false;
    double warmestOverK = 0; ///< supply over its set point, of the loop that is worst
    bool condenses = false;  ///< some facility water is colder than the dew point of the rooms
    WaterUse water{};        ///< kg/s
    double humidifierKgS = 0;
    [[nodiscard]] double coolingW() const { return pumpsW + fansW + chillersW + rejectionW + humidityW + ventilationW; }
    [[nodiscard]] double pue() const { return itW > 0 ? siteW / itW : 0; }
    /// Power in over heat out, apart from each other: 0 but for rounding.
    [[nodiscard]] double imbalance() const { return siteW > 0 ? (siteW - rejectedW - reusedW - unmetW) / siteW : 0; }
};

/// Solves hours one after the other; starts each from the one before. Not shared between threads.
class PlantSolver {
public:
    explicit PlantSolver(const PlantModel& model);
    /// `load`: of IT behind its power supplies over the design, 0 to 1.
    [[nodiscard]] PlantHour solve(const weather::Air& air, double load, int month);

private:
    struct LoopState {
        double heatW = 0, flow = 0, supplyC = 0, returnC = 0;
    };
    /// What an hour's weather and month ask of every loop.
    struct Now {
        weather::Air air;
        int month = 1;
    };
    struct Sunk {
        double takenW = 0, supplyC = 0; ///< heat, and the supply that is left of it
    };
    void drawIt(double load);
    void humidity(const weather::Air& air, PlantHour& out) const;
    void moveHeat(std::size_t l, PlantHour& out);
    void sinkHeat(std::size_t l, const Now& now, PlantHour& out);
    void reuseHeat(std::size_t l, const Now& now, double& rest, PlantHour& out);
    [[nodiscard]] Sunk freeSinks(std::size_t l, const Now& now, double rest, bool chillersBehind, PlantHour& out);
    [[nodiscard]] Sunk dryCooler(const Units& units, const LoopState& loop, const Loop& of, const Now& now, double heat, bool chillersBehind,
                                 PlantHour& out);
    [[nodiscard]] Sunk tower(const Units& units, const LoopState& loop, const Loop& of, const Now& now, double heat, bool chillersBehind,
                             PlantHour& out);
    [[nodiscard]] Sunk exchanger(const Units& units, const LoopState& loop, const Loop& of, double heat, bool chillersBehind);
    void chillers(std::size_t l, const Now& now, double rest, PlantHour& out);
    void freeCoils(const Units& units, const LoopState& loop, const Loop& of, const Now& now, double& heat, PlantHour& out);
    void draw(const Units& units, double watts, double& sum);

    const PlantModel& m_model;
    std::vector<double> m_groupW{};
    PowerTree::State m_power;
    std::vector<double> m_placeLossW{};
    std::vector<LoopState> m_loops{};
    std::vector<double> m_handedW{};
    std::vector<double> m_uncooled{}; ///< by group of IT: share of its heat that no loop has
    double m_load = -1, m_facilityW = 0, m_freeW = 0;
};

} // namespace hw::plant
