// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/foundation/base/disjoint_sets.h"

namespace hw::cooling {

/// Where the heat of a chain goes, with all of it and with elements lost. Works a loss out over the loops that hang together with what is lost;
/// the others stay as they are. Not shared between threads; the chain must outlive it.
class Survey {
public:
    explicit Survey(const CoolingChain& chain);

    struct Carried {
        double heatW = 0;  ///< that it takes out of the loop that it feeds
        double lpm = 0;    ///< of that loop; air: m³/s
        double takesW = 0; ///< that it gives to the loop that it takes from
    };
    struct Answer {
        std::vector<LoopAfterLoss> loops;
        std::vector<Carried> units; ///< by unit of the chain
    };
    [[nodiscard]] const Answer& base() const { return m_base; }
    /// `lost`: devices that fail or have no power; `shut`: links whose valve is shut. Equals the chain of the design without them. Headers and
    /// manifolds that are lost let nothing pass. Valid until the next call.
    [[nodiscard]] const Answer& without(std::span<const DeviceId> lost, std::span<const LinkId> shut);

private:
    struct Edge {
        std::uint32_t a = 0, b = 0; ///< members
        std::uint32_t link = 0;
    };
    /// One loop in numbers: members in the order of the chain's list.
    struct Loop {
        std::vector<std::int32_t> unit; ///< by member; -1 = a device that liquid cools
        std::vector<Edge> edges;
        std::int32_t system = 0; ///< loops that hang together
        std::uint32_t first = 0; ///< place of its members among all
    };
    /// A part of a loop that hangs together.
    struct Part {
        double heatW = 0, carriedW = 0, factor = 1;
        bool wet = false;
    };

    void buildLoop(std::int32_t l);
    void joinSystems();
    void orderLoops();
    void run(const std::vector<char>& systems, Answer& out);
    void connect(std::int32_t l);
    void load(std::int32_t l, Answer& out);
    void limit(std::int32_t l, Answer& out);
    void share(std::int32_t l, std::uint32_t part, std::span<const std::int32_t> sources, double pumpsLpm, double need, Answer& out);
    [[nodiscard]] bool isLost(DeviceId id) const { return m_lost[id.value] == m_round; }
    [[nodiscard]] double takesFactor(const CoolingUnit& unit) const;

    const CoolingChain& m_chain;
    std::vector<Loop> m_loops;
    std::vector<std::int32_t> m_order;         ///< loops that cool others first
    std::vector<std::uint32_t> m_lost, m_shut; ///< by device, link: the round in which it is lost
    std::uint32_t m_round = 1;
    DisjointSets m_joined;                  ///< members of the loop in hand
    std::vector<std::uint32_t> m_part;      ///< by member of all loops
    std::vector<std::vector<Part>> m_parts; ///< by loop, by member that stands for a part
    std::vector<char> m_wet;                ///< by unit: it is there and something cools it
    std::vector<double> m_factor;           ///< by unit: of what it gives to the loop that it takes from, that is taken
    Answer m_base, m_answer;
};

} // namespace hw::cooling
