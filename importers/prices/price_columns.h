// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"
#include "core/foundation/files/csv_table.h"

#include <array>
#include <map>
#include <optional>

namespace hw::importers {

/// What a column of a price list can say.
enum class PriceField : std::uint8_t {
    Part,
    Each,
    PerMeter,
    Currency,
    Source,
    Supplier,
    Date,
    Trust,
    LeadDays,
    LeadWeeks,
    PerPack,
    PackOf,
    Unit,
    PriceUnit,
    Length,
    From,
    ValidUntil
};
inline constexpr std::size_t kPriceFields = 17;
[[nodiscard]] std::string_view priceFieldName(PriceField field); ///< as `--map` has it: "part", "price", "per_meter" …

/// The column of each field, found by its name or an alias (case, spaces, signs, what stands in brackets and a currency do not count), or as `map`
/// says: "price=Net", one a line. Errors: Usage for an unknown field, Unreadable for columns that are not there or fit twice.
struct PriceColumns {
    std::array<std::optional<std::size_t>, kPriceFields> at{};
    std::array<std::string, kPriceFields> currency{}; ///< that a column's name has: "EUR" of "Unit price (€)"
    std::vector<std::string> twice{};                 ///< names of further columns that fit a field which has one
    struct Tier {
        std::size_t column = 0;
        std::int64_t from = 1; ///< pieces
        std::string currency{};
    };
    std::vector<Tier> tiers{};    ///< columns of prices by quantity: "1-9", "Qty 10+", ascending
    std::string lengthUnit = "m"; ///< of lengths without a unit, as the column's name has it: "mm" of "Length (mm)"
    [[nodiscard]] static Result<PriceColumns> find(const CsvTable& table, const std::string& file, const std::string& map);
    /// Whether cells are the names of columns: one for the part, one for its price, as they are or as `map` says.
    [[nodiscard]] static bool isHeader(const std::vector<std::string>& cells, const std::string& map);
    [[nodiscard]] std::string cell(const CsvTable::Row& row, PriceField field) const; ///< empty where there is no such column
};

/// A sum of money as people write it.
struct WrittenSum {
    double value = 0;
    std::string currency; ///< "EUR" of "€ 300"; empty: none written
};
/// Codes and signs in a text are those of one currency: "EUR" of "Preis in €" or "Unit price [EUR]"; empty: none, or several.
[[nodiscard]] std::string currencyIn(std::string_view text);
/// How many pieces a unit of measure stands for: 1 of "EA", 10 of "PK10" or "pack of 10", 0 of a pack that does not say; nothing for other units.
[[nodiscard]] std::optional<int> piecesOf(std::string_view unit);
[[nodiscard]] bool isMeter(std::string_view unit); ///< "m", "MTR", "米"
/// The least quantity that a column's name states for its prices: 10 of "10-49", "Qty 10+", "ab 10 Stk"; nothing where it states none.
[[nodiscard]] std::optional<std::int64_t> tierIn(std::string_view header);
/// "3 m", "10ft", "3000" with a unit: whole mm; nothing for what is no length up to 100 km.
[[nodiscard]] std::optional<std::int32_t> readLength(std::string_view text, std::string_view unit);
/// A date as ISO 8601 out of "2026-12-31", "2026/12/31", "31.12.2026" or the number of a spreadsheet; else the text as it is.
[[nodiscard]] std::string isoDateOf(const std::string& text);
enum class Decimal : std::uint8_t { Unknown, Point, Comma };
/// "1,250.00", "1.250,00 €", "1'250", "USD 300", "1250.5". With Unknown a text that can be read in two ways ("1.250") is
/// none; nothing also for what is no number.
[[nodiscard]] std::optional<WrittenSum> readSum(std::string_view text, Decimal decimal);
/// What the sums of a column tell of its decimal sign; Unknown where they tell nothing, or different things.
[[nodiscard]] Decimal decimalOf(const std::vector<std::string>& cells);

} // namespace hw::importers
