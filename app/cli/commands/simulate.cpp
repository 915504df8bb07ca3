// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/batch_options.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "app/cli/scenario_input.h"
#include "core/foundation/base/json_document.h"
#include "simulation/answers/answer_text.h"
#include "simulation/answers/answer_verdicts.h"
#include "simulation/answers/plot_svg.h"
#include "simulation/batch/slurm_sweep.h"
#include "simulation/questions/cut_off.h"
#include "simulation/questions/result_store.h"
#include "simulation/questions/run_request.h"

#include <chrono>

#include <sys/resource.h>

namespace hw::cli {

namespace simulate_command {

struct Options {
    std::string file, scenario, output, plot, y;
    std::vector<std::string> sweep, failed;
    BatchOptions batch;
    bool json = false, store = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file; optional if the scenario needs none or names a template")))->option_text("FILE.hall");
    app.add_option("--scenario", o.scenario, words(i18n("Scenario: name of a shipped scenario, or a file (see 'scenarios')")))
        ->option_text("SCENARIO.json")
        ->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Complete result; .csv for a table. An interrupted sweep resumes from this file")))
        ->option_text("RESULT.json|.csv");
    app.add_option("--sweep", o.sweep,
                   words(i18n("Sweep a parameter: PATH=V1,V2,… or PATH=FROM:TO:STEP; several sweeps run all combinations. "
                              "design.NAME is a template parameter")))
        ->option_text("PATH=VALUES")
        ->allow_extra_args(false);
    app.add_option(
           "--failed", o.failed,
           words(i18n("Elements that have failed at the start, with all consequences: equipment, racks, rows, trays, switches, hosts, by name")))
        ->option_text("ENTITY")
        ->allow_extra_args(false);
    app.add_option("--plot", o.plot, words(i18n("Chart of the sweep")))->option_text("FILE.svg");
    app.add_option("--y", o.y, words(i18n("Result key to plot")))->option_text("KEY");
    declareBatch(app, o.batch, i18n("Sweep points"));
    app.add_flag("--store", o.store, words(i18n("Store the result with the project (see 'results')")));
}

Result<sim::ScenarioRequest> requestOf(const Options& o)
{
    const auto text = readScenario(o.scenario);
    if (!text) return tl::unexpected(text.error());
    auto request = sim::parseScenarioRequest(text->text, text->where);
    if (!request) return request;
    for (const auto& name : o.failed) request->parameters["failed"].push_back(name);
    if (!o.failed.empty())
        if (const auto fine = request->completeAt(0); !fine)
            return fail(ErrorCode::Usage, "--failed", fine.error().what, i18n("omit it, or choose a scenario that supports it")); // no text
    for (const auto& axis : o.sweep)
        if (const auto added = sim::addSweepAxis(*request, axis); !added) return tl::unexpected(added.error());
    return request;
}

Result<sim::ScenarioDesign> designOf(const Options& o, const Progress& progress)
{
    if (o.file.empty()) return sim::ScenarioDesign{};
    auto snapshot = readDesign(o.file, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    auto parts = ProjectParts::of((*snapshot)->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    return sim::ScenarioDesign{std::move(*snapshot), std::move(*parts)};
}

Result<void> writeOutputs(const Options& o, const sim::Json& document)
{
    if (!o.output.empty()) {
        const bool csv = std::filesystem::path(o.output).extension() == ".csv";
        if (const auto written = writeWholeText(o.output, csv ? sim::answerCsv(document) : documentText(document, 1)); !written) return written;
    }
    if (!o.plot.empty()) {
        const auto chart = sim::plotSvg(document, o.y);
        if (!chart) return tl::unexpected(chart.error());
        if (const auto written = writeWholeText(o.plot, *chart); !written) return written;
    }
    return {};
}

Result<void> checkPoints(const Options& o, const sim::ScenarioRequest& request)
{
    if (o.batch.distributed() && request.sweep.empty())
        return fail(ErrorCode::Usage, o.batch.slurm ? "--slurm" : "--points", i18n("applies to sweeps only"),
                    i18n("add --sweep PATH=V1,V2,…, or omit it"));
    if (!o.batch.points.empty() && (o.store || o.json || !o.plot.empty()))
        return fail(ErrorCode::Usage, "--points", i18n("some points of the sweep have no result yet"), i18n("omit --store, --json and --plot"));
    return checkBatch(o.batch, o.output);
}

Result<sim::ScenarioAnswer> answerOf(const Options& o, const sim::ScenarioRequest& request, const sim::ScenarioDesign& design,
                                     const Progress& progress)
{
    if (o.batch.slurm) return sim::runOnSlurm(request, design, slurmPoints(o.batch, o.output), progress);
    sim::RunOptions options;
    options.threads = o.batch.threads;
    if (!o.output.empty() && !request.sweep.empty() && !std::filesystem::is_other(o.output)) options.keep = o.output + ".partial";
    auto answer = sim::runRequest(request, design, options, progress);
    if (answer && !options.keep.empty()) std::filesystem::remove(options.keep);
    return answer;
}

/// Time of the run and the most memory that the program has had.
std::string spent(std::chrono::steady_clock::time_point began)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return "  " + words(i18n("completed in {:.3g} s, peak memory {} MiB", seconds, usage.ru_maxrss / 1024)) + '\n';
}

Outcome run(const Options& o, const Progress& progress)
{
    for (const auto& target : {o.output, o.plot})
        if (const auto fine = refuseProject(target); !fine) return tl::unexpected(fine.error());
    const auto request = requestOf(o);
    if (!request) return tl::unexpected(request.error());
    if (!o.plot.empty() && request->sweep.empty())
        return fail(ErrorCode::Usage, "--plot", i18n("no sweep to plot"), i18n("add --sweep PATH=V1,V2,…"));
    if (o.plot.empty() && !o.y.empty())
        return fail(ErrorCode::Usage, "--y", i18n("requires --plot"), i18n("add --plot FILE.svg and a --sweep, or omit it"));
    if (o.batch.threads > 0 && request->sweep.empty())
        return fail(ErrorCode::Usage, "--threads", i18n("only sweep points run in parallel"), i18n("add --sweep PATH=V1,V2,…, or omit it"));
    if (!request->kind->onDesign && !o.file.empty() && !o.store)
        return fail(ErrorCode::Usage, "FILE " + o.file, i18n("scenario '{}' uses no design", request->kind->name), // no text
                    i18n("omit it, or add --store to save the result beside it"));
    if (o.store && o.file.empty())
        return fail(ErrorCode::Usage, "--store", i18n("no project to store the result with"), i18n("specify a project file"));
    if (const auto fine = checkPoints(o, *request); !fine) return tl::unexpected(fine.error());
    const auto design = designOf(o, progress);
    if (!design) return tl::unexpected(design.error());
    const auto began = std::chrono::steady_clock::now();
    if (!o.batch.points.empty()) {
        const auto points = sim::parsePoints(o.batch.points, request->points());
        if (!points) return tl::unexpected(points.error());
        const auto ran = sim::runPoints(*request, *design, *points, {.threads = o.batch.threads, .keep = o.output}, progress);
        if (!ran) return tl::unexpected(ran.error());
        return kDone;
    }
    const auto answer = answerOf(o, *request, *design, progress);
    if (!answer) return tl::unexpected(answer.error());
    if (const auto written = writeOutputs(o, answer->document); !written) return tl::unexpected(written.error());
    if (o.store) {
        const auto entry = sim::ResultStore(o.file).add(answer->document);
        if (!entry) return tl::unexpected(entry.error());
        printNote(i18n("stored as result {}", entry->number));
    }
    print(o.json ? documentText(answer->document, 1) : sim::answerText(answer->document) + spent(began));
    if (const std::string cutOff = sim::cutOffOf(answer->document); !cutOff.empty())
        return fail(ErrorCode::Refused, request->where, verbatim(cutOff),
                    i18n("list fewer failed elements, or choose hosts that are still connected"));
    return sim::answerIsNo(answer->document) ? kAnswerIsNo : kDone;
}

} // namespace simulate_command

void addSimulate(Session& session)
{
    using namespace simulate_command;
    session.command<Options>("simulate", i18n("Simulate traffic or training on a design"), declare, run);
}

} // namespace hw::cli
