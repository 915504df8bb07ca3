// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

#include <map>

namespace hw {

/// The one hall that an automatic layout may use: inner size, either way round.
struct HallRoom {
    std::int32_t lengthMm = 0, widthMm = 0;
};

namespace layout {

/// Where the devices of a tier go.
enum class Place : std::uint8_t {
    Servers,     ///< server racks in rows
    InRack,      ///< in the rack of the servers that it serves
    WithServers, ///< network racks mid-row among the servers that it serves
    NetworkRows, ///< network racks of its building
    Core         ///< network racks of the core building, where there are several buildings
};

/// What the power plant survives. Of `Distributed` and `Block` see `Options::systems`.
enum class Redundancy : std::uint8_t {
    TwoN,        ///< sides A and B, each carries everything alone
    NPlusOne,    ///< one side; transformers, generators, UPS in parallel on its boards, one more than needed
    Distributed, ///< systems A, B, C (D); two of them feed a row, so that all others take over from a lost one
    Block        ///< primary blocks on side A, a reserve on side B, static switches between them before every busway
};

/// Where generator sets feed in.
enum class Generators : std::uint8_t {
    Board,  ///< a set, or several, on every main board
    Central ///< sets at medium voltage beside a building, behind its switchgear of every side; so many more than needed
};

/// How headers of coolant over rows and of facility water are made.
enum class Headers : std::uint8_t {
    Single, ///< one on either side of the pumps, one over a row; its loss takes the loop or the row
    Dual    ///< two each, and everything has a branch with a valve to both: either is taken out with nothing lost
};

/// Whether air units and facility pumps are on UPS.
enum class CoolingUps : std::uint8_t {
    Auto, ///< in halls with a rack above 20 kW: their air is too warm before sets and chillers run
    Yes,
    No
};

/// What may be chosen. Lengths in mm, power in W, parts by slug.
struct Options {
    std::string where = "layout"; ///< begins error messages
    std::string rack = "rack-48u-600x1200", liquidRack = "rack-nvl72", networkRack = "rack-48u-800x1200";
    std::string rowTray = "tray-600x100", spineTray = "tray-600x100", duct = "duct-campus";
    /// "none" leaves this equipment out.
    std::string rackPdu = "rack-pdu-80a", busway = "busway-1600a-400v", transformer = "transformer-3150kva", generator = "generator-mv-3250kw",
                switchboard = "switchboard-6300a", ups = "ups-1250kw", upsBoard = "ups-board-6300a", switchgear = "mv-switchgear-20kv-1250a",
                utility = "utility-20kv-25mva", gridTransformer = "transformer-63mva", gridUtility = "utility-110kv-252mva",
                fanWall = "fan-wall-450kw", cdu = "cdu-1300kw";
    /// Each of these is the smallest of the catalog's series up to the part named above that carries what it feeds; false: that part itself.
    bool sizesBusway = true, sizesTransformer = true, sizesGenerator = true, sizesGridTransformer = true, sizesSwitchboard = true, sizesUps = true,
         sizesUpsBoard = true, sizesSwitchgear = true;
    bool sizesFanWall = true, sizesCdu = true, sizesFacilityPump = true;
    std::int64_t serversPerRack = 0; ///< at most; 0: as many as fit
    std::int64_t racksPerRow = 18, cellsPerHall = 20, hallsPerBuilding = 1, networkUnits = 32, cablesPerRack = 1024;
    std::int32_t hotAisle = 1800, coldAisle = 3000;
    Containment containment = Containment::None; ///< of every row
    std::int64_t buildingLimitW = 18'000'000;
    bool buildingPerPod = false, endOfRow = false;
    bool feed = true;                   ///< bring the power that the design lacks
    std::map<std::string, Place> place; ///< by key of a tier; the wiring decides for the others
    Redundancy redundancy = Redundancy::TwoN;
    Generators generators = Generators::Central;
    bool smallOnBoards = true;         ///< central: a design below 750 kW gets sets on its boards nevertheless
    std::int64_t generatorReserve = 1; ///< central: sets more than needed
    CoolingUps coolingUps = CoolingUps::Auto;
    std::int64_t batteryMinutes = 5;         ///< of every UPS at its worst design load, at the end of the batteries' life
    std::int64_t systems = 4;                ///< distributed: that share the load, 3 or 4; block: primary blocks to a reserve
    std::int64_t substationTransformers = 0; ///< of each substation, always with one; 0: as many as carry the nameplate draw, where one is needed
    std::string staticSwitch;                ///< empty: the smallest that carries the busway
    std::string powerDuct = "duct-power";
    std::string pipeRack = "none"; ///< that pipes of coolant and facility water lie on; "none": they depend on their own, along the axes
    bool cooling = true;           ///< bring the water that the design lacks, where it is fed at all
    /// Air units of electrical rooms with UPS, on the cool facility loop of their hall; "sized": the smallest of the series that suffices.
    std::string electricalAir = "sized";
    /// "none" leaves this equipment out; without a chiller there is no facility water at all. One that takes water itself (a chiller cooled by
    /// water, plates) gets a loop of condenser water.
    std::string manifold = "manifold-nvl72", facilityPump = "pump-fws-100ls", tank = "sized";
    std::string rowHeader, facilityHeader; ///< empty: as large as the loop asks for
    /// A part, or a series of the catalog ("chiller-air", "chiller-water", "dry-cooler", "tower", "exchanger") of which the size follows from the
    /// load; empty: chiller-air.
    std::string chiller;
    Headers headers = Headers::Dual;
    std::string condenser;      ///< behind chillers cooled by water, and plates: a tower or dry cooler, or their series; empty: towers
    std::string valve = "none"; ///< before everything that takes facility water
    /// Of each facility loop, between its chillers and pumps; 0: two. `tank` "sized": so many of the smallest that last until the chillers run again.
    std::int64_t tanks = 0;
    std::int64_t facilitySupplyC = 0; ///< 0: as the setting "cooling.facility_supply_c" says
    /// Dry coolers or towers of a warm loop for the CDUs alone, a part or its series; "none": CDUs share the loop of the air units. Empty: dry
    /// coolers where the coolant permits water that is 10 K warmer than that loop. Air-cooled chillers trim it where it is too hot outdoors.
    std::string cduRejector;
};

} // namespace layout
HW_WORDS(layout::Generators, "board", "central")
HW_WORDS(layout::CoolingUps, "auto", "yes", "no")
HW_WORDS(layout::Headers, "single", "dual")

/// Gives a design without places its buildings, halls, rows, racks, trays, power and cooling: every server,
/// switch and other rack device that is not placed gets a rack and a unit. Call it once devices, links and
/// cables are there; what stands already stays where it is. Linear in devices and links; the result depends on
/// nothing else. Errors: Unreadable for a part that is not in the catalog, Refused for a device that fits no rack.
[[nodiscard]] Result<void> layOut(Snapshot& design, const layout::Options& options, const Catalog& catalog);
/// Gives a design with places the water and the power that it lacks: manifolds, headers, CDUs, pumps and chillers; strips in racks, busways,
/// boards, UPS, generators, transformers, switchgear and utility feeds, as redundant as the options say. What has a way in keeps it. Errors as
/// `layOut`; Refused for what cannot be had, too.
[[nodiscard]] Result<void> feedDesign(Snapshot& design, const layout::Options& options, const Catalog& catalog);

} // namespace hw
