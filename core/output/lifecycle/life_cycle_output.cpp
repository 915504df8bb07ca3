// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/lifecycle/life_cycle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

double cents(double value) { return std::round(value * 100) / 100; }
const char* sideWord(int side) { return side < 0 ? "below" : side > 0 ? "above" : "within"; }

/// The one with the least present value; none where a bill is not known or currencies differ.
std::optional<std::size_t> cheapest(std::span<const LifeCycleOf> designs)
{
    if (designs.size() < 2) return std::nullopt;
    std::size_t best = 0;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        if (!designs[i].life.billKnown || designs[i].life.currency != designs[0].life.currency) return std::nullopt;
        if (designs[i].life.total() < designs[best].life.total()) best = i;
    }
    return best;
}

Json designJson(const LifeCycleOf& of)
{
    const LifeCycle& l = of.life;
    Json systems = Json::array();
    for (const LifeCycle::System& s : l.systems)
        systems.push_back({{"system", wordOf(s.system)},
                           {"capital", cents(s.capital)},
                           {"life_years", s.lifeYears},
                           {"replacements", s.replacements},
                           {"replaced", cents(s.replaced)},
                           {"residual", cents(s.residual)},
                           {"present_value", cents(s.present)}});
    Json flow = Json::array();
    for (std::size_t year = 0; year < l.flow.size(); ++year) {
        const LifeYear& y = l.flow[year];
        flow.push_back({{"year", year},
                        {"capital", cents(y.capital)},
                        {"energy", cents(y.energy)},
                        {"maintenance", cents(y.maintenance)},
                        {"staff", cents(y.staff)},
                        {"rent", cents(y.rent)},
                        {"residual", cents(y.residual)},
                        {"total", cents(y.total())}});
    }
    return {{"name", of.stamp.project},
            {"revision", of.stamp.revision},
            {"currency", l.currency},
            {"it_w", l.itW},
            {"annual_pue", std::round(l.annualPue * 1e6) / 1e6},
            {"energy_basis", l.energyBasis},
            {"energy_kwh_per_year", cents(l.energyKwh)},
            {"years", l.years},
            {"interest", l.interest},
            {"energy_growth", l.energyGrowth},
            {"systems", systems},
            {"cash_flow", flow},
            {"present_value",
             {{"capital", cents(l.capital)},
              {"replacement", cents(l.replacement)},
              {"energy", cents(l.energy)},
              {"maintenance", cents(l.maintenance)},
              {"staff", cents(l.staff)},
              {"rent", cents(l.rent)},
              {"residual", cents(-l.residual)},
              {"total", l.billKnown ? Json(cents(l.total())) : Json()}}},
            {"per_kw_it", l.billKnown ? Json(cents(l.perKwIt())) : Json()},
            {"undiscounted", l.billKnown ? Json(cents(l.undiscounted())) : Json()},
            {"published", costPositionsJson(of.positions)}};
}

std::string amount(double sum) { return words(i18n("{:L}", std::int64_t(std::llround(sum)))); }

std::string systemsText(const LifeCycleOf& of)
{
    std::string out = fmt::format("  {:<24} {:>15} {:>8} {:>8} {:>15} {:>15}\n", words(i18n("system")), words(i18n("initial cost")),
                                  words(i18n("life, yr")), words(i18n("replaced")), words(i18n("residual")), words(i18n("present value")));
    for (const LifeCycle::System& s : of.life.systems)
        out += fmt::format("  {:<24} {:>15} {:>8g} {:>8} {:>15} {:>15}\n", systemText(s.system), amount(s.capital), s.lifeYears, s.replacements,
                           amount(s.residual), amount(s.present));
    return out;
}

std::string rangesText(const LifeCycleOf& of)
{
    if (of.positions.empty()) return {};
    std::string out = '\n' + words(i18n("Construction cost per kW of IT compared with published ranges, {}", of.life.currency)) + '\n';
    for (const CostPosition& p : of.positions) {
        const auto system = fromWord<CostSystem>(p.range.slug);
        out += fmt::format("  {:<24} {:>10} {:>10} - {:<10} {:<8}\n      {}\n", system ? systemText(*system) : i18n("power, cooling, building"),
                           amount(p.perKw), amount(p.range.least), amount(p.range.most), costSideText(p), p.range.source);
    }
    return out;
}

} // namespace

