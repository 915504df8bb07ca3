// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "core/storage/project_file.h"
#include "core/storage/text_form.h"

namespace hw::cli {

namespace {

struct Options {
    std::string format, into;
    std::vector<std::string> paths;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FORMAT", o.format, "text: what 'export text' writes")->required();
    app.add_option("PATH", o.paths, "What to read")->required();
    app.add_option("--into", o.into, "The project to make; it must not exist yet")->option_text("FILE.hall")->required();
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.format != "text") return fail(ErrorCode::Usage, "FORMAT " + o.format, "there is no such import format", "choose from text");
    if (o.paths.size() != 1) return fail(ErrorCode::Usage, "PATH " + o.paths[1], "is one argument too many", "give one text file");
    if (std::error_code error; std::filesystem::exists(std::filesystem::symlink_status(o.into, error)))
        return fail(ErrorCode::Unreadable, "--into " + o.into, "exists already", "choose another name or remove it");
    const auto snapshot = importText(o.paths.front(), progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    if (const auto written = writeProject(**snapshot, o.into, progress); !written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace

void addImport(Session& session) { session.command<Options>("import", "Make a project from a file of another format", declare, run); }

} // namespace hw::cli
