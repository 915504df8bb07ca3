// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/state.h"

#include "core/derived/cooling/reading.h"
#include "simulation/random.h"

#include <algorithm>
#include <cmath>

namespace hw::emulation {

namespace {

/// Adds sensors in groups.
class Lister {
public:
    Lister(const impact::Model& model, const Options& options, SensorList& out) : m(model), m_options(options), m_out(out) {}

    void begin() { m_first = SensorNo(m_out.sensors.size()); }
    void add(EntityRef entity, Reading reading, int part = 0) { m_out.sensors.push_back({entity, reading, std::uint8_t(part)}); }
    /// `seconds` between two readings, 0: every step; groups of one pace take turns.
    void end(double seconds)
    {
        const auto count = SensorNo(m_out.sensors.size()) - m_first;
        if (count == 0) return;
        const std::int64_t every = std::llround(seconds * 1000);
        m_out.groups.push_back({m_first, count, every, every > 0 ? std::int64_t(m_turn++ * 7919 % std::uint64_t(every)) : 0});
    }

    /// Of meters of the facility: at every step, or as they are polled.
    void endMeters()
    {
        const std::int64_t from = std::llround(m_options.metersFromS), to = std::llround(m_options.metersToS);
        if (m_options.metersFromS <= 0) return end(0);
        const std::size_t before = m_out.groups.size();
        sim::Random random(m_options.seed, 0x6d657465 + m_meters++);
        end(to > from ? double(from + std::int64_t(random.uniform() * double(to - from + 1))) : m_options.metersFromS);
        if (m_out.groups.size() == before) return;
        Group& group = m_out.groups.back();
        group.polled = true, group.offsetMs = std::int64_t(random.uniform() * double(group.everyMs));
    }

