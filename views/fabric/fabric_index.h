// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/design_index.h"

#include <memory>
#include <span>
#include <vector>

namespace hw::views {

/// What a group of devices is called, whatever revision of the design it is looked up in: coordinates and,
/// below the groups, the ids of its first and last device. Columns have no tier and all lanes.
struct FabricKey {
    static constexpr std::uint32_t kNoId = 0xFFFFFFFFu;
    static constexpr int kAllLanes = -2;
    std::uint32_t tier = kNoId;
    int podFrom = -1, podTo = -1, segmentFrom = -1, segmentTo = -1; ///< from 0; -1 = has none
    int lane = kAllLanes;
    std::uint32_t firstDevice = kNoId, lastDevice = kNoId;
    friend auto operator<=>(const FabricKey&, const FabricKey&) = default;
};

/// One network of a design, its devices sorted so that every group of them is a run: what the fabric
/// drawing, the matrix and their numbers are counted from. Immutable; made on any thread; no Qt.
///
/// Devices stand in columns (pod > segment; long lists are cut into ranges), in rows (a tier above all that
/// it links down to, see core/derived/figures/link_sides.h), and within a column and tier in lanes: planes, or else rails.
class FabricIndex {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    static constexpr std::size_t kReadable = 48; ///< longer lists are cut into ranges
    static constexpr int kRange = 16;            ///< members of one range

    enum class ColumnKind : std::uint8_t { Root, Pods, Pod, Segments, Segment }; ///< plural: a range of them
    struct Column {
        ColumnKind kind = ColumnKind::Root;
        int parent = -1, depth = 0;
        int podFrom = -1, podTo = -1, segmentFrom = -1, segmentTo = -1;
        std::vector<int> children;
        int order = 0, orderEnd = 0; ///< its subtree in depth-first order: [order, orderEnd)
    };
    struct Layer {
        TierId tier;
        int row = 0;
        bool attached = false; /* no switches of this network */
        std::uint32_t first = 0, last = 0;
    }; ///< members [first, last)
    struct Group {
        int layer = 0, column = 0, lane = -1;
        std::uint32_t first = 0, last = 0;
    }; ///< members [first, last)
    struct Link {
        std::uint32_t a = 0, b = 0;
        LinkId id;
        bool backup = false, flipped = false;
        std::int8_t lower = 0;
        std::int32_t gbps = 0;
    }; ///< members; flipped: from() is b; lower: 1 = a, -1 = b, 0 = peers
    struct Pair {
        std::uint32_t a = 0, b = 0, first = 0, last = 0;
        std::int64_t backup = 0, gbps = 0;
    }; ///< groups, row(a) <= row(b); links [first, last)
    struct PortClass {
        PortRole role = PortRole::Down;
        Gbps rate;
        friend auto operator<=>(const PortClass&, const PortClass&) = default;
    };
    struct PortUse {
        std::int64_t total = 0, used = 0;
    };
    struct Run {
        std::uint32_t first = 0, last = 0;
    };
    struct Between {
        int low = 0, high = 0;
        std::int32_t gbps = 0;
        std::int64_t links = 0;
    }; ///< links of one rate between two rows
    /// A part of one layer: a column's subtree with one lane or all, or a run of members of one group.
    struct Part {
        int layer = 0, column = 0, lane = FabricKey::kAllLanes;
        std::uint32_t first = kNone, last = kNone;
    };
    /// Numbers of any set of devices. Capacity in Gb/s of cabled links of active hosts; backup hosts apart.
    struct Sums {
        std::int64_t devices = 0, backup = 0;
        std::int64_t upGbps = 0, downGbps = 0, backupGbps = 0, peerGbps = 0;
        std::vector<PortUse> ports;                                                                              ///< by port class
        [[nodiscard]] double oversubscription() const { return upGbps ? double(downGbps) / double(upGbps) : 0; } ///< 0 = nothing above
    };

    /// `plugged`: what is plugged where in that snapshot; made where it is not given.
    [[nodiscard]] static std::shared_ptr<const FabricIndex> make(SnapshotPtr snapshot, NetworkId network,
                                                                 std::shared_ptr<const DesignIndex> plugged = nullptr);

