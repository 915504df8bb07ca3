// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/bom.h"
#include "core/exchange/csv.h"
#include "core/exchange/workbook.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {
namespace {

std::string csvText(const Bom& bom)
{
    std::string out = "group,part,description,quantity,unit,unit_price,confidence,sum,currency\n";
    for (const auto& line : bom.lines) {
        fmt::format_to(std::back_inserter(out), "{},", bomGroupName(line.group));
        appendCsv(out, line.part);
        out += ',';
        appendCsv(out, words(line.description));
        fmt::format_to(std::back_inserter(out), ",{},{},{:.2f},{},{:.2f},{}\n", line.quantity, line.group == Bom::Group::Trays ? "m" : "pcs",
                       toCurrency(line.unitPrice), char(line.confidence), toCurrency(line.sum), bom.currency);
    }
    fmt::format_to(std::back_inserter(out), "total,,,,,,,{:.2f},{}\n", toCurrency(bom.total), bom.currency);
    for (const auto& left : bom.leftOut) {
        out += "left out,,"; // no text
        appendCsv(out, words(leftOutText(left)));
        fmt::format_to(std::back_inserter(out), ",{},links,,,,{}\n", left.links, bom.currency);
    }
    return out;
}

constexpr std::array kGroups{Bom::Group::Racks, Bom::Group::Devices, Bom::Group::Transceivers, Bom::Group::Cables, Bom::Group::Trays};

void writeWords(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, const Text& text, lxw_format* format = nullptr)
{
    worksheet_write_string(sheet, row, column, words(text).c_str(), format);
}

/// `parts`: the name of the other sheet.
void writeSummary(const Workbook& book, lxw_worksheet* sheet, const Bom& bom, const std::string& designName, const std::string& parts)
{
    lxw_row_t row = 0;
    writeWords(sheet, row++, 0, i18n("Bill of materials: {}", designName), book.title());
    writeWords(sheet, row++, 0, i18n("Currency: {}. Prices marked C are assumed; ask for quotes.", bom.currency));
    ++row;
    writeWords(sheet, row, 0, i18n("Group"), book.bold());
    writeWords(sheet, row++, 1, i18n("Sum"), book.bold());
    const auto first = row;
    const auto last = bom.lines.size() + 1; // the last row of the parts, counted from 1
    for (const auto group : kGroups) {
        double sum = 0;
        for (const auto& line : bom.lines)
            if (line.group == group) sum += toCurrency(line.sum);
        writeWords(sheet, row, 0, bomGroupText(group));
        const auto formula = fmt::format("=SUMIF('{0}'!A2:A{1},A{2},'{0}'!H2:H{1})", parts, std::max<std::size_t>(last, 2), row + 1);
        worksheet_write_formula_num(sheet, row++, 1, formula.c_str(), book.money(), sum);
    }
    writeWords(sheet, row, 0, i18n("Total"), book.bold());
    worksheet_write_formula_num(sheet, row, 1, fmt::format("=SUM(B{}:B{})", first + 1, row).c_str(), book.boldMoney(), toCurrency(bom.total));
    const auto total = ++row;
    writeWords(sheet, row, 0, i18n("of which assumed"));
    const auto formula = fmt::format("=IF(B{2}=0,0,SUMIF('{0}'!G2:G{1},\"C\",'{0}'!H2:H{1})/B{2})", parts, std::max<std::size_t>(last, 2), total);
    worksheet_write_formula_num(sheet, row, 1, formula.c_str(), book.percent(), bom.assumedShare());
    if (bom.leftOut.empty()) return;
    row += 2;
    writeWords(sheet, row++, 0, i18n("Left out of the total"), book.bold());
    for (const auto& left : bom.leftOut) writeWords(sheet, row++, 0, leftOutText(left));
}

Result<void> writeXlsx(const Bom& bom, const std::filesystem::path& file, const std::string& designName, const Progress& progress)
{
    auto book = Workbook::create(file);
    if (!book) return tl::unexpected(book.error());
    const std::string parts = words(i18n("Parts"));
    auto* summary = book->addPlainSheet(words(i18n("Summary")), {24, 20});
    writeSummary(*book, summary, bom, designName, parts);
    auto* sheet = book->addSheet(parts,
                                 {{words(i18n("group")), 14},
                                  {words(i18n("part")), 26},
                                  {words(i18n("description")), 60},
                                  {words(i18n("quantity")), 12},
                                  {words(i18n("unit")), 6},
                                  {words(i18n("unit price")), 14},
                                  {words(i18n("confidence")), 11},
                                  {words(i18n("sum")), 18}},
                                 bom.lines.size());
    lxw_row_t row = 1;
    for (const auto& line : bom.lines) {
        writeWords(sheet, row, 0, bomGroupText(line.group));
        worksheet_write_string(sheet, row, 1, line.part.c_str(), nullptr);
        writeWords(sheet, row, 2, line.description);
        worksheet_write_number(sheet, row, 3, double(line.quantity), book->count());
        writeWords(sheet, row, 4, line.group == Bom::Group::Trays ? verbatim("m") : i18n("pcs"));
        worksheet_write_number(sheet, row, 5, toCurrency(line.unitPrice), book->money());
        worksheet_write_string(sheet, row, 6, std::string(1, char(line.confidence)).c_str(), nullptr);
        worksheet_write_formula_num(sheet, row, 7, fmt::format("=D{0}*F{0}", row + 1).c_str(), book->money(), toCurrency(line.sum));
        ++row;
    }
    writeWords(sheet, row, 0, i18n("total"), book->bold());
    worksheet_write_formula_num(sheet, row, 7, fmt::format("=SUM(H2:H{})", std::max<lxw_row_t>(row, 2)).c_str(), book->boldMoney(),
                                toCurrency(bom.total));
    if (progress.stopRequested()) return fail(ErrorCode::Cancelled, file.string(), i18n("stopped"));
    return book->commit();
}

} // namespace

