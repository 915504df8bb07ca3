// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_index.h"
#include "core/derived/cabling/cable_totals.h"
#include "core/derived/cabling/cabling.h"
#include "core/derived/cabling/uncabled.h"
#include "core/derived/figures/fabric.h"
#include "core/derived/figures/node.h"
#include "core/derived/figures/power.h"
#include "core/derived/figures/power_chain.h"
#include "core/derived/figures/rack_kind.h"
#include "core/derived/topology/design_index.h"
#include "core/derived/topology/medium_graph.h"

/// The derived parts of a design. Others are where their values are: the bill of materials in core/output/exchange, findings in core/derived/rules.
namespace hw {

/// Which links join which ports, and on which cables.
using Wiring =
    Group<Alive<Links, Cables, Ports, Devices>, Whole<Runs>, Columns<&Links::from, &Links::to, &Links::cable, &Ports::device, &Cables::medium>>;
/// Trays, what they depend on, what they are for and what they hold.
using TrayPlaces = Group<Alive<Trays, Rows, Halls, Racks>,
                         Columns<&Trays::row, &Trays::hall, &Trays::plane, &Trays::carries, &Trays::side, &Trays::kind, &Trays::type, &Trays::count,
                                 &Rows::hall, &Halls::building, &Racks::row>,
                         SettingKeys<"rule.k1.full_percent">>;
/// What stands where: devices in racks, racks in rows, rows in halls, halls in buildings.
using Places = Group<Alive<Devices, Racks, Rows, Halls, Buildings>,
                     Columns<&Devices::rack, &Devices::row, &Devices::hall, &Racks::row, &Rows::hall, &Halls::building>>;

/// Part types as specifications. `Figures` are given it; it is made again with the table.
struct PartsNode {
    using Value = ProjectParts;
    static constexpr TextId kName = TextId("parts");
    using Inputs = Reads<Nodes<>, Whole<PartTypes>>;
    static std::shared_ptr<const Value> compute(const Now<PartsNode>&);
    /// They are read from the table and not updated: as many parts are the same parts.
    [[nodiscard]] static bool same(const Value& a, const Value& b) { return a.size() == b.size(); }
};

struct PlacementNode {
    using Value = Placement;
    static constexpr TextId kName = TextId("placement");
    using Inputs = Reads<
        Nodes<PartsNode>, Alive<Buildings, Halls, Rows, Racks, Trays, Structures>,
        Columns<&Buildings::x, &Buildings::y, &Buildings::sizeX, &Buildings::sizeY, &Buildings::sizeZ, &Halls::building, &Halls::x, &Halls::y,
                &Halls::sizeX, &Halls::sizeY, &Halls::sizeZ, &Rows::hall, &Rows::x, &Rows::y, &Rows::angle, &Racks::row, &Racks::type, &Racks::along,
                &Racks::across, &Trays::row, &Trays::hall, &Trays::x1, &Trays::y1, &Trays::z1, &Trays::x2, &Trays::y2, &Trays::z2, &Structures::hall,
                &Structures::x1, &Structures::y1, &Structures::x2, &Structures::y2, &Structures::width, &Structures::height>>;
    static std::shared_ptr<const Value> compute(const Now<PlacementNode>&);
    static std::shared_ptr<const Value> update(const Was<PlacementNode>&, const Now<PlacementNode>&, const ChangeSet&);
};

struct RoutingNode {
    using Value = Routing;
    static constexpr TextId kName = TextId("routing");
    /// Which racks, and which devices that stand in none, are to be joined.
    using Pairs = Group<Wiring, Whole<Waypoints>, Columns<&Devices::rack, &Devices::row, &Devices::hall, &Devices::plane>>;
    using Stands = Columns<&Devices::x, &Devices::y, &Devices::z, &Devices::angle, &Devices::type>;
    using Inputs = Reads<Nodes<PartsNode, PlacementNode>, Pairs, Stands, TrayPlaces>;
    static std::shared_ptr<const Value> compute(const Now<RoutingNode>&);
    static std::shared_ptr<const Value> update(const Was<RoutingNode>&, const Now<RoutingNode>&, const ChangeSet&);
};

/// Which cables run between which racks, and what assembly each needs: stays while things only move.
struct CableIndexNode {
    using Value = CableIndex;
    static constexpr TextId kName = TextId("cable index");
    using Inputs = Reads<Nodes<PartsNode, RoutingNode>, Wiring, Alive<Cages>,
                         Columns<&Devices::type, &Devices::rack, &Devices::u, &Ports::cage, &Ports::rate, &Ports::lane, &Cages::device,
                                 &Cages::number, &Cages::split, &Cages::module, &Cables::type>,
                         SettingKeys<HW_LOSS_SETTINGS>>;
    static std::shared_ptr<const Value> compute(const Now<CableIndexNode>&);
    static std::shared_ptr<const Value> update(const Was<CableIndexNode>&, const Now<CableIndexNode>&, const ChangeSet&);
};

struct CablingNode {
    using Value = Cabling;
    static constexpr TextId kName = TextId("cabling");
    using Inputs = Reads<Nodes<PartsNode, RoutingNode, CableIndexNode>, Alive<Cables>, Whole<Runs>,
                         Columns<&Cables::medium, &Cables::type, &Cables::length, &Links::cable>,
                         SettingKeys<"cabling.slack_percent", "cabling.service_loop_mm">>;
    static std::shared_ptr<const Value> compute(const Now<CablingNode>&);
    static std::shared_ptr<const Value> update(const Was<CablingNode>&, const Now<CablingNode>&, const ChangeSet&);
};

struct PowerNode {
    using Value = PowerFigures;
    static constexpr TextId kName = TextId("power");
    using Inputs = Reads<Nodes<PartsNode, CablingNode>, Places, Alive<Cables, Tiers>, Columns<&Devices::type, &Devices::tier, &Tiers::kind>>;
    static std::shared_ptr<const Value> compute(const Now<PowerNode>&);
    static std::shared_ptr<const Value> update(const Was<PowerNode>&, const Now<PowerNode>&, const ChangeSet&);
};

struct FabricNode {
    using Value = FabricFigures;
    static constexpr TextId kName = TextId("fabric");
    using Inputs = Reads<Nodes<PartsNode>, Alive<Networks, Tiers, Devices, Ports, Links>,
                         Columns<&Networks::planes, &Networks::rails, &Networks::kind, &Tiers::network, &Tiers::level, &Tiers::kind, &Devices::tier,
                                 &Devices::pod, &Devices::segment, &Ports::device, &Ports::medium, &Ports::network, &Ports::rate, &Ports::role,
                                 &Links::from, &Links::to, &Links::role>>;
    static std::shared_ptr<const Value> compute(const Now<FabricNode>&);
};

/// What stands in what, and what is plugged where.
struct IndexNode {
    using Value = DesignIndex;
    static constexpr TextId kName = TextId("index");
    using Inputs =
        Reads<Nodes<>, Alive<Rows, Racks, Devices, Ports, Links>, Columns<&Racks::row, &Devices::rack, &Ports::device, &Links::from, &Links::to>>;
    static std::shared_ptr<const Value> compute(const Now<IndexNode>&);
};

/// Devices joined by power links, or by coolant.
template <Medium medium>
struct MediumNode {
    using Value = MediumGraph;
    static constexpr TextId kName = medium == Medium::Power     ? TextId("power graph")
                                    : medium == Medium::Coolant ? TextId("coolant graph")
                                                                : TextId("data graph");
    using Inputs = Reads<Nodes<>, Alive<Devices, Ports, Links>, Columns<&Ports::device, &Ports::medium, &Links::from, &Links::to>>;
    static std::shared_ptr<const Value> compute(const Now<MediumNode>& now) { return MediumGraph::compute(now.snapshot(), medium); }
};

/// What every rack is for: one answer for every drawing.
struct RackKindsNode {
    using Value = RackKinds;
    static constexpr TextId kName = TextId("rack types");
    using Inputs = Reads<Nodes<>, Alive<Devices, Racks, Networks, Tiers>,
                         Columns<&Devices::rack, &Devices::row, &Devices::hall, &Devices::tier, &Devices::role, &Tiers::kind, &Tiers::network,
                                 &Tiers::level, &Networks::kind>>;
    static std::shared_ptr<const Value> compute(const Now<RackKindsNode>&);
};

/// Data links that nothing can be bought for.
struct UncabledNode {
    using Value = std::vector<Uncabled>;
    static constexpr TextId kName = TextId("uncabled links");
    using Inputs = Reads<Nodes<CablingNode>, Alive<Links, Cables>,
                         Columns<&Links::from, &Links::cable, &Links::rule, &Ports::medium, &Cables::medium, &Cables::length>>;
    static std::shared_ptr<const Value> compute(const Now<UncabledNode>&);
};

/// Every device's ways of power.
struct PowerFeedsNode {
    using Value = PowerFeeds;
    static constexpr TextId kName = TextId("power feeds");
    using Inputs =
        Reads<Nodes<PartsNode, MediumNode<Medium::Power>>, Alive<Devices, Racks, Tiers>,
              Columns<&Devices::rack, &Devices::tier, &Devices::type, &Devices::side, &Tiers::kind, &Links::phase, &Racks::row, &Rows::hall>>;
    static std::shared_ptr<const Value> compute(const Now<PowerFeedsNode>& now)
    {
        return PowerFeeds::compute(now.snapshot(), now.get<PartsNode>(), now.get<MediumNode<Medium::Power>>());
    }
};

/// How power flows through the chain.
template <PowerBasis basis>
struct PowerChainNode {
    using Value = PowerChain;
    static constexpr TextId kName = basis == PowerBasis::Typical  ? TextId("power chain (typical)")
                                    : basis == PowerBasis::Design ? TextId("power chain (design)")
                                                                  : TextId("power chain (nameplate)");
    using Inputs = Reads<Nodes<PartsNode, PowerNode, PowerFeedsNode>, Alive<Devices, Tiers>, Columns<&Devices::tier, &Devices::type, &Tiers::kind>,
                         SettingKeys<"site.power_factor">>;
    static std::shared_ptr<const Value> compute(const Now<PowerChainNode>& now)
    {
        return PowerChain::compute(now.snapshot(), now.template get<PartsNode>(), now.template get<PowerFeedsNode>(), now.template get<PowerNode>(),
                                   basis);
    }
};

/// What the chain carries at worst.
template <PowerBasis basis>
struct PowerWorstNode {
    using Value = PowerWorst;
    static constexpr TextId kName = basis == PowerBasis::Typical  ? TextId("worst-case power (typical)")
                                    : basis == PowerBasis::Design ? TextId("worst-case power (design)")
                                                                  : TextId("worst-case power (nameplate)");
    using Inputs = Reads<Nodes<PowerChainNode<basis>>, Alive<Devices, Tiers>, Columns<&Devices::tier, &Tiers::kind>>;
    static std::shared_ptr<const Value> compute(const Now<PowerWorstNode>& now)
    {
        return powerWorst(now.snapshot(), now.template get<PowerChainNode<basis>>());
    }
};

/// Cables and transceivers altogether.
struct CableTotalsNode {
    using Value = CableTotals;
    static constexpr TextId kName = TextId("cable totals");
    using Inputs = Reads<Nodes<PartsNode, CablingNode>>;
    static std::shared_ptr<const Value> compute(const Now<CableTotalsNode>&);
};

/// What a window shows all the time.
using MainNodes = Nodes<PlacementNode, RoutingNode, CablingNode, PowerNode, FabricNode>;
/// All of these, for the test that holds every node against its full recompute.
using DeriveNodes =
    Nodes<PartsNode, PlacementNode, RoutingNode, CableIndexNode, CablingNode, PowerNode, FabricNode, IndexNode, MediumNode<Medium::Data>,
          MediumNode<Medium::Power>, MediumNode<Medium::Coolant>, RackKindsNode, UncabledNode, PowerFeedsNode, PowerChainNode<PowerBasis::Typical>,
          PowerChainNode<PowerBasis::Design>, PowerChainNode<PowerBasis::Nameplate>, PowerWorstNode<PowerBasis::Typical>,
          PowerWorstNode<PowerBasis::Design>, PowerWorstNode<PowerBasis::Nameplate>, CableTotalsNode>;

} // namespace hw
