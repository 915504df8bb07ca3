// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/feeders/feeder_study.h"

#include "core/foundation/catalogue/entity.h"

#include <cmath>

#include <fmt/format.h>

namespace hw {

namespace {

std::string feederLine(const Text& text) { return words(text) + '\n'; }
std::string cut(const std::string& text, std::size_t most) { return text.size() <= most ? text : text.substr(0, most - 1) + '~'; }

std::string groupsText(const FeederStudy& study, const Figures& figures)
{
    std::string out = '\n' + feederLine(i18n("Feeders at worst-case load (percent: of the voltage; total: from the last transformer or UPS)"));
    out += fmt::format("  {:>5} {:<19} {:<19} {:<15} {:>9} {:>6} {:>6} {:>5} {:>6}\n", words(i18n("count")), words(i18n("from")), words(i18n("to")),
                       words(i18n("conductor")), words(i18n("m")), words(i18n("A")), words(i18n("A max")), words(i18n("drop")), words(i18n("total")));
    for (const FeederGroup& g : feederGroups(study, *figures.snapshot, *figures.parts)) {
        const std::string length =
            g.shortestM == g.longestM ? fmt::format("{:.0f}", g.longestM) : fmt::format("{:.0f}-{:.0f}", g.shortestM, g.longestM);
        const std::string conductor = g.runs > 1 ? fmt::format("{}x {}", g.runs, g.conductor) : g.conductor;
        out += fmt::format("  {:>5} {:<19} {:<19} {:<15} {:>9} {:>6.0f} {:>6.0f} {:>5.2f} {:>6.2f}\n", g.count, cut(g.from, 19), cut(g.to, 19),
                           cut(conductor, 15), length, g.amps, g.ampacity, 100 * g.drop, 100 * g.regulated);
    }
    return out;
}

std::string faultsText(const FeederStudy& study, const Figures& figures)
{
    std::string out = '\n' + feederLine(i18n("Bolted three-phase short circuits, kA (UPS on bypass), most of each type"));
    out += fmt::format("  {:>5} {:<28} {:<24} {:>7} {:>7} {:>7} {:>10}\n", words(i18n("count")), words(i18n("type")), words(i18n("at")),
                       words(i18n("V")), words(i18n("grid")), words(i18n("peak")), words(i18n("generators")));
    const auto kilo = [](double amps) { return amps > 0 ? fmt::format("{:.1f}", amps / 1000) : std::string("–"); };
    for (const FaultGroup& g : faultGroups(study, *figures.snapshot, *figures.parts))
        out += fmt::format("  {:>5} {:<28} {:<24} {:>7.0f} {:>7} {:>7} {:>10}\n", g.count, cut(g.type, 28), cut(g.worst, 24), g.level.volts,
                           kilo(g.level.gridAmps), kilo(g.level.gridPeak), kilo(g.level.setsAmps));
    return out;
}

std::string gridText(const FeederStudy& study, const Figures& figures)
{
    std::string out = '\n' + feederLine(i18n("Grid connection"));
    const auto fact = [&](const Text& label, const Text& value) { out += fmt::format("  {:<26} {}\n", label, value); };
    for (const UtilityLoad& load : study.utilities)
        fact(verbatim(entityName(*figures.snapshot, *figures.parts, ref(load.at))),
             i18n("{:L} kW, {:L} kvar, power factor {:.3f}", std::llround(load.watts / 1000), std::llround(load.vars / 1000), load.factor()));
    fact(i18n("Facility power"), i18n("{:.2f} MW", study.facilityW / 1e6));
    fact(i18n("Contracted demand"), study.contractW > 0 ? i18n("{:.2f} MW", study.contractW / 1e6) : i18n("not stated"));
    fact(i18n("Load step of one job"), i18n("{:.2f} MW in {:g} s", study.swing.watts / 1e6, study.swing.seconds));
    if (!study.grid) {
        fact(i18n("Grid operator"), i18n("not stated; set site.grid"));
        return out;
    }
    const GridRule& g = *study.grid;
    fact(i18n("Grid operator"), i18n("{} ({})", g.title, g.status));
    const auto limit = [&](const Text& label, double computed, double most, double seconds) {
        if (most <= 0)
            fact(label, i18n("no published limit"));
        else
            fact(label, computed > most ? i18n("! {:.1f} MW within {:g} s, limit {:g} MW", computed, seconds, most)
                                        : i18n("{:.1f} MW within {:g} s, limit {:g} MW", computed, seconds, most));
    };
    limit(i18n("Load step"), study.swing.within(g.stepS) / 1e6, g.stepMw, g.stepS);
    limit(i18n("Ramp"), study.swing.within(60) / 1e6, g.rampMwPerMin, 60);
    if (!g.recovery.empty()) fact(i18n("Recovery after a fault"), verbatim(g.recovery));
    if (study.facilityW < g.fromMw * 1e6) fact(i18n("Applies from"), i18n("{:g} MW", g.fromMw));
    return out;
}

std::string contractText(const FeederStudy& study)
{
    if (study.phases.empty()) return {};
    std::string out = '\n' + feederLine(i18n("Phases"));
    for (const FeederStudy::Phase& phase : study.phases) {
        const Text contract = phase.contractW <= 0                ? i18n("no contract stated")
                              : phase.facilityW > phase.contractW ? i18n("! contracted {:.2f} MW", phase.contractW / 1e6)
                                                                  : i18n("contracted {:.2f} MW", phase.contractW / 1e6);
        out += fmt::format("  {:>2} {:<24} {:>12}   {}\n", phase.number, phase.name, i18n("{:.2f} MW", phase.facilityW / 1e6), contract);
    }
    return out;
}

} // namespace

std::string feederText(const FeederStudy& study, const Figures& figures, const DesignStamp& stamp)
{
    std::string out = feederLine(stamp.text());
    out += groupsText(study, figures);
    out += fmt::format("  {:<26} {}\n", i18n("Losses in normal operation"),
                       i18n("{:.1Lf} kW at a conductor temperature of {:g} °C", study.lossW() / 1000, study.conductorC));
    out += faultsText(study, figures) + gridText(study, figures) + contractText(study);
    return out + '\n' + feederLine(feederScope()[0]) + feederLine(feederScope()[1]);
}

} // namespace hw
