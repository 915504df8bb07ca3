// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"
#include "simulation/reliability/checkpoint.h"
#include "simulation/reliability/goodput.h"

#include <algorithm>
#include <optional>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostSpans = 20'000; ///< of a time line in JSON

std::vector<FaultCause> causesOf(const Json& log)
{
    std::vector<FaultCause> causes;
    for (const Json& c : log.at("causes")) causes.push_back({textOf(c, "component"), numberOf(c, "faults")});
    return causes;
}

Json rateJson(const CauseRate& r)
{
    return {{"component", r.component},     {"faults", r.faults},      {"share", r.share},
            {"per_gpu_year", r.perGpuYear}, {"per_month", r.perMonth}, {"mtbf_s", r.faults > 0 ? Json(r.mtbfS) : Json()}};
}

/// Each cause for a job of so many GPUs, the most frequent first.
Json ratesJson(const std::vector<FaultCause>& causes, double days, double logGpus, double jobGpus)
{
    auto rates = causeRates(causes, days, logGpus, jobGpus);
    std::ranges::stable_sort(rates, [](const CauseRate& a, const CauseRate& b) { return a.faults > b.faults; });
    Json list = Json::array();
    for (const CauseRate& r : rates) list.push_back(rateJson(r));
    return list;
}

std::vector<Field> causeFields()
{
    return {text("component", "part", {}, i18n("failed component")), number("faults", "", 1, 0, 1e9, i18n("faults caused by the component"))};
}

Json shippedCauses()
{
    Json list = Json::array();
    for (const FaultCause& c : llama3Causes()) list.push_back({{"component", c.component}, {"faults", c.faults}});
    return list;
}

Result<ScenarioOutcome> runCauses(const Json& p, const Progress&)
{
    const std::vector<FaultCause> causes = causesOf(p);
    const double days = numberOf(p, "days"), gpus = numberOf(p, "gpus"), all = faultsOf(causes);
    if (!(all > 0)) return fail(ErrorCode::Refused, "causes", i18n("no faults given"), i18n("specify counts above 0"));
    const FaultLog log{all, days, gpus};
    Json sizes = Json::array();
    for (const double n : numbersOf(p, "job_gpus"))
        sizes.push_back({{"job_gpus", n}, {"mtbf_s", mtbfS(log, n)}, {"faults_per_month", faultsPerMonth(log, n)}});
    return answer(
        {{"faults", all},
         {"per_gpu_year", all / days * 365 / gpus},
         {"causes", ratesJson(causes, days, gpus, numbersOf(p, "job_gpus").front())},
         {"sizes", sizes}},
        {i18n("Faults follow a Poisson process proportional to the number of GPUs; MTBF and monthly faults of each "
              "cause are for the first entry of job_gpus. A year has 365 days, a month 30."),
         i18n("Default: the Llama 3 log (A. Dubey et al. 2024, table 5), 419 unexpected interruptions in 54 days on 16,384 GPUs; shares are "
              "computed from its counts."),
         i18n("A fault every 3 minutes is also quoted for this log. 54 days and 419 faults are one every 3.09 hours; one every 3 minutes "
              "requires {:L} GPUs.",
              std::int64_t(std::llround(gpusForMtbf({419, 54, 16384}, 180))))});
}

Json planRow(const FaultLog& log, double gpus, double saveS, double recoveryS, const std::vector<double>& intervals, VerdictLimits limits)
{
    const CheckpointPlan plan{mtbfS(log, gpus), saveS, recoveryS};
    Json at = Json::array();
    for (const double tau : intervals) {
        const IntervalAdvice a = adviseInterval(plan, tau, limits);
        at.push_back({{"interval_s", tau},
                      {"goodput", a.goodput},
                      {"waste_first_order", wasteFirstOrder(plan, tau)},
                      {"save_share", saveShare(saveS, tau)},
                      {"verdict", name(a.verdict)}});
    }
    return {{"gpus", gpus},
            {"mtbf_s", plan.mtbfS},
            {"save_s", saveS},
            {"recovery_s", recoveryS},
            {"optimum_interval_s", optimumIntervalS(plan)},
            {"goodput_at_optimum", goodputExact(plan, optimumIntervalS(plan))},
            {"exact_optimum_interval_s", optimumIntervalExactS(plan)},
            {"at_intervals", at}};
}

Json sizesJson(const Json& p)
{
    const double state = stateBytes(numberOf(p, "parameters"), numberOf(p, "bytes_per_parameter"));
    const double dump = dumpBytes(numberOf(p, "dump_gpus"), numberOf(p, "dump_gbytes_per_gpu") * 1e9);
    const auto drained = [&](double bytes) {
        return drainS(bytes, numberOf(p, "hosts"), numberOf(p, "host_gbytes_per_s") * 1e9, numberOf(p, "storage_gbytes_per_s") * 1e9);
    };
    return {{"state_bytes", state}, {"state_drain_s", drained(state)}, {"dump_bytes", dump}, {"dump_drain_s", drained(dump)}};
}

