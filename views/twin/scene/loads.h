// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"
#include "simulation/result.h"
#include "views/twin/scene/facts.h"

#include <string>

namespace hw::views::twin {

/// A flow simulation's result as the picture shows it. Utilizations run from 0 to 1, below 0 = no link.
struct SceneLoads {
    std::shared_ptr<const sim::FlowResult> result;
    std::vector<float> section; ///< by section: sum of loads over sum of rates, of the busier direction
    float highest = 0;          ///< of a single link
    ValueField scale;           ///< what the colors of links mean, without the values
    ValueHistogram histogram;   ///< of all links
    std::string whose;          ///< for the legend
    bool stale = false;         ///< of an earlier state of the design

    /// The sums over half a million links take some milliseconds: for a worker.
    [[nodiscard]] static SceneLoads of(std::shared_ptr<const sim::FlowResult> result, const Figures& figures, const SceneFacts& facts);
    /// Of the busier direction of the busiest link in the cable.
    [[nodiscard]] float cable(const Figures& figures, CableId cable) const;
    [[nodiscard]] float link(LinkId link) const;

private:
    void countLinks();
};

} // namespace hw::views::twin
