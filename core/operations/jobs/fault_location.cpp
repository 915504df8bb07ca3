// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/fault_location.h"

#include "core/derived/figures/figures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace hw::jobs {

namespace {

using bindings::Measure;
using monitoring::DeviationKind;

constexpr std::array kDimensions{DeviationKind::NoConnection, DeviationKind::WrongSetting, DeviationKind::PacketLoss, DeviationKind::LowPerformance};

/// Which of the four a reading would show.
std::optional<DeviationKind> shownBy(Measure measure)
{
    switch (measure) {
    case Measure::LinkUp: return DeviationKind::NoConnection;
    case Measure::LinkRate: return DeviationKind::WrongSetting;
    case Measure::Errors:
    case Measure::Drops:
    case Measure::Retransmits: return DeviationKind::PacketLoss;
    case Measure::LinkLanes:
    case Measure::Utilization: return DeviationKind::LowPerformance;
    default: return std::nullopt;
    }
}

/// What belongs to the equipment that was asked about.
class Scope {
public:
    Scope(const Figures& f, const std::vector<EntityRef>& equipment) : m_f(f), m_s(*f.snapshot)
    {
        for (const EntityRef one : equipment) {
            if (one.kind == EntityKind::Device) m_devices.insert(DeviceId(one.id));
            if (one.kind == EntityKind::Port && m_s.ports.contains(PortId(one.id))) m_ports.insert(PortId(one.id));
            if (one.kind == EntityKind::Link) addLink(LinkId(one.id));
            if (one.kind == EntityKind::Cable && m_s.cables.contains(CableId(one.id)))
                for (const LinkId link : m_f.cabling->linksOf(CableId(one.id))) addLink(link);
        }
    }
    [[nodiscard]] bool holds(EntityRef entity) const
    {
        switch (entity.kind) {
        case EntityKind::Device: return m_devices.contains(DeviceId(entity.id));
        case EntityKind::Port: return holdsPort(PortId(entity.id));
        case EntityKind::Link: return holdsLink(LinkId(entity.id));
        case EntityKind::Cable:
            if (!m_s.cables.contains(CableId(entity.id))) return false;
            return std::ranges::any_of(m_f.cabling->linksOf(CableId(entity.id)), [&](LinkId link) { return holdsLink(link); });
        default: return false;
        }
    }
    [[nodiscard]] bool holds(DeviceId device) const { return m_devices.contains(device); }
    [[nodiscard]] const std::set<DeviceId>& devices() const { return m_devices; }
    [[nodiscard]] std::size_t links() const
    {
        std::size_t n = 0;
        m_s.links.forEach([&](LinkId link) { n += holdsLink(link); });
        return n;
    }

private:
    void addLink(LinkId link)
    {
        if (m_s.links.contains(link)) m_ports.insert(m_s.links.from[link]), m_ports.insert(m_s.links.to[link]);
    }
    [[nodiscard]] bool holdsPort(PortId port) const
    {
        return m_s.ports.contains(port) && (m_ports.contains(port) || m_devices.contains(m_s.ports.device[port]));
    }
    [[nodiscard]] bool holdsLink(LinkId link) const
    {
        return m_s.links.contains(link) && (holdsPort(m_s.links.from[link]) || holdsPort(m_s.links.to[link]));
    }
    const Figures& m_f;
    const Snapshot& m_s;
    std::set<DeviceId> m_devices;
    std::set<PortId> m_ports;
};

/// What a device reaches over a network by way of switches, as designed and with links lost.
class Reach {
public:
    Reach(const Snapshot& s, const impact::NetworkLoss& lost) : m_s(s), m_lost(lost), m_links(s.devices.nextId()), m_seen(s.devices.nextId())
    {
        s.links.forEach([&](LinkId link) {
            const PortId from = s.links.from[link], to = s.links.to[link];
            if (s.ports.medium[from] != Medium::Data) return;
            m_links[s.ports.device[from].value].push_back(link), m_links[s.ports.device[to].value].push_back(link);
        });
    }
    [[nodiscard]] std::vector<NetworkId> networksOf(DeviceId device) const
    {
        std::set<NetworkId> out;
        for (const LinkId link : m_links[device.value])
            if (const auto network = m_s.ports.network[nearEnd(link, device)]) out.insert(*network);
        return {out.begin(), out.end()};
    }
    /// Devices other than switches.
    [[nodiscard]] std::size_t count(DeviceId from, NetworkId network, bool whole)
    {
        ++m_mark;
        std::vector<DeviceId> open{from};
        m_seen[from.value] = m_mark;
        std::size_t ends = 0;
        for (std::size_t i = 0; i < open.size(); ++i) {
            const DeviceId device = open[i];
            const bool isSwitch = m_s.tiers.kind[m_s.devices.tier[device]] == TierKind::Switch;
            if (i > 0 && !isSwitch) {
                ++ends;
                continue;
            }
            for (const LinkId link : m_links[device.value]) {
                const PortId near = nearEnd(link, device);
                const auto of = m_s.ports.network[near];
                if (i == 0 && (!of || *of != network)) continue;
                if (of && isManagement(*of) != isManagement(network)) continue; // management ports of switches are no way
                if (!whole && std::ranges::binary_search(m_lost.links, link)) continue;
                const DeviceId far = m_s.ports.device[near == m_s.links.from[link] ? m_s.links.to[link] : m_s.links.from[link]];
                if (std::exchange(m_seen[far.value], m_mark) != m_mark) open.push_back(far);
            }
        }
        return ends;
    }

private:
    [[nodiscard]] PortId nearEnd(LinkId link, DeviceId device) const
    {
        return m_s.ports.device[m_s.links.from[link]] == device ? m_s.links.from[link] : m_s.links.to[link];
    }
    [[nodiscard]] bool isManagement(NetworkId network) const { return m_s.networks.kind[network] == NetworkKind::Management; }
    const Snapshot& m_s;
    const impact::NetworkLoss& m_lost;
    std::vector<std::vector<LinkId>> m_links; ///< by device
    std::vector<std::uint32_t> m_seen;        ///< by device: the last search that came there
    std::uint32_t m_mark = 0;
};

} // namespace

