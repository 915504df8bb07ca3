// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric_builder.h"

#include "core/foundation/catalog/catalog.h"

#include <fmt/format.h>
#include <stdexcept>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const Catalog loaded = [] {
        auto result = Catalog::load(HW_RESOURCES "/catalog");
        if (!result) throw std::runtime_error(result.error().text());
        return *result;
    }();
    return loaded;
}

PartTypeId insertPart(Snapshot& s, const std::string& slug)
{
    const Part& part = *catalog().find(slug);
    const auto id = s.partTypes.insert();
    s.partTypes.slug.set(id, slug);
    s.partTypes.kind.set(id, kindOf(part));
    s.partTypes.definition.set(id, part.definition);
    return id;
}

} // namespace

FabricBuilder::FabricBuilder(int planes, int rails) : m_host(insertPart(s, "hpn-host-8gpu")), m_switch(insertPart(s, "switch-51t-128x400g"))
{
    network = s.networks.insert();
    s.networks.key.set(network, "net");
    s.networks.name.set(network, "net");
    s.networks.planes.set(network, std::int16_t(planes));
    s.networks.rails.set(network, std::int16_t(rails));
}

TierId FabricBuilder::tier(const std::string& name, TierKind kind, int level)
{
    const auto id = s.tiers.insert();
    s.tiers.key.set(id, name);
    s.tiers.name.set(id, name);
    s.tiers.kind.set(id, kind);
    s.tiers.level.set(id, std::int16_t(level));
    if (kind == TierKind::Switch) s.tiers.network.set(id, network);
    return id;
}

DeviceId FabricBuilder::device(TierId tier, const std::string& key, Place place)
{
    const auto id = s.devices.insert();
    s.devices.key.set(id, "device." + s.tiers.name[tier] + "/" + key);
    s.devices.name.set(id, s.tiers.name[tier] + std::to_string(id.value));
    s.devices.tier.set(id, tier);
    s.devices.type.set(id, s.tiers.kind[tier] == TierKind::Server ? m_host : m_switch);
    s.devices.pod.set(id, std::int16_t(place.pod));
    s.devices.segment.set(id, std::int16_t(place.segment));
    s.devices.rail.set(id, std::int16_t(place.rail));
    s.devices.plane.set(id, std::int16_t(place.plane));
    m_nextCage.push_back(0);
    return id;
}

PortId FabricBuilder::port(DeviceId device, int cage, int gbps, PortRole role)
{
    const auto cageId = s.cages.insert();
    s.cages.device.set(cageId, device);
    s.cages.number.set(cageId, std::uint16_t(cage));
    s.cages.split.set(cageId, 1);
    const auto id = s.ports.insert();
    s.ports.cage.set(id, cageId);
    s.ports.device.set(id, device);
    s.ports.network.set(id, network);
    s.ports.rate.set(id, Gbps(gbps));
    s.ports.role.set(id, role);
    return id;
}

LinkId FabricBuilder::link(PortId from, PortId to)
{
    const auto id = s.links.insert();
    s.links.from.set(id, from);
    s.links.to.set(id, to);
    s.links.cable.set(id, s.cables.insert());
    return id;
}

LinkId FabricBuilder::access(DeviceId host, int nic, int portOfNic, DeviceId tor, int gbps)
{
    return link(port(host, 2 * nic + portOfNic, gbps, PortRole::Host), port(tor, m_nextCage[tor.value]++, gbps, PortRole::Down));
}

LinkId FabricBuilder::up(DeviceId low, DeviceId high, int gbps)
{
    return link(port(low, m_nextCage[low.value]++, gbps, PortRole::Up), port(high, m_nextCage[high.value]++, gbps, PortRole::Down));
}

LinkId FabricBuilder::peer(DeviceId a, DeviceId b, int gbps)
{
    return link(port(a, m_nextCage[a.value]++, gbps, PortRole::Peer), port(b, m_nextCage[b.value]++, gbps, PortRole::Peer));
}

void FabricBuilder::remove(LinkId link)
{
    s.cables.erase(*s.links.cable[link]);
    s.links.erase(link);
}

std::vector<LinkId> FabricBuilder::linksOf(DeviceId device) const
{
    std::vector<LinkId> result;
    s.links.forEach([&](LinkId id) {
        if (s.ports.device[s.links.from[id]] == device || s.ports.device[s.links.to[id]] == device) result.push_back(id);
    });
    return result;
}