Result<ScenarioOutcome> runCheckpoint(const Json& p, const Progress&)
{
    const FaultLog log = faultLogOf(p);
    const auto intervals = numbersOf(p, "intervals_s");
    const VerdictLimits limits{numberOf(p, "suits_points") / 100, numberOf(p, "fails_points") / 100};
    if (limits.suitsUpTo > limits.failsFrom) return fail(ErrorCode::Refused, "suits_points", i18n("exceeds fails_points"), i18n("correct the value"));
    Json rows = Json::array(), reach = Json::array(), links = Json::array(), statements = Json::array();
    for (const Json& plan : p.at("plans")) {
        const double save = numberOf(plan, "save_s"), recovery = numberOf(plan, "recovery_s");
        for (const double gpus : numbersOf(p, "gpus")) rows.push_back(planRow(log, gpus, save, recovery, intervals, limits));
        for (const double tau : intervals) {
            const IntervalReach r = intervalReach(log, {0, save, recovery}, tau, limits);
            reach.push_back({{"save_s", save},
                             {"recovery_s", recovery},
                             {"interval_s", tau},
                             {"suits_up_to_gpus", r.suitsUpToGpus},
                             {"fails_from_gpus", r.failsFromGpus}});
        }
        const auto [shortest, longest] = std::ranges::minmax(intervals);
        statements.push_back(
            i18n("Checkpoint {:g} s, recovery {:g} s: {}", save, recovery, intervalStatement(log, {0, save, recovery}, shortest, longest, limits)));
    }
    for (const double n : numbersOf(p, "links"))
        links.push_back({{"links", n}, {"failures_per_month", linkFailuresPerMonth(n, numberOf(p, "link_failures_per_month"))}});
    Json results = {{"rows", rows},          {"reach", reach},         {"statements", statements},
                    {"sizes", sizesJson(p)}, {"link_failures", links}, {"gpus_for_a_fault_every_3_min", gpusForMtbf(log, 180)}};
    if (Json causes = causesJson(p, numbersOf(p, "gpus").front()); !causes.is_null()) results["causes"] = std::move(causes);
    return answer(std::move(results),
                  {i18n("Faults follow a Poisson process proportional to the number of GPUs; checkpoints are synchronous. "
                        "Exact renewal formula; waste_first_order is valid for rare faults only and has no meaning near or "
                        "above 1."),
                   i18n("A save of 100 s every 2 to 4 h takes 1.39 to 0.69 % of the time; the 5 % quoted for it requires 360 "
                        "to 720 s. Tens of TB as checkpoint size hold for dumps of every GPU, not for model and optimizer state."),
                   i18n("An interval is suitable if it loses no more than {:g} points of goodput compared with √(2δM), and "
                        "fails from {:g} points on.",
                        limits.suitsUpTo * 100, limits.failsFrom * 100)});
}

struct GoodputQuestion {
    double gpus = 15360;
    GoodputCase c;
    std::optional<GroupInit> groupInit; ///< none: as `c` says
    MonteCarloSettings settings;
};

Field seconds(std::string key, double fallback, Text help) { return number(std::move(key), "s", fallback, 0, 1e9, std::move(help)); }

