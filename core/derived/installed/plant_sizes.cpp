// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/installed/plant_sizes.h"

#include "core/derived/figures/power_chain.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw {

namespace {

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

/// Sets that feed the same.
struct SetGroup {
    std::vector<power::Index> sets, consumers;
};
std::vector<SetGroup> setGroups(const power::Network& network, const std::vector<power::Index>& sets)
{
    std::map<std::vector<power::Index>, std::vector<power::Index>> groups;
    for (const auto set : sets) {
        std::vector<power::Index> consumers;
        for (const auto& use : network.uses(set)) consumers.push_back(use.consumer);
        std::ranges::sort(consumers);
        groups[std::move(consumers)].push_back(set);
    }
    std::vector<SetGroup> out;
    for (auto& [consumers, of] : groups) out.push_back({std::move(of), consumers});
    return out;
}

/// What a unit carries of the load of its group by its rating, once the largest of the others is lost; at most its rating.
double withOneLost(double load, double rating, double installed, double largest)
{
    const double left = installed - largest;
    return left >= rating && left >= load ? std::min(rating, load * rating / left) : std::min(rating, load);
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
    const auto add = [&](PlantPart part, double installed, double needed, double worst) {
        PlantSize& size = sizes[part];
        size.part = part;
        ++size.count, size.installedW += installed, size.neededW += needed, size.worstW += std::max(needed, worst);
    };
    const auto spec = [&](power::Index i) -> const DeviceSpec& { return figures.parts->device(s.devices.type[DeviceId(i)]); };
    const PowerWorst& worst = worstPower(figures, basis);
    const auto addPower = [&](PlantPart part, power::Index i) {
        if (const double w = realW(spec(i), powerFactor); w > 0)
            add(part, w, toWatts(chain.flow.through[i].total()), toWatts(worst.through(DeviceId(i))));
    };
    for (const auto i : elementsOf(figures, PowerElement::Transformer)) {
        bool gear = false;
        for (const auto& use : chain.network.uses(i)) gear = gear || spec(use.consumer).power.element == PowerElement::Switchgear;
        addPower(gear ? PlantPart::GridTransformers : PlantPart::Transformers, i);
    }
    if (const auto sets = elementsOf(figures, PowerElement::Generator); !sets.empty()) {
        const power::Flow alone = flowWithoutUtilities(figures, chain);
        for (const SetGroup& group : setGroups(chain.network, sets)) {
            double load = 0, installed = 0, largest = 0;
            for (const auto i : group.sets) {
                const double w = realW(spec(i), powerFactor);
                load += toWatts(alone.through[i].total()), installed += w, largest = std::max(largest, w);
            }
            double most = load; // with the other feed lost
            for (const auto consumer : group.consumers) most = std::max(most, toWatts(worst.through(DeviceId(consumer))));
            for (const auto i : group.sets)
                if (const double w = realW(spec(i), powerFactor); w > 0)
                    add(PlantPart::Generators, w, toWatts(alone.through[i].total()), withOneLost(most, w, installed, largest));
        }
    }
    for (const auto i : elementsOf(figures, PowerElement::Ups)) addPower(PlantPart::Ups, i);
    const CoolingChain& cooling = figures.get<CoolingChainNode>();
    struct Sources {
        double heatW = 0, capacityW = 0, largestW = 0;
    };
    std::map<std::pair<PlantPart, std::int32_t>, Sources> sources;
    const auto eachUnit = [&](auto&& use) {
        for (const CoolingUnit& unit : cooling.units)
            if (const auto part = partOf(unit.element); part && unit.capacityW > 0) use(unit, *part, sources[{*part, unit.feeds}]);
    };
    eachUnit([](const CoolingUnit& unit, PlantPart, Sources& of) {
        of.heatW += unit.heatW, of.capacityW += unit.capacityW, of.largestW = std::max(of.largestW, unit.capacityW);
    });
    eachUnit([&](const CoolingUnit& unit, PlantPart part, const Sources& of) {
        add(part, unit.capacityW, unit.heatW, withOneLost(of.heatW, unit.capacityW, of.capacityW, of.largestW));
    });
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

double tankLiters(const Snapshot& design, const DeviceSpec& set)
{
    if (set.power.element != PowerElement::Generator) return 0;
    const double kilowatts = toWatts(set.capacity.value) / 1e3;
    return fuelLitersPerHour(kilowatts, kilowatts) * numberSetting(design, "site.set_tank_hours") / kUsableFuel;
}

double tankHours(const Snapshot& design, const DeviceSpec& set, double loadW)
{
    const double perHour = fuelLitersPerHour(toWatts(set.capacity.value) / 1e3, loadW / 1e3);
    return perHour > 0 ? tankLiters(design, set) * kUsableFuel / perHour : 0;
}

Text volumeText(double liters) { return liters < 9'950 ? i18n("{:.1f} m³", liters / 1000) : i18n("{:L} m³", std::llround(liters / 1000)); }

FuelNeed fuelNeed(const Figures& figures, PowerBasis basis)
{
    FuelNeed fuel;
    const auto sets = elementsOf(figures, PowerElement::Generator);
    if (sets.empty()) return fuel;
    const Snapshot& s = *figures.snapshot;
    const power::Flow alone = flowWithoutUtilities(figures, powerChain(figures, basis));
    for (const auto i : sets) {
        const DeviceSpec& set = figures.parts->device(s.devices.type[DeviceId(i)]);
        const double rated = toWatts(set.capacity.value), load = toWatts(alone.through[i].total());
        if (load <= 0 || rated <= 0) continue;
        const double lasts = tankHours(s, set, load);
        fuel.tankHours = fuel.sets == 0 ? lasts : std::min(fuel.tankHours, lasts);
        ++fuel.sets, fuel.ratedW += rated, fuel.loadW += load, fuel.tankLiters += tankLiters(s, set);
        fuel.litersPerHour += fuelLitersPerHour(rated / 1e3, load / 1e3);
    }
    fuel.hours = numberSetting(s, "site.fuel_hours");
    fuel.liters = fuel.litersPerHour * fuel.hours / kUsableFuel;
    fuel.deliveries = std::int64_t(std::ceil(fuel.liters / kDeliveryL - 1e-9));
    return fuel;
}

} // namespace hw
