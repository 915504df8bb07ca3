// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/prices/price_columns.h"

#include "core/foundation/base/spelling.h"
#include "core/foundation/files/workbook_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>

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
         {"part",          "slug",          "sku",         "partno",        "partnumber", "article",    "articleno",
          "articlenumber", "item",          "itemno",      "itemnumber",    "mpn",        "model",      "modelno",
          "product",       "productno",     "productcode", "productnumber", "mfrpart",    "mfrpartno",  "manufacturerpartnumber",
          "artikel",       "artikelnummer", "artikelnr",   "teilenummer",   "material",   "materialno", "materialnummer",
          "型号",          "料号",          "物料编码",    "物料号",        "产品型号",   "产品编号",   "référence",
          "reference",     "referencia",    "codice",      "codicearticolo"}},
        {PriceField::Each,
         "price",
         {"price",         "each",          "unitprice",   "net",          "netprice",      "netunitprice",     "unitnetprice",    "listprice",
          "unitlistprice", "salesprice",    "priceeach",   "priceperunit", "priceperpiece", "yourprice",        "discountedprice", "cost",
          "unitcost",      "preis",         "einzelpreis", "stückpreis",   "nettopreis",    "nettoeinzelpreis", "listenpreis",     "单价",
          "价格",          "含税单价",      "不含税单价",  "报价",         "prix",          "prixunitaire",     "precio",          "preciounitario",
          "prezzo",        "prezzounitario"}},
        {PriceField::PerMeter,
         "per_meter",
         {"permetre", "permeter", "pricepermetre", "pricepermeter", "pricem", "preisprometer", "meterpreis", "每米单价", "每米价格"}},
        {PriceField::Currency, "currency", {"currency", "ccy", "cur", "währung", "waehrung", "币种", "货币", "devise", "moneda", "valuta"}},
        {PriceField::Source, "source", {"source", "offer", "quote", "quotation", "list", "quelle", "angebot", "来源", "报价单"}},
        {PriceField::Supplier,
         "supplier",
         {"supplier", "vendor", "seller", "lieferant", "anbieter", "供应商", "fournisseur", "proveedor", "fornitore"}},
        {PriceField::Date, "date", {"date", "asof", "validfrom", "datum", "stand", "日期", "报价日期"}},
        {PriceField::Trust, "trust", {"trust", "priceis", "kind", "status"}},
        {PriceField::LeadDays, "lead_days", {"leaddays", "leadtimedays", "leadtime", "leadtimed", "lieferzeittage", "lieferzeit", "交期", "交货期"}},
        {PriceField::LeadWeeks, "lead_weeks", {"leadweeks", "leadtimeweeks", "leadtimewks", "lieferzeitwochen"}},
        {PriceField::PerPack, "per_pack", {"packprice", "priceperpack", "pricepack", "priceperbox", "boxprice", "gebindepreis", "packungspreis"}},
        {PriceField::PackOf,
         "pack",
         {"pack", "packqty", "packquantity", "packsize", "qtyperpack", "quantityperpack", "unitsperpack", "piecesperpack", "pcsperpack", "boxqty",
          "packingunit", "packagingunit", "ve", "vpe", "verpackungseinheit", "gebinde", "包装数量", "每包数量"}},
        {PriceField::Unit, "unit", {"uom", "unit", "unitofmeasure", "um", "einheit", "me", "mengeneinheit", "单位", "unité", "unidad", "unità"}},
        {PriceField::PriceUnit, "price_unit", {"priceunit", "priceper", "per", "preiseinheit", "peh", "pe", "preispro"}},
        {PriceField::Length,
         "length",
         {"length", "len", "cablelength", "lengthm", "lengthmm", "lengthft", "länge", "laenge", "kabellänge", "longueur", "longitud", "lunghezza",
          "长度"}},
        {PriceField::From,
         "from_quantity",
         {"fromquantity", "fromqty", "minqty", "minquantity", "minimumquantity", "breakqty", "qtybreak", "quantitybreak", "pricebreak",
          "breakquantity", "volume", "tier", "abmenge", "staffel", "staffelmenge", "mindestmenge", "起订量", "数量起"}},
        {PriceField::ValidUntil,
         "valid_until",
         {"validuntil", "validto", "validthru", "validthrough", "expires", "expiry", "expirydate", "expirationdate", "quotevaliduntil", "gültigbis",
          "gueltigbis", "bindefrist", "有效期", "有效期至", "valablejusquau"}},
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
        const auto field = std::ranges::find_if(all, [&](const Known& k) { return sameName(one.substr(0, equals), k.name); });
        if (equals == one.npos || field == all.end()) {
            std::vector<std::string> names;
            for (const auto& known : all) names.emplace_back(known.name);
            return fail(ErrorCode::Usage, "--map " + one, i18n("is not a price field"), i18n("use FIELD=COLUMN with one of {}", listedNames(names)));
        }
        const auto column = std::ranges::find(table.header, one.substr(equals + 1));
        if (column == table.header.end())
            return wrong("--map " + one, i18n("column not found in the file"), i18n("choose from {}", listedNames(table.header)));
        columns.at[std::size_t(field->field)] = std::size_t(column - table.header.begin());
    }
    return {};
}

