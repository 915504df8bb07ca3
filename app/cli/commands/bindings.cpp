// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/operations/bindings/preview.h"
#include "core/output/exchange/formats.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace bindings_command {

struct Options {
    std::string file, metadata;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("--metadata", o.metadata,
                   words(i18n("Channel list file: output of `export dsx-metadata`, JSON of topics with metadata, a recording in "
                              "JSON Lines, Prometheus text format, or a list of names, one per line")))
        ->option_text("PATH");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("Show each channel's binding, or why it is unbound; without --metadata, show binding rules and "
                          "manual bindings. Exits with 3 if a channel is ambiguous, a unit conflicts or a rule is invalid; "
                          "unbound channels do not count. Nothing is changed: `edit` has bind, unbind and set-aside, and can "
                          "add, set and remove binding-rule.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    std::vector<bindings::ChannelText> channels;
    if (!o.metadata.empty()) {
        const auto source = exchange::readSource(o.metadata);
        if (!source) return tl::unexpected(source.error());
        std::vector<Error> left;
        auto read = bindings::channelsOf(source->content, o.metadata, left);
        if (!read) return tl::unexpected(read.error());
        channels = std::move(*read);
        for (const Error& error : left) printNote(i18n("{}: skipped: {}", error.where, error.what));
        if (!left.empty())
            printNote(i18n("{}: {} read, {:L} skipped", o.metadata, i18np(channels.size(), "{:L} channel", "{:L} channels"), left.size()));
        if (channels.empty()) printNote(i18n("{}: contains no channels", o.metadata));
    }
    // Freeing a million names takes seconds; the end of the program frees them at once.
    static const auto& report = *new bindings::BindingsReport(bindings::bindingsReport(*figures, std::move(channels)));
    print(o.json ? bindings::bindingsJson(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n'
                 : bindings::bindingsText(report));
    return report.clear() ? kDone : kAnswerIsNo;
}

} // namespace bindings_command

void addBindings(Session& session)
{
    using namespace bindings_command;
    session.command<Options>("bindings", i18n("Map telemetry channels to design objects"), declare, run);
}

} // namespace hw::cli
