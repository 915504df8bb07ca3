// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/explore/explore.h"
#include "app/cli/batch_options.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_file.h"
#include "core/foundation/base/json_document.h"
#include "core/foundation/files/atomic_file.h"
#include "simulation/questions/run_request.h"

#include <fstream>
#include <sstream>

namespace hw::cli {

namespace explore_command {

struct Options {
    std::string request, output, plot, x, y;
    BatchOptions batch;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("REQUEST", o.request, words(i18n("Templates, parameters, limits and objectives (docs/explore.md)")))
        ->option_text("REQUEST.json")
        ->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("All designs with their figures. An interrupted run resumes from this file")))
        ->option_text("RESULT.json|.csv|.xlsx");
    app.add_option("--plot", o.plot, words(i18n("Chart of two figures of all designs, with the Pareto front")))->option_text("FILE.svg");
    app.add_option("--x", o.x, words(i18n("Figure on the horizontal axis (default: the first objective)")))->option_text("FIGURE");
    app.add_option("--y", o.y, words(i18n("Figure on the vertical axis (default: the second objective)")))->option_text("FIGURE");
    declareBatch(app, o.batch, i18n("Designs"));
}

Result<sim::Json> documentOf(const Options& o, const sim::ExploreRequest& request, const Progress& progress)
{
    sim::ExploreOptions options;
    options.threads = o.batch.threads;
    std::optional<sim::SlurmPoints> slurm;
    if (o.batch.slurm) {
        slurm = slurmPoints(o.batch, o.output);
        slurm->name = request.name;
        slurm->command = {"explore", (slurm->folder / "request.json").string()};
        slurm->prepare = [&](const std::filesystem::path& folder) { return writeFile(folder / "request.json", request.given.dump(1) + "\n"); };
        options.elsewhere = [&](const std::string& identity, std::vector<sim::Json>& found) {
            return sim::fillOnSlurm(*slurm, identity, found, progress);
        };
    } else if (!o.output.empty() && !std::filesystem::is_other(o.output)) {
        options.keep = o.output + ".partial";
    }
    auto document = sim::exploreDesigns(request, options, progress);
    std::error_code error;
    if (document && !options.keep.empty()) std::filesystem::remove(options.keep, error);
    if (document && slurm) std::filesystem::remove_all(slurm->folder, error);
    return document;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    if (o.plot.empty() && !(o.x + o.y).empty())
        return fail(ErrorCode::Usage, o.x.empty() ? "--y" : "--x", i18n("requires --plot"), i18n("add --plot FILE.svg, or omit it"));
    if (const auto fine = refuseProject(o.plot); !fine) return tl::unexpected(fine.error());
    if (const auto fine = checkBatch(o.batch, o.output); !fine) return tl::unexpected(fine.error());
    if (!o.output.empty() && o.batch.points.empty())
        if (const auto format = outputFormat(o.output, {".json", ".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    std::ifstream in(o.request, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf()))
        return fail(ErrorCode::Unreadable, o.request, i18n("cannot be read"), i18n("check the path and its permissions"));
    const auto request = sim::parseExploreRequest(text.str(), o.request);
    if (!request) return tl::unexpected(request.error());
    if (!o.batch.points.empty()) {
        if (o.json || !o.plot.empty())
            return fail(ErrorCode::Usage, o.json ? "--json" : "--plot", i18n("some designs have no result yet"), i18n("omit it"));
        const auto points = sim::parsePoints(o.batch.points, request->candidates.size());
        if (!points) return tl::unexpected(points.error());
        sim::ExploreOptions options;
        options.threads = o.batch.threads, options.keep = o.output;
        if (const auto ran = sim::explorePoints(*request, *points, options, progress); !ran) return tl::unexpected(ran.error());
        return kDone;
    }
    const auto document = documentOf(o, *request, progress);
    if (!document) return tl::unexpected(document.error());
    if (!o.output.empty()) {
        const auto written = std::filesystem::path(o.output).extension() == ".json" ? writeWholeText(o.output, document->dump(1) + "\n")
                                                                                    : sim::writeExploreTable(*document, o.output, progress);
        if (!written) return tl::unexpected(written.error());
    }
    if (!o.plot.empty()) {
        const auto chart = sim::exploreSvg(*document, o.x, o.y);
        if (!chart) return tl::unexpected(chart.error());
        if (const auto written = writeWholeText(o.plot, *chart); !written) return tl::unexpected(written.error());
    }
    print(o.json ? documentText(*document, 1) : sim::exploreText(*document));
    return kDone;
}

} // namespace explore_command

void addExplore(Session& session)
{
    using namespace explore_command;
    session.command<Options>("explore", i18n("Compare many designs: cost, goodput per MW, accelerators lost to the worst single failure"), declare,
                             run);
}

} // namespace hw::cli
