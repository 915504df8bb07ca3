// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/port_links.h"

namespace hw {

std::vector<std::uint32_t> linksByPort(const Snapshot& s)
{
    std::vector<std::uint32_t> links(s.ports.nextId(), kNoLink);
    s.links.forEach([&](LinkId id) { links[s.links.from[id].value] = links[s.links.to[id].value] = id.value; });
    return links;
}

Maybe<LinkId> linkInPort(const Snapshot& s, PortId port)
{
    Maybe<LinkId> found;
    s.links.forEach([&](LinkId id) {
        if (s.links.from[id] == port || s.links.to[id] == port) found = id;
    });
    return found;
}

std::vector<std::vector<LinkEnds>> linksByNetwork(const Snapshot& s)
{
    std::vector<std::vector<LinkEnds>> result(s.networks.nextId());
    s.links.forEach([&](LinkId id) {
        const PortId from = s.links.from[id], to = s.links.to[id];
        if (s.ports.medium[from] != Medium::Data || s.ports.medium[to] != Medium::Data) return;
        const auto a = s.ports.network[from], b = s.ports.network[to];
        if (a) result[(*a).value].push_back({id, from, to});
        if (b && !(b == a)) result[(*b).value].push_back({id, from, to});
    });
    return result;
}

} // namespace hw
