// SPDX-License-Identifier: GPL-3.0-or-later
// Feeders, short circuits and the grid connection.
#include "core/output/document/parts.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/feeders/feeder_study.h"
#include "core/output/report/amounts.h"

#include <cmath>

namespace hw::document {
namespace {

Text whole(double value) { return amounts::grouped(std::llround(value)); }

Table feedersTable(const FeederStudy& study, const Input& in)
{
    Table table;
    table.caption = i18n("Feeders at worst-case load");
    table.columns = {{i18n("From"), 1.4},
                     {i18n("To"), 1.4},
                     {i18n("Conductor"), 1.4},
                     {i18n("Count"), 0.6, true},
                     {i18n("Longest, m"), 0.8, true},
                     {i18n("A"), 0.6, true},
                     {i18n("Ampacity, A"), 0.9, true},
                     {i18n("Drop, %"), 0.7, true},
                     {i18n("Total, %"), 0.7, true}};
    const double allowed = numberSetting(in.snapshot(), "rule.p6.total_drop_percent", 5) / 100;
    for (const FeederGroup& g : feederGroups(study, in.snapshot(), in.parts()))
        table.rows.push_back(
            {{verbatim(g.from), verbatim(g.to), g.runs > 1 ? i18n("{} × {}", g.runs, g.conductor) : verbatim(g.conductor),
              amounts::grouped(std::int64_t(g.count)), whole(g.longestM),
              Cell(whole(g.amps), g.ampacity > 0 && g.amps > g.ampacity + 0.5 ? Tone::Bad : Tone::Plain), whole(g.ampacity),
              i18n("{:.2f}", 100 * g.drop), Cell(i18n("{:.2f}", 100 * g.regulated), g.regulated > allowed ? Tone::Bad : Tone::Plain)}});
    return table;
}

Table faultsTable(const FeederStudy& study, const Input& in)
{
    Table table;
    table.caption = i18n("Bolted three-phase fault currents, kA (UPS on bypass), highest of each type");
    table.columns = {{i18n("Type"), 1.6},
                     {i18n("At"), 1.4},
                     {i18n("Count"), 0.6, true},
                     {i18n("Voltage"), 0.8, true},
                     {i18n("From the grid"), 0.9, true},
                     {i18n("Peak"), 0.7, true},
                     {i18n("From generators"), 1, true},
                     {i18n("Withstand"), 0.8, true}};
    const auto kilo = [](double amps) { return amps > 0 ? i18n("{:.1f}", amps / 1000) : verbatim("–"); };
    for (const FaultGroup& g : faultGroups(study, in.snapshot(), in.parts()))
        table.rows.push_back(
            {{verbatim(g.type), verbatim(g.worst), amounts::grouped(std::int64_t(g.count)), i18n("{} V", whole(nominalVolts(g.level.volts))),
              kilo(g.level.gridAmps), kilo(g.level.gridPeak), kilo(g.level.setsAmps),
              Cell(kilo(g.withstand), g.withstand > 0 && g.level.most() > g.withstand ? Tone::Bad : Tone::Plain)}});
    return table;
}

Facts connectionFacts(const FeederStudy& study, const Input& in)
{
    Facts facts;
    facts.lines.push_back({i18n("Feeder losses"), i18n("{:.1Lf} kW at a conductor temperature of {:g} °C", study.lossW() / 1000, study.conductorC)});
    for (const GridFact& fact : gridFacts(study, in.snapshot(), in.parts()))
        facts.lines.push_back(
            {fact.label, words(fact.limit).empty() ? fact.value : i18n("{}, {}", fact.value, fact.limit), fact.over ? Tone::Bad : Tone::Plain});
    return facts;
}

} // namespace

Section feedersSection(const Input& in)
{
    Section section{i18n("Feeders and grid connection"), 2, "budgets.feeders", {}};
    const auto study = feederStudy(in.figures);
    if (!study) {
        section.blocks.push_back(Paragraph{i18n("Not available: {}; {}.", study.error().what, study.error().todo)});
        return section;
    }
    section.blocks.push_back(connectionFacts(*study, in));
    if (!study->feeders.empty()) section.blocks.push_back(feedersTable(*study, in));
    if (!study->faults.empty()) section.blocks.push_back(faultsTable(*study, in));
    for (Text& text : feederScope()) section.blocks.push_back(Paragraph{std::move(text), Paragraph::Style::Body, Tone::Dim});
    return section;
}

} // namespace hw::document
