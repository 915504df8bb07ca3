// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/sockets.h"
#include "importers/netbox/inventory/design_writer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

void DesignWriter::planPorts()
{
    for (std::size_t i = 0; i < m_written.size(); ++i) {
        Written& written = m_written[i];
        if (!written.isNew) continue;
        const Tier& tier = m_tiers[written.tier];
        const Maybe<NetworkId> network = tier.kind == TierKind::Switch ? m_s.tiers.network[*tier.id] : Maybe<NetworkId>();
        for (DeviceSocket& socket : socketsOf(std::get<DeviceSpec>(written.part->spec), tier.kind, network))
            written.cages[socket.cage].socket = socket;
    }
    for (std::size_t i = 0; i < m.of(PortKind::Interface).size(); ++i)
        if (const auto socket = m_parts.socket({PortKind::Interface, i});
            socket && socket->sub >= 0 && !catalog::isUncabled(m.of(PortKind::Interface)[i].type)) // eth0.10 is a VLAN, swp1s0 a port
            m_written[m.of(PortKind::Interface)[i].ofDevice].cages[socket->cage].subs.emplace(socket->sub, 1);
    for (const WholeLink& link : m_wiring.links) {
        planEnd(link.a, link.splitA, link.b);
        planEnd(link.b, link.splitB, link.a);
    }
    for (Written& written : m_written)
        for (auto& [number, cage] : written.cages) cage.split = allowedSplit(written, number, std::max(cage.split, cage.needed()));
    for (const WholeLink& link : m_wiring.links) evenRates(link.a, link.b), evenRates(link.b, link.a);
}

int DesignWriter::allowedSplit(const Written& written, std::uint16_t number, int needed)
{
    int best = std::clamp(needed, 1, 64);
    if (needed <= 1 || !written.part) return best;
    const auto& interfaces = std::get<DeviceSpec>(written.part->spec).interfaces;
    if (number >= interfaces.size()) return best;
    std::optional<int> least;
    for (const int split : interfaces[number].splits)
        if (split >= needed && split <= 64 && (!least || split < *least)) least = split;
    return least.value_or(best);
}

void DesignWriter::evenRates(PortAt own, PortAt other)
{
    Cage *cage = cageOf(own), *far = cageOf(other);
    if (!cage || !far || cage->socket.rate.count() <= 0 || far->socket.rate.count() <= 0) return;
    const auto rate = cage->socket.rate.count(), wanted = far->socket.rate.count() / far->split;
    if (wanted <= 0 || rate / cage->split <= wanted || rate % wanted != 0) return;
    const Written& written = m_written[m.of(own.kind)[own.port].ofDevice];
    const auto& interfaces = std::get<DeviceSpec>(written.part->spec).interfaces;
    const int split = int(rate / wanted);
    if (cage->socket.cage < interfaces.size() &&
        std::ranges::find(interfaces[cage->socket.cage].splits, split) != interfaces[cage->socket.cage].splits.end())
        cage->split = split, ++m_halved;
}

DesignWriter::Cage* DesignWriter::cageOf(PortAt at)
{
    if (at.kind != PortKind::Interface) return nullptr;
    Written& written = m_written[m.of(at.kind)[at.port].ofDevice];
    const auto socket = written.isNew && written.part ? m_parts.socket(at) : std::nullopt;
    const auto found = socket ? written.cages.find(socket->cage) : written.cages.end();
    return found == written.cages.end() ? nullptr : &found->second;
}

void DesignWriter::planEnd(PortAt own, int split, PortAt other)
{
    if (own.kind != PortKind::Interface || other.kind != PortKind::Interface) return;
    const Port &port = m.of(own.kind)[own.port], &far = m.of(other.kind)[other.port];
    Written &written = m_written[port.ofDevice], &beyond = m_written[far.ofDevice];
    const auto socket = written.part && beyond.part ? m_parts.socket(own) : std::nullopt;
    if (!socket || !written.cages.contains(socket->cage)) return;
    Cage& cage = written.cages[socket->cage];
    if (socket->sub < 0)
        cage.split = std::clamp(std::max(cage.split, split), 1, 64);
    else
        cage.subs[socket->sub] = std::max(cage.subs[socket->sub], std::min(split, 64));
    const Tier &mine = m_tiers[written.tier], &theirs = m_tiers[beyond.tier];
    const bool ofSwitch = mine.kind == TierKind::Switch && !port.management;
    if (!ofSwitch && theirs.kind == TierKind::Switch) cage.socket.network = m_s.tiers.network[*theirs.id];
    if (ofSwitch && theirs.kind == TierKind::Switch && !far.management && mine.level < theirs.level) cage.socket.role = PortRole::Up;
    if (ofSwitch && theirs.kind == TierKind::Switch && !far.management && mine.level == theirs.level) cage.socket.role = PortRole::Peer;
    if (ofSwitch && written.isNew && beyond.id && beyond.isNew && m_s.devices.role[*beyond.id] == DeviceRole::Backup)
        cage.socket.role = PortRole::Backup;
}

void DesignWriter::addPorts()
{
    for (Written& written : m_written) {
        if (!written.isNew || !written.id) continue;
        std::map<std::tuple<PortRole, std::optional<NetworkId>, Medium>, std::uint16_t> numbers;
        for (auto& [number, cage] : written.cages) {
            if (cage.split > 1) cage.socket.rate = Gbps(cage.socket.rate.count() / cage.split);
            auto& next = numbers[{cage.socket.role, std::optional<NetworkId>(cage.socket.network), cage.socket.medium}];
            const std::uint16_t at = number;
            (void)m_build.ports(*written.id, std::span(&at, 1),
                                {.split = std::uint8_t(cage.split),
                                 .firstNumber = next,
                                 .rate = cage.socket.rate,
                                 .role = cage.socket.role,
                                 .network = cage.socket.network,
                                 .medium = cage.socket.medium});
            next = std::uint16_t(next + cage.split);
        }
    }
}

std::optional<PortId> DesignWriter::portAt(DeviceId device, std::uint16_t cage, int lane)
{
    for (; m_portsSeen < m_s.ports.nextId(); ++m_portsSeen) {
        const PortId port(m_portsSeen);
        if (m_s.ports.contains(port)) m_ports[{m_s.ports.device[port].value, m_s.cages.number[m_s.ports.cage[port]], m_s.ports.lane[port]}] = port;
    }
    const auto found = m_ports.find({device.value, cage, std::uint8_t(lane)});
    return found == m_ports.end() ? std::nullopt : std::optional(found->second);
}

bool DesignWriter::isUsed(PortId port)
{
    for (; m_linksSeen < m_s.links.nextId(); ++m_linksSeen)
        if (const LinkId link(m_linksSeen); m_s.links.contains(link)) use(link);
    return m_used.contains(port);
}

} // namespace hw::importers::netbox_in
