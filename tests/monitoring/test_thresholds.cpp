// SPDX-License-Identifier: GPL-3.0-or-later
// Each threshold of each detector: nothing just below, one finding just above, and another value of its setting moves it. On readings made by
// hand.
#include "core/derived/cooling/chain.h"
#include "core/derived/figures/nodes.h"
#include "core/design/template/template.h"
#include "core/foundation/settings/registry.h"
#include "core/operations/monitoring/conductor.h"
#include "core/operations/monitoring/detectors/flow_faults.h"
#include "core/operations/monitoring/detectors/link_faults.h"
#include "core/operations/monitoring/detectors/silent_loss.h"
#include "core/operations/monitoring/detectors/slow_hosts.h"
#include "core/operations/monitoring/detectors/slow_nics.h"
#include "tests/monitoring/emulated.h"

#include <QFile>
#include <QTest>

#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

using namespace hw;
using namespace hw::monitoring;
using bindings::Measure, bindings::Point, bindings::PointNo;

namespace {

using Settings = std::map<std::string, std::string>;
using Change = std::function<void(Readings&, int)>; ///< in the second after the quiet time, from 0

/// A pod in which every sensor reads what it reads in a healthy hall, and stays so.
struct Pod {
    FiguresPtr figures;
    bindings::BoundPtr bound;
    Plans plans;
    std::vector<float> healthy;

    Pod()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design =
            Template::parse("template: boards\nextends: nvl72\ntitle: Boards\nlayout: {generators: board, headers: single, cdu_rejector: none}\n"
                            "settings: {cooling.coolant_supply_c: \"30\"}\n",
                            "boards", HW_RESOURCES "/templates")
                .value();
        figures = computeFigures(instantiate(design, design.complete({{"segments", "1"}}).value(), catalog).value()).value();
        emulation::Options options;
        options.noise = 0, options.pollS = 1;
        Emulated hall(figures, options);
        bound = hall.bound(), plans = Plans::of(*figures, *bound);
        healthy.assign(bound->points.size(), kUnknown);
        for (int i = 0; i < 4; ++i)
            for (const PointSample& sample : hall.step()) healthy[sample.point] = float(sample.value);
    }
    [[nodiscard]] PointNo at(EntityRef entity, Measure measure, const char* element = "") const { return bound->find({entity, measure, element}); }
    [[nodiscard]] FiguresPtr with(const Settings& settings) const
    {
        if (settings.empty()) return figures;
        auto next = std::make_shared<Snapshot>(*figures->snapshot);
        for (const auto& [key, value] : settings) next->putSetting(key, value);
        return updateFigures(figures, next, difference(*figures->snapshot, *next, {})).value();
    }
    /// A power element with both points.
    [[nodiscard]] std::vector<DeviceId> devices(PowerElement element, Measure measure) const
    {
        std::vector<DeviceId> out;
        figures->snapshot->devices.forEach([&](DeviceId id) {
            if (figures->parts->device(figures->snapshot->devices.type[id]).power.element == element && at(ref(id), measure) != bindings::kNoPoint)
                out.push_back(id);
        });
        return out;
    }
    [[nodiscard]] float rating(DeviceId id) const
    {
        const DeviceSpec& spec = figures->parts->device(figures->snapshot->devices.type[id]);
        return float(double(spec.capacity.value.count()) / 1000);
    }
};

const Pod& pod()
{
    static const Pod one;
    return one;
}

/// What a detector of the registry finds in a healthy pod that changes so, in the last second.
std::map<std::string, Detection> found(std::string_view id, const Settings& settings, int quietS, int s, const Change& change)
{
    const FiguresPtr figures = pod().with(settings);
    const auto info = std::ranges::find(detectors(), id, &DetectorInfo::id);
    const JobTimeline job(pod().plans);
    const auto detector = info->make({*figures, *pod().bound, pod().plans, job});
    Readings readings;
    readings.resize(pod().bound->points.size());
    readings.values = pod().healthy;
    std::ranges::fill(readings.gaps, 1000);
    std::map<std::string, Detection> out;
    for (int i = 0; i < quietS + s; ++i) {
        const std::int64_t atMs = 1'800'000'000'000 + 1000 * std::int64_t(i);
        for (PointNo p = 0; p < readings.arrived.size(); ++p)
            if (!std::isnan(readings.values[p])) readings.arrived[p] = atMs;
        change(readings, i - quietS);
        out = detector->second(atMs, readings);
    }
    return out;
}

/// Points judged alone or among others, by plans made by hand.
struct Bench {
    bindings::Bound bound;
    Plans plans;
    Readings readings;
    LoadFactors factors;
    Limits limits;
    std::int64_t atMs = 1'800'000'000'000;
    std::vector<PointNo> all;

    explicit Bench(const Settings& settings)
    {
        Snapshot s;
        for (const auto& [key, value] : settings) s.putSetting(key, value);
        limits = Limits::of(s);
    }
    PointNo add(Criterion criterion, float planned, float limit = kUnknown, Measure measure = Measure::ActivePower)
    {
        const auto p = PointNo(plans.points.size());
        Plan plan;
        plan.criterion = criterion, plan.planned = planned, plan.limit = limit;
        plans.points.push_back(plan);
        bound.points.push_back({EntityRef{EntityKind::Rack, p}, measure, ""});
        all.push_back(p);
        readings.resize(all.size());
        return p;
    }
    void next()
    {
        atMs += 1000;
        for (const PointNo p : all)
            if (!std::isnan(readings.values[p])) readings.arrived[p] = readings.times[p] = atMs;
    }
};

