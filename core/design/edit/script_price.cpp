// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/script_price.h"

#include "core/design/edit/script_json.h"
#include "core/foundation/money/price_book.h"

namespace hw::edit {

namespace {

Result<Money> sumOf(const nlohmann::json& edit, const char* key)
{
    if (!edit.contains(key)) return Money();
    const auto text = valueOf(edit.at(key)).value_or(std::string());
    if (const auto sum = readMoney(text)) return *sum;
    return fail(ErrorCode::Refused, key, i18n("'{}' is not a valid amount", text), i18n("write a number, for example 1250.5"));
}

} // namespace

Result<PriceEntry> priceOf(const nlohmann::json& edit, const std::string& currency)
{
    const auto each = sumOf(edit, "each"), perMeter = sumOf(edit, "per_meter");
    if (!each) return tl::unexpected(each.error());
    if (!perMeter) return tl::unexpected(perMeter.error());
    const auto text = [&](const char* key) { return edit.value(key, std::string()); };
    PriceEntry entry{text("part"), *each, *perMeter, edit.value("currency", currency), text("source"), text("supplier"), text("date")};
    if (edit.contains("trust")) {
        const auto trust = fromWord<Trust>(text("trust"));
        if (!trust)
            return fail(ErrorCode::Refused, "trust", i18n("'{}' is not a valid value", text("trust")),
                        i18n("choose from {}", listedNames(kWords<Trust>)));
        entry.trust = *trust;
    }
    const auto days = edit.value("lead_days", std::int64_t(0));
    if (days < 0 || days > 10'000)
        return fail(ErrorCode::Refused, "lead_days", i18n("{} is out of range", days), i18n("specify {} to {}", 0, 10'000));
    entry.leadDays = std::int32_t(days);
    return entry;
}

} // namespace hw::edit
