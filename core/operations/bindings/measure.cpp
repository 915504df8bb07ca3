// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/measure.h"

#include <array>

namespace hw::bindings {

namespace {

/// In the order of Measure. Limits are wide: what lies outside is no operating state of any hall (assumed).
constexpr std::size_t kMeasures = kWords<Measure>.size();
const std::array<MeasureInfo, kMeasures> kInfo{{
    {"W", TextId("Active power"), false, -1e9, 1e9},
    {"VA", TextId("Apparent power"), false, 0, 1e9},
    {"Wh", TextId("Energy"), false, 0, 0},
    {"A", TextId("Current"), false, -1e5, 1e5},
    {"V", TextId("Voltage"), false, -1e6, 1e6},
    {"Hz", TextId("Frequency"), false, 0, 1000},
    {"", TextId("Power factor"), false, -1, 1},
    {"%", TextId("State of charge"), false, 0, 101},
    {"", TextId("Breaker closed"), true, 0, 0},
    {"°C", TextId("Supply temperature"), false, -40, 120},
    {"°C", TextId("Return temperature"), false, -40, 120},
    {"L/min", TextId("Flow"), false, -1, 1e6},
    {"kPa", TextId("Differential pressure"), false, -2000, 2000},
    {"kPa", TextId("Pressure"), false, -101.325, 10'000},
    {"W", TextId("Heat"), false, -1e9, 1e9},
    {"%", TextId("Valve position"), false, -5, 105},
    {"%", TextId("Pump speed"), false, -1, 150},
    {"%", TextId("Fan speed"), false, -1, 150},
    {"rpm", TextId("Rotational speed"), false, -1, 200'000},
    {"%", TextId("Damper position"), false, -5, 105},
    {"°C", TextId("Air inlet temperature"), false, -40, 80},
    {"°C", TextId("Air outlet temperature"), false, -40, 100},
    {"m³/s", TextId("Air flow"), false, -1, 10'000},
    {"%", TextId("Humidity"), false, 0, 101},
    {"°C", TextId("Dew point"), false, -80, 60},
    {"%", TextId("Level"), false, -5, 105},
    {"", TextId("Leak"), true, 0, 0},
    {"", TextId("Status"), true, 0, 0},
    {"°C", TextId("Temperature"), false, -60, 200},
    {"%", TextId("Utilization"), false, -1, 105},
    {"MHz", TextId("Clock frequency"), false, 0, 100'000},
    {"B", TextId("Memory used"), false, 0, 1e15},
    {"", TextId("Error code"), true, 0, 0},
    {"bit/s", TextId("Transmitted"), false, 0, 1e14},
    {"bit/s", TextId("Received"), false, 0, 1e14},
    {"1/s", TextId("Errors"), false, 0, 0},
    {"1/s", TextId("Drops"), false, 0, 0},
    {"", TextId("Link state"), true, 0, 0},
    {"bit/s", TextId("Link rate"), false, 0, 1e14},
    {"", TextId("Lanes in use"), true, 0, 0},
    {"1/s", TextId("Link state changes"), false, 0, 0},
    {"dBm", TextId("Optical power"), false, -90, 40},
    {"1/s", TextId("Retransmissions"), false, 0, 0},
}};

} // namespace

const MeasureInfo& infoOf(Measure measure) { return kInfo[std::size_t(measure) < kMeasures ? std::size_t(measure) : 0]; }

} // namespace hw::bindings
