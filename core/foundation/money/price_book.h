// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"
#include "core/foundation/money/offer_terms.h"

#include <map>
#include <optional>

namespace hw {

/// What one part is bought for, in the project's currency.
struct PartPrice {
    Money each, perMeter; ///< of one piece, and of each meter of it
    bool known = false;   ///< somebody has a price for it, be it nothing
    bool noRate = false;  ///< the catalog has one, in a currency that the project has no rate of
    Trust trust = Trust::Assumed;
    Confidence confidence = Confidence::Assumed;
    std::string source{}, supplier{}, date{};
    std::int32_t leadDays = 0; ///< of the offer, else of the part; 0 = not stated
    std::string leadSource{};  ///< who says so
    Confidence leadConfidence = Confidence::Assumed;
    std::vector<PriceStep> steps{}; ///< by length and quantity, in the project's currency; then `each` and `perMeter` are those of the first
    std::string validUntil{};       ///< of the offer, ISO 8601; empty: not stated
    friend bool operator==(const PartPrice&, const PartPrice&) = default;
    [[nodiscard]] bool assumed() const { return confidence == Confidence::Assumed; }
    /// Whether there is a price for pieces of this length.
    [[nodiscard]] bool covers(std::int64_t lengthMm) const { return known && (steps.empty() || stepFor(steps, lengthMm, 1)); }
    /// Of a piece of this length when so many are bought; rounded to 1/10,000. Beyond the longest that is offered: that one's.
    [[nodiscard]] Money of(std::int64_t lengthMm, std::int64_t quantity = 1) const;
    /// Of a meter when so many are bought.
    [[nodiscard]] Money ofMeter(std::int64_t meters) const;
};

/// How one currency counts in another, from the settings "currency.CODE.rate", ".date" and ".source".
struct ExchangeRate {
    double rate = 0; ///< units of the project's currency for one; 0: none stated
    std::string date, source;
    [[nodiscard]] static ExchangeRate of(const Snapshot& snapshot, const std::string& currency);
    [[nodiscard]] Money convert(Money money) const;
};

/// The prices of a project over those of its part types. Of several prices of a part the most trusted counts, of those
/// the one of the latest date, of those the later row; one in a currency without a rate counts never. Guesses of the catalog are in
/// `kCatalogCurrency` and need a rate, too, where the project counts in another one.
inline constexpr const char* kCatalogCurrency = "USD";

class PriceBook {
public:
    PriceBook(const Snapshot& snapshot, const ProjectParts& parts);
    [[nodiscard]] PartPrice of(PartTypeId type) const;
    /// Of what may be no part of the project (a sundry): what the list says, else not known.
    [[nodiscard]] PartPrice of(const std::string& slug) const;
    /// The row of `Prices` that counts for a part; nothing where its type speaks for itself.
    [[nodiscard]] std::optional<PriceId> rowOf(const std::string& slug) const;
    /// Prices whose currency has no rate, in the order of their rows.
    [[nodiscard]] const std::vector<PriceId>& withoutRate() const { return m_withoutRate; }
    [[nodiscard]] const std::map<std::string, PriceId, std::less<>>& counting() const { return m_best; } ///< the row that counts, by part

private:
    [[nodiscard]] PartPrice listed(PriceId id) const;
    const Snapshot& m_snapshot;
    const ProjectParts& m_parts;
    ExchangeRate m_catalog; ///< of the catalog's currency
    std::map<std::string, PriceId, std::less<>> m_best;
    std::vector<PriceId> m_withoutRate;
};

/// An offer that counts and whose time is over.
struct ExpiredOffer {
    std::string part, supplier, source, validUntil;
    friend bool operator==(const ExpiredOffer&, const ExpiredOffer&) = default;
};
/// By part. `date`: ISO 8601; an offer is valid on its last day.
[[nodiscard]] std::vector<ExpiredOffer> expiredOffers(const Snapshot& snapshot, const ProjectParts& parts, const std::string& date);

/// "1250.5" with at most four decimals; nothing where the text is no such number.
[[nodiscard]] std::optional<Money> readMoney(std::string_view text);
[[nodiscard]] Text trustText(Trust trust); ///< for people
/// Whether a text is a date as ISO 8601 writes it: 2026-11-23, one that the calendar has.
[[nodiscard]] bool isDate(std::string_view text);
/// Whether a text is three capital letters.
[[nodiscard]] bool isCurrency(std::string_view text);

} // namespace hw
