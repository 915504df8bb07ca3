// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/functions.h"

namespace hw {

std::span<const Rule> allRules()
{
    using namespace reads;
    using enum Severity;
    static const std::vector<Rule> rules{
        {"P13", Warning, "power capping", kSettings | kSites | kPower, rules::powerCapping, {}},
        {"P14", Error, "rack load over its limit", kSettings | kParts | kRacks | kPower, rules::rackPower, {}},
        {"P15", Error, "hall IT load over its limit", kSettings | kSites | kPower, rules::hallPower, {}},
        {"S1", Error, "rack units overlap or out of range", kParts | kRacks | kDevices, rules::rackUnits, {}},
        {"S2", Error, "rack too heavy", kSettings | kParts | kRacks | kDevices, rules::rackWeight, {rules::kWeightMargin}},
        {"S4",
         Error,
         "aisle too narrow, rack out of its row, row too long",
         kSettings | kParts | kSites | kRacks | kDevices | kPlacement,
         rules::rowsAndAisles,
         {rules::kFrontAisle, rules::kRearAisle, rules::kRearAdvised, rules::kOutOfLine, rules::kApart, rules::kRowLength}},
        {"S5", Error, "racks collide or stand outside their hall", kSites | kRacks | kPlacement, rules::rackCollisions, {}},
        {"S9",
         Warning,
         "too little clearance under the ceiling",
         kSettings | kParts | kSites | kTrays | kPlacement,
         rules::ceiling,
         {rules::kCeilingClearance}},
        {"N1", Error, "port used twice, over its capacity or at another rate", kParts | kDevices | kWiring, rules::portUse, {}},
        {"N2",
         Error,
         "breakout that the port or no cable assembly supports",
         kParts | kNetworks | kDevices | kWiring | kCabling,
         rules::breakouts,
         {}},
        {"N3", Error, "optics that do not work together", kParts | kNetworks | kDevices | kWiring | kCabling, rules::opticPairs, {}},
        {"N4",
         Error,
         "no module for a socket, or one that does not fit it",
         kParts | kNetworks | kDevices | kWiring | kCabling,
         rules::socketFit,
         {}},
        {"N5", Error, "cable longer than its reach", kParts | kNetworks | kDevices | kWiring | kCabling, rules::reach, {}},
        {"N8", Error, "rail or plane mis-wired", kParts | kNetworks | kDevices | kWiring, rules::railsAndPlanes, {}},
        {"N10", Warning, "oversubscription above target", kSettings | kNetworks | kFabric, rules::oversubscription, {rules::kOversubscriptionTarget}},
        {"N11", Warning, "few spare ports", kSettings | kNetworks | kFabric, rules::sparePorts, {rules::kSparePorts}},
        {"N12", Error, "network not connected", kNetworks | kDevices | kWiring | kFabric, rules::connected, {}},
        {"N13", Warning, "switches of one tier linked unevenly", kNetworks | kDevices | kWiring | kFabric, rules::evenCapacity, {}},
        {"N15", Error, "both ports of a NIC on one plane", kParts | kNetworks | kDevices | kWiring, rules::dualPlaneNics, {}},
        {"K1",
         Error,
         "tray too full",
         kSettings | kParts | kTrays | kWiring | kRouting | kCabling,
         rules::trayFill,
         {rules::kTrayPlanned, rules::kTrayFull}},
        {"K3", Error, "cable shorter than its route", kParts | kDevices | kWiring | kCabling, rules::cableLengths, {}},
        {"K6", Error, "cable without a path", kDevices | kNetworks | kWiring | kCabling, rules::cablePaths, {}},
        {"D1", Error, "duplicate names", kNetworks | kSites | kRacks | kTrays | kDevices, rules::duplicateNames, {}},
        {"D3",
         Warning,
         "close result rests on assumed values",
         kSettings | kParts | kSites | kRacks | kDevices | kPower,
         rules::assumedValues,
         {rules::kCloseResult}},
        {"D4", Warning, "weight, power or airflow missing", kParts | kNetworks | kDevices, rules::missingValues, {}},
        {"D5", Warning, "part type with doubts", kParts | kNetworks | kDevices, rules::partLint, {}},
    };
    return rules;
}

} // namespace hw
