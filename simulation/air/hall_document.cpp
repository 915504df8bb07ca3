// SPDX-License-Identifier: GPL-3.0-or-later
// The simulated air of halls as sections of the report.
#include "simulation/air/hall_document.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/overlays/overlays.h"
#include "simulation/air/picture.h"

#include <algorithm>

namespace hw::sim::air {

namespace {

namespace doc = hw::document;

constexpr std::size_t kWorstRacks = 20;

doc::Table metricsTable(const HallAir& air)
{
    doc::Table table;
    table.caption = i18n("Metrics");
    table.columns = {{i18n("Metric"), 1.4}, {i18n("Value"), 1, true}, {i18n("Source"), 4}};
    for (const AirMetric& metric : airMetrics(air)) table.rows.push_back({{metric.title, metric.value, metric.source}});
    return table;
}

doc::Table racksTable(const Figures& figures, const HallAir& air)
{
    std::vector<const RackAir*> order;
    for (const RackAir& rack : air.racks) order.push_back(&rack);
    std::ranges::stable_sort(order, std::ranges::greater(), &RackAir::inletMaxC);
    doc::Table table;
    table.caption = order.size() > kWorstRacks ? i18n("{} of {:L} racks with the warmest inlets", kWorstRacks, order.size()) : i18n("Rack inlets");
    table.columns = {{i18n("Rack"), 2},
                     {i18n("Heat, kW"), 0.8, true},
                     {i18n("Air, m³/s"), 0.8, true},
                     {i18n("Largest, °C"), 0.8, true},
                     {i18n("Mean, °C"), 0.8, true},
                     {i18n("Top third, °C"), 0.9, true},
                     {i18n("Capture index, %"), 1, true},
                     {i18n("Front, Pa"), 0.8, true}};
    for (std::size_t n = 0; n < std::min(kWorstRacks, order.size()); ++n) {
        const RackAir& r = *order[n];
        const doc::Tone tone = r.inletMaxC > air.hall.limitC      ? doc::Tone::Bad
                               : r.inletMaxC > kRecommendedInletC ? doc::Tone::Warning
                                                                  : doc::Tone::Plain;
        table.rows.push_back({{verbatim(figures.snapshot->racks.name[r.rack]), i18n("{:.1f}", r.heatW / 1000), i18n("{:.2f}", r.m3s),
                               doc::Cell(i18n("{:.1f}", r.inletMaxC), tone), i18n("{:.1f}", r.inletMeanC), i18n("{:.1f}", r.inletTopC),
                               i18n("{:.0f}", r.captureIndex * 100), i18n("{:.1f}", r.frontPa)}});
    }
    return table;
}

doc::Facts facts(const HallAir& air)
{
    const HallPlan& h = air.hall;
    const Certificate& c = air.certificate;
    doc::Facts out;
    out.lines.push_back({i18n("Result"), c.settled ? i18n("settled") : i18n("not settled; means of the last steps"),
                         c.settled ? doc::Tone::Good : doc::Tone::Warning});
    out.lines.push_back({i18n("Grid"), i18n("{:L} cells, {:L} steps", air.cells, c.steps)});
    out.lines.push_back({i18n("Errors"), i18n("mass {:.1e}, heat {:.2f} %, inlets swing by {:.2f} K", c.massError, c.heatError * 100, c.swingK)});
    out.lines.push_back({i18n("Heat to air"), i18n("{:.1Lf} kW", h.heatW / 1000)});
    out.lines.push_back({i18n("Air"), i18n("supply {:.1Lf} m³/s, racks {:.1Lf} m³/s", h.supplyM3s, h.demandM3s)});
    out.lines.push_back({i18n("Supply, return"), i18n("{:.1f} °C, {:.1f} °C", h.supplyC, air.returnC)});
    return out;
}

} // namespace

Result<std::vector<std::shared_ptr<const HallAir>>> solveHalls(const Figures& figures, const HallOptions& options, const Progress& progress,
                                                               const std::vector<std::shared_ptr<const HallAir>>& known)
{
    std::vector<std::shared_ptr<const HallAir>> out;
    const std::vector<HallId> halls = airHalls(figures);
    if (halls.empty()) return fail(ErrorCode::Refused, "air", i18n("no hall has fan walls or CRAHs"), i18n("omit the air"));
    for (std::size_t n = 0; n < halls.size(); ++n) {
        const auto there = std::ranges::find_if(known, [&](const auto& air) { return air->hall.hall == halls[n]; });
        if (there != known.end()) {
            out.push_back(*there);
            continue;
        }
        const Progress part{progress.stop, [&](double fraction, std::string_view step) {
                                progress.report((double(n) + fraction) / double(halls.size()),
                                                figures.snapshot->halls.name[halls[n]] + ": " + std::string(step));
                            }};
        auto solved = solveHall(figures, halls[n], options, part);
        if (!solved) return tl::unexpected(solved.error());
        out.push_back(std::make_shared<const HallAir>(std::move(*solved)));
    }
    return out;
}

void addAir(doc::ReportDocument& document, const std::vector<std::shared_ptr<const HallAir>>& halls)
{
    const Figures& figures = *document.figures;
    std::vector<doc::Section> sections;
    sections.push_back({i18n("Air of the halls"), 1, "air", {}});
    sections.back().blocks.push_back(doc::Paragraph{
        i18n("Simulated by the embedded solver: steady flow and temperature, zero-equation turbulence, buoyancy. Models, assumptions and validation: "
             "docs/air.md.")});
    for (const auto& air : halls) {
        const HallPlan& h = air->hall;
        doc::Section section{verbatim(h.name), 2, "air." + std::to_string(h.hall.value), {}};
        auto values = std::make_shared<OverlayValues>();
        values->name = kAirOverlay;
        values->fields = rackFields(*figures.snapshot, *air, RackQuantity::InletMax);
        doc::Figure plan{doc::Drawing::Hall, h.hall.value, i18n("{}: racks by maximum inlet temperature", h.name),
                         i18n("Classes of ASHRAE TC 9.9; air units by the temperature of their supply.")};
        plan.values = std::move(values);
        section.blocks.push_back(std::move(plan));
        section.blocks.push_back(facts(*air));
        section.blocks.push_back(metricsTable(*air));
        const std::vector<Finding> found = hallFindings(figures, *air);
        section.blocks.push_back(doc::Paragraph{i18n("Findings"), doc::Paragraph::Style::Heading});
        doc::Points points;
        for (const Finding& f : found) {
            const doc::Tone tone = f.waived                        ? doc::Tone::Dim
                                   : f.severity == Severity::Error ? doc::Tone::Bad
                                   : f.severity == Severity::Info  ? doc::Tone::Plain
                                                                   : doc::Tone::Warning;
            points.points.push_back({f.rule.empty() ? f.message : i18n("{}: {}", f.rule, f.message), tone});
        }
        if (found.empty()) points.points.push_back({i18n("None: inlets, pressures and capture indices are within their limits."), doc::Tone::Good});
        section.blocks.push_back(std::move(points));
        section.blocks.push_back(racksTable(figures, *air));
        section.blocks.push_back(doc::Paragraph{i18n("Assumptions"), doc::Paragraph::Style::Heading});
        doc::Points assumed;
        for (const Text& text : h.assumptions) assumed.points.push_back({text, doc::Tone::Dim});
        section.blocks.push_back(std::move(assumed));
        sections.push_back(std::move(section));
    }
    // Before the findings of the rules.
    const auto at = std::ranges::find(document.sections, std::string_view("findings"), &doc::Section::anchor);
    document.sections.insert(at, std::make_move_iterator(sections.begin()), std::make_move_iterator(sections.end()));
}

std::string reportText(const Report& report, const Figures& figures, const std::vector<std::shared_ptr<const HallAir>>& halls)
{
    std::string out = hw::reportText(report, figures);
    for (const auto& hall : halls) out += '\n' + hallText(figures, *hall);
    return out;
}

nlohmann::ordered_json reportJson(const Report& report, const Figures& figures, const std::vector<std::shared_ptr<const HallAir>>& halls)
{
    nlohmann::ordered_json out = hw::reportJson(report, figures);
    for (const auto& hall : halls) out["air"].push_back(hallJson(figures, *hall));
    return out;
}

} // namespace hw::sim::air
