// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/atomic_file.h"
#include "core/output/scene/scene_options.h"
#include "importers/formats.h"
#include "importers/gltf/glb_writer.h"

namespace hw::importers {

namespace {

class GltfExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override { return {"gltf", i18n("3D model (glTF 2.0 binary, .glb) with names, types, power and colors")}; }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override { return scene::sceneOptions(); }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        if (job.output.extension() != ".glb") return fail(ErrorCode::Usage, "-o", i18n("only binary glTF is written"), i18n("name the file .glb"));
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const auto scope = scene::scopeOf(*(*figures)->snapshot, job.options);
        if (!scope) return tl::unexpected(scope.error());
        const std::string glb = glbOf(**figures, *scope);
        if (glb.size() > 0xFFFFFFFFu) return fail(ErrorCode::Refused, "-o", i18n("model exceeds 4 GiB"), i18n("export one hall: --hall NAME"));
        return writeFile(job.output, glb);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> gltfExporter() { return std::make_unique<GltfExporter>(); }

} // namespace hw::importers
