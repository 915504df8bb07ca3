// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/batch/failure_pairs.h"

#include "core/foundation/model/fingerprint.h"
#include "simulation/questions/identity.h"
#include "simulation/questions/kept_points.h"

#include <algorithm>
#include <numeric>

namespace hw::sim {
inline namespace batch {

namespace {

std::size_t pairsAt(const impact::PairPlan& plan, std::size_t point) { return std::min(kPairsInPoint, plan.pairs.size() - point * kPairsInPoint); }

/// One after the other: each uses both threads of the machine.
Result<void> fillPairs(const impact::ModelPtr& model, const impact::PairPlan& plan, std::span<const std::size_t> points, std::vector<Json>& found,
                       StoredPoints* kept, const Progress& progress)
{
    for (std::size_t n = 0; n < points.size(); ++n) {
        const std::size_t point = points[n];
        if (!found[point].is_null()) continue;
        const Progress part{progress.stop,
                            [&](double fraction, std::string_view step) { progress.report((double(n) + fraction) / double(points.size()), step); }};
        const auto more = impact::moreOfPairs(model, plan, point * kPairsInPoint, pairsAt(plan, point), part);
        if (!more) return tl::unexpected(more.error());
        Json list = Json::array(); // most pairs cost nothing more
        for (std::size_t i = 0; i < more->size(); ++i)
            if ((*more)[i] > 0) list.push_back({i, (*more)[i]});
        found[point] = {{"values", {{"more", std::move(list)}}}, {"notes", Json::array()}};
        if (kept) kept->add(point, found[point]);
    }
    return {};
}

} // namespace

std::size_t pairPoints(const impact::PairPlan& plan) { return (plan.pairs.size() + kPairsInPoint - 1) / kPairsInPoint; }

std::string pairPlanText(const impact::PairPlan& plan)
{
    Json pairs = Json::array();
    for (const auto& [a, b] : plan.pairs) pairs.push_back({a, b});
    return Json{{"schema", "hallwright.pairs/1"},
                {"alone", plan.alone},
                {"untried", plan.untried},
                {"elements", plan.elements},
                {"pairs", std::move(pairs)}}
               .dump() +
           '\n';
}

Result<impact::PairPlan> readPairPlan(const std::string& text, const std::string& where, const impact::Model& model)
{
    const auto broken = [&] { return fail(ErrorCode::Unreadable, where, i18n("not a list of failure pairs of this design"), i18n("omit --plan")); };
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || json.value("schema", std::string()) != "hallwright.pairs/1") return broken();
    impact::PairPlan plan;
    try {
        plan.alone = json.at("alone").get<std::vector<std::int64_t>>();
        plan.untried = json.at("untried").get<std::int64_t>();
        plan.elements = json.at("elements").get<std::int64_t>();
        plan.pairs = json.at("pairs").get<std::vector<std::pair<std::uint32_t, std::uint32_t>>>();
    } catch (const Json::exception&) {
        return broken();
    }
    const std::size_t elements = impact::pairElements(model).size();
    const auto known = [&](const auto& pair) { return pair.first < elements && pair.second < elements; };
    if (plan.alone.size() != elements || !std::ranges::all_of(plan.pairs, known)) return broken();
    return plan;
}

std::string pairIdentity(const Snapshot& snapshot)
{
    constexpr const char* kWhat = "impact pairs"; // no text: of a hash
    return answerIdentity(designFingerprint(snapshot), resourcesIdentity(kWhat));
}

Result<void> runPairPoints(const impact::ModelPtr& model, const impact::PairPlan& plan, const std::string& identity,
                           std::span<const std::size_t> points, const PairOptions& options, const Progress& progress)
{
    std::vector<Json> found(pairPoints(plan));
    auto kept = StoredPoints::open(options.keep, identity, found);
    if (!kept) return tl::unexpected(kept.error());
    return fillPairs(model, plan, points, found, &*kept, progress);
}

Result<impact::PairRanking> rankPairsInParts(const impact::ModelPtr& model, const impact::PairPlan& plan, const std::string& identity,
                                             const PairOptions& options, const Progress& progress)
{
    std::vector<Json> found(pairPoints(plan));
    std::optional<StoredPoints> kept;
    if (!options.keep.empty()) {
        auto opened = StoredPoints::open(options.keep, identity, found);
        if (!opened) return tl::unexpected(opened.error());
        kept = std::move(*opened);
    }
    if (options.elsewhere)
        if (const auto filled = options.elsewhere(identity, found); !filled) return tl::unexpected(filled.error());
    std::vector<std::size_t> all(found.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    if (const auto done = fillPairs(model, plan, all, found, kept ? &*kept : nullptr, progress); !done) return tl::unexpected(done.error());
    std::vector<std::int64_t> more(plan.pairs.size(), 0);
    for (std::size_t point = 0; point < found.size(); ++point)
        for (const Json& one : found[point]["values"]["more"]) {
            const std::size_t i = one[0].get<std::size_t>();
            if (i < pairsAt(plan, point)) more[point * kPairsInPoint + i] = one[1].get<std::int64_t>();
        }
    return impact::rankingOf(model, plan, more, progress);
}

} // namespace batch
} // namespace hw::sim
