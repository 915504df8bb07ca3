// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_file.h"
#include "core/foundation/base/file_kind.h"
#include "core/physics/hydraulics/balance.h"
#include "core/physics/hydraulics/network_file.h"
#include "importers/simulators/epanet_reader.h"

#include <optional>

namespace hw::cli {

namespace hydraulics_command {

struct Options {
    std::string file, output, coolants;
    std::optional<double> hour;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Network of pipes, pumps, valves and cold plates; JSON or EPANET")))
        ->option_text("FILE.json|FILE.inp")
        ->required();
    app.add_option("-o,--output", o.output, words(i18n("Output file for the network with its heads and flows")))->option_text("OUT.json");
    app.add_option("--coolants", o.coolants, words(i18n("Additional fluids and coolants, in the format of resources/coolants")))
        ->option_text("FILE.yaml");
    app.add_option("--hour", o.hour, words(i18n("Hour of the patterns of an EPANET network (default: 0)")))
        ->option_text("H")
        ->check(CLI::Range(0.0, 8784.0));
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("Valves with a target flow instead of a Kv are set to deliver that flow. The file format is "
                          "described in docs/hydraulics.md.")));
}

std::string dump(const nlohmann::json& json) { return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'; }

/// Errors of a network that was read get the file's name.
tl::unexpected<Error> inFile(const std::string& file, Error error)
{
    error.where = file + ": " + error.where;
    return tl::unexpected(std::move(error));
}

/// JSON, or an EPANET input file with its remarks printed.
Result<hydraulics::NetworkFile> readAny(const Options& o, const std::string& text, const coolant::Library& library)
{
    if (!importers::looksLikeEpanet(text)) {
        if (o.hour) return fail(ErrorCode::Usage, "--hour", i18n("only EPANET networks have patterns"), i18n("omit it"));
        return hydraulics::readNetwork(text, o.file, library);
    }
    auto read = importers::readEpanet(text, o.file, library, o.hour.value_or(0));
    if (!read) return tl::unexpected(read.error());
    for (const auto& issue : read->issues) printNote(i18n("{}: {}", issue.where, issue.what));
    return std::move(read->network);
}

Outcome run(const Options& o, const Progress& progress)
{
    if (!o.output.empty())
        if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    auto library = coolant::shippedLibrary();
    if (library && !o.coolants.empty())
        if (const auto added = library->addFile(o.coolants); !added) return tl::unexpected(added.error());
    if (!library) return tl::unexpected(library.error());
    const auto text = readTextFile(o.file);
    if (!text) return tl::unexpected(text.error());
    const auto file = readAny(o, *text, *library);
    if (!file) return tl::unexpected(file.error());
    hydraulics::Network network = file->network;
    if (hydraulics::wantsBalance(network)) {
        auto set = hydraulics::balanced(network, progress.stop);
        if (!set) return inFile(o.file, set.error());
        network = std::move(*set);
    }
    const auto solution = hydraulics::solve(network, progress.stop);
    if (!solution) return inFile(o.file, solution.error());
    const bool needed = o.json || !o.output.empty();
    const std::string json = needed ? dump(hydraulics::answerJson(*file, network, *solution)) : std::string();
    if (!o.output.empty())
        if (const auto written = writeWholeText(o.output, json); !written) return tl::unexpected(written.error());
    print(o.json ? json : hydraulics::answerText(*file, network, *solution));
    return kDone;
}

} // namespace hydraulics_command

void addHydraulics(Session& session)
{
    using namespace hydraulics_command;
    session.command<Options>("hydraulics", i18n("Calculate flows and heads in a network of pipes, pumps and valves"), declare, run);
}

} // namespace hw::cli