/// A deviation of the first point after so many seconds of `value` each.
bool deviates(Bench& bench, int s, const std::function<void(Bench&, int)>& say)
{
    Judge judge;
    for (int i = 0; i < s; ++i) {
        say(bench, i);
        bench.next();
        judge.second(bench.atMs, bench.all, bench.readings, bench.factors, bench.plans, bench.limits);
    }
    return Judge::of(judge.conditions(), 0).stands;
}
bool deviates(const Settings& settings, Criterion criterion, float planned, float limit, double value, int s = 10)
{
    Bench bench(settings);
    bench.add(criterion, planned, limit);
    return deviates(bench, s, [&](Bench& b, int) { b.readings.values[0] = float(value); });
}

/// A threshold: nothing at `quiet`, a finding at `loud`, and with `changed` one of both is otherwise.
struct Row {
    std::string key;
    double quiet, loud;
    std::string changed;
    std::function<bool(const Settings&, double)> fires;
};

Detection only(const std::map<std::string, Detection>& all) { return all.empty() ? Detection{} : all.begin()->second; }

std::vector<Row> rowsOfSupply()
{
    const auto battery = [](const Settings& settings, int falls, double whole, int steadyS) {
        const PointNo p = pod().at(ref(pod().devices(PowerElement::Ups, Measure::StateOfCharge).front()), Measure::StateOfCharge);
        return !found("on-battery", settings, 10, falls + steadyS, [&, p](Readings& r, int i) {
                    r.values[p] = float(90 - whole * std::clamp(i + 1, 0, falls) / falls);
                }).empty();
    };
    const auto open = [](const Settings& settings, double percent, int s) {
        std::vector<DeviceId> sets = pod().devices(PowerElement::Transformer, Measure::Voltage);
        return !found("open-path", settings, 20, s, [&](Readings& r, int i) {
                    for (const DeviceId id : sets)
                        if (i >= 0 && pod().at(ref(id), Measure::ActivePower) != bindings::kNoPoint)
                            r.values[pod().at(ref(id), Measure::ActivePower)] = float(percent / 100) * pod().rating(id);
                }).empty();
    };
    const auto generator = [](const Settings& settings, double percent, int offS) {
        const DeviceId id = pod().devices(PowerElement::Generator, Measure::ActivePower).front();
        return found("on-generator", settings, 5, 10 + offS, [&](Readings& r, int i) {
            r.values[pod().at(ref(id), Measure::ActivePower)] = i >= 0 && i < 10 ? float(percent / 100) * pod().rating(id) : 0;
        });
    };
    const auto fuel = [generator](const Settings& settings, double hours) {
        const Detection d = only(generator(settings, 100, 0));
        return d.endsMs >= 0 && double(d.endsMs - 1'800'000'014'000) / 3'600'000 < hours;
    };
    const auto scaled = [](const char* id, Measure measure, const Settings& settings, double by, int s) {
        return !found(id, settings, 10, s, [&](Readings& r, int i) {
                    for (PointNo p = 0; i >= 0 && p < r.values.size(); ++p)
                        if (pod().bound->points[p].measure == measure) r.values[p] = pod().healthy[p] * float(by);
                }).empty();
    };
    const auto phase = [](const Settings& settings, double percent, int s) {
        return !found("phase-loss", settings, 10, s, [&](Readings& r, int i) {
                    for (const PhaseGroup& group : pod().plans.phases)
                        if (i >= 0) r.values[group.point[1]] = float(percent / 200) * (r.values[group.point[0]] + r.values[group.point[2]]);
                }).empty();
    };
    return {
        {"watch.discharge_readings", 2, 3, "2", [=](const Settings& s, double x) { return battery(s, int(x), 1, 0); }},
        {"watch.discharge_percent", 0.14, 0.16, "0.5", [=](const Settings& s, double x) { return battery(s, 3, x, 0); }},
        {"watch.discharge_steady_s", 60, 59, "30", [=](const Settings& s, double x) { return battery(s, 5, 1, int(x)); }},
        {"watch.open_path_percent", 1.05, 0.95, "0.5", [=](const Settings& s, double x) { return open(s, x, 10); }},
        {"watch.open_path_s", 5, 6, "20", [=](const Settings& s, double x) { return open(s, 0, int(x)); }},
        {"watch.generator_percent", 0.95, 1.05, "5", [=](const Settings& s, double x) { return !generator(s, x, 0).empty(); }},
        {"watch.generator_off_s", 10, 9, "5", [=](const Settings& s, double x) { return !generator(s, 50, int(x)).empty(); }},
        {"watch.fuel_h", 11.9, 12.1, "24", fuel},
        {"watch.frequency_percent", 0.9, 1.1, "2",
         [=](const Settings& s, double x) { return scaled("frequency", Measure::Frequency, s, 1 - x / 100, 8); }},
        {"watch.voltage_percent", 9.5, 10.5, "20",
         [=](const Settings& s, double x) { return scaled("voltage", Measure::Voltage, s, 1 - x / 100, 8); }},
        {"watch.supply_s", 4, 5, "10",
         [=](const Settings& s, double x) { return scaled("frequency", Measure::Frequency, s, 0.97, int(x)) && phase(s, 0, int(x)); }},
        {"watch.phase_loss_percent", 5.5, 4.5, "2", [=](const Settings& s, double x) { return phase(s, x, 8); }},
    };
}

