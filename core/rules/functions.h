// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/facility.h"
#include "core/rules/rule.h"

/// The rule functions and the thresholds that they compare with; `allRules()` lists both.
namespace hw::rules {

// Sources: NEC 210.20 and the like stand with each threshold; "assumed" means that no document was found.
inline constexpr Threshold kOversubscriptionTarget{"rule.n10.target", 1.0, TextId(":1"), TextId("non-blocking back-end fabric (Clos 1953)")};
inline constexpr Threshold kSparePorts{"rule.n11.spare_percent", 2.0, TextId("%"), TextId("assumed: a couple of spare ports on a 128-port switch")};
inline constexpr Threshold kTrayPlanned{"rule.k1.planned_percent", 25.0, TextId("%"), TextId("TIA-569: initial fill of cable trays")};
inline constexpr Threshold kTrayFull{"rule.k1.full_percent", 50.0, TextId("%"), TextId("TIA-569: maximum fill of cable trays")};
inline constexpr Threshold kCeilingClearance{"rule.s9.clearance_mm", 450.0, TextId("mm"), TextId("NFPA 13: 18 in below sprinklers")};
inline constexpr Threshold kRowLength{"rule.s4.racks_per_row", 20.0, TextId("racks"), TextId("BICSI 002: at most 20 cabinets in a row")};
inline constexpr Threshold kFrontAisle{"rule.s4.front_aisle_mm", 1200.0, TextId("mm"), TextId("TIA-942: at least 1.2 m before cabinets")};
inline constexpr Threshold kRearAisle{"rule.s4.rear_aisle_mm", 900.0, TextId("mm"), TextId("BICSI 002: at least 0.9 m behind cabinets")};
inline constexpr Threshold kRearAdvised{"rule.s4.rear_advised_mm", 1000.0, TextId("mm"), TextId("TIA-942: 1.0 m behind cabinets preferred")};
inline constexpr Threshold kOutOfLine{"rule.s4.out_of_line_mm", 300.0, TextId("mm"), TextId("assumed: cabinets of unlike depth stand in one line")};
inline constexpr Threshold kApart{"rule.s4.apart_mm", 1200.0, TextId("mm"), TextId("assumed: a passage through a row, as wide as a front aisle")};
inline constexpr Threshold kWeightMargin{"rule.s2.warn_percent", 90.0, TextId("%"), TextId("assumed: room for cables and power strips")};
inline constexpr Threshold kCloseResult{"rule.d3.close_percent", 10.0, TextId("%"), TextId("assumed: spread of unmeasured power figures")};

std::vector<Finding> portUse(const RuleInput&);          // N1
std::vector<Finding> breakouts(const RuleInput&);        // N2
std::vector<Finding> opticPairs(const RuleInput&);       // N3
std::vector<Finding> socketFit(const RuleInput&);        // N4
std::vector<Finding> reach(const RuleInput&);            // N5
std::vector<Finding> railsAndPlanes(const RuleInput&);   // N8
std::vector<Finding> oversubscription(const RuleInput&); // N10
std::vector<Finding> sparePorts(const RuleInput&);       // N11
std::vector<Finding> connected(const RuleInput&);        // N12
std::vector<Finding> evenCapacity(const RuleInput&);     // N13
std::vector<Finding> dualPlaneNics(const RuleInput&);    // N15
std::vector<Finding> rackPower(const RuleInput&);        // P14
std::vector<Finding> hallPower(const RuleInput&);        // P15
std::vector<Finding> powerCapping(const RuleInput&);     // P13
std::vector<Finding> rackUnits(const RuleInput&);        // S1
std::vector<Finding> rackWeight(const RuleInput&);       // S2
std::vector<Finding> rowsAndAisles(const RuleInput&);    // S4
std::vector<Finding> rackCollisions(const RuleInput&);   // S5
std::vector<Finding> ceiling(const RuleInput&);          // S9
std::vector<Finding> trayFill(const RuleInput&);         // K1
std::vector<Finding> cableLengths(const RuleInput&);     // K3
std::vector<Finding> cablePaths(const RuleInput&);       // K6
std::vector<Finding> duplicateNames(const RuleInput&);   // D1
std::vector<Finding> assumedValues(const RuleInput&);    // D3
std::vector<Finding> missingValues(const RuleInput&);    // D4
std::vector<Finding> partLint(const RuleInput&);         // D5

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
