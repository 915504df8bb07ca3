// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/render_picture.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/addressing/address_files.h"
#include "core/storage/text_form.h"

#include <unistd.h>

namespace hw::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string format, file, output, network;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FORMAT", o.format,
                   "text: every stored table, diffable, read back by 'import text'\n"
                   "addressing: loopbacks, subnets, AS numbers, link and management addresses, breakouts; a folder, or PATH.json, or PATH.csv\n"
                   "fabric-svg, fabric-pdf: a network as a drawing on A3")
        ->required();
    app.add_option("FILE", o.file, "The project")->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, "The file or folder to write; replaced only on success")->option_text("PATH")->required();
    app.add_option("--network", o.network, "Which network a fabric drawing shows (default backend)")->option_text("NAME");
}

/// Makes a folder whole or not at all. One that is there already is replaced when it is empty or an older export.
Result<void> writeWholeFolder(const fs::path& target, const std::function<Result<void>(const fs::path&)>& write)
{
    std::error_code error;
    const bool exists = fs::exists(target, error);
    if (exists && !fs::is_directory(target, error))
        return fail(ErrorCode::Unreadable, "-o " + target.string(), "is no folder", "name a folder, or a file that ends in .json or .csv");
    if (exists && !fs::is_empty(target, error) && !fs::exists(target / "addressing.json", error))
        return fail(ErrorCode::Unreadable, "-o " + target.string(), "is a folder with other things in it", "name a new folder");
    const std::string mark = std::to_string(::getpid());
    const fs::path fresh = target.string() + ".new-" + mark, old = target.string() + ".old-" + mark;
    auto done = write(fresh);
    if (done && exists) fs::rename(target, old, error);
    if (done && !error) fs::rename(fresh, target, error);
    if (done && error)
        done = fail(ErrorCode::Unreadable, target.string(), "cannot be written: " + error.message(), "check the path and its permissions");
    std::error_code ignored;
    fs::remove_all(done ? old : fresh, ignored);
    return done;
}

Result<void> exportAddressing(const Snapshot& snapshot, const fs::path& target, const Progress& progress)
{
    const auto parts = ProjectParts::of(snapshot.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const auto plan = planAddresses(snapshot, progress);
    if (!plan) return tl::unexpected(plan.error());
    if (target.extension() == ".json")
        return writeWhole(target, [&](const fs::path& path) { return writeAddressJson(*plan, snapshot, **parts, path, progress); });
    if (target.extension() == ".csv")
        return writeWhole(target, [&](const fs::path& path) { return writeAddressCsv(*plan, snapshot, **parts, path, progress); });
    fs::path folder = target;
    if (!folder.has_filename()) folder = folder.parent_path(); // "DIR/"
    return writeWholeFolder(folder, [&](const fs::path& path) { return writeAddressFolder(*plan, snapshot, **parts, path, progress); });
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
    if (o.format != "text" && o.format != "addressing")
        return fail(ErrorCode::Usage, "FORMAT " + o.format, "there is no such export format", "choose from text, addressing, fabric-svg, fabric-pdf");
    const auto snapshot = readDesign(o.file, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    const auto written = o.format == "text" ? writeWhole(o.output, [&](const fs::path& path) { return exportText(**snapshot, path, progress); })
                                            : exportAddressing(**snapshot, o.output, progress);
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace

void addExport(Session& session) { session.command<Options>("export", "Write a project in another format", declare, run); }

} // namespace hw::cli