std::vector<Row> rowsOfCooling()
{
    const auto unit = [](CoolingElement element, Measure measure) {
        for (const CoolingUnit& one : pod().figures->get<CoolingChainNode>().units)
            if (one.element == element && pod().at(ref(one.device), measure) != bindings::kNoPoint) return one.device;
        return DeviceId();
    };
    const auto uncooled = [unit](const Settings& settings, double percent, int s) {
        const DeviceId id = unit(CoolingElement::Cdu, Measure::ReturnTemperature);
        const PointNo supply = pod().at(ref(id), Measure::SupplyTemperature), back = pod().at(ref(id), Measure::ReturnTemperature);
        return !found("no-cooling", settings, 60, s, [&](Readings& r, int i) {
                    if (i >= 0) r.values[back] = r.values[supply] + float(percent / 100) * (pod().healthy[back] - pod().healthy[supply]);
                }).empty();
    };
    const auto air = [](const Settings& settings, double percent, int s) {
        PointNo flow = bindings::kNoPoint;
        for (PointNo p = 0; p < pod().bound->points.size() && flow == bindings::kNoPoint; ++p)
            if (pod().bound->points[p].measure == Measure::AirFlow && pod().healthy[p] > 0 &&
                pod().at(pod().bound->points[p].entity, Measure::FanSpeed) != bindings::kNoPoint)
                flow = p;
        return !found("low-air-flow", settings, 60, s, [&](Readings& r, int i) {
                    if (i >= 0) r.values[flow] = float(percent / 100) * pod().healthy[flow];
                }).empty();
    };
    const auto aisle = [](const Settings& settings, double degrees, int racks, int s) {
        const Snapshot& snapshot = *pod().figures->snapshot;
        std::map<RowId, std::vector<PointNo>> rows;
        snapshot.racks.forEach([&](RackId id) {
            if (const PointNo p = pod().at(ref(id), Measure::AirInlet); p != bindings::kNoPoint) rows[snapshot.racks.row[id]].push_back(p);
        });
        return !found("warm-aisle", settings, 5, s, [&](Readings& r, int i) {
                    for (auto& [row, points] : rows)
                        for (std::size_t k = 0; k < points.size(); ++k)
                            r.values[points[k]] = i >= 0 && row == rows.begin()->first && k < std::size_t(racks) ? float(degrees) : 20;
                }).empty();
    };
    const double above = std::max(27.0, std::stod(defaultOf("cooling.air_supply_c")) + 5);
    const auto lost = [](const Settings& settings, double percent, int s) {
        const CoolingChain& chain = pod().figures->get<CoolingChainNode>();
        return !found("lost-coolant", settings, 300, s, [&](Readings& r, int i) {
                    for (const CoolingUnit& one : chain.units)
                        if (const PointNo p = pod().at(ref(one.device), Measure::Flow);
                            i >= 0 && one.element == CoolingElement::Cdu && p != bindings::kNoPoint)
                            r.values[p] = pod().healthy[p] / float(1 - percent / 100);
                }).empty();
    };
    return {
        {"watch.no_cooling_percent", 16, 14, "10", [=](const Settings& s, double x) { return uncooled(s, x, 20); }},
        {"watch.no_cooling_s", 10, 11, "30", [=](const Settings& s, double x) { return uncooled(s, 0, int(x)); }},
        {"watch.air_flow_percent", 71, 69, "50", [=](const Settings& s, double x) { return air(s, x, 30); }},
        {"watch.air_flow_s", 20, 21, "60", [=](const Settings& s, double x) { return air(s, 50, int(x)); }},
        {"watch.aisle_warm_c", above - 0.1, above + 0.1, "50", [=](const Settings& s, double x) { return aisle(s, x, 3, 40); }},
        {"watch.aisle_above_k", above - 0.1, above + 0.1, "30", [=](const Settings& s, double x) { return aisle(s, x, 3, 40); }},
        {"watch.aisle_racks", 1, 2, "3", [=](const Settings& s, double x) { return aisle(s, 50, int(x), 40); }},
        {"watch.aisle_s", 30, 31, "60", [=](const Settings& s, double x) { return aisle(s, 50, 3, int(x)); }},
        {"watch.coolant_loss_percent", 3.5, 4.5, "8", [=](const Settings& s, double x) { return lost(s, x, 700); }},
        {"watch.coolant_loss_lpm", 0, 10, "10000", [=](const Settings& s, double x) { return lost(s, x, 400); }},
        {"watch.coolant_loss_s", 180, 240, "400", [=](const Settings& s, double x) { return lost(s, 20, int(x)); }},
    };
}

