// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/cooling_fields.h"

#include "core/derived/values/field_helpers.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace hw {

namespace {

struct CoolantMeaning {
    std::string_view overlay;
    TextId things, pipes; ///< titles: of cabinets and equipment, of pipes
    const char* unit;
};

constexpr std::array<CoolantMeaning, 5> kCoolant{{
    {"coolant-flow", TextId("Coolant flow"), TextId("Coolant flow in pipes"), "L/min"},
    {"coolant-velocity", TextId("Coolant velocity"), TextId("Coolant velocity in pipes"), "m/s"},
    {"coolant-supply", TextId("Coolant supply temperature"), TextId("Coolant temperature in pipes"), "°C"},
    {"coolant-rise", TextId("Coolant temperature rise"), TextId("Coolant temperature rise, return over supply"), "K"},
    {"coolant-pressure", TextId("Coolant differential pressure"), TextId("Differential pressure in pipes, supply to return"), "kPa"},
}};

struct CoolingPair {
    ValueField racks, devices;
    std::vector<ValueField> list()
    {
        fitToValues(racks), fitToValues(devices);
        return both(std::move(racks), std::move(devices));
    }
};

CoolingPair fieldsOf(const Figures& figures, TextId title, const char* unit)
{
    const Snapshot& s = *figures.snapshot;
    CoolingPair out{emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Amount, title, unit),
                    emptyField(EntityKind::Device, s.devices.nextId(), FieldScale::Amount, title, unit)};
    out.racks.source = out.devices.source = basisOf(s);
    return out;
}

void raise(float& value, double to) { value = known(value) ? std::max(value, float(to)) : float(to); }

/// What a cabinet or device is supplied with.
void addTaker(CoolingPair& out, const CooledLoad& taker, CoolantQuantity quantity)
{
    float& device = out.devices.values[taker.device.value];
    float none = ValueField::kNone;
    float& rack = taker.rack ? out.racks.values[(*taker.rack).value] : none;
    switch (quantity) {
    case CoolantQuantity::Flow:
        device = float(taker.availableLpm);
        rack = (known(rack) ? rack : 0) + float(taker.availableLpm); // of all its manifolds
        break;
    case CoolantQuantity::Temperature: device = rack = float(taker.supplyC); break;
    case CoolantQuantity::Rise:
        device = float(taker.returnC - taker.supplyC);
        raise(rack, taker.returnC - taker.supplyC);
        break;
    case CoolantQuantity::Velocity:
    case CoolantQuantity::Pressure: break; // of the way to it
    }
}

void addUnit(ValueField& devices, const CoolingUnit& unit, CoolantQuantity quantity)
{
    float& value = devices.values[unit.device.value];
    switch (quantity) {
    case CoolantQuantity::Flow:
        if (const double lpm = unit.lpm > 0 ? unit.lpm : unit.takesLpm; lpm > 0) value = float(lpm);
        break;
    case CoolantQuantity::Velocity:
        if (unit.velocityMs > 0) value = float(unit.velocityMs);
        break;
    case CoolantQuantity::Temperature:
        if (unit.feeds >= 0) value = float(unit.supplyC);
        break;
    case CoolantQuantity::Rise:
        if (unit.feeds >= 0 && unit.returnC > unit.supplyC) value = float(unit.returnC - unit.supplyC);
        break;
    case CoolantQuantity::Pressure: break;
    }
}

void addRun(CoolingPair& out, const Snapshot& s, const cooling::PipeRun& run, DeviceId taker, CoolantQuantity quantity)
{
    const double value = quantity == CoolantQuantity::Velocity ? run.velocityMs : run.toKpa;
    if ((quantity != CoolantQuantity::Velocity && quantity != CoolantQuantity::Pressure) || value == 0) return;
    if (quantity == CoolantQuantity::Pressure) out.devices.values[taker.value] = float(value);
    if (const auto rack = s.devices.rack[taker]) raise(out.racks.values[(*rack).value], value);
}

