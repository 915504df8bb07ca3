// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/lifecycle/life_cycle.h"

#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>

namespace hw {

double LifeCycle::undiscounted() const
{
    double sum = 0;
    for (const LifeYear& year : flow) sum += year.total();
    return sum;
}

LifeCycle lifeCycle(const HourCost& cost, int years, double interest, double energyGrowth)
{
    LifeCycle out;
    out.currency = cost.currency, out.energyBasis = cost.energyBasis, out.years = std::max(1, years);
    out.interest = interest, out.energyGrowth = energyGrowth;
    out.itW = cost.itW, out.annualPue = cost.annualPue > 0 ? cost.annualPue : cost.pue, out.energyKwh = cost.energyKwh;
    out.billKnown = cost.billKnown;
    out.flow.resize(std::size_t(out.years) + 1);
    const auto present = [&](double sum, int year) { return sum / std::pow(1 + interest, year); };
    for (const HourCost::System& system : cost.systems) {
        LifeCycle::System s{.system = system.system, .capital = system.capital, .lifeYears = system.years, .present = system.capital};
        out.flow[0].capital += system.capital, out.capital += system.capital;
        double bought = 0;
        if (system.years > 0) {
            // A piece is replaced at the end of the year in which its life ends, but not at the end of the last one.
            for (int n = 1; n * system.years < out.years - 1e-9; ++n) {
                const int year = int(std::ceil(n * system.years - 1e-9));
                if (year >= out.years) break;
                out.flow[std::size_t(year)].capital += system.capital;
                out.replacement += present(system.capital, year), s.present += present(system.capital, year);
                s.replaced += system.capital, ++s.replacements, bought = n * system.years;
            }
            s.residual = system.capital * std::max(0.0, 1 - (out.years - bought) / system.years);
            out.flow.back().residual += s.residual;
            out.residual += present(s.residual, out.years), s.present -= present(s.residual, out.years);
        }
        out.systems.push_back(s);
    }
    for (int year = 1; year <= out.years; ++year) {
        LifeYear& y = out.flow[std::size_t(year)];
        y.energy = cost.energy * std::pow(1 + energyGrowth, year - 1);
        y.maintenance = cost.maintenance, y.staff = cost.staff, y.rent = cost.rent;
        out.energy += present(y.energy, year), out.maintenance += present(y.maintenance, year);
        out.staff += present(y.staff, year), out.rent += present(y.rent, year);
    }
    return out;
}

LifeCycle lifeCycle(const Figures& figures, int years)
{
    const Snapshot& s = *figures.snapshot;
    auto life = lifeCycle(hourCost(figures, makeBom(figures)), years, numberSetting(s, "cost.interest_percent") / 100,
                          numberSetting(s, "cost.energy_growth_percent") / 100);
    life.name = settingOf(s, "project.name");
    return life;
}

} // namespace hw
