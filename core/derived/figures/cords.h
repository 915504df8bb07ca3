// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cabling.h"
#include "core/derived/figures/node.h"
#include "core/derived/figures/nodes.h"

#include <functional>

namespace hw {

/// A power cord from a strip to a supply of a device of the same rack, or the pair of hoses from a device to its rack's manifold.
struct Cord {
    DeviceId device;
    Maybe<DeviceId> supplier;               ///< strip; none: a manifold that is not in the design
    std::int16_t inlet = -1, outlet = -1;   ///< of the device, of the strip; -1: not listed
    Maybe<PartTypeId> type;                 ///< none: nothing in the project fits
    std::int32_t routeMm = 0, lengthMm = 0; ///< end to end; bought
    friend bool operator==(const Cord&, const Cord&) = default;
};

/// What joins devices within racks and is no link: a cord for every power supply, a pair of hoses for every device that liquid cools. They
/// follow from the power feeds and from what stands in which unit, so that no move of a rack changes them. Sums are kept; the single ones are
/// made when they are asked for.
class Cords {
public:
    [[nodiscard]] static std::shared_ptr<const Cords> compute(const Snapshot&, const ProjectParts&, const PowerFeeds&, const MediumGraph& coolant);
    /// Every cord in the order of devices and inlets.
    static void forCords(const Snapshot&, const ProjectParts&, const PowerFeeds&, const std::function<void(const Cord&)>& f);
    /// Every pair of hoses in the order of devices. A device with a coolant link has none: the link is its hose.
    static void forHoses(const Snapshot&, const ProjectParts&, const MediumGraph& coolant, const std::function<void(const Cord&)>& f);

    /// How many of a type at a stocked length.
    [[nodiscard]] const std::map<Cabling::TypeLength, std::int64_t>& cords() const { return m_cords; }
    [[nodiscard]] const std::map<Cabling::TypeLength, std::int64_t>& hoses() const { return m_hoses; } ///< pairs
    [[nodiscard]] std::int64_t cordCount() const { return m_cordCount; }
    [[nodiscard]] std::int64_t hoseCount() const { return m_hoseCount; }
    [[nodiscard]] std::int64_t withoutPart() const { return m_withoutPart; } ///< that nothing in the project fits
    [[nodiscard]] std::int64_t cordMm() const { return m_cordMm; }           ///< bought, all together
    friend bool operator==(const Cords&, const Cords&) = default;

private:
    std::map<Cabling::TypeLength, std::int64_t> m_cords, m_hoses;
    std::int64_t m_cordCount = 0, m_hoseCount = 0, m_withoutPart = 0, m_cordMm = 0;
};

struct CordsNode {
    using Value = Cords;
    static constexpr TextId kName = TextId("cords");
    using Inputs = Reads<Nodes<PartsNode, PowerFeedsNode, MediumNode<Medium::Coolant>>, Alive<Devices>,
                         Columns<&Devices::type, &Devices::rack, &Devices::u, &Devices::tier, &Tiers::kind>>;
    static std::shared_ptr<const Value> compute(const Now<CordsNode>& now)
    {
        return Cords::compute(now.snapshot(), now.get<PartsNode>(), now.get<PowerFeedsNode>(), now.get<MediumNode<Medium::Coolant>>());
    }
};

} // namespace hw
