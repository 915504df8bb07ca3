// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/power/network.h"

#include <span>
#include <vector>

namespace hw::plant {

/// A power network with nothing lost, its equal elements counted instead of listed: what has the same losses and passes power on to the same is one
/// class. So an hour of a hall costs some hundred steps. Shares of ways are those of the flow that it was made from.
class PowerTree {
public:
    /// What draws: `group` names those that draw alike, `share` is the draw of one over that of its group.
    struct Draw {
        std::int32_t group = -1; ///< none: draws nothing
        double share = 0;
    };
    /// Where heat of losses ends, by element: a place, or -1.
    /// `feederLossW`: of the lines into an element at the flow.
    PowerTree(const power::Network& network, const power::Flow& flow, std::span<const Draw> draws, std::span<const std::int32_t> places,
              std::span<const double> feederLossW, std::size_t groups, std::size_t placeCount);
    PowerTree() = default;

    struct State {
        std::vector<double> intakeW;    ///< by class
        std::vector<double> placeLossW; ///< by place, then of elements without one
        double inW = 0;                 ///< taken from the sources
        double lossW = 0, feederW = 0, drawW = 0;
    };
    /// With so much drawn by each group. `changed`: only groups marked by `fixed` kept their draw since `state`; their classes are not computed
    /// again.
    void solve(std::span<const double> groupW, State& state, bool onlyChanged) const;
    /// Groups whose draw stays within an hour; to be said before `solve(…, true)`.
    void fix(std::span<const char> groups);

    [[nodiscard]] std::size_t classes() const { return m_classes.size(); }
    [[nodiscard]] std::size_t groups() const { return m_groups; }

private:
    struct Use {
        std::uint32_t of = 0; ///< class
        double ways = 0;      ///< of its intake, for each element of this class
    };
    struct Class {
        power::Loss loss{};
        Draw draw{};
        double count = 0;
        double feeder = 0; ///< W of loss per W² of intake, of all its elements
        bool source = false, fixed = false, lossless = false;
        std::uint32_t firstUse = 0, uses = 0;
        std::uint32_t firstPlace = 0, places = 0;
    };
    std::vector<Class> m_classes; ///< consumers before what feeds them
    std::vector<Use> m_uses;
    std::vector<std::pair<std::uint32_t, double>> m_places; ///< place and number of elements
    std::size_t m_groups = 0, m_placeCount = 0;
};

} // namespace hw::plant
