// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace hw {

bool interoperate(const TransceiverSpec& a, int splitA, const TransceiverSpec& b, int splitB)
{
    const auto allows = [](const TransceiverSpec& t, int split) {
        return split >= 1 && t.lanes % split == 0 && (split == t.connectors || std::ranges::find(t.splits, split) != t.splits.end());
    };
    return allows(a, splitA) && allows(b, splitB) && a.signal == b.signal && a.lanes / splitA == b.lanes / splitB;
}

int fibersOf(const TransceiverSpec& module)
{
    if (module.fibers > 0) return module.fibers;
    return module.connector == "lc-duplex" ? 2 : 2 * module.lanes / std::max(module.connectors, 1);
}

bool fits(const TransceiverSpec& module, const Interface& interface)
{
    const auto& slug = interface.socketSlug();
    if (std::ranges::find(module.fits, slug) == module.fits.end() || module.rate.count() != interface.rate.count() * interface.perSocket())
        return false;
    if (interface.perSocket() > 1 && module.connectors != interface.perSocket()) return false;
    const int lane = module.hostLane > 0 ? module.hostLane : module.rate.count() / std::max(module.lanes, 1);
    return interface.lanes.empty() || std::ranges::find(interface.lanes, lane) != interface.lanes.end();
}

bool isBuiltIn(const TransceiverSpec& module)
{
    return !module.fits.empty() && std::ranges::none_of(module.fits, [](const std::string& slug) { return slug.find("base-x-") != slug.npos; });
}

bool mates(const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b)
{
    if (a.connector != cable.connector || b.connector != cable.legConnector) return false;
    return cable.fibers == 0 || (fibersOf(a) <= cable.fibers && fibersOf(b) * cable.legs <= cable.fibers * cable.trunks);
}

