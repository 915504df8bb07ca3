// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/design_input.h"

#include "app/cli/console.h"
#include "core/derived/rules/rule.h"
#include "core/design/edit/edits_phase.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/base/spelling.h"
#include "core/foundation/storage/project_file.h"

namespace hw::cli {

namespace fs = std::filesystem;

Result<SnapshotPtr> readDesign(const fs::path& file, const Progress& progress)
{
    auto loaded = readProject(file, progress);
    if (!loaded) return tl::unexpected(loaded.error());
    if (loaded->recovery()) printNote(i18n("{}: {}", file.string(), loaded->recoveryText()));
    return loaded->snapshot;
}

Result<FiguresPtr> readFigures(const fs::path& file, const Progress& progress, std::optional<int> phase)
{
    const auto snapshot = readDesign(file, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    const auto whole = figuresOf(*snapshot);
    if (!whole || !phase) return whole;
    const auto figures = edit::figuresAtPhase(*whole, *phase);
    if (!figures) return fail(ErrorCode::Refused, "--phase " + std::to_string(*phase), figures.error().what, figures.error().todo);
    return figures;
}

Result<SnapshotPtr> readRevision(const fs::path& file, std::uint64_t revision, const Progress& progress)
{
    auto loaded = readProject(file, progress, revision);
    if (!loaded) return tl::unexpected(loaded.error());
    if (loaded->asked) return loaded->asked;
    const auto saved = loaded->saved->revision, last = loaded->snapshot->revision;
    return fail(ErrorCode::Refused, file.string(), i18n("revision {} not found", revision),
                saved == last ? i18n("the file contains only its last save, revision {}; compare with a copy: compare A.hall B.hall --bom", saved)
                              : i18n("available revisions: {} (last save) to {}", saved, last));
}

void addPhaseOption(CLI::App& app, std::optional<int>& phase)
{
    app.add_option("--phase", phase, words(i18n("Design as of this installation phase")))->option_text("N");
}

Result<Catalog> shippedCatalog() { return Catalog::load(resourceFolder() / "catalog"); }
Result<std::vector<Template>> shippedTemplates() { return loadTemplates(resourceFolder() / "templates"); }

Result<Template> findTemplate(const std::string& nameOrPath)
{
    const fs::path path(nameOrPath);
    const bool looksLikeFile = nameOrPath.find('/') != std::string::npos || path.extension() == ".yaml" || path.extension() == ".yml";
    if (looksLikeFile) return Template::load(path);
    std::error_code missing;
    if (const fs::path own = resourceFolder() / "templates" / (nameOrPath + ".yaml"); fs::is_regular_file(own, missing)) return Template::load(own);
    const auto shipped = shippedTemplates();
    if (!shipped) return tl::unexpected(shipped.error());
    std::vector<std::string> known;
    for (const Template& design : *shipped) {
        if (sameName(design.name(), nameOrPath)) return design;
        known.push_back(design.name());
    }
    std::error_code error;
    if (fs::is_regular_file(path, error)) return Template::load(path);
    return fail(ErrorCode::Usage, "TEMPLATE " + nameOrPath, i18n("unknown template"),
                i18n("choose from {}, or specify the path of a template file", listedNames(known)));
}

Result<std::optional<PowerBasis>> chosenBasis(const std::string& name)
{
    if (name.empty()) return std::optional<PowerBasis>();
    if (const auto basis = powerBasisFromName(name)) return std::optional(*basis);
    return fail(ErrorCode::Usage, "--basis " + name, i18n("not a power basis"), i18n("choose from typical, design, nameplate"));
}

Result<FiguresPtr> onBasis(const FiguresPtr& figures, PowerBasis basis)
{
    auto snapshot = std::make_shared<Snapshot>(*figures->snapshot);
    snapshot->putSetting("site.power_basis", powerBasisName(basis));
    return updateFigures(figures, snapshot, difference(*figures->snapshot, *snapshot, {}));
}

} // namespace hw::cli
