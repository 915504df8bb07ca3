// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/count.h"

namespace hw::sizing {

/// Lengths of a sample of every rule's links, through the trays of the site that the design would get: its own places, or
/// the plan of the automatic layout (TemplateCounter::sitePlan), routed by the router of whole designs. README.md, "Lengths".
class LengthModel {
public:
    /// `counter` must have made `count` last. `fine[r]`: rule r is sampled finely, the others coarsely.
    /// Errors: Refused where the design cannot be laid out.
    [[nodiscard]] static Result<LengthModel> make(TemplateCounter& counter, const TemplateCount& count, const std::vector<bool>& fine,
                                                  std::int32_t serviceLoopMm, const std::optional<HallRoom>& room = {});
    /// Ways of a sample of the rule's links, mm from port to port with service loops, without slack, in a fixed order.
    [[nodiscard]] const std::vector<std::int32_t>& sample(std::size_t rule) const { return m_ways[rule]; }
    /// Of a rule of breakouts or shuffles, or whose sockets hold several short cables: the cables of a sample of sockets, each as long as its
    /// longest link. Empty where the rule has neither, or too many links to look at.
    struct Sockets {
        std::vector<std::int32_t> ways; ///< by cable
        bool trunkFrom = true;
        int legs = 0; ///< see Bundle
    };
    [[nodiscard]] const std::vector<Sockets>& sockets(std::size_t rule) const { return m_sockets[rule]; }
    [[nodiscard]] const Snapshot& places() const { return *m_site.places; }
    [[nodiscard]] const SitePlan& site() const { return m_site; }

private:
    SitePlan m_site;
    std::vector<std::vector<std::int32_t>> m_ways; ///< by rule
    std::vector<std::vector<Sockets>> m_sockets;   ///< by rule
};

} // namespace hw::sizing
