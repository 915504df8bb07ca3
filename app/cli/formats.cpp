// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/formats.h"

#include "app/cli/commands/render_picture.h"
#include "app/cli/output_file.h"
#include "core/design/addressing/address_files.h"
#include "importers/formats.h"

#include <unistd.h>

namespace hw::cli {

namespace {

namespace fs = std::filesystem;

/// Makes a folder whole or not at all. One that is there already is replaced when it is empty or an older export.
Result<void> writeWholeFolder(const fs::path& target, const std::function<Result<void>(const fs::path&)>& write)
{
    std::error_code error;
    const bool exists = fs::exists(target, error);
    if (exists && !fs::is_directory(target, error))
        return fail(ErrorCode::Unreadable, "-o " + target.string(), i18n("not a folder"),
                    i18n("specify a folder, or a file ending in .json or .csv"));
    if (exists && !fs::is_empty(target, error) && !fs::exists(target / "addressing.json", error))
        return fail(ErrorCode::Unreadable, "-o " + target.string(), i18n("folder contains other files"), i18n("specify a new folder"));
    const std::string mark = std::to_string(::getpid());
    const fs::path fresh = target.string() + ".new-" + mark, old = target.string() + ".old-" + mark;
    auto done = write(fresh);
    if (done && exists) fs::rename(target, old, error);
    if (done && !error) fs::rename(fresh, target, error);
    if (done && error)
        done =
            fail(ErrorCode::Unreadable, target.string(), i18n("cannot be written: {}", error.message()), i18n("check the path and its permissions"));
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
class DrawingExporter final : public exchange::Exporter {
public:
    explicit DrawingExporter(std::string ending) : m_ending(std::move(ending)) {}
    exchange::FormatInfo info() const override { return {"fabric-" + m_ending, i18n("network drawing, A3")}; }
    bool takesNetwork() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        if (const auto format = outputFormat(job.output, {"." + m_ending}); !format) return tl::unexpected(format.error());
        RenderOptions picture;
        picture.file = job.project.string();
        picture.output = job.output.string();
        picture.view = "fabric:" + (job.network.empty() ? "backend" : job.network);
        const auto drawn = renderPicture(picture, progress);
        if (!drawn) return tl::unexpected(drawn.error());
        if (*drawn != kDone) return fail(ErrorCode(*drawn), {}, {}); // said already
        return {};
    }

private:
    std::string m_ending;
};

class AddressingExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"addressing",
                i18n("loopbacks, subnets, AS numbers, link and management addresses, breakouts; output is a folder, PATH.json or PATH.csv")};
    }
    bool takesPhase() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        return exportAddressing(**design, job.output, progress);
    }
};

exchange::Formats allFormats()
{
    exchange::Formats all;
    importers::registerFormats(all);
    all.add(std::make_unique<AddressingExporter>());
    for (const char* ending : {"svg", "pdf"}) all.add(std::make_unique<DrawingExporter>(ending));
    return all;
}

} // namespace

const exchange::Formats& formats()
{
    static const exchange::Formats all = allFormats();
    return all;
}

} // namespace hw::cli