namespace catalog {
namespace {

constexpr std::string_view kConnectors[] = {"mpo-12-apc",    "mpo-12-upc",     "mpo-16-apc",     "mpo-16-upc",    "lc-duplex",
                                            "lc-duplex-apc", "rj-45",          "2x-mpo-12-apc",  "twinax",        "aoc",
                                            "aec",           "lacc",           "iec-60320-c14",  "iec-60320-c20", "iec-60309-3p-n-e-6h",
                                            "lv-lug",        "mv-termination", "hv-termination", "dc-lug",        "bus-duct-flange"};

void readOwnHead(MapReader& reader, Part& part)
{
    part.slug = reader.text("slug");
    part.model = reader.text("model");
    part.description = reader.text("description", {});
    part.reviewed = reader.text("reviewed", {});
    for (const char* key : {"manufacturer", "part_number", "kind"}) (void)reader.text(key, {});
    readUpkeep(reader, part);
}

std::string readConnector(MapReader& reader, const char* key)
{
    auto connector = reader.text(key);
    if (std::ranges::find(kConnectors, connector) == std::end(kConnectors) && !isCoolantConnector(connector))
        reader.doubt(key, i18n("unknown connector '{}'", connector));
    return connector;
}

} // namespace

void readTransceiver(MapReader& reader, Part& part)
{
    readOwnHead(reader, part);
    auto& module = part.spec.emplace<TransceiverSpec>();
    module.rate = reader.fact<Gbps>("rate", kRateUnits).value;
    if (module.rate.count() == 0) reader.fail("rate", i18n("missing or 0"));
    module.fits = reader.texts("fits");
    for (const auto& slug : module.fits)
        if (!isSocketSlug(slug)) reader.doubt("fits", i18n("unknown slug '{}'", slug));
    if (module.fits.empty()) reader.doubt("fits", i18n("fits no cage"));
    module.standard = reader.text("standard");
    module.signal = reader.text("signal");
    module.lanes = int(reader.integer("lanes", 1));
    if (module.lanes < 1) reader.fail("lanes", i18n("must be at least 1"));
    module.splits = reader.integers("splits");
    for (const int split : module.splits)
        if (module.lanes % split != 0) reader.doubt("splits", i18n("{} lanes cannot be split {} ways", module.lanes, split));
    module.connector = readConnector(reader, "connector");
    module.connectors = int(reader.integer("connectors", 1));
    if (module.connectors < 1 || module.lanes % module.connectors != 0) reader.fail("connectors", i18n("must divide the number of lanes evenly"));
    module.fibers = int(reader.integer("fibers", 0));
    module.hostLane = int(reader.integer("host_lane", 0));
    if (auto reach = reader.map("reach")) {
        for (const auto& medium : reach->keys()) {
            if (!isCableSlug(medium)) reach->doubt(medium, i18n("unknown cable type '{}'", medium));
            module.reach[medium] = reach->fact<Millimeters>(medium, kLengthUnits);
        }
        reach->finish();
    }
    if (module.reach.empty()) reader.fail("reach", i18n("missing"), i18n("specify the reach for each fiber type"));
    if (auto budget = reader.map("loss_budget")) {
        for (const auto& medium : budget->keys()) {
            if (!module.reach.contains(medium)) budget->doubt(medium, i18n("loss budget without reach"));
            module.lossBudget[medium] = budget->real(medium, kDecibelUnits);
            if (module.lossBudget[medium].value > 50) budget->fail(medium, i18n("{} exceeds {}", module.lossBudget[medium].value, 50));
        }
        budget->finish();
    }
    module.typical = reader.fact<Milliwatts>("typical_power", kPowerUnits);
    module.maximum = reader.fact<Milliwatts>("maximum_power", kPowerUnits);
    if (module.typical.value > module.maximum.value) reader.doubt("typical_power", i18n("exceeds maximum_power"));
    module.price = reader.fact<Money>("price", kMoneyUnits);
    reader.finish();
}

namespace {

/// What only a cable has that plugs straight into sockets: twisted pair, direct-attach copper.
void readDirect(MapReader& reader, CableSpec& cable)
{
    cable.fits = reader.texts("fits");
    for (const auto& slug : cable.fits)
        if (!isSocketSlug(slug)) reader.doubt("fits", i18n("unknown slug '{}'", slug));
    cable.rate = reader.fact<Gbps>("rate", kRateUnits);
    cable.reach = reader.fact<Millimeters>("reach", kLengthUnits);
    if (cable.fits.empty() && (reader.has("rate") || reader.has("reach")))
        reader.doubt("fits", i18n("rate and reach apply only to cables that plug into cages"));
    if (!cable.fits.empty() && cable.reach.value.count() == 0) reader.fail("reach", i18n("missing or 0"), i18n("specify the reach"));
    if (!cable.fits.empty() && !cable.stocked.empty() && cable.stocked.back() > cable.reach.value)
        reader.doubt("stocked", i18n("exceeds the cable's reach"));
}

/// `legs: 2` is a Y, `trunks: 2, legs: 2` a shuffle.
void readEnds(MapReader& reader, CableSpec& cable)
{
    cable.connector = readConnector(reader, "connector");
    cable.legConnector = reader.has("leg_connector") ? readConnector(reader, "leg_connector") : cable.connector;
    cable.legs = int(reader.integer("legs", 1));
    if (cable.legs < 1) reader.fail("legs", i18n("must be at least 1"));
    cable.trunks = int(reader.integer("trunks", 1));
    if (cable.trunks < 1 || cable.trunks > cable.legs)
        reader.fail("trunks", i18n("must be between 1 and the number of legs ({})", cable.legs),
                    i18n("use the end with fewer connectors as the trunk end"));
    cable.fibers = int(reader.integer("fibers", 0));
    if (cable.fibers < 0 || cable.fibers * cable.trunks % cable.legs != 0)
        reader.doubt("fibers", i18n("{} fibers cannot be divided evenly over {} legs", cable.fibers * cable.trunks, cable.legs));
    cable.positions = int(reader.integer("positions", 1));
    if (cable.positions < 1) reader.fail("positions", i18n("must be at least 1"));
    if (cable.positions > 1 && (cable.legs > 1 || cable.trunks > 1))
        reader.fail("positions", i18n("more than one position requires a straight trunk without legs"));
    const auto polarity = reader.text("polarity", "b");
    if (polarity != "a" && polarity != "b") reader.fail("polarity", i18n("must be a (straight) or b (crossed)"));
    cable.crosses = polarity == "b";
}

/// What laying it takes, what a power cable carries, and what a hose or pipe holds.
void readBuild(MapReader& reader, CableSpec& cable)
{
    cable.bend = reader.fact<Millimeters>("bend_radius", kLengthUnits);
    cable.gramsPerMeter = reader.count("mass", kMassPerMeterUnits);
    cable.milliamperes = reader.count("ampacity", kCurrentUnits);
    cable.squareMm = reader.real("conductor", kSectionUnits);
    cable.milliohms = reader.real("resistance", kResistanceUnits);
    cable.reactance = reader.real("reactance", kResistanceUnits);
    cable.innerMm = reader.real("inner_diameter", kLengthUnits);
    cable.roughnessMm = reader.real("roughness", kLengthUnits);
    cable.kv = reader.real("kv", kKvUnits);
    cable.bearsKpa = reader.real("bears", kPressureUnits);
    cable.ratedLpm = reader.real("rated_flow", kFlowUnits);
    const bool coolant = cable.medium == "coolant", power = cable.medium == "power";
    if (cable.innerMm.value > 0 && cable.diameter.value.count() > 0 && cable.innerMm.value >= cable.diameter.value.count())
        reader.fail("inner_diameter", i18n("must be smaller than the diameter"));
    if (coolant && cable.innerMm.value <= 0)
        reader.fail("inner_diameter", i18n("missing or 0"), i18n("specify the inner diameter of the hose or pipe"));
    if (!coolant && (reader.has("inner_diameter") || reader.has("roughness") || reader.has("kv") || reader.has("bears") || reader.has("rated_flow")))
        reader.doubt("inner_diameter", i18n("applies only to a coolant hose or pipe"));
    if (!power && (reader.has("ampacity") || reader.has("conductor") || reader.has("resistance") || reader.has("reactance")))
        reader.doubt("ampacity", i18n("applies only to a power cable"));
    if (cable.bend.value.count() > 0 && cable.bend.value < cable.diameter.value) reader.doubt("bend_radius", i18n("smaller than the diameter"));
}

} // namespace

void readCable(MapReader& reader, Part& part)
{
    readOwnHead(reader, part);
    auto& cable = part.spec.emplace<CableSpec>();
    cable.medium = reader.text("medium");
    if (!isCableSlug(cable.medium)) reader.doubt("medium", i18n("unknown cable type '{}'", cable.medium));
    readEnds(reader, cable);
    cable.diameter = reader.fact<Millimeters>("diameter", kLengthUnits);
    auto stocked = reader.map("stocked");
    if (!stocked) reader.fail("stocked", i18n("missing"), i18n("list the available lengths"));
    const auto unit = stocked->text("unit");
    for (const auto& written : stocked->texts("lengths")) {
        const auto value = yamlNumber(written);
        if (!value || *value <= 0) stocked->fail("lengths", i18n("'{}' is not a valid length", written));
        cable.stocked.emplace_back(std::int32_t(stocked->scaled(*value, "unit", unit, kLengthUnits)));
    }
    stocked->finish();
    if (cable.stocked.empty()) reader.fail("stocked", i18n("no lengths given"));
    if (!std::ranges::is_sorted(cable.stocked)) reader.fail("stocked", i18n("lengths must be in ascending order"));
    readDirect(reader, cable);
    readBuild(reader, cable);
    cable.priceFixed = reader.fact<Money>("price_fixed", kMoneyUnits);
    cable.pricePerMeter = reader.fact<Money>("price_per_meter", kMoneyPerMeterUnits);
    reader.finish();
}

void readTray(MapReader& reader, Part& part)
{
    readOwnHead(reader, part);
    auto& tray = part.spec.emplace<TraySpec>();
    tray.width = reader.fact<Millimeters>("width", kLengthUnits);
    tray.height = reader.fact<Millimeters>("height", kLengthUnits);
    if (tray.width.value.count() == 0 || tray.height.value.count() == 0) reader.fail("width", i18n("width and height must be greater than 0"));
    tray.form = reader.text("form", "tray");
    if (tray.form != "tray" && tray.form != "ladder" && tray.form != "basket" && tray.form != "duct")
        reader.fail("form", i18n("'{}' is not a valid tray form", tray.form), i18n("use tray, ladder, basket or duct"));
    tray.gramsPerMeter = reader.count("mass", kMassPerMeterUnits);
    tray.bearsGramsPerMeter = reader.count("bears", kMassPerMeterUnits);
    tray.pricePerMeter = reader.fact<Money>("price_per_meter", kMoneyPerMeterUnits);
    reader.finish();
}

} // namespace catalog
} // namespace hw
