// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"

#include <vector>

namespace hw::rules {

/// Place of a server's port among its network cards, counted from 1; 0 where the name does not tell.
struct NicPort {
    int rail = 0, plane = 0;
};

/// "nic3p2" → {3, 2}; "nic3" → {3, 0}, and the same for cards of other networks, "fe1p2"; anything else → {0, 0}.
[[nodiscard]] NicPort nicPortFromName(std::string_view name);

/// Looks up NicPort by port, reading each device type's interface names once.
class NicPorts {
public:
    explicit NicPorts(const ProjectParts& parts) : m_parts(parts), m_byType(parts.size()) {}
    [[nodiscard]] NicPort of(const Snapshot& snapshot, PortId port);

private:
    const ProjectParts& m_parts;
    std::vector<std::vector<NicPort>> m_byType; ///< by part type id, then interface number
};

} // namespace hw::rules
