// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/demand.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/foundation/base/file_kind.h"
#include "importers/demand/demand_reader.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace demand_command {

struct Options {
    std::string file, curve;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("--curve", o.curve, words(i18n("CSV with date,accelerators[,tenant], or JSON with data points and growth laws")))
        ->option_text("CURVE.csv|json")
        ->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("Growth law: {{\"laws\": [{{\"start\": \"2026-01\", \"accelerators\": 1000, \"multiply\": 750, \"years\": "
                          "2}}]}};\nalternatives: \"percent_per_quarter\": 20, or \"add\": 2048 with \"quarters\": 1.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto text = readTextFile(o.curve);
    if (!text) return tl::unexpected(text.error());
    const auto list = importers::readDemand(*text, o.curve);
    if (!list) return tl::unexpected(list.error());
    for (const Error& left : list->left) printNote(i18n("{}: skipped: {}", left.where, left.what));
    if (!list->left.empty()) printNote(i18n("{}: {}", o.curve, list->counts()));
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto catalog = shippedCatalog();
    if (!catalog) return tl::unexpected(catalog.error());
    auto limits = sizing::designLimits(**figures);
    if (const auto grows = sizing::templateLimit(*(*figures)->snapshot, *catalog)) limits.insert(limits.begin(), *grows);
    const auto answer = sizing::meetDemand(list->curve, limits);
    print(o.json ? sizing::demandJson(answer, o.file).dump(2) + '\n' : sizing::demandText(answer, o.file));
    return kDone;
}

} // namespace demand_command

void addDemand(Session& session)
{
    using namespace demand_command;
    session.command<Options>("demand", i18n("Forecast when ports, power or rack space run out"), declare, run);
}

} // namespace hw::cli
