// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/year/tariff.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/yaml_keys.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/weather/calendar.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hw {

namespace {

Result<std::string> textOf(const std::filesystem::path& path)
{
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(path, error))
        return fail(ErrorCode::Unreadable, path.string(), i18n("cannot be read"), i18n("check its path and permissions"));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

Tariff::Band bandOf(YamlKeys& keys)
{
    Tariff::Band band;
    band.name = keys.text("name"), band.price = keys.number("price", 0, 1000);
    if (keys.has("months"))
        for (const double month : keys.numbers("months")) {
            if (month < 1 || month > 12 || month != double(int(month))) keys.refuse("months", i18n("must be numbers from 1 to 12"));
            band.months.push_back(int(month));
        }
    band.days = keys.text("days", "");
    if (!band.days.empty() && band.days != "weekdays" && band.days != "weekends") keys.refuse("days", i18n("must be weekdays or weekends"));
    if (keys.has("hours")) std::tie(band.from, band.to) = keys.range("hours");
    if (band.from < 0 || band.to > 24) keys.refuse("hours", i18n("must be from 0 to 24"));
    keys.finish();
    return band;
}

/// In the project's currency.
Result<Tariff> converted(const Snapshot& s, Tariff tariff, const std::string& where)
{
    const std::string own = settingOf(s, "project.currency");
    if (tariff.currency == own) return tariff;
    const double rate = numberSetting(s, "currency." + tariff.currency + ".rate", 0);
    if (rate <= 0)
        return fail(ErrorCode::Refused, where, i18n("the tariff is in {}, and the project in {}", tariff.currency, own),
                    i18n("set currency.{}.rate", tariff.currency));
    for (double* price : {&tariff.price, &tariff.demandPerKwMonth, &tariff.fixedPerMonth}) *price *= rate;
    for (Tariff::Band& band : tariff.bands) band.price *= rate;
    tariff.currency = own;
    return tariff;
}

/// What the project contracts counts more than what the tariff's example does.
Tariff withContract(const Snapshot& s, Tariff tariff)
{
    if (const double contract = numberSetting(s, "cost.contract_kw"); contract > 0) tariff.contractKw = contract;
    return tariff;
}

Result<Tariff> shipped(const Snapshot& s, const std::string& name, const std::string& where)
{
    const auto& all = shippedTariffs();
    if (!all) return tl::unexpected(all.error());
    std::string known;
    for (const Tariff& tariff : *all) {
        if (tariff.slug == name) return converted(s, withContract(s, tariff), where);
        known += (known.empty() ? "" : ", ") + tariff.slug;
    }
    return fail(ErrorCode::Refused, where, i18n("no tariff of this name"), i18n("choose from {}, or specify a YAML file", known));
}

} // namespace

double Tariff::priceAt(std::size_t hour, int firstWeekday) const
{
    const auto now = weather::momentOf(hour, firstWeekday);
    for (const Band& band : bands) {
        const bool month = band.months.empty() || std::ranges::find(band.months, now.month) != band.months.end();
        const bool day = band.days.empty() || (band.days == "weekends") == now.weekend();
        if (month && day && now.hour >= band.from && now.hour < band.to) return band.price;
    }
    return price;
}

Bill billOf(const Tariff& tariff, std::span<const double> kw, int firstWeekday)
{
    Bill bill;
    double peak = 0;
    for (std::size_t h = 0; h < kw.size(); ++h) {
        auto& month = bill.months[std::size_t(weather::momentOf(h).month - 1)];
        month.energy += kw[h] * tariff.priceAt(h, firstWeekday);
        month.peakKw = std::max(month.peakKw, kw[h]);
        peak = std::max(peak, kw[h]);
    }
    for (auto& month : bill.months) {
        month.billedKw = std::max(month.peakKw, tariff.ratchet * std::max(tariff.contractKw, peak));
        month.demand = month.billedKw * tariff.demandPerKwMonth, month.fixed = tariff.fixedPerMonth;
        bill.energy += month.energy, bill.demand += month.demand, bill.fixed += month.fixed;
    }
    return bill;
}

Result<std::vector<Tariff>> readTariffs(const std::string& yaml, const std::string& file)
{
    std::vector<Tariff> out;
    const auto read = readYaml(yaml, file, [&](YamlKeys& all) {
        all.entries("tariffs", [&](const std::string& slug, YamlKeys& keys) {
            Tariff tariff{.slug = slug, .title = keys.text("title"), .source = keys.text("source"), .currency = keys.text("currency")};
            tariff.confidence = keys.confidence();
            tariff.price = keys.number("price", 0, 1000);
            if (keys.has("bands"))
                for (YamlKeys& band : keys.maps("bands")) tariff.bands.push_back(bandOf(band));
            if (keys.has("demand_per_kw_month")) tariff.demandPerKwMonth = keys.number("demand_per_kw_month", 0, 1e6);
            if (keys.has("ratchet")) tariff.ratchet = keys.number("ratchet", 0, 1);
            if (keys.has("contract_kw")) tariff.contractKw = keys.number("contract_kw", 0, 1e9);
            if (keys.has("fixed_per_month")) tariff.fixedPerMonth = keys.number("fixed_per_month", 0, 1e9);
            out.push_back(std::move(tariff));
        });
    });
    if (!read) return tl::unexpected(read.error());
    if (out.empty()) return fail(ErrorCode::Unreadable, file, i18n("no tariffs"), i18n("list them under the key tariffs"));
    return out;
}

const Result<std::vector<Tariff>>& shippedTariffs()
{
    static const Result<std::vector<Tariff>> all = [] {
        const auto path = resourceFolder() / "plant" / "tariffs.yaml";
        const auto text = textOf(path);
        return text ? readTariffs(*text, path.string()) : Result<std::vector<Tariff>>(tl::unexpected(text.error()));
    }();
    return all;
}

Result<Tariff> tariffOf(const Snapshot& s)
{
    if (const std::string name = settingOf(s, "site.tariff"); !name.empty()) return shipped(s, name, "site.tariff");
    Tariff flat{.slug = "flat", .title = words(i18n("flat rate")), .source = "cost.tariff", .currency = settingOf(s, "project.currency")};
    flat.price = numberSetting(s, "cost.tariff"), flat.demandPerKwMonth = numberSetting(s, "cost.demand_per_kw_month");
    flat.ratchet = numberSetting(s, "cost.ratchet_percent") / 100, flat.contractKw = numberSetting(s, "cost.contract_kw");
    return flat;
}

Result<Tariff> tariffNamed(const Snapshot& s, const std::string& name)
{
    const bool file = name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml");
    if (!file) return shipped(s, name, "--tariff " + name);
    const auto text = textOf(name);
    if (!text) return tl::unexpected(text.error());
    const auto all = readTariffs(*text, name);
    if (!all) return tl::unexpected(all.error());
    if (all->size() != 1) return fail(ErrorCode::Refused, name, i18n("{} tariffs", all->size()), i18n("use a file with one"));
    return converted(s, withContract(s, all->front()), name);
}

} // namespace hw
