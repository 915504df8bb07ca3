// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/supply.h"

namespace hw {

/// Worst-case load and losses of the conductors that feed devices. Lives as long as the figures.
class FeederLoads {
public:
    /// `lost`: elements out of service; what the others then carry is both the normal and the worst case.
    FeederLoads(const Figures& figures, PowerBasis basis, std::span<const DeviceId> lost = {});

    /// Ways of a device that are left when the supplier side with most of them is lost; all of them where that leaves none.
    [[nodiscard]] std::size_t waysLeft(DeviceId id) const;
    /// What a way carries in normal operation.
    [[nodiscard]] Milliwatts normal(DeviceId id, std::size_t way) const;
    /// What it carries at worst: all that its consumer takes then, shared over ways that work together, and no more than its supplier gives.
    [[nodiscard]] Milliwatts worst(DeviceId id, std::size_t way) const;
    [[nodiscard]] const SupplyLine* line(DeviceId id, std::size_t way) const; ///< null: a cord within a rack
    /// Share of the voltage that the line of a way loses at worst; 0 where it has none, or its cable is not known.
    [[nodiscard]] double drop(DeviceId id, std::size_t way) const;
    /// The same along a busway, to its far end, at its worst load.
    [[nodiscard]] double alongBusway(DeviceId id) const;
    /// Equipment that gives its own voltage: drops count from there on.
    [[nodiscard]] bool givesVoltage(DeviceId id) const;
    /// Of the design as it is, or without what is lost.
    [[nodiscard]] const power::Flow& flow() const { return m_without ? *m_without : chain.flow; }

    const Figures& figures;
    const Snapshot& s;
    const PowerFeeds& feeds;
    const PowerChain& chain;
    const double powerFactor, celsius;

private:
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const;
    [[nodiscard]] bool isPower(DeviceId id) const { return s.tiers.kind[s.devices.tier[id]] == TierKind::Power; }
    [[nodiscard]] bool live(DeviceId id) const { return flow().live[id.value] != 0; }
    [[nodiscard]] Milliwatts most(DeviceId id) const; ///< through it
    PowerBasis m_basis;
    std::optional<power::Flow> m_without;
};

/// One feeder, whip or bus duct.
struct Feeder {
    LinkId link;
    DeviceId supplier, consumer;
    char side = 0;
    SupplySize size;
    double meters = 0;            ///< bought, of one run
    double loadW = 0, worstW = 0; ///< normal; with one other element lost
    double worstAmps = 0;         ///< all runs
    double lossW = 0;             ///< normal
    double dropShare = 0;         ///< of this line, at worst
    double alongShare = 0;        ///< of the busway that it feeds, to its far end
    double regulatedShare = 0;    ///< from the last transformer or UPS to the end of this line
    double pathShare = 0;         ///< from the last transformer, UPS on bypass
    bool known = false;           ///< its conductor has a resistance
    friend bool operator==(const Feeder&, const Feeder&) = default;
};

/// Bolted three-phase short circuit at the terminals of what distributes power.
struct FaultLevel {
    DeviceId at;
    double volts = 0;                  ///< between phases
    double gridAmps = 0, gridPeak = 0; ///< from the utilities, UPS on bypass; 0: none reaches it
    double setsAmps = 0;               ///< from generators, utilities off; 0: none reaches it
    [[nodiscard]] double most() const { return gridAmps > setsAmps ? gridAmps : setsAmps; }
    friend bool operator==(const FaultLevel&, const FaultLevel&) = default;
};

/// Real and reactive power at a utility feed in normal operation.
struct UtilityLoad {
    DeviceId at;
    double watts = 0, vars = 0;
    [[nodiscard]] double factor() const;
    friend bool operator==(const UtilityLoad&, const UtilityLoad&) = default;
};

/// By consumer, then way; alternating current and what rectifiers feed.
[[nodiscard]] std::vector<Feeder> feedersOf(const FeederLoads& loads);
/// Of live switchgear, switchboards, static switches, busways and rack PDUs; by device.
[[nodiscard]] std::vector<FaultLevel> faultLevelsOf(const Figures& figures);
/// Of live utilities that give power, by device. Reactive power: loads at "site.power_factor", UPS at "power.ups_input_factor", transformers and
/// lines by their reactance.
[[nodiscard]] std::vector<UtilityLoad> utilityLoadsOf(const FeederLoads& loads);

} // namespace hw
