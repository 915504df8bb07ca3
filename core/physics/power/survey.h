// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/power/network.h"

namespace hw::power {

/// What changes when elements are lost, against the flow with all of them.
struct Impact {
    std::vector<Index> dark;     ///< live before, without power now; ascending, without the lost ones
    std::vector<Index> weakened; ///< still live, with a way in less; ascending
    struct Change {
        Index element = 0;
        Phases through; ///< now
        friend bool operator==(const Change&, const Change&) = default;
    };
    std::vector<Change> changed; ///< elements that pass on another power, the dark and lost ones left out; ascending
    friend bool operator==(const Impact&, const Impact&) = default;
};

/// Works out losses one after the other, each touching only what it reaches. Not shared between threads.
class Survey {
public:
    explicit Survey(const Network& network);

    [[nodiscard]] const Flow& base() const { return m_base; }
    /// Equal to `flowOf(network, lost)`, told as a difference. `cut`: single ways that are lost as well, such as a power supply.
    [[nodiscard]] Impact lose(std::span<const Index> lost, std::span<const Network::Use> cut = {});

private:
    struct State {
        std::uint32_t round = 0; ///< of which the rest holds
        bool dead = false, queued = false, weakened = false;
        Phases delta; ///< of `through`, from the consumers
    };
    [[nodiscard]] State& state(Index i);
    [[nodiscard]] bool isCut(std::uint32_t feed) const { return !m_cut.empty() && m_cut[feed] == m_round; }
    [[nodiscard]] bool isDead(Index i) const { return m_states[i].round == m_round ? m_states[i].dead : !m_base.live[i]; }

    const Network& m_network;
    Flow m_base;
    std::vector<State> m_states;
    std::vector<std::uint32_t> m_cut; ///< by feed of the network: the round in which it was cut; empty until one is
    std::uint32_t m_round = 0;
};

/// The worst that any single loss leaves every element with.
struct Worst {
    struct Load {
        Milliwatts through; ///< most that it carries, with nothing lost or with one of `lost` gone
        Index lost = 0;     ///< the loss that does it; the element itself where nothing adds to it
        friend bool operator==(const Load&, const Load&) = default;
    };
    std::vector<Load> loads;   ///< by element
    std::vector<char> darkens; ///< by element: some single loss other than its own leaves it without power
    friend bool operator==(const Worst&, const Worst&) = default;
};

/// Over the loss of each of `elements` alone.
[[nodiscard]] Worst worstOver(Survey& survey, const Network& network, std::span<const Index> elements);

} // namespace hw::power
