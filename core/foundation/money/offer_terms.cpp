// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/money/offer_terms.h"

#include "core/foundation/money/price_book.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace hw {

namespace {

/// "offer.mpo12-om4/acme.": the key of a setting takes no blanks or points of a supplier's name.
std::string offerKey(const std::string& part, const std::string& supplier, const char* what)
{
    std::string name;
    for (const char c : supplier) name += c == '.' || c == ' ' || static_cast<unsigned char>(c) < 0x20 ? '-' : c;
    return "offer." + part + "/" + name + "." + what;
}

bool wholeNumber(std::string_view text, std::int64_t& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= 1'000'000'000;
}

} // namespace

OfferTerms OfferTerms::of(const Snapshot& s, const std::string& part, const std::string& supplier)
{
    return {readSteps(s.setting(offerKey(part, supplier, "prices"))), s.setting(offerKey(part, supplier, "valid_until"))};
}

void OfferTerms::put(Snapshot& s, const std::string& part, const std::string& supplier) const
{
    const auto write = [&](const char* what, const std::string& value) {
        const std::string key = offerKey(part, supplier, what);
        if (s.setting(key) != value) s.putSetting(key, value);
    };
    write("prices", stepsText(steps));
    write("valid_until", validUntil);
}

std::vector<PriceStep> readSteps(std::string_view text)
{
    std::vector<PriceStep> steps;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(';', at), text.size());
        const std::string_view one = text.substr(at, end - at);
        at = end + 1;
        const auto colon = one.find(':'), equals = one.find('=');
        if (colon == one.npos || equals == one.npos || equals < colon) continue;
        PriceStep step;
        std::int64_t length = 0;
        step.perMeter = one.substr(0, colon) == "m";
        const auto price = readMoney(one.substr(equals + 1));
        if ((!step.perMeter && !wholeNumber(one.substr(0, colon), length)) || !wholeNumber(one.substr(colon + 1, equals - colon - 1), step.from) ||
            !price)
            continue;
        step.lengthMm = std::int32_t(length), step.price = *price;
        steps.push_back(step);
    }
    std::ranges::sort(steps);
    return steps;
}

std::string stepsText(const std::vector<PriceStep>& steps)
{
    std::string out;
    for (const PriceStep& step : steps)
        out += fmt::format("{}{}:{}={:.4f}", out.empty() ? "" : ";", step.perMeter ? std::string("m") : std::to_string(step.lengthMm), step.from,
                           toCurrency(step.price));
    return out;
}

const PriceStep* stepFor(const std::vector<PriceStep>& steps, std::int64_t lengthMm, std::int64_t quantity)
{
    const PriceStep* best = nullptr;
    const auto better = [&](const PriceStep& a, const PriceStep& b) {
        const auto amount = [&](const PriceStep& step) {
            return step.perMeter ? quantity * std::max<std::int64_t>(lengthMm, 1000) / 1000 : quantity;
        };
        const auto length = [](const PriceStep& step) { return step.lengthMm == 0 ? INT32_MAX : step.lengthMm; };
        if (length(a) != length(b)) return length(a) < length(b);
        const bool reachedA = a.from <= amount(a), reachedB = b.from <= amount(b);
        if (reachedA != reachedB) return reachedA;
        return reachedA ? a.from > b.from : a.from < b.from;
    };
    for (const PriceStep& step : steps)
        if ((step.lengthMm == 0 || step.lengthMm >= lengthMm) && (!best || better(step, *best))) best = &step;
    return best;
}

} // namespace hw
