// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/cost/hour_cost.h"

#include "core/derived/cooling/facility.h"
#include "core/derived/year/year_of.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/bom_total.h"

#include <cmath>
#include <limits>

namespace hw {

namespace {

constexpr double kHoursAYear = 8760, kHoursADay = 24;

const char* yearsKey(CostSystem system)
{
    switch (system) {
    case CostSystem::Compute: return "cost.years_compute";
    case CostSystem::Network: return "cost.years_network";
    case CostSystem::OpticsAndCables: return "cost.years_optics";
    case CostSystem::Power: return "cost.years_power";
    case CostSystem::Cooling: return "cost.years_cooling";
    case CostSystem::Racks: return "cost.years_racks";
    case CostSystem::Building: return "cost.years_building";
    }
    return "cost.years_building";
}

void fillCapital(const Figures& figures, const Bom& bom, HourCost& cost)
{
    const Snapshot& s = *figures.snapshot;
    std::array<double, kCostSystems> sums{};
    for (const auto& section : bomSections(figures, bom, BomBy::System).sections)
        sums[std::size_t(*fromWord<CostSystem>(section.name))] = toCurrency(section.bom.total);
    sums[std::size_t(CostSystem::Building)] += numberSetting(s, "cost.building_per_kw") * cost.itW / 1000;
    const double interest = numberSetting(s, "cost.interest_percent") / 100;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i] == 0) continue;
        const double years = numberSetting(s, yearsKey(CostSystem(i)));
        cost.systems.push_back({CostSystem(i), sums[i], years, annuity(sums[i], years, interest)});
        cost.capital += sums[i];
        cost.perYear += cost.systems.back().perYear;
    }
}

void fillPower(const Figures& figures, HourCost& cost)
{
    const Snapshot& s = *figures.snapshot;
    const PowerBasis basis = powerBasisOf(s);
    const Pue pue = pueOf(figures, basis);
    cost.itW = toWatts(pue.it), cost.facilityW = toWatts(pue.facility), cost.facilityBasis = pue.basis();
    cost.pue = pue.value, cost.pueComputed = pue.computed;
    cost.energyBasis = pue.computed ? "design" : "constant";
    if (pue.computed && settingOf(s, "cost.energy_basis") == "year") {
        if (const auto year = yearOf(figures)) {
            cost.energyBasis = "year", cost.annualPue = year->all.pue();
            cost.climate = words(weatherText(*year)), cost.tariff = year->tariff.title;
            cost.energyKwh = year->all.site, cost.energy = year->bill.total(), cost.demandCharge = year->bill.demand;
            return;
        } else {
            cost.energyNote = i18n("{}: {}; annual energy not available", year.error().where, year.error().what);
        }
    }
    cost.energyKwh = cost.facilityW / 1000 * numberSetting(s, "cost.load_factor") * kHoursAYear;
    auto tariff = tariffOf(s);
    if (!tariff) {
        cost.energyNote = i18n("{}: {}", tariff.error().where, tariff.error().what);
        tariff = Tariff{};
        tariff->price = numberSetting(s, "cost.tariff");
    }
    const std::vector<double> mean(std::size_t(kHoursAYear), cost.energyKwh / kHoursAYear);
    const Bill bill = billOf(*tariff, mean, 0);
    // The demand is that of the design, whatever the mean.
    const double billedKw = std::max(cost.facilityW / 1000, tariff->ratchet * std::max(tariff->contractKw, cost.facilityW / 1000));
    cost.demandCharge = 12 * billedKw * tariff->demandPerKwMonth;
    cost.energy = bill.energy + bill.fixed + cost.demandCharge;
}

void fillAssumptions(const Snapshot& s, HourCost& cost)
{
    for (const Setting& setting : settingsRegistry()) {
        const bool read = (setting.key.starts_with("cost.") || setting.key == "site.pue" || setting.key == "site.pue_basis" ||
                           setting.key == "site.climate" || setting.key == "site.tariff") &&
                          !isPattern(setting.key);
        if (read) cost.assumptions.push_back({setting, isSet(s, setting.key) ? s.setting(setting.key) : setting.fallback, isSet(s, setting.key)});
    }
}

} // namespace

double annuity(double capital, double years, double share)
{
    if (years <= 0) return capital;
    return share > 0 ? capital * share / (1 - std::pow(1 + share, -years)) : capital / years;
}

double Preemptible::usefulShare() const { return std::max(0.0, 1 - interruptionsPerDay / kHoursADay * (resumeHours + saveHours / 2)); }

double Preemptible::effective() const
{
    const double useful = usefulShare();
    return useful > 0 ? price / useful : std::numeric_limits<double>::infinity();
}

double Preemptible::breakEven(double other) const
{
    const double lost = resumeHours + saveHours / 2;
    if (price >= other || lost <= 0) return 0;
    return (1 - price / other) / lost * kHoursADay;
}

HourCost hourCost(const Figures& figures, const Bom& bom)
{
    const Snapshot& s = *figures.snapshot;
    HourCost cost;
    cost.currency = bom.currency, cost.assumedShare = bom.assumedShare();
    cost.withoutRate = bom.withoutRate, cost.billKnown = totalKnown(bom.total, bom.withoutRate);
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] != DeviceRole::Backup)
            cost.accelerators += figures.parts->device(s.devices.type[id]).accelerators;
    });
    fillPower(figures, cost);
    fillCapital(figures, bom, cost);
    const double kilowatts = cost.itW / 1000;
    cost.staff = numberSetting(s, "cost.staff_per_mw") * kilowatts / 1000 * numberSetting(s, "cost.staff_year");
    cost.maintenance = numberSetting(s, "cost.maintenance_percent") / 100 * toCurrency(bom.total);
    cost.rent = numberSetting(s, "cost.rent_per_kw_month") * kilowatts * 12;
    cost.hours = double(cost.accelerators) * kHoursAYear * numberSetting(s, "cost.utilization_percent") / 100;
    cost.onDemand = numberSetting(s, "cost.on_demand");
    cost.preemptible = {cost.onDemand * numberSetting(s, "cost.preemptible_share"), numberSetting(s, "cost.interruptions_per_day"),
                        numberSetting(s, "cost.resume_minutes") / 60, numberSetting(s, "cost.save_minutes") / 60};
    fillAssumptions(s, cost);
    return cost;
}

Result<HourCost> inCurrency(HourCost cost, const Snapshot& snapshot, const std::string& code)
{
    if (code == cost.currency) return cost;
    if (!isCurrency(code))
        return fail(ErrorCode::Refused, "currency " + code, i18n("is not the code of a currency"),
                    i18n("use three capital letters, for example EUR"));
    ExchangeRate rate = ExchangeRate::of(snapshot, code);
    if (rate.rate <= 0) {
        const std::string key = "currency." + code + ".rate"; // no text
        return fail(ErrorCode::Refused, "currency " + code, i18n("has no exchange rate in this project"), i18n("set {}", key));
    }
    for (double* sum : {&cost.capital, &cost.perYear, &cost.demandCharge, &cost.energy, &cost.staff, &cost.maintenance, &cost.rent, &cost.onDemand,
                        &cost.preemptible.price})
        *sum /= rate.rate;
    for (HourCost::System& system : cost.systems) system.capital /= rate.rate, system.perYear /= rate.rate;
    cost.projectCurrency = std::exchange(cost.currency, code);
    cost.converted = std::move(rate);
    return cost;
}

} // namespace hw
