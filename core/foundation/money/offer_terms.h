// SPDX-License-Identifier: GPL-3.0-or-later
// What an offer says besides one price: prices by length and by quantity, and until when it is valid. Kept as settings of part and supplier.
#pragma once

#include "core/foundation/base/units.h"
#include "core/foundation/model/snapshot.h"

#include <string>
#include <vector>

namespace hw {

/// A price of an offer for pieces of a length, from a quantity on.
struct PriceStep {
    std::int32_t lengthMm = 0; ///< of a cable; 0 = any
    std::int64_t from = 1;     ///< pieces; of a price per meter, meters
    bool perMeter = false;
    Money price;
    friend auto operator<=>(const PriceStep&, const PriceStep&) = default;
};

struct OfferTerms {
    std::vector<PriceStep> steps; ///< ascending; empty: one price for all
    std::string validUntil;       ///< ISO 8601; empty: not stated
    friend bool operator==(const OfferTerms&, const OfferTerms&) = default;
    [[nodiscard]] static OfferTerms of(const Snapshot& snapshot, const std::string& part, const std::string& supplier);
    void put(Snapshot& snapshot, const std::string& part, const std::string& supplier) const; ///< only what differs is written
};

/// "3000:1=120.0000;3000:100=110.0000;m:500=1.2000": length or "m", quantity, price. Broken pieces are left out.
[[nodiscard]] std::vector<PriceStep> readSteps(std::string_view text);
[[nodiscard]] std::string stepsText(const std::vector<PriceStep>& steps);
/// The step for a piece of this length (0 = has none) when so many are bought: the shortest length that is as long, and the largest quantity that is
/// reached, else the smallest. Null: none is as long.
[[nodiscard]] const PriceStep* stepFor(const std::vector<PriceStep>& steps, std::int64_t lengthMm, std::int64_t quantity);

} // namespace hw
