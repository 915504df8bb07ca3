// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/prices/price_columns.h"

#include <algorithm>
#include <charconv>

namespace hw::importers {

namespace {

struct Known {
    PriceField field;
    const char* name;
    std::vector<std::string> aliases; ///< in small letters, without spaces and signs
};

const std::vector<Known>& knownFields()
{
    static const std::vector<Known> all = {
        {PriceField::Part,
         "part",
         {"part", "slug", "sku", "partno", "partnumber", "article", "articleno", "articlenumber", "item", "itemno", "mpn", "model", "product",
          "artikel", "artikelnummer", "artikelnr", "teilenummer", "material"}},
        {PriceField::Each,
         "price",
         {"price", "each", "unitprice", "net", "netprice", "cost", "unitcost", "preis", "einzelpreis", "stückpreis", "nettopreis"}},
        {PriceField::PerMetre, "per_metre", {"permetre", "permeter", "pricepermetre", "pricepermeter", "preisprometer", "meterpreis"}},
        {PriceField::Currency, "currency", {"currency", "ccy", "währung", "waehrung"}},
        {PriceField::Source, "source", {"source", "offer", "quote", "quotation", "list", "quelle", "angebot"}},
        {PriceField::Supplier, "supplier", {"supplier", "vendor", "seller", "lieferant", "anbieter"}},
        {PriceField::Date, "date", {"date", "asof", "validfrom", "datum", "stand"}},
        {PriceField::Trust, "trust", {"trust", "priceis", "kind", "status"}},
        {PriceField::LeadDays, "lead_days", {"leaddays", "leadtimedays", "leadtime", "leadtimed", "lieferzeittage", "lieferzeit"}},
        {PriceField::LeadWeeks, "lead_weeks", {"leadweeks", "leadtimeweeks", "lieferzeitwochen"}},
    };
    return all;
}

/// Small letters and digits only; bytes of other alphabets stay.
std::string plain(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80))
            out += c;
        else if (c >= 'A' && c <= 'Z')
            out += char(c - 'A' + 'a');
    return out;
}

tl::unexpected<Error> wrong(const std::string& where, Text what, Text todo)
{
    return fail(ErrorCode::Unreadable, where, std::move(what), std::move(todo));
}

Result<void> applyMap(PriceColumns& columns, const CsvTable& table, const std::string& map)
{
    for (std::size_t at = 0; at < map.size();) {
        const auto end = std::min(map.find('\n', at), map.size());
        const std::string one = map.substr(at, end - at);
        at = end + 1;
        const auto equals = one.find('=');
        const auto& all = knownFields();
        const auto field = std::ranges::find_if(all, [&](const Known& k) { return one.substr(0, equals) == k.name; });
        if (equals == one.npos || field == all.end()) {
            std::vector<std::string> names;
            for (const auto& known : all) names.emplace_back(known.name);
            return fail(ErrorCode::Usage, "--map " + one, i18n("names no field of a price"),
                        i18n("write FIELD=COLUMN with one of {}", listedNames(names)));
        }
        const auto column = std::ranges::find(table.header, one.substr(equals + 1));
        if (column == table.header.end())
            return wrong("--map " + one, i18n("the file has no such column"), i18n("choose from {}", listedNames(table.header)));
        columns.at[std::size_t(field->field)] = std::size_t(column - table.header.begin());
    }
    return {};
}

/// Currency signs and codes before or behind a number, taken off it.
std::string takeCurrency(std::string& text)
{
    static const std::vector<std::pair<std::string, std::string>> signs = {{"US$", "USD"}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "CNY"}, {"$", "USD"}};
    for (const auto& [sign, code] : signs)
        if (const auto at = text.find(sign); at != text.npos) {
            text.erase(at, sign.size());
            return code;
        }
    const auto letter = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto first = std::ranges::find_if(text, letter);
    const auto last = std::find_if_not(first, text.end(), letter);
    if (last - first != 3) return {};
    const std::string code(first, last);
    text.erase(first, last);
    return code;
}

/// Spaces of all kinds and apostrophes between thousands.
std::string withoutSpaces(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto rest = text.substr(i);
        if (rest.starts_with("\xC2\xA0"))
            i += 1;
        else if (rest.starts_with("\xE2\x80\xAF") || rest.starts_with("\xE2\x80\x89") || rest.starts_with("\xE2\x80\x99"))
            i += 2;
        else if (rest[0] != ' ' && rest[0] != '\'')
            out += rest[0];
    }
    return out;
}

