// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/count.h"

namespace hw::sizing {

/// Cables whose modules share sockets, as CableIndex has them of a whole design; each cable with its links.
struct Bundle {
    std::vector<std::vector<LinkSample>> cables;
    bool trunkFrom = true; ///< the side at which all of them are in one socket
    int legs = 0;          ///< sockets at the other side; 0: on neither side there is one socket only
};
/// All bundles of a rule, in the order of their first links. `links` are all of it (TemplateCounter::allLinks).
[[nodiscard]] std::vector<Bundle> bundlesOf(const TemplateCount& count, const TemplateCount::Rule& rule, const std::vector<LinkSample>& links);

} // namespace hw::sizing