/// Codes that columns and sums are marked with (ISO 4217), and what people write in their place.
constexpr std::array kCurrencyCodes{"USD", "EUR", "GBP", "CNY", "JPY", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "TRY", "INR", "KRW", "TWD",
                                    "HKD", "SGD", "AUD", "NZD", "CAD", "MXN", "BRL", "ZAR", "AED", "SAR", "ILS", "THB", "MYR", "IDR", "VND", "RMB"};
std::string asCode(std::string_view code) { return code == "RMB" ? "CNY" : std::string(code); }

const std::vector<std::pair<std::string, std::string>>& currencySigns()
{
    static const std::vector<std::pair<std::string, std::string>> all = {
        {"US$", "USD"}, {"HK$", "HKD"}, {"S$", "SGD"}, {"A$", "AUD"}, {"C$", "CAD"},     {"NT$", "TWD"}, {"€", "EUR"}, {"£", "GBP"},
        {"￥", "CNY"},  {"¥", "CNY"},   {"₹", "INR"},  {"₩", "KRW"},  {"人民币", "CNY"}, {"元", "CNY"},  {"$", "USD"}};
    return all;
}

/// Currency signs and codes before or behind a number, taken off it.
std::string takeCurrency(std::string& text)
{
    for (const auto& [sign, code] : currencySigns())
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
    return asCode(code);
}

/// A column's name without brackets, currency and what a price is meant without: "Unit price (excl. VAT) EUR" → "unitprice".
std::vector<std::string> namesOf(std::string_view header)
{
    std::string bare;
    int depth = 0;
    for (const char c : header) {
        depth += c == '(' || c == '[';
        if (depth == 0) bare += c;
        depth -= (c == ')' || c == ']') && depth > 0;
    }
    for (const auto& [sign, code] : currencySigns())
        if (const auto at = bare.find(sign); at != bare.npos) bare.erase(at, sign.size());
    std::string words, word;
    for (std::size_t i = 0; i <= bare.size(); ++i) {
        const bool inWord = i < bare.size() && (plain(bare.substr(i, 1)) != "");
        if (inWord) {
            word += bare[i];
            continue;
        }
        std::string upper = word;
        std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
        constexpr std::array kTerms{"IN", "NET", "NETTO", "GROSS", "BRUTTO", "EXCL", "EX", "EXKL", "ZZGL", "INCL", "INKL", "VAT", "MWST", "TAX"};
        const bool left = std::ranges::find(kCurrencyCodes, upper) != kCurrencyCodes.end() || std::ranges::find(kTerms, upper) != kTerms.end();
        if (!left) words += word;
        word.clear();
    }
    return {plain(header), plain(words)};
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
    std::vector<std::vector<std::string>> names;
    for (const auto& name : table.header) names.push_back(namesOf(name));
    for (const Known& known : knownFields()) {
        auto& at = columns.at[std::size_t(known.field)];
        const bool mapped = at.has_value();
        for (const auto& alias : known.aliases)
            for (std::size_t c = 0; c < names.size() && !mapped; ++c) {
                if (std::ranges::find(names[c], alias) == names[c].end() || std::ranges::find(columns.at, std::optional(c)) != columns.at.end())
                    continue;
                if (!at)
                    at = c;
                else if (names[c] == names[*at])
                    columns.twice.push_back(table.header[c]);
            }
        if (at) columns.currency[std::size_t(known.field)] = currencyIn(table.header[*at]);
    }
    if (!columns.at[std::size_t(PriceField::Part)])
        return wrong(where, i18n("no column identifies the part"), i18n("specify it: --map part=COLUMN, one of {}", listedNames(table.header)));
    // "Lead time (weeks)": what is in brackets is left out of names, but here it is the unit.
    if (auto& days = columns.at[std::size_t(PriceField::LeadDays)], &weeks = columns.at[std::size_t(PriceField::LeadWeeks)];
        days && !weeks && map.find("lead_days=") == map.npos) {
        const std::string name = plain(table.header[*days]);
        for (const char* word : {"week", "wks", "woche", "wochen", "周", "semaine", "semana", "settiman"})
            if (days && name.find(word) != name.npos) weeks = days, days.reset();
    }
    for (std::size_t c = 0; c < table.header.size(); ++c)
        if (const auto from = tierIn(table.header[c]); from && std::ranges::find(columns.at, std::optional(c)) == columns.at.end())
            columns.tiers.push_back({c, *from, currencyIn(table.header[c])});
    std::ranges::stable_sort(columns.tiers, {}, &Tier::from);
    if (const auto length = columns.at[std::size_t(PriceField::Length)])
        for (const char* unit : {"mm", "cm", "ft"})
            if (plain(table.header[*length]).ends_with(unit)) columns.lengthUnit = unit;
    if (columns.tiers.empty() && !columns.at[std::size_t(PriceField::Each)] && !columns.at[std::size_t(PriceField::PerMeter)] &&
        !columns.at[std::size_t(PriceField::PerPack)])
        return wrong(where, i18n("no column contains a price"), i18n("specify it: --map price=COLUMN, one of {}", listedNames(table.header)));
    return columns;
}

