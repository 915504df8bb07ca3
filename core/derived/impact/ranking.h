// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"

namespace hw::impact {

struct Ranked {
    Failing element;
    Loss loss;
};

/// Every element that can fail alone: devices, trays, and the pumps inside of cooling equipment. Hosts lose only themselves, and are there all the
/// same.
[[nodiscard]] std::vector<Failing> singleElements(const Model& model);
/// All of them, worst first; of equal ones in the order of the tables. Error: Canceled.
[[nodiscard]] Result<std::vector<Ranked>> rankSingles(const ModelPtr& model, const Progress& progress = {});

struct RankedPair {
    Failing a, b;
    Loss loss;
    /// GPUs, hosts, cards, dark and hot devices, what trips or starts again that the two cost together beyond what each costs alone.
    std::int64_t more = 0;
};
struct PairRanking {
    std::vector<RankedPair> pairs; ///< that cost more together than their two alone, worst first
    std::int64_t tried = 0;
    std::int64_t untried = 0;  ///< that share something and were left out, because there are too many
    std::int64_t elements = 0; ///< whose loss alone weakens something
};
inline constexpr std::size_t kMostPairs = 50'000;

/// The pairs worth trying: that weaken the same device, card or loop of coolant or air, or together overload an element of the power chain or empty a
/// battery. All others cost what their two cost alone. Hosts are left out.
struct PairPlan {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; ///< of pairElements()
    std::vector<std::int64_t> alone;                            ///< what each element costs, as `RankedPair::more` counts
    std::int64_t untried = 0, elements = 0;                     ///< as in PairRanking
    friend bool operator==(const PairPlan&, const PairPlan&) = default;
};
/// singleElements() without hosts.
[[nodiscard]] std::vector<Failing> pairElements(const Model& model);
/// Error: Canceled.
[[nodiscard]] Result<PairPlan> planPairs(const ModelPtr& model, const Progress& progress = {}, std::size_t mostPairs = kMostPairs);
/// `RankedPair::more` of pairs of a plan, from `first` on. Error: Canceled.
[[nodiscard]] Result<std::vector<std::int64_t>> moreOfPairs(const ModelPtr& model, const PairPlan& plan, std::size_t first, std::size_t count,
                                                            const Progress& progress = {});
/// What a plan with `more` of all its pairs comes to. Error: Canceled.
[[nodiscard]] Result<PairRanking> rankingOf(const ModelPtr& model, const PairPlan& plan, std::span<const std::int64_t> more,
                                            const Progress& progress = {});
/// The three in a row.
[[nodiscard]] Result<PairRanking> rankPairs(const ModelPtr& model, const Progress& progress = {}, std::size_t mostPairs = kMostPairs);

} // namespace hw::impact
