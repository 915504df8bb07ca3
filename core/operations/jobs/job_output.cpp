// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/figures.h"
#include "core/operations/jobs/evaluation.h"
#include "core/operations/jobs/throughput.h"
#include "core/operations/monitoring/incident/event_output.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::jobs {

namespace {

using Json = nlohmann::ordered_json;

/// Without the digits that noise has.
Json known(double value) { return value > 0 ? Json(std::round(value * 1e4) / 1e4) : Json(); }
std::string at(std::int64_t ms) { return ms > 0 ? monitoring::timeText(ms) : std::string(); }

Json causeJson(const JobCause& cause, const Figures& design)
{
    Json entity;
    if (cause.entity.kind != EntityKind::None) entity = entityName(*design.snapshot, *design.parts, cause.entity);
    return {{"kind", wordOf(cause.kind)},     {"entity", entity},
            {"element", cause.element},       {"ranks", cause.ranks},
            {"extra_s", known(cause.extraS)}, {"since", cause.sinceMs > 0 ? Json(at(cause.sinceMs)) : Json()},
            {"what", words(cause.what)},      {"remedy", words(cause.remedy)},
            {"evidence", cause.evidence}};
}

std::string line(const Text& label, const std::string& value) { return fmt::format("  {:<24} {}\n", words(label), value); }
std::string beside(double value, double planned, const char* unit)
{
    if (!(value > 0)) return words(i18n("not reported"));
    const std::string now = fmt::format("{:.4g}{}", value, unit);
    return planned > 0 ? words(i18n("{} (planned: {})", now, fmt::format("{:.4g}{}", planned, unit))) : now;
}

} // namespace

std::string jobsJson(const std::vector<JobState>& jobs, const Figures& design)
{
    Json json{{"schema", "hallwright.jobs/1"}, {"jobs", Json::array()}};
    for (const JobState& job : jobs) {
        Json one{{"job", job.name}, {"ranks", job.ranks}, {"hosts", Json::array()}, {"unknown_hosts", job.unknownHosts}};
        for (const DeviceId host : job.hosts) one["hosts"].push_back(design.snapshot->devices.name[host]);
        one["from"] = at(job.fromMs), one["to"] = at(job.toMs);
        one["iteration"] = job.iteration >= 0 ? Json(job.iteration) : Json();
        one["iteration_s"] = known(job.iterationS), one["reference_s"] = known(job.referenceS);
        one["tokens_per_s"] = known(job.tokensPerS), one["mfu"] = known(job.mfu);
        one["throughput_loss"] = job.iterationS > 0 && job.referenceS > 0 ? Json(std::round(throughputLoss(job) * 1e4) / 1e4) : Json();
        one["compute_s"] = known(job.computeS), one["send_s"] = known(job.sendS), one["data_wait_s"] = known(job.dataWaitS);
        one["checkpoint_s"] = known(job.checkpointS);
        one["slow"] = job.slow, one["stalled"] = job.stalled;
        one["slow_since"] = job.slowSinceMs > 0 ? Json(at(job.slowSinceMs)) : Json();
        one["time"] = {{"wall_s", known(job.times.wallS)},
                       {"effective_share", known(job.times.effective)},
                       {"slow_share", known(job.times.slow)},
                       {"repeated_share", known(job.times.repeated)},
                       {"other_share", known(job.times.other)}};
        one["plan"] = nullptr;
        if (job.plan)
            one["plan"] = {{"scenario", job.plan->name},
                           {"gpus", job.plan->gpus},
                           {"iteration_s", known(job.plan->iterationS)},
                           {"tokens_per_s", known(job.plan->tokensPerS)},
                           {"mfu", known(job.plan->mfu)},
                           {"compute_s", known(job.plan->computeS)},
                           {"send_s", known(job.plan->sendS)},
                           {"lost_before", {{"hosts", job.plan->hostsLost}, {"links", job.plan->linksLost}}},
                           {"whole_iteration_s", known(job.plan->wholeIterationS)},
                           {"goodput", known(job.plan->goodput)}};
        one["causes"] = Json::array();
        for (const JobCause& cause : job.causes) one["causes"].push_back(causeJson(cause, design));
        json["jobs"].push_back(std::move(one));
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string jobsText(const std::vector<JobState>& jobs)
{
    std::string out;
    for (const JobState& job : jobs) {
        const JobPlan plan = job.plan.value_or(JobPlan());
        out += words(job.stalled          ? i18n("{}: stalled", job.name)
                     : job.slow           ? i18n("{}: slow since {}", job.name, at(job.slowSinceMs))
                     : job.causes.empty() ? i18n("{}: running", job.name)
                                          : i18n("{}: running, with deviations", job.name)) +
               '\n';
        out += line(i18n("GPUs, hosts"), fmt::format("{}, {}", job.ranks, job.hosts.size()));
        out += line(i18n("iteration time"), job.plan || job.referenceS <= 0
                                                ? beside(job.iterationS, plan.iterationS, " s")
                                                : words(i18n("{:.4g} s (best so far: {:.4g} s)", job.iterationS, job.referenceS)));
        if (plan.hostsLost + plan.linksLost > 0)
            out += line(i18n("plan basis"),
                        words(i18n("{}, {} out of service (whole design: {:.4g} s)", i18np(plan.hostsLost, "{:L} host", "{:L} hosts"),
                                   i18np(plan.linksLost, "{:L} link", "{:L} links"), plan.wholeIterationS)));
        out += line(i18n("tokens per second"), beside(job.tokensPerS, plan.tokensPerS, ""));
        if (job.iterationS > 0 && job.referenceS > 0) out += line(i18n("loss of throughput"), fmt::format("{:.1f} %", 100 * throughputLoss(job)));
        out += line(i18n("MFU"), beside(100 * job.mfu, 100 * plan.mfu, " %"));
        out += line(i18n("compute"), beside(job.computeS, plan.computeS, " s"));
        out += line(i18n("send"), beside(job.sendS, plan.sendS, " s"));
        out += line(i18n("data loader wait"), beside(job.dataWaitS, 0, " s"));
        out += line(i18n("checkpoint"), beside(job.checkpointS, plan.checkpointS, " s"));
        if (job.times.wallS > 0) {
            out += line(i18n("effective training time"), beside(100 * job.times.effective, 100 * plan.goodput, " %"));
            out += line(i18n("lost to"), words(i18n("slow iterations {:.1f} %, repeated iterations {:.1f} %, checkpoints and stalls {:.1f} %",
                                                    100 * job.times.slow, 100 * job.times.repeated, 100 * job.times.other)));
        }
        for (const JobCause& cause : job.causes) {
            out += "  " + words(i18n("{}; {}", cause.what, cause.remedy)) + '\n';
            for (const auto& one : cause.evidence) out += "    " + one + '\n';
        }
        for (const auto& one : job.unknownHosts) out += "  " + words(i18n("{}: not in the design", one)) + '\n';
    }
    return out;
}

} // namespace hw::jobs
