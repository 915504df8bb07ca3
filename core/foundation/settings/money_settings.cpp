// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/settings/money_settings.h"

#include "core/foundation/settings/number_rows.h"

namespace hw {

namespace {

using Kind = SettingKind;

std::vector<Setting> numbers(TextId group, std::initializer_list<NumberRow> rows)
{
    std::vector<Setting> all;
    addNumbers(all, group, rows);
    return all;
}

} // namespace

std::vector<Setting> moneySettings()
{
    const TextId assumed = TextId("assumed"), none = TextId("none: no charge added");
    auto all = numbers(
        TextId("Bill of materials"),
        {{"cost.shipping_percent", 0, 100, TextId("Shipping"), "%", "0", TextId("share of the goods, as a line in the bill of materials"), none},
         {"cost.installation_percent", 0, 100, TextId("Installation labor"), "%", "0",
          TextId("share of the goods, as a line in the bill of materials"), none},
         {"cost.tax_percent", 0, 100, TextId("Tax"), "%", "0",
          TextId("share of goods, shipping and installation, as a line in the bill of materials"), none},
         {"spares.confidence_percent", 0, 99.99, TextId("Spare-parts service level"), "%", "95",
          TextId("probability of not running out before replenishment: quantile of the Poisson distribution of failures; 0: no spares"),
          TextId("95 % is a typical stocking target (assumed)")},
         {"spares.lead_days", 0, 10'000, TextId("Default lead time"), "days", "90", TextId("for parts without a lead time; used for spares only"),
          assumed},
         {"lead.install_days", 0, 1000, TextId("Installation time"), "days", "0",
          TextId("parts are ordered this many days earlier, in addition to their lead time"), none}});
    const auto add = [&](std::vector<Setting> more) { all.insert(all.end(), more.begin(), more.end()); };
    add({{"currency.*.rate",
          Kind::Number,
          0,
          1e6,
          {},
          TextId("Exchange rates"),
          {},
          "",
          "",
          TextId("units of the project currency per unit of this currency")},
         {"currency.*.date", Kind::Text, 0, 0, {}, TextId("Exchange rates"), {}, "", "", TextId("date of the rate, for example 2026-11-23")},
         {"currency.*.source", Kind::Text, 0, 0, {}, TextId("Exchange rates"), {}, "", "", TextId("source of the rate")},
         {"offer.*.prices",
          Kind::Text,
          0,
          0,
          {},
          TextId("Quotes"),
          {},
          "",
          "",
          TextId("prices by length and quantity of a part and supplier: LENGTH_MM:FROM_QUANTITY=PRICE, or m:FROM_METERS=PRICE, separated by ;")},
         {"offer.*.valid_until", Kind::Text, 0, 0, {}, TextId("Quotes"), {}, "", "", TextId("last day of validity, for example 2026-12-31")}});
    add(numbers(
        TextId("Cost per accelerator-hour"),
        {{"cost.interest_percent", 0, 50, TextId("Interest rate"), "%/year", "8", TextId("on the capital, as an annuity"), assumed},
         {"cost.years_compute", 1, 50, TextId("Compute depreciation period"), "years", "5", TextId("amortization period"), assumed},
         {"cost.years_network", 1, 50, TextId("Network depreciation period"), "years", "5", TextId("amortization period"), assumed},
         {"cost.years_optics", 1, 50, TextId("Optics and cable depreciation period"), "years", "5", TextId("amortization period"), assumed},
         {"cost.years_power", 1, 50, TextId("Power equipment depreciation period"), "years", "15", TextId("amortization period"), assumed},
         {"cost.years_cooling", 1, 50, TextId("Cooling equipment depreciation period"), "years", "15", TextId("amortization period"), assumed},
         {"cost.years_racks", 1, 50, TextId("Rack depreciation period"), "years", "10", TextId("amortization period"), assumed},
         {"cost.years_building", 1, 100, TextId("Building depreciation period"), "years", "25", TextId("amortization period"), assumed},
         {"cost.building_per_kw", 0, 1e6, TextId("Building and sitework"), "/kW", "1500",
          TextId("items not in the bill of materials: shell, floor, roads; in the project currency"), assumed},
         {"cost.maintenance_percent", 0, 50, TextId("Maintenance"), "%/year", "3", TextId("share of the bill of materials"), assumed},
         {"cost.rent_per_kw_month", 0, 1e5, TextId("Rent"), "/kW·month", "0", TextId("for leased halls"), none},
         {"cost.staff_per_mw", 0, 1000, TextId("Staff"), "/MW", "2", TextId("employees assigned to this site"), assumed},
         {"cost.staff_year", 0, 1e7, TextId("Annual cost per employee"), "/year", "120000", TextId("fully loaded; in the project currency"), assumed},
         {"cost.tariff", 0, 100, TextId("Electricity"), "/kWh", "0.08", TextId("including grid charges; in the project currency"), assumed},
         {"cost.load_factor", 0, 1, TextId("Load factor"), "", "0.8", TextId("mean power draw relative to the power basis for limits"), assumed},
         {"cost.utilization_percent", 1, 100, TextId("Utilization"), "%", "90", TextId("hours in use, share of all hours of the active accelerators"),
          assumed},
         {"cost.on_demand", 0, 1000, TextId("On-demand price"), "/GPU·h", "2.5",
          TextId("cloud price of an equivalent accelerator; in the project currency"), assumed},
         {"cost.preemptible_share", 0, 1, TextId("Ratio of spot to on-demand price"), "", "0.1", TextId("relative price of preemptible capacity"),
          TextId("published study of cloud HPC cost: as low as one tenth")},
         {"cost.interruptions_per_day", 0, 1000, TextId("Interruptions"), "/day", "1", TextId("of a job on spot/preemptible instances"), assumed},
         {"cost.resume_minutes", 0, 10'000, TextId("Resume time"), "min", "15", TextId("to obtain instances, load the last checkpoint and continue"),
          assumed},
         {"cost.save_minutes", 0, 10'000, TextId("Checkpoint interval"), "min", "60", TextId("on average, half of it is lost per interruption"),
          assumed}}));
    return all;
}

} // namespace hw