FabricBuilder makeFabric(const FabricShape& f)
{
    const int rails = f.railSwitches ? f.nics : 1;
    FabricBuilder b(f.planes, rails);
    const auto server = b.tier("server", TierKind::Server, 0), tor = b.tier("tor", TierKind::Switch, 1);
    const auto agg = b.tier("agg", TierKind::Switch, 2), core = b.tier("core", TierKind::Switch, 3);
    const int groups = f.railOnly ? rails : 1;
    std::vector<DeviceId> cores;
    for (int plane = 0; plane < f.planes; ++plane)
        for (int c = 0; c < f.cores; ++c)
            cores.push_back(b.device(core, fmt::format("plane={}/member={}", plane, c), {-1, -1, -1, f.planes > 1 ? plane : -1}));
    for (int pod = 0; pod < f.pods; ++pod) {
        std::vector<DeviceId> aggs; // by group, plane, index
        for (int group = 0; group < groups; ++group)
            for (int plane = 0; plane < f.planes; ++plane)
                for (int a = 0; a < f.aggs; ++a) {
                    aggs.push_back(b.device(agg, fmt::format("pod={}/group={}/plane={}/index={}", pod, group, plane, a),
                                            {pod, -1, f.railOnly ? group : -1, f.planes > 1 ? plane : -1}));
                    for (int c = 0; c < f.cores; ++c) b.up(aggs.back(), cores[std::size_t(plane * f.cores + c)]);
                }
        for (int segment = 0; segment < f.segments; ++segment) {
            std::vector<DeviceId> tors; // by rail, plane
            for (int rail = 0; rail < rails; ++rail)
                for (int plane = 0; plane < f.planes; ++plane) {
                    tors.push_back(b.device(tor, fmt::format("pod={}/segment={}/rail={}/plane={}", pod, segment, rail, plane),
                                            {pod, segment, f.railSwitches ? rail : -1, f.planes > 1 ? plane : -1}));
                    for (int a = 0; a < f.aggs; ++a)
                        for (int k = 0; k < f.parallel; ++k)
                            b.up(tors.back(), aggs[std::size_t(((f.railOnly ? rail : 0) * f.planes + plane) * f.aggs + a)]);
                }
            for (int host = 0; host < f.hosts + f.backupHosts; ++host) {
                const auto h = b.device(server, fmt::format("pod={}/segment={}/host={}", pod, segment, host), {pod, segment, -1, -1});
                if (host >= f.hosts) b.s.devices.role.set(h, DeviceRole::Backup);
                for (int nic = 0; nic < f.nics; ++nic)
                    for (int plane = 0; plane < f.planes; ++plane)
                        b.access(h, nic, plane, tors[std::size_t((f.railSwitches ? nic : 0) * f.planes + plane)]);
            }
        }
    }
    return b;
}

FabricBuilder makeTangle(std::mt19937& random)
{
    const auto upTo = [&](int n) { return int(random() % unsigned(n)); };
    const int planes = 1 + upTo(2), rails = 1 + upTo(2);
    FabricBuilder b(planes, rails);
    const auto server = b.tier("server", TierKind::Server, 0);
    std::vector<DeviceId> all, below, own;
    const int levels = 1 + upTo(3);
    for (int level = 1; level <= levels; ++level) {
        const auto tier = b.tier("tier" + std::to_string(level), TierKind::Switch, level);
        own.clear();
        for (int i = 0, n = 1 + upTo(4); i < n; ++i) {
            own.push_back(
                b.device(tier, fmt::format("pod={}/index={}", i % 2, i / 2),
                         {level == 1 ? i % 2 : -1, -1, rails > 1 && upTo(3) ? upTo(rails) : -1, planes > 1 && upTo(3) ? upTo(planes) : -1}));
            for (const auto low : below)
                for (int k = upTo(3); k > 0; --k) b.up(low, own.back(), upTo(2) ? 400 : 200);
        }
        all.insert(all.end(), own.begin(), own.end());
        below = own;
    }
    for (int h = 0, n = 2 + upTo(5); h < n; ++h) {
        const auto host = b.device(server, fmt::format("pod={}/host={}", h % 2, h / 2), {h % 2, upTo(2), -1, -1});
        if (upTo(6) == 0) b.s.devices.role.set(host, DeviceRole::Backup);
        for (int nic = 0, nics = 1 + upTo(2); nic < nics; ++nic)
            for (int port = 0, ports = 1 + upTo(2); port < ports; ++port)
                b.access(host, nic, port, all[std::size_t(upTo(int(std::min<std::size_t>(all.size(), 5))))], upTo(2) ? 200 : 100);
    }
    return b;
}
