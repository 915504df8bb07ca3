// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"
#include "simulation/reliability/spot.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

struct SpotQuestion {
    SpotCase c;
    std::vector<InstanceType> types;
};

Form<SpotQuestion> spotForm()
{
    using Q = SpotQuestion;
    using C = SpotCase;
    const C d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.*member; };
    };
    const auto hours = [](const char* key, double fallback, Text help) { return number(key, "h", fallback, 0, 1e6, std::move(help)); };
    std::vector<std::string> curves = {"given"};
    for (const auto& curve : scalingCurves()) curves.push_back(curve.name);
    Form<InstanceType> type;
    type.to(&InstanceType::name, text("name", "instance", {}, i18n("instance type")))
        .to(&InstanceType::onDemandPerH, number("on_demand_usd_per_h", "USD/h", 2.5, 1e-6, 1e6, i18n("on-demand price of one machine")))
        .to(&InstanceType::spotPerH, number("spot_usd_per_h", "USD/h", 0.5, 1e-6, 1e6, i18n("spot price to which the price walk reverts")))
        .to(&InstanceType::speed, number("speed", "", 1.0, 1e-3, 1e3, i18n("speed of one machine; work_h is at speed 1")));
    Form<Q> form;
    form.to(of(&C::workH), number("work_h", "h", 1000.0, 1e-3, 1e9, i18n("compute time on one machine of speed 1")))
        .to(of(&C::machines), integer("machines", d.machines, 1, 100000, i18n("machines of the job")))
        .take(text("scaling", "perfect", curves, i18n("strong-scaling curve (assumed shapes): perfect, LAMMPS- or GROMACS-like, or parallel_share")),
              [](Q& q, const Json& value) {
                  for (const auto& curve : scalingCurves())
                      if (value == curve.name) q.c.parallelShare = curve.parallelShare;
              })
        .to(of(&C::parallelShare),
            onlyWhen(number("parallel_share", "", 0.999, 0, 1, i18n("parallel share of the run time on one machine")), {is("scaling", {"given"})}))
        .each(&Q::types, type,
              objects("types",
                      {{{"name", "new-gpu"}, {"on_demand_usd_per_h", 2.5}, {"spot_usd_per_h", 0.5}, {"speed", 1}},
                       {{"name", "old-gpu"}, {"on_demand_usd_per_h", 1.2}, {"spot_usd_per_h", 0.2}, {"speed", 0.45}}},
                      type.fields(), i18n("instance types to compare (assumed prices)")))
        .to(of(&C::bid), number("bid", "", 1.0, 1e-3, 10, i18n("highest price paid, relative to the on-demand price")))
        .to(of(&C::pricesPerH),
            numbers("prices_usd_per_h", "USD/h", nullptr, 1e-6, 1e6, i18n("recorded spot prices, one per step, instead of the price walk")))
        .to(of(&C::volatility),
            onlyWhen(number("volatility", "", d.volatility, 0, 5, i18n("standard deviation of the log price change over one hour (assumed)")),
                     {notGiven("prices_usd_per_h")}))
        .to(of(&C::reversion),
            onlyWhen(number("reversion_per_h", "1/h", d.reversion, 0, 10, i18n("rate of mean reversion (assumed)")), {notGiven("prices_usd_per_h")}))
        .to(of(&C::stepH), number("step_h", "h", d.stepH, 0.01, 24, i18n("interval between prices")))
        .to(of(&C::holdingH), hours("holding_h", d.holdingH, i18n("minimum holding time before a price above the bid stops the machines")))
        .to(of(&C::reclaimedPerH), number("reclaimed_per_h", "1/h", d.reclaimedPerH, 0, 10, i18n("reclaim rate per machine (assumed)")))
        .to(of(&C::checkpointEveryH), number("checkpoint_every_h", "h", d.checkpointEveryH, 0.01, 1e6, i18n("work between checkpoints")))
        .to(of(&C::checkpointH), hours("checkpoint_h", d.checkpointH, i18n("duration of a checkpoint")))
        .to(of(&C::restartH), hours("restart_h", d.restartH, i18n("time to start the machines and restore the checkpoint")))
        .to(of(&C::capUsd), number("cap_usd", "USD", 0.0, 0, 1e12, i18n("cost at which the job is ended; 0: none")))
        .to(of(&C::longestH), number("longest_h", "h", d.longestH, 1, 1e5, i18n("simulated time limit of a draw")))
        .to(of(&C::draws), integer("draws", d.draws, 100, 100000, i18n("price histories to simulate")))
        .to(of(&C::seed), integer("seed", 1, 0, 1e15, i18n("random seed")));
    return form;
}

Json percentilesJson(const Percentiles& s, bool any)
{
    if (!any) return nullptr;
    return {{"mean", s.mean}, {"p5", s.p5}, {"p50", s.p50}, {"p95", s.p95}};
}

Result<ScenarioOutcome> runSpot(const SpotQuestion& q, const Progress& progress)
{
    Json types = Json::array();
    for (const InstanceType& type : q.types) {
        const auto r = simulateSpot(type, q.c, progress);
        if (!r) return tl::unexpected(r.error());
        types.push_back({{"type", type.name},
                         {"finished_share", r->finishedShare},
                         {"cost_usd", percentilesJson(r->costUsd, true)},
                         {"finish_h", percentilesJson(r->finishH, r->finishedShare > 0)},
                         {"interruptions", r->interruptions},
                         {"repeated_h", r->lostH},
                         {"on_demand_usd", r->onDemandUsd},
                         {"on_demand_h", r->onDemandH},
                         {"cost_share", r->costUsd.mean / r->onDemandUsd}});
    }
    Json best;
    for (const Json& type : types)
        if (type["finished_share"].get<double>() > 0.95 && (best.is_null() || type["cost_usd"]["mean"] < best["cost_usd"]["mean"])) best = type;
    return answer(
        {{"machines", q.c.machines}, {"speedup", speedup(q.c.parallelShare, q.c.machines)}, {"cheapest", best}, {"types", types}},
        {i18n("All machines of a type share one price and stop together; reclaiming one machine stops the whole job. It resumes from its "
              "last checkpoint."),
         i18n("cost_usd covers all draws; finish_h covers those that finish within cap_usd and longest_h. Prices, volatility and reclaim rates are "
              "assumed unless set.")});
}

} // namespace

Analysis spotAnalysis()
{
    return formAnalysis("spot", i18n("Cost and finish time of a job on spot instances: price walk, bid, holding time, checkpoints, cost cap"),
                        spotForm(), runSpot);
}

} // namespace questions
} // namespace hw::sim
