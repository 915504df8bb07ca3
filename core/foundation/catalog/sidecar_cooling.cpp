// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <set>
#include <span>

namespace hw::catalog {
namespace {

// What a value may be at most, or at least; beyond it is a slip of the unit.
constexpr double kColdestC = -60, kWarmestC = 100, kMostLpm = 100'000, kMostKpa = 5'000, kMostCop = 200, kMostShare = 3;

/// A fact that may not be above `most`.
Fact<double> bounded(MapReader& map, const char* key, const std::vector<Unit>& units, double most)
{
    auto fact = map.real(key, units);
    if (fact.value > most) map.fail(key, i18n("{} exceeds {}", fact.value, most), i18n("check the unit"));
    return fact;
}

/// The same for what cannot be 0 once it stands there.
Fact<double> positive(MapReader& map, const char* key, const std::vector<Unit>& units, double most)
{
    const bool stated = map.has(key);
    auto fact = bounded(map, key, units, most);
    if (stated && fact.value <= 0) map.fail(key, i18n("must be greater than 0"));
    return fact;
}

/// `ports: [{name, feeds, connector, count}]`: pairs of connections; with `count` so many, numbered from 1.
void readPorts(MapReader& map, CoolingSpec& cooling)
{
    std::set<std::string> names;
    for (auto& port : map.maps("ports")) {
        const CoolantPort read{port.text("name"), port.flag("feeds", false), port.text("connector", {})};
        const auto count = port.integer("count", 0);
        if (count > 500) port.fail("count", i18n("{} exceeds {}", count, 500));
        if (!isCoolantConnector(read.connector) && !read.connector.empty())
            port.doubt("connector", i18n("unknown coolant connector '{}'", read.connector));
        for (std::int64_t n = 1; n <= std::max<std::int64_t>(count, 1); ++n) {
            cooling.ports.push_back({count > 0 ? fmt::format("{}-{}", read.name, n) : read.name, read.feeds, read.connector});
            if (read.name.empty() || !names.insert(cooling.ports.back().name).second)
                port.fail("name", i18n("empty or used twice"), i18n("give every port a unique name"));
        }
        port.finish();
    }
}

/// `coolant: {value: pg25, source, confidence}`.
void readCoolant(MapReader& map, CoolingSpec& cooling)
{
    auto coolant = map.map("coolant");
    if (!coolant) return;
    cooling.coolant = {coolant->text("value"), coolant->text("source"), confidenceOf(*coolant)};
    if (cooling.coolant.value != "water" && cooling.coolant.value != "pg25")
        coolant->fail("value", i18n("unknown coolant '{}'", cooling.coolant.value), i18n("use water or pg25"));
    coolant->finish();
}

/// `flow_need: {points: [30/0.9, 45/1.5], source, confidence}`: supply in °C, L/min a kW of heat to liquid.
void readFlowNeed(MapReader& map, CoolingSpec& cooling)
{
    auto need = map.map("flow_need");
    if (!need) return;
    auto& fact = cooling.flowNeed;
    fact.source = need->text("source"), fact.confidence = confidenceOf(*need);
    for (const auto& point : need->texts("points")) {
        double supply = 0, flow = 0;
        char rest = 0;
        if (std::sscanf(point.c_str(), "%lf / %lf %c", &supply, &flow, &rest) != 2 || supply < 0 || supply > kWarmestC || flow <= 0 || flow > 20)
            need->fail("points", i18n("'{}' is not a supply temperature/flow pair", point),
                       i18n("for example: 45/1.5 (°C, liters per minute per kW)"));
        if (!fact.value.empty() && supply <= fact.value.back().first)
            need->fail("points", i18n("temperatures are not in ascending order"), i18n("sort them in ascending order"));
        if (!fact.value.empty() && flow < fact.value.back().second)
            need->doubt("points", i18n("required flow decreases at a higher supply temperature, from {} to {}", fact.value.back().second, flow));
        fact.value.emplace_back(supply, flow);
    }
    if (fact.value.empty()) need->fail("points", i18n("missing"), i18n("specify the flow for at least one supply temperature"));
    need->finish();
}

/// `loss: {drop: {…kPa}, at: {…L/min}, exponent: 1.85}`.
void readLoss(MapReader& map, const char* key, FlowLoss& loss)
{
    auto read = map.map(key);
    if (!read) return;
    loss.kilopascal = positive(*read, "drop", kPressureUnits, kMostKpa);
    loss.lpm = positive(*read, "at", kFlowUnits, kMostLpm);
    if (loss.kilopascal.value <= 0 || loss.lpm.value <= 0)
        read->fail("", i18n("both values are required"), i18n("specify drop (kPa) and at (L/min)"));
    if (read->has("exponent")) loss.exponent = read->number("exponent");
    if (loss.exponent < 1 || loss.exponent > 2.5) read->fail("exponent", i18n("{} is not between 1 and 2.5", loss.exponent));
    read->finish();
}

/// `rejection: {points: [35/18/1.25/4.3], source, confidence}`: ambient °C, supply °C, share of `capacity`, COP (may be left out).
void readRejection(MapReader& map, CoolingSpec& cooling)
{
    auto rejection = map.map("rejection");
    if (!rejection) return;
    cooling.pointsSource = rejection->text("source"), cooling.pointsConfidence = confidenceOf(*rejection);
    const auto order = [](const RejectionPoint& p) { return std::pair(p.ambientC, p.supplyC); };
    for (const auto& written : rejection->texts("points")) {
        RejectionPoint point;
        char rest = 0;
        const int read = std::sscanf(written.c_str(), "%lf / %lf / %lf / %lf %c", &point.ambientC, &point.supplyC, &point.share, &point.cop, &rest);
        const bool sound = (read == 4 || read == 3) && point.ambientC >= kColdestC && point.ambientC <= kWarmestC && point.supplyC >= -20 &&
                           point.supplyC <= kWarmestC && point.share >= 0 && point.share <= kMostShare && point.cop >= 0 && point.cop <= kMostCop;
        if (!sound)
            rejection->fail("points", i18n("'{}' is not a valid heat rejector point", written),
                            i18n("for example: 35/18/1.25/4.3 (outdoor °C, supply °C, share of capacity, COP)"));
        if (!cooling.points.empty() && order(point) <= order(cooling.points.back()))
            rejection->fail("points", i18n("points are not in ascending order of outdoor, then supply temperature"),
                            i18n("sort them in ascending order"));
        cooling.points.push_back(point);
    }
    if (cooling.points.empty()) rejection->fail("points", i18n("missing"), i18n("specify at least one"));
    rejection->finish();
}

void readInside(MapReader& map, CoolingSpec& cooling)
{
    cooling.pumps = int(map.integer("pumps", 0)), cooling.spares = int(map.integer("spares", 0));
    if (cooling.pumps > 100) map.fail("pumps", i18n("{} exceeds {}", cooling.pumps, 100));
    if (cooling.spares > 0 && cooling.spares >= cooling.pumps)
        map.fail("spares", i18n("{} standby pumps of {} leave no duty pump", cooling.spares, cooling.pumps),
                 i18n("include standby pumps in the number of pumps"));
    cooling.innerMm = positive(map, "inner_diameter", kLengthUnits, 2'000);
    cooling.roughnessMm = positive(map, "roughness", kLengthUnits, 10);
    cooling.kv = positive(map, "kv", kKvUnits, 10'000);
    cooling.leakSensor = map.flag("leak_sensor", false);
    cooling.isolates = map.flag("isolates", false);
}

} // namespace

void readCooling(MapReader& reader, DeviceSpec& device)
{
    auto map = reader.map("cooling");
    if (!map) return;
    CoolingSpec& cooling = device.cooling;
    if (map->has("element")) {
        const auto word = map->text("element");
        const auto element = fromWord<CoolingElement>(word);
        if (!element || *element == CoolingElement::None)
            map->fail("element", i18n("'{}' is not a cooling chain element", word),
                      i18n("choose from {}", listedNames(std::span(kWords<CoolingElement>).subspan(1))));
        cooling.element = *element;
    }
    readPorts(*map, cooling);
    readCoolant(*map, cooling);
    readFlowNeed(*map, cooling);
    cooling.warmestSupplyC = positive(*map, "warmest_supply", kTemperatureUnits, kWarmestC);
    readLoss(*map, "loss", cooling.loss);
    readLoss(*map, "facility_loss", cooling.facilityLoss);
    cooling.liters = bounded(*map, "liters", kVolumeUnits, 1e7);
    cooling.feedLiters = bounded(*map, "feed_liters", kVolumeUnits, 1e7);
    cooling.approachK = positive(*map, "approach", kDifferenceUnits, 50);
    cooling.onReturn = map->flag("on_return", false);
    if (cooling.onReturn && cooling.element != CoolingElement::Exchanger)
        map->fail("on_return", i18n("only an exchanger can be connected to the return"), i18n("remove on_return, or use element: exchanger"));
    cooling.headKpa = positive(*map, "head", kPressureUnits, kMostKpa);
    cooling.bearsKpa = positive(*map, "bears", kPressureUnits, kMostKpa);
    cooling.reliefKpa = positive(*map, "relief", kPressureUnits, kMostKpa);
    readInside(*map, cooling);
    readRejection(*map, cooling);
    cooling.restartS = bounded(*map, "restart", kTimeUnits, 86'400);
    cooling.airM3s = positive(*map, "air_flow", kAirUnits, 1'000);
    cooling.faceM2 = positive(*map, "face_area", kAreaUnits, 1'000);
    map->finish();
}

void lintCooling(const Part& part, const std::string& where, std::vector<LintIssue>& lint)
{
    const auto& device = std::get<DeviceSpec>(part.spec);
    const CoolingSpec& cooling = device.cooling;
    const auto doubt = [&](const char* key, Text what) { lint.push_back({where + " " + key, std::move(what)}); };
    const auto ports = [&](bool feeds) { return std::ranges::count(cooling.ports, feeds, &CoolantPort::feeds); };
    using enum CoolingElement;
    if (cooling.reliefKpa.value > 0 && cooling.headKpa.value > cooling.reliefKpa.value)
        doubt("cooling.relief", i18n("opens below the head of the unit's own pumps ({:.0f} kPa)", cooling.headKpa.value));
    switch (cooling.element) {
    case Cdu: // numbers without approach, flow and head cannot be compared
        if (cooling.approachK.value <= 0)
            doubt("cooling.approach", i18n("{:.0Lf} kW unit without approach temperature", toWatts(device.capacity.value) / 1e3));
        if (device.coolantLpm.value <= 0) doubt("coolant_flow", i18n("pump without flow"));
        if (cooling.headKpa.value <= 0) doubt("cooling.head", i18n("pump without head"));
        [[fallthrough]];
    case Exchanger:
        if (ports(true) == 0 || ports(false) == 0)
            doubt("cooling.ports", i18n("two loops meet here: one port must take coolant, another must feed it"));
        break;
    case Pump:
        if (device.coolantLpm.value <= 0) doubt("coolant_flow", i18n("pump without flow"));
        if (cooling.headKpa.value <= 0) doubt("cooling.head", i18n("pump without head"));
        break;
    case Header:
        if (cooling.innerMm.value <= 0) doubt("cooling.inner_diameter", i18n("pipe without diameter"));
        break;
    case Chiller:
    case DryCooler:
    case Tower:
        if (cooling.points.empty()) doubt("cooling.rejection", i18n("no capacity vs outdoor temperature given"));
        break;
    case FanWall:
    case Crah:
    case InRow:
    case RearDoor:
        if (cooling.airM3s.value <= 0) doubt("cooling.air_flow", i18n("moves air, but no air flow is given"));
        break;
    case None:
        if (device.liquidPermille.value == 0 && (!cooling.flowNeed.value.empty() || cooling.warmestSupplyC.value > 0))
            doubt("cooling", i18n("requires coolant, but has no liquid_share"));
        break;
    default: break;
    }
}

} // namespace hw::catalog