/// One scale for all that is measured alike.
void shareScale(std::vector<ValueField>& fields, bool fromZero)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const ValueField& f : fields)
        for (const float value : f.values)
            if (known(value)) low = std::min(low, double(value)), high = std::max(high, double(value));
    if (low > high) return;
    constexpr double kStep = 5;
    const double from = fromZero ? std::min(0.0, low) : kStep * std::floor(low / kStep),
                 to = fromZero ? roundUp(high) : kStep * std::ceil(high / kStep);
    for (ValueField& f : fields) f.low = from, f.high = std::max(to, from + (fromZero ? 1e-3 : kStep));
}

} // namespace

std::optional<CoolantQuantity> coolantQuantity(std::string_view overlay)
{
    const auto found = std::ranges::find(kCoolant, overlay, &CoolantMeaning::overlay);
    return found == kCoolant.end() ? std::nullopt : std::optional(CoolantQuantity(found - kCoolant.begin()));
}

double valueAlong(const cooling::PipeRun& run, CoolantQuantity quantity, double share, bool ofReturn)
{
    switch (quantity) {
    case CoolantQuantity::Flow: return run.lpm;
    case CoolantQuantity::Velocity: return run.velocityMs;
    case CoolantQuantity::Temperature: return ofReturn ? run.returnC : run.supplyC;
    case CoolantQuantity::Rise: return run.returnC - run.supplyC;
    case CoolantQuantity::Pressure: return run.fromKpa + share * (run.toKpa - run.fromKpa);
    }
    return 0;
}

std::vector<ValueField> coolantFields(const Figures& figures, CoolantQuantity quantity)
{
    const CoolantMeaning& meaning = kCoolant[std::size_t(quantity)];
    CoolingPair out = fieldsOf(figures, meaning.things, meaning.unit);
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    for (const CooledLoad& taker : chain.takers)
        if (taker.loop >= 0) addTaker(out, taker, quantity);
    for (const CoolingUnit& unit : chain.units) addUnit(out.devices, unit, quantity);
    std::vector<std::pair<std::uint32_t, float>> links;
    std::map<LinkId, DeviceId> takers;
    for (const CoolantPath& way : chain.ways)
        if (way.link) takers.emplace(*way.link, way.taker);
    double warmest = 0;
    for (const cooling::PipeRun& run : cooling::pipeRuns(figures)) {
        warmest = std::max(warmest, run.returnC);
        if (run.entity.kind != EntityKind::Link) continue; // headers are devices of their own
        addRun(out, *figures.snapshot, run, takers.at(LinkId(run.entity.id)), quantity);
        links.emplace_back(run.entity.id, float(valueAlong(run, quantity, 1, false)));
    }
    std::ranges::sort(links);
    ValueField pipes = emptyField(EntityKind::Link, 0, FieldScale::Amount, meaning.pipes, meaning.unit);
    pipes.source = out.racks.source;
    for (const auto& [id, value] : links) pipes.ids.push_back(id), pipes.values.push_back(value);
    std::vector<ValueField> fields = out.list();
    fitToValues(pipes);
    fields.push_back(std::move(pipes));
    if (quantity == CoolantQuantity::Flow) return fields; // a header carries what many cabinets take
    shareScale(fields, quantity != CoolantQuantity::Temperature);
    if (quantity == CoolantQuantity::Temperature)
        for (ValueField& f : fields) f.high = std::max(f.high, 5 * std::ceil(warmest / 5));
    return fields;
}

std::vector<ValueField> faceVelocityFields(const Figures& figures)
{
    CoolingPair out = fieldsOf(figures, TextId("Coil face velocity"), "m/s");
    for (const CoolingUnit& unit : figures.get<CoolingChainNode>().units)
        if (unit.faceMs > 0) out.devices.values[unit.device.value] = float(unit.faceMs);
    return out.list();
}

} // namespace hw
