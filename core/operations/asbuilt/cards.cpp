// SPDX-License-Identifier: GPL-3.0-or-later
// Bandwidth of network cards, and whose fault a slow one is.
#include "core/operations/asbuilt/gates.h"

#include "core/derived/topology/nic_ports.h"
#include "core/foundation/catalog/entity.h"

#include <algorithm>

namespace hw::asbuilt {

std::string pcieLinksOf(double gbps)
{
    // Raw rates, Gb/s a lane behind the line code: Gen3 8 GT/s × 128/130, doubled by each generation (PCI-SIG base specification).
    constexpr double kLane = 8.0 * 128 / 130;
    for (int lanes = 1; lanes <= 32; lanes *= 2) { // of Gen3; Gen4 takes half of them, Gen5 a quarter
        const double raw = kLane * lanes;
        if (gbps < 0.75 * raw || gbps > 0.97 * raw) continue;
        std::string all;
        for (int generation = 5, scale = 4; generation >= 3; --generation, scale /= 2) {
            const int of = lanes / scale;
            if (of < 1 || of > 16) continue;
            all += (all.empty() ? "Gen" : ", Gen") + std::to_string(generation) + " x" + std::to_string(of);
        }
        return all;
    }
    return {};
}

namespace {

/// Cards of one segment, measured.
class NicEvaluator {
public:
    NicEvaluator(const Figures& f, const Segment& segment, const Comparison& c, double share)
        : m_f(f), m_s(*f.snapshot), m_parts(*f.parts), m_segment(segment), m_c(c), m_share(share)
    {
        for (const LinkId id : segment.links)
            for (const auto& [port, peer] : {std::pair(m_s.links.from[id], m_s.links.to[id]), std::pair(m_s.links.to[id], m_s.links.from[id])})
                if (isHost(m_s.ports.device[port])) m_linked[port] = {peer, id};
    }

    NicReport run(const std::vector<CardMeasure>& measures)
    {
        m_out.judgment.gate = 2;
        const auto rules = NameRules::of(m_s);
        if (rules) {
            const DeviceNames names(m_s, rules->devices);
            PortNames ports(m_s, m_parts, rules->ports);
            for (const CardMeasure& one : measures) take(one, names, ports);
        }
        blame();
        conclude();
        return std::move(m_out);
    }

private:
    struct Link {
        PortId peer;
        LinkId link;
    };
    struct Measured {
        DeviceId host;
        std::vector<PortId> ports;
        double gbps = 0, wanted = 0;
        [[nodiscard]] bool slow(double share) const { return gbps < share * wanted; }
    };
    [[nodiscard]] bool isBackup(DeviceId id) const { return std::ranges::binary_search(m_segment.backup, id); }
    [[nodiscard]] bool isHost(DeviceId id) const { return std::ranges::binary_search(m_segment.hosts, id) || isBackup(id); }

    static std::optional<DeviceId> hostOf(const std::string& name, const DeviceNames& names)
    {
        for (std::size_t length = name.size(); length > 0; --length) {
            if (length < name.size() && name[length] != '.' && name[length] != '_' && name[length] != '-') continue;
            if (const auto id = names.find(name.substr(0, length))) return id;
        }
        return std::nullopt;
    }

    /// One port, or all of a card whose ports are bonded.
    std::vector<PortId> portsOf(DeviceId host, const std::string& name, PortNames& ports)
    {
        Text why;
        if (const auto one = ports.find(host, name, why)) return {*one};
        std::vector<PortId> all;
        const auto& interfaces = m_parts.device(m_s.devices.type[host]).interfaces;
        for (const auto& [port, link] : m_linked) {
            const std::size_t number = m_s.cages.number[m_s.ports.cage[port]];
            if (m_s.ports.device[port] == host && number < interfaces.size() && cardOf(interfaces[number].name) == lowerCase(name))
                all.push_back(port);
        }
        return all;
    }

    void take(const CardMeasure& one, const DeviceNames& names, PortNames& portNames)
    {
        if (!one.failed.empty()) {
            m_out.doubts.push_back({one.source, one.failed});
            return;
        }
        const auto host = hostOf(one.host, names);
        if (!host || !isHost(*host)) {
            m_out.doubts.push_back({one.source, i18n("'{}' is not a host of the segment: name the file HOST.DEVICE.txt", one.host)});
            return;
        }
        auto ports = portsOf(*host, one.device, portNames);
        std::erase_if(ports, [&](PortId id) { return !m_linked.contains(id); });
        if (ports.empty()) {
            m_out.doubts.push_back(
                {one.source, i18n("{} is not a linked port of {}: add a rule for it (asbuilt.ports)", one.device, m_s.devices.name[*host])});
            return;
        }
        Measured m{*host, ports, one.gbps, 0};
        for (const PortId port : ports) m.wanted += m_s.ports.rate[port].count();
        if (m.gbps > 1.02 * m.wanted) { // rounding, and no more
            m_out.doubts.push_back(
                {one.source, i18n("{:.0f} Gb/s exceeds the rate of {} ({:.0f}): measure with --report_gbits", m.gbps, one.device, m.wanted)});
            return;
        }
        for (const PortId port : ports) m_seen.insert(port);
        const auto same = std::ranges::find_if(m_all, [&](const Measured& other) { return other.ports == m.ports; });
        if (same == m_all.end())
            m_all.push_back(std::move(m));
        else
            same->gbps = std::max(same->gbps, m.gbps); // measured again
    }

