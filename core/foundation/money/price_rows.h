// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"
#include "core/foundation/money/offer_terms.h"

namespace hw {

/// What somebody asks for a part.
struct PriceEntry {
    std::string part{}; ///< slug, of a part or a sundry
    Money each{}, perMeter{};
    std::string currency{}, source{}, supplier{}, date{};
    Trust trust = Trust::Assumed;
    std::int32_t leadDays = 0;
    OfferTerms terms{}; ///< with steps `each` and `perMeter` are those of the first
    friend bool operator==(const PriceEntry&, const PriceEntry&) = default;
};

/// The row of this part and supplier; nothing where there is none.
[[nodiscard]] std::optional<PriceId> findPrice(const Snapshot& snapshot, const std::string& part, const std::string& supplier);
[[nodiscard]] PriceEntry priceEntry(const Snapshot& snapshot, PriceId id);
/// Writes a price over the one of the same part and supplier, or as a new row with a name of its own. Only what differs is
/// written. Refused: what `checkPrice` says.
[[nodiscard]] Result<PriceId> putPrice(Snapshot& snapshot, const ProjectParts& parts, const PriceEntry& entry);
/// Refused: what is no part and no sundry, a sum below 0, meters of what is sold by the piece and pieces of what is sold by the meter, no
/// currency, one that has no rate with date and source, a date that is none, no source.
[[nodiscard]] Result<void> checkPrice(const Snapshot& snapshot, const ProjectParts& parts, const PriceEntry& entry);
/// Whether a part has a price for each meter: cables may, trays must.
[[nodiscard]] bool soldByMeter(const Part& part);
[[nodiscard]] bool soldByPiece(const Part& part);

} // namespace hw
