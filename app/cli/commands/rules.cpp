// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "core/derived/rules/check.h"

namespace hw::cli {

namespace rules_command {

struct Options {
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("Thresholds are project settings; to see their values, run 'hallwright-cli settings FILE'.")));
}

Outcome run(const Options& o, const Progress&)
{
    print(o.json ? rulesJson() : rulesText());
    return kDone;
}

} // namespace rules_command

void addRules(Session& session)
{
    using namespace rules_command;
    session.command<Options>("rules", i18n("List the rules of 'check' with severity, scope, thresholds and sources"), declare, run);
}

} // namespace hw::cli