    [[nodiscard]] const Snapshot& snapshot() const { return *m_snapshot; }
    [[nodiscard]] NetworkId network() const { return m_network; }
    [[nodiscard]] int rows() const { return m_rows; }
    [[nodiscard]] int lanes() const { return m_lanes; } ///< 1: not told apart
    [[nodiscard]] bool lanesArePlanes() const { return m_lanesArePlanes; }
    [[nodiscard]] const std::vector<Layer>& layers() const { return m_layers; }    ///< from the bottom
    [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; } ///< 0 is the root
    [[nodiscard]] const std::vector<Group>& groups() const { return m_groups; }
    [[nodiscard]] const std::vector<Pair>& pairs() const { return m_pairs; }
    [[nodiscard]] const std::vector<Link>& links() const { return m_links; }
    [[nodiscard]] const std::vector<Between>& between() const { return m_between; } ///< by rows, then rate
    [[nodiscard]] const std::vector<PortClass>& portClasses() const { return m_classes; }
    [[nodiscard]] std::uint32_t members() const { return std::uint32_t(m_devices.size()); }
    [[nodiscard]] DeviceId device(std::uint32_t member) const { return m_devices[member]; }
    [[nodiscard]] std::uint32_t memberOf(DeviceId device) const { return device.value < m_memberOf.size() ? m_memberOf[device.value] : kNone; }
    [[nodiscard]] std::uint32_t groupOf(std::uint32_t member) const { return m_groupOf[member]; }
    /// The link of this network in a port.
    [[nodiscard]] Maybe<LinkId> linkOfPort(PortId port) const
    {
        const auto link = m_plugged->linkOf(port);
        return link && m_snapshot->ports.network[m_snapshot->links.from[*link]] == m_network ? link : Maybe<LinkId>();
    }

    /// Its members as runs, in order.
    [[nodiscard]] std::vector<Run> runs(const Part& part) const;
    /// What it is cut into; a single child is skipped in favor of its children. Empty for a device.
    [[nodiscard]] std::vector<Part> children(const Part& part) const;
    [[nodiscard]] Sums sums(std::span<const Run> runs) const;
    [[nodiscard]] FabricKey key(const Part& part) const;
    [[nodiscard]] FabricKey columnKey(int column) const;
    [[nodiscard]] bool inside(int column, int ancestor) const
    {
        return m_columns[std::size_t(column)].order >= m_columns[std::size_t(ancestor)].order &&
               m_columns[std::size_t(column)].order < m_columns[std::size_t(ancestor)].orderEnd;
    }
    /// A long run of devices cut into ranges, a short one into devices.
    [[nodiscard]] std::vector<Run> cut(Run run) const;
    /// Ports of one device in this network, in the order of ids.
    [[nodiscard]] std::vector<PortId> portsOf(DeviceId device) const;

private:
    friend class FabricIndexBuilder;
    SnapshotPtr m_snapshot;
    std::shared_ptr<const DesignIndex> m_plugged;
    NetworkId m_network;
    int m_rows = 0, m_lanes = 1;
    bool m_lanesArePlanes = true;
    std::vector<Layer> m_layers;
    std::vector<Column> m_columns;
    std::vector<Group> m_groups; ///< by layer, then column order, then lane
    std::vector<Pair> m_pairs;
    std::vector<Link> m_links; ///< by pair
    std::vector<PortClass> m_classes;
    std::vector<Between> m_between;
    std::vector<DeviceId> m_devices;
    std::vector<std::uint32_t> m_memberOf, m_groupOf;
    std::vector<std::vector<std::uint32_t>> m_portsTo, m_usedTo; ///< by class: sums over the members before
    std::vector<std::uint32_t> m_backupTo;
    std::vector<std::int64_t> m_upTo, m_downTo, m_backupGbpsTo, m_peerTo;
};

using FabricIndexPtr = std::shared_ptr<const FabricIndex>;

} // namespace hw::views
