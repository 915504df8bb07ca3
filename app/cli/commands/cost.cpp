// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/prebuilt.h"
#include "core/output/cost/hour_cost.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace cost_command {

struct Options {
    std::string file, currency;
    std::optional<int> phase;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("--currency", o.currency, words(i18n("Show all sums in this currency, at the exchange rate of the project")))->option_text("CODE");
    addPhaseOption(app, o.phase);
    app.footer(words(i18n("Every assumption is a setting (cost.…); change it with edit, 'set-setting'.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<BomNode, PowerNode>(progress); !made) return tl::unexpected(made.error());
    auto cost = hourCost(**figures, makeBom(**figures));
    if (!o.currency.empty()) {
        auto converted = inCurrency(std::move(cost), *(*figures)->snapshot, o.currency);
        if (!converted) return tl::unexpected(converted.error());
        cost = std::move(*converted);
    }
    const auto stamp = DesignStamp::of(*(*figures)->snapshot);
    auto json = o.json ? hourCostJson(cost, stamp) : nlohmann::ordered_json();
    std::string text = o.json ? std::string() : hourCostText(cost, stamp);
    if (o.phase) {
        const auto row = prebuiltAt(o.file, *o.phase, progress);
        if (!row) return tl::unexpected(row.error());
        if (o.json)
            json.update(row->json());
        else
            text += row->text();
    }
    print(o.json ? json.dump(2) + '\n' : text);
    return kDone;
}

} // namespace cost_command

void addCost(Session& session)
{
    using namespace cost_command;
    session.command<Options>("cost", i18n("Cost per accelerator-hour and its breakdown"), declare, run);
}

} // namespace hw::cli
