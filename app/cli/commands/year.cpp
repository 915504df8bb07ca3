// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/design/edit/edits_phase.h"
#include "core/foundation/money/phases.h"
#include "core/output/energy/year_output.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace year_command {

struct Options {
    std::string file, output;
    YearRequest request;
    std::optional<int> phase;
    bool json = false, validate = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    auto* climate = app.add_option("--climate", o.request.climate, words(i18n("Shipped climate, whose monthly normals define the weather")));
    climate->option_text("NAME");
    app.add_option("--epw", o.request.epw, words(i18n("EnergyPlus weather file")))->option_text("PATH")->excludes(climate);
    app.add_option("--tariff", o.request.tariff, words(i18n("Shipped electricity tariff, or a YAML file with one")))->option_text("NAME|FILE.yaml");
    app.add_option("--load", o.request.load, words(i18n("Hourly IT load: a CSV file with a column 'load', values from 0 to 1")))
        ->option_text("FILE.csv");
    app.add_option("-o,--output", o.output, words(i18n("Output file for hourly values")))->option_text("OUT.csv|.xlsx");
    addPhaseOption(app, o.phase);
    app.add_flag("--validate", o.validate, words(i18n("Compare reference plants with reported annual PUE, without a design")));
    app.footer(words(i18n("Every assumption is a setting (year.…, reuse.…, site.climate); change it with edit, 'set-setting'.")));
}

Outcome validate(const Options& o)
{
    if (!o.file.empty() || !o.output.empty() || o.phase || !o.request.climate.empty() || !o.request.epw.empty() || !o.request.tariff.empty() ||
        !o.request.load.empty())
        return fail(ErrorCode::Usage, "--validate", i18n("accepts --json only"), i18n("omit the other options"));
    const auto rows = compareReported();
    if (!rows) return tl::unexpected(rows.error());
    print(o.json ? reportedJson(*rows).dump(2) + '\n' : reportedText(*rows));
    return std::ranges::all_of(*rows, &ReportedComparison::ok) ? kDone : kAnswerIsNo;
}

/// Of a design with phases, once each of them is installed.
Result<std::vector<YearOfPhase>> phasesOf(const FiguresPtr& figures, const YearRequest& request, const Progress& progress)
{
    std::vector<YearOfPhase> out;
    const PhaseIndex phases(*figures->snapshot);
    if (phases.single()) return out;
    for (const int number : phases.numbers()) {
        const auto part = edit::figuresAtPhase(figures, number);
        if (!part) return tl::unexpected(part.error());
        const auto year = yearOf(**part, request, progress);
        if (!year && year.error().code == ErrorCode::Refused) continue; // a phase without all of its plant
        if (!year) return tl::unexpected(year.error());
        out.push_back(
            {number, words(phaseText(*figures->snapshot, number)), year->all.it / double(weather::kHours) * 1000, year->all, year->bill.total()});
    }
    return out;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.validate) return validate(o);
    if (o.file.empty()) return fail(ErrorCode::Usage, "FILE", i18n("no project file"), i18n("specify one, or --validate"));
    if (!o.output.empty())
        if (const auto format = outputFormat(o.output, {".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    const auto year = yearOf(**figures, o.request, progress);
    if (!year) return tl::unexpected(year.error());
    const auto phases = o.phase ? Result<std::vector<YearOfPhase>>() : phasesOf(*figures, o.request, progress);
    if (!phases) return tl::unexpected(phases.error());
    if (!o.output.empty())
        if (const auto written = writeTable(yearTable(*year), o.output, progress); !written) return tl::unexpected(written.error());
    const auto stamp = DesignStamp::of(*(*figures)->snapshot);
    print(o.json ? yearJson(*year, *phases, stamp).dump(2) + '\n' : yearText(*year, *phases, stamp));
    return kDone;
}

} // namespace year_command

void addYear(Session& session)
{
    using namespace year_command;
    session.command<Options>("year", i18n("Annual energy, water, carbon and electricity cost from hourly weather"), declare, run);
}

} // namespace hw::cli
