// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/figures.h"

namespace hw::views {

/// A network drawn as layers: one per tier from the servers up, each cut into blocks by pod, segment
/// and plane as finely as stays readable, and bundles of links between blocks. A plain value, no Qt.
struct FabricDiagram {
    struct Block {
        int layer = 0;
        int pod = -1, segment = -1, plane = -1; ///< what its devices have in common, from 0; -1 = not told apart
        std::int64_t devices = 0, backup = 0;
        std::int64_t portsUsed = 0, ports = 0;
    };
    struct Layer {
        std::string name, label;
        bool servers = false;
        std::int64_t devices = 0;
        double oversubscription = 1.0;          ///< toward the layer above
        std::vector<std::size_t> blocks;
    };
    struct Bundle { std::size_t from = 0, to = 0; std::int64_t links = 0, gbps = 0; };
    struct Between { std::int64_t links = 0; Gbps rate; }; ///< sum between two layers

    std::string label;
    double endToEnd = 1.0;
    std::vector<Layer> layers;
    std::vector<Block> blocks;
    std::vector<Bundle> bundles;
    std::vector<Between> between;               ///< layer i to i + 1
    int planes = 1;
};

inline constexpr std::size_t kReadableBlocks = 40; ///< of one layer; beyond it groups are joined

[[nodiscard]] FabricDiagram fabricDiagram(const Figures& figures, const FabricFigures::Network& network);

} // namespace hw::views
