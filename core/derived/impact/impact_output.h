// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/ranking.h"
#include "core/derived/impact/story.h"

#include <nlohmann/json_fwd.hpp>

namespace hw::impact {

/// `hallwright.impact/1`: one failure.
[[nodiscard]] nlohmann::ordered_json impactJson(Study& study, std::span<const Failing> failed, std::size_t most = 200);
/// All single failures, worst first; `pairs` too where they were asked for. Error: Canceled.
[[nodiscard]] Result<nlohmann::ordered_json> rankingJson(Study& study, const std::vector<Ranked>& singles, const PairRanking* pairs,
                                                         const Progress& progress = {});
[[nodiscard]] std::string impactText(Study& study, std::span<const Failing> failed, std::size_t most = 20);
// Parts of the same text, for interfaces that show them otherwise.
struct LossLine {
    Text label, value;
};
[[nodiscard]] std::vector<LossLine> lossLines(const Effect& effect);
[[nodiscard]] Text loadText(const Taken& taken); ///< "36.1 kW instead of 18.0 kW, capacity 40.0 kW"
[[nodiscard]] std::vector<Text> assumptions(const Model& model, const Effect& effect);
/// Elements of one tier that cost the same are one line.
[[nodiscard]] std::string rankingText(const Model& model, const std::vector<Ranked>& singles, const PairRanking* pairs, std::size_t most = 40);

/// Elements of one tier (or trays of one kind) whose loss costs the same: [from, to) of a ranking.
struct Alike {
    std::size_t from = 0, to = 0;
};
[[nodiscard]] std::vector<Alike> alike(const Model& model, const std::vector<Ranked>& singles);

} // namespace hw::impact
