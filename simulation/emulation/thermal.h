// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/parallel.h"
#include "core/derived/impact/model.h"
#include "simulation/emulation/hall.h"

#include <functional>

namespace hw::emulation {

/// Heat of a design step by step: through the cooling chain while its units suffice, into coolant and air while they do not. Which loop keeps
/// how much is decided by core/derived/cooling's KeptHeat and HeatTransient, as for impact; here the heat of now goes in, and what was kept leaves
/// again.
///
/// Of every loop, in = out + what its store takes up, and of every taker and unit, heat = flow x rise x rho cp, exactly.
class Thermal {
public:
    explicit Thermal(const impact::Model& model);

    struct CooledState {  ///< by taker of the chain
        double heatW = 0; ///< of its devices
        double outW = 0;  ///< that its coolant takes along: more while it cools down again
        double lpm = 0, supplyC = 0, returnC = 0, storedJ = 0;
        bool stands = false;
    };
    struct Unit {         ///< by unit of the chain
        bool dry = false; ///< no water comes to it
        bool works = true;
        bool still = false;                                           ///< of facility water: none flows through it
        double share = 0;                                             ///< of the heat of the loop that it feeds
        double heatW = 0, lpm = 0, supplyC = 0, returnC = 0;          ///< of that loop (air: m³/s); of a header: what passes it
        double wantsW = 0;                                            ///< heat that it would take if enough water came to it
        double takesW = 0, takesLpm = 0, takesInC = 0, takesOutC = 0; ///< of the loop that it takes from
        double speed = 0;                                             ///< of its flow at design, 0 to 1
    };

    /// What failed or stalled from now on, and coolant links that are shut.
    void lose(std::span<const DeviceId> failed, std::span<const LinkId> shut);
    /// Of what is clogged, the share of its flow that is left.
    void clog(const std::function<double(DeviceId)>& left);
    /// A step that ends at `ms`. By device: its draw over its design draw, and whether it has power.
    void advance(std::int64_t ms, std::span<const double> share, std::span<const char> powered, std::vector<HallEvent>& happenings);

    [[nodiscard]] bool hot(DeviceId id) const { return m_hot[id.value] != 0; }
    [[nodiscard]] const CoolingChain& chain() const { return *m_plant.chain; }
    [[nodiscard]] const std::vector<Hall::Heat>& loops() const { return m_loops; }
    [[nodiscard]] const std::vector<CooledState>& takers() const { return m_takers; }
    [[nodiscard]] const std::vector<Unit>& units() const { return m_units; }
    /// What flows into a device: coolant, or the air of its room.
    [[nodiscard]] double inletC(DeviceId id) const;
    [[nodiscard]] bool isLiquid(DeviceId id) const { return m_plant.heated[id.value].taker >= 0; }

private:
    void readUnits(std::int64_t ms, std::span<const char> powered);
    void readHeat(std::span<const double> share);
    void settle();
    void keep(std::uint32_t loop, double seconds);
    void passOn(double seconds);
    void passLoop(std::uint32_t loop, double seconds);
    void readFlows(std::uint32_t loop);
    void passHeaders();
    [[nodiscard]] double passing(const cooling::ParallelHeaders& group) const;
    void markHot(std::int64_t ms, std::vector<HallEvent>& happenings);
    [[nodiscard]] double capacityW(std::uint32_t loop) const;
    [[nodiscard]] double movedOf(std::uint32_t loop, double flow) const;
    [[nodiscard]] double wantedOf(std::uint32_t loop) const;
    [[nodiscard]] double askedLpm(std::size_t unit) const;
    [[nodiscard]] bool isCondenser(std::int32_t loop) const { return loop >= 0 && m_plant.flow.condenser[std::size_t(loop)]; }
    void shareFlow(std::uint32_t loop);
    [[nodiscard]] double mostPassed(std::size_t unit) const;
    [[nodiscard]] double mayRiseK(std::size_t unit) const;
    [[nodiscard]] double riseOf(std::uint32_t loop) const;
    [[nodiscard]] double riseOf(const CoolingUnit& unit) const;
    [[nodiscard]] double mostJ(std::uint32_t loop) const { return double(m_plant.loops[loop].most) * 1e-6; }
    [[nodiscard]] double cabinetMostJ(std::size_t taker) const { return double(m_plant.cabinets[taker].most) * 1e-6; }

    const impact::Model& m_model;
    const impact::CoolantPlant& m_plant;
    CoolingChain m_chain; ///< with the heat of now
    cooling::KeptHeat m_kept;
    cooling::HeatTransient m_clock;
    std::vector<cooling::Survey::Carried> m_carried; ///< by unit, in the present state
    std::vector<double> m_rate, m_cabinetRate;       ///< W that loops and cabinets keep
    std::vector<Hall::Heat> m_loops;
    std::vector<CooledState> m_takers;
    std::vector<Unit> m_units;
    std::vector<double> m_takerLeft, m_unitLeft; ///< of the flow, where it is clogged
    std::vector<double> m_comes;                 ///< by loop: of what takes from it asks for, so much flows
    std::vector<char> m_failed, m_hot, m_noPower;
    std::vector<std::int64_t> m_readyMs; ///< by unit: it starts until then
    std::vector<LinkId> m_shut;
    std::vector<std::uint32_t> m_order;                          ///< loops, what gives heat before what takes it
    std::vector<std::vector<std::uint32_t>> m_sources, m_givers; ///< by loop: units that feed it; that take from it
    std::vector<cooling::ParallelHeaders> m_headers;
    std::int64_t m_now = 0;
};

} // namespace hw::emulation
