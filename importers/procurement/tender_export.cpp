// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/lead_times.h"
#include "importers/procurement/positions.h"
#include "importers/procurement/procurement.h"

#include <map>

#include <fmt/format.h>

namespace hw::procurement {

namespace {

struct Position {
    std::string item, room; ///< "2.1.014": room, phase, number
    const PlacedBomLine* placed = nullptr;
    const Bom::Line* line = nullptr;
    std::string manufacturer, partNumber;
};

enum Field : lxw_col_t {
    kItem,
    kRoom,
    kPhase,
    kGroup,
    kPart,
    kManufacturer,
    kPartNumber,
    kDescription,
    kQuantity,
    kUnit,
    kUnitPrice,
    kAmount,
    kCurrency,
    kRemarks
};

std::vector<Workbook::Column> tenderColumns()
{
    return {{"item", 12},        {"room", 24},     {"phase", 8}, {"group", 14},      {"part", 26},   {"manufacturer", 18}, {"part_number", 20},
            {"description", 60}, {"quantity", 12}, {"unit", 6},  {"unit_price", 14}, {"amount", 16}, {"currency", 10},     {"remarks", 30}};
}

/// By room (in none last), phase, group, part and length; numbered so.
std::vector<Position> positionsOf(const Figures& figures, const Bom& bom, const std::vector<PlacedBomLine>& placed)
{
    const Snapshot& s = *figures.snapshot;
    std::vector<const PlacedBomLine*> order;
    for (const PlacedBomLine& one : placed) order.push_back(&one);
    std::ranges::stable_sort(order, {}, [&](const PlacedBomLine* p) {
        const Bom::Line& line = bom.lines[p->line];
        return std::tuple(!p->hall, p->hall ? s.halls.building[*p->hall].value : 0u, p->hall ? (*p->hall).value : 0u, p->phase, line.group, line.part,
                          line.lengthMm);
    });
    std::vector<Position> positions;
    int room = 0, number = 0;
    for (const PlacedBomLine* p : order) {
        const PlacedBomLine* before = positions.empty() ? nullptr : positions.back().placed;
        if (!before || before->hall != p->hall) ++room, number = 0;
        if (before && before->phase != p->phase) number = 0;
        const Bom::Line& line = bom.lines[p->line];
        const Article article = articleOf(figures, line);
        positions.push_back({fmt::format("{}.{}.{:03}", room, p->phase, ++number), p->hall ? s.halls.name[*p->hall] : words(i18n("not in a room")), p,
                             &line, article.manufacturer, article.partNumber});
    }
    return positions;
}

std::vector<PlainTable::Cell> tenderCells(const Position& p, const std::string& currency)
{
    return {p.item,
            p.room,
            double(p.placed->phase),
            std::string(bomGroupName(p.line->group)),
            p.line->part,
            p.manufacturer,
            p.partNumber,
            words(p.line->description),
            double(p.placed->quantity),
            std::string(bomUnit(*p.line)),
            {},
            {},
            currency,
            {}};
}

/// Positions with the price left open; amounts, sums of rooms and the total are formulas.
Result<void> writeTender(const std::vector<Position>& positions, const std::string& currency, const std::filesystem::path& file)
{
    auto book = Workbook::create(file);
    if (!book) return tl::unexpected(book.error());
    const std::string bill = words(i18n("Bill"));
    auto* sheet = book->addSheet(bill, tenderColumns(), positions.size());
    std::vector<std::pair<std::string, lxw_row_t>> sums; // room, row of its sum from 1
    lxw_row_t row = 1, first = 1;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        writeCells(sheet, row, tenderCells(positions[i], currency), [&](std::size_t) { return book->count(); });
        worksheet_write_blank(sheet, row, kUnitPrice, book->money());
        worksheet_write_formula_num(sheet, row, kAmount, fmt::format("=I{0}*K{0}", row + 1).c_str(), book->money(), 0);
        ++row;
        if (i + 1 < positions.size() && positions[i + 1].placed->hall == positions[i].placed->hall) continue;
        worksheet_write_string(sheet, row, kRoom, words(i18n("subtotal {}", positions[i].room)).c_str(), book->bold());
        worksheet_write_formula_num(sheet, row, kAmount, fmt::format("=SUM(L{}:L{})", first + 1, row).c_str(), book->boldMoney(), 0);
        sums.emplace_back(positions[i].room, ++row);
        first = row;
    }
    auto* summary = book->addPlainSheet(words(i18n("Summary")), {30, 20, 10});
    lxw_row_t line = 0;
    for (const auto& [room, at] : sums) {
        worksheet_write_string(summary, line, 0, room.c_str(), nullptr);
        worksheet_write_formula_num(summary, line, 1, fmt::format("='{}'!L{}", bill, at).c_str(), book->money(), 0);
        worksheet_write_string(summary, line++, 2, currency.c_str(), nullptr);
    }
    worksheet_write_string(summary, line, 0, words(i18n("Total")).c_str(), book->bold());
    worksheet_write_formula_num(summary, line, 1, fmt::format("=SUM(B1:B{})", std::max<lxw_row_t>(line, 1)).c_str(), book->boldMoney(), 0);
    worksheet_write_string(summary, line, 2, currency.c_str(), nullptr);
    return book->commit();
}

class TenderExporter final : public PositionsExporter {
public:
    exchange::FormatInfo info() const override { return {"tender", i18n("bid package by room and phase, for contractors to price; .csv or .xlsx")}; }

private:
    Result<void> writeList(const Figures& figures, const Bom& bom, const std::filesystem::path& file, const Progress& progress) const override
    {
        const auto placed = placedLines(figures, bom);
        const auto positions = positionsOf(figures, bom, placed);
        if (file.extension() == ".xlsx") return writeTender(positions, bom.currency, file);
        return writeText(
            tenderColumns(), positions, [&](const Position& position) { return tenderCells(position, bom.currency); }, file, progress);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> tenderExporter() { return std::make_unique<TenderExporter>(); }

} // namespace hw::procurement