std::vector<Row> rowsOfRacks()
{
    const Snapshot& snapshot = *pod().figures->snapshot;
    struct Rack {
        RackId id;
        std::vector<PointNo> strips;
    };
    std::vector<Rack> racks;
    snapshot.racks.forEach([&](RackId id) {
        Rack rack{id, {}};
        for (const DeviceId device : pod().figures->get<IndexNode>().devicesOfRack[id.value])
            if (pod().figures->parts->device(snapshot.devices.type[device]).power.element != PowerElement::None)
                if (const PointNo p = pod().at(ref(device), Measure::ActivePower); p != bindings::kNoPoint) rack.strips.push_back(p);
        const PointNo own = pod().at(ref(id), Measure::ActivePower);
        if (!rack.strips.empty() && own != bindings::kNoPoint && pod().at(ref(id), Measure::Flow) != bindings::kNoPoint) racks.push_back(rack);
    });
    const auto dark = [racks](const Settings& settings, double percent, int s) {
        const Rack& rack = racks.front();
        return !found("rack-dark", settings, 20, s, [&](Readings& r, int i) {
                    if (i < 0) return;
                    float sum = 0;
                    for (const PointNo p : rack.strips) sum += r.values[p] = float(percent / 100) * pod().plans.points[p].planned;
                    r.values[pod().at(ref(rack.id), Measure::ActivePower)] = sum;
                }).empty();
    };
    const auto swapped = [racks](const Settings& settings, double percent, int s) {
        return !found("exchanged", settings, 100, s, [&](Readings& r, int i) {
                    for (std::size_t k = 0; k < 2; ++k) {
                        const float is = k == 0 ? 50'000 : 50'000 * float(1 - percent / 100),
                                    other = k == 1 ? 50'000 : 50'000 * float(1 - percent / 100);
                        for (const PointNo p : racks[k].strips) r.values[p] = is / float(racks[k].strips.size());
                        r.values[pod().at(ref(racks[k].id), Measure::ActivePower)] = i < 0 ? is : other;
                    }
                }).empty();
    };
    struct Lane { ///< of a port of a host
        std::size_t host;
        PointNo sent, arrived;
    };
    std::vector<Lane> lanes;
    std::size_t servers = 0;
    snapshot.devices.forEach([&](DeviceId id) {
        if (snapshot.tiers.kind[snapshot.devices.tier[id]] != TierKind::Server) return;
        const DesignIndex& index = pod().figures->get<IndexNode>();
        for (const PortId port : index.portsOfDevice[id.value]) {
            const auto peer = index.peerOf(snapshot, port);
            const PointNo sent = pod().at(ref(port), Measure::Transmit), arrived = peer ? pod().at(ref(*peer), Measure::Receive) : bindings::kNoPoint;
            if (sent != bindings::kNoPoint && arrived != bindings::kNoPoint) lanes.push_back({servers, sent, arrived});
        }
        ++servers;
    });
    const auto hosts = [lanes](const Settings& settings, double percent) {
        const float high = 1e9f, low = high * float(1 - percent / 100);
        return !found("exchanged", settings, 100, 500, [&](Readings& r, int i) {
                    for (const Lane& lane : lanes) {
                        r.values[lane.arrived] = lane.host == 0 ? low : high;
                        r.values[lane.sent] = (i >= 0 ? lane.host == 1 : lane.host == 0) ? low : high;
                    }
                }).empty();
    };
    return {
        {"watch.dark_percent", 2.2, 1.8, "1", [=](const Settings& s, double x) { return dark(s, x, 10); }},
        {"watch.dark_s", 2, 3, "20", [=](const Settings& s, double x) { return dark(s, 0, int(x)); }},
        {"watch.swapped_percent", 11, 13, "30", [=](const Settings& s, double x) { return swapped(s, x, 900); }},
        {"watch.swapped_s", 60, 200, "400", [=](const Settings& s, double x) { return swapped(s, 40, int(x)); }},
        {"watch.swapped_traffic_percent", 7, 9, "20", hosts},
    };
}

std::vector<Row> rowsOfPoints()
{
    using enum Criterion;
    const auto phases = [](const Settings& settings, double carries, double mean) {
        Bench bench(settings);
        for (int i = 0; i < 3; ++i) bench.plans.points[bench.add(Phase, kUnknown)].other = 0;
        bench.plans.phases.push_back({{0, 1, 2}, 100, 1, {}, {}});
        return deviates(bench, 80, [&](Bench& b, int) {
            b.readings.values[0] = float(carries * mean), b.readings.values[1] = b.readings.values[2] = float((3 - carries) / 2 * mean);
        });
    };
    const auto flow = [](const Settings& settings, double lpm) {
        Bench bench(settings);
        bench.add(Flow, 100, kUnknown, Measure::Flow);
        bench.plans.points[0].other = bench.add(RackPower, 1000);
        return deviates(bench, 10, [&](Bench& b, int) { b.readings.values[0] = float(lpm), b.readings.values[1] = 1000; });
    };
    const auto hysteresis = [](const Settings& settings, double percent) {
        Bench bench(settings);
        bench.add(FeedPower, 0, 1000);
        return !deviates(bench, 30, [&](Bench& b, int i) { b.readings.values[0] = i < 10 ? 1100 : float(1000 * (1 - percent / 100)); });
    };
    const auto idle = [](const Settings& settings, double watts, double load, int s) {
        Bench bench(settings);
        bench.add(HostPower, 1000);
        bench.plans.points[0].scale = 1, bench.factors.measured[1] = std::int64_t(load * 1000), bench.factors.planned[1] = 100'000;
        return deviates(bench, s, [&](Bench& b, int) { b.readings.values[0] = float(watts); });
    };
    return {
        {"watch.over_plan_percent", 1099, 1101, "20", [](const Settings& s, double x) { return deviates(s, RackPower, 1000, kUnknown, x); }},
        {"watch.capacity_percent", 999, 1001, "80", [](const Settings& s, double x) { return deviates(s, FeedPower, 0, 1000, x); }},
        {"watch.hold_s", 5, 6, "20", [](const Settings& s, double x) { return deviates(s, FeedPower, 0, 1000, 1200, int(x)); }},
        {"watch.hysteresis_percent", 2.9, 3.1, "10", hysteresis},
        {"watch.imbalance_percent", 1.14, 1.16, "50", [=](const Settings& s, double x) { return phases(s, x, 50); }},
        {"watch.phase_load_percent", 9.9, 10.1, "50", [=](const Settings& s, double x) { return phases(s, 1.5, x); }},
        {"watch.flow_percent", 90.5, 89.5, "50", flow},
        {"watch.supply_margin_k", 22.9, 23.1, "10", [](const Settings& s, double x) { return deviates(s, LoopSupply, 20, kUnknown, x); }},
        {"watch.link_percent", 70.5, 69.5, "50", [](const Settings& s, double x) { return deviates(s, Traffic, 100, kUnknown, x); }},
        {"watch.errors_per_s", 0.9, 1.1, "5", [](const Settings& s, double x) { return deviates(s, Errors, 0, kUnknown, x); }},
        {"watch.drops_per_s", 9.9, 10.1, "50", [](const Settings& s, double x) { return deviates(s, Drops, 0, kUnknown, x); }},
        {"watch.idle_percent", 401, 399, "20", [=](const Settings& s, double x) { return idle(s, x, 100, 70); }},
        {"watch.idle_hall_percent", 59, 61, "90", [=](const Settings& s, double x) { return idle(s, 10, x, 70); }},
        {"watch.idle_s", 60, 61, "90", [=](const Settings& s, double x) { return idle(s, 10, 100, int(x)); }},
    };
}

