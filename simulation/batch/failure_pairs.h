// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/ranking.h"
#include "simulation/batch/slurm_points.h"

namespace hw::sim {
inline namespace batch {

/// Failure pairs in parts, each of so many pairs: points of a batch.
inline constexpr std::size_t kPairsInPoint = 250;
[[nodiscard]] std::size_t pairPoints(const impact::PairPlan& plan);

/// What tasks read, so that they need not find the pairs again.
[[nodiscard]] std::string pairPlanText(const impact::PairPlan& plan);
/// Error: Unreadable, for text of another design too.
[[nodiscard]] Result<impact::PairPlan> readPairPlan(const std::string& text, const std::string& where, const impact::Model& model);

/// Which design and program the points belong to.
[[nodiscard]] std::string pairIdentity(const Snapshot& snapshot);

struct PairOptions {
    std::filesystem::path keep; ///< finished points; empty: nowhere
    std::function<Result<void>(const std::string& identity, std::vector<Json>& found)>
        elsewhere; ///< fills what it can; null: nothing is computed elsewhere
};
/// These points only, into `options.keep`. Errors: Canceled; Unreadable.
[[nodiscard]] Result<void> runPairPoints(const impact::ModelPtr& model, const impact::PairPlan& plan, const std::string& identity,
                                         std::span<const std::size_t> points, const PairOptions& options, const Progress& progress = {});
/// All points, then what they come to: the same as impact::rankPairs().
[[nodiscard]] Result<impact::PairRanking> rankPairsInParts(const impact::ModelPtr& model, const impact::PairPlan& plan, const std::string& identity,
                                                           const PairOptions& options, const Progress& progress = {});

} // namespace batch
} // namespace hw::sim