bool PriceColumns::isHeader(const std::vector<std::string>& cells, const std::string& map)
{
    CsvTable table;
    table.header = cells;
    return find(table, {}, map).has_value();
}

std::string PriceColumns::cell(const CsvTable::Row& row, PriceField field) const
{
    const auto column = at[std::size_t(field)];
    return column ? row.cells[*column] : std::string();
}

std::string currencyIn(std::string_view text)
{
    std::set<std::string> found;
    std::string rest(text);
    for (const auto& [sign, code] : currencySigns())
        if (const auto at = rest.find(sign); at != rest.npos) {
            rest.erase(at, sign.size());
            found.insert(code);
        }
    for (std::size_t i = 0; i < rest.size();) {
        std::size_t end = i;
        while (end < rest.size() && ((rest[end] >= 'A' && rest[end] <= 'Z') || (rest[end] >= 'a' && rest[end] <= 'z'))) ++end;
        if (const auto word = rest.substr(i, end - i); std::ranges::find(kCurrencyCodes, word) != kCurrencyCodes.end()) found.insert(asCode(word));
        i = std::max(end, i + 1);
    }
    return found.size() == 1 ? *found.begin() : std::string();
}

std::optional<int> piecesOf(std::string_view unit)
{
    static const std::set<std::string> single = {"ea",    "each", "pc", "pcs", "pce", "piece", "pieces", "st", "stk", "stück", "stueck", "unit",
                                                 "units", "un",   "no", "nos", "个",  "只",    "件",     "台", "根",  "条",    "套",     "块"},
                                       packs = {"pk", "pack",   "packs", "pkg", "pkt", "package", "packofof", "packof", "bx", "box", "boxof", "bag",
                                                "ct", "carton", "set",   "ve",  "pak", "packung", "karton",   "包",     "盒", "箱",  "袋"};
    const std::string word = plain(unit);
    if (word.empty() || single.contains(word)) return 1;
    if (word == "c" || word == "hundred") return 100;
    if (word == "mille" || word == "thousand") return 1000;
    std::string letters, digits;
    for (const char c : word) (c >= '0' && c <= '9' ? digits : letters) += c;
    if (letters == "x" || letters.empty() || packs.contains(letters) || single.contains(letters)) {
        int n = 0;
        if (!digits.empty()) std::from_chars(digits.data(), digits.data() + digits.size(), n);
        if (n > 0) return n;
        return packs.contains(letters) ? std::optional(0) : std::nullopt;
    }
    return std::nullopt;
}

bool isMeter(std::string_view unit)
{
    static const std::set<std::string> all = {"m", "mtr", "meter", "metre", "meters", "metres", "lfm", "米", "mètre", "metro"};
    return all.contains(plain(unit));
}

