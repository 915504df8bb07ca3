// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/seen_links.h"

#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <tuple>

namespace hw::asbuilt {

namespace {

std::string endText(const SeenEnd& end) { return end.portName.empty() ? end.deviceName : end.deviceName + ":" + end.portName; }

/// Trust in a witness; less is better.
int rankOf(Witness witness)
{
    switch (witness) {
    case Witness::Lldp:
    case Witness::Ibnetdiscover: return 0;
    case Witness::Label: return 1;
    case Witness::NetBox: return 2;
    }
    return 3;
}

int leastStated(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

void addWitness(SeenLink& link, Witness witness)
{
    if (std::ranges::find(link.witnesses, witness) == link.witnesses.end()) link.witnesses.push_back(witness);
}

/// Known by a number alone, which nobody has a name for: it may be any device.
bool isAnonymous(const SeenEnd& end) { return !end.device && !hardwareId(end.deviceName).empty(); }

template <class T>
std::pair<T, T> ordered(T a, T b)
{
    return a < b ? std::pair<T, T>(a, b) : std::pair<T, T>(b, a);
}

} // namespace

SeenLinks::SeenLinks(const Snapshot& s, const ProjectParts& parts, NameRules rules, std::span<const Sighting> sightings)
    : m_s(s), m_parts(parts), m_devices(s, rules.devices), m_ports(s, parts, rules.ports)
{
    hearPorts(sightings);
    resolve(sightings);
    forgetPassersBy();
    takeBest();
    takeHalves();
}

void SeenLinks::hearPorts(std::span<const Sighting> sightings)
{
    for (const Sighting& one : sightings)
        for (const auto& [device, port] : {std::pair(&one.fromDevice, &one.fromPort), std::pair(&one.toDevice, &one.toPort)})
            if (const auto id = m_devices.find(*device)) m_ports.hear(*id, *port);
}

SeenEnd SeenLinks::endOf(const std::string& device, const std::string& port)
{
    SeenEnd end{device, port, {}, {}, {}};
    const auto id = m_devices.find(device);
    if (!id) return end;
    end.device = *id;
    m_named.insert(*id);
    if (const auto found = m_ports.find(*id, port, end.why)) end.port = *found;
    return end;
}

void SeenLinks::noteNetwork(Witness witness, PortId port)
{
    if (const auto network = m_s.ports.network[port]) m_networks[std::size_t(witness)].insert((*network).value);
    const CageId cage = m_s.ports.cage[port];
    const auto& interfaces = m_parts.device(m_s.devices.type[m_s.ports.device[port]]).interfaces;
    const std::size_t number = m_s.cages.number[cage];
    if (number < interfaces.size() && interfaces[number].management) m_management.insert({m_s.ports.device[port], std::uint8_t(witness)});
}

void SeenLinks::resolve(std::span<const Sighting> sightings)
{
    for (const Sighting& one : sightings) {
        if (m_devices.isSetAside(one.fromDevice) || m_ports.isSetAside(one.fromPort)) continue;
        if (!one.toDevice.empty() && (m_devices.isSetAside(one.toDevice) || m_ports.isSetAside(one.toPort))) continue;
        SeenEnd from = endOf(one.fromDevice, one.fromPort);
        if (from.device) m_lookers[std::size_t(one.witness)].insert(*from.device);
        if (one.toDevice.empty() && one.witness == Witness::Label && from.port) {
            m_unreadable.insert(*from.port), m_scanned[*from.device].insert(*from.port);
            noteNetwork(one.witness, *from.port);
            if (one.toPort.empty() && (m_unmatched.empty() || m_unmatched.back().where != one.source)) // once a connector; else it goes to a panel
                m_unmatched.push_back({one.source, i18n("{}: label not readable here", endText(from))});
            continue;
        }
        if (one.toDevice.empty() && one.witness == Witness::Label && from.device) m_bare.insert(*from.device);
        if (one.toDevice.empty()) {
            if (!from.device) {
                ++m_strangers[one.fromDevice];
                m_unmatched.push_back({one.source, i18n("{} is not in the design", one.fromDevice)});
            }
            continue;
        }
        ++m_count;
        SeenEnd to = endOf(one.toDevice, one.toPort);
        if (one.witness == Witness::Label && from.port) m_scanned[m_s.ports.device[*from.port]].insert(*from.port);
        if (to.device && speaksForBoth(one.witness)) m_lookers[std::size_t(one.witness)].insert(*to.device);
        for (const SeenEnd* end : {&from, &to}) {
            if (!end->device) ++m_strangers[end->deviceName];
            if (end->port) noteNetwork(one.witness, *end->port);
        }
        tell(one, std::move(from), std::move(to));
    }
}

/// Who scans the label of one cable has not looked at the others: a device was looked at by labels where more than half of its planned links in
/// the networks that were scanned have been.
void SeenLinks::forgetPassersBy()
{
    constexpr auto kLabel = std::size_t(Witness::Label);
    if (m_lookers[kLabel].empty()) return;
    std::map<DeviceId, std::size_t> planned;
    m_s.links.forEach([&](LinkId id) {
        for (const PortId port : {m_s.links.from[id], m_s.links.to[id]})
            if (const auto network = m_s.ports.network[port]; network && m_networks[kLabel].contains((*network).value))
                ++planned[m_s.ports.device[port]];
    });
    std::erase_if(m_lookers[kLabel], [&](DeviceId id) { return !m_bare.contains(id) && 2 * m_scanned[id].size() <= planned[id]; });
}

void SeenLinks::tell(const Sighting& one, SeenEnd from, SeenEnd to)
{
    SeenLink link{std::move(from), std::move(to), one.rateGbps, one.lanes, one.label, one.source, one.date, {one.witness}};
    if (!link.from.port && !link.to.port) {
        const Text why = !link.from.device ? i18n("{} is not in the design", link.from.deviceName)
                         : !link.to.device ? i18n("{} is not in the design", link.to.deviceName)
                                           : link.from.why;
        m_unmatched.push_back({one.source, i18n("{} – {}: {}", endText(link.from), endText(link.to), why)});
        if (link.from.device && link.to.device) ++m_joined[ordered(*link.from.device, *link.to.device)];
        return;
    }
    if (!link.from.port || !link.to.port) {
        m_halves.push_back(std::move(link));
        return;
    }
    const bool flipped = *link.to.port < *link.from.port;
    if (*link.from.port == *link.to.port) {
        m_unmatched.push_back({one.source, i18n("{} is its own neighbor", endText(link.from))});
        return;
    }
    const auto key = ordered((*link.from.port).value, (*link.to.port).value);
    const auto [at, fresh] = m_of.try_emplace(key, m_links.size());
    if (fresh) m_links.push_back({link, false, false, one.witness, false});
    ReportedLink& told = m_links[at->second];
    (flipped ? told.fromB : told.fromA) = true;
    if (rankOf(one.witness) < rankOf(told.best)) told.best = one.witness;
    addWitness(told.link, one.witness);
    told.link.rateGbps = leastStated(told.link.rateGbps, one.rateGbps);
    told.link.lanes = leastStated(told.link.lanes, one.lanes);
    if (told.link.label.empty()) told.link.label = one.label;
    told.link.date = std::max(told.link.date, one.date);
}

/// Who is believed first; at every port the first one holds.
void SeenLinks::takeBest()
{
    std::vector<std::size_t> order(m_links.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::size_t i) {
        const ReportedLink& t = m_links[i];
        return std::tuple(rankOf(t.best), !(t.fromA && t.fromB));
    };
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return key(a) != key(b) ? key(a) < key(b) : m_links[a].link.date > m_links[b].link.date; });
    for (const std::size_t i : order) settle(i);
    std::ranges::sort(m_best);
}

