// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/storage/text_form.h"

namespace hw::cli {

namespace {

struct Options { std::string format, file, output; };

void declare(CLI::App& app, Options& o)
{
    app.add_option("FORMAT", o.format, "text: every stored table, diffable, read back by 'import text'")->required();
    app.add_option("FILE", o.file, "The project")->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, "The file to write; replaced only on success")->option_text("PATH")->required();
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.format != "text") return fail(ErrorCode::Usage, "FORMAT " + o.format, "there is no such export format", "choose from text");
    const auto snapshot = readDesign(o.file, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) { return exportText(**snapshot, path, progress); });
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace

void addExport(Session& session) { session.command<Options>("export", "Write a project in another format", declare, run); }

} // namespace hw::cli
