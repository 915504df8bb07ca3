// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/formats.h"

#include "app/cli/commands/render_picture.h"
#include "app/cli/output_file.h"
#include "core/design/addressing/address_files.h"
#include "importers/formats.h"

namespace hw::cli {

namespace {

namespace fs = std::filesystem;

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
    return exchange::writeFolderWhole(target, "addressing.json",
                                      [&](const fs::path& path) { return writeAddressFolder(*plan, snapshot, **parts, path, progress); });
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
