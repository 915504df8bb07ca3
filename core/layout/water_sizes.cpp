// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/water_sizes.h"

#include "core/catalogue/rejection.h"
#include "core/coolant/heat.h"
#include "core/coolant/library.h"
#include "core/coolant/loop_sizing.h"
#include "core/model/number_setting.h"

#include <array>
#include <cmath>
#include <numbers>

namespace hw::layout {

namespace {

constexpr double kPipeMs = 1.83; ///< 6 ft/s in headers, a maker quoting OCP Modular TCS
const std::vector<std::string> kChillers{"chiller-air-500kw", "chiller-air-1500kw"};
constexpr std::int64_t kFewRejectors = 4; ///< of the smaller kind; more of them are replaced by larger ones. Assumed
constexpr std::array kPipes{50, 65, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600};

double lpmPerKw(const std::string& fluid, double supplyC, double deltaK)
{
    const auto properties = coolant::shippedProperties(fluid, coolant::middleC(supplyC, deltaK));
    if (!properties) throw Failure{properties.error()};
    return coolant::litresPerMinutePerKilowatt(deltaK, *properties);
}

std::size_t feedingPorts(const DeviceSpec& spec) { return std::size_t(std::ranges::count(spec.cooling.ports, true, &CoolantPort::feeds)); }

/// Of what a layout can put outdoors: it brings no condenser water.
void checkRejector(const std::string& slug, const DeviceSpec& spec, const Options& o)
{
    using enum CoolingElement;
    const CoolingElement element = spec.cooling.element;
    if (element != Chiller && element != DryCooler && element != Tower)
        throw refusal(o.where, i18n("'{}' rejects no heat", slug), i18n("name a chiller, dry cooler or tower, or none"));
    if (feedingPorts(spec) < spec.cooling.ports.size())
        throw refusal(o.where, i18n("'{}' needs condenser water, which a layout does not bring", slug),
                      i18n("name one that is cooled by air, or none and connect it by hand"));
}

} // namespace

WaterConditions waterConditions(const Snapshot& s, const Options& options)
{
    WaterConditions at;
    at.coolantSupplyC = numberSetting(s, "cooling.coolant_supply_c", at.coolantSupplyC);
    at.facilitySupplyC =
        options.facilitySupplyC > 0 ? double(options.facilitySupplyC) : numberSetting(s, "cooling.facility_supply_c", at.facilitySupplyC);
    at.ambientC = numberSetting(s, "site.ambient_c", at.ambientC), at.wetBulbC = numberSetting(s, "site.wet_bulb_c", at.wetBulbC);
    at.liquidLpmPerKw = lpmPerKw(s.setting("cooling.coolant", "pg25"), at.coolantSupplyC, numberSetting(s, "cooling.coolant_delta_k", 12));
    at.facilityLpmPerKw = lpmPerKw("water", at.facilitySupplyC, numberSetting(s, "cooling.facility_delta_k", 10));
    return at;
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
    for (const int dn : {200, 250, 300, 400, 500, 600}) headers.push_back("facility-header-dn" + std::to_string(dn));
    return headers;
}

std::string headerFor(double lpm, const std::vector<std::string>& headers, const Parts& parts)
{
    for (const auto& slug : headers)
        if (lpmOf(parts.device(slug).cooling.innerMm.value) >= lpm) return slug;
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
    static const DeviceSpec kNoPump;
    const auto& pump = o.facilityPump == "none" ? kNoPump : parts.device(o.facilityPump);
    const auto headers = facilityHeaders(o);
    const auto& largest = parts.device(headers.back());
    const auto upwards = [](double all, double each) { return each > 0 ? std::max<std::int64_t>(1, std::int64_t(std::ceil(all / each - 1e-9))) : 1; };
    const double kw = at.facilityLpmPerKw / 1e3;
    const double with = watts + double(upwards(watts * kw, pump.coolantLpm.value) + 1) * toWatts(pump.design.value);
    FacilityNeed need;
    need.loops = upwards(with * kw, lpmOf(largest.cooling.innerMm.value));
    if (const auto ways = feedingPorts(largest); ways > 0) need.loops = std::max(need.loops, upwards(double(consumers), double(ways)));
    need.watts = with / double(need.loops), need.lpm = need.watts * kw;
    need.header = headerFor(need.lpm, headers, parts);
    need.pumps = upwards(need.lpm, pump.coolantLpm.value) + 1;
    for (const std::string& slug : o.chiller.empty() ? kChillers : std::vector{o.chiller}) {
        const auto& rejector = parts.device(slug);
        checkRejector(slug, rejector, o);
        const double outdoorC = rejector.cooling.element == CoolingElement::Tower ? at.wetBulbC : at.ambientC;
        const double each = toWatts(rejector.capacity.value) * rejectionAt(rejector.cooling.points, outdoorC, at.facilitySupplyC).share;
        if (each <= 0)
            throw refusal(o.where, i18n("'{}' supplies no water of {:g} °C at {:g} °C outdoors", slug, at.facilitySupplyC, outdoorC),
                          i18n("name another chiller, or set facility_supply_c"));
        need.chiller = slug, need.rejectors = upwards(need.watts, each) + 1;
        if (need.rejectors <= kFewRejectors) break;
    }
    return need;
}

} // namespace hw::layout
