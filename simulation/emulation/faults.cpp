// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/faults.h"

#include "core/design/edit/edits.h"
#include "simulation/random.h"

#include <algorithm>

namespace hw::emulation {

namespace {

const std::string kNotRenamed;

bool atPorts(Verb verb) { return verb == Verb::Degrade || verb == Verb::DropPackets || verb == Verb::Misconfigure; }
bool ofSensors(Verb verb)
{
    return (verb >= Verb::SensorStuck && verb <= Verb::RenameChannel) || verb == Verb::SensorScale || verb == Verb::SensorDrift;
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
    if (failing.entity.kind == EntityKind::Device && verb == Verb::DropPackets) { // a switch drops at all of its ports
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
    sim::Random random(m_seed, 77);
    for (SensorNo i = 0; i < m_all.size(); ++i) {
        const bool its = entity && m_all[i].entity == *entity && (!deed.reading || m_all[i].reading == *deed.reading) &&
                         (!deed.part || m_all[i].part == std::uint8_t(*deed.part)) && (deed.verb != Verb::Leak || m_all[i].reading == Reading::Leak);
        if (entity ? its : random.uniform() * 100 < deed.percent.value_or(0) && (!deed.reading || m_all[i].reading == *deed.reading))
            out.sensors.push_back(i);
    }
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
    m_sensors.clear(), m_renamed.clear(), m_silent = 0;
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
        }
        if (!ofSensors(deed.verb)) continue;
        for (const SensorNo no : held.sensors) {
            if (deed.verb == RenameChannel) {
                m_renamed[no] = deed.to.empty() ? "-new" : deed.to;
                continue;
            }
            SensorFault fault{kindOf(deed.verb), deed.by.value_or(0), {}, {}};
            if (const auto was = before.find(no); was != before.end() && was->second.kind == fault.kind)
                fault.stuckAt = was->second.stuckAt, fault.sinceMs = was->second.sinceMs;
            m_sensors[no] = fault;
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

const std::string& Faults::renamed(SensorNo no) const
{
    const auto found = m_renamed.find(no);
    return found == m_renamed.end() ? kNotRenamed : found->second;
}

} // namespace hw::emulation
