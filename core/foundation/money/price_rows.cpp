// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/money/price_rows.h"

#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/price_book.h"
#include "core/foundation/money/sundry.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw {

namespace {

tl::unexpected<Error> refused(const PriceEntry& entry, Text what, Text todo)
{
    return fail(ErrorCode::Refused, entry.part, std::move(what), std::move(todo));
}

/// Letters, digits and single dashes of a text.
std::string plain(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80);
        if (kept || (c >= 'A' && c <= 'Z'))
            out += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    while (out.ends_with('-')) out.pop_back();
    return out;
}

std::string freshName(const Snapshot& s, const PriceEntry& entry)
{
    std::set<std::string> taken;
    s.prices.forEach([&](PriceId id) { taken.insert(s.prices.name[id]); });
    const std::string supplier = plain(entry.supplier), stem = "price-" + entry.part + (supplier.empty() ? "" : "-" + supplier);
    std::string name = stem;
    for (int n = 2; taken.contains(name); ++n) name = fmt::format("{}-{}", stem, n);
    return name;
}

template <class ColumnT, class V>
void write(ColumnT& column, PriceId id, const V& value)
{
    if (!(column[id] == value)) column.set(id, value);
}

Result<void> checkCurrency(const Snapshot& s, const PriceEntry& entry)
{
    if (!isCurrency(entry.currency))
        return refused(entry, i18n("'{}' is not a currency", entry.currency),
                       i18n("use three capital letters, for example {}", settingOf(s, "project.currency")));
    const ExchangeRate rate = ExchangeRate::of(s, entry.currency);
    if (entry.currency == settingOf(s, "project.currency")) return {};
    const std::string key = "currency." + entry.currency;
    if (rate.rate <= 0)
        return refused(entry, i18n("priced in {}, but the project uses {}", entry.currency, settingOf(s, "project.currency")),
                       i18n("set {}.rate, {}.date and {}.source", key, key, key));
    if (!isDate(rate.date) || rate.source.empty())
        return refused(entry, i18n("the exchange rate of {} has no date or source", entry.currency), i18n("set {}.date and {}.source", key, key));
    return {};
}

} // namespace

bool soldByMeter(const Part& part) { return std::holds_alternative<CableSpec>(part.spec) || std::holds_alternative<TraySpec>(part.spec); }
bool soldByPiece(const Part& part) { return !std::holds_alternative<TraySpec>(part.spec); }

std::optional<PriceId> findPrice(const Snapshot& s, const std::string& part, const std::string& supplier)
{
    std::optional<PriceId> found;
    s.prices.forEach([&](PriceId id) {
        if (!found && s.prices.part[id] == part && s.prices.supplier[id] == supplier) found = id;
    });
    return found;
}

PriceEntry priceEntry(const Snapshot& s, PriceId id)
{
    const Prices& p = s.prices;
    return {p.part[id],     p.each[id], p.perMeter[id], p.currency[id], p.source[id],
            p.supplier[id], p.date[id], p.trust[id],    p.leadDays[id], OfferTerms::of(s, p.part[id], p.supplier[id])};
}

Result<void> checkPrice(const Snapshot& s, const ProjectParts& parts, const PriceEntry& entry)
{
    const auto type = parts.find(entry.part);
    const bool byPiece = !type || soldByPiece(parts[*type]), byMeter = type && soldByMeter(parts[*type]);
    if (!type && !isSundry(entry.part)) return refused(entry, i18n("not a part of the project"), i18n("use the slug from the bill of materials"));
    if (entry.each.count() < 0 || entry.perMeter.count() < 0) return refused(entry, i18n("price is negative"), i18n("specify 0 or more"));
    if (entry.each.count() > 0 && !byPiece) return refused(entry, i18n("sold by the meter"), i18n("specify a price per meter"));
    if (entry.perMeter.count() > 0 && !byMeter) return refused(entry, i18n("sold by the piece"), i18n("specify a unit price"));
    if (!entry.date.empty() && !isDate(entry.date))
        return refused(entry, i18n("'{}' is not a valid date", entry.date), i18n("use the form 2026-11-23"));
    if (!entry.terms.validUntil.empty() && !isDate(entry.terms.validUntil))
        return refused(entry, i18n("'{}' is not a valid date", entry.terms.validUntil), i18n("use the form 2026-11-23"));
    for (const PriceStep& step : entry.terms.steps)
        if (step.price.count() < 0 || step.lengthMm < 0 || step.from < 0) return refused(entry, i18n("price is negative"), i18n("specify 0 or more"));
    if (entry.source.empty()) return refused(entry, i18n("the price has no source"), i18n("specify the quote or price list"));
    return checkCurrency(s, entry);
}

Result<PriceId> putPrice(Snapshot& s, const ProjectParts& parts, const PriceEntry& entry)
{
    if (const auto fine = checkPrice(s, parts, entry); !fine) return tl::unexpected(fine.error());
    const auto known = findPrice(s, entry.part, entry.supplier);
    Prices& p = s.prices;
    if (known && priceEntry(s, *known) == entry) return *known;
    const std::string name = known ? p.name[*known] : freshName(s, entry);
    const PriceId id = known ? *known : p.insert();
    write(p.name, id, name);
    write(p.part, id, entry.part);
    write(p.each, id, entry.each);
    write(p.perMeter, id, entry.perMeter);
    write(p.currency, id, entry.currency);
    write(p.source, id, entry.source);
    write(p.supplier, id, entry.supplier);
    write(p.date, id, entry.date);
    write(p.trust, id, entry.trust);
    write(p.leadDays, id, entry.leadDays);
    entry.terms.put(s, entry.part, entry.supplier);
    return id;
}

} // namespace hw
