// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/workload_facts.h"

#include "simulation/training/aicb_text.h"

namespace hw::importers {

namespace {

template <class Test>
std::int64_t communications(const AicbWorkload& workload, Test test)
{
    std::int64_t count = 0;
    for (const AicbLayer& layer : workload.layers)
        for (const AicbPass* pass : {&layer.forward, &layer.inputGradient, &layer.weightGradient})
            count += !pass->communication.none && pass->communication.bytes > 0 && test(pass->communication);
    return count;
}

void tellOfWorkload(const AicbWorkload& w, const std::string& file, exchange::ImportPlan& plan)
{
    plan.facts.push_back(i18n("{} layers; tensor {}, expert {}, pipeline {}, {} gradient accumulation steps", w.layers.size(), w.tensor, w.expert,
                              w.pipeline, w.gradientAccumulation));
    const std::string header = file + ":1";
    if (w.gpus > 0)
        plan.facts.push_back(i18n("{} GPUs", w.gpus));
    else
        plan.issues.push_back({header, i18n("file gives no GPU count: set `gpus` in the scenario")});
    const auto broadcasts = communications(w, [](const AicbCommunication& c) { return c.collective == AicbCollective::Broadcast; });
    if (broadcasts > 0)
        plan.issues.push_back(
            {file, i18np(broadcasts, "{:L} BROADCAST: SimAI generates no traffic for it; the scenario models it as a chain from rank to rank",
                         "{:L} BROADCASTs: SimAI generates no traffic for them; the scenario models them as chains from rank to rank")});
    switch (w.policy) {
    case AicbPolicy::Transformer: break;
    case AicbPolicy::Micro:
        plan.issues.push_back({header, i18n("MICRO: only the weight gradient communication of the first layer is simulated, among all GPUs")});
        break;
    case AicbPolicy::Data:
        plan.issues.push_back({header, i18n("DATA: forward and input gradient communication is not simulated; weight gradients among all GPUs")});
        break;
    case AicbPolicy::Model:
        plan.issues.push_back({header, i18n("MODEL: weight gradient communication is not simulated; the rest among all GPUs")});
        break;
    }
    if (!w.checkpointLayers.empty() || !w.initiateLayers.empty())
        plan.issues.push_back({header, i18n("lists of checkpoint layers: SimAI uses the first number only; the scenario includes no recomputation")});
}

} // namespace

Result<exchange::ImportPlan> workloadPlan(const exchange::ImportSource& source, const SnapshotPtr& base)
{
    const auto read = parseAicb(source.content, source.path.string());
    if (!read) return tl::unexpected(read.error());
    exchange::ImportPlan plan;
    plan.name = i18n("Workload {}", source.path.filename().string());
    plan.base = base;
    tellOfWorkload(*read, source.path.string(), plan);
    return plan;
}

} // namespace hw::importers
