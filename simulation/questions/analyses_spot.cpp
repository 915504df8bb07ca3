// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"
#include "simulation/reliability/spot.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/files/csv_table.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

struct SpotQuestion {
    SpotCase c;
    std::vector<InstanceType> types;
    std::string file;
};

/// Seconds since 1970 of "2026-01-05T08:00:00", with Z or an offset left out (UTC).
std::optional<double> timeOf(const std::string& text)
{
    int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0;
    if (std::sscanf(text.c_str(), "%d-%d-%d%*1[T ]%d:%d:%d", &y, &mo, &d, &h, &mi, &s) < 5) return std::nullopt;
    const std::chrono::year_month_day day{std::chrono::year(y), std::chrono::month(unsigned(mo)), std::chrono::day(unsigned(d))};
    if (!day.ok() || h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 60) return std::nullopt;
    return double(std::chrono::sys_days(day).time_since_epoch().count()) * 86400 + h * 3600 + mi * 60 + s;
}

/// Recorded prices of each type, one per step: a CSV table with the column price or SpotPrice, and optionally time or Timestamp (a price holds until
/// the next one) and type or InstanceType (rows of other types are left out). As `aws ec2 describe-spot-price-history` lists them.
Result<std::vector<double>> pricesFor(const std::string& file, const std::string& type, double stepH)
{
    const auto text = readTextFile(file);
    if (!text) return fail(ErrorCode::Unreadable, "prices_file", text.error().what, text.error().todo);
    const auto table = readCsv(*text, file);
    if (!table) return tl::unexpected(table.error());
    const auto column = [&](std::initializer_list<std::string_view> names) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < table->header.size(); ++i)
            if (std::ranges::find(names, table->header[i]) != names.end()) return i;
        return std::nullopt;
    };
    const auto price = column({"price", "price_usd_per_h", "SpotPrice"}), time = column({"time", "Timestamp"}), of = column({"type", "InstanceType"});
    if (!price) return fail(ErrorCode::Unreadable, file, i18n("has no column price"), i18n("add a header: time,type,price; or price alone"));
    std::vector<std::pair<double, double>> points;
    for (const auto& row : table->rows) {
        if (of && row.cells[*of] != type) continue;
        double value = 0;
        const std::string& cell = row.cells[*price];
        const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (read.ec != std::errc() || read.ptr != cell.data() + cell.size() || !(value > 0) || !std::isfinite(value))
            return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, row.line), i18n("'{}' is not a price above 0", cell),
                        i18n("use USD per hour"));
        const auto at = time ? timeOf(row.cells[*time]) : std::optional(double(points.size()));
        if (!at)
            return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, row.line), i18n("'{}' is not a time", row.cells[*time]),
                        i18n("use ISO 8601: 2026-01-05T08:00:00Z"));
        points.emplace_back(*at, value);
    }
    if (points.empty())
        return fail(ErrorCode::Refused, "prices_file", i18n("{} has no prices for {}", file, type), i18n("use an instance type name from the file"));
    if (!time) {
        std::vector<double> out;
        for (const auto& point : points) out.push_back(point.second);
        return out;
    }
    std::ranges::stable_sort(points, {}, &std::pair<double, double>::first);
    constexpr std::size_t kMostSteps = 10'000'000;
    const double stepS = stepH * 3600, spanS = points.back().first - points.front().first;
    if (spanS / stepS > double(kMostSteps))
        return fail(ErrorCode::Refused, "step_h", i18n("divides the recorded period into more than {:L} steps", kMostSteps),
                    i18n("use longer steps"));
    std::vector<double> out;
    std::size_t next = 0;
    for (double at = points.front().first; at <= points.back().first; at += stepS) {
        while (next + 1 < points.size() && points[next + 1].first <= at) ++next;
        out.push_back(points[next].second);
    }
    return out;
}

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
    Field pricesFile = fileName("prices_file", i18n("CSV file of recorded spot prices instead of the price walk: columns time, type, price"));
    pricesFile.fallback = nullptr; // absent unless given
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
        .to(&Q::file, onlyWhen(pricesFile, {notGiven("prices_usd_per_h")}))
        .to(of(&C::volatility),
            onlyWhen(number("volatility", "", d.volatility, 0, 5, i18n("standard deviation of the log price change over one hour (assumed)")),
                     {notGiven("prices_usd_per_h"), notGiven("prices_file")}))
        .to(of(&C::reversion), onlyWhen(number("reversion_per_h", "1/h", d.reversion, 0, 10, i18n("rate of mean reversion (assumed)")),
                                        {notGiven("prices_usd_per_h"), notGiven("prices_file")}))
        .to(of(&C::stepH), number("step_h", "h", d.stepH, 0.01, 24, i18n("interval between prices")))
        .to(of(&C::holdingH), hours("holding_h", d.holdingH, i18n("minimum holding time before a price above the bid stops the machines")))
        .to(of(&C::reclaimedPerH), number("reclaimed_per_h", "1/h", d.reclaimedPerH, 0, 10, i18n("reclaim rate per machine (assumed)")))
        .to(of(&C::checkpointEveryH), number("checkpoint_every_h", "h", d.checkpointEveryH, 0.01, 1e6, i18n("work between checkpoints")))
        .to(of(&C::checkpointH), hours("checkpoint_h", d.checkpointH, i18n("duration of a checkpoint")))
        .to(of(&C::restartH), hours("restart_h", d.restartH, i18n("time to start the machines and restore the checkpoint")))
        .to(of(&C::capUsd), number("cap_usd", "USD", 0.0, 0, 1e12, i18n("highest cost of the job, which ends before it; 0: none")))
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

