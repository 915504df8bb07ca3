// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/money/price_book.h"
#include "core/output/exchange/bom.h"

namespace hw {

/// Whether a total says anything: one of nothing that leaves out prices without an exchange rate does not.
[[nodiscard]] bool totalKnown(Money total, const std::vector<std::string>& withoutRate);
/// "2 parts have prices without an exchange rate, which are left out: a, b": one line for people; empty where there are none.
[[nodiscard]] Text withoutRateText(const std::vector<std::string>& withoutRate);
/// "1,234,567 EUR", or that it is not known. `shown`: the sum as it is written where it stands.
[[nodiscard]] Text totalText(Money total, const std::vector<std::string>& withoutRate, Text shown);
/// "1 EUR = 1.08 USD (2026-11-20, ECB)".
[[nodiscard]] Text rateText(const ExchangeRate& rate, const std::string& currency, const std::string& projectCurrency);

} // namespace hw
