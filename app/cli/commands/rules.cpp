// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "core/rules/check.h"

namespace hw::cli {

namespace rules_command {

struct Options {
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_flag("--json", o.json, words(i18n("JSON instead of text")));
    app.footer(words(i18n("Thresholds are settings of a project: see 'hallwright-cli settings FILE' for their values there.")));
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
    session.command<Options>("rules", i18n("List the rules of 'check': severity, what they look at, thresholds with source"), declare, run);
}

} // namespace hw::cli