/// Share of the draws that must finish for an instance type to count as one that does the job.
constexpr double kFinishes = 0.95;

Text spotVerdict(const SpotCase& c, const Json& types, const Json& best)
{
    if (!best.is_null())
        return i18n("Lowest cost: {}, {:.0Lf} USD on average ({:.1f} % of on-demand); finishes after {:.1f} h, 90 % of the draws within {:.1f} to "
                    "{:.1f} h.",
                    best["type"].get<std::string>(), best["cost_usd"]["mean"].get<double>(), 100 * best["cost_share"].get<double>(),
                    best["finish_h"]["mean"].get<double>(), best["finish_h"]["p5"].get<double>(), best["finish_h"]["p95"].get<double>());
    double most = 0;
    for (const Json& type : types) most = std::max(most, type["finished_share"].get<double>());
    const Text limit = c.capUsd > 0 ? i18n("{:.0Lf} USD and {:.0Lf} h", c.capUsd, c.longestH) : i18n("{:.0Lf} h", c.longestH);
    return i18n(
        "No instance type finishes within {} in {:.0f} % of the draws (best: {:.0f} %); on-demand: {:.0Lf} USD.", limit, 100 * kFinishes, 100 * most,
        std::ranges::min_element(types, {}, [](const Json& type) { return type["on_demand_usd"].get<double>(); })->at("on_demand_usd").get<double>());
}

Result<ScenarioOutcome> runSpot(const SpotQuestion& q, const Progress& progress)
{
    Json types = Json::array(), distributions = Json::object();
    for (const InstanceType& type : q.types) {
        SpotCase c = q.c;
        if (!q.file.empty()) {
            auto prices = pricesFor(q.file, type.name, c.stepH);
            if (!prices) return tl::unexpected(prices.error());
            c.pricesPerH = std::move(*prices);
        }
        const auto r = simulateSpot(type, c, progress);
        if (!r) return tl::unexpected(r.error());
        Json& distribution = distributions[type.name] = Json::array();
        for (std::size_t tenth = 0; tenth < r->costDeciles.size(); ++tenth)
            distribution.push_back({{"share", double(tenth + 1) / 10},
                                    {"cost_usd", r->costDeciles[tenth]},
                                    {"finish_h", r->finishDeciles.empty() ? Json() : Json(r->finishDeciles[tenth])}});
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
        if (type["finished_share"].get<double>() > kFinishes && (best.is_null() || type["cost_usd"]["mean"] < best["cost_usd"]["mean"])) best = type;
    return answer(
        {{"verdict", spotVerdict(q.c, types, best)},
         {"machines", q.c.machines},
         {"speedup", speedup(q.c.parallelShare, q.c.machines)},
         {"cheapest", best},
         {"types", types},
         {"distributions", distributions}},
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