Form<GoodputQuestion> goodputForm()
{
    using Q = GoodputQuestion;
    using C = GoodputCase;
    using R = RecoveryTimes;
    const C d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.*member; };
    };
    const auto recovery = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.recovery.*member; };
    };
    const auto settings = [](auto member) {
        return [member](Q & q) -> auto& { return q.settings.*member; };
    };
    std::vector<std::string> inits = {"given"};
    for (const GroupInit init : kGroupInits) inits.emplace_back(name(init));
    Form<Q> form;
    form.to(&Q::gpus, number("gpus", "", 15360.0, 1, 1e8, i18n("GPUs of the job")))
        .also(faultLogField())
        .to(of(&C::intervalS), number("interval_s", "s", 0.0, 0, 1e8, i18n("τ; 0: √(2δM)")))
        .to(of(&C::twoStage), boolean("two_stage", d.twoStage, i18n("checkpoint to host memory, drain during training")))
        .to(of(&C::saveS), seconds("save_s", d.saveS, i18n("δ: training is paused (first stage of a two-stage checkpoint)")))
        .to(of(&C::drainS), onlyWhen(seconds("drain_s", d.drainS, i18n("time until a two-stage checkpoint is durable")), {is("two_stage", {true})}))
        .to(recovery(&R::detectS), seconds("detect_s", d.recovery.detectS, i18n("collective timeout")))
        .to(recovery(&R::restartS), seconds("restart_s", d.recovery.restartS, i18n("time to reschedule and start")))
        .take(text("group_init", "given", inits, i18n("process group initialization: init_s, or growing with ranks")),
              [](Q& q, const Json& value) {
                  for (const GroupInit init : kGroupInits)
                      if (value == name(init)) q.groupInit = init;
              })
        .to(recovery(&R::initS),
            onlyWhen(seconds("init_s", d.recovery.initS, i18n("process group initialization time")), {is("group_init", {"given"})}))
        .to(recovery(&R::restoreS), seconds("restore_s", d.recovery.restoreS, i18n("time to read and distribute the checkpoint")))
        .to(of(&C::toleratedShare), number("tolerated_share", "", d.toleratedShare, 0, 1, i18n("share of faults that the job tolerates")))
        .to(of(&C::toleratedStallS),
            onlyWhen(seconds("tolerated_stall_s", d.toleratedStallS, i18n("stall time for a tolerated fault")), {above0("tolerated_share")}))
        .also(predictionField())
        .to(of(&C::recall),
            onlyWhen(number("recall", "", d.recall, 0, 1, i18n("share of the other faults that are predicted")), {is("prediction", {"given"})}))
        .to(of(&C::precision),
            onlyWhen(number("precision", "", d.precision, 0.001, 1, i18n("share of predictions that are correct")), {above0("recall")}))
        .to(of(&C::plannedS),
            onlyWhen(seconds("planned_s", d.plannedS, i18n("time to checkpoint and replace a host with a predicted fault")), {above0("recall")}))
        .to(of(&C::backupHosts), integer("backup_hosts", d.backupHosts, -1, 1e5, i18n("-1: unlimited")))
        .to(of(&C::hostRepairS), onlyWhen(seconds("host_repair_s", d.hostRepairS, i18n("time until a repaired host is available as a backup")),
                                          {isNot("backup_hosts", {-1})}))
        .to(settings(&MonteCarloSettings::failures), integer("failures", 100000, 2000, 1e8, i18n("number of failures to simulate")))
        .to(settings(&MonteCarloSettings::seed), integer("seed", 1, 0, 1e15, i18n("random seed")))
        .to(settings(&MonteCarloSettings::threads), displayOnly(integer("threads", 0, 0, 64, i18n("0: all cores; does not affect results"))))
        .take(displayOnly(number("timeline_days", "d", 3.0, 0, 3650, i18n("timeline length shown, for one run"))),
              [](Q& q, const Json& days) { q.settings.timelineS = days.get<double>() * 86400; });
    return form;
}

Json timelineJson(const std::vector<JobSpan>& spans)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(spans.size(), kMostSpans); ++i)
        list.push_back({{"from_s", spans[i].fromS}, {"to_s", spans[i].toS}, {"kind", name(spans[i].kind)}});
    return list;
}

Result<ScenarioOutcome> runGoodput(GoodputQuestion question, const Json& p, const Progress& progress)
{
    GoodputCase& c = question.c;
    c.mtbfS = mtbfS(faultLogOf(p), question.gpus);
    if (question.groupInit) c.recovery.initS = groupInitS(*question.groupInit, question.gpus);
    Json measured;
    if (isPredictionMeasured(p)) {
        const auto quality = measuredPrediction(question.gpus, 8, faultLogOf(p), prediction::HazardModel::standard(), progress);
        if (!quality) return tl::unexpected(quality.error());
        c.recall = quality->recall(), c.precision = std::max(quality->precision(), 0.001);
        measured = predictionJson(*quality);
    }
    const auto r = simulateGoodput(c, question.settings, progress);
    if (!r) return tl::unexpected(r.error());

    Json shares = Json::object();
    for (std::size_t k = 0; k < kJobTimes; ++k) shares[name(JobTime(k))] = r->share[k];
    std::vector<Text> notes = {i18n("Faults follow a Poisson process proportional to the number of GPUs; any stopping fault stops the whole job."),
                               i18n("simulated is the Monte Carlo result of 256 independent runs; closed_form is exact by renewal at "
                                    "checkpoints, first order when predictions coincide with a drain, and does not include waiting for "
                                    "backup hosts.")};
    if (r->timeline.size() > kMostSpans) notes.push_back(i18n("The timeline is truncated after {} spans.", kMostSpans));
    notes.push_back(intervalStatement(faultLogOf(p), {0, c.saveS, c.recovery.totalS()}, 7200, 14400));
    const Json causes = causesJson(p, question.gpus);
    Json results = {{"mtbf_s", c.mtbfS},
                    {"interval_s", r->intervalS},
                    {"recovery_s", c.recovery.totalS()},
                    {"simulated", r->goodput},
                    {"standard_error", r->standardError},
                    {"closed_form", r->closedForm},
                    {"difference_points", (r->goodput - r->closedForm) * 100},
                    {"shares", shares},
                    {"simulated_days", r->simulatedS / 86400},
                    {"stopping_faults", r->stoppingFaults},
                    {"tolerated_faults", r->toleratedFaults},
                    {"predicted_faults", r->predictedFaults},
                    {"false_alarms", r->falseAlarms},
                    {"saves", r->saves},
                    {"timeline", timelineJson(r->timeline)}};
    if (!causes.is_null()) results["causes"] = causes;
    if (!measured.is_null()) {
        results["prediction"] = measured;
        notes.push_back(measuredPredictionNote());
    }
    return answer(std::move(results), notes);
}

} // namespace

