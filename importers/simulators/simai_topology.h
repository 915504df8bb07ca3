// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

#include <string_view>

namespace hw::importers {

/// A topology as SimAI's generator writes it: ids 0 … gpus - 1 are GPUs, NVSwitches and switches follow.
struct SimaiTopology {
    std::uint32_t gpus = 0, gpusPerServer = 0, nvswitches = 0, switches = 0;
    std::string gpuType;
    struct Link {
        std::uint32_t a = 0, b = 0; ///< a < b
        std::int64_t gbps = 0;
        int line = 0;
    };
    std::vector<Link> links;
    bool errors = false; ///< an error rate is above 0
    [[nodiscard]] bool isGpu(std::uint32_t id) const { return id < gpus; }
    [[nodiscard]] bool isNvswitch(std::uint32_t id) const { return id >= gpus && id < gpus + nvswitches; }
};

/// Six words that fit a topology's first line.
[[nodiscard]] bool looksLikeSimaiTopology(std::string_view content);
/// Errors: Unreadable at FILE:LINE.
[[nodiscard]] Result<SimaiTopology> readSimaiTopology(std::string_view text, const std::string& file);

/// Servers, switches by tiers and links for a project without devices, of part types of its own: sizes and power are not in the file.
/// Errors: as reading; Refused for a project with devices, and for links that a design cannot have.
[[nodiscard]] Result<exchange::ImportPlan> planTopology(std::string_view text, const std::string& file, const SnapshotPtr& base);

} // namespace hw::importers
