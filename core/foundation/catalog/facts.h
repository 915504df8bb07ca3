// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/part.h"

namespace hw {

/// A value of a part type with where it comes from, as its definition states it.
struct StatedFact {
    std::string key;   ///< "power_limit", "power.no_load_loss"
    std::string value; ///< "45 kW"; empty for tables of values
    std::string source;
    Confidence confidence = Confidence::Assumed;
    friend bool operator==(const StatedFact&, const StatedFact&) = default;
};

/// Every one that the part's definition states a confidence for, in the order of the definition. A definition that cannot be read has none.
[[nodiscard]] std::vector<StatedFact> statedFacts(const Part& part);

} // namespace hw
