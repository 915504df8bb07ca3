// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/water_sizes.h"

#include "core/foundation/catalog/rejection.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/coolant/flow_need.h"
#include "core/physics/coolant/heat.h"
#include "core/physics/coolant/library.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr double kPipeMs = 1.83;          ///< 6 ft/s in headers, a maker quoting OCP Modular TCS
constexpr std::int64_t kFewRejectors = 4; ///< of the smaller kind; more of them are replaced by larger ones. Assumed
constexpr std::int64_t kFewPumps = 4, kFewCdus = 2;
constexpr double kLeastShare = 0.4; ///< of their rating that dry coolers give at the design hour; below it chillers trim the loop. Assumed
constexpr double kNormalLoad = 0.9; ///< of all rejectors of a loop with none lost, at most. Assumed
constexpr double kWarmerK = 10;     ///< than the loop of air units is a loop of their own for CDUs, unless it is named. Assumed
constexpr const char *kChillers = "chiller-air", *kTowers = "tower", *kDryCoolers = "dry-cooler", *kSeries = "series";
constexpr std::array kPumps{"pump-fws-3ls", "pump-fws-10ls", "pump-fws-25ls", "pump-fws-50ls"}; ///< below the one named
constexpr std::array kCdus{"cdu-600kw"};                                                        ///< below the one named
constexpr std::array kTanks{"tank-1m3", "tank-3m3", "tank-10m3", "tank-30m3", "tank-60m3", "tank-100m3"};
constexpr std::int64_t kFewTanks = 4;  ///< of a size; for more of them a larger size is taken. Assumed
constexpr double kTankUse = 0.85;      ///< of the volume of a stratified tank
constexpr double kQuickRestartS = 120; ///< what restarts within needs no tank: the water of its pipes lasts. Assumed
constexpr std::array kPipes{50, 65, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600};

double lpmPerKw(const std::string& fluid, double supplyC, double deltaK)
{
    const auto properties = coolant::shippedProperties(fluid, coolant::middleC(supplyC, deltaK));
    if (!properties) throw Failure{properties.error()};
    return coolant::litersPerMinutePerKilowatt(deltaK, *properties);
}

std::size_t feedingPorts(const DeviceSpec& spec) { return std::size_t(std::ranges::count(spec.cooling.ports, true, &CoolantPort::feeds)); }

/// It passes heat on to water instead of air.
bool takesWater(const DeviceSpec& spec) { return feedingPorts(spec) < spec.cooling.ports.size(); }

void checkRejector(const std::string& slug, const DeviceSpec& spec, const Options& o)
{
    using enum CoolingElement;
    const CoolingElement element = spec.cooling.element;
    if (element != Chiller && element != DryCooler && element != Tower && element != Exchanger)
        throw refusal(o.where, i18n("'{}' does not reject heat", slug),
                      i18n("specify a chiller, a plate heat exchanger, a dry cooler, a cooling tower, or none"));
    if (!o.condenser.empty() && !takesWater(spec))
        throw refusal(o.where, i18n("'{}' does not use condenser water", slug),
                      i18n("specify a water-cooled chiller or a plate heat exchanger, or omit condenser"));
}

std::int64_t upwards(double all, double each);

/// Tanks of a loop: as named; or those that last until its chillers run again, the water in the pipes not counted. Two at least where they are
/// sized, as all water passes them.
void chooseTanks(FacilityNeed& need, const WaterConditions& at, const Options& o, const Parts& parts)
{
    if (o.tank == "none") return;
    if (o.tank != "sized") {
        need.tank = o.tank, need.tanks = o.tanks > 0 ? o.tanks : 2;
        return;
    }
    const double restartS = parts.device(need.trims > 0 ? need.trim : need.chiller).cooling.restartS.value;
    if (restartS <= kQuickRestartS || at.facilityLpmPerKw <= 0) return;
    const double litersPerKwK = at.facilityLpmPerKw * at.facilityDeltaK / 60; // that a kilowatt warms by a kelvin in a second
    const double liters = need.watts / 1e3 * (restartS + at.startS) * litersPerKwK / at.rideK / kTankUse;
    for (const char* slug : kTanks) {
        need.tank = slug;
        const std::int64_t count = std::max<std::int64_t>(2, upwards(liters, parts.device(slug).cooling.liters.value));
        need.tanks = o.tanks > 0 ? o.tanks : count;
        if (count <= (o.tanks > 0 ? o.tanks : kFewTanks)) return;
    }
}

