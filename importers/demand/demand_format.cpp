// SPDX-License-Identifier: GPL-3.0-or-later
// Demand curves: asked about by `demand` (core/design/sizing); here one is looked at and told.
#include "importers/demand/demand_reader.h"
#include "importers/formats.h"

namespace hw::importers {

namespace {

class DemandImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"demand", i18n("demand curve (CSV or JSON), for 'demand --curve'; --dry-run shows its contents")};
    }
    bool probe(const exchange::ImportSource& source) const override
    {
        return source.content.starts_with("date,") ||
               (source.path.extension() == ".json" && source.content.find("\"accelerators\"") != std::string::npos);
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        const auto list = readDemand(source.content, source.path.string());
        if (!list) return tl::unexpected(list.error());
        exchange::ImportPlan plan;
        plan.name = i18n("Demand curve {}", source.path.filename().string());
        plan.base = base;
        plan.facts.push_back(i18n("up to {:.0f} accelerators", list->curve.peak()));
        for (const Error& error : list->left) plan.issues.push_back({error.where, i18n("skipped: {}", error.what)});
        plan.read = list->rows - list->left.size(), plan.left = list->left.size();
        return plan;
    }
};

} // namespace

std::unique_ptr<exchange::Importer> demandImporter() { return std::make_unique<DemandImporter>(); }

} // namespace hw::importers
