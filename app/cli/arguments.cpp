// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "app/cli/console.h"

#include "version.h"

#include <algorithm>
#include <regex>

namespace hw::cli {

namespace {

const CLI::App& calledCommand(const Session& session)
{
    const auto called = session.app.get_subcommands();
    return called.empty() ? session.app : *called.front();
}

Text helpHint(const CLI::App& app)
{
    const std::string name = app.get_parent() ? "hallwright-cli " + app.get_name() : "hallwright-cli";
    return i18n("see '{} --help'", name);
}

std::string afterPrefix(const std::string& text, std::string_view end)
{
    const auto at = text.find(end);
    return at == std::string::npos ? std::string() : text.substr(0, at);
}

/// What CLI11 says about a value or the number of values, for those of its sentences that are known here.
Text said(const std::string& text)
{
    std::smatch found;
    const auto says = [&](const char* pattern) { return std::regex_match(text, found, std::regex(pattern)); };
    constexpr const char* kBeyond = "Value (.*) not in range (.*) to (.*)"; // no text
    if (says(kBeyond)) return i18n("value {} is out of range ({} to {})", found.str(1), found.str(2), found.str(3));
    if (says("(.*) not in (\\{.*\\})")) return i18n("{} is not one of {}", found.str(1), found.str(2)); // no text
    if (says("(\\d+) required (.*) missing")) return i18n("{} more {} value(s) required", found.str(1), found.str(2));
    if (says("(\\S+) excludes (\\S+)")) return i18n("{} cannot be combined with {}", found.str(1), found.str(2));
    return verbatim(text);
}

/// CLI11's words turned into WHERE and WHAT.
Error usageError(const CLI::ParseError& error, const Session& session)
{
    const CLI::App& app = calledCommand(session);
    const std::string text = error.what();
    Error result{ErrorCode::Usage, app.get_parent() ? app.get_name() : "hallwright-cli", said(text), helpHint(app)};
    const auto extras = session.app.remaining(true);
    const bool noCommand = session.app.get_subcommands().empty() && !extras.empty(); // `hallwright-cli --nope`
    if (noCommand || dynamic_cast<const CLI::ExtrasError*>(&error)) {
        result.where = extras.empty() ? result.where : extras.front();
        result.what = result.where.starts_with('-') ? i18n("unknown option") : i18n("unexpected argument");
    } else if (dynamic_cast<const CLI::RequiredError*>(&error)) {
        const std::string missing = afterPrefix(text, " is required"); // no text
        if (missing == "A subcommand")                                 // no text
            result.what = i18n("no command given");
        else if (!missing.empty()) {
            result.where = missing;
            result.what = i18n("required argument missing");
        }
    } else if (const std::string option = afterPrefix(text, ": "); !option.empty()) {
        result.where = option == "Could not convert" ? words(i18n("invalid value")) : option; // no text
        result.what = said(text.substr(option.size() + 2));
    }
    return result;
}

std::optional<int> unknownCommand(const Session& session, int argc, char** argv)
{
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.empty() || first.starts_with('-')) return std::nullopt;
    std::vector<std::string> known;
    for (const CLI::App* command : session.app.get_subcommands({})) {
        if (command->get_name() == first) return std::nullopt;
        known.push_back(command->get_name());
    }
    return printError({ErrorCode::Usage, first, i18n("unknown command"), i18n("choose from {}", listedNames(known))});
}

/// An option with nothing behind it, as a script with an unset variable gives it.
std::optional<int> emptyOption(const Session& session)
{
    for (const CLI::App* command : session.app.get_subcommands())
        for (const CLI::Option* option :
             command->get_options([](const CLI::Option* o) { return o->count() > 0 && o->get_expected_max() > 0 && !o->get_positional(); })) {
            const auto values = option->results();
            if (std::find(values.begin(), values.end(), std::string()) == values.end()) continue;
            const std::string name = option->get_snames().empty() ? "--" + option->get_lnames().front() : "-" + option->get_snames().front();
            return printError({ErrorCode::Usage, name, i18n("empty"), i18n("specify a value")});
        }
    return std::nullopt;
}

} // namespace

std::optional<int> parseArguments(Session& session, int argc, char** argv)
{
    CLI::App& app = session.app;
    app.name("hallwright-cli");
    app.description(words(i18n("Design and check GPU data centers from scripts. Uses the same core as the GUI.\nExit codes: 0 "
                               "success, 1 internal error, 2 usage error, 3 check failed, 4 invalid input or output not writable.")));
    app.set_version_flag("--version", "hallwright-cli " HW_VERSION, words(i18n("Print version information and exit")));
    app.set_help_all_flag("--help-all", words(i18n("Print help for all commands")));
    app.require_subcommand(1);
    if (const auto code = unknownCommand(session, argc, argv)) return code;
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) { // --help, --help-all, --version
        const int code = app.exit(asked);
        const auto written = finishOutput();
        return written ? code : printError(written.error());
    } catch (const CLI::ParseError& error) {
        return printError(usageError(error, session));
    }
    return emptyOption(session);
}

Result<std::map<std::string, std::string>> namedValues(const std::vector<std::string>& arguments, const std::string& option)
{
    std::map<std::string, std::string> values;
    for (const auto& argument : arguments) {
        const auto equals = argument.find('=');
        if (equals == std::string::npos || equals == 0)
            return fail(ErrorCode::Usage, option + ' ' + argument, i18n("not in the form NAME=VALUE"), i18n("for example: {} pods=2", option));
        values[argument.substr(0, equals)] = argument.substr(equals + 1);
    }
    return values;
}

} // namespace hw::cli
