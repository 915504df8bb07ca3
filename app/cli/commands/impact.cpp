// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/derived/impact/impact_output.h"
#include "core/design/edit/edits.h"
#include "simulation/air/hall.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace impact_command {

struct Options {
    std::string file;
    std::vector<std::string> entities;
    bool pairs = false, json = false, air = false;
    std::size_t cells = sim::air::HallOptions().cells;
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

Outcome run(const Options& o, const Progress& progress)
{
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto model = impact::Model::of(*figures, progress);
    if (!model) return tl::unexpected(model.error());
    impact::Study study(*model);
    if (!o.entities.empty()) return showOne(study, **figures, o, progress);
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