nlohmann::ordered_json bomJson(const Bom& bom)
{
    nlohmann::ordered_json json{{"schema", "hallwright.bom/1"}, {"currency", bom.currency}};
    auto& lines = json["lines"] = nlohmann::ordered_json::array();
    for (const auto& line : bom.lines) {
        nlohmann::ordered_json entry{{"group", bomGroupName(line.group)}, {"part", line.part}, {"description", line.description}};
        if (line.lengthMm > 0) entry["length_m"] = toMetres(Millimetres(line.lengthMm));
        entry["quantity"] = line.quantity;
        entry["unit"] = line.group == Bom::Group::Trays ? "m" : "pcs";
        entry["unit_price"] = toCurrency(line.unitPrice);
        entry["confidence"] = std::string(1, char(line.confidence));
        entry["sum"] = toCurrency(line.sum);
        lines.push_back(std::move(entry));
    }
    json["total"] = toCurrency(bom.total);
    json["assumed_share"] = bom.assumedShare();
    auto& left = json["left_out"] = nlohmann::ordered_json::array();
    for (const auto& out : bom.leftOut)
        left.push_back({{"between", out.between}, {"links", out.links}, {"cables", out.cables}, {"reason", out.reason}, {"remedy", out.todo}});
    return json;
}

Result<void> writeBom(const Bom& bom, const std::filesystem::path& file, const std::string& designName, const Progress& progress)
{
    const auto ending = file.extension();
    if (ending == ".csv") return writeFile(file, csvText(bom));
    if (ending == ".json") return writeFile(file, bomJson(bom).dump(2) + "\n");
    if (ending == ".xlsx") return writeXlsx(bom, file, designName, progress);
    return fail(ErrorCode::Usage, file.string(), i18n("the ending does not name a format"), i18n("end the name in .csv, .xlsx or .json"));
}

} // namespace hw
