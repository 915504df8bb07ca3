// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/device_sockets.h"

#include "core/foundation/catalog/sockets.h"

namespace hw {

namespace {

/// Running numbers by role, network and medium: the data ports of a device count on by themselves, as power does.
class Numbers {
public:
    std::uint16_t next(const DeviceSocket& socket)
    {
        for (auto& [of, count] : m_counts)
            if (of.role == socket.role && of.network == socket.network && of.medium == socket.medium) return count++;
        m_counts.push_back({socket, 1});
        return 0;
    }

private:
    std::vector<std::pair<DeviceSocket, std::uint16_t>> m_counts;
};

} // namespace

std::vector<DeviceSocket> socketsOf(const DeviceSpec& spec, TierKind tier, Maybe<NetworkId> network)
{
    std::vector<DeviceSocket> result;
    result.reserve(spec.interfaces.size() + spec.inlets.size() + spec.outlets.size() + spec.cooling.ports.size() + 1);
    Numbers numbers;
    std::uint16_t cage = 0;
    const auto add = [&](DeviceSocket socket) {
        socket.cage = cage++;
        socket.number = numbers.next(socket);
        result.push_back(std::move(socket));
    };
    const PortRole data = tier == TierKind::Switch ? PortRole::Down : PortRole::Host;
    for (const Interface& interface : spec.interfaces) {
        if (!takesCable(interface)) {
            ++cage; // cages are numbered as interfaces are
            continue;
        }
        const bool own = interface.management;
        add({.rate = interface.rate,
             .role = own ? PortRole::Host : data,
             .network = own ? Maybe<NetworkId>() : network,
             .medium = Medium::Data,
             .name = interface.name});
    }
    for (const PowerInlet& inlet : spec.inlets) add({.role = PortRole::Up, .medium = Medium::Power, .name = inlet.name});
    for (const PowerOutlet& outlet : spec.outlets) add({.role = PortRole::Down, .medium = Medium::Power, .name = outlet.name});
    for (const CoolantPort& port : spec.cooling.ports)
        add({.role = port.feeds ? PortRole::Down : PortRole::Up, .medium = Medium::Coolant, .name = port.name});
    if (const bool removes = spec.removes == "liquid"; spec.cooling.ports.empty() && (removes || spec.liquidPermille.value > 0))
        add({.role = removes ? PortRole::Down : PortRole::Up, .medium = Medium::Coolant, .name = coolantPortName(spec, removes, 0)});
    return result;
}

} // namespace hw
