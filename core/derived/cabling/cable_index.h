// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_choice.h"
#include "core/derived/geometry/routing.h"
#include "core/derived/topology/cable_runs.h"

#include <limits>
#include <tuple>

namespace hw {

/// What the cabling needs to know of the wiring, gathered once and shared by all figures whose wiring,
/// part types and device places in the rack are the same.
struct CableIndex {
    /// Of one link; bits of `flags` below.
    struct End {
        DeviceId from, to;
        friend bool operator==(const End&, const End&) = default;
    };
    static constexpr std::uint8_t kOwnsFrom = 1; ///< first link of its socket at the lower end: counts the module
    static constexpr std::uint8_t kOwnsTo = 2;
    static constexpr std::uint8_t kFromIsB = 4; ///< the lower end stands in rack b of the pair
    static constexpr std::uint8_t kSameRack = 8;
    static constexpr std::uint8_t kFlipped = 16; ///< the link's lower end is on the upper side of its cable
    static constexpr std::uint32_t kAlone = 0xFFFFFFFFu;
    static constexpr std::int32_t kOnFloor = std::numeric_limits<std::int32_t>::min(); ///< of `heightMm`: the rise to it is part of the way

    std::vector<std::uint32_t> firstLink;      ///< by cable, one entry more than cables
    std::vector<LinkId> links;                 ///< of every cable in the order of ids; of one behind a panel those of its runs
    std::vector<std::uint32_t> firstCable;     ///< by pair, one entry more than pairs
    std::vector<CableId> cables;               ///< of every pair in the order of ids
    std::vector<std::uint16_t> classOf;        ///< by cable, into `choice`
    std::vector<std::uint32_t> bundleOf;       ///< by cable; kAlone: it shares no socket with another cable
    std::vector<std::vector<CableId>> bundles; ///< cables that share the modules of twin-port sockets, in the order of ids
    std::vector<std::uint32_t> copperOf;       ///< by bundle, into `choice`: one assembly of copper could take its place
    std::vector<End> ends;                     ///< by link
    std::vector<std::uint8_t> flags;           ///< by link
    std::vector<std::int32_t> heightMm;        ///< by device: its middle above the floor; of what stands in no rack `kOnFloor`
    /// A cable behind a panel: where it begins and ends, and its pair of racks.
    struct Behind {
        DeviceId from, to;
        std::uint32_t pair = Routing::kNoPair;
        std::uint8_t flags = 0;       ///< kFromIsB, kSameRack
        std::vector<DeviceId> legs{}; ///< of a breakout: further devices at its end, in the same rack
        friend bool operator==(const Behind&, const Behind&) = default;
    };
    std::shared_ptr<const CableRuns> runs; ///< of links over panels
    std::vector<std::uint32_t> behindOf;   ///< by cable, into `behind`; kAlone: it leaves from a link's lower end. Empty without panels
    std::vector<Behind> behind;
    std::vector<DeviceId> firstEnd; ///< by link: where its first cable ends. Empty without panels
    std::shared_ptr<const CableChoice> choice;

    /// The same but for `choice`, which follows from the parts and the classes.
    friend bool operator==(const CableIndex& a, const CableIndex& b)
    {
        const auto all = [](const CableIndex& i) {
            return std::tie(i.firstLink, i.links, i.firstCable, i.cables, i.classOf, i.bundleOf, i.bundles, i.ends, i.flags, i.heightMm, *i.runs,
                            i.behindOf, i.behind, i.firstEnd);
        };
        return all(a) == all(b);
    }
    [[nodiscard]] static std::shared_ptr<const CableIndex> build(const Snapshot&, const ProjectParts&, const Routing&);
    [[nodiscard]] std::span<const LinkId> linksOf(CableId id) const
    {
        return {links.data() + firstLink[id.value], firstLink[id.value + 1] - firstLink[id.value]};
    }
    [[nodiscard]] bool isBehind(CableId id) const { return !behindOf.empty() && behindOf[id.value] != kAlone; }
    [[nodiscard]] DeviceId endOfFirst(LinkId link) const { return firstEnd.empty() ? ends[link.value].to : firstEnd[link.value]; }
    [[nodiscard]] std::span<const CableId> cablesOf(std::uint32_t pair) const
    {
        return {cables.data() + firstCable[pair], firstCable[pair + 1] - firstCable[pair]};
    }
};

} // namespace hw
