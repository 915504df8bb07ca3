// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/batch_options.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/foundation/base/json_document.h"
#include "simulation/air/openfoam.h"
#include "simulation/air/validation.h"
#include "simulation/answers/answer_text.h"
#include "simulation/batch/slurm_foam.h"
#include "simulation/batch/slurm_sweep.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace hw::cli {

namespace air_command {

namespace air = sim::air;

struct Options {
    std::string file, hall, output;
    std::vector<std::string> failed, cases;
    std::size_t cells = air::HallOptions().cells;
    double leakage = air::HallOptions().leakagePercent;
    double rackFanPa = 0;
    bool json = false, validate = false;
    std::string engine = "embedded", folder; // no text
    std::optional<int> processes, iterations;
    bool eachFailure = false, pairs = false;
    BatchOptions batch;
};

void declare(CLI::App& app, Options& o)
{
    auto* file = app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall");
    auto* hall = app.add_option("--hall", o.hall, words(i18n("Hall (default: the first with fan walls or CRAHs)")))->option_text("NAME");
    auto* failed = app.add_option("--failed", o.failed, words(i18n("Air units that stand still; the result is shown beside the one with all units")))
                       ->option_text("ENTITY...");
    auto* cells = app.add_option("--cells", o.cells, words(i18n("Approximate number of grid cells (default: 120000)")))
                      ->option_text("N")
                      ->check(CLI::Range(std::size_t(2'000), std::size_t(4'000'000)));
    auto* leakage =
        app.add_option("--leakage", o.leakage, words(i18n("Open share of containment and of gaps between racks, in percent (default: 1)")))
            ->option_text("PERCENT")
            ->check(CLI::Range(0.01, 50.0));
    auto* fans = app.add_option("--rack-fans", o.rackFanPa,
                                words(i18n("Shutoff pressure of rack fans in Pa (default: fixed flow at any pressure; server fans: about 60)")))
                     ->option_text("PA")
                     ->check(CLI::Range(1.0, 2000.0));
    auto* output = app.add_option("-o,--output", o.output, words(i18n("Output file: racks as CSV, everything as JSON, or the fields as VTK")))
                       ->option_text("OUT.json|OUT.csv|OUT.vtk");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    auto* validate = app.add_flag("--validate", o.validate, words(i18n("Compare the solver with published cases")));
    auto* engine =
        app.add_option("--engine", o.engine, words(i18n("embedded or openfoam; OpenFOAM starts from the embedded answer and is shown beside it")))
            ->option_text("NAME")
            ->check(CLI::IsMember({"embedded", "openfoam"}));
    auto* processes =
        app.add_option("--np", o.processes, words(i18n("MPI processes of OpenFOAM (default: 1)")))->option_text("N")->check(CLI::Range(1, 4096));
    auto* iterations = app.add_option("--iterations", o.iterations, words(i18n("Iterations of OpenFOAM at most (default: 1500)")))
                           ->option_text("N")
                           ->check(CLI::Range(1, 1'000'000));
    auto* folder = app.add_option("--folder", o.folder, words(i18n("Folder of the OpenFOAM case, which is kept (default: a temporary one)")))
                       ->option_text("DIR");
    auto* each = app.add_flag("--each-failure", o.eachFailure, words(i18n("Whole hall, and each air unit out of service alone: a table")));
    app.add_flag("--pairs", o.pairs, words(i18n("Also every two air units out of service together")))->needs(each);
    for (CLI::Option* other : {failed, engine}) each->excludes(other);
    declareBatch(app, o.batch, i18n("Cases"));
    for (CLI::Option* other : {each, file, hall, failed, cells, leakage, fans, output, engine, processes, iterations, folder})
        validate->excludes(other);
    app.add_option("--case", o.cases, words(i18n("Validation case (default: all)")))->option_text("CASE...")->needs(validate);
    app.footer(words(i18n("Models, assumptions and validation are described in docs/air.md.")));
}

void printValidation(const air::ValidationReport& report)
{
    std::string last;
    for (const air::ValidationRow& r : report.rows) {
        if (r.situation != last) print(r.situation + '\n');
        last = r.situation;
        const Text verdict = !r.settled ? i18n("not settled") : r.ok() ? i18n("within") : i18n("outside");
        print(fmt::format("  {:<56} {:>9.3f} {:>9.3f} {:>9.3f}  {} {}\n", words(r.quantity), r.measured, r.computed, r.allowed, words(verdict),
                          r.unit));
    }
    for (const auto& [situation, note] : report.notes) print(fmt::format("{}: {}\n", situation, words(note)));
}

Outcome runValidation(const Options& o, const Progress& progress)
{
    const auto report = air::validate(o.cases, progress);
    if (!report) return tl::unexpected(report.error());
    if (o.json) {
        print(documentText(air::validationJson(*report)));
        return kDone;
    }
    print(fmt::format("  {:<56} {:>9} {:>9} {:>9}\n", words(i18n("Quantity")), words(i18n("Published")), words(i18n("Computed")),
                      words(i18n("Allowed"))));
    printValidation(*report);
    return kDone;
}

Result<std::vector<DeviceId>> failedUnits(const Figures& figures, const Options& o, HallId hall)
{
    std::vector<DeviceId> out;
    for (const std::string& name : o.failed) {
        const auto unit = air::airUnit(figures, hall, name);
        if (!unit) return tl::unexpected(unit.error());
        out.push_back(*unit);
    }
    return out;
}

/// The hall with all units, with each out of service, and with every two, as the sweep of a scenario.
Result<sim::ScenarioRequest> casesOf(const Figures& figures, const Options& o)
{
    const auto hall = air::airHall(figures, o.hall);
    if (!hall) return tl::unexpected(hall.error());
    const std::vector<DeviceId> units = air::airUnits(figures, *hall);
    const auto nameOf = [&](std::size_t u) { return figures.snapshot->devices.name[units[u]]; };
    sim::Json values = sim::Json::array({""});
    for (std::size_t u = 0; u < units.size(); ++u) values.push_back(nameOf(u));
    for (std::size_t u = 0; o.pairs && u < units.size(); ++u)
        for (std::size_t v = u + 1; v < units.size(); ++v) values.push_back(nameOf(u) + "+" + nameOf(v));
    const sim::Json scenario{{"schema", "hallwright.scenario/1"},
                             {"name", words(i18n("Air of {}, by failed units", figures.snapshot->halls.name[*hall]))},
                             {"workload", "hall-air"},
                             {"hall", figures.snapshot->halls.name[*hall]},
                             {"cells", o.cells},
                             {"leakage_percent", o.leakage},
                             {"rack_fan_pa", o.rackFanPa},
                             {"sweep", {{"parameter", "failed_units"}, {"values", std::move(values)}}}};
    return sim::parseScenarioRequest(scenario.dump(), "--each-failure");
}

Outcome runCases(const Options& o, const Progress& progress)
{
    if (const auto fine = checkBatch(o.batch, o.output); !fine) return tl::unexpected(fine.error());
    if (!o.batch.points.empty() && o.json) return fail(ErrorCode::Usage, "--points", i18n("some cases have no result yet"), i18n("omit --json"));
    if (!o.output.empty() && o.batch.points.empty())
        if (const auto known = outputFormat(o.output, {".json", ".csv"}); !known) return tl::unexpected(known.error());
    if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto request = casesOf(**figures, o);
    if (!request) return tl::unexpected(request.error());
    const sim::ScenarioDesign design{(*figures)->snapshot, (*figures)->parts};
    sim::RunOptions options;
    options.threads = o.batch.threads;
    if (!o.batch.points.empty()) {
        const auto points = sim::parsePoints(o.batch.points, request->points());
        if (!points) return tl::unexpected(points.error());
        options.keep = o.output;
        const auto ran = sim::runPoints(*request, design, *points, options, progress);
        if (!ran) return tl::unexpected(ran.error());
        return kDone;
    }
    if (!o.output.empty() && !std::filesystem::is_other(o.output)) options.keep = o.output + ".partial";
    const auto answer = o.batch.slurm ? sim::runOnSlurm(*request, design, slurmPoints(o.batch, o.output), progress)
                                      : sim::runRequest(*request, design, options, progress);
    if (!answer) return tl::unexpected(answer.error());
    std::error_code error;
    if (!options.keep.empty()) std::filesystem::remove(options.keep, error);
    const std::string json = documentText(answer->document, 1);
    if (!o.output.empty()) {
        const bool csv = std::filesystem::path(o.output).extension() == ".csv";
        if (const auto written = writeWholeText(o.output, csv ? sim::answerCsv(answer->document) : json); !written)
            return tl::unexpected(written.error());
    }
    print(o.json ? json : sim::answerText(answer->document));
    return kDone;
}

/// In a folder that is kept, or one that goes with the answer.
Result<air::FoamAnswer> runOpenFoam(const air::HallAir& solved, const Options& o, const Progress& progress)
{
    air::FoamOptions options;
    options.processes = o.processes.value_or(options.processes);
    options.iterations = o.iterations.value_or(options.iterations);
    sim::SlurmLimits limits = o.batch.limits;
    if (o.batch.slurm) limits.partition = slurmPoints(o.batch, {}).limits.partition;
    const auto host = o.batch.slurm ? sim::slurmFoam(options.processes, std::move(limits)) : air::localFoam();
    if (!o.folder.empty()) return air::runFoam(solved, o.folder, options, *host, progress);
    std::error_code error;
    std::string folder = (std::filesystem::temp_directory_path(error) / "hallwright-air-XXXXXX").string();
    if (error || !mkdtemp(folder.data())) return fail(ErrorCode::Unreadable, folder, i18n("cannot be created"), i18n("specify --folder DIR"));
    auto answer = air::runFoam(solved, folder, options, *host, progress);
    std::filesystem::remove_all(folder, error);
    return answer;
}

/// What OpenFOAM needs, before the embedded solver takes its time.
Result<void> checkOpenFoam(const Options& o)
{
    const bool limits = o.batch.array || !o.batch.limits.time.empty() || !o.batch.limits.memory.empty();
    if (limits && !o.batch.slurm) return fail(ErrorCode::Usage, "--array, --time, --mem", i18n("require --slurm"), i18n("add --slurm, or omit them"));
    if (o.engine != "openfoam") { // no text
        if (o.batch.slurm || !o.batch.points.empty() || o.batch.threads > 0)
            return fail(ErrorCode::Usage, o.batch.slurm ? "--slurm" : "--points, --threads", i18n("require --each-failure or --engine openfoam"),
                        i18n("add one of them, or omit it"));
        if (!o.processes && !o.iterations && o.folder.empty()) return {};
        return fail(ErrorCode::Usage, "--np, --iterations, --folder", i18n("require --engine openfoam"), i18n("add it, or omit them"));
    }
    std::error_code error;
    if (!o.folder.empty() && std::filesystem::exists(o.folder, error) && !std::filesystem::is_empty(o.folder, error))
        return fail(ErrorCode::Refused, o.folder, i18n("is not an empty folder"), i18n("specify a new one"));
    if (!o.batch.points.empty() || o.batch.threads > 0 || o.batch.array)
        return fail(ErrorCode::Usage, "--points, --threads, --array", i18n("have no effect with --engine openfoam"), i18n("use --np"));
    if (o.batch.slurm && o.folder.empty())
        return fail(ErrorCode::Usage, "--slurm", i18n("needs a folder that all nodes share"), i18n("add --folder DIR"));
    if (const auto there = o.batch.slurm ? Result<std::string>() : air::findFoam(); !there) return tl::unexpected(there.error());
    return {};
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.validate) return runValidation(o, progress);
    if (o.file.empty()) return fail(ErrorCode::Usage, "FILE", i18n("no project file specified"), i18n("specify one, or use --validate"));
    if (o.eachFailure && !o.processes && !o.iterations && o.folder.empty()) return runCases(o, progress);
    const bool openfoam = o.engine == "openfoam"; // no text
    if (const auto fine = checkOpenFoam(o); !fine) return tl::unexpected(fine.error());
    std::string format;
    if (!o.output.empty()) {
        auto known = outputFormat(o.output, {".json", ".csv", ".vtk"});
        if (!known) return tl::unexpected(known.error());
        format = *known;
        if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    }
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto hall = air::airHall(**figures, o.hall);
    if (!hall) return tl::unexpected(hall.error());
    air::HallOptions options;
    options.cells = o.cells;
    options.leakagePercent = o.leakage;
    options.rackFanPa = o.rackFanPa;
    const auto failed = failedUnits(**figures, o, *hall);
    if (!failed) return tl::unexpected(failed.error());
    options.failed = *failed;
    air::HallCourse course;
    course.picture = [&](const air::HallAir& coarse) {
        const auto warmest = std::ranges::max_element(coarse.racks, {}, &air::RackAir::inletMaxC);
        if (warmest != coarse.racks.end())
            printNote(i18n("coarse grid of {:L} cells after {:.0f} s: warmest rack inlet {:.1f} °C at {}", coarse.cells, coarse.seconds,
                           warmest->inletMaxC, (*figures)->snapshot->racks.name[warmest->rack]));
    };
    const auto study = air::studyHall(**figures, *hall, options, progress, course);
    if (!study) return tl::unexpected(study.error());
    const air::HallAir* was = study->whole.get();
    const air::HallAir* solved = study->air.get();
    std::optional<air::FoamAnswer> foam;
    if (openfoam) {
        auto answer = runOpenFoam(*solved, o, progress);
        if (!answer) return tl::unexpected(answer.error());
        foam = std::move(*answer);
    }
    std::string json;
    if (o.json || format == ".json") {
        auto document = air::hallJson(**figures, *solved, was);
        if (foam) document["openfoam"] = air::foamJson(**figures, *solved, *foam);
        json = documentText(document);
    }
    if (!o.output.empty()) {
        const std::string text = format == ".json"  ? json
                                 : format == ".csv" ? air::hallCsv(**figures, *solved, foam ? &foam->racks : nullptr, o.engine)
                                                    : air::hallVtk(*solved, foam ? &foam->celsius : nullptr, o.engine);
        if (const auto written = writeWholeText(o.output, text); !written) return tl::unexpected(written.error());
    }
    print(o.json ? json : air::hallText(**figures, *solved, was) + (foam ? air::foamText(**figures, *solved, *foam) : std::string()));
    return kDone;
}

} // namespace air_command

void addAir(Session& session)
{
    using namespace air_command;
    session.command<Options>("air", i18n("Simulate the air of a hall: rack inlets, recirculation, failures of air units"), declare, run);
}

} // namespace hw::cli
