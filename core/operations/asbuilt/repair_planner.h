// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_label.h"
#include "core/derived/topology/nic_ports.h"
#include "core/operations/asbuilt/compare.h"

#include <map>
#include <set>

namespace hw::asbuilt {

/// What a difference means on the floor: how far a plug has to go, what it crosses, what to do, how to say it.
class RepairPlanner {
public:
    explicit RepairPlanner(const Figures& figures);

    /// Connectors of several links of which one at least is where it belongs: they stay, whatever their other links do.
    void keep(std::set<CageId> plugs) { m_kept = std::move(plugs); }
    /// Connectors of several links that are all in one wrong socket: where they belong, and where they are.
    void move(std::map<CageId, CageId> plugs) { m_moved = std::move(plugs); }
    /// Whether several links of one cable leave through the connector of a port.
    [[nodiscard]] bool isShared(PortId port) const;

    [[nodiscard]] Maybe<PortId> plannedPeer(PortId port) const;
    /// Between the wrong and the right place of the plug that `seen` and `planned` do not share: 0 the same socket … 5 another hall or unknown.
    [[nodiscard]] int distance(LinkId planned, const SeenLink& seen) const;
    /// Whether a cable joins two rails, or else two planes. A host's port is of the rail and plane of the switch that it is planned to; of a
    /// port without a plan the name of its card says it.
    [[nodiscard]] std::optional<Kind> crossing(const SeenLink& seen) const;
    /// Fills in what to do.
    void work(Difference& difference) const;
    /// Fills in id and message.
    void describe(Difference& difference) const;
    void mergeSteps(Difference& difference) const; ///< what links that share a connector ask of it once each

private:
    struct Lane {
        int rail = -1, plane = -1; ///< from 0, -1 = none
    };
    /// The plug of `seen` that is in the wrong place, and where it belongs.
    struct Plug {
        const SeenEnd *wrong = nullptr, *right = nullptr;
        PortId belongs{}, shared{};
    };
    [[nodiscard]] bool stays(const Plug& plug) const;
    [[nodiscard]] bool isOnePlug(PortId a, PortId b) const; ///< sub-ports that one plug of a breakout serves
    [[nodiscard]] Lane laneOf(const SeenEnd& end, NetworkId network) const;
    [[nodiscard]] std::string nameOf(PortId port) const;
    [[nodiscard]] std::string nameOf(const SeenEnd& end) const;
    [[nodiscard]] std::string nameOf(LinkId link) const;
    [[nodiscard]] std::string label(LinkId link, PortId near, PortId far) const;
    [[nodiscard]] WorkStep stepAt(WorkStep::Do what, LinkId link, PortId near, PortId far) const;
    [[nodiscard]] std::optional<Plug> wrongPlug(LinkId planned, const SeenLink& seen) const;
    [[nodiscard]] Text said(const Difference& difference) const;
    [[nodiscard]] Text movedText(const Difference& difference) const;

    const Figures& m_f;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    CableLabels m_labels;
    mutable NicPorts m_nics;
    std::set<CageId> m_kept;
    std::map<CageId, CageId> m_moved;
};

} // namespace hw::asbuilt
