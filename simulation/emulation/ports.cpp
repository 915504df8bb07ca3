// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/ports.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hw::emulation {

namespace {

constexpr double kOctetsPerPacket = 4096; // RoCE's usual payload (assumed)
constexpr double kErrorsPerS = 5;         // of a link that lost lanes (assumed)
constexpr double kWindowPackets = 122;    // in flight at 400 Gb/s and 10 µs (assumed)
constexpr double kBack = 0.97;            // of what goes up, that comes down (assumed)
constexpr double kQuiet = 0.02;           // traffic of what has no job: storage, gateways (assumed)
constexpr double kManagement = 0.002;

} // namespace

DataPorts::DataPorts(const impact::Model& model, std::span<const float> linkGbps) : m_model(model), m_linkGbps(linkGbps.begin(), linkGbps.end())
{
    const Snapshot& s = *model.s;
    const std::size_t devices = s.devices.nextId(), links = s.links.nextId();
    m_below.resize(devices);
    m_own.assign(devices, 0), m_seconds.assign(devices, 0), m_shareNow.assign(devices, 0);
    m_counters.resize(links);
    m_since.assign(links, 0), m_sinceMs.assign(links, 0), m_faults.resize(links);
    m_up.assign(links, 1), m_changes.assign(links, 0);
    m_nicAsked.assign(links, 0), m_nicMissed.assign(links, 0);
    s.links.forEach([&](LinkId id) {
        if (s.ports.medium[s.links.from[id]] != Medium::Data) return;
        const DeviceId a = s.ports.device[s.links.from[id]], b = s.ports.device[s.links.to[id]];
        m_linked.push_back(s.links.from[id]), m_linked.push_back(s.links.to[id]);
        if (s.tiers.level[s.devices.tier[a]] < s.tiers.level[s.devices.tier[b]] && s.links.role[id] == LinkRole::Active)
            m_below[b.value].push_back(a.value);
        const auto network = s.ports.network[s.links.from[id]];
        const bool slow = network && s.networks.kind[*network] == NetworkKind::Management;
        m_own[a.value] = std::max(m_own[a.value], slow ? kManagement : kQuiet);
    });
    const auto owner = [&](PortId p) { return std::pair(s.ports.device[p], p); };
    std::ranges::sort(m_linked, {}, owner);
    m_linked.erase(std::unique(m_linked.begin(), m_linked.end()), m_linked.end());
    for (auto& below : m_below) {
        std::ranges::sort(below);
        below.erase(std::unique(below.begin(), below.end()), below.end());
    }
    if (!m_linkGbps.empty()) fill();
    s.devices.forEach([&](DeviceId id) { m_order.push_back(id.value); });
    std::ranges::stable_sort(m_order, {}, [&](std::uint32_t d) { return s.tiers.level[s.devices.tier[DeviceId(d)]]; });
}

/// How full devices are by what their links carry.
void DataPorts::fill()
{
    const Snapshot& s = *m_model.s;
    m_linkGbps.resize(2 * std::size_t(s.links.nextId()));
    std::vector<double> rates(s.devices.nextId(), 0);
    m_full.assign(rates.size(), 0);
    for (const PortId port : m_linked) {
        const std::uint32_t link = linkOf(port), device = s.ports.device[port].value;
        rates[device] += 2 * double(s.ports.rate[port].count());
        m_full[device] += double(m_linkGbps[2 * link]) + double(m_linkGbps[2 * link + 1]);
    }
    for (std::size_t d = 0; d < rates.size(); ++d) m_full[d] = rates[d] > 0 ? std::min(1.0, m_full[d] / rates[d]) : 0;
}

void DataPorts::tell(std::vector<float> linkGbps)
{
    const Snapshot& s = *m_model.s;
    s.links.forEach([&](LinkId id) {
        const std::uint32_t l = id.value;
        m_counters[l] = counters(l);
        m_since[l] = m_seconds[s.ports.device[s.links.from[id]].value], m_sinceMs[l] = m_now;
    });
    m_linkGbps = std::move(linkGbps);
    fill();
}

double DataPorts::rateOf(std::uint32_t link) const
{
    const LinkId id(link);
    const double designed = double(m_model.s->ports.rate[m_model.s->links.from[id]].count());
    const Fault& fault = m_faults[link];
    double gbps = fault.setGbps > 0 ? fault.setGbps : designed;
    if (fault.lanes > 0) gbps = designed * std::min(1.0, fault.lanes / std::max(1.0, std::round(designed / 100)));
    return gbps * 1e9;
}