    void rack(RackId id, bool liquid)
    {
        using enum Reading;
        begin();
        for (const Reading r : {ActivePower, AirInlet, AirOutlet}) add(ref(id), r);
        if (liquid)
            for (const Reading r : {SupplyTemperature, ReturnTemperature, Flow, DifferentialPressure, Leak}) add(ref(id), r);
        endMeters();
    }
    void power(DeviceId id)
    {
        using enum Reading;
        const PowerElement element = elementOf(m, id);
        const bool small = element == PowerElement::Pdu || element == PowerElement::Shelf;
        begin();
        for (const Reading r : {ActivePower, Voltage, Current}) add(ref(id), r);
        const bool direct = takesDirectCurrent(m.parts->device(m.s->devices.type[id])); // it has neither phases nor a frequency
        for (int phase = 1; phase <= 3 && !direct; ++phase) add(ref(id), PhaseCurrent, phase);
        if (!small && !direct)
            for (const Reading r : {ApparentPower, PowerFactor, Frequency}) add(ref(id), r);
        if (element == PowerElement::Ups || element == PowerElement::Generator || element == PowerElement::StaticSwitch) add(ref(id), Status);
        if (element == PowerElement::Ups && m.plant->batteryOf[id.value] != impact::Plant::kNoBattery) add(ref(id), StateOfCharge);
        endMeters();
    }
    void unit(const CoolingUnit& unit)
    {
        using enum Reading;
        const EntityRef entity = ref(unit.device);
        const CoolingSpec& spec = m.parts->device(m.s->devices.type[unit.device]).cooling;
        begin();
        if (cooling::movesAir(unit.element)) {
            for (const Reading r : {AirInlet, AirOutlet, AirFlow, FanSpeed, Status}) add(entity, r);
            if (unit.takes >= 0) add(entity, ValvePosition);
        } else if (unit.element == CoolingElement::Pump) {
            add(entity, PumpSpeed, 1), add(entity, Available);
        } else if (cooling::partsLoops(unit.element)) {
            for (const Reading r : {SupplyTemperature, ReturnTemperature, Flow}) add(entity, r, 0);
            if (unit.takes >= 0)
                for (const Reading r : {SupplyTemperature, ReturnTemperature, Flow}) add(entity, r, 1);
            if (unit.element == CoolingElement::Cdu) {
                for (const Reading r : {DifferentialPressure, ValvePosition, Leak}) add(entity, r);
                for (int pump = 1; pump <= std::max(1, spec.pumps); ++pump) add(entity, PumpSpeed, pump);
            }
            if (unit.element == CoolingElement::DryCooler || unit.element == CoolingElement::Tower) add(entity, FanSpeed);
            if (unit.element != CoolingElement::Exchanger) add(entity, Status);
        }
        endMeters();
    }
    void header(const CoolingUnit& unit)
    {
        begin();
        add(ref(unit.device), Reading::Flow);
        endMeters();
    }
    /// What RDMA NICs count of packets that were lost on the way.
    void retransmits(std::span<const PortId> ports)
    {
        begin();
        for (const PortId port : ports) {
            const auto network = m.s->ports.network[port];
            const bool host = m.s->tiers.kind[m.s->devices.tier[m.s->ports.device[port]]] == TierKind::Server;
            if (!host || !network || m.s->networks.kind[*network] != NetworkKind::Backend) continue;
            for (const int part : {0, 1}) add(ref(port), Reading::Retransmits, part);
        }
        end(3 * m_options.pollS);
    }
    void gpus(DeviceId id, int count)
    {
        using enum Reading;
        begin();
        add(ref(id), HostPower);
        for (int gpu = 0; gpu < count; ++gpu)
            for (const Reading r : {GpuPower, GpuTemperature, GpuUtilization, GpuXid}) add(ref(id), r, gpu);
        end(m_options.pollS);
    }
    void ports(std::span<const PortId> ports)
    {
        using enum Reading;
        begin();
        for (const PortId port : ports) {
            for (const Reading r : {ReceivedOctets, SentOctets, ReceiveErrors, ReceiveDrops, LinkUp, LinkRate, LinkLanes}) add(ref(port), r);
            if (m.s->tiers.kind[m.s->devices.tier[m.s->ports.device[port]]] != TierKind::Switch) add(ref(port), LinkChanges); // IF-MIB counts none
        }
        end(3 * m_options.pollS);
    }

private:
    const impact::Model& m;
    const Options& m_options;
    SensorList& m_out;
    SensorNo m_first = 0;
    std::uint64_t m_turn = 0, m_meters = 0;
};

} // namespace

PowerElement elementOf(const impact::Model& model, DeviceId id) { return model.parts->device(model.s->devices.type[id]).power.element; }

bool isPower(const impact::Model& model, DeviceId id)
{
    return model.s->tiers.kind[model.s->devices.tier[id]] == TierKind::Power && elementOf(model, id) != PowerElement::None;
}

SensorList SensorList::of(const impact::Model& model, const CoolingChain& chain, const std::vector<PortId>& linked, const Options& options)
{
    SensorList out;
    Lister lister(model, options, out);
    const Snapshot& s = *model.s;
    if (options.facility) {
        lister.begin();
        lister.add({}, Reading::Heartbeat);
        lister.end(10);
        s.halls.forEach([&](HallId id) {
            if (id.value >= chain.airOf.size() || chain.airOf[id.value] < 0) return;
            lister.begin();
            lister.add(ref(id), Reading::AirInlet), lister.add(ref(id), Reading::Humidity);
            lister.endMeters();
        });
        std::vector<char> liquid(s.racks.nextId(), 0);
        for (const CooledLoad& taker : chain.takers)
            if (taker.rack && taker.loop >= 0) liquid[(*taker.rack).value] = 1;
        s.racks.forEach([&](RackId id) { lister.rack(id, liquid[id.value] != 0); });
        s.devices.forEach([&](DeviceId id) {
            if (isPower(model, id)) lister.power(id);
        });
        for (const CoolingUnit& unit : chain.units) lister.unit(unit);
    }
    if (options.gpus)
        s.devices.forEach([&](DeviceId id) {
            if (model.gpus[id.value] > 0 && s.tiers.kind[s.devices.tier[id]] == TierKind::Server) lister.gpus(id, model.gpus[id.value]);
        });
    const auto ofEachDevice = [&](void (Lister::*list)(std::span<const PortId>)) {
        for (std::size_t at = 0; at < linked.size();) {
            const DeviceId id = s.ports.device[linked[at]];
            std::size_t end = at;
            while (end < linked.size() && s.ports.device[linked[end]] == id) ++end;
            (lister.*list)(std::span(linked).subspan(at, end - at));
            at = end;
        }
    };
    if (options.ports) ofEachDevice(&Lister::ports);
    if (options.facility)
        for (const CoolingUnit& unit : chain.units)
            if (unit.element == CoolingElement::Header && unit.lpm > 0) lister.header(unit);
    if (options.ports) ofEachDevice(&Lister::retransmits);
    return out;
}

const SensorKind& kindOf(Reading reading)
{
    using enum Reading;
    static const SensorKind power{0.003, 0, 1}, current{0.003, 0, 0.1}, voltage{0.001, 0, 0.1}, factor{0, 0.002, 0.001}, hertz{0, 0.01, 0.01},
        percent{0, 0.3, 0.1, true}, liquid{0, 0.03, 0.01}, air{0, 0.1, 0.01}, flow{0.005, 0, 0.1}, pressure{0.01, 0, 0.1}, airFlow{0.01, 0, 0.001},
        gpuPower{0.01, 0, 0.001}, gpuC{0, 0.6, 1}, gpuShare{0, 1, 1, true}, charge{0, 0, 0.1, true}, plain{};
    switch (reading) {
    case ActivePower:
    case ApparentPower:
    case HostPower: return power;
    case Current:
    case PhaseCurrent: return current;
    case Voltage: return voltage;
    case PowerFactor: return factor;
    case Frequency: return hertz;
    case ValvePosition:
    case PumpSpeed:
    case FanSpeed:
    case Humidity: return percent;
    case SupplyTemperature:
    case ReturnTemperature: return liquid;
    case AirInlet:
    case AirOutlet: return air;
    case Flow: return flow;
    case DifferentialPressure: return pressure;
    case AirFlow: return airFlow;
    case GpuPower: return gpuPower;
    case GpuTemperature: return gpuC;
    case GpuUtilization: return gpuShare;
    case StateOfCharge: return charge;
    case Status:
    case Available:
    case Leak:
    case GpuXid:
    case ReceivedOctets:
    case SentOctets:
    case ReceiveErrors:
    case ReceiveDrops:
    case LinkUp:
    case LinkRate:
    case LinkLanes:
    case LinkChanges:
    case Retransmits:
    case Heartbeat: break;
    }
    return plain;
}

} // namespace hw::emulation