std::int64_t upwards(double all, double each) { return each > 0 ? std::max<std::int64_t>(1, std::int64_t(std::ceil(all / each - 1e-9))) : 1; }

/// What the heat of a loop ends in behind its chillers or plates: what condenser water brings, per watt of heat, and how cold it comes back.
struct Behind {
    double supplyC = 0, factor = 1;
    double share = 1; ///< of a chiller's capacity then
};
Behind behind(const std::string& slug, const DeviceSpec& spec, const WaterConditions& at, const Options& o, const Parts& parts)
{
    const std::string outer = o.condenser.empty() ? kTowers : o.condenser;
    const DeviceSpec& rejector = parts.device(rejectorSeries(outer).back());
    const bool tower = rejector.cooling.element == CoolingElement::Tower;
    if ((!tower && rejector.cooling.element != CoolingElement::DryCooler) || takesWater(rejector))
        throw refusal(o.where, i18n("'{}' does not cool condenser water", outer), i18n("specify a cooling tower or a dry cooler"));
    const double outdoorC = tower ? at.wetBulbC : at.ambientC;
    Behind out;
    out.supplyC = leastSupplyC(rejector.cooling.points, outdoorC, kColdestWaterC);
    if (rejectionAt(rejector.cooling.points, outdoorC, out.supplyC).share < 1)
        throw refusal(o.where, i18n("'{}' cannot cool condenser water at {:g} °C outdoor temperature", outer, outdoorC), i18n("specify another one"));
    if (spec.cooling.element == CoolingElement::Exchanger) {
        const double reached = out.supplyC + spec.cooling.approachK.value;
        if (reached > at.facilitySupplyC + 1e-9)
            throw refusal(
                o.where,
                i18n("'{}' cannot supply {:g} °C water downstream of '{}' at {:g} °C outdoor temperature", slug, at.facilitySupplyC, outer, outdoorC),
                i18n("set facility_supply_c to {:g} or higher, or specify a chiller", reached));
        return out;
    }
    const RejectionPoint point = rejectionAt(spec.cooling.points, out.supplyC, at.facilitySupplyC);
    out.share = point.share, out.factor = point.cop > 0 ? 1 + 1 / point.cop : 1;
    return out;
}

/// Pumps of one loop, one more than needed; all of them heat it, those to spare too.
struct Pumped {
    std::string slug = "none";
    std::int64_t count = 0;
    double watts = 0, lpm = 0;
};
Pumped pumpsFor(double watts, double lpmPerW, const Options& o, const Parts& parts)
{
    Pumped out{.watts = watts, .lpm = watts * lpmPerW};
    for (const std::string& slug : facilityPumps(o, parts)) {
        const DeviceSpec& pump = parts.device(slug);
        out = {.slug = slug, .count = 0};
        for (std::int64_t before = 0; out.count != before || out.count == 0;) {
            before = out.count;
            out.watts = watts + double(out.count) * toWatts(pump.design.value), out.lpm = out.watts * lpmPerW;
            out.count = upwards(out.lpm, pump.coolantLpm.value) + 1;
        }
        if (out.count <= kFewPumps) break;
    }
    return out;
}

/// Headers, pumps and rejectors of the water behind one loop.
FacilityNeed::Condenser condenserNeed(const FacilityNeed& loop, const Behind& at, const WaterConditions& conditions, const Options& o,
                                      const Parts& parts)
{
    FacilityNeed::Condenser out;
    const double kw = conditions.facilityLpmPerKw / 1e3 * 1.01, heat = loop.watts * at.factor; // warmer water takes a little less
    const Pumped pumped = pumpsFor(heat, kw, o, parts);
    out.watts = pumped.watts, out.lpm = pumped.lpm, out.pumps = pumped.count, out.pump = pumped.slug;
    for (const std::string& slug : rejectorSeries(o.condenser.empty() ? kTowers : o.condenser)) {
        out.rejector = slug, out.rejectors = upwards(out.watts, toWatts(parts.device(slug).capacity.value)) + 1;
        if (out.rejectors <= kFewRejectors) break;
    }
    out.header = headerFor(out.lpm, facilityHeaders(o), parts, std::size_t(std::max({loop.rejectors, out.rejectors, out.pumps})));
    return out;
}