/// Lanes of 100 Gb/s, of 25 below that; one at least (assumed: catalog and cables say it of some only).
int DataPorts::lanesOf(std::uint32_t link) const
{
    const double gbps = double(m_model.s->ports.rate[m_model.s->links.from[LinkId(link)]].count());
    const int all = gbps >= 100 ? std::max(1, int(std::lround(gbps / 100))) : 1;
    return m_faults[link].lanes > 0 ? std::min(all, int(m_faults[link].lanes)) : all;
}

/// With what came since they were counted last.
DataPorts::Counters DataPorts::counters(std::uint32_t link) const
{
    Counters out = m_counters[link];
    if (!m_up[link]) return out;
    const Fault& fault = m_faults[link];
    const std::uint32_t below = m_model.s->ports.device[m_model.s->links.from[LinkId(link)]].value;
    double bps = rateOf(link);
    if (fault.throughGbps > 0) bps = std::min(bps, fault.throughGbps * 1e9);
    const double seconds = m_seconds[below] - m_since[link];
    double up = seconds * bps / 8, down = up * kBack;
    if (!m_linkGbps.empty()) {
        const auto carried = [&](std::size_t direction) {
            return seconds / 8 * std::min(bps, std::max(double(m_linkGbps[2 * link + direction]) * 1e9, m_own[below] * rateOf(link)));
        };
        up = carried(0), down = carried(1);
    }
    const double arrives = (1 - fault.lossShare) * (1 - fault.silentShare);
    out.up += up * arrives, out.down += down * arrives;
    out.drops += up / kOctetsPerPacket * fault.lossShare;
    if (fault.lanes > 0) out.errors += kErrorsPerS * double(m_now - m_sinceMs[link]) / 1000;
    return out;
}

void DataPorts::change(std::vector<char> up, std::vector<Fault> faults)
{
    const Snapshot& s = *m_model.s;
    bool lossy = false;
    s.links.forEach([&](LinkId id) {
        const std::uint32_t l = id.value;
        if (up[l] == m_up[l] && faults[l] == m_faults[l]) return;
        m_counters[l] = counters(l);
        m_since[l] = m_seconds[s.ports.device[s.links.from[id]].value], m_sinceMs[l] = m_now;
        m_changes[l] += up[l] != m_up[l];
        m_up[l] = up[l], m_faults[l] = faults[l];
        lossy = true;
    });
    if (lossy) findLossy();
}

/// Links that lose packets, and the NICs whose packets pass over them.
void DataPorts::findLossy()
{
    const Snapshot& s = *m_model.s;
    m_lossy.clear(), m_nicLinks.clear(), m_nicBefore.clear();
    for (std::uint32_t l = 0; l < m_faults.size(); ++l)
        if (m_faults[l].lossShare > 0 || m_faults[l].silentShare > 0) m_lossy.push_back({l, counters(l), {}});
    if (m_lossy.empty()) return;
    const auto isNic = [&](LinkId id) { return s.tiers.kind[s.devices.tier[s.ports.device[s.links.from[id]]]] == TierKind::Server; };
    std::vector<std::vector<std::uint32_t>> under(s.devices.nextId()); // links by upper device
    for (const PortId port : m_linked) {
        const LinkId id(linkOf(port));
        if (s.links.from[id] != port) continue;
        under[s.ports.device[s.links.to[id]].value].push_back(id.value);
        if (isNic(id)) m_nicLinks.push_back(id.value);
    }
    std::ranges::sort(m_nicLinks);
    for (const std::uint32_t l : m_nicLinks) m_nicBefore.push_back(counters(l).up);
    for (Lossy& lossy : m_lossy) {
        std::vector<char> seen(s.devices.nextId(), 0);
        std::vector<std::uint32_t> left{lossy.link};
        while (!left.empty()) {
            const LinkId id(left.back());
            left.pop_back();
            const std::uint32_t lower = s.ports.device[s.links.from[id]].value;
            if (isNic(id)) lossy.below.push_back(id.value);
            if (isNic(id) || std::exchange(seen[lower], 1)) continue;
            left.insert(left.end(), under[lower].begin(), under[lower].end());
        }
        std::ranges::sort(lossy.below);
    }
}

