// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/plan/plan.h"

#include <map>
#include <unordered_map>

namespace hw::monitoring {

/// Reads off a design what is planned for each of its points. Used by `Plans::of` only.
class Planner {
public:
    Planner(const Figures& figures, const bindings::Bound& bound);
    [[nodiscard]] Plans make();

private:
    void ofDevice(const bindings::Point& point, Plan& plan);
    void ofPower(const bindings::Point& point, DeviceId id, TierKind kind, Plan& plan);
    void ofUnit(const bindings::Point& point, DeviceId id, Plan& plan);
    void ofTaker(const bindings::Point& point, const CooledLoad& taker, Plan& plan);
    void ofRack(const bindings::Point& point, Plan& plan);
    void ofPort(const bindings::Point& point, PortId port, Plan& plan);
    void ofLink(const bindings::Point& point, LinkId link, Plan& plan);
    [[nodiscard]] bool starts(DeviceId id) const;
    void ofState(DeviceId id, TierKind kind, Plan& plan) const;
    void air(Plan& plan) const;
    [[nodiscard]] float plannedImbalance(EntityRef feed) const;
    void findUses(EntityRef feed, PhaseGroup& group) const;
    void groupPhases(Plans& plans) const;
    void stackPhases(Plans& plans) const;
    void groupFlows(Plans& plans) const;
    void findWorking(Plans& plans) const;
    void weigh(Plans& plans) const;
    [[nodiscard]] double ratingW(const DeviceSpec& spec) const;
    [[nodiscard]] double amperesPerWatt(const DeviceSpec& spec, bool onePhase) const;
    [[nodiscard]] double phaseW(DeviceId id, int phase) const;
    [[nodiscard]] Maybe<DeviceId> stripOf(RackId rack, char side) const;
    [[nodiscard]] Maybe<PortId> portNamed(DeviceId device, const std::string& name);
    [[nodiscard]] static bool isOfLink(bindings::Measure measure);

    const Figures& f;
    const Snapshot& s;
    const ProjectParts& parts;
    PowerBasis basis;
    const PowerChain& chain;
    const PowerFeeds& feeds;
    const CoolingChain& cooling;
    const DesignIndex& index;
    const bindings::Bound& b;
    std::vector<std::int32_t> m_takerOfRack;
    std::unordered_map<std::uint32_t, std::map<std::string, PortId>> m_ports; ///< by device, of those asked for
};

} // namespace hw::monitoring
