// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/count.h"
#include "core/foundation/catalog/catalog.h"

namespace hw::sizing {

/// What a rule's links over panels take, as leadOverPanels makes it.
struct PanelsOfRule {
    std::int64_t panels = 0, trunks = 0;
    std::int64_t cords = 0; ///< at both ends together
    Fact<Money> panelPrice;
    std::string trunk; ///< its part; empty: one panel in the way, no trunk
    [[nodiscard]] std::int64_t cables() const { return cords + trunks; }
};

/// Counts every link between the places of the site. `counter` must have made `count` last; the rule has panels. Exact where every link has a
/// cord of its own; of breakouts as many cords are taken between two places as there are on average.
[[nodiscard]] PanelsOfRule panelsOfRule(TemplateCounter& counter, const TemplateCount& count, std::size_t rule, const SitePlan& site,
                                        const Catalog& catalog);

} // namespace hw::sizing
