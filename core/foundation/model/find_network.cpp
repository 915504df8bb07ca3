// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/find_network.h"

namespace hw {

std::optional<NetworkId> findNetwork(const Snapshot& s, std::string_view text)
{
    const auto kind = fromWord<NetworkKind>(text);
    std::optional<NetworkId> named, keyed, ofKind;
    int ofTheKind = 0;
    s.networks.forEach([&](NetworkId id) {
        if (!named && s.networks.name[id] == text) named = id;
        if (!keyed && !text.empty() && s.networks.key[id] == text) keyed = id;
        if (kind && s.networks.kind[id] == *kind && ++ofTheKind == 1) ofKind = id;
    });
    if (named) return named;
    if (keyed) return keyed;
    return ofTheKind == 1 ? ofKind : std::nullopt;
}

std::vector<std::string> networkNames(const Snapshot& s)
{
    std::vector<std::string> names;
    s.networks.forEach([&](NetworkId id) { names.push_back(s.networks.name[id]); });
    return names;
}

} // namespace hw
