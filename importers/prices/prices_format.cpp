// SPDX-License-Identifier: GPL-3.0-or-later
// Price lists and offers as spreadsheets save them: columns found by name, matched to the parts of the design.
#include "core/foundation/files/workbook_reader.h"
#include "core/foundation/money/price_book.h"
#include "core/foundation/money/price_rows.h"
#include "core/foundation/money/sundry.h"
#include "core/output/exchange/design_stamp.h"
#include "importers/formats.h"
#include "importers/prices/price_columns.h"

#include "core/foundation/model/setting_values.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::importers {

namespace {

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return text;
}

/// Parts of the design by what a list may call them: slug, part number, model.
class Names {
public:
    Names(const Snapshot& s, const ProjectParts& parts)
    {
        s.partTypes.forEach([&](PartTypeId id) {
            const Part& part = parts[id];
            put(part.slug, id), put(part.model, id);
            if (const auto* device = std::get_if<DeviceSpec>(&part.spec)) {
                put(device->partNumber, id);
                put(device->manufacturer + " " + part.model, id);
            }
        });
    }
    [[nodiscard]] std::vector<PartTypeId> find(const std::string& name) const
    {
        const auto found = m_byName.find(lower(name));
        return found == m_byName.end() ? std::vector<PartTypeId>() : found->second;
    }

private:
    void put(const std::string& name, PartTypeId id)
    {
        if (name.empty()) return;
        auto& ids = m_byName[lower(name)];
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
    std::map<std::string, std::vector<PartTypeId>> m_byName;
};

std::optional<Trust> trustOf(const std::string& text)
{
    const std::string word = lower(text);
    if (const auto own = fromWord<Trust>(word)) return own;
    const std::map<std::string, Trust> also = {{"quote", Trust::Quoted},   {"offer", Trust::Quoted},     {"a", Trust::Quoted},
                                               {"list", Trust::Published}, {"b", Trust::Published},      {"catalogue", Trust::Published},
                                               {"guess", Trust::Assumed},  {"estimate", Trust::Assumed}, {"c", Trust::Assumed}};
    const auto found = also.find(word);
    return found == also.end() ? std::nullopt : std::optional(found->second);
}

Text sumText(Money ofEach, Money ofMeter, const std::string& currency)
{
    const double each = toCurrency(ofEach), meter = toCurrency(ofMeter);
    return ofMeter.count() == 0  ? i18n("{:.2f} {}", each, currency)
           : ofEach.count() == 0 ? i18n("{:.2f} {} per meter", meter, currency)
                                 : i18n("{:.2f} {} plus {:.2f} per meter", each, currency, meter);
}

Text priceText(const PartPrice& price, const std::string& currency)
{
    if (!price.known) return i18n("unpriced");
    return i18n("{} ({})", sumText(price.each, price.perMeter, currency), trustText(price.trust));
}

/// Reads one list into the prices of a design.
class Reading {
public:
    Reading(const exchange::ImportSource& source, const SnapshotPtr& base, const ProjectParts& parts, const CsvTable& table,
            const PriceColumns& columns, std::string sheet)
        : m_source(source), m_base(base), m_parts(parts), m_table(table), m_columns(columns), m_names(*base, parts), m_after(*base),
          m_sheet(std::move(sheet))
    {
        takeRates();
        std::vector<std::string> sums;
        for (const auto& row : table.rows) {
            for (const auto field : {PriceField::Each, PriceField::PerMeter, PriceField::PerPack}) sums.push_back(columns.cell(row, field));
            for (const auto& tier : columns.tiers) sums.push_back(row.cells[tier.column]);
        }
        m_decimal = decimalOf(sums);
        if (const auto given = source.option("decimal"); !given.empty()) m_decimal = given == "comma" ? Decimal::Comma : Decimal::Point;
    }