FaultLocation locateFault(const Figures& design, const std::vector<EntityRef>& equipment, const monitoring::Frame* frame,
                          const std::vector<JobState>& jobs, const impact::NetworkLoss& lost)
{
    const Scope scope(design, equipment);
    FaultLocation out;
    out.links = scope.links();
    for (std::size_t i = 0; i < kDimensions.size(); ++i) out.dimensions[i].kind = kDimensions[i];
    const auto of = [&](DeviationKind kind) { return std::ranges::find(out.dimensions, kind, &FaultLocation::Dimension::kind); };
    bool cutOff = false;
    if (!lost.links.empty()) {
        const Snapshot& s = *design.snapshot;
        Reach reach(s, lost);
        for (const DeviceId device : scope.devices())
            for (const NetworkId network : reach.networksOf(device)) {
                const std::size_t whole = reach.count(device, network, true), left = reach.count(device, network, false);
                if (left >= whole) continue;
                cutOff = true;
                of(DeviationKind::NoConnection)
                    ->found.emplace_back(ref(device), i18n("network {}: {:L} of {:L} devices reachable", s.networks.name[network], std::int64_t(left),
                                                           std::int64_t(whole)));
            }
    }
    if (frame) {
        for (const auto& one : frame->deviations)
            if (const auto dimension = of(one.kind); dimension != out.dimensions.end() && scope.holds(one.entity))
                dimension->found.emplace_back(one.entity, one.what);
        for (const auto& alarm : frame->alarms)
            if (alarm.clearedMs == 0 && alarm.cause &&
                (scope.holds(alarm.cause) || std::ranges::any_of(alarm.symptoms, [&](EntityRef one) { return scope.holds(one); }) ||
                 (cutOff && alarm.kind == monitoring::AlarmKind::Cause)))
                out.alarms.push_back({alarm.cause, alarm.what, {}});
        if (frame->bound)
            for (std::size_t p = 0; p < std::min(frame->bound->points.size(), frame->values.size()); ++p) {
                const bindings::Point& point = frame->bound->points[p];
                const auto kind = shownBy(point.measure);
                if (kind && !std::isnan(frame->values[p]) && !bindings::isSetpoint(point) && scope.holds(point.entity)) ++of(*kind)->readings;
            }
    }
    for (const JobState& job : jobs) {
        const bool uses = std::ranges::any_of(job.hosts, [&](DeviceId host) { return scope.holds(host); });
        for (const JobCause& cause : job.causes) {
            if (cause.entity ? !scope.holds(cause.entity) : !uses) continue;
            out.causes.push_back({cause.entity, cause.what, cause.remedy});
            if (cause.entity) // what ranks show is a reading as well
                of(DeviationKind::LowPerformance)
                    ->found.emplace_back(cause.entity, i18n("slows the training job {} by {:.3g} s per iteration", job.name, cause.extraS));
        }
    }
    return out;
}

std::vector<EntityRef> equipmentOf(const Figures& design, const JobState& job)
{
    const Snapshot& s = *design.snapshot;
    const std::set<DeviceId> hosts(job.hosts.begin(), job.hosts.end());
    std::set<DeviceId> access;
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        const auto network = s.ports.network[from];
        if (s.ports.medium[from] != Medium::Data || !network || s.networks.kind[*network] != NetworkKind::Backend) return;
        for (const auto& [near, far] : {std::pair(s.ports.device[from], s.ports.device[to]), std::pair(s.ports.device[to], s.ports.device[from])})
            if (hosts.contains(near) && s.tiers.kind[s.devices.tier[far]] == TierKind::Switch) access.insert(far);
    });
    std::vector<EntityRef> out;
    for (const DeviceId device : hosts) out.push_back(ref(device));
    for (const DeviceId device : access) out.push_back(ref(device));
    return out;
}

} // namespace hw::jobs
