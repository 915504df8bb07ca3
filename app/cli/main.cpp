// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "core/base/language.h"

#include <exception>

namespace {

using namespace hw;

int run(cli::Session& session)
{
    cli::ProgressLine line;
    cli::Outcome outcome = session.chosen(line.progress());
    if (outcome) // what was computed is worth nothing when it did not arrive
        if (const auto written = cli::finishOutput(); !written) outcome = tl::unexpected(written.error());
    return outcome ? *outcome : cli::printError(outcome.error());
}

} // namespace

int main(int argc, char** argv)
{
    setLanguage(languageOfEnvironment()); // before there are other threads
    cli::interrupt::install();
    try {
        cli::Session session;
        cli::addTemplates(session);
        cli::addNew(session);
        cli::addEdit(session);
        cli::addReport(session);
        cli::addCheck(session);
        cli::addRules(session);
        cli::addBom(session);
        cli::addCables(session);
        cli::addSize(session);
        cli::addCompare(session);
        cli::addCost(session);
        cli::addDemand(session);
        cli::addSolve(session);
        cli::addHydraulics(session);
        cli::addCoolant(session);
        cli::addSimulate(session);
        cli::addScenarios(session);
        cli::addResults(session);
        cli::addRender(session);
        cli::addLayout(session);
        cli::addImpact(session);
        cli::addLive(session);
        cli::addReplay(session);
        cli::addEmulate(session);
        cli::addImport(session);
        cli::addExport(session);
        cli::addBindings(session);
        cli::addSettings(session);
        cli::addAsBuilt(session);
        cli::addAcceptance(session);
        cli::addHandover(session);
        if (const auto code = cli::parseArguments(session, argc, argv)) return *code;
        return run(session);
    } catch (const std::exception& fault) {
        return cli::printError({ErrorCode::Fault, "hallwright-cli", i18n("internal fault: {}", fault.what()), i18n("please report it")});
    }
}
