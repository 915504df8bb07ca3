// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/causes/lost_network.h"

#include <future>
#include <optional>

namespace hw::monitoring {

/// What links should carry by a simulation, also after something of the network is lost or came back: then it is simulated again, beside the
/// judging. When it starts and from which second it counts follow from the seconds that are judged alone, so that a replay says the same. In
/// between no link is held against a load.
class Rerouted {
public:
    /// `whole`: with nothing lost, by directed link. Without `after` it counts whatever is lost.
    void simulated(std::vector<float> whole, impact::LoadsAfter after, Plans& plans);
    [[nodiscard]] bool follows() const { return bool(m_after); } ///< what is lost matters
    [[nodiscard]] const std::vector<float>& whole() const { return m_whole; }
    void design(Plans& plans); ///< points have other numbers
    /// `lost`: as it is known at this second. Plans of links follow; what judged them by another load is forgotten.
    void second(std::int64_t atMs, const impact::NetworkLoss& lost, std::span<const bindings::PointNo> dirty, Plans& plans, Judge& judge);

private:
    struct Run {
        impact::NetworkLoss lost;
        std::int64_t countsMs = 0;
        std::future<std::vector<float>> loads;
    };
    void begin(std::int64_t atMs);

    std::vector<float> m_whole, m_loads; ///< m_loads: of what m_lost says
    impact::LoadsAfter m_after;
    impact::NetworkLoss m_lost, m_wanted;
    std::int64_t m_changedMs = -1;    ///< when m_wanted changed; -1: never
    std::vector<std::uint8_t> m_read; ///< by point: how often since then, 2 at most
    std::optional<Run> m_run;         ///< at its end it is waited for
};

} // namespace hw::monitoring
