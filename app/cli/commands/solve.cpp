// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_file.h"
#include "simulation/fairshare/solve_command.h"

namespace hw::cli {

namespace solve_command {

struct Options {
    std::string problem, output;
    bool finish = false;
    int repeat = 1;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("PROBLEM", o.problem, words(i18n("Problem file: directed links with capacities, flows with sizes and links")))
        ->option_text("PROBLEM.mmf")
        ->required();
    app.add_option("-o,--output", o.output, words(i18n("Output file for rates, one per line (finish times with --finish)")))->option_text("RATES");
    app.add_flag("--finish", o.finish, words(i18n("Finish times of all flows starting at t = 0, instead of rates")));
    app.add_option("--repeat", o.repeat, words(i18n("Number of solver runs; the best time is printed")))
        ->option_text("N")
        ->check(CLI::Range(1, 1'000'000));
}

tl::unexpected<Error> unreadable(const std::string& path, const sim::ProblemError& error)
{
    return fail(ErrorCode::Unreadable, error.line > 0 ? path + ':' + std::to_string(error.line) : path, error.what, error.todo);
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    auto solved = sim::solveFile({o.problem, o.finish, o.repeat}, progress.stop, [&](double done) { progress.report(done, words(i18n("solving"))); });
    if (!solved) return unreadable(o.problem, solved.error());
    if (solved->stopped) return fail(ErrorCode::Canceled, o.problem, i18n("stopped"), i18n("no rates were written"));
    if (!solved->certificateOk)
        return fail(ErrorCode::Fault, o.problem, i18n("max-min fairness of the rates not verified to 1e-9"),
                    i18n("please report it and attach the problem file"));
    if (!o.output.empty())
        if (const auto written = sim::writeValues(o.output, solved->values); !written) return unreadable(o.output, written.error());
    solved->finishS = 0; // the line is the same with --finish
    print(solved->line() + '\n');
    return kDone;
}

} // namespace solve_command

void addSolve(Session& session)
{
    using namespace solve_command;
    session.command<Options>("solve", i18n("Calculate max-min fair rates or finish times for a problem file"), declare, run);
}

} // namespace hw::cli
