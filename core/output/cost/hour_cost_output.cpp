// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/rounding.h"
#include "core/output/cost/hour_cost.h"
#include "core/output/exchange/bom_total.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

/// With so many decimals.

Json part(const HourCost& cost, double sum) { return {{"per_year", inSteps(sum, 100)}, {"per_hour", inSteps(cost.anHour(sum), 1e6)}}; }

std::string row(const Text& label, const HourCost& cost, double sum, const Text& remark = {})
{
    return fmt::format("  {:<24} {:>16} {:>12.4f}  {}\n", label, words(i18n("{:L}", std::int64_t(std::llround(sum)))), cost.anHour(sum), remark);
}

std::string optionText(const Preemptible& p, double own, const std::string& currency)
{
    std::string out =
        "  " + words(i18n("spot/preemptible: list price {:.4f} {}, {:.1f} % of time lost", p.price, currency, (1 - p.usefulShare()) * 100)) + '\n';
    if (!std::isfinite(p.effective())) return out + "  " + words(i18n("no useful progress at this interruption rate")) + '\n';
    out += "  " + words(i18n("effective price: {:.4f} {} per useful hour", p.effective(), currency)) + '\n';
    if (const double even = p.breakEven(own); even > 0)
        out += "  " + words(i18n("break-even with this design at {:.1f} interruptions/day", even)) + '\n';
    return out;
}

/// What the energy rests on.
std::string energyText(const HourCost& cost)
{
    std::string out;
    if (cost.energyBasis == "year")
        out += words(i18n("Energy: 8,760 hours, annual PUE {:.3f}; {}; {}", cost.annualPue, cost.climate, cost.tariff)) + '\n';
    else if (cost.energyBasis == "design")
        out += words(i18n("Energy: facility power at the design outdoor temperature times the load factor, all year")) + '\n';
    else
        out += words(i18n("Energy: IT power times the constant PUE times the load factor")) + '\n';
    if (!cost.energyNote.empty()) out += words(cost.energyNote) + '\n';
    return out;
}

std::string assumptionsText(const HourCost& cost)
{
    std::string out = '\n' + words(i18n("Assumptions (change with set-setting)")) + '\n';
    for (const auto& a : cost.assumptions) {
        const Text origin = a.own ? i18n("project") : a.setting.source.empty() ? i18n("default") : a.setting.source;
        out += fmt::format("  {:<28} {:>10} {:<20} {}\n", a.setting.key, a.value, a.setting.unit, origin);
    }
    return out;
}

} // namespace

Json hourCostJson(const HourCost& cost, const DesignStamp& stamp)
{
    Json json{{"schema", "hallwright.cost/1"},
              {"design", {{"name", stamp.project}, {"revision", stamp.revision}, {"date", stamp.date}}},
              {"currency", cost.currency},
              {"accelerators", cost.accelerators},
              {"hours_per_year", inSteps(cost.hours, 100)},
              {"it_w", cost.itW},
              {"facility_w", cost.facilityW},
              {"facility_basis", cost.facilityBasis},
              {"pue", cost.pue},
              {"energy_basis", cost.energyBasis},
              {"annual_pue", cost.annualPue > 0 ? Json(inSteps(cost.annualPue, 1e6)) : Json()},
              {"energy_kwh_per_year", inSteps(cost.energyKwh, 100)},
              {"demand_charge_per_year", inSteps(cost.demandCharge, 100)}};
    if (cost.converted.rate > 0)
        json["exchange_rate"] = {
            {"of", cost.projectCurrency}, {"rate", cost.converted.rate}, {"date", cost.converted.date}, {"source", cost.converted.source}};
    Json systems = Json::array();
    for (const auto& system : cost.systems)
        systems.push_back({{"system", wordOf(system.system)},
                           {"capital", inSteps(system.capital, 100)},
                           {"years", system.years},
                           {"per_year", inSteps(system.perYear, 100)},
                           {"per_hour", inSteps(cost.anHour(system.perYear), 1e6)}});
    json["capital"] = part(cost, cost.perYear);
    json["capital"]["sum"] = cost.billKnown ? Json(inSteps(cost.capital, 100)) : Json();
    json["capital"]["assumed_share"] = cost.assumedShare;
    json["capital"]["systems"] = systems;
    json["energy"] = part(cost, cost.energy);
    json["staff"] = part(cost, cost.staff);
    json["maintenance"] = part(cost, cost.maintenance);
    json["rent"] = part(cost, cost.rent);
    json["total"] = cost.billKnown ? part(cost, cost.total()) : Json();
    json["without_rate"] = cost.withoutRate;
    const double effective = cost.preemptible.effective();
    json["alternatives"] = {{"on_demand_per_hour", cost.onDemand},
                            {"preemptible_per_hour", inSteps(cost.preemptible.price, 1e6)},
                            {"preemptible_useful_share", inSteps(cost.preemptible.usefulShare(), 1e6)},
                            {"preemptible_effective_per_hour", std::isfinite(effective) ? Json(inSteps(effective, 1e6)) : Json()},
                            {"break_even_interruptions_per_day", inSteps(cost.preemptible.breakEven(cost.anHour(cost.total())), 1e6)}};
    auto& assumptions = json["assumptions"] = Json::array();
    for (const auto& a : cost.assumptions)
        assumptions.push_back({{"setting", a.setting.key},
                               {"label", a.setting.label},
                               {"value", a.value},
                               {"unit", a.setting.unit},
                               {"source", a.own ? Text(TextId("project")) : a.setting.source},
                               {"own", a.own}});
    return json;
}

