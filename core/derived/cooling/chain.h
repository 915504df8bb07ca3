// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/figures/supply.h"

#include <span>

namespace hw {

/// Liquid: cabinets depend on it. Facility: water that cools CDUs, fan walls, condensers. Air: of a room.
enum class LoopKind : std::uint8_t { Liquid, Facility, Air };
HW_WORDS(LoopKind, "liquid", "facility", "air")

/// What the chain is computed at: settings, each with its source in core/foundation/settings.
struct CoolingConditions {
    PowerBasis basis = PowerBasis::Design;
    std::string coolant;                            ///< of cabinets' loops
    double supplyC = 0, deltaK = 0;                 ///< of cabinets' loops
    double facilitySupplyC = 0, facilityDeltaK = 0; ///< of facility water
    double airSupplyC = 0, airDeltaK = 0;           ///< of the air before and through the racks
    double airLimitC = 0;                           ///< at which racks count as too hot
    double bypassShare = 0;                         ///< of the air, that returns without passing a rack
    double ambientC = 0, wetBulbC = 0, dewPointC = 0;
    double fittingsK = 0;                      ///< loss coefficients of the bends and branches of each pipe of a way, added up
    double rideThroughK = 0;                   ///< that coolant may warm up by once nothing takes its heat out
    double cabinetMarginS = 0, airMarginS = 0; ///< planners' margins: of coolant of which no liters are stated; of a room's air, 0 = its volume
    friend bool operator==(const CoolingConditions&, const CoolingConditions&) = default;
};
[[nodiscard]] CoolingConditions coolingConditions(const Snapshot& snapshot);

/// A pair of pipes or hoses between two devices.
struct CoolantPath {
    DeviceId taker{}, feeder{};
    Maybe<LinkId> link{};                        ///< none: taken for given within a rack
    std::int32_t loop = -1;                      ///< among `CoolingChain::loops`
    double lengthM = 0;                          ///< of one of the pair
    double innerMm = 0, roughnessMm = 0, kv = 0; ///< of one of the pair; 0 = not stated
    double bearsKpa = 0;                         ///< gauge pressure that hose or pipe may be worked at; 0 = not stated
    double ratedLpm = 0;                         ///< flow that its couplings are rated for; 0 = not stated
    double lpm = 0, velocityMs = 0, lossKpa = 0; ///< at design flow; supply and return together
    friend bool operator==(const CoolantPath&, const CoolantPath&) = default;
};

/// The pair of hoses from a device to the manifold of its rack: of the design's list, no link.
struct CoolantHose {
    DeviceId device{};
    std::int32_t loop = -1;                                                  ///< among `CoolingChain::loops`; -1: nothing feeds it
    double lengthM = 0;                                                      ///< of one of the pair
    double innerMm = 0, roughnessMm = 0, kv = 0, bearsKpa = 0, ratedLpm = 0; ///< as of a way
    double lpm = 0, velocityMs = 0, lossKpa = 0;                             ///< at design flow; supply and return together, couplings included
    friend bool operator==(const CoolantHose&, const CoolantHose&) = default;
};

/// Cooling equipment at design flow. Loops are numbers among `CoolingChain::loops`, -1 = none.
struct CoolingUnit {
    DeviceId device{};
    CoolingElement element = CoolingElement::None;
    std::int32_t takes = -1, feeds = -1; ///< the same loop for what coolant only passes (headers, manifolds, pumps, valves)
    double heatW = 0;                    ///< that it takes out of the loop that it feeds
    double ownW = 0;                     ///< that it draws: of pumps it ends in the loop that they move, of fans in the water behind the coil
    double lpm = 0;                      ///< of the loop that it feeds or belongs to; of headers and valves all that passes them
    double sectionLpm = 0;               ///< of a header: in its fullest section, between two of its branches
    double takesLpm = 0;                 ///< of the loop that it takes from, where that is another one
    bool onReturn = false;               ///< it takes the return of that loop, warmed by its other takers, and adds no flow to it
    double supplyC = 0, returnC = 0;     ///< of the loop that it feeds or belongs to
    double capacityW = 0;                ///< at these temperatures and flows; 0 = none, or not stated (`ratedW`)
    double capacityLpm = 0;              ///< of its pumps; 0 = not stated
    double ratedW = 0, approachK = 0, ratedTakesLpm = 0;        ///< as its maker states them; 0 = not stated
    double share = 1;                                           ///< of `ratedW`, of heat rejection at the outdoor air and the supply
    double cop = 0;                                             ///< of chillers, there; 0 = not stated
    double lossKpa = 0;                                         ///< of the flow that it takes
    double headKpa = 0, neededKpa = 0;                          ///< of what pumps: head left for the loop, and what the worst branch needs of it
    double velocityMs = 0;                                      ///< in a header's pipes, where they are fastest
    std::int64_t pumps = 0, sparePumps = 0;                     ///< inside it: so many, of which so many may fail
    double liters = 0;                                          ///< inside, of both loops
    double capacityM3s = 0, airM3s = 0, faceMs = 0;             ///< of air units: of its fans, at design, and before its coil then
    bool dry = false;                                           ///< it can take from a loop such as the design has, and no link leads there
    [[nodiscard]] bool parts() const { return takes != feeds; } ///< of two loops
    [[nodiscard]] double marginKpa() const { return headKpa - neededKpa; }
    /// That its pumps move when one of those inside it is lost; 0 = not stated.
    [[nodiscard]] double lpmWithoutPump() const
    {
        return pumps <= 0 || sparePumps > 0 ? capacityLpm : capacityLpm * double(pumps - 1) / double(pumps);
    }
    friend bool operator==(const CoolingUnit&, const CoolingUnit&) = default;
};

/// What liquid cools: the devices of a manifold together, or one device with links of its own.
struct CooledLoad {
    DeviceId device{}; ///< the manifold, or the device itself
    Maybe<RackId> rack{};
    std::int32_t loop = -1; ///< -1: nothing feeds it
    std::vector<DeviceId> cooled{};
    double liquidW = 0;
    double leastLpm = 0;     ///< that it needs at the loop's supply temperature, whatever it returns at
    double lpm = 0;          ///< at design: the larger of that and of the loop's rise of temperature
    double availableLpm = 0; ///< that reaches it: less than `lpm` where heads or pumps do not suffice
    double supplyC = 0, returnC = 0;
    double lossKpa = 0;   ///< its own: manifold, and of the worst of what it cools the plates, hoses and couplings
    double pathKpa = 0;   ///< from the pumps to it and back
    double marginKpa = 0; ///< of the pumps' head over both; 0 where no pump states one
    double warmestC = 0;  ///< supply that the coldest of its classes allows; 0 = not stated
    double liters = 0;
    friend bool operator==(const CooledLoad&, const CooledLoad&) = default;
};

/// One loop, or the air of one room.
struct CoolingLoop {
    std::string name{};
    LoopKind kind = LoopKind::Liquid;
    std::string coolant{};           ///< water, pg25, air
    Maybe<HallId> hall{};            ///< of air; of a loop: where its takers stand, none where that is several
    bool implied = false;            ///< no coolant link in its room: all its units taken as one loop
    std::vector<DeviceId> sources{}; ///< CDUs, chillers, fan walls …: what takes the heat out
    std::vector<DeviceId> pumps{};   ///< devices of their own
    std::vector<DeviceId> members{}; ///< every device of the loop, in the order of ids; sources and what takes among them
    double heatW = 0;                ///< of all that depends on it; air: of the room
    double ownW = 0;                 ///< on top of it, of the pumps that move it
    double lossesW = 0;              ///< of the heat: of power equipment
    double lpm = 0, airM3s = 0;      ///< that it needs
    double supplyC = 0, returnC = 0;
    double riseK = 0;                      ///< facility water: supply to return at design, all that takes from it together
    double wattsPerLpmK = 0;               ///< ρ cp: what a liter a minute takes a kelvin; air: a m³/s
    double capacityW = 0, capacityLpm = 0; ///< of all sources (and pumps) together, at these temperatures and flows; 0 = not stated
    double capacityM3s = 0;                ///< of air
    std::int64_t units = 0, running = 0;   ///< of sources or pumps, which have less to spare; so many carry all (units + 1: even all do not)
    std::int64_t runningSources = 0, runningPumps = 0; ///< so many of either carry all
    double liters = 0, flowingLiters = 0; ///< in it; of them on a way from what heats them to what cools them (tanks on a branch are not)
    double limitK = 0;                    ///< by which it may warm up before something that it cools is too hot
    double storedJ = 0;                   ///< that it takes up to its limit with nothing taken out
    double rideThroughS = 0;           ///< at all of its heat until a limit: facility water with all that gives its heat to it, coolant and air alone
    double worstW = 0;                 ///< heat that is still taken out at the worst single loss; `heatW` where that costs nothing
    std::vector<DeviceId> worstLost{}; ///< that one: a unit, pump, valve, or an element of the power chain; empty: none costs anything
    Maybe<LinkId> worstShut{};         ///< or the way that is shut
    double headKpa = 0, neededKpa = 0; ///< of the pump with least to spare; for the worst branch, also with any one of them lost
    double fastestMs = 0;              ///< in its pipes and hoses
    bool fits = false;                 ///< it carries all, heads suffice, and no single loss leaves heat in it
    [[nodiscard]] std::int64_t spare() const { return units - running; }
    [[nodiscard]] bool carries() const { return units > 0 && running <= units; }
    [[nodiscard]] std::string redundancy() const; ///< "N+1", "N", "short"
    friend bool operator==(const CoolingLoop&, const CoolingLoop&) = default;
};

/// The cooling of a design from the cabinets to the outside air.
struct CoolingChain {
    CoolingConditions at;
    std::vector<CoolingLoop> loops; ///< liquid, facility, air
    std::vector<CoolingUnit> units; ///< in the order of devices
    std::vector<CooledLoad> takers;
    std::vector<CoolantPath> ways;
    std::vector<CoolantHose> hoses;    ///< in the order of devices
    std::vector<DeviceId> unfed;       ///< cooled by liquid, and no loop reaches them
    double ventilatedW = 0;            ///< losses of power equipment in rooms without air units; outdoors not counted
    std::vector<std::int32_t> unitOf;  ///< by device; -1 = none
    std::vector<std::int32_t> takerOf; ///< by device that liquid cools, and by manifold; -1 = none
    std::vector<std::int32_t> airOf;   ///< by room: its air loop; -1 = none

