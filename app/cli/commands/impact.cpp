// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/derived/impact/impact_output.h"
#include "core/design/edit/edits.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace impact_command {

struct Options {
    std::string file;
    std::vector<std::string> entities;
    bool pairs = false, json = false;
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
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("Power uses the project's basis (site.power_basis). Bisection is the remaining capacity at the "
                          "narrowest backend level between the hosts and the tier that connects them all. Batteries, "
                          "generators, transfers and overloads act over time (settings impact.*); coolant in the loops, tanks "
                          "in their flow included, extends the thermal ride-through.")));
}

Outcome showOne(impact::Study& study, const Options& o)
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
    print(o.json ? impact::impactJson(study, failed).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'
                 : impact::impactText(study, failed));
    return kDone;
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto model = impact::Model::of(*figures, progress);
    if (!model) return tl::unexpected(model.error());
    impact::Study study(*model);
    if (!o.entities.empty()) return showOne(study, o);
    const auto singles = impact::rankSingles(*model, progress);
    if (!singles) return tl::unexpected(singles.error());
    std::optional<impact::PairRanking> pairs;
    if (o.pairs) {
        auto ranked = impact::rankPairs(*model, progress);
        if (!ranked) return tl::unexpected(ranked.error());
        pairs = std::move(*ranked);
    }
    const auto* both = pairs ? &*pairs : nullptr;
    if (!o.json) {
        print(impact::rankingText(**model, *singles, both));
        return kDone;
    }
    const auto json = impact::rankingJson(study, *singles, both, progress);
    if (!json) return tl::unexpected(json.error());
    print(json->dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
    return kDone;
}

} // namespace impact_command

void addImpact(Session& session)
{
    using namespace impact_command;
    session.command<Options>("impact", i18n("Analyze the impact of failures"), declare, run);
}

} // namespace hw::cli
