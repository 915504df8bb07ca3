// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/result.h"
#include "views/fabric/fabric_index.h"

#include <set>

namespace hw::views {

inline constexpr std::size_t kMostPicked = 1024; ///< entities; beyond it the whole tier is picked

/// What of a network is unfolded: columns (pods, segments) into what stands in them, groups into their
/// switches or hosts, devices into their ports. Keys that a design does not have are harmless.
struct FabricOpen {
    std::set<FabricKey> keys;
    [[nodiscard]] bool has(const FabricKey& key) const { return keys.contains(key); }
    friend bool operator==(const FabricOpen&, const FabricOpen&) = default;

    /// As fine as stays readable: columns level by level, then small switch tiers into their switches.
    [[nodiscard]] static FabricOpen readable(const FabricIndex& index);
    /// Unfolds whatever hides a device, so that it has a box of its own.
    void reveal(const FabricIndex& index, std::uint32_t member);
    /// Folds a part and everything inside it.
    void fold(const FabricIndex& index, const FabricKey& key);
};

/// Load of a set of links in both directions, up first; summed from one simulation result.
struct FabricLoad {
    double gbps[2] = {0, 0}, capacityGbps[2] = {0, 0};
    float busiest = -1;    ///< utilization of the busiest link and direction; -1 = no link has a result
    std::int64_t dead = 0; ///< links without capacity
    void add(const FabricLoad& other);
    [[nodiscard]] double mean() const; ///< of the busier direction
};

/// A simulation result summed by pair of groups. Links that the result does not know are left out.
struct FabricLoads {
    std::shared_ptr<const sim::FlowResult> flows;
    std::vector<FabricLoad> pairs;
    [[nodiscard]] static std::shared_ptr<const FabricLoads> make(const FabricIndex& index, std::shared_ptr<const sim::FlowResult> flows);
    [[nodiscard]] FabricLoad of(const FabricIndex::Link& link) const;
};
using FabricLoadsPtr = std::shared_ptr<const FabricLoads>;

/// One thing drawn: a closed group, an open group (a frame around its parts), or a device.
struct FabricBox {
    enum class Kind : std::uint8_t { Group, Frame, Device };
    Kind kind = Kind::Group;
    bool open = false; ///< a device whose ports are shown
    bool whole = true; ///< all of it stands at `part.column`: unfolds into devices, else the column does
    FabricIndex::Part part;
    FabricKey key;
    int column = 0, row = 0;    ///< where it is drawn
    int parent = -1, rail = -1; ///< parent: the frame around it; rail: common to its devices, -1 = mixed
    std::vector<int> children;  ///< of a frame, from the left
    std::vector<FabricIndex::Run> runs;
    FabricIndex::Sums sums;
    std::vector<PortId> ports; ///< of an open device
    float busiest = -1;        ///< utilization of the busiest of its links, -1 = no result
    [[nodiscard]] bool leaf() const { return kind != Kind::Frame; }
    [[nodiscard]] std::int64_t devices() const { return sums.devices + sums.backup; }
};

/// All links between two boxes, a in the lower row.
struct FabricBundle {
    int a = 0, b = 0;
    std::int64_t links = 0, backup = 0, gbps = 0;
    FabricLoad load;
};

/// A network as it is drawn at one state of unfolding. Immutable; no Qt, so that numbers are tested without a window.
class FabricModel {
public:
    enum class Fold : std::uint8_t { Hidden, Closed, Open };

    [[nodiscard]] static std::shared_ptr<const FabricModel> make(FabricIndexPtr index, const FabricOpen& open, FabricLoadsPtr loads = nullptr);

    [[nodiscard]] const FabricIndex& index() const { return *m_index; }
    [[nodiscard]] const FabricIndexPtr& indexPtr() const { return m_index; }
    [[nodiscard]] const FabricLoadsPtr& loads() const { return m_loads; }
    [[nodiscard]] const std::vector<FabricBox>& boxes() const { return m_boxes; }
    [[nodiscard]] const std::vector<int>& tops() const { return m_tops; }                ///< boxes without a frame: by column, row, layer, lane
    [[nodiscard]] const std::vector<FabricBundle>& bundles() const { return m_bundles; } ///< by (a, b)
    [[nodiscard]] Fold column(int column) const { return m_columns[std::size_t(column)]; }
    [[nodiscard]] int leafOf(std::uint32_t member) const { return m_leafOf[member]; }
    [[nodiscard]] int find(const FabricKey& key) const; ///< its box, -1 when not drawn

private:
    void findColumns(const FabricOpen& open);
    void makeBoxes(const FabricOpen& open);
    int addBox(const FabricIndex::Part& part, bool whole, int parent, const FabricOpen& open);
    void makeFrame(int place, const FabricOpen& open);
    void countBundles();

    FabricIndexPtr m_index;
    FabricLoadsPtr m_loads;
    std::vector<Fold> m_columns;
    std::vector<int> m_shownColumn; ///< by column: itself or the closed ancestor that stands for it
    std::vector<FabricBox> m_boxes;
    std::vector<int> m_tops, m_leafOf;
    std::vector<FabricBundle> m_bundles;
};
using FabricModelPtr = std::shared_ptr<const FabricModel>;

/// Links between owners, counted pair by pair: `ownerOf` gives every member's owner or -1. Sorted by (a, b);
/// a is the owner at the lower end. Links within one owner are left out unless asked for.
[[nodiscard]] std::vector<FabricBundle> countFabricLinks(const FabricIndex& index, const std::vector<int>& ownerOf, const FabricLoads* loads,
                                                         bool within = false);

} // namespace hw::views
