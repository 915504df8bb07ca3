// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace formulas {

/// Two sites joined by fiber: `pairs` of `channels` each.
struct WanLink {
    std::size_t from = 0, to = 1; ///< sites
    double km = 60;
    int pairs = 2, channels = 64;
    double gbpsPerChannel = 400;
    [[nodiscard]] double gbps() const { return pairs * channels * gbpsPerChannel; } ///< one direction
};
inline constexpr double kUsPerKm = 4.9; ///< light in fiber, group index 1.468

/// A training job by its totals; bytes of bf16 values.
struct SiteJob {
    std::string name;
    double gpus = 2048;
    double parameters = 175e9, hidden = 12288, sequence = 2048, samples = 1536; ///< of an iteration
    double teraflops = 989.5, mfu = 0.4;                                        ///< of a GPU, dense; reached within one site
    double overlap = 0.5;                                                       ///< share of the iteration during which gradients may travel
    double microBatches = 64;                                                   ///< of a pipeline
    [[nodiscard]] double iterationS() const;                                    ///< within one site: 6 · parameters · tokens / throughput
};

enum class SiteSplit { None, Data, Pipeline };
[[nodiscard]] const char* name(SiteSplit split);

/// An iteration over two sites.
struct SplitTimes {
    double iterationS = 0, wanBytes = 0; ///< bytes: one direction, of an iteration
    double wanShare = 0;                 ///< of the time that the link carries them
};
/// Data parallel: both sites exchange all gradients once in each direction (reduced within the site before), hidden as far as `overlap` allows.
/// Pipeline: the activations of every sample cross once in each direction; a micro-batch later fills and drains by its transfer and the way.
/// `rate`: share of the link that the job gets.
[[nodiscard]] SplitTimes splitTimes(const SiteJob& job, const WanLink& link, SiteSplit split, double rate = 1);

/// Where a job runs.
struct SitePlacement {
    SiteSplit split = SiteSplit::None;
    std::optional<std::size_t> site, other; ///< none: it waits
    double gpusThere = 0;                   ///< at `other`
    double iterationS = 0, slowDown = 1;
    SplitTimes wan;
};
/// One job after the other: into the single site with the fewest free GPUs that takes it; else over two joined sites in the way that is faster,
/// unless it would be slowed down more than `mostSlowDown`; else it waits. Jobs share a link in proportion to their number.
[[nodiscard]] std::vector<SitePlacement> placeOnSites(const std::vector<double>& freeGpus, const std::vector<WanLink>& links,
                                                      const std::vector<SiteJob>& jobs, double mostSlowDown);

} // namespace formulas
} // namespace hw::sim
