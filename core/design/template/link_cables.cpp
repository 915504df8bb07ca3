// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/link_builder.h"
#include "core/foundation/base/disjoint_sets.h"
#include "core/foundation/catalog/sockets.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hw {

/// Connectors by cage: how many cables may leave it (see SocketRules). The first link of a cage says what it meets.
std::vector<std::uint8_t> LinkBuilder::connectorsOfCages() const
{
    const auto& out = *m.out;
    const auto rules = SocketRules::of(m.catalog, m.spec.parts);
    std::vector<std::uint8_t> result(out.cages.nextId(), 0);
    using End = std::tuple<PartTypeId, std::uint16_t, std::uint8_t>; // device type, interface, split
    std::map<std::pair<End, End>, std::uint8_t> known;
    const auto endOf = [&](CageId cage) { return End{out.devices.type[out.cages.device[cage]], out.cages.number[cage], out.cages.split[cage]}; };
    const auto interfaceOf = [&](const End& end) -> const Interface* {
        const auto& interfaces = std::get<DeviceSpec>(m.catalog.find(out.partTypes.slug[std::get<0>(end)])->spec).interfaces;
        return std::get<1>(end) < interfaces.size() ? &interfaces[std::get<1>(end)] : nullptr;
    };
    const auto meet = [&](CageId cage, CageId peer) {
        if (out.cages.split[cage] <= 1 || result[cage.value] != 0) return;
        const End own = endOf(cage), far = endOf(peer);
        const auto [found, fresh] = known.try_emplace({own, far}, 1);
        const Interface *a = fresh ? interfaceOf(own) : nullptr, *b = a ? interfaceOf(far) : nullptr;
        if (a && b) found->second = std::uint8_t(rules.connectors(*a, std::get<2>(own), *b, std::max<int>(1, std::get<2>(far))));
        result[cage.value] = found->second;
    };
    out.links.forEach([&](LinkId link) {
        const CageId from = out.ports.cage[out.links.from[link]], to = out.ports.cage[out.links.to[link]];
        meet(from, to);
        meet(to, from);
    });
    for (auto& connectors : result) connectors = std::max<std::uint8_t>(connectors, 1);
    return result;
}

/// Links whose ports share a connector share a cable.
void LinkBuilder::makeCables()
{
    auto& out = *m.out;
    const auto connectors = connectorsOfCages();
    std::vector<std::uint32_t> first(connectors.size() + 1, 0); // by cage: its connectors, numbered on
    for (std::size_t cage = 0; cage < connectors.size(); ++cage) first[cage + 1] = first[cage] + connectors[cage];
    const auto jack = [&](PortId port) {
        const CageId cage = out.ports.cage[port];
        const auto split = std::max<std::uint32_t>(out.cages.split[cage], 1);
        return first[cage.value] + out.ports.lane[port] * connectors[cage.value] / split;
    };
    DisjointSets joined(first.back());
    out.links.forEach([&](LinkId link) { joined.join(jack(out.links.from[link]), jack(out.links.to[link])); });
    std::vector<std::uint32_t> cableOf(joined.size(), kNoRow);
    out.links.forEach([&](LinkId link) {
        const PortId port = out.links.from[link];
        auto& cable = cableOf[joined.find(jack(port))];
        if (cable == kNoRow) cable = m.builder.cable(out.ports.medium[port]).value;
        out.links.cable.set(link, CableId(cable));
    });
}

} // namespace hw
