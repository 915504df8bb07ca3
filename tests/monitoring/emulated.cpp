// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monitoring/emulated.h"

#include "core/design/template/template.h"
#include "simulation/emulation/fault_action.h"
#include "tests/emulation/pod_template.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

using namespace hw;
using emulation::Reading, bindings::Measure;

namespace {

struct Meaning {
    Measure measure = Measure::ActivePower;
    std::string element;
    double factor = 1;
    bool counter = false, known = true;
};

Meaning meaningOf(const emulation::Sensor& s)
{
    using enum Reading;
    const std::string side = s.part == 1 ? "primary" : "", number = std::to_string(int(s.part));
    const bool unit = s.entity.kind == EntityKind::Device; // air: what it blows out is called its inlet there
    switch (s.reading) {
    case ActivePower:
    case HostPower: return {Measure::ActivePower, ""};
    case ApparentPower: return {Measure::ApparentPower, ""};
    case Current: return {Measure::Current, ""};
    case PhaseCurrent: return {Measure::Current, "l" + number};
    case Voltage: return {Measure::Voltage, ""};
    case PowerFactor: return {Measure::PowerFactor, ""};
    case Frequency: return {Measure::Frequency, ""};
    case StateOfCharge: return {Measure::StateOfCharge, ""};
    case Status: return {Measure::Status, ""};
    case Available: return {Measure::Status, "available"};
    case SupplyTemperature: return {Measure::SupplyTemperature, side};
    case ReturnTemperature: return {Measure::ReturnTemperature, side};
    case Reading::Flow: return {Measure::Flow, side};
    case DifferentialPressure: return {Measure::DifferentialPressure, ""};
    case ValvePosition: return {Measure::ValvePosition, ""};
    case PumpSpeed: return {Measure::PumpSpeed, "pump" + number};
    case FanSpeed: return {Measure::FanSpeed, ""};
    case AirInlet: return {unit ? Measure::AirOutlet : Measure::AirInlet, ""};
    case AirOutlet: return {unit ? Measure::AirInlet : Measure::AirOutlet, ""};
    case AirFlow: return {Measure::AirFlow, ""};
    case Humidity: return {Measure::Humidity, ""};
    case Leak: return {Measure::Leak, ""};
    case GpuPower: return {Measure::ActivePower, "gpu" + number};
    case GpuTemperature: return {Measure::Temperature, "gpu" + number};
    case GpuUtilization: return {Measure::Utilization, "gpu" + number};
    case GpuXid: return {Measure::Xid, "gpu" + number};
    case ReceivedOctets: return {Measure::Receive, "", 8, true};
    case SentOctets: return {Measure::Transmit, "", 8, true};
    case ReceiveErrors: return {Measure::Errors, "", 1, true};
    case ReceiveDrops: return {Measure::Drops, "", 1, true};
    case LinkUp: return {Measure::LinkUp, ""};
    case LinkRate: return {Measure::LinkRate, ""};
    case LinkLanes: return {Measure::LinkLanes, ""};
    case LinkChanges: return {Measure::LinkChanges, "", 1, true};
    case Retransmits: return {Measure::Retransmits, s.part == 0 ? "" : "missed", 1, true};
    case Heartbeat: break;
    }
    Meaning none;
    none.known = false;
    return none;
}

} // namespace

Emulated::Emulated(FiguresPtr figures, const emulation::Options& options) : m_figures(std::move(figures))
{
    m_hall = emulation::Hall::of(m_figures, options).value();
    bind();
}

void Emulated::bind()
{
    auto bound = std::make_shared<bindings::Bound>();
    const auto& sensors = m_hall->sensors();
    for (const auto& sensor : sensors)
        if (const Meaning m = meaningOf(sensor); m.known) bound->points.push_back({sensor.entity, m.measure, m.element});
    std::ranges::sort(bound->points);
    const auto twice = std::ranges::unique(bound->points);
    bound->points.erase(twice.begin(), twice.end());
    m_meters.resize(sensors.size());
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        const Meaning m = meaningOf(sensors[i]);
        if (!m.known) continue;
        const auto at = std::ranges::lower_bound(bound->points, bindings::Point{sensors[i].entity, m.measure, m.element});
        m_meters[i] = {bindings::PointNo(at - bound->points.begin()), m.factor, m.counter};
    }
    m_bound = std::move(bound);
}

std::vector<monitoring::PointSample> Emulated::step()
{
    std::vector<monitoring::PointSample> out;
    for (const emulation::Value& value : m_hall->advance(m_hall->nowMs() + 1000)) {
        Meter& meter = m_meters[value.sensor];
        if (meter.point == bindings::kNoPoint) continue;
        double said = value.value * meter.factor;
        if (meter.counter) {
            const bool first = !meter.seen;
            const double rise = value.value - meter.value, seconds = double(value.timeMs - meter.ms) / 1000;
            meter.seen = true, meter.value = value.value, meter.ms = value.timeMs;
            if (first || seconds <= 0 || rise < 0) continue;
            said = rise * meter.factor / seconds;
        }
        out.push_back({meter.point, value.timeMs, said, value.good});
    }
    return out;
}

std::vector<bindings::PointNo> Emulated::fellSilent() const
{
    std::vector<bindings::PointNo> out;
    for (const emulation::SensorNo no : m_hall->fellSilent())
        if (m_meters[no].point != bindings::kNoPoint) out.push_back(m_meters[no].point);
    return out;
}

void Emulated::deed(const std::string& line)
{
    const auto deed = emulation::readLine(line);
    if (!deed) throw std::runtime_error(deed.error().text());
    if (const auto done = m_hall->apply(*deed, "test"); !done) throw std::runtime_error(done.error().text());
}

void Emulated::missing(double percent)
{
    emulation::FaultAction deed;
    deed.verb = emulation::Verb::SensorMissing, deed.percent = percent;
    if (const auto done = m_hall->apply(deed, "test"); !done) throw std::runtime_error(done.error().text());
}

std::vector<monitoring::Event> Emulated::watch(monitoring::Monitor& watch, int seconds)
{
    std::vector<monitoring::Event> events;
    for (int i = 0; i < seconds; ++i) {
        watch.take(step());
        auto more = watch.advance(nowMs());
        events.insert(events.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return events;
}

namespace {

FiguresPtr figuresBy(const Result<Template>& design, const std::map<std::string, std::string>& values)
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    return computeFigures(instantiate(design.value(), design.value().complete(values).value(), catalog).value()).value();
}

} // namespace

FiguresPtr designOf(const char* name, const std::map<std::string, std::string>& values)
{
    static std::map<std::pair<std::string, std::map<std::string, std::string>>, FiguresPtr> made; // of one test program
    FiguresPtr& known = made[{name, values}];
    return known ? known : known = figuresBy(podTemplate(name), values);
}

FiguresPtr shippedDesign(const char* name, const std::map<std::string, std::string>& values)
{
    return figuresBy(Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml"), values);
}