std::optional<std::int64_t> tierIn(std::string_view header)
{
    std::string text(header);
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    const auto replaceAll = [&](std::string_view what, std::string_view by) {
        for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
    };
    for (const auto& [sign, code] : currencySigns()) replaceAll(sign, " ");
    for (const char* dash : {"\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x88\x92"}) replaceAll(dash, "-");
    replaceAll("\xE2\x89\xA5", " from ");
    replaceAll(">=", " from "), replaceAll("@", " from ");
    for (char& c : text)
        if (c == '(' || c == ')' || c == '[' || c == ']' || c == ':' || c == '.' || c == '/' || c == '_') c = ' ';
    // Of what is left, words say what the numbers are, and the numbers are a range or its beginning.
    constexpr std::array kQuantity{"qty", "quantity", "from",  "ab",    "stk", "stück", "pcs",   "pc",    "pieces",
                                   "ea",  "each",     "units", "menge", "up",  "tier",  "break", "volume"};
    constexpr std::array kOther{"price", "unit", "net", "unitprice", "preis", "einzelpreis", "netto", "list", "per", "for", "in", "to", "bis"};
    bool quantity = false, range = false;
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == ' ') {
            ++i;
        } else if (c == '+' || c == '-') {
            if (numbers.empty()) return std::nullopt;
            range = true, ++i;
        } else if (c >= '0' && c <= '9') {
            std::string digits;
            for (; i < text.size() &&
                   ((text[i] >= '0' && text[i] <= '9') || (text[i] == ',' && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9'));
                 ++i)
                if (text[i] != ',') digits += text[i];
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            if (error != std::errc() || number < 1 || number > 10'000'000) return std::nullopt;
            numbers.push_back(number);
        } else {
            std::size_t end = i;
            while (end < text.size() && text[end] != ' ' && text[end] != '+' && text[end] != '-' && !(text[end] >= '0' && text[end] <= '9')) ++end;
            const std::string word = text.substr(i, end - i);
            std::string upper = word;
            std::ranges::transform(upper, upper.begin(), [](char ch) { return ch >= 'a' && ch <= 'z' ? char(ch - 'a' + 'A') : ch; });
            if (std::ranges::find(kQuantity, word) != kQuantity.end())
                quantity = true;
            else if (std::ranges::find(kOther, word) == kOther.end() && std::ranges::find(kCurrencyCodes, upper) == kCurrencyCodes.end())
                return std::nullopt;
            if (word == "to" || word == "bis" || word == "up") range = true;
            i = end;
        }
    }
    if (numbers.empty() || numbers.size() > 2 || (numbers.size() == 2 && (!range || numbers[1] < numbers[0]))) return std::nullopt;
    return quantity || range ? std::optional(numbers.front()) : std::nullopt;
}

std::optional<std::int32_t> readLength(std::string_view text, std::string_view unit)
{
    std::string number, own;
    for (const char c : text) {
        const bool digit = (c >= '0' && c <= '9') || c == '.' || c == ',';
        if (digit && !own.empty()) return std::nullopt;
        if (digit) number += c == ',' ? '.' : c;
        if (!digit && c != ' ' && c != '\'') own += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
        if (c == '\'') own += "ft";
    }
    if (own.empty()) own = unit;
    double value = 0, mm = 0;
    if (own == "mm") mm = 1;
    if (own == "cm") mm = 10;
    if (isMeter(own)) mm = 1000;
    if (own == "ft" || own == "feet" || own == "foot") mm = 304.8;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (number.empty() || error != std::errc() || end != number.data() + number.size() || mm == 0 || !(value > 0) || value * mm > 1e8)
        return std::nullopt;
    return std::int32_t(std::lround(value * mm));
}

std::string isoDateOf(const std::string& text)
{
    std::vector<std::string> parts(1);
    char sign = 0;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            parts.back() += c;
        } else if ((c == '.' || c == '/' || c == '-') && (sign == 0 || c == sign)) {
            sign = c;
            parts.emplace_back();
        } else {
            return text;
        }
    }
    if (parts.size() == 1 && parts[0].size() == 5) {
        const std::string day = dateOfSerial(std::atol(parts[0].c_str()));
        return day.empty() ? text : day;
    }
    if (parts.size() != 3) return text;
    if (sign == '.' && parts[2].size() == 4) std::swap(parts[0], parts[2]);
    if (parts[0].size() != 4 || parts[1].empty() || parts[1].size() > 2 || parts[2].empty() || parts[2].size() > 2) return text; // 12/31 or 31/12
    for (std::size_t i = 1; i < 3; ++i)
        if (parts[i].size() == 1) parts[i].insert(0, "0");
    return parts[0] + "-" + parts[1] + "-" + parts[2];
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