struct Signs {
    std::size_t points = 0, commas = 0, lastPoint = std::string::npos, lastComma = std::string::npos;
    explicit Signs(const std::string& text)
        : points(std::size_t(std::ranges::count(text, '.'))), commas(std::size_t(std::ranges::count(text, ','))), lastPoint(text.rfind('.')),
          lastComma(text.rfind(','))
    {
    }
};

/// What the signs of one number say: of two kinds the last is the decimal one, of several alike none is; one with other
/// than three digits behind it is.
Decimal signOf(const std::string& text)
{
    const Signs signs(text);
    if (signs.points && signs.commas) return signs.lastPoint > signs.lastComma ? Decimal::Point : Decimal::Comma;
    if (signs.points > 1) return Decimal::Comma;
    if (signs.commas > 1) return Decimal::Point;
    if (signs.points + signs.commas == 0) return Decimal::Unknown;
    const std::size_t at = signs.points ? signs.lastPoint : signs.lastComma;
    const bool thousands = text.size() - at == 4 && at > 0 && at <= 3 && text[0] != '0';
    if (thousands) return Decimal::Unknown;
    return signs.points ? Decimal::Point : Decimal::Comma;
}

/// Groups of three digits, the first of one to three.
bool groupsFit(std::string_view whole, char group)
{
    if (whole.find(group) == whole.npos) return true;
    std::size_t start = 0;
    for (bool first = true;; first = false) {
        const auto end = std::min(whole.find(group, start), whole.size());
        if (first ? end < 1 || end > 3 : end - start != 3) return false;
        if (end == whole.size()) return true;
        start = end + 1;
    }
}

} // namespace

std::string_view priceFieldName(PriceField field) { return knownFields()[std::size_t(field)].name; }

Result<PriceColumns> PriceColumns::find(const CsvTable& table, const std::string& file, const std::string& map)
{
    PriceColumns columns;
    if (auto mapped = applyMap(columns, table, map); !mapped) return tl::unexpected(mapped.error());
    const std::string where = file + ":" + std::to_string(table.headerLine);
    for (const Known& known : knownFields()) {
        auto& at = columns.at[std::size_t(known.field)];
        if (at) continue;
        for (const auto& alias : known.aliases) {
            if (at) break;
            for (std::size_t c = 0; c < table.header.size(); ++c)
                if (plain(table.header[c]) == alias && std::ranges::find(columns.at, std::optional(c)) == columns.at.end()) {
                    at = c;
                    break;
                }
        }
    }
    if (!columns.at[std::size_t(PriceField::Part)])
        return wrong(where, i18n("no column says which part it is"), i18n("name it: --map part=COLUMN, one of {}", listedNames(table.header)));
    if (!columns.at[std::size_t(PriceField::Each)] && !columns.at[std::size_t(PriceField::PerMetre)])
        return wrong(where, i18n("no column has a price"), i18n("name it: --map price=COLUMN, one of {}", listedNames(table.header)));
    return columns;
}

std::string PriceColumns::cell(const CsvTable::Row& row, PriceField field) const
{
    const auto column = at[std::size_t(field)];
    return column ? row.cells[*column] : std::string();
}

Decimal decimalOf(const std::vector<std::string>& cells)
{
    Decimal all = Decimal::Unknown;
    for (const auto& cell : cells) {
        std::string text = withoutSpaces(cell);
        (void)takeCurrency(text);
        const Decimal one = signOf(text);
        if (one == Decimal::Unknown) continue;
        if (all != Decimal::Unknown && all != one) return Decimal::Unknown;
        all = one;
    }
    return all;
}

std::optional<WrittenSum> readSum(std::string_view given, Decimal decimal)
{
    std::string text = withoutSpaces(given);
    WrittenSum sum;
    sum.currency = takeCurrency(text);
    if (decimal == Decimal::Unknown) decimal = signOf(text);
    const Signs signs(text);
    if (decimal == Decimal::Unknown && signs.points + signs.commas > 0) return std::nullopt;
    const char point = decimal == Decimal::Comma ? ',' : '.', group = point == ',' ? '.' : ',';
    const auto at = std::min(text.find(point), text.size());
    if (!groupsFit(std::string_view(text).substr(text.starts_with('-') ? 1 : 0, at - (text.starts_with('-') ? 1 : 0)), group)) return std::nullopt;
    if (text.find(group, at) != text.npos) return std::nullopt;
    std::erase(text, group);
    std::ranges::replace(text, point, '.');
    if (text.empty() || text.find_first_not_of("-0123456789.") != text.npos) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sum.value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return sum;
}

} // namespace hw::importers
