// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/fault_location.h"

#include "core/derived/figures/figures.h"

#include <algorithm>
#include <cmath>
#include <set>

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

} // namespace

FaultLocation locateFault(const Figures& design, const std::vector<EntityRef>& equipment, const monitoring::Frame* frame,
                          const std::vector<JobState>& jobs)
{
    const Scope scope(design, equipment);
    FaultLocation out;
    out.links = scope.links();
    for (std::size_t i = 0; i < kDimensions.size(); ++i) out.dimensions[i].kind = kDimensions[i];
    const auto of = [&](DeviationKind kind) { return std::ranges::find(out.dimensions, kind, &FaultLocation::Dimension::kind); };
    if (frame) {
        for (const auto& one : frame->deviations)
            if (const auto dimension = of(one.kind); dimension != out.dimensions.end() && scope.holds(one.entity))
                dimension->found.emplace_back(one.entity, one.what);
        for (const auto& alarm : frame->alarms)
            if (alarm.cause && scope.holds(alarm.cause)) out.alarms.push_back({alarm.cause, alarm.what, {}});
        if (frame->bound)
            for (std::size_t p = 0; p < std::min(frame->bound->points.size(), frame->values.size()); ++p) {
                const bindings::Point& point = frame->bound->points[p];
                const auto kind = shownBy(point.measure);
                if (kind && !std::isnan(frame->values[p]) && !bindings::isSetpoint(point) && scope.holds(point.entity)) ++of(*kind)->readings;
            }
    }
    for (const JobState& job : jobs) {
        const bool uses = std::ranges::any_of(job.hosts, [&](DeviceId host) { return scope.holds(host); });
        for (const JobCause& cause : job.causes)
            if (cause.entity ? scope.holds(cause.entity) : uses) out.causes.push_back({cause.entity, cause.what, cause.remedy});
    }
    return out;
}

} // namespace hw::jobs
