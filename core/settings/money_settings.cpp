// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/money_settings.h"

namespace hw {

namespace {

using Kind = SettingKind;

struct Row {
    const char* key;
    double least, most;
    TextId label;
    const char *unit, *fallback;
    TextId help;
    TextId source;
};

std::vector<Setting> numbers(TextId group, std::initializer_list<Row> rows)
{
    std::vector<Setting> all;
    for (const Row& row : rows)
        all.push_back({row.key, Kind::Number, row.least, row.most, {}, group, row.label, row.unit, row.fallback, row.help, row.source});
    return all;
}

} // namespace

std::vector<Setting> moneySettings()
{
    const TextId assumed = TextId("assumed"), none = TextId("none: nothing is added");
    auto all =
        numbers(TextId("Bill of materials"),
                {{"cost.shipping_percent", 0, 100, TextId("Shipping"), "%", "0", TextId("of the goods, as a line of the bill"), none},
                 {"cost.installation_percent", 0, 100, TextId("Installation labour"), "%", "0", TextId("of the goods, as a line of the bill"), none},
                 {"cost.tax_percent", 0, 100, TextId("Tax"), "%", "0", TextId("of goods, shipping and installation, as a line of the bill"), none},
                 {"spares.confidence_percent", 0, 99.99, TextId("Spares last with a probability of"), "%", "95",
                  TextId("until new ones arrive: quantile of the Poisson distribution of the failures; 0: no spares"),
                  TextId("95 % is the usual aim of a stock (assumed)")},
                 {"spares.lead_days", 0, 10'000, TextId("Lead time of parts that state none"), "days", "90", TextId("for spares alone"), assumed},
                 {"lead.install_days", 0, 1000, TextId("From delivery to the end of a phase"), "days", "0",
                  TextId("parts are ordered so many days earlier, besides their lead time"), none}});
    const auto add = [&](std::vector<Setting> more) { all.insert(all.end(), more.begin(), more.end()); };
    add({{"currency.*.rate", Kind::Number, 0, 1e6, {}, TextId("Exchange rates"), {}, "", "", TextId("of the project's currency for one of this")},
         {"currency.*.date", Kind::Text, 0, 0, {}, TextId("Exchange rates"), {}, "", "", TextId("of which day the rate is, as 2026-11-23")},
         {"currency.*.source", Kind::Text, 0, 0, {}, TextId("Exchange rates"), {}, "", "", TextId("where the rate is from")}});
    add(numbers(
        TextId("Cost of an accelerator hour"),
        {{"cost.interest_percent", 0, 50, TextId("Interest"), "% a year", "8", TextId("of the capital, as an annuity"), assumed},
         {"cost.years_compute", 1, 50, TextId("Compute lasts"), "years", "5", TextId("amortised over"), assumed},
         {"cost.years_network", 1, 50, TextId("Network lasts"), "years", "5", TextId("amortised over"), assumed},
         {"cost.years_optics", 1, 50, TextId("Optics and cables last"), "years", "5", TextId("amortised over"), assumed},
         {"cost.years_power", 1, 50, TextId("Power equipment lasts"), "years", "15", TextId("amortised over"), assumed},
         {"cost.years_cooling", 1, 50, TextId("Cooling equipment lasts"), "years", "15", TextId("amortised over"), assumed},
         {"cost.years_racks", 1, 50, TextId("Racks last"), "years", "10", TextId("amortised over"), assumed},
         {"cost.years_building", 1, 100, TextId("The building lasts"), "years", "25", TextId("amortised over"), assumed},
         {"cost.building_per_kw", 0, 1e6, TextId("Building and site works"), "/kW", "1500",
          TextId("what the bill of materials has not: shell, floor, roads; in the project's currency"), assumed},
         {"cost.maintenance_percent", 0, 50, TextId("Maintenance"), "% a year", "3", TextId("of the bill of materials"), assumed},
         {"cost.rent_per_kw_month", 0, 1e5, TextId("Rent"), "/kW·month", "0", TextId("where the hall is not one's own"), none},
         {"cost.staff_per_mw", 0, 1000, TextId("Staff"), "/MW", "2", TextId("that work for this site"), assumed},
         {"cost.staff_year", 0, 1e7, TextId("One of them costs"), "/year", "120000", TextId("with everything; in the project's currency"), assumed},
         {"cost.tariff", 0, 100, TextId("Electricity"), "/kWh", "0.08", TextId("with grid charges; in the project's currency"), assumed},
         {"cost.load_factor", 0, 1, TextId("Load factor"), "", "0.8", TextId("mean draw over the power that limits are compared with"), assumed},
         {"cost.utilisation_percent", 1, 100, TextId("Hours in use"), "%", "90", TextId("of all hours of the active accelerators"), assumed},
         {"cost.on_demand", 0, 1000, TextId("On-demand price"), "/GPU·h", "2.5", TextId("what a cloud asks for the same; in the project's currency"),
          assumed},
         {"cost.preemptible_share", 0, 1, TextId("Preemptible over on-demand price"), "", "0.1", TextId("what may be taken away costs so much of it"),
          TextId("down to one tenth, as the abstract on HPC cost in the cloud says")},
         {"cost.interruptions_per_day", 0, 1000, TextId("Interruptions"), "a day", "1", TextId("of a job on preemptible machines"), assumed},
         {"cost.resume_minutes", 0, 10'000, TextId("A resume takes"), "min", "15", TextId("to get machines, read the last save and go on"), assumed},
         {"cost.save_minutes", 0, 10'000, TextId("Time between saves"), "min", "60", TextId("half of it is lost with an interruption"), assumed}}));
    return all;
}

} // namespace hw
