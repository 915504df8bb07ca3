// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/cooling/facility.h"
#include "core/derived/figures/figures.h"
#include "core/derived/figures/substations.h"
#include "core/derived/headroom/headroom.h"
#include "core/derived/installed/plant_sizes.h"
#include "core/derived/installed/site_loads.h"
#include "core/derived/proof/proof.h"
#include "core/foundation/money/phases.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/lead_times.h"
#include "core/output/exchange/supply_bill.h"
#include "core/output/lifecycle/life_cycle.h"
#include "core/output/lifecycle/power_items.h"
#include "core/physics/site/site.h"

#include <nlohmann/json_fwd.hpp>

namespace hw {

/// Load against capacity at one level of the power chain. `load` and `failover` are those of the most
/// loaded element, `failover` when any one other element of its level is lost.
struct PowerLevel {
    Text name;              ///< of the element where there is one, else of the level
    std::string kind;       ///< building, hall, row, rack, or the tier of power equipment
    std::int64_t count = 0; ///< elements of the level
    std::string worst;      ///< name of the element that the figures are of
    Milliwatts load, failover;
    Milliwatts capacity; ///< 0 = none stated
    Text title;          ///< for people: "UPS output switchboard", "Power shelf"
    [[nodiscard]] bool fits() const { return capacity.count() == 0 || (load <= capacity && failover <= capacity); }
};

/// One element of the power chain, from the utility to the strip or shelf.
struct PowerRow {
    DeviceId device{};
    std::string name{}, kind{}; ///< kind: of element where its type says so, else its tier
    char side = 0;              ///< 'A', 'B' …, 0 = none or several
    std::vector<std::string> parents{};
    Milliwatts load{}, loss{}; ///< load: all that it feeds, and its own loss
    Milliwatts feederLoss{};   ///< of the lines that feed it, which no element of the chain carries
    std::array<Milliwatts, 3> phases{};
    bool direct = false;     ///< takes direct current: no phases, no apparent power
    Milliwatts worst{};      ///< load with one other element lost
    std::string worstLost{}; ///< that one; empty: none adds to it
    Milliwatts capacity{};   ///< 0 = none stated
    MillivoltAmperes apparentCapacity{};
    double powerFactor = 0.95;
    [[nodiscard]] double apparentVa(Milliwatts power) const { return toWatts(power) / powerFactor; }
    [[nodiscard]] bool fits() const
    {
        return (capacity.count() == 0 || worst <= capacity) &&
               (apparentCapacity.count() == 0 || apparentVa(worst) * 1000 <= double(apparentCapacity.count()));
    }
};

/// Heat against what the units of a loop, or of one kind in one room, remove.
struct CoolingLevel {
    std::string name;          ///< of the loop; room and type of air units
    Milliwatts load, capacity; ///< capacity of all installed units
    std::int64_t units = 0, needed = 0;
    [[nodiscard]] std::int64_t spare() const { return units - needed; }
    [[nodiscard]] std::string redundancy() const; ///< "N+8", "N", "N-2"
};

/// IT or facility power against the limit of its kind.
struct LimitReading {
    std::string basis;
    double loadW = 0, limitW = 0; ///< limitW: 0 = no limit of this basis
    [[nodiscard]] bool limited() const { return limitW > 0; }
    [[nodiscard]] bool fits() const { return !limited() || loadW <= limitW; }
};

/// Everything that the report says about a design. The pod buildings stand under the site's limit;
/// network buildings are reported beside them.
struct Report {
    struct Design {
        std::string name, templateName;
        std::map<std::string, std::string> parameters;
        std::uint64_t revision = 0;
        std::string date; ///< of the report, ISO 8601
    } design;
    std::vector<std::string> notes; ///< what the generator did otherwise than asked, and why
    struct Accelerators {
        std::int64_t active = 0, backup = 0;
        std::map<std::string, Fact<double>> peakFlops; ///< FLOPS of all active ones by precision, dense
    } accelerators;
    struct Servers {
        std::int64_t active = 0, backup = 0;
    } servers;
    struct Racks {
        std::int64_t total = 0;
        std::map<std::string, std::int64_t> byType;
    } racks;
    struct Power {
        PowerBasis basis = PowerBasis::Design;
        std::array<Milliwatts, kPowerBases> it{}, coreIt{}; ///< of the pods and what is in no building; of network and plant buildings
        double pue = 1.2;
        bool pueAssumed = true, pueComputed = false; ///< computed: from the losses of the chain and the cooling equipment
        Milliwatts facilityMw;                       ///< of the campus
        std::string facilityBasis;                   ///< "losses" or "constant"
        FacilityPower facility;                      ///< of the campus, from the design itself, at the basis
        double perAcceleratorW = 0;                  ///< IT of the pods per active accelerator
        std::vector<PowerLevel> levels;
        std::vector<PowerRow> chain;       ///< from the outside in
        std::int64_t unfedDevices = 0;     ///< that draw power, and one of whose ways or all of them lead to no utility
        std::int64_t darkOnSingleLoss = 0; ///< that draw power, and that one lost element of the chain leaves without
        std::int64_t cords = 0;            ///< within racks
        SupplyTotals supply;               ///< cords, whips, feeders, hoses and pipes
        [[nodiscard]] Milliwatts itAtBasis() const { return it[std::size_t(basis)]; }
        [[nodiscard]] Milliwatts coreAtBasis() const { return coreIt[std::size_t(basis)]; }
        [[nodiscard]] Milliwatts campusAtBasis() const { return itAtBasis() + coreAtBasis(); }
        [[nodiscard]] double facilityW() const { return toWatts(facilityMw); } ///< of the campus: pods, core building, losses and cooling
    } power;
    std::vector<PlantSize> plant; ///< installed and needed, by kind
    std::vector<RoomMass> rooms;  ///< of plant
    std::optional<SiteNoise> noise;
    std::optional<ExhaustGap> exhaust;
    FuelNeed fuel;
    struct Site {
        Milliwatts limit;
        std::string limitBasis = "it";
        bool fits = true;
        double spareShare = 0;
        std::int64_t maxAccelerators = 0; ///< that the limit carries at this design's power, whole hosts
        std::int64_t buildings = 0;
        std::vector<LimitReading> readings; ///< IT and facility power; the limit is of one of them
        SubstationSupply substations;       ///< drawn in the design, or as its settings state
        std::vector<LimitReading> substationReadings;
        SubstationSize substationSize;           ///< of the settings
        std::int64_t substationsOfSize = 0;      ///< of that size, for the facility power
        std::int64_t substationsRequired = 0;    ///< of their size, for the facility power; 0: there are none
        std::int64_t substationAccelerators = 0; ///< active ones that those of the design carry with their facility power
    } site;
    struct Cooling {
        Milliwatts liquid, air;
        double flowLpm = 0, airFlowM3s = 0;
        std::string coolant;
        double coolantSupplyC = 0, coolantDeltaK = 0, airDeltaK = 0;
        std::vector<CoolingLevel> levels; ///< CDUs by loop, air units by room
        std::vector<CoolingLoop> loops;
    } cooling;
    struct Run {
        std::int64_t cables = 0, lengthMm = 0, physicalCables = 0, physicalLengthMm = 0;
    };
    struct Fiber {
        Run all; ///< `cables` are logical links, the rows of the schedule
        std::int32_t longestMm = 0;
        std::map<std::string, Run> byMedium;
        std::map<std::string, std::int64_t> transceivers;
        std::int64_t reachExceeded = 0, noRoute = 0; ///< physical cables
    } fiber;
    Headroom headroom;                ///< what still fits
    std::vector<NetworkProof> proofs; ///< by network, empty where not asked for
    struct Cost {
        std::string currency;
        Money total;
        double assumedShare = 0;
        std::map<std::string, Money> byGroup;
        std::vector<Bom::LeftOut> leftOut; ///< links that the total has no cable and modules for
        Money quoted, assumed;             ///< of the total: at asked or published prices, and at guesses
        struct System {
            CostSystem system = CostSystem::Building;
            Money total, quoted, assumed;
        };
        std::vector<System> systems;         ///< with their share of charges
        std::vector<CostPosition> published; ///< power and cooling beside published ranges; the bill has no building
        struct Item {
            PowerItemCost cost{};
            double perKw = 0; ///< of IT, with its share of charges
            double ratio = 0; ///< installed to required capacity; 0: not compared
        };
        std::vector<Item> powerItems;                   ///< what the power system consists of, the largest first
        std::vector<std::string> unpriced, withoutRate; ///< parts in the bill without a price; prices that do not count
        Text charges;                                   ///< what the total has of tax and the like
        std::vector<LeadTime> leadTimes;                ///< the longest first
    } cost;
    /// What each phase brings by itself.
    struct PhaseRow {
        int number = 1;
        std::string name, date;
        std::int64_t accelerators = 0; ///< active ones
        Milliwatts it;
        Money cost;
        Money power, cooling; ///< of the cost
        Money prebuilt;       ///< power and cooling built up to this phase, beyond the share that its IT power has of all
        struct Prebuilt {
            std::string part;               ///< slug
            Text description;               ///< as in the bill
            std::int64_t count = 0, of = 0; ///< built up to this phase, and in all
            Money amount;                   ///< beyond the share, without charges
        };
        std::vector<Prebuilt> prebuiltParts; ///< power and cooling equipment, the largest amount first
    };
    std::vector<PhaseRow> phases; ///< at least one
    Stages stages;                ///< how far racks, devices and cables have come
};

[[nodiscard]] Report makeReport(const Figures& figures, const Bom& bom);
/// The same with the proof of every network, which takes longer than all the rest: for the report as a
/// document, not for figures that follow every edit.
[[nodiscard]] Result<Report> makeProvenReport(const Figures& figures, const Bom& bom, const Progress& progress = {});

/// The phases alone.
[[nodiscard]] std::vector<Report::PhaseRow> phaseRows(const Figures& figures, const Bom& bom);
/// "Pre-built for later phases: ..." and its largest parts, one line each; empty for the last phase.
[[nodiscard]] std::vector<Text> prebuiltLines(const Report::PhaseRow& row, const std::string& currency);
/// All of these parts: part, description, count, of, prebuilt.
[[nodiscard]] nlohmann::ordered_json prebuiltJson(const Report::PhaseRow& row);

/// The public JSON of `report --json`, schema hallwright.report/1.
[[nodiscard]] nlohmann::ordered_json reportJson(const Report& report, const Figures& figures);
/// The same for people, at most 100 columns wide.
[[nodiscard]] std::string reportText(const Report& report, const Figures& figures);

} // namespace hw
