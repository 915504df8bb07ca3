// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/run_request.h"

#include "core/foundation/base/parallel.h"
#include "core/foundation/model/fingerprint.h"
#include "simulation/questions/design_variant.h"
#include "simulation/questions/identity.h"
#include "simulation/questions/kept_points.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <sstream>

namespace hw::sim {
inline namespace questions {

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
    Result<void> part(std::span<const std::size_t> points)
    {
        if (const auto ready = prepareDesign(); !ready) return ready;
        std::vector<Json> found(m_request.points());
        if (const auto kept = openKept(found); !kept) return kept;
        return runAll(points, found);
    }

private:
    Result<void> prepareDesign();
    Result<ScenarioAnswer> single();
    Result<ScenarioAnswer> sweep();
    Result<void> openKept(std::vector<Json>& found);
    Result<void> runAll(std::span<const std::size_t> points, std::vector<Json>& found);
    std::string identity() const { return answerIdentity(m_content, requestIdentity(m_request)); }
    Json head() const;
    Json pointNotes(std::vector<Json>& found) const;
    Result<ScenarioOutcome> at(std::size_t point, const Progress& progress);
    Result<ScenarioDesign> designAt(const std::vector<Json>& values, const Progress& progress);
    void work(std::size_t point, std::vector<Json>& found);

    const ScenarioRequest& m_request;
    ScenarioDesign m_design;
    const RunOptions& m_options;
    const Progress& m_progress;

    std::mutex m_mutex; ///< guards what follows
    std::map<std::string, std::shared_ptr<std::once_flag>> m_variantOnce;
    std::map<std::string, Result<ScenarioDesign>> m_variants;
    std::optional<std::pair<std::size_t, Error>> m_failed; ///< of the first point that failed
    std::atomic<bool> m_stop = false;
    std::size_t m_done = 0, m_points = 0; ///< of this run
    bool m_generated = false;             ///< the design was made for this run
    std::uint64_t m_content = 0;          ///< of the design as given or generated, before `set`
    std::optional<StoredPoints> m_kept;
};

Result<void> RequestRun::prepareDesign()
{
    if (!m_request.kind->onDesign) return {};
    if (!m_design.snapshot) {
        if (m_request.designTemplate.empty())
            return fail(ErrorCode::Usage, m_request.where, i18n("requires a design, but none is specified"),
                        i18n("specify a project file, or a \"design\": {{\"template\": …}} in the scenario"));
        auto made = generatedDesign(m_request.designTemplate, m_request.designSet, m_progress);
        if (!made) return tl::unexpected(placed(m_request, made.error()));
        m_design = std::move(*made);
        m_content = designFingerprint(*m_design.snapshot);
        m_generated = true;
        return {};
    }
    m_content = designFingerprint(*m_design.snapshot);
    if (!m_request.designTemplate.empty()) return {}; // `set` belongs to the design that the scenario would make for itself
    auto variant = variantOf(m_design, m_request.designSet, m_progress);
    if (!variant) return tl::unexpected(placed(m_request, variant.error()));
    m_design = std::move(*variant);
    return {};
}

Json RequestRun::head() const
{
    Json root = {
        {"schema", "hallwright.result/1"}, {"name", m_request.name}, {m_request.kind->onDesign ? "workload" : "analysis", m_request.kind->name}};
    if (m_request.kind->onDesign) {
        const Snapshot& s = *m_design.snapshot;
        root["design"] = {{"name", s.setting("project.name")},
                          {"template", s.setting("template.name")},
                          {"revision", s.revision},
                          {"content", fingerprintText(m_content)}};
        if (m_generated || m_request.designTemplate.empty())
            for (const auto& [name, value] : m_request.designSet) root["design"]["set"][name] = value;
    }
    root["identity"] = identity();
    root["program"] = programIdentity();
    root["parameters"] = m_request.parameters;
    return root;
}

Result<ScenarioAnswer> RequestRun::single()
{
    const auto parameters = m_request.completeAt(0);
    if (!parameters) return tl::unexpected(placed(m_request, parameters.error()));
    auto outcome = m_request.kind->run(m_design, *parameters, m_progress);
    if (!outcome) return tl::unexpected(placed(m_request, outcome.error()));
    Json root = head();
    root["parameters"] = *parameters;
    root["results"] = std::move(outcome->results);
    root["notes"] = std::move(outcome->notes);
    return ScenarioAnswer{std::move(root), std::move(outcome->flows), std::move(outcome->playback), m_design, std::move(outcome->steadyGbps)};
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

Result<ScenarioOutcome> RequestRun::at(std::size_t point, const Progress& progress)
{
    const auto design = m_request.kind->onDesign ? designAt(m_request.valuesAt(point), progress) : m_design;
    if (!design) return tl::unexpected(design.error());
    const auto parameters = m_request.completeAt(point);
    if (!parameters) return tl::unexpected(parameters.error());
    return m_request.kind->run(*design, *parameters, progress);
}

void RequestRun::work(std::size_t point, std::vector<Json>& found)
{
    if (m_stop) return;
    if (found[point].is_null()) {
        auto outcome = at(point, Progress{m_progress.stop, {}});
        const std::scoped_lock lock(m_mutex);
        if (!outcome) {
            if (!m_failed || point < m_failed->first) m_failed = {point, outcome.error()};
            m_stop = true;
            return;
        }
        found[point] = {{"values", m_request.valuesAt(point)}, {"results", std::move(outcome->results)}, {"notes", std::move(outcome->notes)}};
        if (m_kept) m_kept->add(point, found[point]);
    }
    const std::scoped_lock lock(m_mutex);
    ++m_done;
    m_progress.report(double(m_done) / double(m_points), words(i18n("Point {} of {}", m_done, m_points)));
}

/// The notes of all points; leaves at each point only those that others do not share.
Json RequestRun::pointNotes(std::vector<Json>& found) const
{
    std::map<std::string, std::size_t> points; // how many points have it
    for (const Json& point : found)
        for (const Json& note : point["notes"]) ++points[note.get<std::string>()];
    const auto shared = [&](const Json& note) { return points.at(note.get<std::string>()) == found.size(); };
    Json all = Json::array(), some = Json::array();
    for (std::size_t p = 0; p < found.size(); ++p) {
        Json own = Json::array();
        for (const Json& note : found[p]["notes"]) {
            if (shared(note)) {
                if (p == 0) all.push_back(note);
                continue;
            }
            own.push_back(note);
            const auto count = std::exchange(points[note.get<std::string>()], 0); // told once
            if (count == 0) continue;
            const auto values = m_request.valuesAt(p);
            std::vector<std::string> set;
            for (std::size_t i = 0; i < values.size(); ++i)
                set.push_back(m_request.sweep[i].parameter + " = " + (values[i].is_string() ? values[i].get<std::string>() : values[i].dump()));
            const Text at = listedNames(set);
            const auto said = note.get<std::string>();
            some.push_back(count > 1 ? i18np(count - 1, "At {1} and {0} other point: {2}", "At {1} and {0} other points: {2}", at, said)
                                     : i18n("At {}: {}", at, said));
        }
        if (own.empty())
            found[p].erase("notes");
        else
            found[p]["notes"] = std::move(own);
    }
    for (Json& note : some) all.push_back(std::move(note));
    return all;
}

Result<void> RequestRun::openKept(std::vector<Json>& found)
{
    if (m_options.keep.empty()) return {};
    auto kept = StoredPoints::open(m_options.keep, identity(), found);
    if (!kept) return tl::unexpected(kept.error());
    m_kept = std::move(*kept);
    return {};
}

Result<void> RequestRun::runAll(std::span<const std::size_t> points, std::vector<Json>& found)
{
    m_points = points.size();
    parallelFor(points.size(), {.threads = m_options.threads, .stop = m_progress.stop}, [&](std::size_t i) { work(points[i], found); });
    if (m_failed && m_failed->second.code != ErrorCode::Canceled) return tl::unexpected(placedAt(m_request, m_failed->first, m_failed->second));
    if (!m_failed && !m_progress.stopRequested()) return {};
    return fail(
        ErrorCode::Canceled, m_request.name,
        i18n("stopped after {} of {} points", std::ranges::count_if(points, [&](std::size_t p) { return !found[p].is_null(); }), points.size()),
        m_kept ? i18n("run it again with the same output to continue") : Text());
}

Result<ScenarioAnswer> RequestRun::sweep()
{
    std::vector<Json> found(m_request.points());
    if (const auto kept = openKept(found); !kept) return tl::unexpected(kept.error());
    if (m_options.elsewhere)
        if (const auto filled = m_options.elsewhere(identity(), found); !filled) return tl::unexpected(filled.error());
    std::vector<std::size_t> all(found.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    if (const auto ran = runAll(all, found); !ran) return tl::unexpected(ran.error());
    Json root = head(), names = Json::array(), notes = pointNotes(found);
    for (const SweepAxis& axis : m_request.sweep) names.push_back(axis.parameter);
    root["sweep"] = {{"parameters", std::move(names)}, {"points", std::move(found)}};
    root["notes"] = std::move(notes);
    return ScenarioAnswer{std::move(root), nullptr, nullptr, m_design};
}

} // namespace

Result<ScenarioAnswer> runRequest(const ScenarioRequest& request, const ScenarioDesign& design, const RunOptions& options, const Progress& progress)
{
    return RequestRun(request, design, options, progress).go();
}

Result<void> runPoints(const ScenarioRequest& request, const ScenarioDesign& design, std::span<const std::size_t> points, const RunOptions& options,
                       const Progress& progress)
{
    return RequestRun(request, design, options, progress).part(points);
}

Result<std::vector<std::size_t>> parsePoints(const std::string& text, std::size_t points)
{
    const auto bad = [&] {
        return fail(ErrorCode::Usage, "--points", i18n("'{}' does not list points of this sweep", text),
                    i18n("specify numbers from 1 to {}, such as 1-40,55", points));
    };
    const auto number = [&](const std::string& word) -> std::size_t { // 0: none
        if (word.empty() || word.size() > 9 || word.find_first_not_of("0123456789") != std::string::npos) return 0;
        const std::size_t n = std::stoul(word);
        return n <= points ? n : 0;
    };
    std::vector<std::size_t> out;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto dash = part.find('-');
        const std::size_t first = number(part.substr(0, dash)), last = dash == std::string::npos ? first : number(part.substr(dash + 1));
        if (first == 0 || last < first) return bad();
        for (std::size_t n = first; n <= last; ++n) out.push_back(n - 1);
    }
    if (out.empty()) return bad();
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

} // namespace questions
} // namespace hw::sim
