// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/formats/plan_files.h"

#include "importers/fetching_importer.h"

namespace hw::app {

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
