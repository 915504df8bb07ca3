// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/supply.h"
#include "core/derived/topology/cable_runs.h"
#include "core/derived/topology/card_links.h"

/// What fails at once with one thing because it runs through it or over it. What stands in a place is in core/derived/topology/holding.h. What
/// follows is worked out over the chains of power (core/physics/power) and coolant (core/derived/cooling); core/derived/impact puts all of it
/// together.
namespace hw {

/// Data links by the trays that their cables run through, and by the patch panels that they go over.
class FailureDomains {
public:
    [[nodiscard]] static std::shared_ptr<const FailureDomains> compute(const Snapshot& snapshot, const Routing& routing);
    /// The same after things moved: the routes share their pairs with those that `before` was made from.
    [[nodiscard]] static std::shared_ptr<const FailureDomains> moved(const FailureDomains& before, const Snapshot& after, const Routing& routing);

    /// Links with one way run through the same trays. `Routing::kNoPair`: through none.
    [[nodiscard]] std::uint32_t wayOf(LinkId link) const { return m_ways->ofLink[link.value]; }
    /// Of a link all of its cables, ascending.
    [[nodiscard]] std::span<const TrayId> traysOf(std::uint32_t way) const;
    [[nodiscard]] std::span<const TrayId> traysOf(LinkId link) const { return traysOf(wayOf(link)); }
    /// Ascending.
    [[nodiscard]] std::vector<LinkId> linksThrough(TrayId tray) const;
    /// Ascending; several times where a link comes back to one panel.
    [[nodiscard]] std::vector<DeviceId> panelsOf(const Snapshot& snapshot, LinkId link) const;
    [[nodiscard]] std::vector<LinkId> linksOver(const Snapshot& snapshot, DeviceId panel) const;
    friend bool operator==(const FailureDomains& a, const FailureDomains& b);

private:
    /// Which cables go together: stays while things only move.
    struct Ways {
        std::vector<std::uint32_t> ofLink;                ///< by link id
        std::vector<std::vector<std::uint32_t>> together; ///< pairs of racks of a link over panels: way number pairs + i
        std::vector<std::uint32_t> first;                 ///< links of way w stand at [first[w], first[w + 1])
        std::vector<LinkId> links;
        CableRuns runs;
        friend bool operator==(const Ways&, const Ways&) = default;
    };
    [[nodiscard]] static std::shared_ptr<const Ways> waysOf(const Snapshot& snapshot, const Routing& routing);
    void lay(const Snapshot& snapshot, const Routing& routing);

    std::shared_ptr<const Ways> m_ways;
    std::vector<std::uint32_t> m_firstTray; ///< trays of a way
    std::vector<TrayId> m_trays;
    std::vector<std::uint32_t> m_firstWay; ///< ways of a tray
    std::vector<std::uint32_t> m_waysThrough;
};

struct FailureDomainsNode {
    using Value = FailureDomains;
    static constexpr TextId kName = TextId("failure domains");
    using Inputs = Reads<Nodes<RoutingNode>, Alive<Links, Cables, Devices, Trays>, Whole<Runs>>;
    static std::shared_ptr<const Value> compute(const Now<FailureDomainsNode>&);
    static std::shared_ptr<const Value> update(const Was<FailureDomainsNode>&, const Now<FailureDomainsNode>&, const ChangeSet&);
};

/// Feeders and pipes by the trays and ducts that they run through.
struct FeederDomains {
    std::vector<std::pair<TrayId, LinkId>> throughTray; ///< ascending, each once
    [[nodiscard]] std::vector<LinkId> linksThrough(TrayId tray) const;
    friend bool operator==(const FeederDomains&, const FeederDomains&) = default;
};

struct FeederDomainsNode {
    using Value = FeederDomains;
    static constexpr TextId kName = TextId("feeder failure domains");
    using Inputs = Reads<Nodes<SupplyNode>>;
    static std::shared_ptr<const Value> compute(const Now<FeederDomainsNode>&);
};

/// Links of every medium through a tray.
[[nodiscard]] std::vector<LinkId> linksThrough(const FailureDomains& data, const FeederDomains& feeders, TrayId tray);

/// Network cards by the switches that they depend on.
struct NicLinksNode {
    using Value = std::vector<CardLink>;
    static constexpr TextId kName = TextId("NIC links");
    using Inputs = Reads<Nodes<PartsNode>, Alive<Links, Ports, Cages, Devices, Tiers, Networks>,
                         Columns<&Links::from, &Links::to, &Ports::device, &Ports::medium, &Ports::network, &Ports::cage, &Cages::number,
                                 &Devices::type, &Devices::tier, &Tiers::kind, &Networks::kind>>;
    static std::shared_ptr<const Value> compute(const Now<NicLinksNode>&);
};

} // namespace hw
