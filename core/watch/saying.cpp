// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/saying.h"

#include "core/impact/story_coolant.h"

namespace hw::watch {

using live::Measure;

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
    case Measure::Flow: return i18n("{:.0f} L/min", value);
    case Measure::SupplyTemperature:
    case Measure::ReturnTemperature:
    case Measure::AirInlet:
    case Measure::AirOutlet:
    case Measure::DewPoint:
    case Measure::Temperature: return i18n("{:.1f} °C", value);
    case Measure::Utilisation:
    case Measure::StateOfCharge: return i18n("{:.0f} %", value);
    case Measure::Errors:
    case Measure::Drops: return i18n("{:.0f} a second", value);
    default: return i18n("{:.3g}", value);
    }
}

Text deviationText(DeviationKind kind, Measure measure, double measured, double expected)
{
    const Text is = valueText(measure, measured), should = valueText(measure, expected);
    switch (kind) {
    case DeviationKind::OverBudget: return i18n("carries {}, {} are planned or allowed", is, should);
    case DeviationKind::PhaseImbalance: return i18n("the fullest phase carries {}, the mean of the three is {}", is, should);
    case DeviationKind::LowFlow: return i18n("{} flow, the heat needs {}", is, should);
    case DeviationKind::HighSupply: return i18n("is at {}, at most {} are meant for it", is, should);
    case DeviationKind::LowLinkLoad: return i18n("carries {}, the simulation has {}", is, should);
    case DeviationKind::Idle: return i18n("draws {} while its like draw {}", is, should);
    case DeviationKind::LowPerformance: return i18n("works at {} of {}", is, should);
    case DeviationKind::PacketLoss: return i18n("loses {}", is);
    case DeviationKind::WrongSetting: return i18n("is set to {}, the design has {}", is, should);
    case DeviationKind::NoConnection: return i18n("is down");
    case DeviationKind::BadSensor: return i18n("cannot be right: {} against {}", is, should);
    }
    return {};
}

Text linkFaultText(const LinkFault& fault, Measure measure, const std::string& link)
{
    const Text said = measure == Measure::LinkLanes ? i18n("runs on {:.0f} of {:.0f} lanes", fault.measured, fault.expected)
                                                    : deviationText(fault.kind, measure, fault.measured, fault.expected);
    if (fault.at.kind == EntityKind::Device)
        return i18n("{0} of its {1} measured links show the same: {2} (worst {3})", fault.bad, fault.measuredLinks, said, link);
    if (fault.kind == DeviationKind::PacketLoss && measure == Measure::Errors) return i18n("{}: frames arrive damaged over this link", said);
    if (fault.kind == DeviationKind::PacketLoss) return i18n("{}: no buffer is left at this port", said);
    return said;
}

/// After NVIDIA's Xid catalogue (docs.nvidia.com/deploy/xid-errors).
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
    case 48: return i18n("an error of two bits in its memory");
    case 62: return i18n("its controller has halted");
    case 63: return i18n("a row of its memory is replaced by a spare one");
    case 64: return i18n("a row of its memory could not be replaced");
    case 74: return i18n("an error of its NVLink");
    case 92: return i18n("many errors of one bit in its memory");
    case 94: return i18n("an error of its memory that one program met");
    case 95: return i18n("an error of its memory that any program may have met");
    case 119:
    case 120: return i18n("its system processor does not answer");
    case 140: return i18n("an error of its memory that was not recovered");
    default: return code >= 144 && code <= 150 ? i18n("an error of its NVLink") : i18n("see NVIDIA's catalogue of Xid errors");
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
        parts.push_back(i18np(loss.gpusDegraded.active, "{:L} GPU has less bandwidth.", "{:L} GPUs have less bandwidth."));
    if (loss.redundancyLost > 0)
        parts.push_back(i18np(loss.redundancyLost, "{:L} thing is left without its reserve.", "{:L} things are left without their reserve."));
    if (const auto ms = effect.rideThroughMs())
        parts.push_back(effect.ridesOnCoolant() ? i18n("Coolant or air reaches its limit after {}.", impact::timeText(*ms))
                                                : i18n("Batteries last {}.", impact::timeText(*ms)));
    return parts.empty() ? Text() : together(std::move(parts));
}

