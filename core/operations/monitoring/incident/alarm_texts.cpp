// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/alarm_texts.h"

#include "core/derived/impact/story_coolant.h"

#include <cmath>

namespace hw::monitoring {

using bindings::Measure;

Text valueText(Measure measure, double value)
{
    switch (measure) {
    case Measure::ActivePower:
    case Measure::Heat:
        return value >= 1e6 ? i18n("{:.2f} MW", value / 1e6) : value >= 1000 ? i18n("{:.1f} kW", value / 1000) : i18n("{:.0f} W", value);
    case Measure::ApparentPower: return value >= 1e6 ? i18n("{:.2f} MVA", value / 1e6) : i18n("{:.1f} kVA", value / 1000);
    case Measure::Transmit:
    case Measure::Receive:
    case Measure::LinkRate: return i18n("{:.0f} Gb/s", value / 1e9);
    case Measure::Current: return i18n("{:.1f} A", value);
    case Measure::Flow: return i18n("{:.0Lf} L/min", value);
    case Measure::SupplyTemperature:
    case Measure::ReturnTemperature:
    case Measure::AirInlet:
    case Measure::AirOutlet:
    case Measure::DewPoint:
    case Measure::Temperature: return i18n("{:.1f} °C", value);
    case Measure::Utilization:
    case Measure::StateOfCharge: return i18n("{:.0f} %", value);
    case Measure::Errors:
    case Measure::Drops:
    case Measure::Retransmits: return i18n("{:.0f}/s", value);
    default: return i18n("{:.3g}", value);
    }
}

Text deviationText(DeviationKind kind, Measure measure, double measured, double expected)
{
    Text is = valueText(measure, measured), should = valueText(measure, expected);
    if (measure == Measure::ActivePower && std::abs(measured) >= 1000 && words(is) == words(should)) { // the difference shows
        const auto kilo = [](double watts) { return i18n("{:.2Lf} kW", watts / 1000); };
        is = kilo(measured), should = kilo(expected);
    }
    switch (kind) {
    case DeviationKind::OverBudget: return i18n("carries {}; planned or rated {}", is, should);
    case DeviationKind::PhaseImbalance: return i18n("phase imbalance: highest phase {}, average {}", is, should);
    case DeviationKind::LowFlow: return i18n("flow {}; {} required for the heat load", is, should);
    case DeviationKind::HighSupply: return i18n("at {}; design maximum {}", is, should);
    case DeviationKind::LowLinkLoad: return i18n("carries {}; simulation expects {}", is, should);
    case DeviationKind::Idle: return i18n("draws {}; comparable devices draw {}", is, should);
    case DeviationKind::LowPerformance: return i18n("performs at {} of expected {}", is, should);
    case DeviationKind::PacketLoss: return i18n("packet loss {}", is);
    case DeviationKind::WrongSetting: return i18n("configured {}; design specifies {}", is, should);
    case DeviationKind::NoConnection: return i18n("is down");
    case DeviationKind::BadSensor: return i18n("implausible: reads {}, cross-check gives {}", is, should);
    }
    return {};
}

/// After NVIDIA's Xid catalog (docs.nvidia.com/deploy/xid-errors).
Text xidText(double code)
{
    if (!(code > 0 && code < 100'000)) return {};
    switch (int(code)) {
    case 8:
    case 11:
    case 13:
    case 31:
    case 43:
    case 45: return {}; // the program is to be started again
    case 79: return {}; // it does not answer any more: see causes
    case 48: return i18n("double-bit ECC error");
    case 62: return i18n("GPU microcontroller halted");
    case 63: return i18n("row remapping recorded");
    case 64: return i18n("row remapping failed: replace GPU");
    case 74: return i18n("NVLink error");
    case 92: return i18n("high rate of single-bit ECC errors");
    case 94: return i18n("contained ECC error");
    case 95: return i18n("uncontained ECC error: reset GPU");
    case 119:
    case 120: return i18n("GSP RPC timeout");
    case 140: return i18n("unrecovered ECC error");
    default: return code >= 144 && code <= 150 ? i18n("NVLink error") : i18n("see the NVIDIA XID error catalog");
    }
}

Text lossText(const impact::Effect& effect)
{
    std::vector<Text> parts;
    const impact::Loss& loss = effect.loss;
    if (loss.gpusLost.active > 0) parts.push_back(i18np(loss.gpusLost.active, "{:L} GPU is lost.", "{:L} GPUs are lost."));
    if (loss.gpusLost.active == 0 && loss.hostsLost.active > 0)
        parts.push_back(i18np(loss.hostsLost.active, "{:L} server is lost.", "{:L} servers are lost."));
    if (loss.gpusDegraded.active > 0)
        parts.push_back(i18np(loss.gpusDegraded.active, "{:L} GPU has reduced bandwidth.", "{:L} GPUs have reduced bandwidth."));
    if (loss.redundancyLost > 0)
        parts.push_back(i18np(loss.redundancyLost, "{:L} component without redundancy.", "{:L} components without redundancy."));
    if (const auto ms = effect.rideThroughMs())
        parts.push_back(effect.ridesOnCoolant() ? i18n("Thermal ride-through: {}.", impact::timeText(*ms))
                                                : i18n("Battery autonomy: {}.", impact::timeText(*ms)));
    return parts.empty() ? Text() : together(std::move(parts));
}

Text flowText(const FlowText& said, const impact::Effect& effect)
{
    constexpr std::size_t kMostNamed = 6;
    constexpr double kTurnsFast = 70; // %: pumps that turn so fast and move little push against something (assumed)
    std::vector<std::string> names(said.units.begin(), said.units.begin() + std::ptrdiff_t(std::min(said.units.size(), kMostNamed)));
    const auto more = std::int64_t(said.units.size() - names.size());
    const Text units = more > 0 ? i18np(more, "{1} and {0:L} more", "{1} and {0:L} more", listedNames(names)) : listedNames(names);
    std::vector<Text> parts;
    if (said.part > 0)
        parts.push_back(said.whole ? i18n("Low flow in loop {}: {:.0f} of {:.0Lf} L/min delivered by {} (inferred from telemetry).", said.loop,
                                          said.moved, said.part, units)
                                   : i18np(std::int64_t(said.units.size()), "{1} delivers {2:.0f} of its expected {3:.0f} L/min (inferred).",
                                           "{1} deliver {2:.0f} of their expected {3:.0f} L/min (inferred).", units, said.moved, said.part));
    else
        parts.push_back(i18n("Low flow in loop {} (inferred from telemetry); flow from {} is not measured.", said.loop, units));
    if (said.pumps >= kTurnsFast) parts.push_back(i18n("Pumps at {:.0f} % speed with low flow: check filters, strainers and valves.", said.pumps));
    if (said.racks > 0)
        parts.push_back(i18np(std::int64_t(said.racks), "{0:L} rack receives {1:.0f} of the {2:.0f} L/min required for its heat load.",
                              "{0:L} racks receive {1:.0f} of the {2:.0f} L/min required for their heat load.", said.rackMoved, said.rackNeed));
    if (said.warm > 0)
        parts.push_back(i18np(std::int64_t(said.warm), "{:L} rack above its temperature limit.", "{:L} racks above their temperature limit."));
    if (said.racks == 0 && !said.whole) parts.push_back(i18n("The remaining units of {} carry the load.", said.loop));
    if (said.gpus > 0) parts.push_back(i18np(said.gpus, "{:L} GPU insufficiently cooled.", "{:L} GPUs insufficiently cooled."));
    if (said.whole)
        parts.push_back(i18np(said.gpusOnIt, "{:L} GPU depends on it.", "{:L} GPUs depend on it."));
    else if (const Text loss = lossText(effect); !loss.empty())
        parts.push_back(i18n("If it fails completely: {}", loss));
    return together(std::move(parts));
}

Text causeText(const CauseText& said, const impact::Effect& effect)
{
    std::vector<Text> parts{i18n("{} has probably failed (inferred from telemetry).", said.name)};
    if (said.racksOnOneSide > 0) {
        const auto racks = std::int64_t(said.racksOnOneSide);
        parts.push_back(i18np(racks, "{:L} rack on its remaining feed only.", "{:L} racks on their remaining feed only."));
    }
    if (said.fullest > 0) {
        const double percent = said.fullest * 100;
        parts.push_back(said.fullestElement == PowerElement::Shelf
                            ? i18n("Most loaded remaining power shelf: {} at {:.0f} % of rating.", said.fullestName, percent)
                        : said.fullestElement == PowerElement::Pdu
                            ? i18n("Most loaded remaining rack PDU: {} at {:.0f} % of rating.", said.fullestName, percent)
                            : i18n("Most loaded remaining feed: {} at {:.0f} % of rating.", said.fullestName, percent));
    }
    if (const Text loss = lossText(effect); !loss.empty()) {
        if (!said.with.empty()) parts.push_back(i18n("Combined impact with {}:", listedNames(said.with)));
        parts.push_back(loss);
    }
    if (!said.alike.empty()) parts.push_back(i18n("Telemetry cannot distinguish it from {}.", listed(said.alike)));
    return together(std::move(parts));
}

Text endedText(const Alarm& alarm, const std::string& cause)
{
    if (alarm.kind != AlarmKind::Cause || cause.empty()) return alarm.what;
    if (alarm.id.starts_with("flow:")) return i18n("low coolant flow from {}", cause);
    return i18n("probable failure of {}", cause);
}

Text endedText(const Deviation& d, const std::string& entity)
{
    using bindings::Measure;
    switch (d.kind) {
    case DeviationKind::OverBudget: return i18n("overload of {}", entity);
    case DeviationKind::PhaseImbalance: return i18n("phase imbalance of {}", entity);
    case DeviationKind::LowFlow: return i18n("low flow of {}", entity);
    case DeviationKind::HighSupply: return i18n("high temperature of {}", entity);
    case DeviationKind::LowLinkLoad: return i18n("low link load of {}", entity);
    case DeviationKind::Idle: return i18n("low power draw of {}", entity);
    case DeviationKind::LowPerformance:
        return d.measure == Measure::Transmit || d.measure == Measure::Receive ? i18n("low throughput of {}", entity)
                                                                               : i18n("low performance of {}", entity);
    case DeviationKind::PacketLoss: return i18n("packet loss of {}", entity);
    case DeviationKind::WrongSetting: return i18n("configuration mismatch of {}", entity);
    case DeviationKind::NoConnection: return i18n("connection loss of {}", entity);
    case DeviationKind::BadSensor: return i18n("implausible reading of {}", entity);
    }
    return d.what;
}

} // namespace hw::monitoring