void SeenLinks::settle(std::size_t number)
{
    const SeenLink& link = m_links[number].link;
    const std::uint32_t a = (*link.from.port).value, b = (*link.to.port).value;
    for (const auto port : {a, b})
        if (const auto taken = m_at.find(port); taken != m_at.end()) {
            const SeenLink& held = m_links[taken->second].link;
            m_contradictions.push_back({link.source, i18n("{} – {} contradicts {} – {} ({}), which is used", endText(link.from), endText(link.to),
                                                          endText(held.from), endText(held.to), held.source)});
            return;
        }
    m_at[a] = m_at[b] = number;
    m_best.push_back(number);
}

/// Cables with one port told: another sighting may have told them whole.
void SeenLinks::takeHalves()
{
    for (const SeenLink& half : m_halves) {
        const SeenEnd &near = half.from.port ? half.from : half.to, &far = half.from.port ? half.to : half.from;
        const std::uint32_t port = (*near.port).value;
        if (const auto taken = m_at.find(port); taken != m_at.end()) {
            const bool whole = taken->second < m_links.size();
            const SeenLink& held = whole ? m_links[taken->second].link : m_bestHalves[taken->second - m_links.size()];
            const SeenEnd& other = held.from.port == near.port ? held.to : held.from;
            const bool same = far.device ? other.device == far.device : isAnonymous(far) || (!other.device && other.deviceName == far.deviceName);
            if (!same)
                m_contradictions.push_back({half.source, i18n("{} – {} contradicts {} – {} ({}), which is used", endText(half.from), endText(half.to),
                                                              endText(held.from), endText(held.to), held.source)});
            continue;
        }
        m_at[port] = m_links.size() + m_bestHalves.size();
        m_bestHalves.push_back(half);
        if (isAnonymous(far))
            m_unmatched.push_back(
                {half.source, i18n("{} – {}: the neighbor is known only by a hardware ID; import (--into) a capture that lists the ID with a name",
                                   endText(near), far.deviceName)});
        if (far.device && !far.why.empty()) m_unmatched.push_back({half.source, i18n("{} – {}: {}", endText(half.from), endText(half.to), far.why)});
    }
}