Json costPositionsJson(std::span<const CostPosition> all)
{
    Json positions = Json::array();
    for (const CostPosition& p : all)
        positions.push_back({{"system", p.range.slug},
                             {"per_kw", cents(p.perKw)},
                             {"least", cents(p.range.least)},
                             {"most", cents(p.range.most)},
                             {"position", sideWord(p.side())},
                             {"source", p.range.source},
                             {"confidence", std::string(1, p.range.confidence)}});
    return positions;
}

Text costSideText(const CostPosition& p) { return p.side() < 0 ? i18n("below") : p.side() > 0 ? i18n("! above") : i18n("within"); }

Json lifeCycleJson(std::span<const LifeCycleOf> designs)
{
    Json json{{"schema", "hallwright.lifecycle/1"}};
    Json list = Json::array();
    for (const LifeCycleOf& of : designs) list.push_back(designJson(of));
    json["designs"] = std::move(list);
    const auto best = cheapest(designs);
    json["cheapest"] = best ? Json(*best) : Json();
    return json;
}

std::string lifeCycleText(std::span<const LifeCycleOf> designs)
{
    std::string out;
    if (designs.empty()) return out;
    const LifeCycle& first = designs[0].life;
    out += words(i18n("Life-cycle cost over {} years; interest {:.1f} %, energy price {:+.1f} % per year; present values", first.years,
                      first.interest * 100, first.energyGrowth * 100)) +
           '\n';
    if (designs.size() == 1) out += words(designs[0].stamp.text()) + "\n\n" + systemsText(designs[0]);
    const std::size_t wide = designs.size() <= 4 ? 17 : 15;
    const auto row = [&](const Text& label, auto&& value) {
        out += fmt::format("  {:<26}", label);
        for (const LifeCycleOf& of : designs) out += fmt::format(" {:>{}}", value(of.life), wide);
        out += '\n';
    };
    out += '\n';
    if (designs.size() > 1)
        for (std::size_t i = 0; i < designs.size(); ++i) out += fmt::format("  {}: {}\n", i + 1, words(designs[i].stamp.text()));
    std::size_t number = 0;
    row({}, [&](const LifeCycle& l) { return designs.size() > 1 ? fmt::format("{}: {}", ++number, l.currency) : l.currency; });
    row(i18n("IT, kW"), [](const LifeCycle& l) { return amount(l.itW / 1000); });
    row(i18n("PUE"), [](const LifeCycle& l) { return fmt::format("{:.3f}", l.annualPue); });
    row(i18n("initial cost"), [](const LifeCycle& l) { return amount(l.capital); });
    row(i18n("replacement"), [](const LifeCycle& l) { return amount(l.replacement); });
    row(i18n("energy"), [](const LifeCycle& l) { return amount(l.energy); });
    row(i18n("maintenance"), [](const LifeCycle& l) { return amount(l.maintenance); });
    row(i18n("staff"), [](const LifeCycle& l) { return amount(l.staff); });
    row(i18n("rent"), [](const LifeCycle& l) { return amount(l.rent); });
    row(i18n("residual value"), [](const LifeCycle& l) { return amount(-l.residual); });
    const auto known = [](const LifeCycle& l, double sum) { return l.billKnown ? amount(sum) : words(i18n("unknown")); };
    row(i18n("total"), [&](const LifeCycle& l) { return known(l, l.total()); });
    row(i18n("per kW of IT"), [&](const LifeCycle& l) { return known(l, l.perKwIt()); });
    row(i18n("total, undiscounted"), [&](const LifeCycle& l) { return known(l, l.undiscounted()); });
    if (const auto best = cheapest(designs)) {
        row(i18n("above lowest cost, %"),
            [&](const LifeCycle& l) { return fmt::format("{:.1f}", 100 * (l.total() / designs[*best].life.total() - 1)); });
    } else if (designs.size() > 1) {
        out += "  " + words(i18n("Not ranked: bill of materials without prices, or different currencies.")) + '\n';
    }
    if (designs.size() == 1) out += rangesText(designs[0]);
    return out;
}

} // namespace hw
