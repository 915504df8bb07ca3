// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_label.h"
#include "core/derived/topology/nic_ports.h"
#include "core/operations/asbuilt/compare.h"

namespace hw::asbuilt {

/// What a difference means on the floor: how far a plug has to go, what it crosses, what to do, how to say it.
class RepairPlanner {
public:
    explicit RepairPlanner(const Figures& figures);

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

private:
    struct Lane {
        int rail = -1, plane = -1; ///< from 0, -1 = none
    };
    [[nodiscard]] bool isOnePlug(PortId a, PortId b) const; ///< sub-ports that one plug of a breakout serves
    [[nodiscard]] Lane laneOf(const SeenEnd& end, NetworkId network) const;
    [[nodiscard]] std::string nameOf(PortId port) const;
    [[nodiscard]] std::string nameOf(const SeenEnd& end) const;
    [[nodiscard]] std::string nameOf(LinkId link) const;
    [[nodiscard]] std::string label(LinkId link, PortId near, PortId far) const;
    [[nodiscard]] WorkStep stepAt(WorkStep::Do what, LinkId link, PortId near, PortId far) const;
    /// The plug of `seen` that is in the wrong place, and where it belongs.
    struct Plug {
        const SeenEnd *wrong = nullptr, *right = nullptr;
        PortId belongs{}, shared{};
    };
    [[nodiscard]] std::optional<Plug> wrongPlug(LinkId planned, const SeenLink& seen) const;
    [[nodiscard]] Text said(const Difference& difference) const;
    [[nodiscard]] Text movedText(const Difference& difference) const;

    const Figures& m_f;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    CableLabels m_labels;
    mutable NicPorts m_nics;
};

} // namespace hw::asbuilt
