// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/overlays/live_fields.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/values/field_helpers.h"
#include "core/foundation/base/spelling.h"

#include <algorithm>
#include <cmath>

namespace hw {

namespace {

using bindings::Measure;
using Fields = std::vector<ValueField>;

constexpr double kKilo = 1e3, kGiga = 1e9;

struct Moment {
    const monitoring::Frame& frame;
    const LiveIndex& index;
};
Moment now(const LiveValues& v) { return {*v.frame, *v.index}; }
Moment then(const LiveValues& v) { return {*v.against, *v.againstIndex}; }

/// From below the least to above the most in fives, so that a map of temperatures does not move with every reading.
void fitBetween(ValueField& f)
{
    constexpr double kStep = 5;
    double least = 1e300, most = -1e300;
    for (const float value : f.values)
        if (known(value)) least = std::min(least, double(value)), most = std::max(most, double(value));
    if (least > most) least = 20, most = 30;
    f.low = std::floor(least / kStep) * kStep;
    f.high = std::max(std::ceil(most / kStep) * kStep, f.low + 2 * kStep);
}

/// To the devices in racks: transformers and busways carry thousands of times as much, and would leave nothing to see of those.
void fitToLoads(ValueField& f, const Snapshot& s)
{
    float most = 0;
    s.devices.forEach([&](DeviceId id) {
        const bool load = s.devices.rack[id] && s.tiers.kind[s.devices.tier[id]] != TierKind::Power;
        if (load && known(f.values[id.value])) most = std::max(most, f.values[id.value]);
    });
    f.high = roundUp(double(most));
    if (most == 0) fitToValues(f); // only equipment is measured
}

/// The change from `before`, with nothing changed in the middle of the map.
void subtract(ValueField& f, const ValueField& before)
{
    double most = 0;
    for (std::size_t i = 0; i < f.values.size(); ++i) {
        f.values[i] -= i < before.values.size() ? before.values[i] : ValueField::kNone;
        if (known(f.values[i])) most = std::max(most, std::abs(double(f.values[i])));
    }
    f.high = f.scale == FieldScale::Share ? std::max(0.05, roundUp(most)) : roundUp(most);
    f.low = -f.high;
    f.title = i18n("{}: change", f.title);
}

/// The fields of a moment, or of what changed since the other one.
template <class Make>
Fields compared(const LiveValues& values, Make&& make)
{
    Fields fields = make(now(values));
    if (values.against && values.againstIndex) {
        const Fields before = make(then(values));
        for (std::size_t i = 0; i < fields.size(); ++i) subtract(fields[i], before[i]);
    }
    for (ValueField& field : fields) {
        field.source = values.source;
        field.stale = values.stale;
    }
    return fields;
}

Fields fieldsOf(Measured measured, FieldScale scale, TextId racks, TextId devices, const char* unit)
{
    ValueField r = emptyField(EntityKind::Rack, 0, scale, racks, unit), d = emptyField(EntityKind::Device, 0, scale, devices, unit);
    r.values = std::move(measured.racks);
    d.values = std::move(measured.devices);
    return both(std::move(r), std::move(d));
}

void divide(std::vector<float>& values, const std::vector<float>& by)
{
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = by[i] > 0 ? values[i] / by[i] : ValueField::kNone;
}

double watts(Milliwatts power) { return double(power.count()) * 1e-3; }

/// Watts that a device is planned to take: power equipment what it takes in.
double plannedWatts(const Figures& figures, const PowerChain& chain, PowerBasis basis, DeviceId id)
{
    const Snapshot& s = *figures.snapshot;
    return watts(s.tiers.kind[s.devices.tier[id]] == TierKind::Power ? chain.load(id) : figures.power->device(id).at(basis));
}

/// The same of all racks and devices.
Measured plannedPower(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const PowerBasis basis = powerBasisOf(s);
    const PowerChain& chain = powerChain(figures, basis);
    Measured planned{std::vector<float>(s.racks.nextId(), 0), std::vector<float>(s.devices.nextId(), 0)};
    s.racks.forEach([&](RackId id) { planned.racks[id.value] = float(watts(figures.power->rack(id).at(basis))); });
    s.devices.forEach([&](DeviceId id) { planned.devices[id.value] = float(plannedWatts(figures, chain, basis, id)); });
    return planned;
}

/// Liters a minute that racks and devices need.
Measured neededFlow(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    Measured needed{std::vector<float>(s.racks.nextId(), 0), std::vector<float>(s.devices.nextId(), 0)};
    for (const CooledLoad& taker : chain.takers) {
        needed.devices[taker.device.value] = float(taker.lpm);
        if (taker.rack) needed.racks[(*taker.rack).value] += float(taker.lpm);
    }
    for (const CoolingUnit& unit : chain.units)
        if (unit.lpm > 0) needed.devices[unit.device.value] = float(unit.lpm);
    return needed;
}

ValueField statesField(EntityKind entity, std::size_t size, TextId title, const LiveValues& values, std::vector<FieldCategory> categories)
{
    ValueField field = emptyField(entity, size, FieldScale::Category, title, "");
    field.high = double(categories.size() - 1);
    field.categories = std::move(categories);
    field.source = values.source;
    field.stale = values.stale;
    return field;
}

/// States of racks, devices and links: the lowest where something is measured, raised by what is known.
struct States {
    Fields fields;
    const Snapshot& s;

