// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/bom_total.h"

#include <fmt/format.h>

#include <set>

namespace hw {

bool totalKnown(Money total, const std::vector<std::string>& withoutRate) { return total.count() != 0 || withoutRate.empty(); }

Text withoutRateText(const std::vector<std::string>& withoutRate)
{
    const std::set<std::string> parts(withoutRate.begin(), withoutRate.end());
    if (parts.empty()) return {};
    constexpr std::size_t kMostNamed = 5;
    std::vector<std::string> named;
    for (const auto& part : parts)
        if (named.size() < kMostNamed) named.push_back(part);
    const Text names = parts.size() > named.size() ? i18n("{}, and {:L} more", listedNames(named), parts.size() - named.size()) : listedNames(named);
    return i18np(parts.size(), "excluded from the total: {:L} part whose price has no exchange rate ({}); set currency.CODE.rate, .date and .source",
                 "excluded from the total: {:L} parts whose prices have no exchange rate ({}); set "
                 "currency.CODE.rate, .date and .source",
                 names);
}

Text totalText(Money total, const std::vector<std::string>& withoutRate, Text shown)
{
    return totalKnown(total, withoutRate) ? shown : i18n("unknown: no exchange rate");
}

Text rateText(const ExchangeRate& rate, const std::string& currency, const std::string& projectCurrency)
{
    const std::string equation = fmt::format("1 {} = {:g} {}", currency, rate.rate, projectCurrency); // no text
    std::string known = rate.date;
    if (!rate.source.empty()) known += (known.empty() ? "" : ", ") + rate.source;
    return known.empty() ? i18n("{} (no date or source)", equation) : verbatim(equation + " (" + known + ")");
}

} // namespace hw