FaultLog faultLogOf(const Json& p)
{
    const Json& log = p.at("fault_log");
    return {log.contains("causes") ? std::max(faultsOf(causesOf(log)), 1e-3) : numberOf(log, "faults"), numberOf(log, "days"), numberOf(log, "gpus")};
}

Json causesJson(const Json& p, double jobGpus)
{
    const Json& log = p.at("fault_log");
    return log.contains("causes") ? ratesJson(causesOf(log), numberOf(log, "days"), numberOf(log, "gpus"), jobGpus) : Json();
}

Field faultLogField()
{
    const FaultLog log;
    return object("fault_log",
                  {onlyWhen(number("faults", "", log.faults, 1e-3, 1e9, i18n("job-stopping faults")), {notGiven("causes")}),
                   objects("causes", nullptr, causeFields(), i18n("the same faults, by cause")),
                   number("days", "d", log.days, 1e-3, 1e6, i18n("observation period")), number("gpus", "", log.gpus, 1, 1e9, i18n("GPUs observed"))},
                  i18n("source of the fault rate (default: the Llama 3 log)"));
}

Analysis faultCausesAnalysis()
{
    const FaultLog log;
    return {"fault-causes",
            i18n("Faults by component: shares, MTBF and rates per GPU and year from log counts"),
            {objects("causes", shippedCauses(), causeFields(), i18n("fault counts by component")),
             number("days", "d", log.days, 1e-3, 1e6, i18n("covered by the log")), number("gpus", "", log.gpus, 1, 1e9, i18n("covered by the log")),
             numbers("job_gpus", "", {16384, 1024, 15360, 100000}, 1, 1e9, i18n("job sizes to compute the MTBF for"))},
            runCauses};
}

Analysis checkpointAnalysis()
{
    return {"checkpoint",
            i18n("Goodput, optimum interval and suitable intervals by job; checkpoint sizes and drain times"),
            {faultLogField(), numbers("gpus", "", {1024, 3000, 15360, 100000}, 1, 1e8, i18n("job sizes")),
             objects("plans", {{{"save_s", 100}, {"recovery_s", 600}}, {{"save_s", 10}, {"recovery_s", 180}}},
                     {number("save_s", "s", 100, 1e-3, 1e6, i18n("δ")), number("recovery_s", "s", 600, 0, 1e6, i18n("R"))}, i18n("pairs to compare")),
             numbers("intervals_s", "s", {7200, 14400}, 1, 1e8, i18n("intervals to evaluate, from shortest to longest")),
             number("suits_points", "points", 2.0, 0, 100, i18n("maximum goodput loss of a suitable interval")),
             number("fails_points", "points", 10.0, 0, 100, i18n("goodput loss from which an interval fails")),
             number("parameters", "", 7e11, 1, 1e16, i18n("parameters of the checkpointed model")),
             number("bytes_per_parameter", "B", 14.0, 1, 64, i18n("14: bf16 and fp32 Adam; 16: plus fp32 gradients")),
             number("dump_gpus", "", 1024.0, 1, 1e8, i18n("GPUs that each dump their state")),
             number("dump_gbytes_per_gpu", "GB", 30.0, 1e-3, 1e5, i18n("dump size per GPU")),
             number("hosts", "", 128.0, 1, 1e7, i18n("hosts that write")),
             number("host_gbytes_per_s", "GB/s", 50.0, 1e-3, 1e5, i18n("frontend bandwidth per host")),
             number("storage_gbytes_per_s", "GB/s", 0.0, 0, 1e9, i18n("storage write bandwidth; 0: unlimited")),
             numbers("links", "", {3000, 15360}, 1, 1e9, i18n("NIC-ToR links")),
             number("link_failures_per_month", "", kLinkFailuresPerMonth, 0, 1, i18n("share of links that fail per month"))},
            runCheckpoint};
}

Analysis goodputAnalysis()
{
    const auto form = goodputForm();
    return {"goodput", i18n("Goodput of a long job under faults: simulated and in closed form, with a timeline"), form.fields(),
            [form](const Json& p, const Progress& progress) { return runGoodput(form.read(p), p, progress); }};
}

} // namespace questions
} // namespace hw::sim
