// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/state.h"

#include "core/derived/figures/feeder_size.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hw::emulation {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr int kOffTheBus = 79;     // XID of a GPU that does not answer any more (NVIDIA, Xid Errors)
constexpr double kGpuShare = 0.75; // of a server's power, in its GPUs (assumed)
constexpr double kSag = 0.015;     // of the voltage, at design load (assumed)
constexpr double kUsualKpa = 100;  // where neither catalog nor network says it (assumed)

double percent(double share) { return std::clamp(share, 0.0, 1.0) * 100; }

} // namespace

double Hall::State::voltsOf(DeviceId id) const
{
    if (!electric.energized(id)) return 0;
    const DeviceSpec& spec = m->parts->device(m->s->devices.type[id]);
    const PowerElement element = spec.power.element;
    const double nominal = takesDirectCurrent(spec)                                                  ? kDirectVolts
                           : element == PowerElement::Utility || element == PowerElement::Switchgear ? mediumV
                                                                                                     : phaseV * std::numbers::sqrt3;
    const double design = toWatts(m->chain->load(id)), load = toWatts(electric.flow().intake[id.value].total());
    return nominal * (1 - kSag * (design > 0 ? std::min(2.0, load / design) : 0));
}

double Hall::State::powerFactor(DeviceId id) const { return takesDirectCurrent(m->parts->device(m->s->devices.type[id])) ? 1 : siteFactor; }

double Hall::State::ofPower(const Sensor& sensor) const
{
    using enum Reading;
    const DeviceId id(sensor.entity.id);
    const power::Phases& intake = electric.flow().intake[id.value];
    const double watts = toWatts(intake.total()), volts = voltsOf(id), factor = powerFactor(id);
    const auto amperes = [&](double w) { return volts > 0 ? w / factor / (volts / std::numbers::sqrt3) : 0; }; // of one phase
    const bool direct = takesDirectCurrent(m->parts->device(m->s->devices.type[id]));
    switch (sensor.reading) {
    case ActivePower: return watts;
    case ApparentPower: return watts / factor;
    case Current: return direct ? (volts > 0 ? watts / volts : 0) : amperes(watts / 3);
    case PhaseCurrent: return amperes(double(intake.mw[std::size_t(sensor.part - 1)]) / 1000);
    case Voltage: return volts;
    case PowerFactor: return volts > 0 ? factor : 0;
    case Frequency: return volts > 0 ? 50 : 0;
    case StateOfCharge: return 100 * electric.charge(id);
    case Status: return !faults.isFailed(id) && !electric.tripped(id) && (elementOf(*m, id) == PowerElement::Generator || electric.live(id)) ? 1 : 0;
    default: return kNothing;
    }
}

double Hall::State::ofRack(const Sensor& sensor) const
{
    using enum Reading;
    const RackId id(sensor.entity.id);
    if (sensor.reading == ActivePower) return double(rackMw[id.value]) / 1000;
    if (sensor.reading == Leak) return faults.leaks(sensor.entity) ? 1 : 0;
    if (sensor.reading == AirInlet || sensor.reading == AirOutlet) {
        const HallId hall = m->s->rows.hall[m->s->racks.row[id]];
        const CoolingChain& chain = thermal.chain();
        const std::int32_t loop = hall.value < chain.airOf.size() ? chain.airOf[hall.value] : -1;
        const double inlet = loop >= 0 ? chain.loops[std::size_t(loop)].supplyC + thermal.loops()[std::size_t(loop)].risesK : chain.at.airSupplyC;
        const double design = toWatts(m->figures->get<PowerNode>().rack(id).at(m->basis));
        return sensor.reading == AirInlet ? inlet : inlet + (design > 0 ? chain.at.airDeltaK * ofRack({sensor.entity, ActivePower}) / design : 0);
    }
    double heat = 0, lpm = 0, supply = 0, usual = 0, kpa = 0, warm = 0, wlk = 0;
    for (const std::uint32_t t : takersOfRack[id.value]) {
        const auto& taker = thermal.takers()[t];
        const CooledLoad& design = thermal.chain().takers[t];
        heat += taker.outW, lpm += taker.lpm, supply = taker.supplyC, usual += std::max(design.lpm, design.leastLpm);
        kpa = std::max(kpa, design.lossKpa), warm = std::max(warm, taker.returnC), wlk = thermal.chain().loops[std::size_t(design.loop)].wattsPerLpmK;
    }
    switch (sensor.reading) {
    case SupplyTemperature: return supply;
    case ReturnTemperature: return lpm > 0 && wlk > 0 ? supply + heat / (lpm * wlk) : warm;
    case Flow: return lpm;
    case DifferentialPressure: return (kpa > 0 ? kpa : kUsualKpa) * (usual > 0 ? (lpm / usual) * (lpm / usual) : 0);
    default: return kNothing;
    }
}

double Hall::State::ofPump(const Sensor& sensor) const
{
    const DeviceId id(sensor.entity.id);
    const std::int32_t u = thermal.chain().unitOf[id.value];
    const auto& unit = thermal.units()[std::size_t(u)];
    if (!unit.works || faults.pumpFailed(id, sensor.part - 1)) return 0;
    if (thermal.chain().units[std::size_t(u)].element == CoolingElement::Pump) return 70;
    const int pumps = std::max(1, m->parts->device(m->s->devices.type[id]).cooling.pumps), left = pumps - faults.failedPumps(id);
    return percent(unit.speed * double(pumps) / std::max(1, left) * 0.85);
}