/// The smallest of a series of which few carry a loop with one lost.
void chooseRejectors(FacilityNeed& need, const std::vector<std::string>& series, const Behind& beyond, bool outer, const WaterConditions& at,
                     const Options& o, const Parts& parts)
{
    for (const std::string& slug : series) {
        const auto& rejector = parts.device(slug);
        checkRejector(slug, rejector, o);
        const double outdoorC = rejector.cooling.element == CoolingElement::Tower ? at.wetBulbC : at.ambientC;
        const double share = outer ? beyond.share : rejectionAt(rejector.cooling.points, outdoorC, at.facilitySupplyC).share;
        const double each = toWatts(rejector.capacity.value) * share;
        if (each <= 0)
            throw refusal(o.where, i18n("'{}' cannot supply {:g} °C water at {:g} °C outdoor temperature", slug, at.facilitySupplyC, outdoorC),
                          i18n("specify another chiller, or change facility_supply_c"));
        need.chiller = slug, need.rejectors = std::max(upwards(need.watts, each), upwards(need.lpm, rejector.coolantLpm.value)) + 1;
        need.rejectors = std::max(need.rejectors, upwards(need.watts, each * kNormalLoad));
        if (need.rejectors <= kFewRejectors) break;
    }
}

/// Dry coolers or towers of a warm loop: they carry it with one lost; where it is too hot outdoors for that, chillers beside them carry what they
/// leave, with one of these lost.
void chooseWarm(FacilityNeed& need, const std::vector<std::string>& series, const WaterConditions& at, const Options& o, const Parts& parts)
{
    const auto& largest = parts.device(series.back());
    checkRejector(series.back(), largest, o);
    const bool tower = largest.cooling.element == CoolingElement::Tower;
    if (!tower && largest.cooling.element != CoolingElement::DryCooler)
        throw refusal(o.where, i18n("'{}' does not cool a warm loop for CDUs", o.chiller),
                      i18n("specify dry-cooler, tower, or a part type of either"));
    const double outdoorC = tower ? at.wetBulbC : at.ambientC;
    double share = 0;
    bool trimmed = false;
    for (const std::string& slug : series) { // of one whose share is too small so many as carry the loop once it is colder
        share = rejectionAt(parts.device(slug).cooling.points, outdoorC, at.facilitySupplyC).share, trimmed = share < kLeastShare;
        const double each = toWatts(parts.device(slug).capacity.value) * (trimmed ? 1.0 : std::min(1.0, share));
        need.chiller = slug, need.rejectors = upwards(need.watts, each) + (trimmed ? 0 : 1);
        if (!trimmed) need.rejectors = std::max(need.rejectors, upwards(need.watts, each * kNormalLoad));
        if (need.rejectors <= kFewRejectors) break;
    }
    if (!trimmed) return;
    const double left = std::max(0.0, need.watts - double(need.rejectors - 1) * share * toWatts(parts.device(need.chiller).capacity.value));
    for (const std::string& slug : rejectorSeries(kChillers)) {
        const auto& chiller = parts.device(slug);
        const double each = toWatts(chiller.capacity.value) * rejectionAt(chiller.cooling.points, at.ambientC, at.facilitySupplyC).share;
        if (each <= 0)
            throw refusal(o.where, i18n("'{}' cannot supply {:g} °C water at {:g} °C outdoor temperature", slug, at.facilitySupplyC, at.ambientC),
                          i18n("specify another chiller, or change facility_supply_c"));
        need.trim = slug, need.trims = upwards(left, each) + 1;
        if (need.trims <= kFewRejectors) break;
    }
}

} // namespace

WaterConditions waterConditions(const Snapshot& s, const Options& options)
{
    WaterConditions at;
    at.coolantSupplyC = numberSetting(s, "cooling.coolant_supply_c");
    at.facilitySupplyC = options.facilitySupplyC > 0 ? double(options.facilitySupplyC) : numberSetting(s, "cooling.facility_supply_c");
    at.ambientC = numberSetting(s, "site.ambient_c"), at.wetBulbC = numberSetting(s, "site.wet_bulb_c");
    at.liquidLpmPerKw = lpmPerKw(settingOf(s, "cooling.coolant"), at.coolantSupplyC, numberSetting(s, "cooling.coolant_delta_k"));
    at.facilityDeltaK = numberSetting(s, "cooling.facility_delta_k");
    at.facilityLpmPerKw = lpmPerKw("water", at.facilitySupplyC, at.facilityDeltaK);
    const double ofAir = numberSetting(s, "cooling.air_limit_c") - numberSetting(s, "cooling.air_supply_c");
    at.rideK = std::max(1.0, std::min(numberSetting(s, "cooling.ride_through_k"), ofAir));
    at.startS = numberSetting(s, "impact.generator_start_s");
    return at;
}

