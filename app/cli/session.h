// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"

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
    std::string log, logLevel; ///< of every command: --log, --log-level

    /// What the library says on its own is inherited by the commands that are added afterward.
    Session()
    {
        app.option_defaults()->group(words(i18n("Options")));
        app.set_help_flag("-h,--help", words(i18n("Print this help message and exit")));
        const auto label = [this](const char* id, const Text& shown) { app.get_formatter()->label(id, words(shown)); };
        label("Usage", i18n("Usage"));
        label("OPTIONS", i18n("OPTIONS"));
        label("Positionals", i18n("Positionals"));
        label("REQUIRED", i18n("REQUIRED"));
        label("SUBCOMMAND", i18n("SUBCOMMAND"));
        label("Excludes", i18n("Excludes"));
    }

    /// Adds a subcommand whose options are the fields of a fresh `Options`; `declare` binds them, `run`
    /// does the work.
    template <class Options>
    CLI::App* command(const std::string& name, const Text& help, void (*declare)(CLI::App&, Options&),
                      Outcome (*run)(const Options&, const Progress&))
    {
        auto options = std::make_shared<Options>();
        CLI::App* sub = app.add_subcommand(name, words(help));
        sub->get_help_ptr()->group(sub->option_defaults()->get_group());
        declare(*sub, *options);
        for (CLI::Option* one : sub->get_options([](const CLI::Option* o) { return o->get_required() && !o->get_option_text().empty(); }))
            one->option_text(one->get_option_text() + " " + words(i18n("REQUIRED"))); // a text of its own replaces the library's mark
        sub->option_defaults()->group(words(i18n("Logging")));
        sub->add_option("--log", log, words(i18n("Append a log to this file (default: HALLWRIGHT_LOG, else none)")))->option_text("FILE");
        sub->add_option("--log-level", logLevel, words(i18n("Minimum severity: debug, info, warning or error (default: info)")))
            ->option_text("LEVEL");
        sub->callback([this, options, run] { chosen = [options, run](const Progress& progress) { return run(*options, progress); }; });
        return sub;
    }
};

} // namespace hw::cli
