// SPDX-License-Identifier: GPL-3.0-or-later
// Workload texts of AICB and SimAI: read by the question `aicb` (simulation/training); here one is looked at and told.
#include "importers/formats.h"
#include "simulation/training/aicb.h"

#include <fmt/format.h>

namespace hw::importers {

namespace {

class AicbImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"aicb", "a workload text of AICB or SimAI, for 'simulate --scenario aicb'; --dry-run tells what it holds"};
    }
    bool probe(const exchange::ImportSource& source) const override { return source.content.find("model_parallel_NPU_group") < 400; }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        const auto read = sim::parseAicb(source.content, source.path.string());
        if (!read) return tl::unexpected(read.error());
        exchange::ImportPlan plan;
        plan.name = "Workload " + source.path.filename().string();
        plan.base = base;
        plan.facts.push_back(fmt::format("{} layers; tensor {}, expert {}, pipeline {}, {} gradient accumulations", read->layers.size(), read->tensor,
                                         read->expert, read->pipeline, read->gradientAccumulation));
        if (read->gpus > 0)
            plan.facts.push_back(fmt::format("{} GPUs", read->gpus));
        else
            plan.issues.push_back({source.path.string() + ":1", "states no number of GPUs: the question's key `gpus` says it"});
        return plan;
    }
};

} // namespace

std::unique_ptr<exchange::Importer> aicbImporter() { return std::make_unique<AicbImporter>(); }

} // namespace hw::importers