double Hall::State::ofUnit(const Sensor& sensor) const
{
    using enum Reading;
    const DeviceId id(sensor.entity.id);
    const auto u = std::size_t(thermal.chain().unitOf[id.value]);
    const auto& unit = thermal.units()[u];
    const CoolingUnit& design = thermal.chain().units[u];
    const bool far = sensor.part == 1;
    switch (sensor.reading) {
    case Status:
    case Available: return unit.works ? 1 : 0;
    case Leak: return faults.leaks(sensor.entity) ? 1 : 0;
    case SupplyTemperature: return far ? unit.takesInC : unit.supplyC;
    case ReturnTemperature: return far ? unit.takesOutC : unit.returnC;
    case AirInlet: return unit.supplyC;
    case AirOutlet: return unit.returnC;
    case Flow: return far ? unit.takesLpm : unit.lpm;
    case AirFlow: return unit.lpm;
    case ValvePosition:
        if (unit.works && unit.dry) return 100; // it asks for all
        return design.takesLpm > 0 ? percent(unit.takesLpm / design.takesLpm / 1.25) : unit.works ? 50 : 0;
    case FanSpeed: return unit.works ? percent(unit.speed) : 0;
    case PumpSpeed: return ofPump(sensor);
    case DifferentialPressure: {
        const double share = design.lpm > 0 ? unit.lpm / design.lpm : 0;
        return (design.neededKpa > 0 ? design.neededKpa : kUsualKpa) * share * share;
    }
    default: return kNothing;
    }
}

double Hall::State::ofGpu(const Sensor& sensor) const
{
    using enum Reading;
    const DeviceId id(sensor.entity.id);
    const std::uint32_t host = hostOf[id.value];
    if (host == ~0u || !up[id.value]) return kNothing; // nobody answers
    const double watts = toWatts(electric.flow().intake[id.value].total());
    if (sensor.reading == HostPower) return watts;
    if (sensor.reading != GpuXid && faults.xid(id, sensor.part) == kOffTheBus) return kNothing;
    const int gpus = m->gpus[id.value];
    const double spread = 1 + 0.02 * std::cos(double(id.value) + 2 * std::numbers::pi * sensor.part / gpus); // sums to one each
    switch (sensor.reading) {
    case GpuPower: return watts * kGpuShare / gpus * spread;
    case GpuTemperature: return gpuC[host] + 40 * (spread - 1);
    case GpuUtilization: return percent(jobs.load(host) > 0.05 ? 0.2 + 0.8 * jobs.load(host) : 0); // one that is slowed down is no less busy
    case GpuXid: return faults.xid(id, sensor.part);
    default: return kNothing;
    }
}

double Hall::State::ofPort(const Sensor& sensor) const
{
    using enum Reading;
    const PortId port(sensor.entity.id);
    if (!up[m->s->ports.device[port].value]) return kNothing;
    switch (sensor.reading) {
    case ReceivedOctets: return ports.received(port);
    case SentOctets: return ports.sent(port);
    case ReceiveErrors: return ports.errors(port);
    case ReceiveDrops: return ports.drops(port);
    case LinkUp: return ports.up(port) ? 1 : 0;
    case LinkRate: return ports.rateBps(port);
    case LinkLanes: return ports.lanes(port);
    case LinkChanges: return ports.changes(port);
    case Retransmits: return ports.retransmits(port, sensor.part == 0);
    default: return kNothing;
    }
}

double Hall::State::ofHall(const Sensor& sensor) const
{
    const auto loop = std::size_t(thermal.chain().airOf[sensor.entity.id]);
    const double rises = thermal.loops()[loop].risesK;
    return sensor.reading == Reading::AirInlet ? thermal.chain().loops[loop].supplyC + rises : std::max(5.0, 45 - 1.5 * rises);
}

double Hall::State::truth(SensorNo no) const
{
    const Sensor& sensor = list.sensors[no];
    switch (sensor.entity.kind) {
    case EntityKind::Rack: return ofRack(sensor);
    case EntityKind::Hall: return ofHall(sensor);
    case EntityKind::Port: return ofPort(sensor);
    case EntityKind::Device: break;
    default: return double(options.startMs + now);
    }
    if (sensor.reading >= Reading::GpuPower && sensor.reading <= Reading::HostPower) return ofGpu(sensor);
    return isPower(*m, DeviceId(sensor.entity.id)) ? ofPower(sensor) : ofUnit(sensor);
}

/// With the noise of this moment, in the steps in which the sensor reads.
double Hall::State::measured(SensorNo no, double value) const
{
    const SensorKind& kind = kindOf(list.sensors[no].reading);
    if (options.noise > 0 && (kind.relative > 0 || kind.absolute > 0) && value != 0) {
        std::uint64_t z = options.seed * 0x9e3779b97f4a7c15ULL + no * 0xd1342543de82ef95ULL + std::uint64_t(now) * 0x2545f4914f6cdd1dULL;
        double sum = 0; // of three even ones: near enough to a bell, and never far off
        for (int i = 0; i < 3; ++i) {
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
            z ^= z >> 31;
            sum += double(z >> 11) * 0x1p-53 * 2 - 1;
        }
        value += options.noise * sum * (kind.relative * std::abs(value) + kind.absolute);
    }
    if (kind.share) value = std::clamp(value, 0.0, 100.0);
    if (kind.step <= 0) return value;
    const double parts = std::round(1 / kind.step); // so that it is the nearest to a short decimal number
    return parts >= 1 ? std::round(value * parts) / parts : std::round(value / kind.step) * kind.step;
}

} // namespace hw::emulation
