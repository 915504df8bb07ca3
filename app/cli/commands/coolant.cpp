// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "core/foundation/base/json_document.h"
#include "core/physics/coolant/heat.h"
#include "core/physics/coolant/library.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace hw::cli {

namespace coolant_command {

using Json = nlohmann::ordered_json;

struct Options {
    std::string name;
    std::optional<double> heatW, liters;
    double celsius = 30, deltaK = 12;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("NAME", o.name, words(i18n("Coolant (default: list all)")));
    app.add_option("--at", o.celsius, words(i18n("Mean of supply and return temperature, in °C")))->option_text("C");
    app.add_option("--heat", o.heatW, words(i18n("Heat load in W")))->option_text("W");
    app.add_option("--delta", o.deltaK, words(i18n("Temperature rise in K")))->option_text("K");
    app.add_option("--liters", o.liters, words(i18n("Coolant volume in L for ride-through (needs --heat)")))->option_text("L");
    app.add_option("--litres", o.liters)->group(""); // its name until 0.3
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
}

/// What is asked of a coolant at one temperature.
struct Answer {
    coolant::Properties at;
    double lpmPerKw = 0;
    std::optional<double> rulePerKw, lpm, seconds; ///< the rule: of PG25 alone
};

Answer answerOf(const Options& o, const coolant::Properties& at)
{
    Answer out;
    out.at = at;
    out.lpmPerKw = coolant::litersPerMinutePerKilowatt(o.deltaK, at);
    if (o.name == "pg25") out.rulePerKw = coolant::pg25RuleLpm(1000, o.deltaK);
    if (o.heatW) out.lpm = out.lpmPerKw * *o.heatW / 1000;
    if (o.liters) out.seconds = coolant::rideThroughS(*o.heatW, *o.liters / 1000, o.deltaK, at);
    return out;
}

template <class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json answerJson(const Options& o, const coolant::Fluid& fluid, const Answer& a)
{
    return {{"schema", "hallwright.coolant/1"},
            {"coolant", o.name},
            {"at_c", o.celsius},
            {"delta_k", o.deltaK},
            {"density_kg_m3", a.at.density},
            {"specific_heat_j_kg_k", a.at.specificHeat},
            {"volumetric_heat_j_m3_k", a.at.volumetricHeat()},
            {"conductivity_w_m_k", a.at.conductivity},
            {"viscosity_pa_s", a.at.viscosity},
            {"source", fluid.density.source},
            {"confidence", std::string(1, fluid.density.confidence)},
            {"lpm_per_kw", a.lpmPerKw},
            {"rule_lpm_per_kw", orNull(a.rulePerKw)},
            {"heat_w", orNull(o.heatW)},
            {"flow_lpm", orNull(a.lpm)},
            {"liters", orNull(o.liters)},
            {"ride_through_s", orNull(a.seconds)}};
}

void printAnswer(const Options& o, const coolant::Fluid& fluid, const Answer& a)
{
    const auto line = [](const Text& label, const Text& value) { print(fmt::format("  {:<18} {}\n", words(label), words(value))); };
    print(words(i18n("{} at {:g} °C", o.name, o.celsius)) + '\n');
    line(i18n("Density"), i18n("{:.1f} kg/m³", a.at.density));
    line(i18n("Specific heat"), i18n("{:.0f} J/(kg K), {:.3f} MJ/(m³ K)", a.at.specificHeat, a.at.volumetricHeat() / 1e6));
    if (a.at.viscosity > 0) line(i18n("Viscosity"), i18n("{:.3f} mPa s", a.at.viscosity * 1e3));
    if (a.at.conductivity > 0) line(i18n("Thermal conductivity"), i18n("{:.4f} W/(m K)", a.at.conductivity));
    line(i18n("Source"), i18n("{} ({})", fluid.density.source, std::string(1, fluid.density.confidence)));
    line(i18n("Flow"), i18n("{:.4f} L/min per kW at {:g} K", a.lpmPerKw, o.deltaK));
    if (a.rulePerKw)
        line(i18n("Rule of thumb"), i18n("{:.1f} / ΔT = {:.4f} L/min per kW (within 0.6 % from 10 to 65 °C); deviation here {:+.2f} %",
                                         coolant::kPg25Rule, *a.rulePerKw, (a.lpmPerKw / *a.rulePerKw - 1) * 100));
    if (a.lpm)
        line(i18n("For this heat load"),
             a.rulePerKw ? i18n("{:.0Lf} L/min for {:.4g} kW; rule of thumb {:.0Lf} L/min", *a.lpm, *o.heatW / 1000, *a.rulePerKw * *o.heatW / 1000)
                         : i18n("{:.0Lf} L/min for {:.4g} kW", *a.lpm, *o.heatW / 1000));
    if (a.seconds) line(i18n("Ride-through"), i18n("{:g} L: {:.1f} s for a rise of {:g} K", *o.liters, *a.seconds, o.deltaK));
}

void printAll(const coolant::Library& library, bool json)
{
    Json list = Json::array();
    for (const auto& coolant : library.coolants()) {
        const std::string title = words(resourceText(coolant.title));
        list.push_back({{"name", coolant.slug}, {"title", title}, {"fluid", coolant.fluid}, {"fraction", coolant.fraction}});
        if (!json) print(fmt::format("  {:<8} {}\n", coolant.slug, title));
    }
    if (json) print(Json{{"schema", "hallwright.coolants/1"}, {"coolants", list}}.dump(2) + '\n');
}

Result<void> checked(const Options& o)
{
    if (o.liters && !o.heatW) return fail(ErrorCode::Usage, "--liters", i18n("ride-through needs a heat load"), i18n("add --heat"));
    const auto above = [](const char* option, double value) -> Result<void> {
        if (value > 0 && std::isfinite(value)) return {};
        return fail(ErrorCode::Refused, option, i18n("{:g} is not greater than 0", value), i18n("specify a number greater than 0"));
    };
    if (const auto fine = above("--delta", o.deltaK); !fine) return fine;
    if (const auto fine = above("--heat", o.heatW.value_or(1)); !fine) return fine;
    return above("--liters", o.liters.value_or(1));
}

Outcome run(const Options& o, const Progress&)
{
    const auto& library = coolant::shippedLibrary();
    if (!library) return tl::unexpected(library.error());
    if (o.name.empty()) {
        if (o.heatW || o.liters || o.celsius != Options().celsius || o.deltaK != Options().deltaK)
            return fail(ErrorCode::Usage, "NAME", i18n("no coolant specified"), i18n("specify one, for example pg25"));
        printAll(*library, o.json);
        return kDone;
    }
    if (const auto fine = checked(o); !fine) return tl::unexpected(fine.error());
    auto coolant = library->coolant(o.name);
    if (!coolant) {
        coolant.error().code = ErrorCode::Usage;
        return tl::unexpected(coolant.error());
    }
    const auto at = coolant->at(o.celsius);
    if (!at) return tl::unexpected(at.error());
    const auto named = std::ranges::find(library->coolants(), o.name, &coolant::Library::Named::slug);
    const coolant::Fluid& fluid = *library->fluid(named->fluid);
    const Answer answer = answerOf(o, *at);
    if (o.json)
        print(documentText(answerJson(o, fluid, answer)));
    else
        printAnswer(o, fluid, answer);
    return kDone;
}

} // namespace coolant_command

void addCoolant(Session& session)
{
    using namespace coolant_command;
    session.command<Options>("coolant", i18n("Show coolant properties at a temperature, with the flow and volume for a heat load"), declare, run);
}

} // namespace hw::cli
