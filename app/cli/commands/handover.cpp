// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/drawing_program.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/operations/asbuilt/segment.h"

namespace hw::cli {

namespace handover_command {

struct Options {
    std::string file, segment, network, output, paper;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("--segment", o.segment, words(i18n("Segment number (from 1), or POD/SEGMENT if there is more than one pod")))
        ->option_text("SEGMENT")
        ->required();
    app.add_option("--network", o.network, words(i18n("Network (default: first backend network)")))->option_text("NAME");
    app.add_option("-o,--output", o.output, words(i18n("Handover package: a .pdf, or a single self-contained .html file")))
        ->option_text("PACK.pdf|.html")
        ->required();
    app.add_option("--paper", o.paper, words(i18n("a4 or letter (default: a4)")))->option_text("NAME")->check(CLI::IsMember({"a4", "letter"}));
    app.footer(words(i18n("Load-bank steps and failover scripts with expected readings, network verification, as-built "
                          "deviations, punch list and sign-off.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto format = outputFormat(o.output, {".pdf", ".html"}); !format) return tl::unexpected(format.error());
    const auto design = readDesign(o.file, progress);
    if (!design) return tl::unexpected(design.error());
    if (const auto key = asbuilt::findSegment(**design, o.segment, o.network); !key) return tl::unexpected(key.error());
    const auto arguments = [&](const std::filesystem::path& path) {
        return std::vector<std::string>{"--handover", o.file, path.string(), o.paper.empty() ? "a4" : o.paper, o.segment, o.network};
    };
    return runDrawing(o.output, DrawsWith::Nothing, arguments, progress);
}

} // namespace handover_command

void addHandover(Session& session)
{
    using namespace handover_command;
    session.command<Options>("handover", i18n("Write the handover package of a segment for sign-off"), declare, run);
}

} // namespace hw::cli
