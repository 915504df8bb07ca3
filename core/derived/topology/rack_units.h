// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/part.h"
#include "core/foundation/model/snapshot.h"

namespace hw {

class ProjectParts;

/// How a device is mounted: half units from the lowest edge of the rack's first unit, [low, high).
struct Mounted {
    int low = 0, high = 0;
    bool rear = false, full = true; ///< from behind; as deep as the rack, so that it is there from both sides
    std::int64_t depthMm = 0;       ///< 0: not stated
};
/// With its lowest unit at `u`, from 1.
[[nodiscard]] Mounted mountedAt(const DeviceSpec& device, Face face, int u);
/// Of a device that has a unit in a rack: `u` from 1.
[[nodiscard]] Mounted mounted(const Snapshot& snapshot, const ProjectParts& parts, DeviceId device);
/// Whether two devices share units of a rack, from one side or with one of them through it.
[[nodiscard]] bool overlap(const Mounted& a, const Mounted& b);
/// Whether two devices, one from behind, are deeper together than the rack; never where a depth is not stated.
[[nodiscard]] bool touchBack(const Mounted& a, const Mounted& b, const RackSpec& rack);

/// What the units of a rack hold. Devices that are not as deep as the rack may stand back to back.
class RackUnits {
public:
    explicit RackUnits(const RackSpec& rack) : m_rack(&rack) {}
    [[nodiscard]] int height() const { return m_rack->heightU; }
    void put(const Mounted& device) { m_there.push_back(device); }
    /// Whether a device would stand inside the rack, on nothing else.
    [[nodiscard]] bool takes(const Mounted& device) const;
    /// The lowest, or highest, unit where a device finds room; 0: there is none.
    [[nodiscard]] int lowestFor(const DeviceSpec& device, Face face) const;
    [[nodiscard]] int highestFor(const DeviceSpec& device, Face face) const;
    /// Whether nothing takes any of a unit, from either side.
    [[nodiscard]] bool isOpen(int u) const;

private:
    const RackSpec* m_rack;
    std::vector<Mounted> m_there;
};

/// Of every rack, by its id, with all that stands in it.
[[nodiscard]] std::vector<RackUnits> unitsOfRacks(const Snapshot& snapshot, const ProjectParts& parts);

} // namespace hw
