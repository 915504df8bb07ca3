// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace hw::sim {
inline namespace fairshare {

/// A fair-share problem as dense arrays: L directed links, F flows.
///
/// `capacity[l]` and `size[f]` share one arbitrary unit (rates come out in the unit of capacity, times in
/// size / capacity). The links of flow f are `link[offset[f] .. offset[f + 1])`, distinct, at least one.
/// `weight` is empty (all flows weigh 1) or has F entries > 0: a flow of weight 2 gets twice the share.
struct FlowProblem {
    std::vector<double> capacity;
    std::vector<double> size;
    std::vector<uint32_t> offset{0};
    std::vector<uint32_t> link;
    std::vector<double> weight;

    size_t linkCount() const { return capacity.size(); }
    size_t flowCount() const { return size.size(); }
    size_t hopCount() const { return link.size(); }
    std::span<const uint32_t> linksOf(uint32_t flow) const { return {link.data() + offset[flow], link.data() + offset[flow + 1]}; }
    double weightOf(uint32_t flow) const { return weight.empty() ? 1.0 : weight[flow]; }
    /// Appends a flow; returns its index. With weights in use the new flow weighs `flowWeight`.
    uint32_t addFlow(double flowSize, std::span<const uint32_t> links, double flowWeight = 1.0);
};

/// Why a problem cannot be used. `line` counts from 1; 0 means the file as a whole.
struct ProblemError {
    int line = 0;
    Text what;
    Text todo;

    /// "PATH:LINE: WHAT; TODO" as the command line prints it after "error: ".
    std::string text(std::string_view path) const;
};

/// Parses "mmf 1" text: `mmf 1`, `links L`, L capacities, `flows F`, F times `size k link...`; '#' starts a
/// comment that ends with its line. Refuses what FlowProblem forbids and counts that the text cannot hold.
tl::expected<FlowProblem, ProblemError> parseProblem(std::string_view text);
tl::expected<FlowProblem, ProblemError> readProblem(const std::filesystem::path& path);

/// Reads a rates or finish-time file: one number a line, line j is flow j.
tl::expected<std::vector<double>, ProblemError> readValues(const std::filesystem::path& path);

/// Writes one value a line with 17 significant digits, so that reading gives the same doubles.
/// The file appears whole or not at all: it is written beside `path` and renamed.
tl::expected<void, ProblemError> writeValues(const std::filesystem::path& path, std::span<const double> values);

} // namespace fairshare
} // namespace hw::sim