    States(const Snapshot& snapshot, const LiveValues& values, TextId title, const std::vector<FieldCategory>& categories) : s(snapshot)
    {
        fields.push_back(statesField(EntityKind::Rack, s.racks.nextId(), title, values, categories));
        fields.push_back(statesField(EntityKind::Device, s.devices.nextId(), title, values, categories));
        fields.push_back(statesField(EntityKind::Link, s.links.nextId(), title, values, categories));
        if (!values.index->bound()) return;
        for (std::size_t p = 0; p < values.index->bound()->points.size() && p < values.frame->values.size(); ++p)
            if (known(values.frame->values[p])) raise(values.index->bound()->points[p].entity, 0);
    }
    void one(ValueField& field, std::uint32_t id, float state)
    {
        if (id < field.values.size()) field.values[id] = known(field.values[id]) ? std::max(field.values[id], state) : state;
    }
    /// An entity, and what it stands in up to its rack.
    void raise(EntityRef entity, float state)
    {
        if (entity.kind == EntityKind::Link) return one(fields[2], entity.id, state);
        if (entity.kind == EntityKind::Port && entity.id < s.ports.nextId()) entity = ref(s.ports.device[PortId(entity.id)]);
        if (entity.kind == EntityKind::Rack) return one(fields[0], entity.id, state);
        if (entity.kind != EntityKind::Device || !s.devices.contains(DeviceId(entity.id))) return;
        one(fields[1], entity.id, state);
        if (const auto rack = s.devices.rack[DeviceId(entity.id)]) one(fields[0], (*rack).value, state);
    }
};

/// Loads of links as measured at their ends, by directed link; a capacity of 0 where nothing is measured, or the link is down.
struct MeasuredLinks {
    std::vector<float> gbps, capacity;
};
MeasuredLinks measuredLinks(const Figures& figures, const Moment& at)
{
    const Snapshot& s = *figures.snapshot;
    const DesignIndex& index = figures.get<IndexNode>();
    MeasuredLinks out{std::vector<float>(2 * std::size_t(s.links.nextId()), 0), {}};
    out.capacity = out.gbps;
    const auto each = [&](Measure measure, auto&& f) {
        for (const LiveIndex::Entry& entry : at.index.of(measure)) {
            if (entry.entity.kind != EntityKind::Port || entry.entity.id >= s.ports.nextId() || entry.point >= at.frame.values.size()) continue;
            const PortId port(entry.entity.id);
            const auto link = index.linkOf(port);
            if (link && known(at.frame.values[entry.point])) f(*link, port, at.frame.values[entry.point]);
        }
    };
    const auto put = [&](std::size_t directed, PortId port, float bits) {
        out.gbps[directed] = bits / float(kGiga);
        out.capacity[directed] = float(s.ports.rate[port].count());
    };
    each(Measure::Receive,
         [&](LinkId link, PortId port, float bits) { put(2 * std::size_t(link.value) + (s.links.from[link] == port), port, bits); });
    each(Measure::Transmit,
         [&](LinkId link, PortId port, float bits) { put(2 * std::size_t(link.value) + (s.links.from[link] != port), port, bits); });
    each(Measure::LinkUp, [&](LinkId link, PortId, float up) {
        if (up < 0.5F) out.capacity[2 * std::size_t(link.value)] = out.capacity[2 * std::size_t(link.value) + 1] = 0;
    });
    return out;
}

} // namespace

Fields livePowerFields(const Figures& figures, const LiveValues& values)
{
    return compared(values, [&](const Moment& at) {
        Measured power = measuredOf(*figures.snapshot, at.index, at.frame, Measure::ActivePower, Together::Sum);
        for (auto* list : {&power.racks, &power.devices})
            for (float& value : *list) value /= float(kKilo);
        Fields fields = fieldsOf(std::move(power), FieldScale::Amount, TextId("Measured power"), TextId("Measured power"), "kW");
        fitToValues(fields[0]);
        fitToLoads(fields[1], *figures.snapshot);
        return fields;
    });
}

Fields livePowerShareFields(const Figures& figures, const LiveValues& values)
{
    const Measured planned = plannedPower(figures);
    return compared(values, [&](const Moment& at) {
        Measured power = measuredOf(*figures.snapshot, at.index, at.frame, Measure::ActivePower, Together::Sum);
        divide(power.racks, planned.racks);
        divide(power.devices, planned.devices);
        return fieldsOf(std::move(power), FieldScale::Share, TextId("Measured / planned power"), TextId("Measured / planned power"), "%");
    });
}

Fields liveSupplyFields(const Figures& figures, const LiveValues& values)
{
    return compared(values, [&](const Moment& at) {
        Fields fields = fieldsOf(measuredOf(*figures.snapshot, at.index, at.frame, Measure::SupplyTemperature, Together::Most), FieldScale::Amount,
                                 TextId("Measured coolant supply"), TextId("Measured coolant supply"), "°C");
        for (ValueField& field : fields) fitBetween(field);
        return fields;
    });
}

Fields liveFlowFields(const Figures& figures, const LiveValues& values)
{
    const Measured needed = neededFlow(figures);
    return compared(values, [&](const Moment& at) {
        Measured flow = measuredOf(*figures.snapshot, at.index, at.frame, Measure::Flow, Together::Sum);
        divide(flow.racks, needed.racks);
        divide(flow.devices, needed.devices);
        return fieldsOf(std::move(flow), FieldScale::Share, TextId("Measured / required flow"), TextId("Measured / required flow"), "%");
    });
}

Fields liveLinkFields(const Figures& figures, const LinkPlaces& places, const LiveValues& values)
{
    return compared(values, [&](const Moment& at) {
        const MeasuredLinks links = measuredLinks(figures, at);
        LoadFields made = loadFields(places, {links.gbps, links.capacity, {}, false, {}});
        Fields fields;
        for (ValueField* field : {&made.racks, &made.devices, &made.links}) fields.push_back(std::move(*field));
        return fields;
    });
}

Fields liveUtilizationFields(const Figures& figures, const LiveValues& values)
{
    return compared(values, [&](const Moment& at) {
        Measured busy = measuredOf(*figures.snapshot, at.index, at.frame, Measure::Utilization, Together::Mean);
        for (auto* list : {&busy.racks, &busy.devices})
            for (float& value : *list) value /= 100;
        return fieldsOf(std::move(busy), FieldScale::Share, TextId("Utilization"), TextId("Utilization"), "%");
    });
}

Fields liveDeviationFields(const Figures& figures, const LiveValues& values)
{
    constexpr double kFar = 0.1;
    States states(
        *figures.snapshot, values, TextId("Deviation from design"),
        {{i18n("as designed"), Tone::Neutral, 0, true}, {i18n("deviates"), Tone::Warning, 0}, {i18n("deviates by more than 10 %"), Tone::Error, 0}});
    for (const monitoring::Deviation& d : values.frame->deviations) states.raise(d.entity, std::abs(d.share) > kFar ? 2.0F : 1.0F);
    return std::move(states.fields);
}

Fields liveAlarmFields(const Figures& figures, const LiveValues& values)
{
    States states(*figures.snapshot, values, TextId("Alarms"),
                  {{i18n("no alarm"), Tone::Neutral, 0, true},
                   {i18n("acknowledged or shelved"), Tone::Note, 0},
                   {i18n("symptom"), Tone::Warning, 0},
                   {i18n("cause"), Tone::Error, 0}});
    for (const monitoring::Alarm& alarm : values.frame->alarms) {
        if (alarm.clearedMs != 0) continue;
        const bool quiet = alarm.acknowledged || alarm.shelvedUntilMs > values.frame->atMs;
        for (const EntityRef symptom : alarm.symptoms) states.raise(symptom, quiet ? 1.0F : 2.0F);
        states.raise(alarm.cause, quiet ? 1.0F : 3.0F);
        for (const EntityRef one : alarm.together) states.raise(one, quiet ? 1.0F : 3.0F);
    }
    return std::move(states.fields);
}

std::vector<Measure> measuresOf(std::string_view overlay)
{
    using enum Measure;
    if (overlay == "live-power" || overlay == "live-power-share") return {ActivePower};
    if (overlay == "live-supply") return {SupplyTemperature};
    if (overlay == "live-flow") return {Flow};
    if (overlay == "live-links") return {Transmit, Receive, LinkUp};
    if (sameName(overlay, "live-utilization")) return {Utilization};
    return {};
}

std::optional<double> plannedValue(const Figures& figures, const bindings::Point& point)
{
    const Snapshot& s = *figures.snapshot;
    const EntityRef e = point.entity;
    const auto positive = [](double value) { return value > 0 ? std::optional(value) : std::nullopt; };
    const PowerBasis basis = powerBasisOf(s);
    if (point.measure == Measure::ActivePower && point.element.empty()) {
        const auto of = [&](const Load& load) { return positive(watts(load.at(basis))); };
        if (e.kind == EntityKind::Rack && s.racks.contains(RackId(e.id))) return of(figures.power->rack(RackId(e.id)));
        if (e.kind == EntityKind::Row && s.rows.contains(RowId(e.id))) return of(figures.power->row(RowId(e.id)));
        if (e.kind == EntityKind::Hall && s.halls.contains(HallId(e.id))) return of(figures.power->hall(HallId(e.id)));
    }
    if (e.kind != EntityKind::Device || !s.devices.contains(DeviceId(e.id))) return std::nullopt;
    const DeviceId id(e.id);
    if (point.measure == Measure::ActivePower && point.element.empty()) return positive(plannedWatts(figures, powerChain(figures, basis), basis, id));
    if (!point.element.empty() && point.element != "secondary") return std::nullopt;
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    const CoolingUnit* unit = chain.unit(id);
    const CooledLoad* taker = chain.taker(id);
    if (taker && taker->device != id) taker = nullptr; // one of several behind a manifold
    switch (point.measure) {
    case Measure::SupplyTemperature: return unit ? positive(unit->supplyC) : taker ? positive(taker->supplyC) : std::nullopt;
    case Measure::ReturnTemperature: return unit ? positive(unit->returnC) : taker ? positive(taker->returnC) : std::nullopt;
    case Measure::Flow: return unit ? positive(unit->lpm) : taker ? positive(taker->lpm) : std::nullopt;
    case Measure::Heat: return unit ? positive(unit->heatW) : taker ? positive(taker->liquidW) : std::nullopt;
    default: return std::nullopt;
    }
}

} // namespace hw
