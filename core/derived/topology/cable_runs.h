// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <span>
#include <vector>

namespace hw {

/// The links of a design that go over patch panels, and the cables behind them. A link's first cable is `Links::cable`; each of its
/// runs goes on from a panel. Costs nothing where there are no panels.
class CableRuns {
public:
    explicit CableRuns(const Snapshot& snapshot);

    [[nodiscard]] bool empty() const { return m_runs.empty(); }
    /// Of a link, in their order; empty for a link on one cable.
    [[nodiscard]] std::span<const RunId> of(LinkId link) const;
    /// Where the link's first cable ends: its first panel, or the device of its upper port.
    [[nodiscard]] DeviceId firstEnd(const Snapshot& snapshot, LinkId link) const;
    /// Where the cable of a run ends: the next panel, or the device of the link's upper port.
    [[nodiscard]] DeviceId endOf(const Snapshot& snapshot, RunId run) const;
    /// Runs that a cable carries, in the order of links; empty for a cable that no run names.
    [[nodiscard]] std::span<const RunId> on(CableId cable) const;
    /// Runs that begin at a patch panel, in the order of links.
    [[nodiscard]] std::span<const RunId> over(DeviceId panel) const;
    /// Calls f(cable) for every cable of a link, from its lower end up.
    template <class F>
    void eachCable(const Snapshot& snapshot, LinkId link, F&& f) const
    {
        if (const auto first = snapshot.links.cable[link]) f(*first);
        for (const RunId run : of(link)) f(snapshot.runs.cable[run]);
    }
    friend bool operator==(const CableRuns&, const CableRuns&) = default;

private:
    struct Lists {
        std::vector<std::uint32_t> first; ///< by owner, one entry more than owners
        std::vector<RunId> runs;
        [[nodiscard]] std::span<const RunId> operator[](std::uint32_t owner) const;
        friend bool operator==(const Lists&, const Lists&) = default;
    };
    [[nodiscard]] static Lists listed(std::span<const RunId> sorted, std::uint32_t owners, std::span<const std::uint32_t> ownerOf);

    std::vector<RunId> m_runs; ///< by link, then number
    Lists m_ofLink, m_onCable, m_overPanel;
};

} // namespace hw