bool wantsWarmLoop(const WaterConditions& at, const DeviceSpec& cdu, const Options& o)
{
    if (!o.cduRejector.empty()) return o.cduRejector != "none";
    const double approach = cdu.cooling.approachK.value;
    return approach > 0 && at.coolantSupplyC - approach >= at.facilitySupplyC + kWarmerK;
}

bool inSeries(const Options& o) { return o.cduRejector == kSeries; }

SeriesConditions seriesConditions(const WaterConditions& at, const DeviceSpec& cdu, double coolW, std::size_t coolConsumers, double warmW,
                                  std::size_t warmConsumers, const Options& o, const Parts& parts)
{
    SeriesConditions out{at, warmConditions(at, cdu, o)};
    if (coolConsumers == 0 || o.fanWall == "none") // units of electrical rooms alone return too little
        throw refusal(o.where, i18n("'cdu_rejector: series' requires air-cooling units, whose return water cools the CDUs"),
                      i18n("omit cdu_rejector, or specify a fan_wall"));
    if (const double returnC = at.facilitySupplyC + at.facilityDeltaK; returnC > out.warm.facilitySupplyC)
        throw refusal(
            o.where,
            i18n("the return water of the cool loop ({:g} °C) is too warm for the CDUs (maximum {:g} °C)", returnC, out.warm.facilitySupplyC),
            i18n("set facility_supply_c to {:g} or lower, or omit cdu_rejector", out.warm.facilitySupplyC - at.facilityDeltaK));
    const FacilityNeed warm = facilityNeed(warmW, warmConsumers, out.warm, warmOptions(o), parts);
    out.cool.onReturnW = warm.watts * double(warm.loops), out.cool.onReturnC = out.warm.facilitySupplyC + at.facilityDeltaK;
    const FacilityNeed cool = facilityNeed(coolW + out.cool.onReturnW, coolConsumers, out.cool, o, parts);
    out.cool.leastLoops = out.warm.leastLoops = std::max(warm.loops, cool.loops);
    return out;
}

WaterConditions warmConditions(const WaterConditions& at, const DeviceSpec& cdu, const Options& o)
{
    WaterConditions out = at;
    out.facilitySupplyC = std::max(at.facilitySupplyC, at.coolantSupplyC - cdu.cooling.approachK.value);
    if (cdu.cooling.approachK.value <= 0)
        throw refusal(o.where, i18n("the CDU of the warm loop has no approach temperature"), i18n("specify another cdu, or cdu_rejector: none"));
    out.facilityLpmPerKw = lpmPerKw("water", out.facilitySupplyC, at.facilityDeltaK);
    out.warm = true;
    return out;
}

Options warmOptions(const Options& o)
{
    Options out = o;
    out.chiller = o.cduRejector.empty() ? kDryCoolers : o.cduRejector, out.condenser.clear();
    return out;
}