    Result<exchange::ImportPlan> run()
    {
        for (const auto& row : m_table.rows)
            if (const auto done = read(row); !done) {
                if (!m_first) m_first = done.error();
                leave(row, i18n("{}; {}", done.error().what, done.error().todo));
            }
        for (const auto& key : m_order)
            if (const auto done = finish(m_offers.find(key)->second); !done) return tl::unexpected(done.error());
        if (m_lines.empty() && m_first) return tl::unexpected(*m_first);
        if (m_lines.empty() && !m_table.rows.empty())
            return fail(ErrorCode::Refused, m_source.path.string(), i18n("no line contains a price for a part of this design"),
                        i18n("{}; specify the column: --map part=COLUMN", m_issues.empty() ? i18n("list is empty") : m_issues.front().what));
        return plan();
    }

private:
    [[nodiscard]] std::string where(const CsvTable::Row& row) const { return m_source.path.string() + ":" + std::to_string(row.line); }
    void leave(const CsvTable::Row& row, Text why)
    {
        m_issues.push_back({where(row), std::move(why)});
        ++m_left;
    }
    [[nodiscard]] std::string textOf(const CsvTable::Row& row, PriceField field, const char* option, const std::string& fallback) const
    {
        const std::string cell = m_columns.cell(row, field);
        if (!cell.empty()) return cell;
        const std::string given = m_source.option(option);
        return given.empty() ? fallback : given;
    }
    tl::unexpected<Error> refused(const CsvTable::Row& row, Text what, Text todo) const
    {
        return fail(ErrorCode::Unreadable, where(row), std::move(what), std::move(todo));
    }

    /// `--rate EUR=1.08`: kept in the project, of the day and from where the prices are.
    void takeRates()
    {
        const std::string given = m_source.option("rate");
        for (std::size_t at = 0; at < given.size();) {
            const auto end = std::min(given.find('\n', at), given.size());
            const std::string one = given.substr(at, end - at), key = "currency." + one.substr(0, 3);
            at = end + 1;
            m_after.putSetting(key + ".rate", one.substr(4));
            m_after.putSetting(key + ".date", m_source.option("date").empty() ? today() : m_source.option("date"));
            const std::string source = m_source.option("source");
            m_after.putSetting(key + ".source", source.empty() ? m_source.path.filename().string() : source);
        }
    }

    /// Errors keep this row out, and no other.
    Result<void> read(const CsvTable::Row& row)
    {
        if (!row.wrong.empty()) return refused(row, row.wrong, i18n("correct the line"));
        const std::string name = m_columns.cell(row, PriceField::Part);
        if (name.empty()) return leave(row, i18n("no part specified")), Result<void>();
        const auto found = m_names.find(name);
        const std::string sundry = found.empty() && isSundry(lower(name)) ? lower(name) : std::string();
        if (found.empty() && sundry.empty()) return leave(row, i18n("'{}' is not a part of this design", name)), Result<void>();
        if (found.size() > 1) return leave(row, i18n("'{}' matches {} parts of this design", name, found.size())), Result<void>();
        PriceEntry entry;
        entry.part = sundry.empty() ? m_parts[found.front()].slug : sundry;
        entry.supplier = textOf(row, PriceField::Supplier, "supplier", {});
        entry.source = textOf(row, PriceField::Source, "source", m_source.path.filename().string());
        entry.date = isoDateOf(textOf(row, PriceField::Date, "date", today()));
        entry.terms.validUntil = isoDateOf(textOf(row, PriceField::ValidUntil, "valid-until", {}));
        if (const auto sums = readSums(row, !sundry.empty() || soldByPiece(m_parts[found.front()]), entry); !sums)
            return tl::unexpected(sums.error());
        if (entry.currency.empty()) return {}; // no price in this line
        if (const auto rest = readRest(row, entry); !rest) return rest;
        const auto steps = stepsOf(row, entry);
        if (!steps) return tl::unexpected(steps.error());
        return collect(row, entry, *steps);
    }

    /// What the prices of a row are for: the length and quantity that it states, and those of its columns.
    Result<std::vector<PriceStep>> stepsOf(const CsvTable::Row& row, const PriceEntry& entry)
    {
        PriceStep step;
        if (const std::string cell = m_columns.cell(row, PriceField::Length); !cell.empty()) {
            const auto length = readLength(cell, m_columns.lengthUnit);
            if (!length) return refused(row, i18n("'{}' is not a length", cell), i18n("use a number with mm, cm, m or ft"));
            step.lengthMm = *length;
        }
        if (const std::string cell = m_columns.cell(row, PriceField::From); !cell.empty()) {
            const auto from = tierIn("from " + cell);
            if (!from) return refused(row, i18n("'{}' is not a quantity", cell), i18n("use a whole number, for example 100"));
            step.from = *from;
        }
        std::vector<PriceStep> steps = m_rowTiers;
        for (PriceStep& tier : steps) tier.lengthMm = step.lengthMm;
        if (entry.each.count() > 0 || (entry.perMeter.count() == 0 && steps.empty())) steps.push_back({step.lengthMm, step.from, false, entry.each});
        if (entry.perMeter.count() > 0) steps.push_back({0, step.from, true, entry.perMeter});
        return steps;
    }

