// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/input_file.h"
#include "app/cli/output_file.h"
#include "simulation/engine/run.h"

namespace hw::cli {

namespace {

struct Options {
    std::string file, scenario, output;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, "The project")->option_text("FILE.hall")->required();
    app.add_option("--scenario", o.scenario, "What is sent: {\"workload\": \"ring-allreduce\" | \"permutation\", …}")->option_text("SCENARIO.json")->required();
    app.add_flag("--json", o.json, "JSON instead of text");
    app.add_option("-o,--output", o.output, "The whole result, with every flow")->option_text("RESULT.json");
    app.footer("Keys of a scenario besides workload: name, network, pods, segments, bytes, seed, flows_per_port.");
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    const auto text = readText(o.scenario);
    if (!text) return tl::unexpected(text.error());
    const auto scenario = sim::parseScenario(*text, o.scenario);
    if (!scenario) return tl::unexpected(scenario.error());
    const auto snapshot = readDesign(o.file, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    const auto parts = ProjectParts::of((*snapshot)->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const auto result = sim::runScenario(**snapshot, *scenario, progress);
    if (!result) return tl::unexpected(result.error());
    if (!(*result)->certificateOk) return fail(ErrorCode::Fault, o.scenario, "the rates are not proved max-min to 1e-9", "please report it");
    if (!o.output.empty())
        if (const auto written = writeWholeText(o.output, sim::resultJson(**snapshot, **parts, *scenario, **result, true)); !written)
            return tl::unexpected(written.error());
    print(o.json ? sim::resultJson(**snapshot, **parts, *scenario, **result, false) : sim::resultText(**snapshot, **parts, *scenario, **result));
    return kDone;
}

} // namespace

void addSimulate(Session& session) { session.command<Options>("simulate", "Send traffic through a design", declare, run); }

} // namespace hw::cli
