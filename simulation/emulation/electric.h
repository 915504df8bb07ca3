// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/model.h"
#include "simulation/emulation/hall.h"

namespace hw::emulation {

/// Power through a design step by step: the network of core/physics/power with the draws of now, and the batteries, generators, change-overs and
/// breakers of core/derived/impact's plant, which act as their time comes.
class Electric {
public:
    explicit Electric(const impact::Model& model);

    /// What is out from now on: elements, and single ways of power. `phases`: by device, to which all its cords are plugged; 0: as designed.
    void lose(std::span<const DeviceId> devices, std::span<const power::Network::Use> ways, std::span<const std::uint8_t> phases);
    /// Breakers that tripped are closed again.
    void close(std::optional<DeviceId> device);
    /// A step that ends at `ms`, with these draws by device.
    void advance(std::int64_t ms, std::span<const Milliwatts> draws, std::vector<HallEvent>& happenings);

    [[nodiscard]] const power::Network& network() const { return *m_network; }
    [[nodiscard]] const power::Flow& flow() const { return m_flow; }
    [[nodiscard]] bool live(DeviceId id) const { return m_flow.live[id.value] != 0; }
    /// Whether there is voltage: a set that stands still, and what only such sets feed, has none.
    [[nodiscard]] bool energized(DeviceId id) const { return m_energized[id.value] != 0; }
    [[nodiscard]] bool tripped(DeviceId id) const { return m_tripped[id.value] != 0; }
    [[nodiscard]] bool runs(DeviceId generator) const { return m_running[generator.value] != 0; }
    /// Of the battery of a UPS, 0 to 1; 1 where it has none.
    [[nodiscard]] double charge(DeviceId ups) const;

private:
    using Index = power::Index;
    void build(std::span<const Milliwatts> draws);
    [[nodiscard]] std::vector<Index> gone() const;
    [[nodiscard]] bool wantsMore(std::int64_t ms, std::span<const std::int64_t> wantedBefore);
    [[nodiscard]] std::uint32_t wayOf(Index element) const;
    void settle(std::int64_t ms);
    void drain(std::int64_t ms, std::vector<HallEvent>& happenings);
    void startGenerators(std::int64_t ms, std::vector<HallEvent>& happenings);
    void trip(std::int64_t ms, std::vector<HallEvent>& happenings);
    [[nodiscard]] std::string nameOf(Index i) const { return m_model.s->devices.name[DeviceId(i)]; }

    const impact::Model& m_model;
    const impact::Plant& m_plant;
    std::vector<power::Element> m_elements;
    std::vector<std::vector<power::Feed>> m_feeds, m_feedsNow; ///< those cut lead to an element that is never there
    std::vector<Milliwatts> m_design;
    std::unique_ptr<power::Network> m_network;
    power::Flow m_flow;
    std::int64_t m_now = 0;
    void energize();
    std::vector<char> m_energized; ///< by element
    std::vector<char> m_lost, m_tripped, m_running, m_empty, m_onBattery;
    std::vector<std::int64_t> m_wanted, m_idle, m_moving; ///< by device: since, since, until; -1: not
    std::vector<double> m_over;                           ///< by device: overloaded, the share of its breaker's time that is used up
    std::vector<std::int64_t> m_energy;                   ///< by battery
    std::vector<std::uint32_t> m_way;                     ///< of what changes over with a gap: the way it uses
};

} // namespace hw::emulation
