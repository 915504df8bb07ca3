// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/batch_options.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/derived/impact/impact_output.h"
#include "core/design/edit/edits.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/storage/project_file.h"
#include "simulation/air/hall.h"
#include "simulation/batch/failure_pairs.h"
#include "simulation/questions/run_request.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace impact_command {

struct Options {
    std::string file;
    std::vector<std::string> entities;
    bool pairs = false, json = false, air = false;
    std::size_t cells = sim::air::HallOptions().cells;
    std::string output, plan;
    BatchOptions batch;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    auto* entities = app.add_option("ENTITY", o.entities,
                                    words(i18n("Elements that fail together: devices, racks, rows, halls, trays, cables; ports, power supplies, "
                                               "pumps and breakers (feeds of switchboards, tap-offs, outlets) as DEVICE:PORT. Default: each single "
                                               "element, worst first")))
                         ->option_text("[ENTITY]...");
    app.add_flag("--pairs", o.pairs,
                 words(i18n("Also rank element pairs whose joint failure has more impact than the sum of the two single failures")))
        ->excludes(entities);
    auto* air =
        app.add_flag("--air", o.air, words(i18n("Also the air of each hall that loses air units, before and after (docs/air.md)")))->needs(entities);
    app.add_option("--cells", o.cells, words(i18n("Approximate number of grid cells per hall (default: 120000)")))
        ->option_text("N")
        ->check(CLI::Range(std::size_t(2'000), std::size_t(4'000'000)))
        ->needs(air);
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Ranking of pairs to write as JSON. An interrupted run resumes from this file")))
        ->option_text("RESULT.json")
        ->needs("--pairs");
    declareBatch(app, o.batch, i18n("Parts of 250 pairs"));         // no text: of the help
    app.add_option("--plan", o.plan)->group("")->needs("--points"); // of a task: the pairs that were found before
    app.footer(words(i18n("Power uses the project's basis (site.power_basis). Bisection is the remaining capacity at the "
                          "narrowest backend level between the hosts and the tier that connects them all. Batteries, "
                          "generators, transfers and overloads act over time (settings impact.*); coolant in the loops, tanks "
                          "in their flow included, extends the thermal ride-through.")));
}

/// The air of the halls whose air units are down at the end, before and after. `study` has lost what failed.
struct AirAfter {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    std::string text;
};
Result<AirAfter> airAfter(const impact::Study& study, const Figures& figures, const Options& o, const Progress& progress)
{
    AirAfter out;
    for (const HallId hall : sim::air::airHalls(figures)) {
        sim::air::HallOptions options;
        options.cells = o.cells;
        for (const DeviceId unit : sim::air::airUnits(figures, hall))
            if (study.isDown(unit)) options.failed.push_back(unit);
        if (options.failed.empty()) continue;
        const auto answer = sim::air::studyHall(figures, hall, options, progress);
        if (!answer && answer.error().code != ErrorCode::Refused) return tl::unexpected(answer.error());
        if (!answer) { // no steady state: the timeline of the failure has the temperatures
            out.json.push_back({{"hall", figures.snapshot->halls.name[hall]}, {"error", answer.error().text()}});
            out.text += answer.error().text() + '\n';
            continue;
        }
        out.json.push_back(sim::air::hallJson(figures, *answer->air, answer->whole.get()));
        out.text += sim::air::hallText(figures, *answer->air, answer->whole.get());
    }
    if (out.text.empty()) out.text = words(i18n("Air: no hall loses an air unit")) + '\n';
    return out;
}

Outcome showOne(impact::Study& study, const Figures& figures, const Options& o, const Progress& progress)
{
    std::vector<impact::Failing> failed;
    for (const auto& name : o.entities) {
        const auto found = impact::findFailing(study.model(), name);
        if (!found) { // a misspelled name has near ones
            const auto entity = edit::requireEntity(*study.model().s, *study.model().parts, name);
            return tl::unexpected(entity ? found.error() : entity.error());
        }
        if (std::ranges::find(failed, *found) == failed.end()) failed.push_back(*found);
    }
    AirAfter air;
    if (o.air) {
        static_cast<void>(study.lose(failed));
        auto found = airAfter(study, figures, o, progress);
        if (!found) return tl::unexpected(found.error());
        air = std::move(*found);
    }
    if (o.json) {
        nlohmann::ordered_json json = impact::impactJson(study, failed);
        if (o.air) json["air"] = std::move(air.json);
        print(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
    } else {
        print(impact::impactText(study, failed) + air.text);
    }
    return kDone;
}

Result<void> checkPairs(const Options& o)
{
    const BatchOptions& b = o.batch;
    const bool batch = b.distributed() || b.threads > 0 || b.array || !b.limits.time.empty() || !b.limits.memory.empty();
    if (batch && !o.pairs)
        return fail(ErrorCode::Usage, "--slurm, --points, --threads, --array, --time, --mem", i18n("require --pairs"), i18n("add it, or omit them"));
    if (b.threads > 0 && b.points.empty()) return fail(ErrorCode::Usage, "--threads", i18n("pairs use two threads"), i18n("omit it"));
    if (!b.points.empty() && o.json) return fail(ErrorCode::Usage, "--json", i18n("some pairs have no result yet"), i18n("omit it"));
    if (const auto fine = checkBatch(b, o.output); !fine) return fine;
    if (!o.output.empty() && b.points.empty())
        if (const auto known = outputFormat(o.output, {".json"}); !known) return tl::unexpected(known.error());
    return refuseProject(o.output);
}

/// The pairs of a plan file, or of the design.
Result<impact::PairPlan> planOf(const Options& o, const impact::ModelPtr& model, const Progress& progress)
{
    if (o.plan.empty()) return impact::planPairs(model, progress);
    const auto text = readTextFile(o.plan);
    if (!text) return tl::unexpected(text.error());
    return sim::readPairPlan(*text, o.plan, *model);
}

Result<impact::PairRanking> rankPairs(const Options& o, const Figures& figures, const impact::ModelPtr& model, const Progress& progress)
{
    const auto plan = planOf(o, model, progress);
    if (!plan) return tl::unexpected(plan.error());
    const std::string identity = sim::pairIdentity(*figures.snapshot);
    sim::PairOptions options;
    std::optional<sim::SlurmPoints> slurm;
    if (o.batch.slurm) {
        slurm = slurmPoints(o.batch, o.output);
        slurm->name = words(i18n("failure pairs"));
        const auto file = [&](const char* name) { return (slurm->folder / name).string(); };
        slurm->command = {"impact", file("design.hall"), "--pairs", "--plan", file("pairs.json")};
        slurm->prepare = [&](const std::filesystem::path& folder) -> Result<void> {
            if (const auto written = writeFile(folder / "pairs.json", sim::pairPlanText(*plan)); !written) return written;
            const auto copy = ProjectFile::create(folder / "design.hall", figures.snapshot);
            if (!copy) return tl::unexpected(copy.error());
            return {};
        };
        options.elsewhere = [&](const std::string& asked, std::vector<sim::Json>& found) { return sim::fillOnSlurm(*slurm, asked, found, progress); };
    } else if (!o.output.empty() && !std::filesystem::is_other(o.output)) {
        options.keep = o.output + ".partial";
    }
    auto ranked = sim::rankPairsInParts(model, *plan, identity, options, progress);
    std::error_code error;
    if (ranked && !options.keep.empty()) std::filesystem::remove(options.keep, error);
    if (ranked && slurm) std::filesystem::remove_all(slurm->folder, error);
    return ranked;
}

/// Some pairs only, for whoever joins them: a task of the cluster, another scheduler.
Outcome runPoints(const Options& o, const Figures& figures, const impact::ModelPtr& model, const Progress& progress)
{
    const auto plan = planOf(o, model, progress);
    if (!plan) return tl::unexpected(plan.error());
    const auto points = sim::parsePoints(o.batch.points, sim::pairPoints(*plan));
    if (!points) return tl::unexpected(points.error());
    sim::PairOptions options;
    options.keep = o.output;
    const auto done = sim::runPairPoints(model, *plan, sim::pairIdentity(*figures.snapshot), *points, options, progress);
    if (!done) return tl::unexpected(done.error());
    return kDone;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = checkPairs(o); !fine) return tl::unexpected(fine.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto model = impact::Model::of(*figures, progress);
    if (!model) return tl::unexpected(model.error());
    if (!o.batch.points.empty()) return runPoints(o, **figures, *model, progress);
    impact::Study study(*model);
    if (!o.entities.empty()) return showOne(study, **figures, o, progress);
    const auto singles = impact::rankSingles(*model, progress);
    if (!singles) return tl::unexpected(singles.error());
    std::optional<impact::PairRanking> pairs;
    if (o.pairs) {
        auto ranked = rankPairs(o, **figures, *model, progress);
        if (!ranked) return tl::unexpected(ranked.error());
        pairs = std::move(*ranked);
    }
    const auto* both = pairs ? &*pairs : nullptr;
    if (!o.json && o.output.empty()) {
        print(impact::rankingText(**model, *singles, both));
        return kDone;
    }
    const auto json = impact::rankingJson(study, *singles, both, progress);
    if (!json) return tl::unexpected(json.error());
    const std::string text = json->dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    if (!o.output.empty())
        if (const auto written = writeWholeText(o.output, text); !written) return tl::unexpected(written.error());
    print(o.json ? text : impact::rankingText(**model, *singles, both));
    return kDone;
}

} // namespace impact_command

void addImpact(Session& session)
{
    using namespace impact_command;
    session.command<Options>("impact", i18n("Analyze the impact of failures"), declare, run);
}

} // namespace hw::cli
