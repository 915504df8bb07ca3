// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/output/lifecycle/life_cycle.h"
#include "core/output/lifecycle/power_items.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace lifecycle_command {

struct Options {
    std::vector<std::string> files;
    std::optional<int> phase;
    int years = 15;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.files, words(i18n("Project files; more than one: alternatives side by side")))->option_text("FILE.hall...")->required();
    app.add_option("--years", o.years, words(i18n("Years of operation (default: 15)")))->option_text("N");
    addPhaseOption(app, o.phase);
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(
        i18n("Assumptions: cost.interest_percent, cost.years_…, cost.maintenance_percent, cost.energy_growth_percent; change them with edit.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.years < 1 || o.years > 100)
        return fail(ErrorCode::Refused, "--years", i18n("{} is outside 1 to 100", o.years), i18n("choose a number of years in this range"));
    std::vector<LifeCycleOf> designs;
    for (const std::string& file : o.files) {
        const auto figures = readFigures(file, progress, o.phase);
        if (!figures) return tl::unexpected(figures.error());
        if (const auto made = (*figures)->prepare<BomNode, PowerNode>(progress); !made) return tl::unexpected(made.error());
        LifeCycleOf of{.life = lifeCycle(**figures, o.years), .stamp = DesignStamp::of(*(*figures)->snapshot)};
        of.positions = costPositions(*(*figures)->snapshot, of.life, publishedShare(powerItems(**figures, makeBom(**figures))));
        designs.push_back(std::move(of));
    }
    print(o.json ? lifeCycleJson(designs).dump(2) + '\n' : lifeCycleText(designs));
    return kDone;
}

} // namespace lifecycle_command

void addLifeCycle(Session& session)
{
    using namespace lifecycle_command;
    session.command<Options>("lifecycle", i18n("Life-cycle cost, compared with published ranges; alternatives side by side"), declare, run);
}

} // namespace hw::cli
