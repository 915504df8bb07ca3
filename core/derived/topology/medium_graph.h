// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <span>
#include <vector>

namespace hw {

/// The links of one medium as arcs between devices: those of device d stand at [offset[d], offset[d + 1]), in the order of
/// links. Power and coolant links run from what is fed to what feeds it. Made from a snapshot; immutable.
class MediumGraph {
public:
    struct Arc {
        DeviceId to;
        LinkId link;
        bool up = false; ///< the device is the link's `from`: of power and coolant, `to` feeds it
        friend bool operator==(const Arc&, const Arc&) = default;
    };

    [[nodiscard]] static std::shared_ptr<const MediumGraph> compute(const Snapshot& snapshot, Medium medium);

    [[nodiscard]] std::span<const Arc> arcs(DeviceId device) const
    {
        if (std::size_t(device.value) + 1 >= m_offset.size()) return {};
        return {m_arcs.data() + m_offset[device.value], m_arcs.data() + m_offset[device.value + 1]};
    }
    [[nodiscard]] std::size_t arcCount() const { return m_arcs.size(); } ///< two of every link
    friend bool operator==(const MediumGraph&, const MediumGraph&) = default;

private:
    std::vector<std::uint32_t> m_offset;
    std::vector<Arc> m_arcs;
};

} // namespace hw
