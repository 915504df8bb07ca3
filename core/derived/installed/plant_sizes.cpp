// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/installed/plant_sizes.h"

#include "core/derived/figures/power_chain.h"
#include "core/foundation/model/setting_values.h"

#include <cmath>
#include <map>

namespace hw {

namespace {

constexpr double kUsable = 0.92;      ///< of a tank
constexpr double kDeliveryL = 30'000; ///< of a tank truck, assumed

/// Of a part as it stands: its capacity, or its rating at the power factor where that is less.
double realW(const DeviceSpec& spec, double powerFactor)
{
    const double real = double(spec.capacity.value.count()) / 1e3, apparent = double(spec.power.apparent.value.count()) / 1e3 * powerFactor;
    if (spec.power.element == PowerElement::Generator || apparent <= 0) return real; // rated at a power factor of its own
    return real > 0 ? std::min(real, apparent) : apparent;
}

bool isAirUnit(CoolingElement element)
{
    using enum CoolingElement;
    return element == FanWall || element == Crah || element == InRow || element == RearDoor;
}

std::optional<PlantPart> partOf(CoolingElement element)
{
    using enum CoolingElement;
    if (element == Chiller || element == DryCooler || element == Tower) return PlantPart::HeatRejection;
    if (element == Cdu) return PlantPart::Cdus;
    if (isAirUnit(element)) return PlantPart::AirUnits;
    return std::nullopt;
}

} // namespace

Text plantPartText(PlantPart part)
{
    switch (part) {
    case PlantPart::GridTransformers: return i18n("HV/MV transformers");
    case PlantPart::Transformers: return i18n("Transformers");
    case PlantPart::Generators: return i18n("Generator sets");
    case PlantPart::Ups: return i18n("UPS");
    case PlantPart::HeatRejection: return i18n("Heat rejection");
    case PlantPart::Cdus: return i18n("CDUs");
    case PlantPart::AirUnits: return i18n("Air-cooling units");
    }
    return {};
}

std::vector<power::Index> elementsOf(const Figures& figures, PowerElement element)
{
    const Snapshot& s = *figures.snapshot;
    std::vector<power::Index> out;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power && figures.parts->device(s.devices.type[id]).power.element == element)
            out.push_back(id.value);
    });
    return out;
}

power::Flow flowWithoutUtilities(const Figures& figures, const PowerChain& chain)
{
    return power::flowOf(chain.network, elementsOf(figures, PowerElement::Utility));
}

std::vector<PlantSize> plantSizes(const Figures& figures, PowerBasis basis)
{
    const Snapshot& s = *figures.snapshot;
    const PowerChain& chain = powerChain(figures, basis);
    const double powerFactor = powerFactorOf(s);
    std::map<PlantPart, PlantSize> sizes;
    const auto add = [&](PlantPart part, double installed, double needed) {
        PlantSize& size = sizes[part];
        size.part = part;
        ++size.count, size.installedW += installed, size.neededW += needed;
    };
    const auto spec = [&](power::Index i) -> const DeviceSpec& { return figures.parts->device(s.devices.type[DeviceId(i)]); };
    const auto addPower = [&](PlantPart part, power::Index i, const power::Flow& flow) {
        if (const double w = realW(spec(i), powerFactor); w > 0) add(part, w, toWatts(flow.through[i].total()));
    };
    for (const auto i : elementsOf(figures, PowerElement::Transformer)) {
        bool gear = false;
        for (const auto& use : chain.network.uses(i)) gear = gear || spec(use.consumer).power.element == PowerElement::Switchgear;
        addPower(gear ? PlantPart::GridTransformers : PlantPart::Transformers, i, chain.flow);
    }
    if (const auto sets = elementsOf(figures, PowerElement::Generator); !sets.empty()) {
        const power::Flow alone = flowWithoutUtilities(figures, chain);
        for (const auto i : sets) addPower(PlantPart::Generators, i, alone);
    }
    for (const auto i : elementsOf(figures, PowerElement::Ups)) addPower(PlantPart::Ups, i, chain.flow);
    for (const CoolingUnit& unit : figures.get<CoolingChainNode>().units)
        if (const auto part = partOf(unit.element); part && unit.capacityW > 0) add(*part, unit.capacityW, unit.heatW);
    std::vector<PlantSize> out;
    for (const auto& [part, size] : sizes)
        if (size.neededW > 0) out.push_back(size);
    return out;
}

Text plantScopeText()
{
    return i18n("Not covered: selective coordination, arc flash, grounding, harmonics above the K-factor, pipe stress, water hammer.");
}

double fuelLitersPerHour(double ratedKw, double loadKw) { return ratedKw > 0 ? 0.024 * ratedKw + 0.243 * loadKw : 0; }

FuelNeed fuelNeed(const Figures& figures, PowerBasis basis)
{
    FuelNeed fuel;
    const auto sets = elementsOf(figures, PowerElement::Generator);
    if (sets.empty()) return fuel;
    const Snapshot& s = *figures.snapshot;
    const power::Flow alone = flowWithoutUtilities(figures, powerChain(figures, basis));
    for (const auto i : sets) {
        const double rated = toWatts(figures.parts->device(s.devices.type[DeviceId(i)]).capacity.value), load = toWatts(alone.through[i].total());
        if (load <= 0 || rated <= 0) continue;
        ++fuel.sets, fuel.ratedW += rated, fuel.loadW += load;
        fuel.litersPerHour += fuelLitersPerHour(rated / 1e3, load / 1e3);
    }
    fuel.hours = numberSetting(s, "site.fuel_hours");
    fuel.liters = fuel.litersPerHour * fuel.hours / kUsable;
    fuel.deliveries = std::int64_t(std::ceil(fuel.liters / kDeliveryL - 1e-9));
    return fuel;
}

} // namespace hw
