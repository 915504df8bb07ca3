// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/heat_course.h"
#include "core/derived/cooling/survey.h"

namespace hw::cooling {

/// What of a chain decides which coolant still flows when elements are out.
struct FlowTraits {
    std::vector<char> passive;                          ///< by unit: works without power
    std::vector<char> facility;                         ///< by unit: of facility water, beyond what hands heat over to it
    std::vector<char> rejects;                          ///< by unit: water before it flows without it; only heat stays
    std::vector<char> ownFlow;                          ///< by unit that rejects: no pumps are there but those that its power feeds
    std::vector<char> condenser;                        ///< by loop: of facility water that cools other facility water alone
    std::vector<Milliwatts> kept;                       ///< by loop: not taken out even with nothing lost
    std::vector<std::pair<LinkId, std::uint32_t>> ways; ///< of the chain that can be shut, and their loops; ascending

    [[nodiscard]] static FlowTraits of(const CoolingChain& chain);
    [[nodiscard]] std::optional<std::uint32_t> loopOfWay(LinkId link) const; ///< of a way that can be shut
};

/// Loops of a chain, and the coolant in its cabinets, as stores of heat: up to the limits that the chain states.
[[nodiscard]] std::vector<HeatLoop> heatLoops(const CoolingChain& chain);
[[nodiscard]] std::vector<HeatCabinet> heatCabinets(const CoolingChain& chain);

/// Which heat stays where while elements are out. The one computation behind the ride-through of a design, behind what a failure does to its
/// cooling, and behind the hall that is emulated. Not shared between threads.
class KeptHeat {
public:
    /// Heat is read from `chain` at every call, so that it may follow what runs; both must outlive it.
    KeptHeat(const CoolingChain& chain, const FlowTraits& traits);

    struct Out {
        std::uint32_t unit = 0; ///< of the chain
        bool unpowered = false; ///< it has no power; else it failed, or starts again
    };
    /// `out`: units, each once; `shut`: links whose valve is shut; `cabinetHeat`: by taker, of what is not out.
    void settle(std::span<const Out> out, std::span<const LinkId> shut, std::span<const Milliwatts> cabinetHeat);

    [[nodiscard]] const std::vector<LoopNow>& loops() const { return m_loops; }
    [[nodiscard]] const std::vector<CabinetNow>& cabinets() const { return m_cabinets; }
    [[nodiscard]] const std::vector<Milliwatts>& missing() const { return m_missing; } ///< by loop of cabinets or air: not taken out
    /// What units carry of the coolant that flows, whether it is cooled or not, and which get nothing from the loop that they take from.
    [[nodiscard]] const std::vector<Survey::Carried>& units() const { return m_units; }
    [[nodiscard]] const std::vector<char>& dry() const { return m_dry; }
    /// Units through which no water flows on the side that they feed. A chiller without condenser water trips.
    [[nodiscard]] const std::vector<char>& still() const { return m_still; }
    [[nodiscard]] bool trips(std::size_t unit) const { return m_dry[unit] && m_chain.units[unit].element == CoolingElement::Chiller; }
    [[nodiscard]] const Survey& survey() const { return m_survey; }

private:
    void readStanding(const Survey::Answer& flow);
    void readFlow(const Survey::Answer& flow);
    void readCondensers(const Survey::Answer& flow);
    void readStill();
    void readLoop(std::uint32_t loop, Milliwatts missing, Milliwatts flowing);

    const CoolingChain& m_chain;
    const FlowTraits& m_traits;
    Survey m_survey;
    std::vector<LoopNow> m_loops;
    std::vector<CabinetNow> m_cabinets;
    std::vector<Milliwatts> m_missing;
    std::vector<Survey::Carried> m_units;
    std::vector<char> m_dry, m_out, m_still;          ///< by unit
    std::vector<std::vector<std::uint32_t>> m_takers; ///< by loop
};

} // namespace hw::cooling
