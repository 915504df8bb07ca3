// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/rules/finding.h"
#include "simulation/air/plan.h"

#include <nlohmann/json.hpp>

namespace hw::sim::air {

struct HallOptions {
    std::size_t cells = 120'000;  ///< about so many
    double leakagePercent = 1;    ///< free share of containment walls and of gaps between racks under it (assumed; specifications: at most 3 %)
    double plenumM = 1.5;         ///< height of the return plenum above a room with contained hot aisles (assumed)
    std::vector<DeviceId> failed; ///< air units that stand still
    double rackFanPa = 0;         ///< pressure of the rear over the front against which fans of racks move nothing; 0: racks move their flow at any
};

/// A hall as the solver reads it, in m from its corner, and what its exchanges stand for: racks by thirds of their height, then air units.
struct HallPlan {
    HallId hall{};
    std::string name;
    std::array<double, 3> corner{}; ///< of the room on the site, m
    RoomPlan plan;
    std::vector<RackId> racks;   ///< by owner of an exchange
    std::vector<DeviceId> units; ///< by owner − racks.size()
    double rackRiseK = 0;        ///< through racks
    double supplyC = 0;
    double limitC = 0; ///< allowable rack inlet temperature
    double wattsPerM3sK = 0;
    double heatW = 0, supplyM3s = 0, demandM3s = 0;
    double shortM3s = 0; ///< that the remaining fans move too little, of what the design needs
    double mouthMs = 0;  ///< fastest mean speed at the mouth of a cold aisle
    bool plenum = false;
    double ceilingM = 0; ///< clear height: a plenum begins there
    std::vector<Text> assumptions;
};

/// The rooms with air units, in the order of ids.
[[nodiscard]] std::vector<HallId> airHalls(const Figures& figures);
/// The air units of a hall; by name, with the error Usage.
[[nodiscard]] std::vector<DeviceId> airUnits(const Figures& figures, HallId hall);
[[nodiscard]] Result<DeviceId> airUnit(const Figures& figures, HallId hall, const std::string& name);
/// By name; empty: the first of airHalls(). Error: Refused.
[[nodiscard]] Result<HallId> airHall(const Figures& figures, const std::string& name);
/// Racks, containment, walls, columns, fan walls and CRAHs with the flows and heat of the cooling chain. Error: Refused for a room without air units
/// or racks, or where all units failed.
[[nodiscard]] Result<HallPlan> hallPlan(const Figures& figures, HallId hall, const HallOptions& options);

/// The hall on the grid that solveHall() ends with.
[[nodiscard]] Result<Room> hallRoom(const HallPlan& plan, std::size_t cells);

struct RackAir {
    RackId rack{};
    double heatW = 0, m3s = 0;
    double inletMeanC = 0, inletMaxC = 0, inletTopC = 0; ///< mean and largest over the front, mean of the top third
    double swingK = 0;                                   ///< of the mean in the last window
    double ratedM3s = 0;                                 ///< that it moves without a difference of pressure
    double captureIndex = 0;                             ///< share of its air that comes from air units without having passed a rack
    double frontPa = 0;                                  ///< static pressure at its front less that at its rear: what supports its fans
};
struct UnitAir {
    DeviceId device{};
    double m3s = 0, returnC = 0, supplyC = 0, heatW = 0;
    bool failed = false;
};
struct HallAir {
    HallPlan hall;
    Certificate certificate;
    std::size_t cells = 0;
    double seconds = 0;
    std::vector<RackAir> racks;
    std::vector<UnitAir> units;
    double rciHigh = 0, rciLow = 0, rti = 0, shi = 0, rhi = 0; ///< %, %, %, share, share
    double returnC = 0;
    double plenumPa = 0; ///< mean static pressure of the return plenum less that of the room below; 0 without a plenum
    std::size_t aboveRecommended = 0, aboveAllowable = 0; ///< racks by their largest inlet temperature
    std::shared_ptr<const SolvedRoom> room;
};

/// Of a rack in a result; null without one.
[[nodiscard]] const RackAir* rackOf(const HallAir* air, RackId rack);

/// Where the solution of a hall starts, and who sees it grow.
struct HallCourse {
    std::shared_ptr<const SolvedRoom> start; ///< an answer for a slightly different hall; null: none. Not used for a hall of another size
    std::function<void(HallAir)> picture;    ///< called with the answer of each coarser grid, on the thread of the solution
};

/// Coarse grids first, then the one asked for. Errors: those of makeRoom(); Canceled.
[[nodiscard]] Result<HallAir> solveHall(const Figures& figures, HallId hall, const HallOptions& options, const Progress& progress = {},
                                        const HallCourse& course = {});

/// A hall with the air units that fail, beside the same hall with all of them.
struct HallStudy {
    std::shared_ptr<const HallAir> whole; ///< null without failures
    std::shared_ptr<const HallAir> air;
};
/// The failure starts from the answer for the whole hall; `course` serves the first of both. `known`: the whole hall, where it is there already.
[[nodiscard]] Result<HallStudy> studyHall(const Figures& figures, HallId hall, const HallOptions& options, const Progress& progress = {},
                                          const HallCourse& course = {}, std::shared_ptr<const HallAir> known = nullptr);
/// Temperatures of the air that racks draw, from a field over the cells of the grid; means weigh by face.
[[nodiscard]] std::vector<RackAir> rackInlets(const HallPlan& plan, const SolvedRoom& solved, const std::vector<double>& celsius);
/// Findings of the rules C18 to C21, with the waivers of the project; the first without a rule where the result did not settle. Entities: racks or
/// air units, the worst first, then the hall.
[[nodiscard]] std::vector<Finding> hallFindings(const Figures& figures, const HallAir& air);

inline constexpr double kRecommendedInletC = 27; ///< ASHRAE TC 9.9

/// A number about a hall, with what it means and where it comes from.
struct AirMetric {
    Text title, value, source;
};
[[nodiscard]] std::vector<AirMetric> airMetrics(const HallAir& air);

[[nodiscard]] nlohmann::ordered_json hallJson(const Figures& figures, const HallAir& air, const HallAir* before = nullptr);
[[nodiscard]] std::string hallText(const Figures& figures, const HallAir& air, const HallAir* before = nullptr);
/// One row a rack; `other`: inlets of the same racks from another engine, whose name begins the columns.
[[nodiscard]] std::string hallCsv(const Figures& figures, const HallAir& air, const std::vector<RackAir>* other = nullptr,
                                  const std::string& engine = {});
/// Legacy VTK: a rectilinear grid with temperature, velocity and which cells are solid; `other`: temperatures from another engine, by cell.
[[nodiscard]] std::string hallVtk(const HallAir& air, const std::vector<double>* other = nullptr, const std::string& engine = {});

} // namespace hw::sim::air
