// SPDX-License-Identifier: GPL-3.0-or-later
// Feeders, short circuits and the grid connection.
#include "core/output/document/parts.h"

#include "core/foundation/catalogue/entity.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/feeders/feeder_study.h"
#include "core/output/report/amounts.h"

#include <cmath>

namespace hw::document {
namespace {

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
              amounts::grouped(std::int64_t(g.count)), i18n("{:.0f}", g.longestM),
              Cell(i18n("{:.0f}", g.amps), g.ampacity > 0 && g.amps > g.ampacity + 0.5 ? Tone::Bad : Tone::Plain), i18n("{:.0f}", g.ampacity),
              i18n("{:.2f}", 100 * g.drop), Cell(i18n("{:.2f}", 100 * g.regulated), g.regulated > allowed ? Tone::Bad : Tone::Plain)}});
    return table;
}

Table faultsTable(const FeederStudy& study, const Input& in)
{
    Table table;
    table.caption = i18n("Bolted three-phase short circuits, kA (UPS on bypass), most of each type");
    table.columns = {{i18n("Type"), 1.6},
                     {i18n("At"), 1.4},
                     {i18n("Count"), 0.6, true},
                     {i18n("V"), 0.7, true},
                     {i18n("From the grid"), 0.9, true},
                     {i18n("Peak"), 0.7, true},
                     {i18n("From generators"), 1, true}};
    const auto kilo = [](double amps) { return amps > 0 ? i18n("{:.1f}", amps / 1000) : verbatim("–"); };
    for (const FaultGroup& g : faultGroups(study, in.snapshot(), in.parts()))
        table.rows.push_back({{verbatim(g.type), verbatim(g.worst), amounts::grouped(std::int64_t(g.count)), i18n("{:.0f}", g.level.volts),
                               kilo(g.level.gridAmps), kilo(g.level.gridPeak), kilo(g.level.setsAmps)}});
    return table;
}

Facts gridFacts(const FeederStudy& study, const Input& in)
{
    Facts facts;
    facts.lines.push_back({i18n("Feeder losses"), i18n("{:.1f} kW at a conductor temperature of {:g} °C", study.lossW() / 1000, study.conductorC)});
    for (const UtilityLoad& load : study.utilities)
        facts.lines.push_back(
            {verbatim(entityName(in.snapshot(), in.parts(), ref(load.at))),
             i18n("{:L} kW, {:L} kvar, power factor {:.3f}", std::llround(load.watts / 1000), std::llround(load.vars / 1000), load.factor())});
    facts.lines.push_back({i18n("Contracted demand"), study.contractW > 0 ? i18n("{:.2f} MW", study.contractW / 1e6) : i18n("not stated"),
                           study.contractW > 0 && study.facilityW > study.contractW ? Tone::Bad : Tone::Plain});
    facts.lines.push_back({i18n("Load step of one job"), i18n("{:.2f} MW in {:g} s", study.swing.watts / 1e6, study.swing.seconds)});
    if (!study.grid) {
        facts.lines.push_back({i18n("Grid operator"), i18n("not stated; set site.grid")});
        return facts;
    }
    const GridRule& g = *study.grid;
    facts.lines.push_back({i18n("Grid operator"), i18n("{} ({})", g.title, g.status)});
    const auto limit = [&](const Text& label, double computed, double most, double seconds) {
        facts.lines.push_back({label, most > 0 ? i18n("{:.1f} MW within {:g} s, limit {:g} MW", computed, seconds, most) : i18n("no published limit"),
                               most > 0 && computed > most ? Tone::Warning : Tone::Plain});
    };
    limit(i18n("Load step"), study.swing.within(g.stepS) / 1e6, g.stepMw, g.stepS);
    limit(i18n("Ramp"), study.swing.within(60) / 1e6, g.rampMwPerMin, 60);
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
    section.blocks.push_back(gridFacts(*study, in));
    if (!study->feeders.empty()) section.blocks.push_back(feedersTable(*study, in));
    if (!study->faults.empty()) section.blocks.push_back(faultsTable(*study, in));
    for (Text& text : feederScope()) section.blocks.push_back(Paragraph{std::move(text), Paragraph::Style::Body, Tone::Dim});
    return section;
}

} // namespace hw::document
