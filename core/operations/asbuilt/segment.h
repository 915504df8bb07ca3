// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <array>
#include <string>
#include <vector>

namespace hw::asbuilt {

/// What is accepted and handed over at once: the hosts of a segment and the switches that are theirs alone, in one network.
struct SegmentKey {
    NetworkId network{};
    std::int32_t pod = -1, segment = -1; ///< coordinates, from 0; -1 = the design has none
    friend auto operator<=>(const SegmentKey&, const SegmentKey&) = default;
};
struct Segment {
    SegmentKey key;
    std::vector<DeviceId> hosts, backup, switches; ///< active hosts, those that stand by; ascending
    std::vector<char> has;                         ///< by device
    std::vector<LinkId> links;                     ///< of the network, with an end in the segment
    [[nodiscard]] std::vector<DeviceId> devices() const;
    /// Whether a device, port or link is of it; nothing else is.
    [[nodiscard]] bool holds(const Snapshot& snapshot, EntityRef entity) const;
};

/// All segments of a network that have hosts, in order.
[[nodiscard]] std::vector<SegmentKey> segmentsOf(const Snapshot& snapshot, NetworkId network);
[[nodiscard]] Segment segmentAt(const Snapshot& snapshot, const SegmentKey& key);
/// "3" (of the only pod) or "2/3", counted from 1, in a network by name or key; the first backend network where `network` is empty. Errors:
/// Refused, naming what there is.
[[nodiscard]] Result<SegmentKey> findSegment(const Snapshot& snapshot, const std::string& name, const std::string& network = {});
/// "2/3" as `findSegment` takes it, and for people.
[[nodiscard]] std::string segmentName(const SegmentKey& key);
[[nodiscard]] Text segmentTitle(const Snapshot& snapshot, const SegmentKey& key);

/// The four gates of acceptance, in their order.
inline constexpr int kGates = 4;
[[nodiscard]] Text gateTitle(int gate); ///< from 1

struct GateState {
    GateResult result = GateResult::Open;
    std::string evidence, author, date;
    [[nodiscard]] bool isThrough() const { return result == GateResult::Passed || result == GateResult::Waived; }
};
[[nodiscard]] std::array<GateState, kGates> gatesOf(const Snapshot& snapshot, const SegmentKey& key);

/// Records how a gate went. It can pass only when those before it passed or were waived; a waiver needs its reason as evidence. A gate that
/// fails or is opened again opens those that passed behind it; gives how many. Errors: Refused.
[[nodiscard]] Result<int> setGate(Snapshot& snapshot, const SegmentKey& key, int gate, const GateState& state);

} // namespace hw::asbuilt
