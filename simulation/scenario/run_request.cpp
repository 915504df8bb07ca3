// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/scenario/run_request.h"

#include "simulation/scenario/design_variant.h"
#include "simulation/scenario/kept_points.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace hw::sim {

namespace {

/// One request on its way: the design, its variants, and the points of the sweep.
class RequestRun {
public:
    RequestRun(const ScenarioRequest& request, ScenarioDesign design, const RunOptions& options, const Progress& progress)
        : m_request(request), m_design(std::move(design)), m_options(options), m_progress(progress)
    {
    }

    Result<ScenarioAnswer> go()
    {
        if (const auto ready = prepareDesign(); !ready) return tl::unexpected(ready.error());
        return m_request.sweep.empty() ? single() : sweep();
    }

private:
    Result<void> prepareDesign();
    Result<ScenarioAnswer> single();
    Result<ScenarioAnswer> sweep();
    Json head() const;
    Result<ScenarioOutcome> at(const std::vector<Json>& values, const Progress& progress);
    Result<ScenarioDesign> designAt(const std::vector<Json>& values, const Progress& progress);
    void work(std::vector<Json>& found, std::atomic<std::size_t>& next);

    const ScenarioRequest& m_request;
    ScenarioDesign m_design;
    const RunOptions& m_options;
    const Progress& m_progress;

    std::mutex m_mutex; ///< guards what follows
    std::map<std::string, std::shared_ptr<std::once_flag>> m_variantOnce;
    std::map<std::string, Result<ScenarioDesign>> m_variants;
    std::optional<std::pair<std::size_t, Error>> m_failed; ///< of the first point that failed
    std::atomic<bool> m_stop = false;
    std::size_t m_done = 0;
    bool m_generated = false; ///< the design was made for this run
    Json m_notes = Json::array();
    std::optional<KeptPoints> m_kept;
};

Result<void> RequestRun::prepareDesign()
{
    if (!m_request.kind->onDesign) return {};
    if (!m_design.snapshot) {
        if (m_request.designTemplate.empty())
            return fail(ErrorCode::Usage, m_request.where, "asks about a design, and none is given", "name a project file, or a \"design\": {\"template\": …} in the scenario");
        auto made = generatedDesign(m_request.designTemplate, m_request.designSet, m_progress);
        if (!made) return tl::unexpected(placed(m_request, made.error()));
        m_design = std::move(*made);
        m_generated = true;
        return {};
    }
    if (!m_request.designTemplate.empty()) return {}; // `set` belongs to the design that the scenario would make for itself
    auto variant = variantOf(m_design, m_request.designSet, m_progress);
    if (!variant) return tl::unexpected(placed(m_request, variant.error()));
    m_design = std::move(*variant);
    return {};
}

Json RequestRun::head() const
{
    Json root = {{"schema", "hallwright.result/1"}, {"name", m_request.name}, {m_request.kind->onDesign ? "workload" : "analysis", m_request.kind->name}};
    if (m_request.kind->onDesign) {
        const Snapshot& s = *m_design.snapshot;
        root["design"] = {{"name", s.setting("project.name")}, {"template", s.setting("template.name")}, {"revision", s.revision}};
        if (m_generated || m_request.designTemplate.empty())
            for (const auto& [name, value] : m_request.designSet) root["design"]["set"][name] = value;
    }
    root["parameters"] = m_request.parameters;
    return root;
}

Result<ScenarioAnswer> RequestRun::single()
{
    auto outcome = m_request.kind->run(m_design, m_request.parameters, m_progress);
    if (!outcome) return tl::unexpected(placed(m_request, outcome.error()));
    Json root = head();
    root["results"] = std::move(outcome->results);
    root["notes"] = std::move(outcome->notes);
    return ScenarioAnswer{std::move(root), std::move(outcome->flows), std::move(outcome->playback), m_design};
}

/// The design of a point; points that change the design alike share one.
Result<ScenarioDesign> RequestRun::designAt(const std::vector<Json>& values, const Progress& progress)
{
    std::map<std::string, Json> set;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (m_request.sweep[i].parameter.starts_with("design.")) set[m_request.sweep[i].parameter.substr(7)] = values[i];
    if (set.empty()) return m_design;
    const std::string key = Json(set).dump();
    std::shared_ptr<std::once_flag> once;
    {
        const std::scoped_lock lock(m_mutex);
        auto& slot = m_variantOnce[key];
        if (!slot) slot = std::make_shared<std::once_flag>();
        once = slot;
    }
    std::call_once(*once, [&] {
        auto made = variantOf(m_design, set, progress);
        const std::scoped_lock lock(m_mutex);
        m_variants.emplace(key, std::move(made));
    });
    const std::scoped_lock lock(m_mutex);
    return m_variants.at(key);
}

Result<ScenarioOutcome> RequestRun::at(const std::vector<Json>& values, const Progress& progress)
{
    const auto design = m_request.kind->onDesign ? designAt(values, progress) : m_design;
    if (!design) return tl::unexpected(design.error());
    Json parameters = m_request.parameters;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!m_request.sweep[i].parameter.starts_with("design.")) (void)assignPath(parameters, m_request.sweep[i].parameter, values[i]); // checked when it was read
    return m_request.kind->run(*design, parameters, progress);
}

