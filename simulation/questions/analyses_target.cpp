// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"
#include "simulation/reliability/goodput_target.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

struct TargetQuestion {
    double gpus = 3000, target = 0.99, restartS = 120;
    std::vector<double> savesS, detectsS;
    GoodputCase c;
};

Form<TargetQuestion> targetForm()
{
    using Q = TargetQuestion;
    using C = GoodputCase;
    const C d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.*member; };
    };
    const auto time = [](std::string key, double fallback, Text help) { return number(std::move(key), "s", fallback, 0, 1e9, std::move(help)); };
    Form<Q> form;
    form.to(&Q::gpus, number("gpus", "", 3000.0, 1, 1e8, i18n("GPUs of the job")))
        .also(faultLogField())
        .to(&Q::target, number("target", "", 0.99, 0.01, 0.99999, i18n("goodput to reach")))
        .to(&Q::savesS, numbers("saves_s", "s", {100, 10, 1.2}, 1e-3, 1e6, i18n("δ: checkpoint durations to compare; training is paused")))
        .to(&Q::detectsS, numbers("detects_s", "s", {120, 30, 10}, 0, 1e6, i18n("fault detection times to compare")))
        .to(&Q::restartS, time("restart_s", 120, i18n("time to reschedule and start the job")))
        .take(time("init_s", 5, i18n("process group initialization time")), [](Q& q, const Json& v) { q.c.recovery.initS = v.get<double>(); })
        .take(time("restore_s", 10, i18n("time to read and distribute the checkpoint")),
              [](Q& q, const Json& v) { q.c.recovery.restoreS = v.get<double>(); })
        .to(of(&C::twoStage), boolean("two_stage", d.twoStage, i18n("checkpoint to host memory, drain during training")))
        .to(of(&C::drainS), onlyWhen(time("drain_s", 6, i18n("time until a two-stage checkpoint is durable")), {is("two_stage", {true})}))
        .to(of(&C::toleratedShare), number("tolerated_share", "", d.toleratedShare, 0, 1, i18n("share of faults that the job tolerates")))
        .to(of(&C::toleratedStallS),
            onlyWhen(time("tolerated_stall_s", d.toleratedStallS, i18n("stall time for a tolerated fault")), {above0("tolerated_share")}))
        .also(predictionField())
        .to(of(&C::recall),
            onlyWhen(number("recall", "", d.recall, 0, 1, i18n("share of the other faults that are predicted")), {is("prediction", {"given"})}))
        .to(of(&C::precision),
            onlyWhen(number("precision", "", d.precision, 0.001, 1, i18n("share of predictions that are correct")), {above0("recall")}))
        .to(of(&C::plannedS),
            onlyWhen(time("planned_s", d.plannedS, i18n("time to checkpoint and replace a host with a predicted fault")), {above0("recall")}));
    return form;
}

Result<ScenarioOutcome> runTarget(TargetQuestion q, const Json& p, const Progress& progress)
{
    GoodputCase& c = q.c;
    c.mtbfS = mtbfS(faultLogOf(p), q.gpus);
    Json measured;
    if (isPredictionMeasured(p)) {
        const auto quality = measuredPrediction(q.gpus, 8, faultLogOf(p), prediction::HazardModel::standard(), progress);
        if (!quality) return tl::unexpected(quality.error());
        c.recall = quality->recall(), c.precision = std::max(quality->precision(), 0.001);
        measured = predictionJson(*quality);
    }
    const double rest = c.recovery.initS + c.recovery.restoreS;
    Json rows = Json::array(), first;
    for (const double save : q.savesS)
        for (const double detect : q.detectsS) {
            c.saveS = save, c.recovery.detectS = detect, c.recovery.restartS = q.restartS;
            const IntervalRange range = intervalsFor(c, q.target);
            const auto budget = recoveryBudgetS(c, q.target);
            const double left = budget ? *budget - detect - rest : -1;
            Json row = {{"save_s", save},
                        {"detect_s", detect},
                        {"reached", range.reached},
                        {"goodput", range.bestGoodput},
                        {"interval_s", range.bestS},
                        {"shortest_interval_s", range.reached ? Json(range.fromS) : Json()},
                        {"longest_interval_s", range.reached ? Json(range.toS) : Json()},
                        {"longest_restart_s", left >= 0 ? Json(left) : Json()}};
            if (range.reached && first.is_null()) first = row;
            rows.push_back(std::move(row));
        }
    Json results = {{"gpus", q.gpus},     {"mtbf_s", c.mtbfS},        {"faults_per_month", faultsPerMonth(faultLogOf(p), q.gpus)},
                    {"target", q.target}, {"least_demanding", first}, {"combinations", rows}};
    if (Json causes = causesJson(p, q.gpus); !causes.is_null()) results["causes"] = std::move(causes);
    std::vector<Text> notes = {
        i18n("Closed-form goodput analysis; wait time for backup hosts is not included."),
        i18n("longest_restart_s is the restart time at which the best interval still reaches the target, with the given detection, "
             "initialization and restore times; an empty cell means not reachable."),
        i18n("The least demanding combination is the first one, in the order specified, that reaches the target.")};
    if (!measured.is_null()) results["prediction"] = measured, notes.push_back(measuredPredictionNote());
    return answer(std::move(results), std::move(notes));
}

} // namespace

Analysis goodputTargetAnalysis()
{
    const auto form = targetForm();
    return {"goodput-target", i18n("Detection time, restart time and checkpoint interval that a goodput target requires"), form.fields(),
            [form](const Json& p, const Progress& progress) { return runTarget(form.read(p), p, progress); }};
}

} // namespace questions
} // namespace hw::sim