    /// Both sums and the currency; the latter stays empty where the line has no price.
    Result<void> readSums(const CsvTable::Row& row, bool byPiece, PriceEntry& entry)
    {
        std::string written;
        bool any = false;
        m_rowTiers.clear();
        const bool meters = isMeter(m_columns.cell(row, PriceField::Unit));
        for (const auto field : {PriceField::Each, PriceField::PerMeter, PriceField::PerPack}) {
            const std::string cell = m_columns.cell(row, field);
            if (cell.empty()) continue;
            const auto sum = readSum(cell, m_decimal);
            if (!sum)
                return cell.find_first_of("0123456789") == cell.npos
                           ? refused(row, i18n("'{}' is not a price", cell), i18n("request a price: {} keeps its current price", entry.part))
                           : refused(row, i18n("'{}' is not a valid amount, or is ambiguous", cell),
                                     i18n("use a plain number, or specify --decimal comma or point"));
            if (sum->value < 0 || sum->value > 1e9) return refused(row, i18n("'{}' is not a valid price", cell), i18n("correct the line"));
            const std::string currency = !sum->currency.empty() ? sum->currency : m_columns.currency[std::size_t(field)];
            if (!written.empty() && !currency.empty() && written != currency)
                return refused(row, i18n("contains two currencies"), i18n("correct the line"));
            if (!currency.empty()) written = currency;
            const auto pieces = piecesIn(row, field);
            if (!pieces) return tl::unexpected(pieces.error());
            // The price of what is sold by the meter alone is that of a meter.
            const bool meter = field == PriceField::PerMeter || !byPiece || (meters && field == PriceField::Each);
            (meter ? entry.perMeter : entry.each) = Money(std::llround(sum->value * 10'000 / *pieces));
            any = true;
        }
        for (const auto& tier : m_columns.tiers) {
            const std::string& cell = row.cells[tier.column];
            if (cell.empty() || cell.find_first_of("0123456789") == cell.npos) continue; // no price for so many
            const auto sum = readSum(cell, m_decimal);
            if (!sum || sum->value < 0 || sum->value > 1e9) return refused(row, i18n("'{}' is not a valid price", cell), i18n("correct the line"));
            const std::string currency = !sum->currency.empty() ? sum->currency : tier.currency;
            if (!written.empty() && !currency.empty() && written != currency)
                return refused(row, i18n("contains two currencies"), i18n("correct the line"));
            if (!currency.empty()) written = currency;
            const auto pieces = piecesIn(row, PriceField::Each);
            if (!pieces) return tl::unexpected(pieces.error());
            m_rowTiers.push_back({0, tier.from, meters || !byPiece, Money(std::llround(sum->value * 10'000 / *pieces))});
            any = true;
        }
        if (!any) return leave(row, i18n("no price for {}", entry.part)), Result<void>();
        const std::string column = m_columns.cell(row, PriceField::Currency) == "RMB" ? "CNY" : m_columns.cell(row, PriceField::Currency);
        if (!column.empty() && !written.empty() && column != written)
            return refused(row, i18n("specifies both {} and {}", column, written), i18n("correct the line"));
        entry.currency = !column.empty() ? column : !written.empty() ? written : m_source.option("currency");
        if (entry.currency.empty()) entry.currency = settingOf(*m_base, "project.currency");
        return {};
    }

    /// How many pieces a price is for: of a pack, of "10 pieces", of "per 100".
    Result<double> piecesIn(const CsvTable::Row& row, PriceField field)
    {
        const std::string unit = m_columns.cell(row, PriceField::Unit), pack = m_columns.cell(row, PriceField::PackOf),
                          per = m_columns.cell(row, PriceField::PriceUnit);
        if (field == PriceField::PerMeter) return 1.0;
        const auto number = [&](const std::string& cell) {
            int n = 0;
            const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), n);
            const std::string_view rest = std::string_view(cell).substr(std::size_t(end - cell.data()));
            return error == std::errc() && n > 0 && (rest.empty() || piecesOf(rest)) ? n : 0;
        };
        if (!per.empty()) {
            if (const int n = number(per); n > 0) return double(n);
            if (const auto n = piecesOf(per); n && *n > 0) return double(*n);
            if (!isMeter(per)) return refused(row, i18n("'{}' does not state the quantity that the price applies to", per), i18n("specify a number"));
        }
        if (!pack.empty() && number(pack) == 0) return refused(row, i18n("'{}' is not a number of pieces per pack", pack), i18n("specify a number"));
        const int inPack = pack.empty() ? 0 : number(pack);
        const auto pieces = piecesOf(unit);
        if (pieces && *pieces > 1) return double(*pieces);
        if (field == PriceField::PerPack || (pieces && *pieces == 0)) { // the price is that of a pack
            if (inPack > 0) return double(inPack);
            return refused(row, i18n("the price is per pack, but no column states the pack size"), i18n("specify it: --map pack=COLUMN"));
        }
        if (unit.empty() && inPack > 1)
            m_issues.push_back({where(row), i18n("packs of {}, but no unit states whether the price is per pack: interpreted as per piece", inPack)});
        return 1.0;
    }

    Result<void> readRest(const CsvTable::Row& row, PriceEntry& entry) const
    {
        const std::string trust = textOf(row, PriceField::Trust, "trust", "quoted");
        const auto known = trustOf(trust);
        if (!known) return refused(row, i18n("'{}' is not a valid trust level", trust), i18n("choose from {}", listedNames(kWords<Trust>)));
        entry.trust = *known;
        const std::string days = m_columns.cell(row, PriceField::LeadDays), weeks = m_columns.cell(row, PriceField::LeadWeeks);
        const std::string& written = days.empty() ? weeks : days;
        if (written.empty()) return {};
        int number = 0;
        const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number);
        if (days.empty()) number *= 7;
        if (error != std::errc() || end != written.data() + written.size() || number < 0 || number > 10'000)
            return refused(row, i18n("'{}' is not a valid lead time", written), i18n("use whole days, 0 to 10,000"));
        entry.leadDays = number;
        return {};
    }

    /// An offer for a part as far as its rows were read.
    struct Offer {
        PriceEntry entry;
        std::vector<std::pair<PriceStep, std::size_t>> steps; ///< with the line of each
        std::size_t line = 0;
    };

    Result<void> collect(const CsvTable::Row& row, PriceEntry entry, const std::vector<PriceStep>& steps)
    {
        const std::string own = settingOf(m_after, "project.currency");
        if (isCurrency(entry.currency) && entry.currency != own && ExchangeRate::of(m_after, entry.currency).rate <= 0)
            return refused(row, i18n("is priced in {}, the project in {}, without an exchange rate", entry.currency, own),
                           i18n("specify it: --rate {}=RATE ({} for one {})", entry.currency, own, entry.currency));
        if (const auto fine = checkPrice(m_after, m_parts, entry); !fine) {
            Error error = fine.error();
            error.what = i18n("{}: {}", error.where, error.what);
            error.where = where(row);
            return tl::unexpected(std::move(error));
        }
        const std::pair key(entry.part, entry.supplier);
        const auto [found, fresh] = m_offers.try_emplace(key, Offer{entry, {}, row.line});
        Offer& offer = found->second;
        if (!fresh && offer.entry.currency != entry.currency)
            return refused(row, i18n("is priced in {}, line {} in {}", entry.currency, offer.line, offer.entry.currency), i18n("correct the line"));
        for (const PriceStep& step : steps)
            for (const auto& [known, line] : offer.steps)
                if (known.lengthMm == step.lengthMm && known.from == step.from && known.perMeter == step.perMeter && !(known.price == step.price))
                    return refused(row, i18n("{} already has a price in line {}", entry.part, line),
                                   i18n("remove one of them, or specify their suppliers"));
        for (const PriceStep& step : steps)
            if (std::ranges::none_of(offer.steps, [&](const auto& known) { return known.first == step; })) offer.steps.emplace_back(step, row.line);
        offer.entry.leadDays = std::max(offer.entry.leadDays, entry.leadDays);
        if (fresh) m_order.push_back(key);
        return {};
    }

    /// Writes an offer: one price, a price of the piece with one of the meter, or prices by length and quantity.
    Result<void> finish(Offer& offer)
    {
        PriceEntry& entry = offer.entry;
        std::vector<PriceStep> steps;
        for (const auto& [step, line] : offer.steps) steps.push_back(step);
        std::ranges::sort(steps);
        const auto plainPrice = [](const PriceStep& step) { return step.lengthMm == 0 && step.from <= 1; };
        const bool single =
            std::ranges::all_of(steps, plainPrice) && (steps.size() == 1 || (steps.size() == 2 && steps[0].perMeter != steps[1].perMeter));
        entry.each = entry.perMeter = Money();
        bool each = false, meter = false;
        for (const PriceStep& step : steps)
            if (step.perMeter ? !std::exchange(meter, true) : !std::exchange(each, true)) (step.perMeter ? entry.perMeter : entry.each) = step.price;
        if (!single) entry.terms.steps = steps;
        const std::string place = m_source.path.string() + ":" + std::to_string(offer.line);
        const auto known = findPrice(m_after, entry.part, entry.supplier);
        const auto before = m_after.prices.size();
        const auto then = known ? std::optional(priceEntry(m_after, *known)) : std::nullopt;
        if (const auto done = putPrice(m_after, m_parts, entry); !done) {
            Error error = done.error();
            error.what = i18n("{}: {}", error.where, error.what);
            error.where = place;
            return tl::unexpected(std::move(error));
        }
        m_lines.emplace(std::pair(entry.part, entry.supplier), offer.line);
        m_added += m_after.prices.size() > before;
        m_same += then && *then == entry;
        if (!single) tellSteps(place, entry);
        if (steps.front().price.count() == 0) m_issues.push_back({place, i18n("price of {} is zero", entry.part)});
        if (entry.date > today()) m_issues.push_back({place, i18n("price of {} is dated {}, which is in the future", entry.part, entry.date)});
        if (const auto& until = entry.terms.validUntil; !until.empty() && until < today())
            m_issues.push_back({place, i18n("the quote for {} expired on {}; request a new one", entry.part, until)});
        return {};
    }

    void tellSteps(const std::string& place, const PriceEntry& entry)
    {
        std::set<std::int32_t> lengths;
        std::set<std::int64_t> quantities;
        for (const PriceStep& step : entry.terms.steps) {
            if (step.lengthMm > 0) lengths.insert(step.lengthMm);
            quantities.insert(step.from);
        }
        const Text tiers = i18np(quantities.size(), "{} quantity tier", "{} quantity tiers");
        m_facts.push_back(lengths.empty() ? i18n("{}: {}", entry.part, tiers)
                                          : i18n("{}: {}, {}", entry.part, i18np(lengths.size(), "{} length", "{} lengths"), tiers));
        if (*quantities.begin() > 1)
            m_issues.push_back({place, i18n("{} has a minimum quantity of {} pieces: the same price is used for smaller quantities", entry.part,
                                            *quantities.begin())});
    }

    /// Of a part with different prices, in this list or the project: all of them, and which one counts.
    void tellSeveral(const PriceBook& book, const std::string& slug)
    {
        std::vector<PriceEntry> all;
        m_after.prices.forEach([&](PriceId id) {
            if (m_after.prices.part[id] == slug) all.push_back(priceEntry(m_after, id));
        });
        const auto row = book.rowOf(slug);
        const auto alike = [&](const PriceEntry& e) {
            return e.each == all.front().each && e.perMeter == all.front().perMeter && e.currency == all.front().currency;
        };
        if (!row || std::ranges::all_of(all, alike)) return;
        std::vector<std::string> listed;
        for (const PriceEntry& e : all)
            listed.push_back(
                words(i18n("{} from {}, {}", sumText(e.each, e.perMeter, e.currency), e.supplier.empty() ? e.source : e.supplier, e.date)));
        const PriceEntry counts = priceEntry(m_after, *row);
        m_issues.push_back(
            {m_source.path.string(), i18n("{} has {} prices ({}); the price from {} is used: highest trust level, then latest date, then last entry",
                                          slug, all.size(), listedNames(listed), counts.supplier.empty() ? counts.source : counts.supplier)});
    }

    exchange::ImportPlan plan()
    {
        exchange::ImportPlan plan;
        plan.name = i18n("Import prices from {}", m_source.path.filename().string());
        plan.base = m_base;
        const std::string currency = settingOf(*m_base, "project.currency");
        if (!m_sheet.empty()) plan.facts.push_back(i18n("sheet {}", m_sheet));
        plan.facts.push_back(i18np(m_table.rows.size(), "{:L} line: {}, {:L} changed, {:L} unchanged, {:L} skipped",
                                   "{:L} lines: {}, {:L} changed, {:L} unchanged, {:L} skipped", i18np(m_added, "{:L} new price", "{:L} new prices"),
                                   m_lines.size() - m_added - m_same, m_same, m_left));
        const PriceBook was(*m_base, m_parts), is(m_after, m_parts);
        std::set<std::string> slugs;
        for (const auto& [key, line] : m_lines) slugs.insert(key.first);
        for (const auto& slug : slugs) tellSeveral(is, slug);
        for (const auto& slug : slugs)
            if (const auto a = was.of(slug), b = is.of(slug); !(a == b))
                plan.facts.push_back(i18n("{}: {} → {}", slug, priceText(a, currency), priceText(b, currency)));
        plan.facts.insert(plan.facts.end(), m_facts.begin(), m_facts.end());
        if (!m_table.encoding.empty()) plan.facts.push_back(i18n("read as {}", m_table.encoding));
        for (const auto& name : m_columns.twice)
            m_issues.push_back({m_source.path.string() + ":" + std::to_string(m_table.headerLine),
                                i18n("another column '{}' is ignored; select it with --map price=COLUMN", name)});
        plan.read = m_table.rows.size() - m_left, plan.left = m_left;
        plan.issues = std::move(m_issues);
        plan.after = std::make_shared<const Snapshot>(std::move(m_after));
        return plan;
    }

    const exchange::ImportSource& m_source;
    const SnapshotPtr& m_base;
    const ProjectParts& m_parts;
    const CsvTable& m_table;
    const PriceColumns& m_columns;
    Names m_names;
    Snapshot m_after;
    Decimal m_decimal = Decimal::Unknown;
    std::map<std::pair<std::string, std::string>, std::size_t> m_lines; ///< by part and supplier
    std::vector<PriceStep> m_rowTiers;                                  ///< of the row that is read
    std::map<std::pair<std::string, std::string>, Offer> m_offers;
    std::vector<std::pair<std::string, std::string>> m_order; ///< as they come in the list
    std::string m_sheet;
    std::vector<Text> m_facts;
    std::vector<exchange::ImportIssue> m_issues;
    std::optional<Error> m_first; ///< of the lines that could not be read
    std::size_t m_added = 0, m_same = 0, m_left = 0;
};

Result<void> checkOptions(const exchange::ImportSource& source)
{
    const auto refused = [](const char* option, const std::string& value, Text what, Text todo) {
        return fail(ErrorCode::Refused, std::string(option) + " " + value, std::move(what), std::move(todo));
    };
    if (const auto v = source.option("decimal"); !v.empty() && v != "comma" && v != "point")
        return refused("--decimal", v, i18n("is not a valid decimal separator"), i18n("choose from comma, point"));
    if (const auto v = source.option("trust"); !v.empty() && !fromWord<Trust>(v))
        return refused("--trust", v, i18n("is not a valid trust level"), i18n("choose from {}", listedNames(kWords<Trust>)));
    if (const auto v = source.option("currency"); !v.empty() && !isCurrency(v))
        return refused("--currency", v, i18n("is not a valid currency"), i18n("use three capital letters, for example USD"));
    const std::string rates = source.option("rate");
    for (std::size_t at = 0; at < rates.size();) {
        const auto end = std::min(rates.find('\n', at), rates.size());
        const std::string one = rates.substr(at, end - at);
        at = end + 1;
        double rate = 0;
        const bool named = one.size() > 4 && isCurrency(one.substr(0, 3)) && one[3] == '=';
        const auto read =
            named ? std::from_chars(one.data() + 4, one.data() + one.size(), rate) : std::from_chars_result{one.data(), std::errc::invalid_argument};
        if (read.ec != std::errc() || read.ptr != one.data() + one.size() || !(rate > 0) || rate > 1e6)
            return refused("--rate", one, i18n("is not a valid exchange rate"),
                           i18n("use CODE=RATE, for example EUR=1.08: the project's currency for one EUR"));
    }
    for (const char* option : {"date", "valid-until"})
        if (const auto v = source.option(option); !v.empty() && !isDate(v))
            return fail(ErrorCode::Refused, fmt::format("--{} {}", option, v), i18n("is not a valid date"), i18n("use the form 2026-11-23"));
    return {};
}

/// A list, and the sheet that it was in.
struct PriceList {
    CsvTable table;
    std::string sheet; ///< empty: a text file
};

/// A list with whatever is above it: the header is the first line that names a part and a price. Of a workbook the first sheet that has one.
Result<PriceList> readPrices(const exchange::ImportSource& source)
{
    const std::string map = source.option("map"), file = source.path.string(), wanted = source.option("sheet");
    const CsvWays ways{[&](const auto& cells) { return PriceColumns::isHeader(cells, map); }, true};
    if (!isWorkbook(source.content)) {
        if (!wanted.empty()) return fail(ErrorCode::Usage, "--sheet " + wanted, i18n("{} has no sheets", file), i18n("omit it"));
        auto table = readCsv(source.content, file, ways);
        if (!table) return tl::unexpected(table.error());
        return PriceList{std::move(*table), {}};
    }
    const auto sheets = readWorkbook(source.content, file);
    if (!sheets) return tl::unexpected(sheets.error());
    std::vector<std::string> names;
    std::optional<Error> first;
    for (const SheetText& sheet : *sheets) {
        names.push_back(sheet.name);
        if (!wanted.empty() && sheet.name != wanted) continue;
        auto table = readCsv(sheet.text(), file, ways);
        if (table && PriceColumns::find(*table, file, map)) return PriceList{std::move(*table), sheet.name};
        if (!first) first = table ? PriceColumns::find(*table, file, map).error() : table.error();
    }
    if (first && (sheets->size() == 1 || !wanted.empty())) return tl::unexpected(*first);
    if (!wanted.empty()) return fail(ErrorCode::Usage, "--sheet " + wanted, i18n("sheet not found"), i18n("choose from {}", listedNames(names)));
    return fail(ErrorCode::Unreadable, file, i18n("no sheet has a column for the part and one for its price"),
                i18n("specify them: --map part=COLUMN --map price=COLUMN; sheets: {}", listedNames(names)));
}

class PriceImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override { return {"prices", i18n("price list or quote (CSV, XLSX) for parts of the design")}; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"map", "FIELD=COLUMN", i18n("column of a field, if its name does not identify it; repeatable"), true},
                {"currency", "CODE", i18n("currency of price lists that specify none")},
                {"rate", "CODE=RATE", i18n("exchange rate of a currency in the list: project currency for one unit; stored in the project"), true},
                {"source", "TEXT", i18n("source of the prices; default: file name")},
                {"supplier", "NAME", i18n("supplier of the quote")},
                {"sheet", "NAME", i18n("sheet of a workbook; default: the first with parts and prices")},
                {"date", "YYYY-MM-DD", i18n("date of the quote or capture; default: today")},
                {"valid-until", "YYYY-MM-DD", i18n("last day of validity of the quote, if the list has no column for it")},
                {"trust", "WORD", i18n("quoted (default), published or assumed")},
                {"decimal", "WORD", i18n("comma or point, if the list is ambiguous")}};
    }
    bool probe(const exchange::ImportSource& source) const override
    {
        if (source.path.extension() != ".csv" && source.path.extension() != ".tsv" && !isWorkbook(source.content)) return false;
        const auto list = readPrices(source);
        return list && PriceColumns::find(list->table, {}, {}).has_value();
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        if (const auto fine = checkOptions(source); !fine) return tl::unexpected(fine.error());
        const auto list = readPrices(source);
        if (!list) return tl::unexpected(list.error());
        const auto columns = PriceColumns::find(list->table, source.path.string(), source.option("map"));
        if (!columns) return tl::unexpected(columns.error());
        const auto parts = ProjectParts::of(base->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        return Reading(source, base, **parts, list->table, *columns, list->sheet).run();
    }
};

} // namespace

std::unique_ptr<exchange::Importer> priceImporter() { return std::make_unique<PriceImporter>(); }

} // namespace hw::importers
