// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/render_picture.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/storage/text_form.h"

namespace hw::cli {

namespace {

struct Options { std::string format, file, output, network; };

void declare(CLI::App& app, Options& o)
{
    app.add_option("FORMAT", o.format, "text: every stored table, diffable, read back by 'import text'; fabric-svg, fabric-pdf: a network as a drawing on A3")->required();
    app.add_option("FILE", o.file, "The project")->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, "The file to write; replaced only on success")->option_text("PATH")->required();
    app.add_option("--network", o.network, "Which network a fabric drawing shows (default backend)")->option_text("NAME");
}

/// A network as a vector drawing: the picture that `render --view fabric:NAME` makes.
Outcome exportFabric(const Options& o, const Progress& progress)
{
    const std::string ending = "." + o.format.substr(o.format.find('-') + 1);
    if (const auto format = outputFormat(o.output, {ending}); !format) return tl::unexpected(format.error());
    RenderOptions picture;
    picture.file = o.file;
    picture.output = o.output;
    picture.view = "fabric:" + (o.network.empty() ? "backend" : o.network);
    return renderPicture(picture, progress);
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.format == "fabric-svg" || o.format == "fabric-pdf") return exportFabric(o, progress);
    if (!o.network.empty()) return fail(ErrorCode::Usage, "--network", "only fabric drawings show one network", "leave it out");
    if (o.format != "text") return fail(ErrorCode::Usage, "FORMAT " + o.format, "there is no such export format", "choose from text, fabric-svg, fabric-pdf");
    const auto snapshot = readDesign(o.file, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) { return exportText(**snapshot, path, progress); });
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace

void addExport(Session& session) { session.command<Options>("export", "Write a project in another format", declare, run); }

} // namespace hw::cli
