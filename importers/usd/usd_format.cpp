// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/atomic_file.h"
#include "core/output/scene/scene_options.h"
#include "importers/formats.h"
#include "importers/usd/usd_writer.h"

namespace hw::importers {

namespace {

class UsdExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"usd", i18n("3D scene (OpenUSD text, .usda) with SimReady attributes of compute racks, CDUs, CRAHs and UPSs")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        auto options = scene::sceneOptions();
        options.push_back(scene::dateOption());
        return options;
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        if (job.output.extension() != ".usda") return fail(ErrorCode::Usage, "-o", i18n("only USD text is written"), i18n("name the file .usda"));
        const auto date = scene::dateOf(job.options);
        if (!date) return tl::unexpected(date.error());
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const auto scope = scene::scopeOf(*(*figures)->snapshot, job.options);
        if (!scope) return tl::unexpected(scope.error());
        return writeFile(job.output, usd::usdaOf(**figures, *scope, *date));
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> usdExporter() { return std::make_unique<UsdExporter>(); }

} // namespace hw::importers