    struct Tally {
        int measured = 0, slow = 0;
        [[nodiscard]] bool allSlow() const { return measured >= 2 && slow == measured; }
    };

    void blame()
    {
        std::map<DeviceId, Tally> bySwitch, byHost;
        for (const Measured& m : m_all) {
            const bool slow = m.slow(m_share);
            ++byHost[m.host].measured, byHost[m.host].slow += slow;
            if (m.ports.size() != 1) continue; // a bond has several switches
            Tally& at = bySwitch[m_s.ports.device[m_linked.at(m.ports.front()).peer]];
            ++at.measured, at.slow += slow;
        }
        std::ranges::sort(m_all, {}, [](const Measured& m) { return std::pair(m.host, m.ports); });
        const bool severalHosts = byHost.size() > 1;
        for (const Measured& m : m_all) {
            if (!m.slow(m_share)) continue;
            SlowNic slow{m.host, m.ports, m.gbps, m.wanted, NicCause::Card, {}, {}};
            const DeviceId tor = m_s.ports.device[m_linked.at(m.ports.front()).peer];
            const bool hostLow = byHost[m.host].allSlow(), torLow = severalHosts && bySwitch.contains(tor) && bySwitch[tor].allSlow();
            const bool allLow = std::ranges::all_of(byHost, [](const auto& at) { return at.second.allSlow(); });
            if (torLow && (!hostLow || allLow))
                blameSwitch(slow, tor, bySwitch[tor].measured);
            else if (hostLow && (severalHosts || bySwitch.size() > 1))
                blameHost(slow, byHost[m.host].measured, severalHosts);
            else if (!blameCable(slow))
                blamePcie(slow);
            m_out.slow.push_back(std::move(slow));
        }
    }

    void blameSwitch(SlowNic& slow, DeviceId tor, int measured) const
    {
        slow.cause = NicCause::Switch, slow.culprit = tor;
        slow.why = i18n("all {} measured ports of {} are slow, on several hosts; probable cause: the switch", measured, m_s.devices.name[tor]);
    }
    void blameHost(SlowNic& slow, int measured, bool several) const
    {
        slow.cause = NicCause::Host, slow.culprit = slow.host;
        const std::string name = m_s.devices.name[slow.host];
        slow.why = several ? i18n("all {} measured NICs of {} are slow, those of other hosts are not; probable cause: the host", measured, name)
                           : i18n("all {} measured NICs of {} are slow, on several switches; probable cause: the host", measured, name);
    }
    bool blameCable(SlowNic& slow) const
    {
        for (const Difference& d : m_c.differences) {
            if (d.kind != Kind::WrongSpeed && d.kind != Kind::DegradedLanes) continue;
            for (const PortId port : slow.ports)
                if (std::ranges::find(d.links, m_linked.at(port).link) != d.links.end()) {
                    slow.cause = NicCause::Cable;
                    slow.why = d.message;
                    return true;
                }
        }
        return false;
    }
    void blamePcie(SlowNic& slow) const
    {
        const std::string links = pcieLinksOf(slow.gbps);
        if (links.empty()) {
            slow.why = i18n("neighboring ports are not slow, and the rate matches no PCIe link; probable cause: NIC, cable or configuration");
            return;
        }
        slow.cause = NicCause::Pcie;
        slow.why = i18n("only this port is slow, and {:.0f} Gb/s matches a PCIe link of {}; probable cause: PCIe link "
                        "trained with fewer lanes or at a lower generation",
                        slow.gbps, links);
    }

    void conclude()
    {
        const auto ofBackup = [&](PortId port) { return isBackup(m_s.ports.device[port]); };
        const auto backups = std::ranges::count_if(m_linked, [&](const auto& at) { return ofBackup(at.first); });
        const auto backupsSeen = std::ranges::count_if(m_seen, ofBackup);
        m_out.measured = m_seen.size() - std::size_t(backupsSeen), m_out.ports = m_linked.size() - std::size_t(backups);
        auto& j = m_out.judgment;
        j.facts.push_back(
            i18n("{:L} of {:L} ports measured, {:L} slow", std::int64_t(m_out.measured), std::int64_t(m_out.ports), std::int64_t(m_out.slow.size())));
        if (backupsSeen > 0) j.facts.push_back(i18n("{:L} of {:L} ports of backup hosts measured", std::int64_t(backupsSeen), std::int64_t(backups)));
        if (m_out.measured < m_out.ports) {
            const auto missing = std::int64_t(m_out.ports - m_out.measured);
            j.faults.push_back(i18np(missing, "{:L} port without result", "{:L} ports without result"));
        }
        for (const SlowNic& slow : m_out.slow)
            j.faults.push_back(
                i18n("{}: {:.1f} of {:.0f} Gb/s; {}", entityName(m_s, m_parts, ref(slow.ports.front())), slow.gbps, slow.wantedGbps, slow.why));
        for (const CaptureIssue& doubt : m_out.doubts) j.faults.push_back(i18n("{}: {}", doubt.where, doubt.what));
        j.passes = j.faults.empty() && m_out.ports > 0;
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const Segment& m_segment;
    const Comparison& m_c;
    double m_share;
    std::map<PortId, Link> m_linked; ///< ports of active and backup hosts
    std::set<PortId> m_seen;
    std::vector<Measured> m_all;
    NicReport m_out;
};

} // namespace

NicReport judgeCards(const Figures& figures, const Segment& segment, const Comparison& comparison, const std::vector<CardMeasure>& measures,
                     double share)
{
    return NicEvaluator(figures, segment, comparison, share).run(measures);
}

} // namespace hw::asbuilt
