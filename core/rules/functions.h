// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cooling/facility.h"
#include "core/derive/failure_domains.h"
#include "core/rules/rule.h"

/// The rule functions and the thresholds that they compare with; `allRules()` lists both.
namespace hw::rules {

// Sources: NEC 210.20 and the like stand with each threshold; "assumed" means that no document was found.
inline constexpr Threshold kOversubscriptionTarget{"rule.n10.target", TextId("oversubscription at most"), 1.0, TextId(":1"),
                                                   TextId("non-blocking back-end fabric (Clos 1953)")};
inline constexpr Threshold kSparePorts{"rule.n11.spare_percent", TextId("spare ports at least"), 2.0, TextId("%"),
                                       TextId("assumed: a couple of spare ports on a 128-port switch")};
inline constexpr Threshold kLossMargin{"rule.n6.margin_db", TextId("margin of the loss budget"), 0.5, TextId("dB"),
                                       TextId("assumed: for dirt and ageing, left of a channel's loss budget")};
inline constexpr Threshold kTrayPlanned{"rule.k1.planned_percent", TextId("fill of trays as planned"), 25.0, TextId("%"),
                                        TextId("TIA-569: initial fill of cable trays")};
inline constexpr Threshold kTrayFull{"rule.k1.full_percent", TextId("fill of trays at most"), 50.0, TextId("%"),
                                     TextId("TIA-569: maximum fill of cable trays")};
inline constexpr Threshold kCeilingClearance{"rule.s9.clearance_mm", TextId("free below the ceiling"), 450.0, TextId("mm"),
                                             TextId("NFPA 13: 18 in below sprinklers")};
inline constexpr Threshold kRowLength{"rule.s4.racks_per_row", TextId("racks in a row at most"), 20.0, TextId("racks"),
                                      TextId("BICSI 002: at most 20 cabinets in a row")};
inline constexpr Threshold kDeadEnd{"rule.s4.dead_end_racks", TextId("racks on a dead end at most"), 10.0, TextId("racks"),
                                    TextId("BICSI 002: at most 10 cabinets in a row whose one end is closed")};
inline constexpr Threshold kCirculation{"rule.s4.circulation_mm", TextId("passage at the end of a row"), 1200.0, TextId("mm"),
                                        TextId("TIA-942: passage at the end of a row")};
inline constexpr Threshold kEgress{"rule.s5.egress_mm", TextId("way to a door at most"), 60'000.0, TextId("mm"),
                                   TextId("assumed: way to a door, 60 to 75 m with sprinklers; 0: not looked at")};
inline constexpr Threshold kFrontAisle{"rule.s4.front_aisle_mm", TextId("aisle in front of racks"), 1200.0, TextId("mm"),
                                       TextId("TIA-942: at least 1.2 m before cabinets")};
inline constexpr Threshold kRearAisle{"rule.s4.rear_aisle_mm", TextId("aisle behind racks"), 900.0, TextId("mm"),
                                      TextId("BICSI 002: at least 0.9 m behind cabinets")};
inline constexpr Threshold kRearAdvised{"rule.s4.rear_advised_mm", TextId("aisle behind racks, advised"), 1000.0, TextId("mm"),
                                        TextId("TIA-942: 1.0 m behind cabinets preferred")};
inline constexpr Threshold kOutOfLine{"rule.s4.out_of_line_mm", TextId("out of line at most"), 300.0, TextId("mm"),
                                      TextId("assumed: cabinets of unlike depth stand in one line")};
inline constexpr Threshold kApart{"rule.s4.apart_mm", TextId("gap that is a passage"), 1200.0, TextId("mm"),
                                  TextId("assumed: a passage through a row, as wide as a front aisle")};
inline constexpr Threshold kWeightMargin{"rule.s2.warn_percent", TextId("warn at this share of what a rack bears"), 90.0, TextId("%"),
                                         TextId("assumed: room for cables and power strips")};
inline constexpr Threshold kContinuousLoad{"rule.p2.continuous_percent", TextId("continuous load at most"), 80.0, TextId("%"),
                                           TextId("NEC 210.20, 215: continuous load of a breaker's rating; 100 for IEC breakers")};
inline constexpr Threshold kC13Amps{"rule.p2.c13_a", TextId("current of a C13 at most"), 10.0, TextId("A"), TextId("IEC 60320: C13 and C14")};
inline constexpr Threshold kC19Amps{"rule.p2.c19_a", TextId("current of a C19 at most"), 16.0, TextId("A"), TextId("IEC 60320: C19 and C20")};
inline constexpr Threshold kPhaseVoltage{"rule.p2.phase_v", TextId("voltage of a phase"), 230.0, TextId("V"), TextId("IEC 60038: 230/400 V")};
inline constexpr Threshold kFeederAmps{"rule.p2.feeder_a", TextId("current of a low-voltage feeder"), 0.0, TextId("A"),
                                       TextId("all its runs together, before derating; 0: ampacity of the cable itself, IEC 60364-5-52")};
inline constexpr Threshold kFeederDerate{"rule.p2.feeder_derate_percent", TextId("feeder cable in warm air bears"), 91.0, TextId("%"),
                                         TextId("19DX101-1 table 6.22: XLPE cables in air of 40 °C; bundles 73 to 82 % of that")};
inline constexpr Threshold kImbalanceAdvised{"rule.p4.advised_percent", TextId("imbalance of phases, advised"), 10.0, TextId("%"),
                                             TextId("assumed: spread of the phases that planners aim at")};
inline constexpr Threshold kImbalanceMost{"rule.p4.most_percent", TextId("imbalance of phases at most"), 15.0, TextId("%"),
                                          TextId("assumed: spread of the phases that UPS and generators bear")};
inline constexpr Threshold kImbalanceLeast{"rule.p4.least_load_percent", TextId("imbalance counts from this load"), 30.0, TextId("%"),
                                           TextId("assumed: of the rating of a phase; what carries less is measured by that")};
inline constexpr Threshold kThirdHarmonic{
    "rule.p4.third_harmonic_percent", TextId("third harmonic"), 10.0, TextId("%"),
    TextId("assumed: of the phase current, of power supplies with power factor correction; adds up in the neutral")};
inline constexpr Threshold kNeutralMost{"rule.p4.neutral_percent", TextId("load of the neutral at most"), 100.0, TextId("%"),
                                        TextId("assumed: neutral as large as a phase")};
inline constexpr Threshold kGroupOutlets{"rule.p5.group_outlets", TextId("outlets in a group"), 0.0, TextId(),
                                         TextId("outlets of a strip behind one breaker, counted within a phase; 0: not stated")};
inline constexpr Threshold kGroupAmps{"rule.p5.group_a", TextId("breaker of an outlet group"), 16.0, TextId("A"),
                                      TextId("assumed: breaker of an outlet group; 20 in the US")};
inline constexpr Threshold kBranchDrop{"rule.p6.branch_drop_percent", TextId("voltage drop of a branch"), 3.0, TextId("%"),
                                       TextId("NEC 210.19 note: voltage drop of a busway or of a branch circuit")};
inline constexpr Threshold kTotalDrop{"rule.p6.total_drop_percent", TextId("voltage drop in all"), 5.0, TextId("%"),
                                      TextId("NEC 215.2 note, IEC 60364-5-52: feeder and branch together")};
inline constexpr Threshold kBuswayDrop{"rule.p6.busway_drop_per_100m", TextId("voltage drop of a busway in 100 m"), 3.0, TextId("%"),
                                       TextId("Canalis KTA, R and X at power factor 0.95: 2.9 to 3.2 % at full load, half where evenly tapped")};
inline constexpr Threshold kUpsAdvised{"rule.p7.warn_percent", TextId("warn at this load of a UPS"), 90.0, TextId("%"),
                                       TextId("assumed: room for growth and for charging batteries")};
inline constexpr Threshold kBatteryMinutes{"rule.p8.minutes", TextId("minutes on battery at least"), 5.0, TextId("min"),
                                           TextId("assumed: start and transfer of generators, with margin")};
inline constexpr Threshold kBatteryDepth{"rule.p8.depth_percent", TextId("depth of discharge"), 95.0, TextId("%"),
                                         TextId("assumed: depth of discharge")};
inline constexpr Threshold kGeneratorStep{"rule.p9.step_percent", TextId("first step of a generator at most"), 50.0, TextId("%"),
                                          TextId("ISO 8528-5 G3: first step of a generator set")};
inline constexpr Threshold kGeneratorShare{"rule.p9.rating_percent", TextId("load of a generator at most"), 100.0, TextId("%"),
                                           TextId("ISO 8528-1: of the stated rating; 90 where that is standby and the set runs as prime power")};
inline constexpr Threshold kTransformerAdvised{"rule.p10.warn_percent", TextId("warn at this load of a transformer"), 80.0, TextId("%"),
                                               TextId("assumed: room for harmonics and hot days")};
inline constexpr Threshold kLoadDistortion{
    "rule.p10.thd_percent", TextId("harmonic distortion of the load"), 5.0, TextId("%"),
    TextId("assumed: current distortion of the load, all of it in the fifth harmonic; a UPS input has below 3")};
inline constexpr Threshold kHarmonicFactor{"rule.p10.k_factor", TextId("k factor of transformers"), 4.0, TextId(),
                                           TextId("assumed: K-factor of transformers for rectifier load, 4 to 13")};
inline constexpr Threshold kStepLow{"rule.p11.low_percent", TextId("power while accelerators wait"), 20.0, TextId("%"),
                                    TextId("assumed: power of accelerators that wait for each other")};
inline constexpr Threshold kStepHigh{"rule.p11.high_percent", TextId("power while accelerators compute"), 95.0, TextId("%"),
                                     TextId("assumed: power of accelerators that compute")};
inline constexpr Threshold kStepLimit{"rule.p11.limit_kw", TextId("step of power at most"), 0.0, TextId("kW"),
                                      TextId("what UPS and utility allow within seconds; 0: not stated")};
inline constexpr Threshold kStepSeconds{"rule.p11.step_s", TextId("time of a step"), 2.0, TextId("s"),
                                        TextId("assumed: time in which all accelerators start or wait")};
inline constexpr Threshold kRampLimit{"rule.p11.ramp_kw_s", TextId("ramp of power at most"), 0.0, TextId("kW/s"),
                                      TextId("what UPS and utility allow in a second; 0: not stated")};
inline constexpr Threshold kDiversity{"rule.p12.diversity", TextId("diversity"), 1.0, TextId(),
                                      TextId("assumed: share of the demand that comes at the same time")};
inline constexpr Threshold kAisleShare{"rule.s3.aisle_share_mm", TextId("aisle that bears, too"), 1800.0, TextId("mm"),
                                       TextId("assumed: aisle that spreads a cabinet's weight")};
inline constexpr Threshold kPointLoad{"rule.s3.point_kg", TextId("load of a point at most"), 0.0, TextId("kg"),
                                      TextId("what the floor bears under one caster; 0: not stated")};
inline constexpr Threshold kCasters{"rule.s3.casters", TextId("casters of a rack"), 4.0, TextId(), TextId("assumed: casters or feet of a cabinet")};
inline constexpr Threshold kUneven{"rule.s3.uneven_percent", TextId("heaviest caster bears"), 130.0, TextId("%"),
                                   TextId("assumed: of the mean, on the caster that bears most")};
inline constexpr Threshold kDoorPlay{"rule.s6.play_mm", TextId("play in a door"), 50.0, TextId("mm"),
                                     TextId("assumed: play of a cabinet on its way through a door")};
inline constexpr Threshold kCrate{"rule.s6.crate_mm", TextId("crate and pallet add"), 0.0, TextId("mm"),
                                  TextId("what pallet and crate add to a cabinet's height; 0: it comes without")};
inline constexpr Threshold kDelivered{"rule.s6.filled_percent", TextId("filled on delivery"), 100.0, TextId("%"),
                                      TextId("assumed: of its contents that a cabinet is delivered with")};
inline constexpr Threshold kLiftMass{"rule.s6.lift_kg", TextId("lift carries"), 0.0, TextId("kg"),
                                     TextId("what the lift on the way in carries; 0: not stated")};
inline constexpr Threshold kLiftHeight{"rule.s6.lift_height_mm", TextId("door of the lift"), 0.0, TextId("mm"),
                                       TextId("door height of the lift on the way in; 0: not stated")};
inline constexpr Threshold kLiftDepth{"rule.s6.lift_depth_mm", TextId("depth of the lift"), 0.0, TextId("mm"),
                                      TextId("depth of the lift on the way in; 0: not stated")};
inline constexpr Threshold kContainedGap{"rule.s7.gap_mm", TextId("gap that wants a panel"), 20.0, TextId("mm"),
                                         TextId("assumed: gap in a contained row that wants a blanking panel")};
inline constexpr Threshold kOpenUnits{
    "rule.s7.open_u", TextId("open units of a rack at most"), 0.0, TextId("U"),
    TextId("open units of a cabinet in a contained row from which blanking panels are asked for; 0: panels are taken for given")};
inline constexpr Threshold kClearGrounded{"rule.s8.grounded_mm", TextId("space before switchgear, grounded walls"), 1000.0, TextId("mm"),
                                          TextId("NEC 110.26, 151 to 600 V to ground, condition 2")};
inline constexpr Threshold kClearLive{"rule.s8.live_mm", TextId("space before switchgear, live parts opposite"), 1200.0, TextId("mm"),
                                      TextId("NEC 110.26, 151 to 600 V to ground, condition 3")};
inline constexpr Threshold kBendFactor{
    "rule.k2.diameters", TextId("bend radius in diameters"), 10.0, TextId("diameters"),
    TextId("TIA-568: least radius of a laid cable whose type states none; the fittings of a tray have its width as radius (assumed)")};
inline constexpr Threshold kSeparation{"rule.k4.separation_mm", TextId("power beside data"), 200.0, TextId("mm"),
                                       TextId("EN 50174-2: power beside data without a barrier")};
inline constexpr Threshold kRunBeside{"rule.k4.length_mm", TextId("counts from this length"), 1000.0, TextId("mm"),
                                      TextId("assumed: crossings and shorter runs do not count")};
inline constexpr Threshold kSidesApart{"rule.k7.busway_mm", TextId("between the sides of power"), 0.0, TextId("mm"),
                                       TextId("distance wanted between the busways of sides A and B over one row; 0: none")};
inline constexpr Threshold kCduSpare{"rule.c2.spare", TextId("spare CDUs"), 1.0, TextId("CDUs"), TextId("assumed: one of a loop's CDUs may fail")};
inline constexpr Threshold kDewMargin{"rule.c3.dew_margin_k", TextId("coolant over the dew point"), 2.0, TextId("K"),
                                      TextId("assumed: coolant over the dew point of the room")};
inline constexpr Threshold kAirSpare{"rule.c4.spare", TextId("spare air units"), 1.0, TextId("units"),
                                     TextId("assumed: one of a room's air units may fail")};
inline constexpr Threshold kInletRecommended{"rule.c5.recommended_c", TextId("inlet air, recommended"), 27.0, TextId("°C"),
                                             TextId("ASHRAE TC 9.9: recommended inlet air, 18 to 27")};
inline constexpr Threshold kInletAllowed{"rule.c5.allowable_c", TextId("inlet air, allowed"), 35.0, TextId("°C"),
                                         TextId("ASHRAE TC 9.9: class A2; 32 in A1")};
inline constexpr Threshold kHeaderSpeed{"rule.c7.header_ms", TextId("speed in headers at most"), 1.83, TextId("m/s"),
                                        TextId("6 ft/s in headers of cabinets (OCP modular TCS, quoted)")};
inline constexpr Threshold kHoseSpeed{"rule.c7.hose_ms", TextId("speed in hoses at most"), 3.05, TextId("m/s"),
                                      TextId("10 ft/s in hoses (OCP modular TCS, quoted)")};
inline constexpr Threshold kPipeSpeed{"rule.c7.pipe_ms", TextId("speed in pipes at most"), 2.5, TextId("m/s"),
                                      TextId("assumed: 1.5 to 2.5 m/s in pipes of facility water")};
inline constexpr Threshold kManifoldKpa{"rule.c7.manifold_kpa", TextId("pressure of manifolds at most"), 345.0, TextId("kPa"),
                                        TextId("50 psig, of which blind-mate rack manifolds are made; set what yours bear")};
inline constexpr Threshold kFillKpa{"rule.c7.fill_kpa", TextId("pressure of filling"), 50.0, TextId("kPa"),
                                    TextId("assumed: gauge pressure that loops are filled to")};
inline constexpr Threshold kHeadMargin{"rule.c7.head_margin_percent", TextId("margin of pump head"), 10.0, TextId("%"),
                                       TextId("assumed: of the pumps' head, for filters that clog")};
inline constexpr Threshold kRejectionSpare{"rule.c8.spare", TextId("spare chillers, coolers and pumps"), 1.0, TextId("units"),
                                           TextId("assumed: one chiller, cooler or pump set may fail")};
inline constexpr Threshold kChillerRestart{"rule.c9.restart_s", TextId("chiller starts again after"), 600.0, TextId("s"),
                                           TextId("assumed: restart lock-out of chillers whose type states none")};
inline constexpr Threshold kPueTolerance{"rule.c10.pue_percent", TextId("PUE may differ by"), 5.0, TextId("%"),
                                         TextId("assumed: of the PUE stated (ISO/IEC 30134-2)")};
inline constexpr Threshold kWaterUse{"rule.c10.wue_l_kwh", TextId("WUE"), 1.8, TextId("L/kWh"),
                                     TextId("assumed: of water for a kWh of IT (ISO/IEC 30134-9)")};
inline constexpr Threshold kEvaporation{"rule.c10.evaporation_l_kwh", TextId("water that evaporates"), 2.0, TextId("L/kWh"),
                                        TextId("assumed: 1.4 to 1.6 L evaporated for a kWh of heat, 0.3 to 0.7 blown down")};
inline constexpr Threshold kAirSpeed{"rule.c12.speed_ms", TextId("speed of air at most"), 2.5, TextId("m/s"),
                                     TextId("assumed: in cold aisles and before coils")};
inline constexpr Threshold kCloseResult{"rule.d3.close_percent", TextId("results this close are alike"), 10.0, TextId("%"),
                                        TextId("assumed: spread of unmeasured power figures")};

std::vector<Finding> cabinetFlow(const RuleInput&);       // C1
std::vector<Finding> cduGroups(const RuleInput&);         // C2
std::vector<Finding> supplyTemperature(const RuleInput&); // C3
std::vector<Finding> residualAir(const RuleInput&);       // C4
std::vector<Finding> inletAir(const RuleInput&);          // C5
std::vector<Finding> airDirection(const RuleInput&);      // C6
std::vector<Finding> loopFlow(const RuleInput&);          // C7
std::vector<Finding> heatRejection(const RuleInput&);     // C8
std::vector<Finding> rideThrough(const RuleInput&);       // C9
std::vector<Finding> efficiency(const RuleInput&);        // C10
std::vector<Finding> leakZones(const RuleInput&);         // C11
std::vector<Finding> airSpeed(const RuleInput&);          // C12

std::vector<Finding> portUse(const RuleInput&);          // N1
std::vector<Finding> breakouts(const RuleInput&);        // N2
std::vector<Finding> opticPairs(const RuleInput&);       // N3
std::vector<Finding> socketFit(const RuleInput&);        // N4
std::vector<Finding> reach(const RuleInput&);            // N5
std::vector<Finding> railsAndPlanes(const RuleInput&);   // N8
std::vector<Finding> sharedFate(const RuleInput&);       // N9
std::vector<Finding> oversubscription(const RuleInput&); // N10
std::vector<Finding> sparePorts(const RuleInput&);       // N11
std::vector<Finding> connected(const RuleInput&);        // N12
std::vector<Finding> evenCapacity(const RuleInput&);     // N13
std::vector<Finding> dualPlaneNics(const RuleInput&);    // N15
std::vector<Finding> fedDevices(const RuleInput&);       // P1
std::vector<Finding> branchLoad(const RuleInput&);       // P2
std::vector<Finding> failover(const RuleInput&);         // P3
std::vector<Finding> phaseBalance(const RuleInput&);     // P4
std::vector<Finding> plugsAndOutlets(const RuleInput&);  // P5
std::vector<Finding> stripsAndBusways(const RuleInput&); // P6
std::vector<Finding> upsLoad(const RuleInput&);          // P7
std::vector<Finding> batteryRuntime(const RuleInput&);   // P8
std::vector<Finding> generatorLoad(const RuleInput&);    // P9
std::vector<Finding> transformerLoad(const RuleInput&);  // P10
std::vector<Finding> jobSteps(const RuleInput&);         // P11
std::vector<Finding> utilityDemand(const RuleInput&);    // P12
std::vector<Finding> rackPower(const RuleInput&);        // P14
std::vector<Finding> hallPower(const RuleInput&);        // P15
std::vector<Finding> powerCapping(const RuleInput&);     // P13
std::vector<Finding> rackUnits(const RuleInput&);        // S1
std::vector<Finding> rackWeight(const RuleInput&);       // S2
std::vector<Finding> floorLoad(const RuleInput&);        // S3
std::vector<Finding> rowsAndAisles(const RuleInput&);    // S4
std::vector<Finding> rackCollisions(const RuleInput&);   // S5
std::vector<Finding> structures(const RuleInput&);       // S5, beside rackCollisions
std::vector<Finding> egress(const RuleInput&);           // S5, beside rackCollisions
std::vector<Finding> closedEnds(const RuleInput&);       // S4, beside rowsAndAisles
std::vector<Finding> deliveryPath(const RuleInput&);     // S6
std::vector<Finding> containedGaps(const RuleInput&);    // S7
std::vector<Finding> workingSpace(const RuleInput&);     // S8
std::vector<Finding> ceiling(const RuleInput&);          // S9
std::vector<Finding> trayFill(const RuleInput&);         // K1
std::vector<Finding> trayWeight(const RuleInput&);       // K1, beside trayFill
std::vector<Finding> turnedAside(const RuleInput&);      // K1, beside trayFill
std::vector<Finding> bendRadius(const RuleInput&);       // K2
std::vector<Finding> supplyPaths(const RuleInput&);      // K6, beside cablePaths
std::vector<Finding> feedersTogether(const RuleInput&);  // K7, beside planesTogether
std::vector<Finding> cableLengths(const RuleInput&);     // K3
std::vector<Finding> powerBesideData(const RuleInput&);  // K4
std::vector<Finding> cablePaths(const RuleInput&);       // K6
std::vector<Finding> planesTogether(const RuleInput&);   // K7
std::vector<Finding> switchesCutOff(const RuleInput&);   // K7, beside planesTogether
std::vector<Finding> sidesTogether(const RuleInput&);    // K7, beside planesTogether
std::vector<Finding> traysOfCards(const RuleInput&);     // N9, beside sharedFate
std::vector<Finding> panelsOfCards(const RuleInput&);    // N9, beside sharedFate
std::vector<CardLink> dataCardLinks(const RuleInput&);   // of both
std::vector<Finding> feederCables(const RuleInput&);     // P2, beside branchLoad
std::vector<Finding> outletGroups(const RuleInput&);     // P5, beside plugsAndOutlets
std::vector<Finding> stripLegs(const RuleInput&);        // P6, beside stripsAndBusways
/// Each of them, one after the other.
template <class... More>
[[nodiscard]] std::vector<Finding> together(std::vector<Finding> all, More... more)
{
    const auto add = [&](std::vector<Finding> list) {
        all.insert(all.end(), std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
    };
    (add(std::move(more)), ...);
    return all;
}
std::vector<Finding> channelLoss(const RuleInput&);    // N6
std::vector<Finding> connectorsMeet(const RuleInput&); // N7
std::vector<Finding> earlyThings(const RuleInput&);    // D7
std::vector<Finding> labels(const RuleInput&);         // D1, beside duplicateNames
std::vector<Finding> duplicateNames(const RuleInput&); // D1
std::vector<Finding> assumedValues(const RuleInput&);  // D3
std::vector<Finding> missingValues(const RuleInput&);  // D4
std::vector<Finding> partLint(const RuleInput&);       // D5
std::vector<Finding> unratedPrices(const RuleInput&);  // D8

/// "45.0 kW" or "17.86 MW".
[[nodiscard]] Text powerText(Milliwatts power);
/// "6.233 m", "125.5 m", "12,346 m": four digits, never in scientific notation.
[[nodiscard]] Text lengthText(std::int64_t millimetres);
/// `groupMark` of cables: the devices that their links join, with the links' ordinals.
[[nodiscard]] std::string cablesMark(const RuleInput& input, std::span<const EntityRef> cables);
/// Links that have neither cable nor modules for this cause, as errors of the given rule.
[[nodiscard]] std::vector<Finding> withoutCable(const RuleInput& input, std::string_view rule, NoCable::Cause cause);
/// What a site limit counts, read as the report reads it: IT power, or facility power (setting
/// "site.limit_basis" = facility), which is IT power times the PUE (`pueOf`).
struct SiteLimit {
    bool facility = false;
    double pue = 1.0; ///< 1 for IT power
    [[nodiscard]] double loadW(Milliwatts it) const { return toWatts(it) * pue; }
    [[nodiscard]] bool exceeded(Milliwatts it, Milliwatts limit) const { return limit.count() > 0 && loadW(it) > toWatts(limit); }
};
[[nodiscard]] SiteLimit siteLimit(const RuleInput& input);

} // namespace hw::rules
