// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/exchange/formats.h"
#include "core/live/preview.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace bindings_command {

struct Options {
    std::string file, metadata;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("The project")))->option_text("FILE.hall")->required();
    app.add_option("--metadata", o.metadata,
                   words(i18n("Where the channels stand: what `export dsx-metadata` writes, any JSON of topics with their metadata, a recording as "
                              "JSON lines, Prometheus' text format, or a list of names, a line each")))
        ->option_text("PATH");
    app.add_flag("--json", o.json, words(i18n("JSON instead of text")));
    app.footer(
        words(i18n("Says of every channel what it is bound to or why it is not; without --metadata the rules and what was bound by hand. "
                   "Exit code 3: a channel is ambiguous, a unit conflicts, or a rule cannot be understood; unbound channels are none of these. "
                   "Nothing is changed: `edit` has bind, unbind and set-aside, and adds, sets and removes binding-rule.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    std::vector<live::ChannelText> channels;
    if (!o.metadata.empty()) {
        const auto source = exchange::readSource(o.metadata);
        if (!source) return tl::unexpected(source.error());
        auto read = live::channelsOf(source->content, o.metadata);
        if (!read) return tl::unexpected(read.error());
        channels = std::move(*read);
        if (channels.empty()) printNote(i18n("{}: names no channels", o.metadata));
    }
    const auto report = live::bindingsReport(*figures, std::move(channels));
    print(o.json ? live::bindingsJson(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n'
                 : live::bindingsText(report));
    return report.clear() ? kDone : kAnswerIsNo;
}

} // namespace bindings_command

void addBindings(Session& session)
{
    using namespace bindings_command;
    session.command<Options>("bindings", i18n("Which telemetry channel belongs to what"), declare, run);
}

} // namespace hw::cli
