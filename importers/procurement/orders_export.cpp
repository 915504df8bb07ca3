// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/phases.h"
#include "core/foundation/money/price_book.h"
#include "core/output/exchange/lead_times.h"
#include "importers/procurement/positions.h"
#include "importers/procurement/procurement.h"

#include <charconv>
#include <set>

#include <fmt/format.h>

namespace hw::procurement {

namespace {

using Cell = PlainTable::Cell;

constexpr std::size_t kMostSuppliers = 100; ///< with a sheet of their own

std::vector<Workbook::Column> orderColumns()
{
    return {{"supplier", 22},    {"order_by", 12},    {"phase", 8},      {"phase_date", 12},  {"part", 26},       {"manufacturer", 18},
            {"part_number", 20}, {"description", 60}, {"quantity", 12},  {"unit", 6},         {"unit_price", 14}, {"sum", 16},
            {"currency", 10},    {"confidence", 11},  {"lead_days", 11}, {"lead_source", 30}, {"quote", 24},      {"valid_until", 12}};
}

std::vector<Cell> cellsOf(const Order& order, const std::string& currency)
{
    const Bom::Line& line = *order.line;
    const auto priced = [&](Money money) { return line.priced ? Cell(toCurrency(money)) : Cell(); };
    return {order.supplier,
            order.orderBy,
            double(order.phase),
            order.phaseDate,
            line.part,
            order.manufacturer,
            order.partNumber,
            words(line.description),
            double(order.quantity),
            std::string(bomUnit(line)),
            priced(line.unitPrice),
            priced(line.unitPrice * order.quantity),
            currency,
            std::string(1, char(line.confidence)),
            line.leadDays > 0 ? Cell(double(line.leadDays)) : Cell(),
            line.leadSource,
            line.source,
            order.validUntil};
}

/// A name that a sheet may have, and that none of the others has.
std::string sheetName(const std::string& supplier, std::set<std::string>& taken)
{
    std::string name;
    for (const char c : supplier) name += std::string_view("[]:*?/\\'").find(c) == std::string_view::npos ? c : '-';
    while (name.size() > 28) { // 31 characters at most, with a number
        std::size_t cut = name.size() - 1;
        while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;
        name.resize(cut);
    }
    const auto lower = [](std::string text) {
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
        return text;
    };
    std::string own = name.empty() ? "-" : name;
    for (int n = 2; !taken.insert(lower(own)).second; ++n) own = fmt::format("{} {}", name, n);
    return own;
}

void writeSheet(Workbook& book, const std::string& name, const std::vector<const Order*>& orders, const std::string& currency)
{
    auto* sheet = book.addSheet(name, orderColumns(), orders.size());
    lxw_row_t row = 1;
    for (const Order* order : orders) {
        const auto format = [&](std::size_t c) { return c == 10 || c == 11 ? book.money() : book.count(); };
        writeCells(sheet, row, cellsOf(*order, currency), format);
        ++row;
    }
}

class OrdersExporter final : public PositionsExporter {
public:
    exchange::FormatInfo info() const override { return {"orders", i18n("orders by supplier and phase with lead times; .csv or .xlsx")}; }

private:
    Result<void> writeList(const Figures& figures, const Bom& bom, const std::filesystem::path& file, const Progress& progress) const override
    {
        const BomSections sections = phaseSections(figures, bom);
        const auto orders = ordersOf(figures, sections);
        if (file.extension() == ".xlsx") return writeBook(orders, bom.currency, file);
        return writeText(
            orderColumns(), orders, [&](const Order& order) { return cellsOf(order, bom.currency); }, file, progress);
    }

    static Result<void> writeBook(const std::vector<Order>& orders, const std::string& currency, const std::filesystem::path& file)
    {
        auto book = Workbook::create(file);
        if (!book) return tl::unexpected(book.error());
        std::vector<const Order*> all;
        std::vector<std::pair<std::string, std::vector<const Order*>>> suppliers;
        for (const Order& order : orders) {
            all.push_back(&order);
            if (order.supplier.empty()) continue;
            if (suppliers.empty() || suppliers.back().first != order.supplier) suppliers.emplace_back(order.supplier, std::vector<const Order*>());
            suppliers.back().second.push_back(&order);
        }
        std::set<std::string> taken;
        writeSheet(*book, sheetName("Orders", taken), all, currency);
        if (suppliers.size() <= kMostSuppliers)
            for (const auto& [supplier, own] : suppliers) writeSheet(*book, sheetName(supplier, taken), own, currency);
        return book->commit();
    }
};

} // namespace

std::vector<Order> ordersOf(const Figures& figures, const BomSections& sections)
{
    const Snapshot& s = *figures.snapshot;
    const auto install = std::int64_t(numberSetting(s, "lead.install_days"));
    std::vector<Order> orders;
    for (const auto& section : sections.sections) {
        int phase = 1;
        (void)std::from_chars(section.name.data(), section.name.data() + section.name.size(), phase);
        const auto row = phaseOfNumber(s, phase);
        const std::string date = row ? s.phases.date[*row] : std::string();
        for (const Bom::Line& line : section.bom.lines) {
            if (line.group == Bom::Group::Charges || !line.with.empty() || line.quantity == 0) continue;
            Order order{line.supplier, {}, phase, date, &line, line.quantity};
            if (line.leadDays > 0) order.orderBy = daysBefore(date, line.leadDays + install);
            const Article article = articleOf(figures, line);
            order.manufacturer = article.manufacturer, order.partNumber = article.partNumber;
            order.validUntil = OfferTerms::of(s, line.part, line.supplier).validUntil;
            orders.push_back(std::move(order));
        }
    }
    std::ranges::stable_sort(orders, {}, [](const Order& o) {
        return std::tuple(o.supplier.empty(), o.supplier, o.orderBy.empty(), o.orderBy, o.phase, o.line->group, o.line->part, o.line->lengthMm);
    });
    return orders;
}

std::unique_ptr<exchange::Exporter> ordersExporter() { return std::make_unique<OrdersExporter>(); }

} // namespace hw::procurement
