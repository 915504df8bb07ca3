// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/explore/explore.h"

#include "core/derived/impact/ranking.h"
#include "core/derived/rules/check.h"
#include "core/foundation/base/parallel.h"
#include "core/output/cost/hour_cost.h"
#include "simulation/questions/design_variant.h"
#include "simulation/questions/identity.h"
#include "simulation/questions/kept_points.h"

#include <cmath>
#include <mutex>

namespace hw::sim {
inline namespace explore {

namespace {

Json parametersOf(const Candidate& candidate)
{
    Json out = Json::object();
    for (const auto& [name, value] : candidate.parameters) out[name] = value;
    return out;
}

Json rounded(double value, double step) { return std::isfinite(value) ? Json(std::round(value / step) * step) : Json(nullptr); }

/// A share to five digits, a sum to whole units: the same on every machine, and no longer than anybody reads.
Json share(double value) { return rounded(value, 1e-5); }

/// The figures of a finished design.
Result<Json> figuresJson(const ExploreRequest& request, const ScenarioDesign& design, const Progress& progress)
{
    const auto figures = figuresOf(design.snapshot);
    if (!figures) return tl::unexpected(figures.error());
    const HourCost cost = hourCost(**figures, makeBom(**figures));
    const auto checked = check(**figures, {}, progress);
    if (!checked) return tl::unexpected(checked.error());
    const auto model = impact::Model::of(*figures, progress);
    if (!model) return tl::unexpected(model.error());
    const auto ranked = impact::rankSingles(*model, progress);
    if (!ranked) return tl::unexpected(ranked.error());
    const auto* kind = findScenarioKind("design-goodput");
    const auto parameters = readParameters(request.goodput, kind->fields);
    if (!parameters) return tl::unexpected(parameters.error());
    const auto goodput = kind->run(design, *parameters, progress);
    if (!goodput && goodput.error().code == ErrorCode::Canceled) return tl::unexpected(goodput.error());

    const double accelerators = double(cost.accelerators);
    const auto worst = ranked->empty() ? std::int64_t(0) : ranked->front().loss.gpusLost.active;
    const double useful = goodput && goodput->results.contains("goodput") && goodput->results["goodput"].is_number()
                              ? goodput->results["goodput"].get<double>()
                              : std::nan("");
    Json out;
    out["accelerators"] = cost.accelerators;
    out["racks"] = design.snapshot->racks.size();
    out["it_w"] = rounded(cost.itW, 1);
    out["facility_w"] = rounded(cost.facilityW, 1);
    out["pue"] = rounded(cost.annualPue > 0 ? cost.annualPue : cost.pue, 1e-4);
    out["currency"] = cost.currency;
    out["capital"] = cost.billKnown ? rounded(cost.capital, 1) : Json(nullptr);
    out["capital_per_gpu"] = cost.billKnown && accelerators > 0 ? rounded(cost.capital / accelerators, 1) : Json(nullptr);
    out["cost_year"] = cost.billKnown ? rounded(cost.total(), 1) : Json(nullptr);
    out["cost_hour"] = cost.billKnown && cost.hours > 0 ? rounded(cost.anHour(cost.total()), 1e-4) : Json(nullptr);
    out["goodput"] = share(useful);
    out["goodput_per_mw"] = cost.facilityW > 0 ? rounded(useful * accelerators / (cost.facilityW / 1e6), 1e-2) : Json(nullptr);
    out["worst_loss"] = ranked->empty() ? Json("") : Json(impact::nameOf(**model, ranked->front().element));
    out["worst_loss_gpus"] = worst;
    out["worst_loss_share"] = accelerators > 0 ? share(double(worst) / accelerators) : Json(nullptr);
    out["phases"] = std::max<std::size_t>(design.snapshot->phases.size(), 1);
    out["errors"] = checked->errors;
    if (!goodput) out["goodput_error"] = goodput.error().text();
    return out;
}

std::optional<double> figure(const Json& point, const std::string& key)
{
    const std::string& at = key == "worst_loss" ? "worst_loss_gpus" : key;
    if (!point.contains(at) || !point[at].is_number()) return {};
    return point[at].get<double>();
}

class Exploration {
public:
    Exploration(const ExploreRequest& request, const ExploreOptions& options, const Progress& progress)
        : m_request(request), m_options(options), m_progress(progress), m_found(request.candidates.size())
    {
    }

    Result<void> keep()
    {
        if (m_options.keep.empty()) return {};
        auto kept = StoredPoints::open(m_options.keep, exploreIdentity(m_request), m_found);
        if (!kept) return tl::unexpected(kept.error());
        m_kept = std::move(*kept);
        return {};
    }

    Result<void> compute(std::span<const std::size_t> points)
    {
        std::size_t done = 0;
        parallelFor(points.size(), {.threads = m_options.threads, .stop = m_progress.stop}, [&](std::size_t i) {
            const std::size_t point = points[i];
            if (m_found[point].is_null()) {
                auto result = evaluate(m_request, m_request.candidates[point], Progress{m_progress.stop, {}});
                if (!result) return; // stopped
                const std::scoped_lock lock(m_mutex);
                m_found[point] = std::move(*result);
                if (m_kept) m_kept->add(point, m_found[point]);
            }
            const std::scoped_lock lock(m_mutex);
            ++done;
            m_progress.report(double(done) / double(points.size()), words(i18n("Design {:L} of {:L}", done, points.size())));
        });
        if (!m_progress.stopRequested()) return {};
        return fail(ErrorCode::Canceled, m_request.name, i18n("stopped after {:L} of {:L} designs", done, points.size()),
                    m_kept ? i18n("run it again with the same output to continue") : Text());
    }

    Result<Json> document()
    {
        if (const auto kept = keep(); !kept) return tl::unexpected(kept.error());
        if (m_options.elsewhere)
            if (const auto filled = m_options.elsewhere(exploreIdentity(m_request), m_found); !filled) return tl::unexpected(filled.error());
        std::vector<std::size_t> all(m_found.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        if (const auto computed = compute(all); !computed) return tl::unexpected(computed.error());
        Json failed = Json::array(), points = Json::array();
        for (Json& one : m_found) {
            Json point = std::move(one["values"]);
            if (point.contains("error")) {
                failed.push_back(std::move(point));
                continue;
            }
            Json outside = Json::array();
            for (const Bound& bound : m_request.limits) {
                const auto value = figure(point, bound.figure);
                if (!value || (bound.least && *value < *bound.least) || (bound.most && *value > *bound.most)) outside.push_back(bound.figure);
            }
            point["outside"] = std::move(outside);
            points.push_back(std::move(point));
        }
        if (points.empty())
            return fail(ErrorCode::Refused, m_request.where, i18n("no design could be generated: {}", failed[0]["error"].get<std::string>()),
                        i18n("correct the templates and parameters"));
        Json objectives = Json::array();
        for (const Objective& o : m_request.objectives) objectives.push_back({{"figure", o.figure}, {"best", o.high ? "high" : "low"}});
        const auto front = paretoFront(points, m_request.objectives);
        return Json{{"schema", "hallwright.explore/1"},
                    {"name", m_request.name},
                    {"identity", exploreIdentity(m_request)},
                    {"program", programIdentity()},
                    {"designs", m_found.size()},
                    {"objectives", std::move(objectives)},
                    {"failed", std::move(failed)},
                    {"front", front},
                    {"points", std::move(points)}};
    }

private:
    const ExploreRequest& m_request;
    const ExploreOptions& m_options;
    const Progress& m_progress;
    std::mutex m_mutex; ///< guards what follows while points are computed
    std::vector<Json> m_found;
    std::optional<StoredPoints> m_kept;
};

} // namespace

std::string exploreIdentity(const ExploreRequest& request) { return resourcesIdentity("explore " + request.given.dump()); }

Result<Json> evaluate(const ExploreRequest& request, const Candidate& candidate, const Progress& progress)
{
    Json point = {{"template", candidate.designTemplate}, {"parameters", parametersOf(candidate)}};
    const auto design = generatedDesign(candidate.designTemplate, candidate.parameters, progress);
    const auto figures = design ? figuresJson(request, *design, progress) : Result<Json>(tl::unexpected(design.error()));
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, request.name, i18n("stopped"));
    if (figures)
        point.update(*figures);
    else
        point["error"] = figures.error().text();
    return Json{{"values", std::move(point)}, {"notes", Json::array()}};
}

std::vector<std::size_t> paretoFront(const Json& points, std::span<const Objective> objectives)
{
    std::vector<std::vector<double>> value; // lower is better
    std::vector<std::size_t> place;
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (points[p].contains("outside") && !points[p]["outside"].empty()) continue;
        std::vector<double> row;
        for (const Objective& o : objectives)
            if (const auto v = figure(points[p], o.figure)) row.push_back(o.high ? -*v : *v);
        if (row.size() == objectives.size()) value.push_back(std::move(row)), place.push_back(p);
    }
    std::vector<std::size_t> front;
    for (std::size_t a = 0; a < value.size(); ++a) {
        const bool beaten = std::ranges::any_of(std::views::iota(std::size_t(0), value.size()), [&](std::size_t b) {
            if (a == b) return false;
            bool better = false;
            for (std::size_t k = 0; k < objectives.size(); ++k) {
                if (value[b][k] > value[a][k]) return false;
                better |= value[b][k] < value[a][k];
            }
            return better || b < a; // equal in all: the first stands for both
        });
        if (!beaten) front.push_back(place[a]);
    }
    return front;
}

Result<void> explorePoints(const ExploreRequest& request, std::span<const std::size_t> points, const ExploreOptions& options,
                           const Progress& progress)
{
    Exploration run(request, options, progress);
    if (const auto kept = run.keep(); !kept) return kept;
    return run.compute(points);
}

Result<Json> exploreDesigns(const ExploreRequest& request, const ExploreOptions& options, const Progress& progress)
{
    return Exploration(request, options, progress).document();
}

} // namespace explore
} // namespace hw::sim
