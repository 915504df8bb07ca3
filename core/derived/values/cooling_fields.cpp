// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/cooling_fields.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/values/field_helpers.h"

namespace hw {

namespace {

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

} // namespace

std::vector<ValueField> coolantFlowFields(const Figures& figures)
{
    CoolingPair out = fieldsOf(figures, TextId("Coolant flow"), "L/min");
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    for (const CooledLoad& taker : chain.takers) {
        if (taker.loop < 0) continue;
        out.devices.values[taker.device.value] = float(taker.availableLpm);
        if (!taker.rack) continue;
        float& rack = out.racks.values[(*taker.rack).value]; // of all its manifolds
        rack = (known(rack) ? rack : 0) + float(taker.availableLpm);
    }
    for (const CoolingUnit& unit : chain.units)
        if (const double lpm = unit.lpm > 0 ? unit.lpm : unit.takesLpm; lpm > 0) out.devices.values[unit.device.value] = float(lpm);
    return out.list();
}

std::vector<ValueField> coolantSupplyFields(const Figures& figures)
{
    CoolingPair out = fieldsOf(figures, TextId("Coolant supply temperature"), "°C");
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    for (const CooledLoad& taker : chain.takers) {
        if (taker.loop < 0) continue;
        out.devices.values[taker.device.value] = float(taker.supplyC);
        if (taker.rack) out.racks.values[(*taker.rack).value] = float(taker.supplyC);
    }
    for (const CoolingUnit& unit : chain.units)
        if (unit.feeds >= 0) out.devices.values[unit.device.value] = float(unit.supplyC);
    return out.list();
}

std::vector<ValueField> faceVelocityFields(const Figures& figures)
{
    CoolingPair out = fieldsOf(figures, TextId("Coil face velocity"), "m/s");
    for (const CoolingUnit& unit : figures.get<CoolingChainNode>().units)
        if (unit.faceMs > 0) out.devices.values[unit.device.value] = float(unit.faceMs);
    return out.list();
}

} // namespace hw
