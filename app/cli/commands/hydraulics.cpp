// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_file.h"
#include "core/foundation/base/file_kind.h"
#include "core/physics/hydraulics/balance.h"
#include "core/physics/hydraulics/network_file.h"

namespace hw::cli {

namespace hydraulics_command {

struct Options {
    std::string file, output, coolants;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Network of pipes, pumps, valves and cold plates")))->option_text("FILE.json")->required();
    app.add_option("-o,--output", o.output, words(i18n("Output file for the network with its heads and flows")))->option_text("OUT.json");
    app.add_option("--coolants", o.coolants, words(i18n("Additional fluids and coolants, in the format of resources/coolants")))
        ->option_text("FILE.yaml");
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
    const auto file = hydraulics::readNetwork(*text, o.file, *library);
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
