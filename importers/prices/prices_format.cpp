// SPDX-License-Identifier: GPL-3.0-or-later
// Price lists and offers as spreadsheets save them: columns found by name, matched to the parts of the design.
#include "core/exchange/design_stamp.h"
#include "core/money/price_book.h"
#include "core/money/price_rows.h"
#include "core/money/sundry.h"
#include "importers/formats.h"
#include "importers/prices/price_columns.h"

#include "core/model/setting_values.h"
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

Text sumText(Money ofEach, Money ofMetre, const std::string& currency)
{
    const double each = toCurrency(ofEach), metre = toCurrency(ofMetre);
    return ofMetre.count() == 0  ? i18n("{:.2f} {}", each, currency)
           : ofEach.count() == 0 ? i18n("{:.2f} {} a metre", metre, currency)
                                 : i18n("{:.2f} {} and {:.2f} a metre", each, currency, metre);
}

Text priceText(const PartPrice& price, const std::string& currency)
{
    if (!price.known) return i18n("no price");
    return i18n("{} ({})", sumText(price.each, price.perMetre, currency), trustText(price.trust));
}

/// Reads one list into the prices of a design.
class Reading {
public:
    Reading(const exchange::ImportSource& source, const SnapshotPtr& base, const ProjectParts& parts, const CsvTable& table,
            const PriceColumns& columns)
        : m_source(source), m_base(base), m_parts(parts), m_table(table), m_columns(columns), m_names(*base, parts), m_after(*base)
    {
        std::vector<std::string> sums;
        for (const auto& row : table.rows)
            for (const auto field : {PriceField::Each, PriceField::PerMetre}) sums.push_back(columns.cell(row, field));
        m_decimal = decimalOf(sums);
        if (const auto given = source.option("decimal"); !given.empty()) m_decimal = given == "comma" ? Decimal::Comma : Decimal::Point;
    }

