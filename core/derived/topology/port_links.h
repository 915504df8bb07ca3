// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <vector>

namespace hw {

/// By port id: the id of the link that is plugged in, of several the last; `kNoLink` where there is none.
inline constexpr std::uint32_t kNoLink = 0xFFFFFFFFu;
[[nodiscard]] std::vector<std::uint32_t> linksByPort(const Snapshot& snapshot);
/// The same of one port, by looking at every link: for who asks once and has no index.
[[nodiscard]] Maybe<LinkId> linkInPort(const Snapshot& snapshot, PortId port);

struct LinkEnds {
    LinkId link;
    PortId from, to;
};

/// Calls f(link, from, to) for the data links of a network, in the order of ids. A link is of the network of its lower port.
template <class F>
void eachDataLink(const Snapshot& s, NetworkId network, F&& f)
{
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link];
        if (s.ports.medium[from] == Medium::Data && s.ports.network[from] == network) f(link, from, s.links.to[link]);
    });
}
/// The data links of every network, in the order of ids; a link that joins two networks is in both lists.
[[nodiscard]] std::vector<std::vector<LinkEnds>> linksByNetwork(const Snapshot& snapshot);

} // namespace hw
