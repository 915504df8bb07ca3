// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/design_index.h"

#include "core/derived/topology/port_links.h"

namespace hw {

std::shared_ptr<const DesignIndex> DesignIndex::compute(const Snapshot& s)
{
    auto index = std::make_shared<DesignIndex>();
    index->racksOfRow.build(s.racks, s.rows.nextId(), [&](RackId id) { return std::optional(s.racks.row[id]); });
    index->devicesOfRack.build(s.devices, s.racks.nextId(), [&](DeviceId id) -> std::optional<RackId> { return s.devices.rack[id]; });
    index->portsOfDevice.build(s.ports, s.devices.nextId(), [&](PortId id) { return std::optional(s.ports.device[id]); });
    static_assert(kNone == kNoLink);
    index->linkOfPort = linksByPort(s);
    return index;
}

Maybe<LinkId> DesignIndex::linkOf(PortId port) const
{
    if (port.value >= linkOfPort.size() || linkOfPort[port.value] == kNone) return {};
    return LinkId(linkOfPort[port.value]);
}

Maybe<PortId> DesignIndex::peerOf(const Snapshot& s, PortId port) const
{
    const auto link = linkOf(port);
    if (!link) return {};
    return s.links.from[*link] == port ? s.links.to[*link] : s.links.from[*link];
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

} // namespace hw