/// What one NIC sent and a peer missed is counted by both: at the NICs under the link, and spread over all others of its network, in the shares
/// of what they send (assumed: flows go everywhere alike).
void DataPorts::countLost()
{
    const Snapshot& s = *m_model.s;
    std::vector<double> sent(m_nicLinks.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const double now = counters(m_nicLinks[i]).up;
        sent[i] = now - m_nicBefore[i], m_nicBefore[i] = now;
    }
    const auto networkOf = [&](std::uint32_t l) { return s.ports.network[s.links.from[LinkId(l)]]; };
    for (Lossy& lossy : m_lossy) {
        const Fault& fault = m_faults[lossy.link];
        const Counters now = counters(lossy.link);
        const double share = 1 - (1 - fault.lossShare) * (1 - fault.silentShare), perOctet = share / std::max(1e-9, 1 - share) / kOctetsPerPacket;
        const double up = (now.up - lossy.before.up) * perOctet, down = (now.down - lossy.before.down) * perOctet;
        lossy.before = now;
        double under = 0, others = 0;
        const auto isUnder = [&](std::uint32_t l) { return std::ranges::binary_search(lossy.below, l); };
        for (std::size_t i = 0; i < sent.size(); ++i)
            if (networkOf(m_nicLinks[i]) == networkOf(lossy.link)) (isUnder(m_nicLinks[i]) ? under : others) += sent[i];
        for (std::size_t i = 0; i < sent.size(); ++i) {
            const std::uint32_t l = m_nicLinks[i];
            if (networkOf(l) != networkOf(lossy.link)) continue;
            const bool its = isUnder(l);
            const double part = sent[i] / std::max(1e-9, its ? under : others);
            m_nicAsked[l] += part * (its ? up : down), m_nicMissed[l] += part * (its ? down : up);
        }
    }
}

void DataPorts::fromBelow(double seconds, std::span<const double> traffic, std::span<const char> isHost)
{
    for (const std::uint32_t d : m_order) {
        double added = m_own[d] * seconds;
        if (isHost[d]) {
            added = traffic[d] - m_seconds[d];
        } else if (!m_below[d].empty()) {
            added = 0;
            for (const std::uint32_t b : m_below[d]) added += m_shareNow[b];
            added = added / double(m_below[d].size()) * seconds;
        }
        m_seconds[d] += std::max(0.0, added);
        m_shareNow[d] = seconds > 0 ? std::clamp(added / seconds, 0.0, 1.0) : 0;
    }
}

void DataPorts::asTold(double seconds, std::span<const double> traffic, std::span<const char> isHost, double wentOn)
{
    for (const std::uint32_t d : m_order) {
        const double now = isHost[d] ? traffic[d] : wentOn;
        m_shareNow[d] = seconds > 0 ? m_full[d] * std::clamp((now - m_seconds[d]) / seconds, 0.0, 1.0) : 0;
        m_seconds[d] = now;
    }
}

void DataPorts::advance(std::int64_t ms, std::span<const double> traffic, std::span<const char> isHost, double wentOn)
{
    const double seconds = double(ms - m_now) / 1000;
    if (m_linkGbps.empty())
        fromBelow(seconds, traffic, isHost);
    else
        asTold(seconds, traffic, isHost, wentOn);
    m_now = ms;
    // What is down lets nothing through: its seconds pass uncounted.
    const Snapshot& s = *m_model.s;
    s.links.forEach([&](LinkId id) {
        if (!m_up[id.value]) m_since[id.value] = m_seconds[s.ports.device[s.links.from[id]].value];
    });
    if (!m_lossy.empty()) countLost();
}

double DataPorts::octets(PortId port, bool sent) const
{
    const std::uint32_t link = linkOf(port);
    const Counters now = counters(link);
    const bool lower = m_model.s->links.from[LinkId(link)] == port;
    return std::floor(lower == sent ? now.up : now.down);
}

double DataPorts::errors(PortId port) const { return std::floor(counters(linkOf(port)).errors); }
double DataPorts::drops(PortId port) const { return std::floor(counters(linkOf(port)).drops); }
double DataPorts::retransmits(PortId port, bool asked) const { return std::floor((asked ? m_nicAsked : m_nicMissed)[linkOf(port)]); }
double DataPorts::rateBps(PortId port) const { return up(port) ? rateOf(linkOf(port)) : 0; }
double DataPorts::share(PortId port) const
{
    const std::uint32_t link = linkOf(port);
    const double designed = double(m_model.s->ports.rate[port].count()) * 1e9;
    if (!m_up[link] || !(designed > 0)) return 0;
    const Fault& fault = m_faults[link];
    double bps = rateOf(link);
    if (fault.throughGbps > 0) bps = std::min(bps, fault.throughGbps * 1e9);
    // Go-back-N sends a window again for each packet that is lost.
    const double loss = 1 - (1 - fault.lossShare) * (1 - fault.silentShare);
    const double again = loss < 1 ? kWindowPackets * loss / (1 - loss) : 1e9;
    return std::min(1.0, bps / designed) / (1 + again);
}
int DataPorts::lanes(PortId port) const { return up(port) ? lanesOf(linkOf(port)) : 0; }

} // namespace hw::emulation