std::string hourCostText(const HourCost& cost, const DesignStamp& stamp)
{
    std::string out =
        words(stamp.text()) + '\n' +
        words(cost.pueComputed
                  ? i18n("{:L} accelerators, IT power {:.0Lf} kW, facility power {:.0Lf} kW (PUE {:.3f} at the design outdoor temperature), {:L} "
                         "accelerator-hours in use per year",
                         cost.accelerators, cost.itW / 1000, cost.facilityW / 1000, cost.pue, std::int64_t(std::llround(cost.hours)))
                  : i18n("{:L} accelerators, IT power {:.0Lf} kW, facility power {:.0Lf} kW (constant PUE {:.3f}), {:L} accelerator-hours in use per "
                         "year",
                         cost.accelerators, cost.itW / 1000, cost.facilityW / 1000, cost.pue, std::int64_t(std::llround(cost.hours)))) +
        "\n\n" + fmt::format("  {:<24} {:>16} {:>12}\n", "", words(i18n("{} per year", cost.currency)), words(i18n("per hour")));
    if (cost.converted.rate > 0) out += "  " + words(i18n("converted at {}", rateText(cost.converted, cost.currency, cost.projectCurrency))) + '\n';
    for (const auto& s : cost.systems)
        out += row(systemText(s.system), cost, s.perYear, i18n("{:L} over {:g} years", std::int64_t(std::llround(s.capital)), s.years));
    out +=
        row(i18n("energy"), cost, cost.energy, i18n("{:L} kWh, demand charge {:L}", std::llround(cost.energyKwh), std::llround(cost.demandCharge)));
    out += row(i18n("staff"), cost, cost.staff);
    out += row(i18n("maintenance"), cost, cost.maintenance);
    if (cost.rent > 0) out += row(i18n("rent"), cost, cost.rent);
    if (cost.billKnown)
        out += row(i18n("total"), cost, cost.total(), i18n("{:.1f} % of the bill of materials at assumed prices", cost.assumedShare * 100));
    else
        out += "  " + words(i18n("total")) + ": " + words(totalText({}, cost.withoutRate, {})) + '\n';
    if (const Text missing = withoutRateText(cost.withoutRate); !missing.empty()) out += "  " + words(missing) + '\n';
    out += '\n' + energyText(cost);
    if (cost.hours <= 0) return out + words(i18n("The design has no accelerators; no hourly cost is available.")) + '\n' + assumptionsText(cost);
    out += '\n' + words(i18n("Cloud prices")) + "\n  " + words(i18n("on-demand: {:.4f} {}", cost.onDemand, cost.currency)) + '\n';
    return out + optionText(cost.preemptible, cost.anHour(cost.total()), cost.currency) + assumptionsText(cost);
}

} // namespace hw
