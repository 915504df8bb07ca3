// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/rack_units.h"

#include "core/foundation/catalog/catalog.h"

#include <algorithm>

namespace hw {

Mounted mountedAt(const DeviceSpec& device, Face face, int u)
{
    const int low = 2 * (u - 1);
    return {low, low + std::max(1, device.halfUnits), face == Face::Rear, device.fullDepth, device.depth.value.count()};
}

Mounted mounted(const Snapshot& s, const ProjectParts& parts, DeviceId id)
{
    return mountedAt(parts.device(s.devices.type[id]), s.devices.face[id], s.devices.u[id]);
}

namespace {

bool meet(const Mounted& a, const Mounted& b) { return a.low < b.high && b.low < a.high; }
bool oneSide(const Mounted& a, const Mounted& b) { return a.rear == b.rear || a.full || b.full; }

} // namespace

bool overlap(const Mounted& a, const Mounted& b) { return meet(a, b) && oneSide(a, b); }

bool touchBack(const Mounted& a, const Mounted& b, const RackSpec& rack)
{
    const std::int64_t has = rack.depth.value.count();
    return meet(a, b) && !oneSide(a, b) && has > 0 && a.depthMm > 0 && b.depthMm > 0 && a.depthMm + b.depthMm > has;
}

bool RackUnits::takes(const Mounted& device) const
{
    return device.low >= 0 && device.high <= 2 * height() &&
           std::ranges::none_of(m_there, [&](const Mounted& other) { return overlap(device, other) || touchBack(device, other, *m_rack); });
}

int RackUnits::lowestFor(const DeviceSpec& device, Face face) const
{
    for (int u = 1; u <= height(); ++u)
        if (takes(mountedAt(device, face, u))) return u;
    return 0;
}

int RackUnits::highestFor(const DeviceSpec& device, Face face) const
{
    for (int u = height(); u >= 1; --u)
        if (takes(mountedAt(device, face, u))) return u;
    return 0;
}

bool RackUnits::isOpen(int u) const
{
    return std::ranges::none_of(m_there, [&](const Mounted& other) { return other.low < 2 * u && 2 * (u - 1) < other.high; });
}

std::vector<RackUnits> unitsOfRacks(const Snapshot& s, const ProjectParts& parts)
{
    static const RackSpec kNone{};
    std::vector<RackUnits> racks(s.racks.nextId(), RackUnits(kNone));
    s.racks.forEach([&](RackId id) { racks[id.value] = RackUnits(parts.rack(s.racks.type[id])); });
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id]; rack && s.devices.u[id] > 0) racks[(*rack).value].put(mounted(s, parts, id));
    });
    return racks;
}

} // namespace hw
