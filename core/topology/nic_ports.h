// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"

#include <string_view>
#include <vector>

namespace hw {

/// The network card that an interface is a port of, by its name: "nic3p2" → "nic3", the ports of one card differing in the number
/// after the last 'p' only. "p2" → "": a port of the device itself. Any other name is a card with one port: "nic3" → "nic3".
[[nodiscard]] std::string_view cardOf(std::string_view interface);

/// Place of a server's port among its network cards, counted from 1; 0 where the name does not tell.
struct NicPort {
    int rail = 0, plane = 0;
};

/// "nic3p2" → {3, 2}; "nic3" → {3, 0}, and the same for cards of other networks, "fe1p2"; anything else → {0, 0}.
[[nodiscard]] NicPort nicPortFromName(std::string_view name);

/// The cards of a device type: interfaces of one card have one number, and a card its name.
struct Cards {
    std::vector<std::uint16_t> ofInterface; ///< numbered in the order in which they are met
    std::vector<std::string> names;         ///< by card
    [[nodiscard]] static Cards of(const DeviceSpec& device);
};

/// Looks up NicPort by port, reading each device type's interface names once.
class NicPorts {
public:
    explicit NicPorts(const ProjectParts& parts) : m_parts(parts), m_byType(parts.size()) {}
    [[nodiscard]] NicPort of(const Snapshot& snapshot, PortId port);

private:
    const ProjectParts& m_parts;
    std::vector<std::vector<NicPort>> m_byType; ///< by part type id, then interface number
};

} // namespace hw
