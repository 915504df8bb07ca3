// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/money/price_book.h"

#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <tuple>

namespace hw {

namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};

void takeLead(PartPrice& price, const Part& part)
{
    price.leadDays = part.leadDays.value, price.leadSource = part.leadDays.source, price.leadConfidence = part.leadDays.confidence;
}

/// What the catalog says; nothing known where the price is 0.
PartPrice guessOf(const Part& part)
{
    const auto both = [](const Fact<Money>& each, const Fact<Money>& perMeter) {
        PartPrice price{each.value, perMeter.value};
        price.known = each.value.count() > 0 || perMeter.value.count() > 0;
        const bool assumed = (each.value.count() > 0 && each.assumed()) || (perMeter.value.count() > 0 && perMeter.assumed());
        const Fact<Money>& main = each.value.count() > 0 ? each : perMeter;
        price.confidence = assumed || !price.known ? Confidence::Assumed : main.confidence;
        price.trust = price.assumed() ? Trust::Assumed : Trust::Published;
        price.source = main.source;
        return price;
    };
    PartPrice price =
        std::visit(Overloaded{[&](const DeviceSpec& s) { return both(s.price, {}); }, //
                              [&](const RackSpec& s) { return both(s.price, {}); }, [&](const TransceiverSpec& s) { return both(s.price, {}); },
                              [&](const CableSpec& s) { return both(s.priceFixed, s.pricePerMeter); },
                              [&](const TraySpec& s) { return both({}, s.pricePerMeter); }},
                   part.spec);
    takeLead(price, part);
    price.date = price.known ? part.reviewed : std::string();
    return price;
}

Confidence confidenceOf(Trust trust)
{
    switch (trust) {
    case Trust::Quoted: return Confidence::A;
    case Trust::Published: return Confidence::B;
    case Trust::Assumed: break;
    }
    return Confidence::Assumed;
}

bool digits(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

ExchangeRate ExchangeRate::of(const Snapshot& s, const std::string& currency)
{
    if (currency.empty() || currency == settingOf(s, "project.currency")) return {1, {}, {}};
    const std::string key = "currency." + currency;
    return {numberSetting(s, key + ".rate", 0), s.setting(key + ".date"), s.setting(key + ".source")};
}

Money ExchangeRate::convert(Money money) const { return rate == 1 ? money : Money(std::llround(double(money.count()) * rate)); }

PriceBook::PriceBook(const Snapshot& s, const ProjectParts& parts) : m_snapshot(s), m_parts(parts), m_catalog(ExchangeRate::of(s, kCatalogCurrency))
{
    const Prices& prices = s.prices;
    const auto rank = [&](PriceId id) { return std::tuple(-int(prices.trust[id]), prices.date[id], id.value); };
    prices.forEach([&](PriceId id) {
        if (ExchangeRate::of(s, prices.currency[id]).rate <= 0) return m_withoutRate.push_back(id);
        const auto [best, first] = m_best.try_emplace(prices.part[id], id);
        if (!first && rank(id) > rank(best->second)) best->second = id;
    });
}

std::optional<PriceId> PriceBook::rowOf(const std::string& slug) const
{
    const auto found = m_best.find(slug);
    return found == m_best.end() ? std::nullopt : std::optional(found->second);
}

PartPrice PriceBook::listed(PriceId id) const
{
    const Prices& p = m_snapshot.prices;
    const ExchangeRate rate = ExchangeRate::of(m_snapshot, p.currency[id]);
    PartPrice price{rate.convert(p.each[id]), rate.convert(p.perMeter[id])};
    price.known = true, price.trust = p.trust[id], price.confidence = confidenceOf(p.trust[id]);
    price.source = p.source[id], price.supplier = p.supplier[id], price.date = p.date[id], price.leadDays = p.leadDays[id];
    price.leadSource = price.supplier.empty() ? price.source : price.supplier, price.leadConfidence = price.confidence;
    OfferTerms terms = OfferTerms::of(m_snapshot, p.part[id], p.supplier[id]);
    price.steps = std::move(terms.steps), price.validUntil = std::move(terms.validUntil);
    for (PriceStep& step : price.steps) step.price = rate.convert(step.price);
    return price;
}

PartPrice PriceBook::of(PartTypeId type) const
{
    const Part& part = m_parts[type];
    const auto row = rowOf(part.slug);
    PartPrice price = row ? listed(*row) : guessOf(part);
    if (row) {
        if (price.leadDays == 0) takeLead(price, part);
        return price;
    }
    price.noRate = price.known && m_catalog.rate <= 0;
    price.known = price.known && !price.noRate;
    price.each = m_catalog.convert(price.each), price.perMeter = m_catalog.convert(price.perMeter);
    return price;
}

PartPrice PriceBook::of(const std::string& slug) const
{
    if (const auto type = m_parts.find(slug)) return of(*type);
    const auto row = rowOf(slug);
    return row ? listed(*row) : PartPrice{};
}

Money PartPrice::of(std::int64_t lengthMm, std::int64_t quantity) const
{
    const auto meters = [&](Money meter) { return Money((meter.count() * lengthMm + 500) / 1000); };
    if (steps.empty()) return each + meters(perMeter);
    const PriceStep* step = stepFor(steps, lengthMm, quantity);
    if (!step) step = stepFor(steps, steps.back().lengthMm, quantity);
    return step->perMeter ? meters(step->price) : step->price;
}

Money PartPrice::ofMeter(std::int64_t meters) const
{
    if (steps.empty()) return perMeter;
    const PriceStep* step = stepFor(steps, 1000, meters);
    return step && step->perMeter ? step->price : perMeter;
}

std::vector<ExpiredOffer> expiredOffers(const Snapshot& s, const ProjectParts& parts, const std::string& date)
{
    std::vector<ExpiredOffer> expired;
    const PriceBook book(s, parts);
    for (const auto& [part, id] : book.counting()) {
        const Prices& p = s.prices;
        const OfferTerms terms = OfferTerms::of(s, part, p.supplier[id]);
        if (!terms.validUntil.empty() && terms.validUntil < date) expired.push_back({part, p.supplier[id], p.source[id], terms.validUntil});
    }
    return expired;
}

std::optional<Money> readMoney(std::string_view text)
{
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const double sum = number * 10'000, whole = std::round(sum);
    if (error != std::errc() || end != text.data() + text.size() || !(std::abs(whole) < 9e15) || std::abs(sum - whole) > 1e-3) return std::nullopt;
    return Money(std::int64_t(whole));
}

Text trustText(Trust trust)
{
    switch (trust) {
    case Trust::Quoted: return i18n("quoted");
    case Trust::Published: return i18n("published");
    case Trust::Assumed: return i18n("assumed");
    }
    return {};
}

bool isDate(std::string_view text)
{
    if (text.size() != 10 || text[4] != '-' || text[7] != '-' || !digits(text.substr(0, 4)) || !digits(text.substr(5, 2)) || !digits(text.substr(8)))
        return false;
    const auto number = [&](std::size_t at, std::size_t n) { return std::stoi(std::string(text.substr(at, n))); };
    return std::chrono::year_month_day(std::chrono::year(number(0, 4)), std::chrono::month(unsigned(number(5, 2))),
                                       std::chrono::day(unsigned(number(8, 2))))
        .ok();
}

bool isCurrency(std::string_view text)
{
    return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

} // namespace hw
