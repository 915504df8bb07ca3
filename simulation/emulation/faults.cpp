// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/faults.h"

#include "core/design/edit/edits.h"
#include "simulation/random.h"

#include <algorithm>
#include <cmath>

namespace hw::emulation {

namespace {

const std::string kNotRenamed;

bool atPorts(Verb verb) { return verb == Verb::Degrade || verb == Verb::DropPackets || verb == Verb::SilentLoss || verb == Verb::Misconfigure; }
bool ofSensors(Verb verb)
{
    return (verb >= Verb::SensorStuck && verb <= Verb::RenameChannel) || verb == Verb::SensorScale || verb == Verb::SensorDrift ||
           verb >= Verb::SensorNan;
}

SensorFault::Kind kindOf(Verb verb)
{
    using enum SensorFault::Kind;
    switch (verb) {
    case Verb::SensorStuck: return Stuck;
    case Verb::SensorMissing: return Missing;
    case Verb::SensorJump: return Jump;
    case Verb::SensorScale: return Scale;
    case Verb::SensorDrift: return Drift;
    case Verb::SensorNan: return Nan;
    case Verb::ResetCounters: return Reset;
    default: return Offset;
    }
}
bool isData(const Snapshot& s, LinkId link) { return s.ports.medium[s.links.from[link]] == Medium::Data; }

} // namespace

Faults::Faults(const impact::Model& model, const std::vector<Sensor>& sensors, std::uint64_t seed)
    : m_model(model), m_all(sensors), m_seed(seed), m_failedDevice(model.s->devices.nextId(), 0), m_linkFailed(model.s->links.nextId(), 0),
      m_wrong(sensors.size(), 0), m_links(model.s->links.nextId()), m_speed(model.s->devices.nextId(), 1), m_clogged(model.s->devices.nextId(), 1),
      m_overload(model.s->devices.nextId(), 0), m_phase(model.s->devices.nextId(), 0)
{
}

std::vector<std::uint32_t> Faults::linksOf(const impact::Failing& failing, Verb verb) const
{
    std::vector<std::uint32_t> out;
    const Snapshot& s = *m_model.s;
    if (failing.entity.kind == EntityKind::Device && (verb == Verb::DropPackets || verb == Verb::SilentLoss)) { // a switch drops at all of its ports
        for (const PortId port : m_model.index->portsOfDevice[failing.entity.id])
            if (const auto link = m_model.index->linkOf(port); link && isData(s, *link)) out.push_back((*link).value);
        return out;
    }
    if (failing.entity.kind == EntityKind::Device) return out;
    for (const LinkId link : impact::failedBy(m_model, {&failing, 1}).links)
        if (isData(s, link)) out.push_back(link.value);
    return out;
}

/// What a clog slows down: manifolds and devices that take coolant, units that move it; what an overload loads.
std::vector<std::uint32_t> Faults::devicesOf(EntityRef entity, Verb verb) const
{
    const Snapshot& s = *m_model.s;
    const CoolingChain& chain = *m_model.coolant.chain;
    std::vector<std::uint32_t> out;
    const auto its = [&](DeviceId id) { return entity == ref(id) || (s.devices.rack[id] && entity == ref(*s.devices.rack[id])); };
    if (verb == Verb::Overload || verb == Verb::Replug) {
        s.devices.forEach([&](DeviceId id) {
            if (its(id) && m_model.chain->network[id.value].draw.count() > 0) out.push_back(id.value);
        });
        return out;
    }
    for (const CooledLoad& taker : chain.takers)
        if (taker.loop >= 0 && its(taker.device)) out.push_back(taker.device.value);
    for (const CoolingUnit& unit : chain.units)
        if (unit.parts() && unit.feeds >= 0 && entity == ref(unit.device)) out.push_back(unit.device.value);
    return out;
}

/// Ports belong to their device for what is wrong with an exporter as a whole.
std::vector<SensorNo> Faults::sensorsOf(const FaultAction& deed, EntityRef entity) const
{
    const bool whole = deed.verb == Verb::SensorSwap || deed.verb == Verb::ClockShift || deed.verb == Verb::ResetCounters;
    std::vector<SensorNo> out;
    for (SensorNo i = 0; i < m_all.size(); ++i) {
        const Sensor& sensor = m_all[i];
        const bool counter = (sensor.reading >= Reading::ReceivedOctets && sensor.reading <= Reading::ReceiveDrops) ||
                             sensor.reading == Reading::LinkChanges || sensor.reading == Reading::Retransmits;
        const bool its = sensor.entity == entity ||
                         (whole && sensor.entity.kind == EntityKind::Port && entity == ref(m_model.s->ports.device[PortId(sensor.entity.id)]));
        if (its && (!deed.reading || sensor.reading == *deed.reading) && (!deed.part || sensor.part == std::uint8_t(*deed.part)) &&
            (deed.verb != Verb::Leak || sensor.reading == Reading::Leak) && (deed.verb != Verb::ResetCounters || counter))
            out.push_back(i);
    }
    return out;
}

/// The same with one seed; a clock is that of all sensors of an entity.
std::vector<SensorNo> Faults::someOf(const FaultAction& deed) const
{
    std::vector<SensorNo> out;
    sim::Random random(m_seed, 77);
    bool last = false;
    for (SensorNo i = 0; i < m_all.size(); ++i) {
        if (deed.verb != Verb::ClockShift || i == 0 || m_all[i].entity != m_all[i - 1].entity)
            last = random.uniform() * 100 < deed.percent.value_or(0);
        if (last && (!deed.reading || m_all[i].reading == *deed.reading)) out.push_back(i);
    }
    return out;
}

/// Finds with which sensor each is exchanged; both ways.
Result<void> Faults::exchange(Resolved& out, const std::string& where) const
{
    const FaultAction& deed = out.deed;
    const auto other = edit::requireEntity(*m_model.s, *m_model.parts, deed.with);
    if (!other) return fail(ErrorCode::Refused, where, i18n("{}: {}", deed.with, other.error().what), other.error().todo);
    std::vector<SensorNo> others = sensorsOf(deed, *other);
    const auto alike = [&](SensorNo a, SensorNo b) { return m_all[a].reading == m_all[b].reading && m_all[a].part == m_all[b].part; };
    if (out.deed.entity == deed.with || !std::ranges::equal(out.sensors, others, alike))
        return fail(ErrorCode::Refused, where, i18n("{} and {} do not have the same sensors", deed.entity, deed.with),
                    i18n("specify two objects of one type, or a reading that both have"));
    std::vector<SensorNo> both = out.sensors;
    both.insert(both.end(), others.begin(), others.end());
    others.insert(others.end(), out.sensors.begin(), out.sensors.end());
    out.sensors = std::move(both), out.others = std::move(others);
    return {};
}

Result<Faults::Resolved> Faults::resolve(const FaultAction& deed, const std::string& where) const
{
    Resolved out;
    out.deed = deed;
    const auto refuse = [&](Text what, Text todo) { return fail(ErrorCode::Refused, where, std::move(what), std::move(todo)); };
    std::optional<EntityRef> entity;
    if (!deed.entity.empty()) {
        const auto failing = impact::findFailing(m_model, deed.entity);
        if (failing) {
            out.failing = *failing, entity = failing->entity;
        } else {
            const auto near = edit::requireEntity(*m_model.s, *m_model.parts, deed.entity); // names what is near
            if (!near) return refuse(i18n("{}: {}", deed.entity, near.error().what), near.error().todo);
            if (!ofSensors(deed.verb)) return refuse(i18n("{}: {}", deed.entity, failing.error().what), failing.error().todo);
            entity = *near;
        }
    }
    if (atPorts(deed.verb)) {
        out.links = linksOf(*out.failing, deed.verb);
        if (out.links.empty()) return refuse(i18n("{} has no data link", deed.entity), i18n("specify a port as DEVICE:PORT, a link or a cable"));
    }
    if ((deed.verb == Verb::Throttle || deed.verb == Verb::Xid) && (entity->kind != EntityKind::Device || m_model.gpus[entity->id] == 0))
        return refuse(i18n("{} has no GPUs", deed.entity), i18n("specify a GPU server"));
    if (deed.verb == Verb::Xid && deed.gpu.value_or(0) >= m_model.gpus[entity->id])
        return refuse(i18n("{} has no GPU {}", deed.entity, int(*deed.gpu)), i18n("use 0 to {}", int(m_model.gpus[entity->id]) - 1));
    if (deed.verb == Verb::Clog || deed.verb == Verb::Overload || deed.verb == Verb::Replug) {
        out.devices = devicesOf(*entity, deed.verb);
        if (out.devices.empty() && deed.verb == Verb::Clog)
            return refuse(i18n("{} has no coolant flow to reduce", deed.entity), i18n("specify a liquid-cooled rack or a CDU"));
        if (out.devices.empty()) return refuse(i18n("{} draws no power", deed.entity), i18n("specify a rack or a device"));
    }
    if (!ofSensors(deed.verb) && deed.verb != Verb::Leak) return out;
    out.sensors = entity ? sensorsOf(deed, *entity) : someOf(deed);
    if (deed.verb == Verb::SensorSwap && !out.sensors.empty())
        if (const auto found = exchange(out, where); !found) return tl::unexpected(found.error());
    if (!entity || !out.sensors.empty()) return out;
    if (deed.verb == Verb::Leak) return refuse(i18n("{} has no leak sensor", deed.entity), i18n("specify a liquid-cooled rack or a CDU"));
    return refuse(i18n("{} has no such sensor", deed.entity), i18n("omit the reading to select all its sensors, or specify another"));
}

void Faults::apply(Resolved resolved)
{
    if (resolved.deed.verb == Verb::Restore) {
        if (resolved.failing)
            std::erase_if(m_holds, [&](const Resolved& held) { return held.failing && held.failing->entity == resolved.failing->entity; });
        else
            m_holds.clear();
    } else {
        m_holds.push_back(std::move(resolved));
    }
    rework();
}

bool Faults::undo(const Resolved& resolved)
{
    const auto at = std::ranges::find_if(m_holds, [&](const Resolved& held) { return held.deed == resolved.deed; });
    if (at == m_holds.end()) return false;
    m_holds.erase(at);
    rework();
    return true;
}

void Faults::rework()
{
    ++m_revision;
    std::vector<impact::Failing> failing;
    for (auto* flags : {&m_failedDevice, &m_linkFailed, &m_wrong}) std::ranges::fill(*flags, 0);
    std::ranges::fill(m_links, DataPorts::Fault());
    std::ranges::fill(m_speed, 1.0), std::ranges::fill(m_clogged, 1.0), std::ranges::fill(m_overload, 0.0), std::ranges::fill(m_phase, 0);
    const auto before = std::move(m_sensors);
    m_sensors.clear(), m_renamed.clear(), m_readAs.clear(), m_clockMs.clear(), m_silent = 0;
    for (const Resolved& held : m_holds) {
        const FaultAction& deed = held.deed;
        using enum Verb;
        if (deed.verb == Fail) failing.push_back(*held.failing);
        if (deed.verb == Throttle) m_speed[held.failing->entity.id] = *deed.percent / 100;
        if (deed.verb == Gap) ++m_silent;
        for (const std::uint32_t d : held.devices) {
            if (deed.verb == Replug)
                m_phase[d] = std::uint8_t(*deed.phase);
            else
                (deed.verb == Clog ? m_clogged : m_overload)[d] = *deed.percent / 100;
        }
        for (const std::uint32_t l : held.links) {
            if (deed.lanes) m_links[l].lanes = *deed.lanes;
            if (deed.verb == Degrade && deed.gbps) m_links[l].throughGbps = *deed.gbps;
            if (deed.verb == Misconfigure) m_links[l].setGbps = *deed.gbps;
            if (deed.verb == DropPackets) m_links[l].lossShare = *deed.percent / 100;
            if (deed.verb == SilentLoss) m_links[l].silentShare = *deed.percent / 100;
        }
        if (!ofSensors(deed.verb)) continue;
        for (std::size_t i = 0; i < held.sensors.size(); ++i) {
            const SensorNo no = held.sensors[i];
            if (deed.verb == SensorSwap) m_readAs[no] = held.others[i];
            if (deed.verb == ClockShift) m_clockMs[no] += std::llround(*deed.by * 1000);
            if (deed.verb == SensorSwap || deed.verb == ClockShift) continue;
            if (deed.verb == RenameChannel) {
                m_renamed[no] = deed.to.empty() ? "-new" : deed.to;
                continue;
            }
            SensorFault fault{kindOf(deed.verb), deed.by.value_or(0), {}, {}};
            if (const auto was = before.find(no); was != before.end() && was->second.kind == fault.kind)
                fault.stuckAt = was->second.stuckAt, fault.sinceMs = was->second.sinceMs;
            SensorFault& now = m_sensors.try_emplace(no, fault).first->second;
            if (now.kind != SensorFault::Kind::Missing) now = fault; // what is silent stays so
            m_wrong[no] = 1;
        }
    }
    m_failed = impact::failedBy(m_model, failing);
    for (const DeviceId id : m_failed.devices) m_failedDevice[id.value] = 1;
    for (const LinkId id : m_failed.links) m_linkFailed[id.value] = 1;
}

int Faults::failedPumps(DeviceId id) const
{
    return int(std::ranges::count_if(m_failed.pumps, [&](const auto& pump) { return pump.first == id; }));
}

bool Faults::pumpFailed(DeviceId id, int pump) const
{
    return std::ranges::find(m_failed.pumps, std::pair(id, std::int16_t(pump))) != m_failed.pumps.end();
}

bool Faults::leaks(EntityRef entity) const
{
    return std::ranges::any_of(m_holds, [&](const Resolved& held) { return held.deed.verb == Verb::Leak && held.failing->entity == entity; });
}

int Faults::xid(DeviceId id, int gpu) const
{
    int code = 0;
    for (const Resolved& held : m_holds)
        if (held.deed.verb == Verb::Xid && held.failing->entity == ref(id) && int(held.deed.gpu.value_or(0)) == gpu) code = int(*held.deed.code);
    return code;
}

SensorNo Faults::readAs(SensorNo no) const
{
    const auto found = m_readAs.empty() ? m_readAs.end() : m_readAs.find(no);
    return found == m_readAs.end() ? no : found->second;
}

std::int64_t Faults::clockMs(SensorNo no) const
{
    const auto found = m_clockMs.empty() ? m_clockMs.end() : m_clockMs.find(no);
    return found == m_clockMs.end() ? 0 : found->second;
}

const std::string& Faults::renamed(SensorNo no) const
{
    const auto found = m_renamed.find(no);
    return found == m_renamed.end() ? kNotRenamed : found->second;
}

} // namespace hw::emulation
