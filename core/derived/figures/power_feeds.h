// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/medium_graph.h"
#include "core/foundation/catalog/catalog.h"

#include <span>

namespace hw {

/// One way of power into a device: over a power link, or over a cord that follows from what stands in its rack.
struct PowerFeed {
    DeviceId supplier{};
    Maybe<LinkId> link{};     ///< none: a cord within the rack
    std::int16_t inlet = -1;  ///< number of the device's power supply; -1: the type lists none
    std::int16_t outlet = -1; ///< number of the supplier's outlet that a cord takes; -1: none is left, or the link's own port says it
    std::uint8_t phase = 0;   ///< 1 to 3; 0 = all three
    std::uint8_t group = 0;   ///< ways of one group work together: suppliers of one kind that state one side, on one switchboard
    friend bool operator==(const PowerFeed&, const PowerFeed&) = default;
};

/// True for plugs that take one phase of three.
[[nodiscard]] bool isSinglePhase(const std::string& plug);
/// True for equipment that takes direct current, and so has no phases: a 48 V shelf behind an 800 V bus, that bus.
[[nodiscard]] bool takesDirectCurrent(const DeviceSpec& device);

/// Every device's ways of power, in the order in which a transfer prefers them. A way with a single-phase plug is on the phase that
/// `Links.phase` states, else on the one of its supplier that has least on it so far. Where a device that draws power has no power link of its
/// own, its supplies depend on the power strips of its rack in turn, so that they are split over sides A and B, each on the next free outlet that
/// its plug fits, else on any free one. Shelves feed a bus bar together: every device of the rack depends on all of them.
class PowerFeeds {
public:
    [[nodiscard]] static std::shared_ptr<const PowerFeeds> compute(const Snapshot&, const ProjectParts&, const MediumGraph& power);

    [[nodiscard]] std::span<const PowerFeed> of(DeviceId device) const
    {
        if (std::size_t(device.value) + 1 >= m_offset.size()) return {};
        return {m_feeds.data() + m_offset[device.value], m_feeds.data() + m_offset[device.value + 1]};
    }
    /// 'A', 'B' … of power equipment: as stated; else a strip's by its order in the rack, of others that of all that they feed; 0 where that is
    /// several or none.
    [[nodiscard]] char side(DeviceId device) const { return m_side[device.value]; }
    [[nodiscard]] std::int64_t cords() const { return m_cords; } ///< within racks, without the ways of bus bars
    friend bool operator==(const PowerFeeds&, const PowerFeeds&) = default;

private:
    std::vector<std::uint32_t> m_offset;
    std::vector<PowerFeed> m_feeds;
    std::vector<char> m_side;
    std::int64_t m_cords = 0;
};

} // namespace hw