void RequestRun::work(std::vector<Json>& found, std::atomic<std::size_t>& next)
{
    const Progress quiet{m_progress.stop, {}};
    for (std::size_t point; (point = next++) < found.size() && !m_stop && !m_progress.stopRequested();) {
        if (found[point].is_null()) {
            const auto values = m_request.valuesAt(point);
            auto outcome = at(values, quiet);
            const std::scoped_lock lock(m_mutex);
            if (!outcome) {
                if (!m_failed || point < m_failed->first) m_failed = {point, outcome.error()};
                m_stop = true;
                return;
            }
            found[point] = {{"values", values}, {"results", std::move(outcome->results)}};
            if (point == 0 || m_notes.empty()) m_notes = std::move(outcome->notes);
            if (m_kept) m_kept->add(point, found[point], m_notes);
        }
        const std::scoped_lock lock(m_mutex);
        ++m_done;
        m_progress.report(double(m_done) / double(found.size()), fmt::format("Point {} of {}", m_done, found.size()));
    }
}

Result<ScenarioAnswer> RequestRun::sweep()
{
    std::vector<Json> found(m_request.points());
    if (!m_options.keep.empty()) {
        auto kept = KeptPoints::open(m_options.keep, Json{{"scenario", toJson(m_request)}, {"head", head()}}.dump(), found, m_notes);
        if (!kept) return tl::unexpected(kept.error());
        m_kept = std::move(*kept);
    }
    std::atomic<std::size_t> next = 0;
    const unsigned wanted = m_options.threads ? m_options.threads : std::max(1u, std::thread::hardware_concurrency());
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 1; i < std::min<std::size_t>(wanted, found.size()); ++i) workers.emplace_back([&] { work(found, next); });
        work(found, next);
    }
    if (m_failed && m_failed->second.code != ErrorCode::Cancelled) {
        Error error = m_failed->second;
        error.where = fmt::format("sweep at {}: {}", Json(m_request.valuesAt(m_failed->first)).dump(), error.where);
        return tl::unexpected(placed(m_request, std::move(error)));
    }
    if (m_failed || m_progress.stopRequested())
        return fail(ErrorCode::Cancelled, m_request.name, fmt::format("stopped after {} of {} points", std::ranges::count_if(found, [](const Json& p) { return !p.is_null(); }), found.size()),
                    m_kept ? "run it again with the same output to go on" : "");
    Json root = head(), names = Json::array();
    for (const SweepAxis& axis : m_request.sweep) names.push_back(axis.parameter);
    root["sweep"] = {{"parameters", std::move(names)}, {"points", std::move(found)}};
    root["notes"] = std::move(m_notes);
    return ScenarioAnswer{std::move(root), nullptr, nullptr, m_design};
}

} // namespace

Result<ScenarioAnswer> runRequest(const ScenarioRequest& request, const ScenarioDesign& design, const RunOptions& options, const Progress& progress)
{
    return RequestRun(request, design, options, progress).go();
}

} // namespace hw::sim