const SeenLink* SeenLinks::between(PortId a, PortId b) const
{
    const auto found = m_of.find(ordered(a.value, b.value));
    if (found == m_of.end()) return nullptr;
    const auto held = m_at.find(a.value);
    return held != m_at.end() && held->second == found->second ? &m_links[found->second].link : nullptr;
}

const SeenLink* SeenLinks::at(PortId port) const
{
    const auto found = m_at.find(port.value);
    if (found == m_at.end()) return nullptr;
    return found->second < m_links.size() ? &m_links[found->second].link : &m_bestHalves[found->second - m_links.size()];
}

bool SeenLinks::joinsSomehow(PortId a, PortId b)
{
    const DeviceId da = m_s.ports.device[a], db = m_s.ports.device[b];
    const SeenLink *atA = at(a), *atB = at(b);
    for (const auto& [port, other, seen] : {std::tuple(a, db, atA), std::tuple(b, da, atB)}) {
        if (!seen || (seen->from.port && seen->to.port)) continue;
        const SeenEnd& far = seen->from.port && *seen->from.port == port ? seen->to : seen->from;
        if (far.device && *far.device == other) return true;
        const SeenLink* beyond = port == a ? atB : atA;
        if (isAnonymous(far) && (!beyond || isAnonymous(beyond->from) || isAnonymous(beyond->to))) return true;
    }
    if (atA || atB) return false;
    const auto joined = m_joined.find(ordered(da, db));
    return joined != m_joined.end() && joined->second-- > 0;
}

bool SeenLinks::lookedAt(PortId port) const
{
    const DeviceId device = m_s.ports.device[port];
    const auto network = m_s.ports.network[port];
    const bool scaleUp = network && m_s.networks.kind[*network] == NetworkKind::ScaleUp;
    const auto& interfaces = m_parts.device(m_s.devices.type[device]).interfaces;
    const std::size_t number = m_s.cages.number[m_s.ports.cage[port]];
    const bool management = number < interfaces.size() && interfaces[number].management;
    for (std::size_t w = 0; w < m_lookers.size(); ++w) {
        if (!m_lookers[w].contains(device)) continue;
        if (scaleUp && !speaksForBoth(Witness(w)) && Witness(w) != Witness::Label) continue;
        if (management && !m_management.contains({device, std::uint8_t(w)})) continue;
        if (!m_networks[w].empty() && network && !m_networks[w].contains((*network).value)) continue;
        return true;
    }
    return false;
}

std::vector<const SeenLink*> SeenLinks::notIn(const std::function<Maybe<PortId>(PortId)>& plannedPeer) const
{
    std::vector<const SeenLink*> out;
    for (const std::size_t i : m_best) {
        const SeenLink& link = m_links[i].link;
        if (const auto peer = plannedPeer(*link.from.port); !peer || *peer != *link.to.port) out.push_back(&link);
    }
    for (const SeenLink& half : m_bestHalves) {
        const SeenEnd &near = half.from.port ? half.from : half.to, &far = half.from.port ? half.to : half.from;
        const auto peer = plannedPeer(*near.port);
        if (isAnonymous(far) && peer && !at(*peer)) continue; // it may be what is planned
        if (!far.device || !peer || m_s.ports.device[*peer] != *far.device) out.push_back(&half);
    }
    return out;
}

} // namespace hw::asbuilt
