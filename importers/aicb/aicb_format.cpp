// SPDX-License-Identifier: GPL-3.0-or-later
// Workload texts of AICB and SimAI: asked about by the question `aicb` (simulation/training); here one is looked at and told.
#include "importers/formats.h"
#include "importers/simulators/workload_facts.h"
#include "simulation/training/aicb_text.h"

namespace hw::importers {

namespace {

class AicbImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"aicb", i18n("AICB or SimAI workload file, for 'simulate --scenario aicb'; --dry-run shows its contents")};
    }
    bool probe(const exchange::ImportSource& source) const override { return looksLikeAicb(source.content); }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        return workloadPlan(source, base);
    }
};

} // namespace

std::unique_ptr<exchange::Importer> aicbImporter() { return std::make_unique<AicbImporter>(); }

} // namespace hw::importers
