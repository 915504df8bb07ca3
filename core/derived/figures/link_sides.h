// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

/// Which end of a data link is the lower one, toward the servers.
enum class LowerEnd : std::uint8_t { From, To, Neither };

/// Told by the roles of the ports: `host` and `up` look up, `down` and `backup` look down. Where they do not
/// tell, the levels of the two tiers do; ends of one level, and peers, have no lower one.
[[nodiscard]] inline LowerEnd lowerEnd(const Snapshot& s, PortId from, PortId to)
{
    const auto looksUp = [&](PortId p) { return s.ports.role[p] == PortRole::Host || s.ports.role[p] == PortRole::Up; };
    const auto looksDown = [&](PortId p) { return s.ports.role[p] == PortRole::Down || s.ports.role[p] == PortRole::Backup; };
    if (looksUp(from) && looksDown(to)) return LowerEnd::From;
    if (looksUp(to) && looksDown(from)) return LowerEnd::To;
    const auto level = [&](PortId p) { return s.tiers.level[s.devices.tier[s.ports.device[p]]]; };
    return level(from) < level(to) ? LowerEnd::From : level(to) < level(from) ? LowerEnd::To : LowerEnd::Neither;
}

/// A switch tier of the network; everything else that has a port in it is attached to it.
[[nodiscard]] inline bool isSwitchTierOf(const Snapshot& s, TierId tier, NetworkId network)
{
    return s.tiers.kind[tier] == TierKind::Switch && s.tiers.network[tier] == network;
}

} // namespace hw
