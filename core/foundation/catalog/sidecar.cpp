// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <span>

namespace hw::catalog {
namespace {

/// Source and confidence of a value whose number stands in the NetBox document.
template <class Q>
void readTrust(MapReader& trust, const char* key, Fact<Q>& fact)
{
    auto entry = trust.map(key);
    if (!entry) return;
    fact.source = entry->text("source");
    fact.confidence = confidenceOf(*entry);
    entry->finish();
}

/// Two interfaces after each other share a socket of slug `twin`.
void pairInterfaces(MapReader& cage, const std::string& type, DeviceSpec& device)
{
    const auto twin = cage.text("twin", {});
    if (twin.empty()) return;
    if (!isSocketSlug(twin)) cage.doubt("twin", i18n("unknown slug '{}'", twin));
    std::int64_t found = 0;
    for (auto& port : device.interfaces)
        if (port.slug == type && !port.management) port.twin = twin, ++found;
    if (found % 2 != 0)
        cage.fail("twin", i18n("{} interfaces of type {} cannot be paired", found, type), i18n("list both ports of every twin-port cage"));
}

/// `socket: 800gbase-x-osfp-rhs`: what the sockets are where NetBox has no type for them.
void nameSockets(MapReader& cage, const std::string& type, DeviceSpec& device)
{
    const auto socket = cage.text("socket", {});
    if (socket.empty()) return;
    if (!isSocketSlug(socket)) cage.doubt("socket", i18n("unknown slug '{}'", socket));
    for (auto& port : device.interfaces)
        if (port.slug == type && !port.management) port.slug = socket;
}

/// `cages: [{type, socket, rate, splits, lanes, twin, count}]`: what every interface of one slug can do beyond its slug.
void readCages(MapReader& reader, DeviceSpec& device)
{
    for (auto& cage : reader.maps("cages")) {
        const auto type = cage.text("type");
        const auto rate = cage.fact<Gbps>("rate", kRateUnits);
        const auto splits = cage.integers("splits");
        const auto lanes = cage.integers("lanes");
        std::int64_t found = 0;
        for (auto& port : device.interfaces) {
            if (port.slug != type || port.management) continue;
            ++found;
            if (rate.value.count() > 0) port.rate = rate.value;
            port.splits = splits;
            port.lanes = lanes;
        }
        pairInterfaces(cage, type, device);
        const auto count = cage.integer("count", found);
        if (count != found) cage.doubt("count", i18n("{} interfaces of type {} declared, {} listed", count, type, found));
        if (found == 0) cage.doubt("type", i18n("no data interface has the type '{}'", type));
        nameSockets(cage, type, device);
        cage.finish();
    }
}

/// `scale_up: {domain: 8, rate: {…}}`: the memory domain that the device's accelerators belong to.
void readScaleUp(MapReader& reader, DeviceSpec& device)
{
    auto domain = reader.map("scale_up");
    if (!domain) return;
    device.scaleUpDomain = int(domain->integer("domain", 0));
    device.scaleUpRate = domain->fact<Gbps>("rate", kRateUnits);
    if (device.scaleUpDomain < 2) domain->fail("domain", i18n("must be at least 2"), i18n("specify the number of accelerators in the domain"));
    if (device.scaleUpRate.value.count() == 0) domain->fail("rate", i18n("missing or 0"), i18n("specify the bandwidth per accelerator"));
    domain->finish();
}

/// `efficiency: {points: [25/96.5, …], source, confidence}`: percent of the rating, percent of what goes in.
void readEfficiency(MapReader& reader, PowerSpec& power)
{
    auto curve = reader.map("efficiency");
    if (!curve) return;
    power.efficiency.source = curve->text("source");
    power.efficiency.confidence = confidenceOf(*curve);
    for (const auto& point : curve->texts("points")) {
        double load = 0, efficiency = 0;
        char rest = 0;
        if (std::sscanf(point.c_str(), "%lf / %lf %c", &load, &efficiency, &rest) != 2 || load <= 0 || load > 150 || efficiency <= 50 ||
            efficiency > 100)
            curve->fail("points", i18n("'{}' is not a load/efficiency pair", point),
                        i18n("for example: 50/97.4 (load in percent of the rating, efficiency in percent of the input)"));
        if (!power.efficiency.value.empty() && load / 100 <= power.efficiency.value.back().first)
            curve->fail("points", i18n("loads are not in ascending order"), i18n("sort them in ascending order"));
        power.efficiency.value.emplace_back(load / 100, efficiency / 100);
    }
    curve->finish();
}

/// `power: {element, apparent, continuous, no_load_loss, load_loss, efficiency, battery, end_of_life}`: of power equipment.
void readPower(MapReader& reader, PowerSpec& power)
{
    auto map = reader.map("power");
    if (!map) return;
    const auto word = map->text("element");
    const auto element = fromWord<PowerElement>(word);
    if (!element || *element == PowerElement::None)
        map->fail("element", i18n("'{}' is not a power chain element", word),
                  i18n("choose from {}", listedNames(std::span(kWords<PowerElement>).subspan(1))));
    power.element = *element;
    power.apparent = map->fact<MillivoltAmperes>("apparent", kApparentUnits);
    power.continuousPermille = map->share("continuous");
    power.noLoadLoss = map->fact<Milliwatts>("no_load_loss", kPowerUnits);
    power.loadLoss = map->fact<Milliwatts>("load_loss", kPowerUnits);
    readEfficiency(*map, power);
    power.battery = map->fact<MilliwattHours>("battery", kEnergyUnits);
    power.endOfLifePermille = map->share("end_of_life");
    if (power.apparent.value.count() == 0 && (power.loadLoss.value.count() > 0 || !power.efficiency.value.empty()))
        map->fail("apparent", i18n("missing"), i18n("specify the rating to which the losses apply"));
    map->finish();
}

/// `panel: {positions, connector, rear, per_rear, pair_loss}`: of patch panels; `rear`, `per_rear` of cassettes.
void readPanel(MapReader& reader, PanelSpec& panel)
{
    auto map = reader.map("panel");
    if (!map) return;
    panel.positions = int(map->integer("positions", 0));
    if (panel.positions < 1 || panel.positions > 10'000) map->fail("positions", i18n("must be between 1 and 10,000"));
    panel.connector = map->text("connector");
    panel.rear = map->text("rear", {});
    panel.perRear = int(map->integer("per_rear", 1));
    if (panel.perRear < 1 || panel.positions % panel.perRear != 0)
        map->fail("per_rear", i18n("{} does not divide the {} positions evenly", panel.perRear, panel.positions),
                  i18n("specify the number of front positions"));
    if (panel.rear.empty() && panel.perRear > 1) map->fail("rear", i18n("missing"), i18n("specify the rear connector that is split"));
    panel.pairLoss = map->real("pair_loss", kDecibelUnits);
    map->finish();
}

void readDeviceSidecar(MapReader& reader, DeviceSpec& device)
{
    device.width = reader.fact<Millimeters>("width", kLengthUnits);
    device.depth = reader.fact<Millimeters>("depth", kLengthUnits);
    device.height = reader.fact<Millimeters>("height", kLengthUnits);
    device.typical = reader.fact<Milliwatts>("typical_power", kPowerUnits);
    device.design = reader.fact<Milliwatts>("design_power", kPowerUnits);
    device.nameplate = reader.fact<Milliwatts>("nameplate_power", kPowerUnits);
    if (device.typical.value > device.design.value) reader.doubt("typical_power", i18n("exceeds design_power"));
    if (device.design.value > device.nameplate.value) reader.doubt("design_power", i18n("exceeds nameplate_power"));
    device.opticsIncluded = reader.flag("optics_included", false);
    device.liquidPermille = reader.share("liquid_share");
    device.price = reader.fact<Money>("price", kMoneyUnits);
    device.capacity = reader.fact<Milliwatts>("capacity", kPowerUnits);
    device.removes = reader.text("removes", {});
    if (!device.removes.empty() && device.removes != "air" && device.removes != "liquid") reader.fail("removes", i18n("must be air or liquid"));
    device.coolantLpm = reader.flow("coolant_flow");
    device.switching = reader.fact<Gbps>("switching", kRateUnits);
    readScaleUp(reader, device);
    readPower(reader, device.power);
    readPanel(reader, device.panel);
    readCooling(reader, device);
    device.accelerators = int(reader.integer("accelerators", 0));
    device.acceleratorClass = reader.text("accelerator_class", "gpu");
    if (auto compute = reader.map("teraflops")) {
        for (const auto& precision : compute->keys()) device.teraflops[precision] = compute->compute(precision);
        compute->finish();
    }
    readCages(reader, device);
    if (auto trust = reader.map("trust")) {
        readTrust(*trust, "weight", device.weight);
        for (const char* key : {"interfaces", "power-ports", "power-outlets", "u_height", "airflow"}) {
            Fact<Grams> unused;
            readTrust(*trust, key, unused);
        }
        trust->finish();
    }
}

void readRackSidecar(MapReader& reader, RackSpec& rack)
{
    rack.powerLimit = reader.fact<Milliwatts>("power_limit", kPowerUnits);
    rack.price = reader.fact<Money>("price", kMoneyUnits);
    if (auto trust = reader.map("trust")) {
        readTrust(*trust, "weight", rack.weight);
        readTrust(*trust, "max_weight", rack.maxWeight);
        readTrust(*trust, "outer_width", rack.width);
        readTrust(*trust, "outer_depth", rack.depth);
        readTrust(*trust, "outer_height", rack.height);
        trust->finish();
    }
}

} // namespace

void readUpkeep(MapReader& reader, Part& part)
{
    part.failuresPerYear = reader.real("failures", kRarityUnits);
    if (part.failuresPerYear.value > 1'000) reader.fail("failures", i18n("{} exceeds {}", part.failuresPerYear.value, 1'000), i18n("check the unit"));
    part.repairHours = reader.count("repair", kHourUnits);
    part.leadDays = reader.count("lead_time", kDayUnits);
    if (part.leadDays.value > 3'650) reader.fail("lead_time", i18n("exceeds ten years"), i18n("check the unit"));
}

void readSidecar(MapReader& reader, Part& part)
{
    const auto slug = reader.text("slug");
    if (slug != part.slug) reader.fail("slug", i18n("'{}' does not match the slug of its NetBox document, '{}'", slug, part.slug));
    const auto kind = reader.text("kind");
    part.reviewed = reader.text("reviewed", {});
    readUpkeep(reader, part);
    if (auto* device = std::get_if<DeviceSpec>(&part.spec); device && kind == "device")
        readDeviceSidecar(reader, *device);
    else if (auto* rack = std::get_if<RackSpec>(&part.spec); rack && kind == "rack")
        readRackSidecar(reader, *rack);
    else
        reader.fail("kind", i18n("'{}' does not match its NetBox document", kind), i18n("use device or rack"));
    reader.finish();
}

} // namespace hw::catalog
