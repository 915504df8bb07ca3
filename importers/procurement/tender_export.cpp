// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/plain_table.h"
#include "core/foundation/files/workbook.h"
#include "core/output/exchange/lead_times.h"
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
    const ProjectParts& parts = *figures.parts;
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
        Position one{
            fmt::format("{}.{}.{:03}", room, p->phase, ++number), p->hall ? s.halls.name[*p->hall] : words(i18n("not in a room")), p, &line, {}, {}};
        if (const auto type = parts.find(line.part))
            if (const auto* device = std::get_if<DeviceSpec>(&parts[*type].spec))
                one.manufacturer = device->manufacturer, one.partNumber = device->partNumber;
        positions.push_back(std::move(one));
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
        const auto cells = tenderCells(positions[i], currency);
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (const auto* text = std::get_if<std::string>(&cells[c]))
                worksheet_write_string(sheet, row, lxw_col_t(c), text->c_str(), nullptr);
            else if (const auto* number = std::get_if<double>(&cells[c]))
                worksheet_write_number(sheet, row, lxw_col_t(c), *number, book->count());
        }
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

class TenderExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"tender", i18n("bill of quantities by room and phase for contractors to price; .csv or .xlsx")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        if (const auto made = (*figures)->prepare<BomNode>(progress); !made) return made;
        const Bom& bom = makeBom(**figures);
        const auto placed = placedLines(**figures, bom);
        const auto positions = positionsOf(**figures, bom, placed);
        if (job.output.extension() == ".xlsx") return writeTender(positions, bom.currency, job.output);
        PlainTable table;
        for (const auto& column : tenderColumns()) table.columns.push_back({column.title, column.width});
        table.rows = positions.size();
        table.each = [&](const PlainTable::Take& take) -> Result<void> {
            for (const Position& position : positions)
                if (const auto done = take(tenderCells(position, bom.currency)); !done) return done;
            return {};
        };
        return writeTable(table, job.output, progress);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> tenderExporter() { return std::make_unique<TenderExporter>(); }

} // namespace hw::procurement