std::vector<Row> rowsOfLikes()
{
    const auto trends = [](const Settings& settings, Measure measure, int s, const std::function<float(int)>& value) {
        Bench bench(settings);
        bench.add(Criterion::None, kUnknown, kUnknown, measure);
        Trends one;
        for (int i = 0; i < s; ++i) {
            bench.readings.values[0] = value(i);
            bench.next();
            one.second(bench.atMs, bench.all, bench.readings, bench.plans, bench.bound, bench.limits);
            if (!one.rising().empty() || !one.flapping().empty()) return true;
        }
        return false;
    };
    const auto flaps = [trends](const Settings& settings, int changes, int everyS) {
        return trends(settings, Measure::Status, changes * everyS + 2, [&](int i) { return float(std::min(i / everyS, changes) % 2); });
    };
    const auto throttled = [](const Settings& settings, double percent, int s) {
        Bench bench(settings);
        for (std::uint32_t i = 0; i < 5; ++i) {
            const PointNo p = bench.add(Criterion::HostPower, 1000);
            bench.plans.points[p].other = i;
        }
        for (std::uint32_t i = 0; i < 5; ++i) {
            const PointNo gpu = bench.add(Criterion::None, kUnknown, kUnknown, Measure::Utilization);
            bench.plans.working.push_back({gpu, 1});
        }
        SlowHosts hosts(bench.bound, bench.plans, bench.limits);
        for (int i = 0; i < s; ++i) {
            for (PointNo p = 0; p < 10; ++p) bench.readings.values[p] = p >= 5 ? 100 : p == 0 ? float(10 * percent) : 1000;
            bench.next();
            hosts.second(bench.atMs, bench.all, bench.readings);
        }
        return !hosts.slow().empty();
    };
    const auto job = [](const Settings& settings, int s) {
        Bench bench(settings);
        for (int i = 0; i < 10; ++i) bench.add(Criterion::Traffic, 100);
        JobTimeline one(bench.plans);
        for (int i = 0; i < s; ++i) {
            for (const PointNo p : bench.all) bench.readings.values[p] = 50;
            bench.next();
            one.second(bench.atMs, bench.all, bench.readings, bench.limits);
        }
        return one.slow().has_value();
    };
    const auto card = [](const Settings& settings, double percent, int times) {
        const FiguresPtr figures = pod().with(settings);
        SlowNics cards(*figures, *pod().bound, pod().plans, Limits::of(*figures->snapshot));
        Readings readings;
        readings.resize(pod().bound->points.size());
        const Snapshot& s = *figures->snapshot;
        std::vector<PointNo> dirty; // of one host
        Maybe<DeviceId> host;
        for (PointNo p = 0; p < pod().bound->points.size(); ++p) {
            const Point& point = pod().bound->points[p];
            if (pod().plans.points[p].criterion != Criterion::Traffic || point.measure != Measure::Transmit) continue;
            const DeviceId device = s.ports.device[PortId(point.entity.id)];
            if (s.tiers.kind[s.devices.tier[device]] != TierKind::Server || (host && *host != device)) continue;
            host = device;
            readings.values[p] = 0.5e9f * float(s.ports.rate[PortId(point.entity.id)].count());
            dirty.push_back(p);
        }
        readings.values[dirty.front()] *= float(percent / 100);
        for (int i = 0; i < times; ++i) cards.second(1'800'000'000'000 + 1000 * std::int64_t(i), dirty, readings, {});
        return !cards.slow().empty();
    };
    const auto retransmits = [](const Settings& settings, double percent) {
        const FiguresPtr figures = pod().with(settings);
        SilentLoss losses(*figures, *pod().bound, pod().plans);
        Readings readings;
        readings.resize(pod().bound->points.size());
        const std::int64_t now = 1'800'000'000'000;
        const float bps = 100e9f;
        bool first = true;
        for (PointNo p = 0; p < pod().bound->points.size(); ++p) {
            const Criterion criterion = pod().plans.points[p].criterion;
            if (criterion == Criterion::Traffic && pod().bound->points[p].measure == Measure::Transmit) readings.values[p] = bps;
            if (criterion == Criterion::Retransmits) readings.values[p] = std::exchange(first, false) ? float(percent / 100) * bps / (4096 * 8) : 0;
            readings.arrived[p] = now;
        }
        return !losses.look(readings, now, Limits::of(*figures->snapshot).retransmits, {}).empty();
    };
    return {
        {"watch.retransmit_percent", 0.0009, 0.0011, "0.01", retransmits},
        {"watch.rise_k_per_min", 4.8, 5.2, "10",
         [=](const Settings& s, double x) { return trends(s, Measure::SupplyTemperature, 40, [x](int i) { return float(20 + x * i / 60); }); }},
        {"watch.flaps", 4, 5, "10", [=](const Settings& s, double x) { return flaps(s, int(x), 5); }},
        {"watch.flap_s", 16, 14, "30", [=](const Settings& s, double x) { return flaps(s, 5, int(x)); }},
        {"watch.throttled_percent", 76, 74, "50", [=](const Settings& s, double x) { return throttled(s, x, 40); }},
        {"watch.throttled_readings", 6, 7, "10", [=](const Settings& s, double x) { return throttled(s, 40, int(x)); }},
        {"watch.job_s", 120, 128, "300", [=](const Settings& s, double x) { return job(s, int(x)); }},
        {"watch.nic_percent", 51, 49, "20", [=](const Settings& s, double x) { return card(s, x, 5); }},
        {"watch.nic_readings", 2, 3, "10", [=](const Settings& s, double x) { return card(s, 10, int(x)); }},
    };
}

