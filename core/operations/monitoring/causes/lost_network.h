// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/network_loss.h"
#include "core/operations/monitoring/causes/active_causes.h"
#include "core/operations/monitoring/detectors/judge.h"

#include <map>
#include <set>

namespace hw::monitoring {

/// What of the networks is lost at a moment, as far as the watch knows: what causes that were named take along, and links that stand as down.
/// A host that is back counts as lost until its links carry something again: its job has to take it up first.
class LostNetwork {
public:
    struct Seen {
        const Judge::Conditions& conditions;
        const Readings& readings;
        const Evidence& evidence;
        const std::set<std::uint32_t>& flapping; ///< links that come and go; they count as up
        std::span<const float> loads;            ///< simulated with nothing lost, by directed link
    };
    /// Of a design with its points; what was lost stays so where `this` was there before.
    void design(const Figures& figures, const bindings::Bound& bound, const Plans& plans);
    [[nodiscard]] const impact::NetworkLoss& second(std::int64_t atMs, ActiveCauses* causes, const Seen& seen);

private:
    void readEffect(ActiveCauses& causes);
    void takeDown(DeviceId device, std::set<LinkId>& links) const;
    [[nodiscard]] bool isGone(DeviceId device, const Evidence& evidence) const;
    [[nodiscard]] bool works(DeviceId host, std::int64_t sinceMs, const Seen& seen) const;

    const Figures* m_figures = nullptr;
    const bindings::Bound* m_bound = nullptr;
    const Plans* m_plans = nullptr;
    std::map<DeviceId, std::vector<bindings::PointNo>> m_traffic; ///< of hosts
    std::vector<Suspect> m_named;                                 ///< that the effect is of
    std::set<DeviceId> m_down, m_later;                           ///< at once; after a while, or not at all where the load is low
    std::set<DeviceId> m_cut;                                     ///< hosts that have no way into the network left
    std::vector<LinkId> m_links;                                  ///< that failed themselves
    std::map<DeviceId, std::int64_t> m_back;                      ///< hosts that were lost and are not at work yet, since when they are back
    impact::NetworkLoss m_lost;
};

} // namespace hw::monitoring
