// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/feeders/feeder_study.h"

#include "core/foundation/catalog/entity.h"

#include <cmath>

#include <fmt/format.h>

namespace hw {

namespace {

std::string feederLine(const Text& text) { return words(text) + '\n'; }
/// At most 100 columns wide.
std::string feederParagraph(const Text& text)
{
    constexpr std::size_t kColumns = 100;
    std::string rest = words(text), out;
    for (std::size_t at; rest.size() > kColumns && (at = rest.rfind(' ', kColumns)) != std::string::npos; rest.erase(0, at + 1))
        out += rest.substr(0, at) + '\n';
    return out + rest + '\n';
}
std::string cut(const std::string& text, std::size_t most) { return text.size() <= most ? text : text.substr(0, most - 1) + '~'; }

/// "15,360"
std::string whole(double value) { return words(i18n("{:L}", std::int64_t(std::llround(value)))); }

std::string groupsText(const FeederStudy& study, const Figures& figures)
{
    const Text title = study.lost.empty() ? i18n("Feeders at worst-case load (drop in % of nominal voltage; total: from the last transformer or UPS)")
                                          : i18n("Feeders in this state (drop in % of nominal voltage; total: from the last transformer or UPS)");
    std::string out = '\n' + feederLine(title);
    out += fmt::format("  {:>6} {:<18} {:<18} {:<15} {:>9} {:>6} {:>6} {:>5} {:>6}\n", words(i18n("count")), words(i18n("from")), words(i18n("to")),
                       words(i18n("conductor")), words(i18n("m")), words(i18n("A")), words(i18n("A max")), words(i18n("drop")), words(i18n("total")));
    for (const FeederGroup& g : feederGroups(study, *figures.snapshot, *figures.parts)) {
        const std::string length = g.shortestM == g.longestM ? whole(g.longestM) : fmt::format("{}-{}", whole(g.shortestM), whole(g.longestM));
        const std::string conductor = g.runs > 1 ? fmt::format("{}x {}", g.runs, g.conductor) : g.conductor;
        out += fmt::format("  {:>6} {:<18} {:<18} {:<15} {:>9} {:>6} {:>6} {:>5.2f} {:>6.2f}\n", whole(double(g.count)), cut(g.from, 18),
                           cut(g.to, 18), cut(conductor, 15), length, whole(g.amps), whole(g.ampacity), 100 * g.drop, 100 * g.regulated);
    }
    if (const auto over = study.overloaded(); !over.empty()) {
        const auto name = [&](DeviceId id) { return entityName(*figures.snapshot, *figures.parts, ref(id)); };
        const Feeder& worst = *over.front();
        out += "  ! " + feederLine(i18np(over.size(), "{0:L} conductor run above its ampacity: {1} – {2}, {3} A of {4} A",
                                         "{0:L} conductor runs above their ampacity, the worst {1} – {2}: {3} A of {4} A", name(worst.supplier),
                                         name(worst.consumer), whole(worst.worstAmps), whole(double(worst.size.carriesMa) / 1000)));
    }
    return out;
}

std::string faultsText(const FeederStudy& study, const Figures& figures)
{
    if (!study.lost.empty()) return {};
    std::string out = '\n' + feederLine(i18n("Bolted three-phase fault currents, kA (UPS on bypass), highest of each type"));
    out += fmt::format("  {:>6} {:<24} {:<20} {:>8} {:>6} {:>6} {:>10} {:>9}\n", words(i18n("count")), words(i18n("type")), words(i18n("at")),
                       words(i18n("voltage")), words(i18n("grid")), words(i18n("peak")), words(i18n("generators")), words(i18n("withstand")));
    const auto kilo = [](double amps) { return amps > 0 ? fmt::format("{:.1f}", amps / 1000) : std::string("–"); };
    for (const FaultGroup& g : faultGroups(study, *figures.snapshot, *figures.parts)) {
        const bool over = g.withstand > 0 && g.level.most() > g.withstand;
        out += fmt::format("{} {:>6} {:<24} {:<20} {:>8} {:>6} {:>6} {:>10} {:>9}\n", over ? '!' : ' ', whole(double(g.count)), cut(g.type, 24),
                           cut(g.worst, 20), whole(nominalVolts(g.level.volts)) + " V", kilo(g.level.gridAmps), kilo(g.level.gridPeak),
                           kilo(g.level.setsAmps), kilo(g.withstand));
    }
    return out;
}

std::string gridText(const FeederStudy& study, const Figures& figures)
{
    std::string out = '\n' + feederLine(i18n("Grid connection"));
    for (const GridFact& fact : gridFacts(study, *figures.snapshot, *figures.parts)) {
        const std::string limit = words(fact.limit);
        out +=
            fmt::format("  {:<26} {}{}{}\n", cut(words(fact.label), 26), fact.over ? "! " : "", words(fact.value), limit.empty() ? "" : ", " + limit);
    }
    return out;
}

/// What is out of service, and what that leaves without power.
std::string stateText(const FeederStudy& study, const Figures& figures)
{
    if (study.lost.empty()) return {};
    std::vector<std::string> names;
    for (const DeviceId id : study.lost) names.push_back(entityName(*figures.snapshot, *figures.parts, ref(id)));
    return feederLine(
        i18n("Without {}: {}", listedNames(names),
             study.dark.empty() ? i18n("nothing else loses power") : i18np(study.dark.size(), "{:L} device loses power", "{:L} devices lose power")));
}

} // namespace

std::string feederText(const FeederStudy& study, const Figures& figures, const DesignStamp& stamp)
{
    std::string out = feederLine(stamp.text()) + stateText(study, figures);
    out += groupsText(study, figures);
    out += fmt::format("  {:<26} {}\n", study.lost.empty() ? i18n("Losses in normal operation") : i18n("Losses in this state"),
                       i18n("{:.1Lf} kW at a conductor temperature of {:g} °C", study.lossW() / 1000, study.conductorC));
    out += faultsText(study, figures) + gridText(study, figures);
    return out + '\n' + feederParagraph(feederScope()[0]) + feederParagraph(feederScope()[1]);
}

} // namespace hw
