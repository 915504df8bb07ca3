// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/design_index.h"

namespace hw::views {

std::shared_ptr<const DesignIndex> DesignIndex::compute(const Snapshot& s)
{
    auto index = std::make_shared<DesignIndex>();
    index->racksOfRow.build(s.racks, s.rows.nextId(), [&](RackId id) { return std::optional(s.racks.row[id]); });
    index->devicesOfRack.build(s.devices, s.racks.nextId(), [&](DeviceId id) -> std::optional<RackId> { return s.devices.rack[id]; });
    index->portsOfDevice.build(s.ports, s.devices.nextId(), [&](PortId id) { return std::optional(s.ports.device[id]); });
    index->linkOfPort.assign(s.ports.nextId(), kNone);
    s.links.forEach([&](LinkId id) {
        index->linkOfPort[s.links.from[id].value] = id.value;
        index->linkOfPort[s.links.to[id].value] = id.value;
    });
    return index;
}

bool DesignIndex::affectedBy(const ChangeSet& changes)
{
    return changes.touchesAlive<Racks>() || changes.touchesAlive<Devices>() || changes.touchesAlive<Ports>() || changes.touchesAlive<Links>() ||
           changes.touches(&Racks::row) || changes.touches(&Devices::rack) || changes.touches(&Ports::device) || changes.touches(&Links::from) ||
           changes.touches(&Links::to);
}

DesignIndex::PortUse DesignIndex::portUse(DeviceId device) const
{
    PortUse use;
    for (const PortId port : portsOfDevice[device.value]) {
        ++use.total;
        if (linkOfPort[port.value] != kNone) ++use.used;
    }
    return use;
}

} // namespace hw::views