    [[nodiscard]] const CoolingUnit* unit(DeviceId id) const { return entry(unitOf, units, id); }
    [[nodiscard]] const CooledLoad* taker(DeviceId id) const { return entry(takerOf, takers, id); }
    friend bool operator==(const CoolingChain&, const CoolingChain&) = default;

private:
    template <class T>
    [[nodiscard]] static const T* entry(const std::vector<std::int32_t>& of, const std::vector<T>& list, DeviceId id)
    {
        return id.value < of.size() && of[id.value] >= 0 ? &list[std::size_t(of[id.value])] : nullptr;
    }
};

/// What a loop keeps when elements are lost, also through the loops that cool it.
struct LoopAfterLoss {
    double heatW = 0;               ///< that is left to take out: what is lost draws nothing
    double carriedW = 0;            ///< of it, that is still taken out
    std::vector<DeviceId> cutOff{}; ///< takers (manifolds, devices) and units that take from it which no source reaches any more
    [[nodiscard]] double shortW() const { return heatW - carriedW; }
    friend bool operator==(const LoopAfterLoss&, const LoopAfterLoss&) = default;
};
/// What a piece of equipment is in the chain: as stated, else by what it removes.
[[nodiscard]] CoolingElement coolingElement(const DeviceSpec& spec);

/// On the project's basis ("site.power_basis").
struct CoolingChainNode {
    using Value = CoolingChain;
    static constexpr TextId kName = TextId("cooling chain");
    using Inputs =
        Reads<Nodes<PartsNode, PlacementNode, SupplyNode, PowerNode, PowerFeedsNode, MediumNode<Medium::Coolant>>, Places,
              Alive<Tiers, Cables, Links>,
              Columns<&Devices::type, &Devices::tier, &Devices::x, &Devices::y, &Devices::z, &Devices::u, &Devices::angle, &Tiers::kind, &Halls::name,
                      &Halls::kind, &Halls::sizeX, &Halls::sizeY, &Halls::sizeZ, &Links::cable, &Cables::type, &Cables::length>,
              SettingKeys<"site.power_basis", "site.power_factor", "cooling.coolant", "cooling.coolant_supply_c", "cooling.coolant_delta_k",
                          "cooling.facility_supply_c", "cooling.facility_delta_k", "cooling.air_supply_c", "cooling.air_delta_k",
                          "cooling.air_limit_c", "cooling.bypass_percent", "site.ambient_c", "site.wet_bulb_c", "site.dew_point_c",
                          "cooling.fittings_k", "cooling.ride_through_k", "impact.cabinet_margin_s", "impact.air_margin_s">>;
    static std::shared_ptr<const Value> compute(const Now<CoolingChainNode>&);
};

} // namespace hw
