// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"
#include "simulation/reliability/goodput.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr int kMostHosts = 4096; ///< of an emulated history: more of them change the shares by less than a point

struct PredictionQuestion {
    double gpus = 3000, gpusPerHost = 8;
    PredictionCase c;
    prediction::HazardModel model = prediction::HazardModel::standard();
    std::vector<double> thresholds;
    int ranking = 10;
};

Form<PredictionQuestion> predictionForm()
{
    using Q = PredictionQuestion;
    using C = PredictionCase;
    const Q d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.*member; };
    };
    const auto model = [](auto member) {
        return [member](Q & q) -> auto& { return q.model.*member; };
    };
    Form<Q> form;
    form.to(&Q::gpus, number("gpus", "", d.gpus, 1, 1e6, i18n("GPUs observed")))
        .to(&Q::gpusPerHost, number("gpus_per_host", "", d.gpusPerHost, 1, 1024, i18n("GPUs per host")))
        .also(faultLogField())
        .to(of(&C::days), integer("days", d.c.days, 1, 3650, i18n("length of the emulated history")))
        .to(of(&C::announcedShare),
            number("announced_share", "", d.c.announcedShare, 0, 1, i18n("share of hardware faults that are preceded by signs (assumed)")))
        .to(of(&C::leadDays), number("lead_days", "d", d.c.leadDays, 0.01, 365, i18n("mean lead time of the signs of such a fault (assumed)")))
        .to(of(&C::benignPerHostYear),
            number("benign_per_host_year", "", d.c.benignPerHostYear, 0, 1000, i18n("bursts of signs without a fault, per host and year (assumed)")))
        .to(model(&prediction::HazardModel::horizonDays), number("horizon_days", "d", d.model.horizonDays, 0.1, 365, i18n("prediction horizon")))
        .to(model(&prediction::HazardModel::halfLifeDays),
            number("half_life_days", "d", d.model.halfLifeDays, 0.1, 365, i18n("half-life of the counts of signs (assumed)")))
        .to(model(&prediction::HazardModel::threshold),
            number("threshold", "", d.model.threshold, 0.001, 1, i18n("probability at or above which a failure is predicted (assumed)")))
        .to(&Q::thresholds, numbers("thresholds", "", {0.1, 0.2, 0.4, 0.6, 0.8}, 0.001, 1, i18n("thresholds to compare")));
    for (std::size_t i = 0; i < prediction::kSigns; ++i) {
        std::string key = "weight_" + std::string(wordOf(prediction::Sign(i)));
        std::ranges::replace(key, '-', '_');
        form.take(number(key, "", d.model.weights[i], 0, 10,
                         i18n("exponent w of (1 + count / usual count)^w for {} (assumed)", titleOf(prediction::Sign(i)))),
                  [i](Q& q, const Json& value) { q.model.weights[i] = value.get<double>(); });
    }
    form.to(&Q::ranking, displayOnly(integer("ranking", d.ranking, 0, 10000, i18n("hosts listed"))))
        .to(of(&C::seed), integer("seed", 1, 0, 1e15, i18n("random seed")));
    return form;
}

