// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <functional>

#include <CLI/CLI.hpp>

namespace hw::cli {

/// What a command gives back: its exit code, or the error that is printed and turned into one.
using Outcome = Result<int>;
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 3;

/// The parsed command line: commands put their options into `app`, and the one that was called
/// leaves its work in `chosen`. Lives in main for the time of the process.
struct Session {
    CLI::App app;
    std::function<Outcome(const Progress&)> chosen;

    /// Adds a subcommand whose options are the fields of a fresh `Options`; `declare` binds them, `run`
    /// does the work.
    template <class Options>
    CLI::App* command(const std::string& name, const std::string& help, void (*declare)(CLI::App&, Options&),
                      Outcome (*run)(const Options&, const Progress&))
    {
        auto options = std::make_shared<Options>();
        CLI::App* sub = app.add_subcommand(name, help);
        declare(*sub, *options);
        sub->callback([this, options, run] { chosen = [options, run](const Progress& progress) { return run(*options, progress); }; });
        return sub;
    }
};

} // namespace hw::cli