std::vector<Row> rowsOfPlaces()
{
    /// So many per cent of the links of a switch lose frames: the switch is at fault.
    const auto device = [](const Settings& settings, double percent, std::size_t most) {
        const Snapshot& s = *pod().figures->snapshot;
        std::map<DeviceId, std::vector<PointNo>> of;
        std::map<DeviceId, std::set<std::uint32_t>> links;
        for (PointNo p = 0; p < pod().bound->points.size(); ++p) {
            const Plan& plan = pod().plans.points[p];
            if (!LinkFaults::isOfLink(plan.criterion)) continue;
            for (const PortId end : {s.links.from[LinkId(plan.target)], s.links.to[LinkId(plan.target)]}) {
                const DeviceId id = s.ports.device[end];
                if (s.tiers.kind[s.devices.tier[id]] != TierKind::Switch) continue;
                const bool isNew = links[id].insert(plan.target).second;
                if (plan.criterion == Criterion::Errors && pod().bound->points[p].entity == ref(end) && !isNew) of[id].push_back(p);
            }
        }
        const auto largest = std::ranges::max_element(of, {}, [](const auto& entry) { return entry.second.size(); });
        std::set<std::uint32_t> bad;
        Judge::Conditions conditions;
        const auto share = std::min(most, std::size_t(std::ceil(percent / 100 * double(links[largest->first].size()) - 1e-9)));
        for (const PointNo p : largest->second)
            if (bad.size() < share && bad.insert(pod().plans.points[p].target).second) {
                Judge::Condition c;
                c.kind = DeviationKind::PacketLoss, c.measured = 5, c.beyond = 4, c.sinceMs = 1000, c.stands = true;
                conditions[p] = c;
            }
        const FiguresPtr figures = pod().with(settings);
        JobTimeline job(pod().plans);
        LinkFaults faults(*figures, *pod().bound, pod().plans, job);
        Readings readings;
        readings.resize(pod().bound->points.size());
        const auto located = faults.locate(conditions, readings, Limits::of(*figures->snapshot), 600'000);
        return std::ranges::any_of(located, [&](const LinkFault& fault) { return fault.at == ref(largest->first); });
    };
    const auto unit = [](const Settings& settings, int s) {
        const FiguresPtr figures = pod().with(settings);
        FlowFaults faults(*figures, *pod().bound, pod().plans);
        Readings readings;
        readings.resize(pod().bound->points.size());
        readings.values = pod().healthy;
        const auto loop = std::ranges::find_if(pod().plans.loops, [](const LoopFlows& flows) { return flows.units.size() > 2; });
        Judge::Condition c;
        c.kind = DeviationKind::LowFlow, c.measured = 50, c.expected = 100, c.beyond = 0.4f, c.stands = true;
        const Judge::Conditions conditions{{loop->units.front(), c}};
        for (int i = 0; i < s; ++i)
            faults.second(
                1000 * std::int64_t(i), conditions, readings, Limits::of(*figures->snapshot), [](PointNo) { return false; },
                [](DeviceId) { return false; });
        return !faults.standing().empty();
    };
    /// Elements with one sensor each, which nothing depends on; then so many are silent for so long.
    const auto monitor = [](const Settings& settings, std::size_t silent, int s) {
        const FiguresPtr figures = pod().with(settings);
        auto bound = std::make_shared<bindings::Bound>();
        for (const Point& point : pod().bound->points)
            if (point.measure == Measure::ActivePower && point.element.empty() && bound->points.size() < 24)
                bound->points.push_back({point.entity, Measure::Humidity, ""});
        std::ranges::sort(bound->points);
        Monitor one;
        one.design(figures, bound);
        std::vector<Event> events;
        for (int i = 0; i < 30 + s; ++i) {
            std::vector<PointSample> samples;
            const std::int64_t atMs = 1'800'000'000'000 + 1000 * std::int64_t(i);
            for (PointNo p = 0; p < bound->points.size(); ++p)
                if (i < 30 || p >= silent) samples.push_back({p, atMs, 40.0});
            one.take(samples);
            for (Event& event : one.advance(atMs))
                if (event.kind == Event::Kind::Alarm) events.push_back(std::move(event));
        }
        return events;
    };
    const auto begins = [monitor](const char* id) {
        return [=](const Settings& s, double x) {
            const auto events = monitor(s, id == std::string("no-telemetry") ? 24 : 1, int(x));
            return std::ranges::any_of(events, [&](const Event& e) { return e.alarm.id.starts_with(id); });
        };
    };
    return {
        {"watch.device_percent", 58, 60, "80", [=](const Settings& s, double x) { return device(s, x, 10'000); }},
        {"watch.device_links", 1, 2, "50",
         [=](const Settings& s, double x) {
             Settings all = s;
             all["watch.device_percent"] = "1";
             return device(all, 100, std::size_t(x));
         }},
        {"watch.unit_flow_s", 15, 16, "60", [=](const Settings& s, double x) { return unit(s, int(x)); }},
        {"watch.missing_s", 19, 25, "40", begins("missing")},
        {"watch.cause_hold_s", 19, 25, "20", begins("missing")},
        {"watch.silent_s", 29, 31, "60", begins("no-telemetry")},
        {"watch.together", 4, 5, "10",
         [=](const Settings& s, double x) {
             const auto events = monitor(s, std::size_t(x), 40);
             return events.size() == 1;
         }},
        {"watch.together_s", 0, 6, "1",
         [=](const Settings& s, double x) {
             const auto events = monitor(s, std::size_t(x), 40);
             return events.size() == 1;
         }},
    };
}

/// A hall of which nothing is reported, but links that a root cause brings down.
struct Silent final : hw::monitoring::Reported {
    std::set<std::uint32_t> down{};
    [[nodiscard]] bool byCause(PointNo) const override { return false; }
    [[nodiscard]] bool byPastCause(PointNo, std::int64_t) const override { return false; }
    [[nodiscard]] bool leftByCause(PointNo, std::int64_t) const override { return false; }
    [[nodiscard]] bool asFailed(DeviceId) const override { return false; }
    [[nodiscard]] std::size_t causes() const override { return down.size(); }
    [[nodiscard]] bool causeEndedLately() const override { return false; }
    void addLinksDown(std::set<std::uint32_t>& links) const override { links.insert(down.begin(), down.end()); }
    [[nodiscard]] bool deviates(PointNo) const override { return false; }
    [[nodiscard]] bool isSlow(EntityRef) const override { return false; }
    [[nodiscard]] std::size_t slow() const override { return 0; }
    [[nodiscard]] Text risk(EntityRef) const override { return {}; }
    [[nodiscard]] impact::Study& study() const override { qFatal("nothing is lost here"); }
};

std::vector<Row> rows()
{
    std::vector<Row> all;
    for (auto&& some : {rowsOfSupply(), rowsOfCooling(), rowsOfRacks(), rowsOfPoints(), rowsOfLikes(), rowsOfPlaces()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace

class TestThresholds : public QObject {
    Q_OBJECT
private slots:
    void eachThreshold_data()
    {
        QTest::addColumn<int>("row");
        int i = 0;
        for (const Row& row : rows()) QTest::newRow(row.key.c_str()) << i++;
    }
    void eachThreshold()
    {
        QFETCH(int, row);
        static const std::vector<Row> all = rows();
        const Row& one = all[std::size_t(row)];
        QVERIFY2(!one.fires({}, one.quiet), qPrintable(QString("raised at %1").arg(one.quiet)));
        QVERIFY2(one.fires({}, one.loud), qPrintable(QString("not raised at %1").arg(one.loud)));
        const Settings changed{{one.key, one.changed}};
        QVERIFY2(one.fires(changed, one.quiet) || !one.fires(changed, one.loud), "the setting has no effect");
    }

    /// Air inlets of a row that rise together are one line, one alone is that rack's.
    void aRowThatWarmsUp_data()
    {
        QTest::addColumn<int>("racks");
        QTest::newRow("one") << 1;
        QTest::newRow("five") << 5;
    }
    void aRowThatWarmsUp()
    {
        QFETCH(int, racks);
        const Snapshot& s = *pod().figures->snapshot;
        auto bound = std::make_shared<bindings::Bound>();
        s.racks.forEach([&](RackId id) {
            if (s.racks.row[id] == s.racks.row[s.racks.ids().front()] && bound->points.size() < 6)
                bound->points.push_back({ref(id), Measure::AirInlet, ""});
        });
        QVERIFY(bound->points.size() == 6);
        Monitor monitor;
        monitor.design(pod().figures, bound);
        std::vector<Alarm> alarms;
        for (int i = 0; i < 80; ++i) {
            const std::int64_t atMs = 1'800'000'000'000 + 1000 * std::int64_t(i);
            std::vector<PointSample> samples;
            for (PointNo p = 0; p < 6; ++p) samples.push_back({p, atMs, 20 + (p < PointNo(racks) && i > 20 ? 0.1 * (i - 20) : 0.0)});
            monitor.take(samples);
            for (const Event& event : monitor.advance(atMs))
                if (event.kind == Event::Kind::Alarm) alarms.push_back(event.alarm);
        }
        QCOMPARE(alarms.size(), std::size_t(1));
        QVERIFY2(alarms[0].kind == AlarmKind::RateOfChange && alarms[0].symptoms.size() == std::size_t(racks), words(alarms[0].what).c_str());
    }

    /// Every criterion of a point has one row that looks at it, but those that are counted over time, and leaks.
    void everyCriterionHasADetector()
    {
        std::map<Criterion, int> rowsOf;
        for (const DetectorInfo& info : detectors()) {
            QVERIFY2(info.criteria.empty() == !info.verdict && !(info.make && info.verdict), std::string(info.id).c_str());
            for (const Criterion criterion : info.criteria) ++rowsOf[criterion];
        }
        const std::set<Criterion> without{Criterion::LinkChanges, Criterion::Retransmits, Criterion::Leak};
        for (int c = int(Criterion::None) + 1; c <= int(Criterion::Leak); ++c) QCOMPARE(rowsOf[Criterion(c)], without.contains(Criterion(c)) ? 0 : 1);
    }

    /// Every threshold that a row of the registry names is a setting and is tried above; those of sensors in tests/bindings.
    void everyThresholdIsTried()
    {
        std::set<std::string> tried;
        for (const Row& row : rows()) tried.insert(row.key);
        for (const DetectorInfo& info : detectors())
            for (const std::string_view key : info.settings) {
                QVERIFY2(findSetting(key), std::string(key).c_str());
                QVERIFY2(key.starts_with("telemetry.") || tried.contains(std::string(key)), std::string(key).c_str());
            }
        std::set<std::string> named; // and every setting of the group is a threshold of one, but that of capacity
        for (const DetectorInfo& info : detectors()) named.insert(info.settings.begin(), info.settings.end());
        for (const Setting& setting : settingsRegistry())
            if (setting.key.starts_with("watch.") && setting.key != "watch.margin_percent")
                QVERIFY2(named.contains(setting.key), setting.key.c_str());
    }

    /// Detectors of systems are made by the registry and need nothing but what they see of a second.
    void systemsByTheRegistry()
    {
        const Limits limits = Limits::of(*pod().figures->snapshot);
        Readings readings;
        readings.resize(pod().bound->points.size());
        readings.values = pod().healthy;
        std::vector<PointNo> all(readings.values.size());
        std::iota(all.begin(), all.end(), PointNo(0));
        const Judge judge;
        std::vector<std::string> ids;
        for (const DetectorInfo& info : detectors()) {
            if (!info.system) continue;
            ids.emplace_back(info.id);
            JobTimeline job(pod().plans);
            const auto detector = info.system({*pod().figures, *pod().bound, pod().plans, job});
            const Silent reported;
            Deviations standing;
            AlarmBook book;
            std::vector<Event> events;
            for (int i = 0; i < 20; ++i) {
                const Seen seen{1'800'000'000'000 + 1000 * std::int64_t(i), readings, all, judge, limits, reported};
                job.second(seen.atMs, seen.dirty, seen.readings, seen.limits);
                detector->second(seen), detector->alarms(seen, book, events);
                if (auto found = detector->deviations(seen, standing)) standing = std::move(*found);
            }
            QVERIFY2(standing.empty() && events.empty() && !detector->alarming(), info.id.data());
        }
        QCOMPARE(ids, (std::vector<std::string>{"low-flow-loop", "slow-job", "throttled-server", "slow-nic", "silent-loss", "faulty-device"}));
    }

    /// A NIC that sends little is reported, in the words of its first second, until a root cause says why.
    void aSlowNicByTheRegistry()
    {
        const Snapshot& s = *pod().figures->snapshot;
        const auto info = std::ranges::find(detectors(), "slow-nic", &DetectorInfo::id);
        const JobTimeline job(pod().plans);
        const auto detector = info->system({*pod().figures, *pod().bound, pod().plans, job});
        const Limits limits = Limits::of(s);
        Readings readings;
        readings.resize(pod().bound->points.size());
        std::vector<PointNo> dirty;
        Maybe<DeviceId> host;
        for (PointNo p = 0; p < pod().bound->points.size(); ++p) {
            const Point& point = pod().bound->points[p];
            if (pod().plans.points[p].criterion != Criterion::Traffic || point.measure != Measure::Transmit) continue;
            const DeviceId device = s.ports.device[PortId(point.entity.id)];
            if (s.tiers.kind[s.devices.tier[device]] != TierKind::Server || (host && *host != device)) continue;
            host = device;
            readings.values[p] = 0.5e9f * float(s.ports.rate[PortId(point.entity.id)].count());
            dirty.push_back(p);
        }
        readings.values[dirty.front()] /= 10;
        const Judge judge;
        Silent reported;
        Deviations standing;
        Text said;
        for (int i = 0; i < 8; ++i) {
            const Seen seen{1'800'000'000'000 + 1000 * std::int64_t(i), readings, dirty, judge, limits, reported};
            detector->second(seen);
            if (auto found = detector->deviations(seen, standing)) standing = std::move(*found);
            if (i == 4) QCOMPARE(standing.size(), std::size_t(1));
            if (i == 4) said = standing.begin()->second.what;
            readings.values[dirty.front()] *= 1.01f;
        }
        QCOMPARE(standing.size(), std::size_t(1));
        QVERIFY(standing.begin()->second.entity == pod().bound->points[dirty.front()].entity && standing.begin()->second.what == said);
        reported.down.insert(pod().plans.points[dirty.front()].target);
        const Seen seen{1'800'000'020'000, readings, dirty, judge, limits, reported};
        detector->second(seen);
        const auto found = detector->deviations(seen, standing);
        QVERIFY(found && found->empty());
    }

    /// The page of docs has the table of the registry, word by word.
    void theTableOfTheDocs()
    {
        const std::string begin = "<!-- detectors: made by test_thresholds -->\n\n", end = "\n<!-- end of detectors -->\n";
        QFile page(HW_EXAMPLES "/../live-evaluation.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        std::string text = page.readAll().toStdString();
        page.close();
        const std::size_t from = text.find(begin), to = text.find(end);
        QVERIFY(from != std::string::npos && to != std::string::npos && from + begin.size() <= to);
        if (qEnvironmentVariable("HALLWRIGHT_TABLES") == "write") {
            text.replace(from + begin.size(), to - from - begin.size(), detectorTable());
            QVERIFY(page.open(QIODevice::WriteOnly | QIODevice::Truncate));
            page.write(QByteArray::fromStdString(text));
            return;
        }
        const std::string has = text.substr(from + begin.size(), to - from - begin.size());
        QVERIFY2(has == detectorTable(), "docs/live-evaluation.md differs from the registry: run HALLWRIGHT_TABLES=write test_thresholds");
    }
};

QTEST_GUILESS_MAIN(TestThresholds)
#include "test_thresholds.moc"
