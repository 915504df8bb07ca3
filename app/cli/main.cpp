// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/base/language.h"
#include "core/foundation/base/log.h"
#include "core/foundation/base/memory.h"

#include "version.h"

#include <chrono>
#include <exception>

#include <unistd.h>

namespace {

using namespace hw;

/// The command that was called reads the file of an error, and not as a format of its choice (`import` says it itself).
bool readsFileOf(const cli::Session& session, const Error& error)
{
    for (const CLI::App* command : session.app.get_subcommands()) {
        if (command->get_name() == "import") return false;
        const auto* output = command->get_option_no_throw("--output");
        if (output && !output->empty() && error.where.starts_with(output->results().front())) return false;
    }
    return true;
}

/// The import format that the command reads besides its own files; its errors stay as they are.
const char* foreignFormatOf(const cli::Session& session)
{
    for (const CLI::App* command : session.app.get_subcommands())
        if (command->get_name() == "hydraulics") return "epanet";
    return "";
}

/// Where the command line or the environment says; nowhere without a word.
Result<void> openLog(const cli::Session& session)
{
    logging::Target target;
    target.file = session.log.empty() ? logging::fileOfEnvironment() : std::filesystem::path(session.log);
    if (!session.logLevel.empty()) {
        const auto level = logging::levelOf(session.logLevel, "--log-level");
        if (!level) return tl::unexpected(level.error());
        if (target.file.empty())
            return fail(ErrorCode::Usage, "--log-level", i18n("has no effect without a log"), i18n("specify its file with --log"));
        target.level = *level;
    }
    return target.file.empty() ? Result<void>() : logging::open(target);
}

int run(cli::Session& session, const std::string& command)
{
    if (const auto opened = openLog(session); !opened) return cli::printError(opened.error());
    logging::info(logging::Id::ProgramStarted, "hallwright-cli {} (process {}):{}", HW_VERSION, getpid(), command);
    const auto began = std::chrono::steady_clock::now();
    cli::ProgressLine line;
    cli::Outcome outcome = tl::unexpected(Error());
    try {
        outcome = session.chosen(line.progress());
    } catch (const std::exception& fault) {
        outcome = fail(ErrorCode::Fault, "hallwright-cli", i18n("internal error: {}", fault.what()), i18n("please report it"));
    }
    if (outcome) // what was computed is worth nothing when it did not arrive
        if (const auto written = cli::finishOutput(); !written) outcome = tl::unexpected(written.error());
    if (!outcome && readsFileOf(session, outcome.error())) outcome = tl::unexpected(explainedByFile(outcome.error(), foreignFormatOf(session)));
    const int code = outcome ? *outcome : cli::printError(outcome.error());
    if (!outcome) logging::error(logging::Id::CommandFailed, "{}", outcome.error().text());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    logging::info(logging::Id::ProgramEnded, "exit code {} after {:.1f} s", code, took.count());
    return code;
}

/// As it was typed, for the log.
std::string commandOf(int argc, char** argv)
{
    std::string out;
    for (int i = 1; i < argc; ++i) out += ' ' + std::string(argv[i]);
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    keepFreedMemory();
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
        cli::addList(session);
        cli::addSize(session);
        cli::addCompare(session);
        cli::addCost(session);
        cli::addYear(session);
        cli::addFeeders(session);
        cli::addLifeCycle(session);
        cli::addDemand(session);
        cli::addSolve(session);
        cli::addHydraulics(session);
        cli::addCoolant(session);
        cli::addSimulate(session);
        cli::addExplore(session);
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
        cli::addAir(session);
        cli::addHandover(session);
        cli::addInterconnects(session);
        cli::addIsolate(session);
        cli::addJobs(session);
        cli::addPredict(session);
        cli::addTickets(session);
        if (const auto code = cli::parseArguments(session, argc, argv)) return *code;
        return run(session, commandOf(argc, argv));
    } catch (const std::exception& fault) {
        return cli::printError({ErrorCode::Fault, "hallwright-cli", i18n("internal error: {}", fault.what()), i18n("please report it")});
    }
}