Result<ScenarioOutcome> runPrediction(PredictionQuestion q, const Json& p, const Progress& progress)
{
    const FaultLog log = faultLogOf(p);
    q.model.perHostYear = log.faults / log.days * 365 / log.gpus * q.gpusPerHost;
    q.c.hosts = int(std::clamp(std::ceil(q.gpus / q.gpusPerHost), 1.0, double(kMostHosts)));
    q.c.tops = true;
    const auto trial = tryPrediction(q.c, q.model, progress);
    if (!trial) return tl::unexpected(trial.error());
    q.c.tops = false;
    Json thresholds = Json::array();
    for (const double threshold : q.thresholds) {
        prediction::HazardModel model = q.model;
        model.threshold = threshold;
        const auto other = tryPrediction(q.c, model, progress);
        if (!other) return tl::unexpected(other.error());
        thresholds.push_back({{"threshold", threshold},
                              {"precision", other->quality.precision()},
                              {"recall", other->quality.recall()},
                              {"false_alarms_per_month", other->quality.falseAlarms / q.c.days * 30}});
    }
    std::vector<prediction::Likely> hosts;
    for (std::size_t i = 0; i < trial->hosts.size(); ++i) {
        const auto& one = trial->hosts[i];
        prediction::Likely host;
        host.name = "host" + std::to_string(i + 1), host.counts = one.counts;
        host.ratio = q.model.ratio(one.counts), host.probability = q.model.probability(one.counts);
        host.failed = one.faultInDays <= q.model.horizonDays;
        hosts.push_back(std::move(host));
    }
    prediction::rank(hosts);
    Json ranking = Json::array();
    for (std::size_t i = 0; i < std::min(hosts.size(), std::size_t(q.ranking)); ++i)
        ranking.push_back({{"host", hosts[i].name},
                           {"probability", hosts[i].probability},
                           {"hazard_ratio", hosts[i].ratio},
                           {"fails", *hosts[i].failed},
                           {"signs", signsText(hosts[i], q.model)}});
    Json tops = Json::array();
    for (const auto& top : trial->tops)
        tops.push_back({{"hosts", top.hosts}, {"precision", top.precision}, {"limit", top.limit}, {"at_random", top.atRandom}});
    Json results = {{"hosts", q.c.hosts},
                    {"prediction", predictionJson(trial->quality)},
                    {"thresholds", thresholds},
                    {"first_hosts", tops},
                    {"ranking", ranking}};
    if (Json causes = causesJson(p, q.gpus); !causes.is_null()) results["causes"] = std::move(causes);
    return answer(
        std::move(results),
        {i18n("Failure rate of a host: base rate times the product of (1 + count / usual count)^weight over its signs; a count is the excess "
              "over the usual rate of the host and halves every {:g} d. Weights and rates of signs are assumed.",
              q.model.halfLifeDays),
         i18n("first_hosts: share of the first hosts of the ranking that fail within {:g} d; limit: if all hosts whose fault has signs by then came "
              "first.",
              q.model.horizonDays),
         i18n("Precision and recall are measured on an emulated history whose faults have the causes and shares of the Llama 3 log; a predicted "
              "host is drained, and a prediction is correct if the host would fail within {:g} d.",
              q.model.horizonDays)});
}

} // namespace

Json predictionJson(const prediction::Quality& quality)
{
    return {{"faults", quality.faults},         {"predicted", quality.right}, {"missed", quality.missed},     {"false_alarms", quality.falseAlarms},
            {"precision", quality.precision()}, {"recall", quality.recall()}, {"warning_h", quality.warningH}};
}

Field predictionField()
{
    return text("prediction", "given", {"given", "emulated"},
                i18n("recall and precision as given, or measured on an emulated history by the hazard model (fault-prediction)"));
}
Text measuredPredictionNote()
{
    return i18n("Recall and precision are measured on an emulated history of hosts with 8 GPUs (scenario fault-prediction).");
}
bool isPredictionMeasured(const Json& parameters) { return textOf(parameters, "prediction") == "emulated"; }

Result<prediction::Quality> measuredPrediction(double gpus, double gpusPerHost, const FaultLog& log, prediction::HazardModel model,
                                               const Progress& progress)
{
    PredictionCase c;
    model.perHostYear = log.faults / log.days * 365 / log.gpus * gpusPerHost;
    c.hosts = int(std::clamp(std::ceil(gpus / gpusPerHost), 1.0, double(kMostHosts)));
    const auto trial = tryPrediction(c, model, progress);
    if (!trial) return tl::unexpected(trial.error());
    return trial->quality;
}

Analysis faultPredictionAnalysis()
{
    const auto form = predictionForm();
    return {"fault-prediction", i18n("Fault prediction by a hazard model: precision, recall and ranking on an emulated history"), form.fields(),
            [form](const Json& p, const Progress& progress) { return runPrediction(form.read(p), p, progress); }};
}

} // namespace questions
} // namespace hw::sim
