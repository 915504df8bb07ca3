// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/money/price_rows.h"

#include <nlohmann/json.hpp>

namespace hw::edit {

/// The price that an edit "price" states, in this currency unless it names one. Refused: sums, a trust or days that are none.
[[nodiscard]] Result<PriceEntry> priceOf(const nlohmann::json& edit, const std::string& currency);

} // namespace hw::edit
