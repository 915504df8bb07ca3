// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/formats/plan_files.h"

#include "importers/fetching_importer.h"

#include <algorithm>

namespace hw::app {

using exchange::Importer;
using exchange::ImportSource;

Result<std::vector<std::filesystem::path>> filesOf(std::span<const std::string> paths, const Text& remedy)
{
    std::vector<std::filesystem::path> files;
    for (const auto& path : paths) {
        std::error_code error;
        if (!std::filesystem::is_directory(path, error)) {
            files.emplace_back(path);
            continue;
        }
        std::vector<std::filesystem::path> inside;
        for (std::filesystem::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
            if (it->is_regular_file(error) && !it->path().filename().string().starts_with('.')) inside.push_back(it->path());
        if (error) return fail(ErrorCode::Unreadable, path, i18n("cannot be read"), i18n("check the path and its permissions"));
        if (inside.empty()) return fail(ErrorCode::Unreadable, path, i18n("contains no files"), remedy);
        std::ranges::sort(inside);
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

Result<std::vector<ImportSource>> sourcesOf(const Importer& importer, std::span<const std::string> paths, const exchange::FormatChoices& choices)
{
    std::vector<std::filesystem::path> files(paths.begin(), paths.end());
    if (importer.observes()) {
        auto found = filesOf(paths, i18n("specify the captures folder"));
        if (!found) return tl::unexpected(found.error());
        files = std::move(*found);
    }
    std::vector<ImportSource> sources;
    for (const auto& file : files) {
        auto source = importers::sourceOf(importer, file.string());
        const bool named = std::ranges::find(paths, file.string()) != paths.end();
        if (!source && (named || source.error().code == ErrorCode::Canceled)) return tl::unexpected(source.error());
        if (!source) source = ImportSource{file, {}, {}}; // an image or archive beside the captures: the format names it
        source->options = choices;
        sources.push_back(std::move(*source));
    }
    return sources;
}

const Importer* importerOfFolder(const exchange::Formats& formats, const FoundSources& found)
{
    if (found.folder.empty()) return nullptr;
    for (const auto& importer : formats.importers()) {
        const auto* fetching = dynamic_cast<const importers::FetchingImporter*>(importer.get());
        if (!fetching || !fetching->fetches(found.folder.string())) continue;
        const bool any = std::ranges::any_of(found.sources, [&](const ImportSource& source) {
            const std::string path = source.path.string();
            return fetching->together(std::span(&path, 1)) && fetching->probe(source);
        });
        if (any) return fetching;
    }
    return nullptr;
}

Result<FoundSources> findSources(const exchange::Formats& formats, std::span<const std::string> paths, const Progress& progress)
{
    FoundSources found;
    std::error_code ignored;
    if (paths.size() == 1 && std::filesystem::is_directory(paths.front(), ignored)) found.folder = paths.front();
    const auto files = filesOf(paths, i18n("choose a folder with files to import"));
    if (!files) return tl::unexpected(files.error());
    std::vector<std::size_t> votes(formats.importers().size());
    for (const auto& file : *files) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, file.string(), i18n("canceled"));
        auto source = exchange::readSource(file);
        if (!source && files->size() == 1) return tl::unexpected(source.error());
        if (!source) source = ImportSource{file, {}, {}};
        if (!source->content.empty())
            for (std::size_t i = 0; i < votes.size(); ++i) votes[i] += formats.importers()[i]->probe(*source);
        found.sources.push_back(std::move(*source));
        progress.report(double(found.sources.size()) / double(files->size()), file.filename().string());
    }
    if (const Importer* own = importerOfFolder(formats, found)) {
        found.importer = own;
        return found;
    }
    const auto most = std::ranges::max_element(votes); // the first of them, as of one file
    if (most != votes.end() && *most > 0) found.importer = formats.importers()[std::size_t(most - votes.begin())].get();
    return found;
}

Result<exchange::ImportPlan> planFiles(const exchange::Importer& importer, std::span<const exchange::ImportSource> sources, const SnapshotPtr& base,
                                       const Progress& progress)
{
    if (const auto* fetching = dynamic_cast<const importers::FetchingImporter*>(&importer)) {
        std::vector<std::string> paths;
        for (const auto& source : sources) paths.push_back(source.path.string());
        if (fetching->together(paths)) return importer.planTogether(sources, base, progress);
    }
    if (importer.observes()) return importer.planTogether(sources, base, progress);
    exchange::ImportPlan whole;
    whole.base = base;
    std::vector<Text> names;
    SnapshotPtr now = base;
    for (const auto& source : sources) {
        auto plan = importer.plan(source, now, progress);
        if (!plan) return plan;
        names.push_back(plan->name);
        whole.facts.insert(whole.facts.end(), plan->facts.begin(), plan->facts.end());
        whole.issues.insert(whole.issues.end(), plan->issues.begin(), plan->issues.end());
        whole.read += plan->read, whole.left += plan->left;
        if (plan->after) whole.after = now = plan->after;
    }
    whole.name = names.size() == 1 ? names.front() : listed(std::move(names));
    return whole;
}

} // namespace hw::app
