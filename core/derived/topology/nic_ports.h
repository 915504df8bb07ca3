// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

#include <optional>
#include <string_view>
#include <vector>

namespace hw {

/// The network card that an interface is a port of, by its name: "nic3p2" → "nic3", the ports of one card differing in the number
/// after the last 'p' only. "p2" → "": a port of the device itself. Any other name is a card with one port: "nic3" → "nic3".
[[nodiscard]] std::string_view cardOf(std::string_view interface);

/// The same, but a port of the device itself stands alone, under its own name.
[[nodiscard]] inline std::string_view nicOf(std::string_view interface)
{
    const auto card = cardOf(interface);
    return card.empty() ? interface : card;
}

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

/// Cards of all device types of a design, each read when it is first asked for. On one thread.
class CardsOfTypes {
public:
    /// Of an interface that its device's type does not list: this plus the cage's number.
    static constexpr std::uint16_t kUnlisted = 0x8000;

    explicit CardsOfTypes(const ProjectParts& parts) : m_parts(parts), m_byType(parts.size()) {}
    [[nodiscard]] const Cards& ofType(PartTypeId type);
    /// The card that a port belongs to, by its cage; nothing where its device's type has no such interface.
    [[nodiscard]] std::optional<std::uint16_t> of(const Snapshot& snapshot, PortId port);
    /// The same; an interface that the type does not list is a card of its own.
    [[nodiscard]] std::uint16_t orOwn(const Snapshot& snapshot, PortId port);

private:
    const ProjectParts& m_parts;
    std::vector<std::optional<Cards>> m_byType;
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