double lpmOf(double innerMm) { return kPipeMs * std::numbers::pi / 4 * innerMm * innerMm / 1e6 * 60'000; }

std::string pipeFor(double lpm, const Parts& parts)
{
    std::string slug;
    for (const int dn : kPipes) {
        slug = "pipe-dn" + std::to_string(dn);
        if (lpmOf(parts.cable(slug).innerMm.value) >= lpm) break;
    }
    return slug;
}

std::vector<std::string> rowHeaders(const Options& o)
{
    return o.rowHeader.empty() ? std::vector<std::string>{"row-header-dn100", "row-header-dn150"} : std::vector{o.rowHeader};
}

std::vector<std::string> facilityHeaders(const Options& o)
{
    if (!o.facilityHeader.empty()) return {o.facilityHeader};
    std::vector<std::string> headers;
    for (const int dn : {100, 150, 200, 250, 300, 400, 500, 600}) headers.push_back("facility-header-dn" + std::to_string(dn));
    return headers;
}

std::vector<std::string> facilityPumps(const Options& o, const Parts& parts)
{
    std::vector<std::string> pumps;
    if (o.facilityPump == "none") return pumps;
    const double named = parts.device(o.facilityPump).coolantLpm.value;
    if (o.sizesFacilityPump)
        for (const char* slug : kPumps)
            if (parts.has(slug) && parts.device(slug).coolantLpm.value < named) pumps.emplace_back(slug);
    pumps.push_back(o.facilityPump);
    return pumps;
}

std::vector<std::string> rejectorSeries(const std::string& name)
{
    static const std::map<std::string, std::vector<int>> kSeries{{"chiller-air", {75, 150, 300, 500, 750, 1000, 1500}},
                                                                 {"chiller-water", {500, 1000, 1500, 3000}},
                                                                 {"dry-cooler", {300, 500, 1000, 1500, 2000, 2900}},
                                                                 {"tower", {500, 1000, 2000, 4000}},
                                                                 {"exchanger", {500, 1000, 2000}}};
    const auto found = kSeries.find(name);
    if (found == kSeries.end()) return {name};
    std::vector<std::string> slugs;
    for (const int kw : found->second) slugs.push_back(fmt::format("{}-{}kw", name, kw));
    return slugs;
}

std::string cduFor(double watts, double lpm, const Options& o, const Parts& parts)
{
    if (o.cdu == "none" || !o.sizesCdu) return o.cdu;
    const double named = toWatts(parts.device(o.cdu).capacity.value);
    for (const char* slug : kCdus) {
        if (!parts.has(slug)) continue;
        const DeviceSpec& unit = parts.device(slug);
        const double each = toWatts(unit.capacity.value);
        if (each < named && watts <= double(kFewCdus) * each && lpm <= double(kFewCdus) * unit.coolantLpm.value) return slug;
    }
    return o.cdu;
}

std::string headerFor(double lpm, const std::vector<std::string>& headers, const Parts& parts, std::size_t branches)
{
    for (const auto& slug : headers) {
        const DeviceSpec& header = parts.device(slug);
        const std::size_t feeding = feedingPorts(header);
        std::size_t taking = header.cooling.ports.size() - feeding;
        if (lpmOf(header.cooling.innerMm.value) >= lpm && (branches == 0 || (feeding >= branches && taking >= std::min<std::size_t>(branches, 24))))
            return slug;
    }
    return headers.back();
}

double liquidLpm(const DeviceSpec& device, double watts, const WaterConditions& at)
{
    const double byRise = watts / 1e3 * at.liquidLpmPerKw;
    coolant::FlowNeed need;
    for (const auto& [celsius, lpm] : device.cooling.flowNeed.value) need.supplyC.push_back(celsius), need.lpmPerKw.push_back(lpm);
    return need.supplyC.empty() ? byRise : std::max(byRise, need.lpm(watts, std::min(at.coolantSupplyC, need.supplyC.back())).value_or(byRise));
}

FacilityNeed facilityNeed(double watts, std::size_t consumers, const WaterConditions& at, const Options& o, const Parts& parts)
{
    const auto headers = facilityHeaders(o);
    const auto& largest = parts.device(headers.back());
    const bool onReturn = at.warm && o.chiller == kSeries;
    const auto series = onReturn ? std::vector<std::string>{} : rejectorSeries(o.chiller.empty() ? kChillers : o.chiller);
    const bool outer = !onReturn && takesWater(parts.device(series.back()));
    const Behind beyond = outer ? behind(o.chiller, parts.device(series.back()), at, o, parts) : Behind{};
    const double share =
        at.onReturnW > 0 && watts > 0 ? std::max(1 - at.onReturnW / watts, at.facilityDeltaK / std::max(1.0, at.onReturnC - at.facilitySupplyC)) : 1;
    const double kw = share * at.facilityLpmPerKw / 1e3, with = pumpsFor(watts, kw, o, parts).watts;
    FacilityNeed need;
    need.loops = upwards(with * kw * (outer ? 1.05 * beyond.factor : 1), lpmOf(largest.cooling.innerMm.value)); // of either side of a chiller
    if (const auto ways = feedingPorts(largest); ways > 0) need.loops = std::max(need.loops, upwards(double(consumers), double(ways)));
    need.loops = std::max(need.loops, at.leastLoops);
    const Pumped pumped = pumpsFor(watts / double(need.loops), kw, o, parts);
    need.watts = pumped.watts, need.lpm = pumped.lpm, need.pumps = pumped.count, need.pump = pumped.slug;
    if (onReturn) {
        need.series = headerFor(need.lpm, {"series-header-dn150", "series-header-dn250", "series-header-dn400", "series-header-dn600"}, parts);
        need.chiller = "none";
    } else if (at.warm) {
        chooseWarm(need, series, at, o, parts);
    } else {
        chooseRejectors(need, series, beyond, outer, at, o, parts);
    }
    const auto branches = std::max({std::int64_t(consumers) / need.loops + 1, need.rejectors + need.trims, need.pumps});
    need.header = headerFor(need.lpm, headers, parts, std::size_t(branches));
    if (outer) need.condenser = condenserNeed(need, beyond, at, o, parts);
    if (!onReturn) chooseTanks(need, at, o, parts);
    return need;
}

} // namespace hw::layout