Text flowText(const FlowSaid& said, const impact::Effect& effect)
{
    constexpr std::size_t kMostNamed = 6;
    constexpr double kTurnsFast = 70; // %: pumps that turn so fast and move little push against something (assumed)
    std::vector<std::string> names(said.units.begin(), said.units.begin() + std::ptrdiff_t(std::min(said.units.size(), kMostNamed)));
    const auto more = std::int64_t(said.units.size() - names.size());
    const Text units = more > 0 ? i18np(more, "{1} and {0:L} more", "{1} and {0:L} more", listedNames(names)) : listedNames(names);
    std::vector<Text> parts;
    if (said.part > 0)
        parts.push_back(
            said.whole ? i18n("The loop {} is short of flow, as far as values tell: {:.0f} of {:.0f} L/min come from {}.", said.loop, said.moved,
                              said.part, units)
                       : i18np(std::int64_t(said.units.size()), "{1} moves {2:.0f} L/min of the {3:.0f} that are its part, as far as values tell.",
                               "{1} move {2:.0f} L/min of the {3:.0f} that are their part, as far as values tell.", units, said.moved, said.part));
    else
        parts.push_back(i18n("The loop {} is short of flow, as far as values tell; what comes from {} is not measured.", said.loop, units));
    if (said.pumps >= kTurnsFast)
        parts.push_back(i18n("Pumps turn at {:.0f} %: something is in the way, a filter, a strainer or a valve.", said.pumps));
    if (said.racks > 0)
        parts.push_back(i18np(std::int64_t(said.racks), "{0:L} rack gets {1:.0f} of the {2:.0f} L/min that its heat needs.",
                              "{0:L} racks get {1:.0f} of the {2:.0f} L/min that their heat needs.", said.rackMoved, said.rackNeed));
    if (said.warm > 0) parts.push_back(i18np(std::int64_t(said.warm), "{:L} rack gets warmer than it may.", "{:L} racks get warmer than they may."));
    if (said.racks == 0 && !said.whole) parts.push_back(i18n("The others of {} take it over.", said.loop));
    if (said.gpus > 0) parts.push_back(i18np(said.gpus, "{:L} GPU is too little cooled.", "{:L} GPUs are too little cooled."));
    if (said.whole)
        parts.push_back(i18np(said.gpusOnIt, "{:L} GPU hangs on it.", "{:L} GPUs hang on it."));
    else if (const Text loss = lossText(effect); !loss.empty())
        parts.push_back(i18n("If that fails altogether: {}", loss));
    return together(std::move(parts));
}

Text causeText(const CauseSaid& said, const impact::Effect& effect)
{
    std::vector<Text> parts{i18n("{} has failed, as far as values tell.", said.name)};
    if (said.racksOnOneSide > 0) {
        const auto racks = std::int64_t(said.racksOnOneSide);
        parts.push_back(i18np(racks, "{:L} rack carries all on its other side.", "{:L} racks carry all on their other side."));
    }
    if (said.fullest > 0)
        parts.push_back(i18n("The fullest feed that took over is {} at {:.0f} % of its rating.", said.fullestName, said.fullest * 100));
    if (const Text loss = lossText(effect); !loss.empty()) {
        if (!said.with.empty()) parts.push_back(i18n("Together with {}:", listedNames(said.with)));
        parts.push_back(loss);
    }
    if (!said.alike.empty()) parts.push_back(i18n("Values do not tell it apart from {}.", listedNames(said.alike)));
    return together(std::move(parts));
}

} // namespace hw::watch
