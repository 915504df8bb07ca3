// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/reading.h"

#include "core/derived/figures/cords.h"
#include "core/derived/figures/device_draw.h"

#include "core/foundation/model/places.h"

#include <algorithm>

namespace hw::cooling {

namespace {

constexpr double kLeastHoseM = 1; ///< from a header to what hangs beside it (assumed)

/// A part of a device's draw on the basis that goes to coolant.
double liquidW(const Design& d, PowerBasis basis, DeviceId id) { return toWatts(d.power.device(id).liquid[std::size_t(basis)]); }

CoolingUnit unitOf(const Design& d, const CoolingConditions& at, DeviceId id, CoolingElement element)
{
    const DeviceSpec& spec = d.spec(id);
    const CoolingSpec& c = spec.cooling;
    CoolingUnit unit{.device = id, .element = element};
    unit.ownW = toWatts(drawOf(spec, at.basis).value);
    unit.ratedW = toWatts(spec.capacity.value);
    unit.capacityLpm = spec.coolantLpm.value;
    unit.onReturn = c.onReturn;
    unit.approachK = c.onReturn ? at.facilityDeltaK : c.approachK.value; // over the supply: what the other takers warm the water by
    unit.ratedTakesLpm = c.facilityLoss.lpm.value;
    unit.headKpa = c.headKpa.value;
    unit.liters = c.liters.value + c.feedLiters.value;
    unit.capacityM3s = c.airM3s.value;
    unit.pumps = c.pumps, unit.sparePumps = c.spares;
    return unit;
}

void readUnits(const Design& d, CoolingChain& chain)
{
    chain.unitOf.assign(d.s.devices.nextId(), -1);
    chain.takerOf.assign(d.s.devices.nextId(), -1);
    d.s.devices.forEach([&](DeviceId id) {
        const CoolingElement element = coolingElement(d.spec(id));
        if (element == CoolingElement::None) return;
        chain.unitOf[id.value] = std::int32_t(chain.units.size());
        chain.units.push_back(unitOf(d, chain.at, id, element));
    });
}

bool hasArcs(const Design& d, DeviceId id, bool up)
{
    return std::ranges::any_of(d.coolant.arcs(id), [&](const auto& arc) { return arc.up == up; });
}

/// What a rack's devices depend on: its manifolds, else a CDU in it that nothing else depends on.
struct RackSupply {
    std::vector<DeviceId> manifolds;
    Maybe<DeviceId> cdu;
    std::size_t next = 0;
};

std::vector<RackSupply> rackSupplies(const Design& d, const CoolingChain& chain)
{
    std::vector<RackSupply> racks(d.s.racks.nextId());
    for (const CoolingUnit& unit : chain.units) {
        const auto rack = d.s.devices.rack[unit.device];
        if (!rack) continue;
        if (unit.element == CoolingElement::Manifold) racks[(*rack).value].manifolds.push_back(unit.device);
        if (unit.element == CoolingElement::Cdu && !hasArcs(d, unit.device, false)) racks[(*rack).value].cdu = unit.device;
    }
    return racks;
}

CooledLoad& takerAt(CoolingChain& chain, DeviceId device, Maybe<RackId> rack)
{
    std::int32_t& at = chain.takerOf[device.value];
    if (at < 0) {
        at = std::int32_t(chain.takers.size());
        chain.takers.push_back({.device = device, .rack = rack});
    }
    return chain.takers[std::size_t(at)];
}

/// Devices that liquid cools: on their own links, or in turn on the manifolds of their rack; what has neither hangs with all such of its rack
/// on the first of them.
void readTakers(const Design& d, CoolingChain& chain)
{
    auto racks = rackSupplies(d, chain);
    std::vector<DeviceId> firstOf(d.s.racks.nextId());
    std::vector<char> seen(d.s.racks.nextId(), 0);
    d.s.devices.forEach([&](DeviceId id) {
        const double heat = chain.unitOf[id.value] < 0 ? liquidW(d, chain.at.basis, id) : 0;
        if (heat <= 0) return;
        const auto rack = d.s.devices.rack[id];
        DeviceId on = id;
        if (rack && !hasArcs(d, id, true)) {
            RackSupply& supply = racks[(*rack).value];
            if (!supply.manifolds.empty()) {
                on = supply.manifolds[supply.next++ % supply.manifolds.size()];
            } else {
                if (!seen[(*rack).value]) {
                    seen[(*rack).value] = 1, firstOf[(*rack).value] = id;
                    if (supply.cdu) chain.ways.push_back({.taker = id, .feeder = *supply.cdu});
                }
                on = firstOf[(*rack).value];
            }
        }
        CooledLoad& taker = takerAt(chain, on, rack);
        taker.cooled.push_back(id);
        taker.liquidW += heat;
        chain.takerOf[id.value] = chain.takerOf[on.value];
    });
}

bool placed(const Design& d, DeviceId id) { return bool(hallOf(d.s, id)); }

/// Along the walls of a room from one box to the other.
double apartM(const Box& a, const Box& b)
{
    const auto gap = [](int lowA, int highA, int lowB, int highB) { return std::max({0, lowB - highA, lowA - highB}); };
    return double(gap(a.low.x, a.high.x, b.low.x, b.high.x) + gap(a.low.y, a.high.y, b.low.y, b.high.y) + gap(a.low.z, a.high.z, b.low.z, b.high.z)) /
           1000;
}

/// By hand, else the route, else straight along the axes.
double lengthOf(const Design& d, const CoolantPath& way, const SupplyLine* line)
{
    if (const auto cable = d.s.links.cable[*way.link])
        if (const auto set = d.s.cables.length[*cable]; set.count() > 0) return toMeters(set);
    if (line && line->routeMm > 0) return line->routeMm / 1000.0;
    if (!placed(d, way.taker) || !placed(d, way.feeder)) return kLeastHoseM;
    const auto box = [&](DeviceId id) { return d.placement.device(d.s, d.parts, id); };
    return std::max(apartM(box(way.taker), box(way.feeder)), kLeastHoseM);
}

void readWays(const Design& d, CoolingChain& chain)
{
    d.s.devices.forEach([&](DeviceId id) {
        if (!chain.unit(id) && !chain.taker(id)) return;
        for (const auto& arc : d.coolant.arcs(id)) {
            if (!arc.up || !chain.unit(arc.to)) continue;
            CoolantPath way{.taker = id, .feeder = arc.to, .link = arc.link};
            const SupplyLine* line = d.supply.of(arc.link);
            way.lengthM = lengthOf(d, way, line);
            if (line && line->size.type) {
                const CableSpec& hose = d.parts.cable(*line->size.type);
                way.innerMm = hose.innerMm.value, way.roughnessMm = hose.roughnessMm.value, way.kv = hose.kv.value;
                way.bearsKpa = hose.bearsKpa.value, way.ratedLpm = hose.ratedLpm.value;
            }
            chain.ways.push_back(way);
        }
    });
}

/// As the list of cables has them.
void readHoses(const Design& d, CoolingChain& chain)
{
    Cords::forHoses(d.s, d.parts, d.coolant, [&](const Cord& cord) {
        if (!cord.type || !chain.taker(cord.device)) return;
        const CableSpec& hose = d.parts.cable(*cord.type);
        chain.hoses.push_back({.device = cord.device,
                               .lengthM = cord.lengthMm / 1000.0,
                               .innerMm = hose.innerMm.value,
                               .roughnessMm = hose.roughnessMm.value,
                               .kv = hose.kv.value,
                               .bearsKpa = hose.bearsKpa.value,
                               .ratedLpm = hose.ratedLpm.value});
    });
}

} // namespace

void readDevices(const Design& design, CoolingChain& chain)
{
    readUnits(design, chain);
    readTakers(design, chain);
    readWays(design, chain);
    readHoses(design, chain);
}

} // namespace hw::cooling
