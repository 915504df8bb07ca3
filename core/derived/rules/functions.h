// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/facility.h"
#include "core/derived/figures/failure_domains.h"
#include "core/derived/rules/rule.h"

/// The rule functions and the thresholds that they compare with; `allRules()` lists both.
namespace hw::rules {

// Sources: NEC 210.20 and the like stand with each threshold; "assumed" means that no document was found.
inline constexpr Threshold kOversubscriptionTarget{"rule.n10.target", TextId("maximum oversubscription"), 1.0, TextId(":1"),
                                                   TextId("non-blocking backend fabric (Clos 1953)")};
inline constexpr Threshold kSparePorts{"rule.n11.spare_percent", TextId("minimum spare ports"), 2.0, TextId("%"),
                                       TextId("assumed: a few spare ports on a 128-port switch")};
inline constexpr Threshold kLossMargin{"rule.n6.margin_db", TextId("loss budget margin"), 0.5, TextId("dB"),
                                       TextId("assumed: allowance for dirt and aging within a channel's loss budget")};
inline constexpr Threshold kTrayPlanned{"rule.k1.planned_percent", TextId("initial tray fill"), 25.0, TextId("%"),
                                        TextId("TIA-569: initial fill of cable trays")};
inline constexpr Threshold kTrayFull{"rule.k1.full_percent", TextId("maximum tray fill"), 50.0, TextId("%"),
                                     TextId("TIA-569: maximum fill of cable trays")};
inline constexpr Threshold kCeilingClearance{"rule.s9.clearance_mm", TextId("clearance below sprinklers/ceiling"), 450.0, TextId("mm"),
                                             TextId("NFPA 13: 18 in below sprinklers")};
inline constexpr Threshold kRowLength{"rule.s4.racks_per_row", TextId("maximum racks in a row"), 20.0, TextId("racks"),
                                      TextId("BICSI 002: maximum 20 cabinets in a row")};
inline constexpr Threshold kDeadEnd{"rule.s4.dead_end_racks", TextId("maximum racks in a dead-end row"), 10.0, TextId("racks"),
                                    TextId("BICSI 002: maximum 10 cabinets in a row closed at one end")};
inline constexpr Threshold kCirculation{"rule.s4.circulation_mm", TextId("end-of-row passage width"), 1200.0, TextId("mm"),
                                        TextId("TIA-942: end-of-row passage width")};
inline constexpr Threshold kEgress{"rule.s5.egress_mm", TextId("maximum egress distance"), 60'000.0, TextId("mm"),
                                   TextId("assumed: egress distance, 60 to 75 m with sprinklers; 0: not checked")};
inline constexpr Threshold kFrontAisle{"rule.s4.front_aisle_mm", TextId("front aisle width"), 1200.0, TextId("mm"),
                                       TextId("TIA-942: at least 1.2 m in front of cabinets")};
inline constexpr Threshold kRearAisle{"rule.s4.rear_aisle_mm", TextId("rear aisle width"), 900.0, TextId("mm"),
                                      TextId("BICSI 002: at least 0.9 m behind cabinets")};
inline constexpr Threshold kRearAdvised{"rule.s4.rear_advised_mm", TextId("recommended rear aisle width"), 1000.0, TextId("mm"),
                                        TextId("TIA-942: 1.0 m behind cabinets preferred")};
inline constexpr Threshold kOutOfLine{"rule.s4.out_of_line_mm", TextId("maximum misalignment"), 300.0, TextId("mm"),
                                      TextId("assumed: cabinets of different depths form one line")};
inline constexpr Threshold kApart{"rule.s4.apart_mm", TextId("gap that counts as a passage"), 1200.0, TextId("mm"),
                                  TextId("assumed: a passage through a row, as wide as a front aisle")};
inline constexpr Threshold kWeightMargin{"rule.s2.warn_percent", TextId("rack weight warning threshold"), 90.0, TextId("%"),
                                         TextId("assumed: allowance for cables and rack PDUs")};
inline constexpr Threshold kContinuousLoad{"rule.p2.continuous_percent", TextId("maximum continuous load"), 80.0, TextId("%"),
                                           TextId("NEC 210.20, 215: continuous load as a share of the breaker rating; 100 for IEC breakers")};
inline constexpr Threshold kC13Amps{"rule.p2.c13_a", TextId("maximum C13 current"), 10.0, TextId("A"), TextId("IEC 60320: C13 and C14")};
inline constexpr Threshold kC19Amps{"rule.p2.c19_a", TextId("maximum C19 current"), 16.0, TextId("A"), TextId("IEC 60320: C19 and C20")};
inline constexpr Threshold kPhaseVoltage{"rule.p2.phase_v", TextId("phase voltage"), 230.0, TextId("V"), TextId("IEC 60038: 230/400 V")};
inline constexpr Threshold kFeederAmps{"rule.p2.feeder_a", TextId("maximum current of a low-voltage feeder"), 0.0, TextId("A"),
                                       TextId("all parallel runs combined, before derating; 0: ampacity of the cable itself, IEC 60364-5-52")};
inline constexpr Threshold kFeederDerate{"rule.p2.feeder_derate_percent", TextId("ampacity derating of feeder cables"), 91.0, TextId("%"),
                                         TextId("19DX101-1 table 6.22: XLPE cables in air at 40 °C; bundles 73 to 82 % of that")};
inline constexpr Threshold kImbalanceAdvised{"rule.p4.advised_percent", TextId("recommended maximum phase imbalance"), 10.0, TextId("%"),
                                             TextId("assumed: typical design target for phase imbalance")};
inline constexpr Threshold kImbalanceMost{"rule.p4.most_percent", TextId("maximum phase imbalance"), 15.0, TextId("%"),
                                          TextId("assumed: phase imbalance tolerated by UPS and generators")};
inline constexpr Threshold kImbalanceLeast{"rule.p4.least_load_percent", TextId("minimum load for imbalance check"), 50.0, TextId("%"),
                                           TextId("assumed: share of the phase rating; below it, imbalance is calculated relative to this load")};
inline constexpr Threshold kThirdHarmonic{
    "rule.p4.third_harmonic_percent", TextId("third harmonic"), 10.0, TextId("%"),
    TextId("assumed: share of the phase current, for power supplies with power factor correction; adds up in the neutral")};
inline constexpr Threshold kNeutralMost{"rule.p4.neutral_percent", TextId("maximum neutral load"), 100.0, TextId("%"),
                                        TextId("assumed: neutral conductor sized like a phase conductor")};
inline constexpr Threshold kGroupOutlets{"rule.p5.group_outlets", TextId("outlets per group"), 0.0, TextId(),
                                         TextId("rack PDU outlets on one breaker, counted per phase; 0: not specified")};
inline constexpr Threshold kGroupAmps{"rule.p5.group_a", TextId("outlet group breaker"), 16.0, TextId("A"),
                                      TextId("assumed: outlet group breaker rating; 20 in the US")};
inline constexpr Threshold kBranchDrop{"rule.p6.branch_drop_percent", TextId("branch circuit voltage drop"), 3.0, TextId("%"),
                                       TextId("NEC 210.19 note: voltage drop of a busway or of a branch circuit")};
inline constexpr Threshold kTotalDrop{"rule.p6.total_drop_percent", TextId("total voltage drop"), 5.0, TextId("%"),
                                      TextId("NEC 215.2 note, IEC 60364-5-52: feeder and branch together")};
inline constexpr Threshold kBuswayDrop{"rule.p6.busway_drop_per_100m", TextId("busway voltage drop per 100 m"), 3.0, TextId("%"),
                                       TextId("Canalis KTA, R and X at power factor 0.95: 2.9 to 3.2 % at full load, half where evenly tapped")};
inline constexpr Threshold kUpsAdvised{"rule.p7.warn_percent", TextId("UPS load warning threshold"), 90.0, TextId("%"),
                                       TextId("assumed: allowance for growth and battery charging")};
inline constexpr Threshold kBatteryMinutes{"rule.p8.minutes", TextId("minimum battery autonomy"), 5.0, TextId("min"),
                                           TextId("assumed: generator start and transfer, with margin")};
inline constexpr Threshold kBatteryDepth{"rule.p8.depth_percent", TextId("depth of discharge"), 95.0, TextId("%"),
                                         TextId("assumed: usable share of the battery energy")};
inline constexpr Threshold kGeneratorStep{"rule.p9.step_percent", TextId("maximum first load step of a generator"), 50.0, TextId("%"),
                                          TextId("ISO 8528-5 G3: first load step of a generator set")};
inline constexpr Threshold kGeneratorStages{"rule.p9.stages", TextId("load steps in which cooling without a UPS restarts"), 3.0, TextId(""),
                                            TextId("assumed: full load of a generator set in 2 to 3 steps 5 to 8 s apart")};
inline constexpr Threshold kGeneratorShare{
    "rule.p9.rating_percent", TextId("maximum generator load"), 100.0, TextId("%"),
    TextId("ISO 8528-1: share of the specified rating; 90 if that is the standby rating and the set runs at prime power")};
inline constexpr Threshold kOversized{"rule.p18.ratio", TextId("maximum ratio of installed to required capacity"), 3.0, TextId(""),
                                      TextId("assumed: 2N at 80 % load, and the step to the next size")};
inline constexpr Threshold kGeneratorLeast{"rule.p19.percent", TextId("minimum generator load"), 30.0, TextId("%"),
                                           TextId("NFPA 110: monthly test at 30 % or more (wet stacking)")};
inline constexpr Threshold kTransformerAdvised{"rule.p10.warn_percent", TextId("transformer load warning threshold"), 80.0, TextId("%"),
                                               TextId("assumed: allowance for harmonics and hot days")};
inline constexpr Threshold kLoadDistortion{"rule.p10.thd_percent", TextId("load current THD"), 5.0, TextId("%"),
                                           TextId("assumed: current THD of the load, all of it in the fifth harmonic; a UPS input is below 3 %")};
inline constexpr Threshold kHarmonicFactor{"rule.p10.k_factor", TextId("transformer K-factor"), 4.0, TextId(),
                                           TextId("assumed: K-factor of transformers for rectifier load, 4 to 13")};
inline constexpr Threshold kStepLow{"rule.p11.low_percent", TextId("accelerator power while waiting (share of design)"), 20.0, TextId("%"),
                                    TextId("assumed: accelerator power while waiting for other accelerators")};
inline constexpr Threshold kStepHigh{"rule.p11.high_percent", TextId("accelerator power while computing (share of design)"), 95.0, TextId("%"),
                                     TextId("assumed: accelerator power while computing")};
inline constexpr Threshold kStepLimit{"rule.p11.limit_kw", TextId("maximum power step"), 0.0, TextId("kW"),
                                      TextId("step allowed by UPS and utility within seconds; 0: not specified")};
inline constexpr Threshold kStepSeconds{"rule.p11.step_s", TextId("step duration"), 2.0, TextId("s"),
                                        TextId("assumed: time within which all accelerators start or stall")};
inline constexpr Threshold kRampLimit{"rule.p11.ramp_kw_s", TextId("maximum power ramp"), 0.0, TextId("kW/s"),
                                      TextId("ramp allowed by UPS and utility per second; 0: not specified")};
inline constexpr Threshold kDiversity{"rule.p12.diversity", TextId("diversity"), 1.0, TextId(),
                                      TextId("assumed: share of the demand that occurs simultaneously")};
inline constexpr Threshold kAisleShare{"rule.s3.aisle_share_mm", TextId("aisle share for load distribution"), 1800.0, TextId("mm"),
                                       TextId("assumed: aisle area that shares a cabinet's weight")};
inline constexpr Threshold kPointLoad{"rule.s3.point_kg", TextId("maximum point load"), 0.0, TextId("kg"),
                                      TextId("floor rating under one caster; 0: not specified")};
inline constexpr Threshold kCasters{"rule.s3.casters", TextId("casters per rack"), 4.0, TextId(), TextId("assumed: casters or feet per cabinet")};
inline constexpr Threshold kUneven{"rule.s3.uneven_percent", TextId("load factor of the most loaded caster"), 130.0, TextId("%"),
                                   TextId("assumed: load on the most loaded caster relative to the mean")};
inline constexpr Threshold kDoorPlay{"rule.s6.play_mm", TextId("door clearance"), 50.0, TextId("mm"),
                                     TextId("assumed: clearance of a cabinet when passing through a door")};
inline constexpr Threshold kCrate{"rule.s6.crate_mm", TextId("height added by packaging"), 0.0, TextId("mm"),
                                  TextId("height that packaging and pallet add to a cabinet; 0: delivered without")};
inline constexpr Threshold kDelivered{"rule.s6.filled_percent", TextId("contents at delivery"), 100.0, TextId("%"),
                                      TextId("assumed: share of its contents that a cabinet is delivered with")};
inline constexpr Threshold kLiftMass{"rule.s6.lift_kg", TextId("elevator capacity"), 0.0, TextId("kg"),
                                     TextId("capacity of the elevator on the delivery route; 0: not specified")};
inline constexpr Threshold kLiftHeight{"rule.s6.lift_height_mm", TextId("elevator door height"), 0.0, TextId("mm"),
                                       TextId("door height of the elevator on the delivery route; 0: not specified")};
inline constexpr Threshold kLiftDepth{"rule.s6.lift_depth_mm", TextId("elevator depth"), 0.0, TextId("mm"),
                                      TextId("depth of the elevator on the delivery route; 0: not specified")};
inline constexpr Threshold kContainedGap{"rule.s7.gap_mm", TextId("gap requiring a blanking panel"), 20.0, TextId("mm"),
                                         TextId("assumed: gap in a contained row that requires a blanking panel")};
inline constexpr Threshold kOpenUnits{"rule.s7.open_u", TextId("maximum open rack units"), 0.0, TextId("U"),
                                      TextId("open rack units of a cabinet in a contained row that require blanking panels; 0: blanking panels "
                                             "are assumed to be installed")};
inline constexpr Threshold kClearGrounded{"rule.s8.grounded_mm", TextId("working space at switchgear, grounded walls"), 1000.0, TextId("mm"),
                                          TextId("NEC 110.26, 151 to 600 V to ground, condition 2")};
inline constexpr Threshold kClearLive{"rule.s8.live_mm", TextId("working space at switchgear, live parts opposite"), 1200.0, TextId("mm"),
                                      TextId("NEC 110.26, 151 to 600 V to ground, condition 3")};
inline constexpr Threshold kBendFactor{"rule.k2.diameters", TextId("bend radius in diameters"), 10.0, TextId("diameters"),
                                       TextId("TIA-568: minimum bend radius of an installed cable whose type specifies none; tray fittings have a "
                                              "radius equal to their width (assumed)")};
inline constexpr Threshold kSeparation{"rule.k4.separation_mm", TextId("separation of power and data"), 200.0, TextId("mm"),
                                       TextId("EN 50174-2: separation of power and data without a barrier")};
inline constexpr Threshold kRunBeside{"rule.k4.length_mm", TextId("minimum parallel length"), 1000.0, TextId("mm"),
                                      TextId("assumed: crossings and shorter runs are ignored")};
inline constexpr Threshold kSidesApart{"rule.k7.busway_mm", TextId("separation of A and B feeds"), 0.0, TextId("mm"),
                                       TextId("required distance between the A and B busways above one row; 0: none")};
inline constexpr Threshold kCduSpare{"rule.c2.spare", TextId("redundant CDUs"), 1.0, TextId("CDUs"),
                                     TextId("assumed: one of a loop's CDUs may fail")};
inline constexpr Threshold kDewMargin{"rule.c3.dew_margin_k", TextId("margin above dew point"), 2.0, TextId("K"),
                                      TextId("assumed: coolant supply temperature above the dew point of the room")};
inline constexpr Threshold kAirSpare{"rule.c4.spare", TextId("redundant air-cooling units"), 1.0, TextId("units"),
                                     TextId("assumed: one of a room's air-cooling units may fail")};
inline constexpr Threshold kInletRecommended{"rule.c5.recommended_c", TextId("inlet air, recommended"), 27.0, TextId("°C"),
                                             TextId("ASHRAE TC 9.9: recommended inlet air temperature, 18 to 27")};
inline constexpr Threshold kInletAllowed{"rule.c5.allowable_c", TextId("inlet air, allowable"), 35.0, TextId("°C"),
                                         TextId("ASHRAE TC 9.9: class A2; 32 in A1")};
inline constexpr Threshold kHeaderSpeed{"rule.c7.header_ms", TextId("maximum header velocity"), 1.83, TextId("m/s"),
                                        TextId("6 ft/s in cabinet headers (OCP modular TCS, quoted)")};
inline constexpr Threshold kHoseSpeed{"rule.c7.hose_ms", TextId("maximum hose velocity"), 3.05, TextId("m/s"),
                                      TextId("10 ft/s in hoses (OCP modular TCS, quoted)")};
inline constexpr Threshold kPipeSpeed{"rule.c7.pipe_ms", TextId("maximum pipe velocity"), 2.5, TextId("m/s"),
                                      TextId("assumed: 1.5 to 2.5 m/s in facility water pipes")};
inline constexpr Threshold kManifoldKpa{"rule.c7.manifold_kpa", TextId("maximum manifold pressure"), 345.0, TextId("kPa"),
                                        TextId("50 psig, typical rating of blind-mate rack manifolds; enter the rating of your manifolds")};
inline constexpr Threshold kFillKpa{"rule.c7.fill_kpa", TextId("fill pressure"), 50.0, TextId("kPa"),
                                    TextId("assumed: gauge pressure to which loops are filled")};
inline constexpr Threshold kHeadMargin{"rule.c7.head_margin_percent", TextId("pump head margin"), 10.0, TextId("%"),
                                       TextId("assumed: share of the pump head, for clogged filters")};
inline constexpr Threshold kRejectionSpare{"rule.c8.spare", TextId("redundant chillers, dry coolers and pumps"), 1.0, TextId("units"),
                                           TextId("assumed: one chiller, dry cooler or pump set may fail")};
inline constexpr Threshold kDenseRack{"rule.c16.rack_kw", TextId("rack power above which pumps and air units require a UPS"), 20.0, TextId("kW"),
                                      TextId("assumed: without cooling, the inlet air of such racks exceeds its limit within a minute")};
inline constexpr Threshold kRoomHeat{"rule.c17.room_kw", TextId("heat load above which a room with batteries requires air units"), 10.0, TextId("kW"),
                                     TextId("assumed: batteries age twice as fast for each 10 K above 25 °C")};
inline constexpr Threshold kChillerRestart{"rule.c9.restart_s", TextId("chiller restart time"), 600.0, TextId("s"),
                                           TextId("assumed: restart lockout of chillers whose type specifies none")};
inline constexpr Threshold kPueTolerance{"rule.c10.pue_percent", TextId("allowable PUE deviation"), 5.0, TextId("%"),
                                         TextId("assumed: share of the specified PUE (ISO/IEC 30134-2)")};
inline constexpr Threshold kWaterUse{"rule.c10.wue_l_kwh", TextId("WUE"), 1.8, TextId("L/kWh"),
                                     TextId("assumed: water per kWh of IT energy (ISO/IEC 30134-9)")};
inline constexpr Threshold kEvaporation{"rule.c10.evaporation_l_kwh", TextId("water evaporation"), 2.0, TextId("L/kWh"),
                                        TextId("assumed: 1.4 to 1.6 L evaporated per kWh of heat, 0.3 to 0.7 blowdown")};
inline constexpr Threshold kAirSpeed{"rule.c12.speed_ms", TextId("maximum air velocity"), 2.5, TextId("m/s"),
                                     TextId("assumed: in cold aisles and at coil faces")};
inline constexpr Threshold kAirRack{"rule.c15.rack_kw", TextId("rack heat rejected to air"), 0.0, TextId("kW"),
                                    TextId("limit of your halls; 0: from rack front, air temperature rise and air-cooling units")};
inline constexpr Threshold kAirFront{"rule.c15.front_ms", TextId("maximum air velocity at rack fronts"), 2.15, TextId("m/s"),
                                     TextId("assumed: 40 kW in a 48U rack at 15 K; racks above 40 kW are liquid-cooled (Alibaba Lingjun talk)")};
inline constexpr Threshold kOpenAisle{
    "rule.c15.open_percent", TextId("supply air at rack fronts without containment"), 90.0, TextId("%"),
    TextId("Wibron et al. 2019: mean of ten racks in open aisles, simulated with 1.2 times the airflow of the racks")};
inline constexpr Threshold kCloseResult{"rule.d3.close_percent", TextId("results within this are equivalent"), 10.0, TextId("%"),
                                        TextId("assumed: uncertainty of unmeasured power figures")};

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
std::vector<Finding> airLimit(const RuleInput&);          // C15

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
std::vector<Finding> oversizedPlant(const RuleInput&);   // P18
std::vector<Finding> lowGeneratorLoad(const RuleInput&); // P19
std::vector<Finding> commonFeeds(const RuleInput&);      // P20
std::vector<Finding> headerLoss(const RuleInput&);       // C13
std::vector<Finding> coolingOffUps(const RuleInput&);    // C16
std::vector<Finding> warmRooms(const RuleInput&);        // C17
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
[[nodiscard]] Text lengthText(std::int64_t millimeters);
/// `groupMark` of cables: the devices that their links join, with the links' ordinals.
[[nodiscard]] std::string cablesMark(const RuleInput& input, std::span<const EntityRef> cables);
/// Links that have neither cable nor modules for this cause, as errors of the given rule.
[[nodiscard]] std::vector<Finding> withoutCable(const RuleInput& input, std::string_view rule, NoCableReason::Cause cause);
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
