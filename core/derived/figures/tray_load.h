// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/supply.h"

namespace hw {

/// What runs through a tray where it carries most, of every medium.
struct TrayLoad {
    struct Of {
        std::int32_t cables = 0;  ///< runs, of coolant pairs of pipes
        std::int64_t areaUm2 = 0; ///< cross-section
        std::int64_t grams = 0;   ///< of a meter
        friend bool operator==(const Of&, const Of&) = default;
    };
    std::array<Of, 3> of; ///< by medium, each where it carries most of that
    Of all;               ///< where most cross-section is filled, all media together
    friend bool operator==(const TrayLoad&, const TrayLoad&) = default;
};

/// By tray id. Data cables of unknown weight count as if they weighed what water of their volume does (assumed: 1 g a cm³).
[[nodiscard]] std::vector<TrayLoad> trayLoads(const Snapshot& snapshot, const ProjectParts& parts, const Placement& placement, const Routing& routing,
                                              const Cabling& cabling, const Supply& supply);

/// Share of the trays' cross-section that is filled where it is fullest, 1/1000.
[[nodiscard]] std::int32_t fillPermille(const Snapshot& snapshot, const ProjectParts& parts, TrayId tray, const TrayLoad& load);
/// What the trays bear, in g/m; 0 = not stated.
[[nodiscard]] std::int64_t bearsGrams(const Snapshot& snapshot, const ProjectParts& parts, TrayId tray);

struct TrayLoadNode {
    using Value = std::vector<TrayLoad>;
    static constexpr TextId kName = TextId("tray load");
    using Inputs = Reads<Nodes<PartsNode, PlacementNode, RoutingNode, CablingNode, SupplyNode>, Alive<Trays>>;
    static std::shared_ptr<const Value> compute(const Now<TrayLoadNode>& now);
};

} // namespace hw