    Result<exchange::ImportPlan> run()
    {
        for (const auto& row : m_table.rows)
            if (auto done = read(row); !done) return tl::unexpected(done.error());
        if (m_lines.empty() && !m_table.rows.empty())
            return fail(ErrorCode::Refused, m_source.path.string(), i18n("no line is a price of a part of this design"),
                        i18n("{}; name the column: --map part=COLUMN", m_issues.empty() ? i18n("the list is empty") : m_issues.front().what));
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

    Result<void> read(const CsvTable::Row& row)
    {
        const std::string name = m_columns.cell(row, PriceField::Part);
        if (name.empty()) return leave(row, i18n("names no part")), Result<void>();
        const auto found = m_names.find(name);
        const std::string sundry = found.empty() && isSundry(lower(name)) ? lower(name) : std::string();
        if (found.empty() && sundry.empty()) return leave(row, i18n("'{}' is no part of this design", name)), Result<void>();
        if (found.size() > 1) return leave(row, i18n("'{}' is the name of {} parts of this design", name, found.size())), Result<void>();
        PriceEntry entry;
        entry.part = sundry.empty() ? m_parts[found.front()].slug : sundry;
        entry.supplier = textOf(row, PriceField::Supplier, "supplier", {});
        entry.source = textOf(row, PriceField::Source, "source", m_source.path.filename().string());
        entry.date = textOf(row, PriceField::Date, "date", today());
        if (const auto sums = readSums(row, !sundry.empty() || soldByPiece(m_parts[found.front()]), entry); !sums)
            return tl::unexpected(sums.error());
        if (entry.currency.empty()) return {}; // no price in this line
        if (const auto rest = readRest(row, entry); !rest) return rest;
        return put(row, entry);
    }

    /// Both sums and the currency; the latter stays empty where the line has no price.
    Result<void> readSums(const CsvTable::Row& row, bool byPiece, PriceEntry& entry)
    {
        std::string written;
        bool any = false;
        for (const auto field : {PriceField::Each, PriceField::PerMetre}) {
            const std::string cell = m_columns.cell(row, field);
            if (cell.empty()) continue;
            const auto sum = readSum(cell, m_decimal);
            if (!sum)
                return refused(row, i18n("'{}' is no sum of money, or can be read in two ways", cell),
                               i18n("write it plainly, or say --decimal comma or point"));
            if (sum->value < 0 || sum->value > 1e9) return refused(row, i18n("'{}' cannot be a price", cell), i18n("correct the line"));
            if (!written.empty() && !sum->currency.empty() && written != sum->currency)
                return refused(row, i18n("has two currencies"), i18n("correct the line"));
            if (!sum->currency.empty()) written = sum->currency;
            // The price of what is sold by the metre alone is that of a metre.
            const bool metre = field == PriceField::PerMetre || !byPiece;
            (metre ? entry.perMetre : entry.each) = Money(std::llround(sum->value * 10'000));
            any = true;
        }
        if (!any) return leave(row, i18n("{} has no price here", entry.part)), Result<void>();
        const std::string column = m_columns.cell(row, PriceField::Currency);
        if (!column.empty() && !written.empty() && column != written)
            return refused(row, i18n("says {} and {}", column, written), i18n("correct the line"));
        entry.currency = !column.empty() ? column : !written.empty() ? written : m_source.option("currency");
        if (entry.currency.empty()) entry.currency = settingOf(*m_base, "project.currency");
        return {};
    }

    Result<void> readRest(const CsvTable::Row& row, PriceEntry& entry) const
    {
        const std::string trust = textOf(row, PriceField::Trust, "trust", "quoted");
        const auto known = trustOf(trust);
        if (!known)
            return refused(row, i18n("'{}' does not say how far the price can be trusted", trust),
                           i18n("choose from {}", listedNames(kWords<Trust>)));
        entry.trust = *known;
        const std::string days = m_columns.cell(row, PriceField::LeadDays), weeks = m_columns.cell(row, PriceField::LeadWeeks);
        const std::string& written = days.empty() ? weeks : days;
        if (written.empty()) return {};
        int number = 0;
        const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number);
        if (days.empty()) number *= 7;
        if (error != std::errc() || end != written.data() + written.size() || number < 0 || number > 10'000)
            return refused(row, i18n("'{}' is no lead time", written), i18n("write whole days, 0 to 10,000"));
        entry.leadDays = number;
        return {};
    }

    Result<void> put(const CsvTable::Row& row, const PriceEntry& entry)
    {
        const auto [first, fresh] = m_lines.try_emplace(std::pair(entry.part, entry.supplier), row.line);
        if (!fresh)
            return refused(row, i18n("{} has a price in line {} already", entry.part, first->second),
                           i18n("leave one of the two out, or name their suppliers"));
        const bool known = findPrice(m_after, entry.part, entry.supplier).has_value();
        const auto before = m_after.prices.size();
        const auto then = known ? std::optional(priceEntry(m_after, *findPrice(m_after, entry.part, entry.supplier))) : std::nullopt;
        if (const auto done = putPrice(m_after, m_parts, entry); !done) {
            Error error = done.error();
            error.what = i18n("{}: {}", error.where, error.what);
            error.where = where(row);
            return tl::unexpected(std::move(error));
        }
        m_added += m_after.prices.size() > before;
        m_same += then && *then == entry;
        if (entry.each.count() == 0 && entry.perMetre.count() == 0) m_issues.push_back({where(row), i18n("{} costs nothing", entry.part)});
        if (entry.date > today()) m_issues.push_back({where(row), i18n("the price of {} is of {}, which is to come", entry.part, entry.date)});
        return {};
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
            return e.each == all.front().each && e.perMetre == all.front().perMetre && e.currency == all.front().currency;
        };
        if (!row || std::ranges::all_of(all, alike)) return;
        std::vector<std::string> listed;
        for (const PriceEntry& e : all)
            listed.push_back(
                words(i18n("{} of {}, {}", sumText(e.each, e.perMetre, e.currency), e.supplier.empty() ? e.source : e.supplier, e.date)));
        const PriceEntry counts = priceEntry(m_after, *row);
        m_issues.push_back(
            {m_source.path.string(), i18n("{} has {} prices ({}); that of {} counts: the most trusted, of those the latest, of those the last", slug,
                                          all.size(), listedNames(listed), counts.supplier.empty() ? counts.source : counts.supplier)});
    }

    exchange::ImportPlan plan()
    {
        exchange::ImportPlan plan;
        plan.name = i18n("Import prices of {}", m_source.path.filename().string());
        plan.base = m_base;
        const std::string currency = settingOf(*m_base, "project.currency");
        plan.facts.push_back(i18np(m_table.rows.size(), "{} line: {} new prices, {} changed, {} as they were, {} lines left out",
                                   "{} lines: {} new prices, {} changed, {} as they were, {} lines left out", m_added,
                                   m_lines.size() - m_added - m_same, m_same, m_left));
        const PriceBook was(*m_base, m_parts), is(m_after, m_parts);
        std::set<std::string> slugs;
        for (const auto& [key, line] : m_lines) slugs.insert(key.first);
        for (const auto& slug : slugs) tellSeveral(is, slug);
        for (const auto& slug : slugs)
            if (const auto a = was.of(slug), b = is.of(slug); !(a == b))
                plan.facts.push_back(i18n("{}: {} → {}", slug, priceText(a, currency), priceText(b, currency)));
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
    std::vector<exchange::ImportIssue> m_issues;
    std::size_t m_added = 0, m_same = 0, m_left = 0;
};

Result<void> checkOptions(const exchange::ImportSource& source)
{
    const auto refused = [](const char* option, const std::string& value, Text what, Text todo) {
        return fail(ErrorCode::Refused, std::string(option) + " " + value, std::move(what), std::move(todo));
    };
    if (const auto v = source.option("decimal"); !v.empty() && v != "comma" && v != "point")
        return refused("--decimal", v, i18n("is no decimal sign"), i18n("choose from comma, point"));
    if (const auto v = source.option("trust"); !v.empty() && !fromWord<Trust>(v))
        return refused("--trust", v, i18n("does not say how far the prices can be trusted"), i18n("choose from {}", listedNames(kWords<Trust>)));
    if (const auto v = source.option("currency"); !v.empty() && !isCurrency(v))
        return refused("--currency", v, i18n("is no currency"), i18n("write three capital letters, as in USD"));
    if (const auto v = source.option("date"); !v.empty() && !isDate(v)) return refused("--date", v, i18n("is no date"), i18n("write 2026-11-23"));
    return {};
}

class PriceImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override { return {"prices", i18n("a price list or offer (CSV) for parts of the design")}; }
    std::vector<exchange::ImportOption> options() const override
    {
        return {{"map", "FIELD=COLUMN", i18n("the column of a field, where its name does not tell; again for each"), true},
                {"currency", "CODE", i18n("of lists that name none")},
                {"source", "TEXT", i18n("where the prices are from; else the file's name")},
                {"supplier", "NAME", i18n("who asks them")},
                {"date", "YYYY-MM-DD", i18n("when they were given; else today")},
                {"trust", "WORD", i18n("quoted (unless given), published or assumed")},
                {"decimal", "WORD", i18n("comma or point, where the list does not tell")}};
    }
    bool probe(const exchange::ImportSource& source) const override
    {
        if (source.path.extension() != ".csv" && source.path.extension() != ".tsv") return false;
        const auto table = readCsv(source.content, source.path.string());
        return table && PriceColumns::find(*table, {}, {}).has_value();
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        if (const auto fine = checkOptions(source); !fine) return tl::unexpected(fine.error());
        const auto table = readCsv(source.content, source.path.string());
        if (!table) return tl::unexpected(table.error());
        const auto columns = PriceColumns::find(*table, source.path.string(), source.option("map"));
        if (!columns) return tl::unexpected(columns.error());
        const auto parts = ProjectParts::of(base->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        return Reading(source, base, **parts, *table, *columns).run();
    }
};

} // namespace

std::unique_ptr<exchange::Importer> priceImporter() { return std::make_unique<PriceImporter>(); }

} // namespace hw::importers
