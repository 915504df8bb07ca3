// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/csv.h"
#include "core/foundation/files/workbook.h"
#include "core/foundation/money/price_book.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/bom_total.h"
#include "core/output/exchange/lead_times.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {
namespace {

/// What a price is worth in files: "quoted", "published", "assumed", or "none".
std::string_view trustWord(const Bom::Line& line) { return line.priced ? wordOf(line.trust) : "none"; }

void appendLines(std::string& out, const Bom& bom, const std::string* section)
{
    for (const auto& line : bom.lines) {
        out += fmt::format("{},", bomGroupName(line.group));
        appendCsv(out, line.part);
        out += ',';
        appendCsv(out, words(line.description));
        out += fmt::format(",{},{},{:.2f},{},{:.2f},{}", line.quantity, bomUnit(line), toCurrency(line.unitPrice), char(line.confidence),
                           toCurrency(line.sum), bom.currency);
        if (section) {
            out += ',';
            appendCsv(out, *section);
        }
        out += '\n';
    }
}

/// The first nine columns are always the same; in parts there is one more, by which the lines are told apart.
std::string csvText(const Bom& bom, const DesignStamp& stamp, const BomSections* sections)
{
    std::string out = "group,part,description,quantity,unit,unit_price,confidence,sum,currency";
    out += sections ? "," + std::string(wordOf(sections->by)) + "\n" : "\n";
    const std::string end = sections ? ",\n" : "\n";
    if (sections)
        for (const auto& section : sections->sections) appendLines(out, section.bom, &section.name);
    else
        appendLines(out, bom, nullptr);
    const bool known = totalKnown(bom.total, bom.withoutRate);
    out += fmt::format("total,,,,,,,{},{}{}", known ? fmt::format("{:.2f}", toCurrency(bom.total)) : std::string(), bom.currency, end);
    if (const Text missing = withoutRateText(bom.withoutRate); !missing.empty()) {
        out += "no exchange rate,,"; // no text
        appendCsv(out, words(missing));
        out += ",,,,,," + bom.currency + end;
    }
    for (const auto& left : bom.leftOut) {
        out += "left out,,"; // no text
        appendCsv(out, words(leftOutText(left)));
        out += fmt::format(",{},links,,,,{}{}", left.links, bom.currency, end);
    }
    if (stamp.empty()) return out;
    out += "design,,"; // no text
    appendCsv(out, words(stamp.text()));
    return out + ",,,,,," + end;
}

constexpr std::array kGroups{Bom::Group::Racks, Bom::Group::Devices,  Bom::Group::Transceivers, Bom::Group::Cables,
                             Bom::Group::Trays, Bom::Group::Sundries, Bom::Group::Spares,       Bom::Group::Charges};

void writeWords(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, const Text& text, lxw_format* format = nullptr)
{
    worksheet_write_string(sheet, row, column, words(text).c_str(), format);
}

/// Both sums, what nobody priced, and what is not in the total.
void writeTrust(const Workbook& book, lxw_worksheet* sheet, lxw_row_t row, const Bom& bom)
{
    writeWords(sheet, row, 0, i18n("quoted or published"));
    worksheet_write_number(sheet, row++, 1, toCurrency(bom.quoted()), book.money());
    writeWords(sheet, row, 0, i18n("at assumed prices"));
    worksheet_write_number(sheet, row++, 1, toCurrency(bom.assumed), book.money());
    writeWords(sheet, row++, 0, chargesText(bom));
    if (const Text missing = withoutRateText(bom.withoutRate); !missing.empty()) writeWords(sheet, row++, 0, missing, book.bold());
    if (const auto parts = bom.unpricedParts(); !parts.empty()) writeWords(sheet, row++, 0, i18n("Unpriced: {}", listedNames(parts)));
    if (bom.leftOut.empty()) return;
    ++row;
    writeWords(sheet, row++, 0, i18n("Excluded from the total"), book.bold());
    for (const auto& left : bom.leftOut) writeWords(sheet, row++, 0, leftOutText(left));
}

/// `parts`: the name of the other sheet.
void writeSummary(const Workbook& book, lxw_worksheet* sheet, const Bom& bom, const std::string& designName, const std::string& parts,
                  const DesignStamp& stamp)
{
    lxw_row_t row = 0;
    writeWords(sheet, row++, 0, i18n("Bill of materials: {}", designName), book.title());
    writeWords(sheet, row++, 0, i18n("Currency: {}. Prices marked C are assumed; request quotes.", bom.currency));
    if (!stamp.empty()) writeWords(sheet, row, 0, stamp.text());
    ++row;
    writeWords(sheet, row, 0, i18n("Group"), book.bold());
    writeWords(sheet, row++, 1, i18n("Amount"), book.bold());
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
    ++row;
    writeWords(sheet, row, 0, i18n("of which assumed"));
    // Charges are a share of the goods, so that the share of the guesses is that of the goods.
    const auto goods = fmt::format("SUM('{0}'!H2:H{1})-SUMIF('{0}'!A2:A{1},\"{2}\",'{0}'!H2:H{1})", parts, std::max<std::size_t>(last, 2),
                                   words(bomGroupText(Bom::Group::Charges)));
    const auto formula = fmt::format("=IF({0}=0,0,SUMIF('{1}'!G2:G{2},\"C\",'{1}'!H2:H{2})/({0}))", goods, parts, std::max<std::size_t>(last, 2));
    worksheet_write_formula_num(sheet, row, 1, formula.c_str(), book.percent(), bom.assumedShare());
    writeTrust(book, sheet, row + 2, bom);
}

std::vector<Workbook::Column> lineColumns()
{
    return {{words(i18n("group")), 14},  {words(i18n("part")), 26},           {words(i18n("description")), 60}, {words(i18n("quantity")), 12},
            {words(i18n("unit")), 6},    {words(i18n("unit price")), 14},     {words(i18n("confidence")), 11},  {words(i18n("amount")), 18},
            {words(i18n("system")), 18}, {words(i18n("price basis")), 11},    {words(i18n("source")), 30},      {words(i18n("supplier")), 18},
            {words(i18n("date")), 11},   {words(i18n("lead time, days")), 14}};
}

void writeLine(const Workbook& book, lxw_worksheet* sheet, lxw_row_t row, const Bom::Line& line)
{
    const auto unit = bomUnit(line);
    writeWords(sheet, row, 0, bomGroupText(line.group));
    worksheet_write_string(sheet, row, 1, line.part.c_str(), nullptr);
    writeWords(sheet, row, 2, line.description);
    worksheet_write_number(sheet, row, 3, double(line.quantity), book.count());
    writeWords(sheet, row, 4, unit == "lot" ? i18n("lot") : unit == "pcs" ? i18n("pcs") : verbatim(std::string(unit)));
    worksheet_write_number(sheet, row, 5, toCurrency(line.unitPrice), book.money());
    worksheet_write_string(sheet, row, 6, std::string(1, char(line.confidence)).c_str(), nullptr);
    worksheet_write_formula_num(sheet, row, 7, fmt::format("=D{0}*F{0}", row + 1).c_str(), book.money(), toCurrency(line.sum));
    writeWords(sheet, row, 8, line.group == Bom::Group::Charges ? Text() : systemText(line.system));
    writeWords(sheet, row, 9, line.priced ? trustText(line.trust) : i18n("missing"));
    worksheet_write_string(sheet, row, 10, line.source.c_str(), nullptr);
    worksheet_write_string(sheet, row, 11, line.supplier.c_str(), nullptr);
    worksheet_write_string(sheet, row, 12, line.date.c_str(), nullptr);
    if (line.leadDays > 0) worksheet_write_number(sheet, row, 13, line.leadDays, book.count());
}

void writeLines(const Workbook& book, lxw_worksheet* sheet, const Bom& bom)
{
    lxw_row_t row = 1;
    for (const auto& line : bom.lines) writeLine(book, sheet, row++, line);
    writeWords(sheet, row, 0, i18n("total"), book.bold());
    worksheet_write_formula_num(sheet, row, 7, fmt::format("=SUM(H2:H{})", std::max<lxw_row_t>(row, 2)).c_str(), book.boldMoney(),
                                toCurrency(bom.total));
}

Text byText(BomBy by)
{
    switch (by) {
    case BomBy::System: return i18n("By system");
    case BomBy::Phase: return i18n("By phase");
    case BomBy::Building: return i18n("By building");
    case BomBy::Room: return i18n("By room");
    }
    return {};
}

/// One row a section, then all their lines with the section in front.
void writeSections(Workbook& book, const BomSections& sections)
{
    auto* sums = book.addPlainSheet(words(byText(sections.by)), {30, 18, 18, 18, 12});
    const Text titles[] = {byText(sections.by), i18n("Amount"), i18n("quoted or published"), i18n("at assumed prices"), i18n("unpriced")};
    for (lxw_col_t c = 0; c < std::size(titles); ++c) writeWords(sums, 0, c, titles[c], book.bold());
    lxw_row_t row = 1;
    for (const auto& section : sections.sections) {
        const double numbers[] = {toCurrency(section.bom.total), toCurrency(section.bom.quoted()), toCurrency(section.bom.assumed)};
        writeWords(sums, row, 0, section.title);
        for (lxw_col_t c = 0; c < std::size(numbers); ++c) worksheet_write_number(sums, row, lxw_col_t(c + 1), numbers[c], book.money());
        worksheet_write_number(sums, row++, 4, double(section.bom.unpriced), book.count());
    }
    ++row;
    for (const auto& section : sections.sections)
        for (const auto& line : section.bom.lines) {
            writeWords(sums, row, 0, section.title);
            worksheet_write_number(sums, row, 1, toCurrency(line.sum), book.money());
            worksheet_write_number(sums, row, 2, double(line.quantity), book.count());
            writeWords(sums, row, 3, line.group == Bom::Group::Charges ? line.description : verbatim(line.part));
            writeWords(sums, row++, 4, line.priced ? trustText(line.trust) : i18n("missing"));
        }
}

/// What to order when: the critical path of buying.
void writeOrders(Workbook& book, const std::vector<LeadTime>& orders)
{
    auto* sheet = book.addPlainSheet(words(i18n("Orders")), {12, 26, 60, 12, 14, 8, 12, 50});
    const Text titles[] = {i18n("Order by"),        i18n("part"),  i18n("description"), i18n("quantity"),
                           i18n("lead time, days"), i18n("Phase"), i18n("confidence"),  i18n("source")};
    for (lxw_col_t c = 0; c < std::size(titles); ++c) writeWords(sheet, 0, c, titles[c], book.bold());
    lxw_row_t row = 1;
    for (const LeadTime& order : orders) {
        worksheet_write_string(sheet, row, 0, order.orderBy.c_str(), nullptr);
        worksheet_write_string(sheet, row, 1, order.part.c_str(), nullptr);
        writeWords(sheet, row, 2, order.description);
        worksheet_write_number(sheet, row, 3, double(order.quantity), book.count());
        worksheet_write_number(sheet, row, 4, order.days, book.count());
        worksheet_write_number(sheet, row, 5, order.phase, book.count());
        worksheet_write_string(sheet, row, 6, std::string(1, char(order.confidence)).c_str(), nullptr);
        worksheet_write_string(sheet, row++, 7, order.source.c_str(), nullptr);
    }
}

Result<void> writeXlsx(const Bom& bom, const std::filesystem::path& file, const std::string& designName, const Progress& progress,
                       const DesignStamp& stamp, const BomFileParts& with)
{
    auto book = Workbook::create(file);
    if (!book) return tl::unexpected(book.error());
    const std::string parts = words(i18n("Parts"));
    auto* summary = book->addPlainSheet(words(i18n("Summary")), {24, 20});
    writeSummary(*book, summary, bom, designName, parts, stamp);
    writeLines(*book, book->addSheet(parts, lineColumns(), bom.lines.size()), bom);
    if (with.sections) writeSections(*book, *with.sections);
    if (with.orders && !with.orders->empty()) writeOrders(*book, *with.orders);
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, file.string(), i18n("stopped"));
    return book->commit();
}

nlohmann::ordered_json lineJson(const Bom::Line& line)
{
    nlohmann::ordered_json entry{{"group", bomGroupName(line.group)}, {"part", line.part}, {"description", line.description}};
    if (line.lengthMm > 0) entry["length_m"] = toMeters(Millimeters(line.lengthMm));
    entry["quantity"] = line.quantity;
    entry["unit"] = bomUnit(line);
    entry["unit_price"] = toCurrency(line.unitPrice);
    entry["confidence"] = std::string(1, char(line.confidence));
    entry["sum"] = toCurrency(line.sum);
    if (line.group != Bom::Group::Charges) entry["system"] = wordOf(line.system);
    entry["trust"] = trustWord(line);
    entry["spare"] = line.spare();
    if (!line.with.empty()) entry["included_in"] = line.with;
    if (!line.source.empty()) entry["source"] = line.source;
    if (!line.supplier.empty()) entry["supplier"] = line.supplier;
    if (!line.date.empty()) entry["date"] = line.date;
    if (line.leadDays > 0) {
        entry["lead_days"] = line.leadDays;
        entry["lead_source"] = line.leadSource;
        entry["lead_confidence"] = std::string(1, char(line.leadConfidence));
    }
    return entry;
}

nlohmann::ordered_json sumsJson(const Bom& bom)
{
    return {{"total", totalKnown(bom.total, bom.withoutRate) ? nlohmann::ordered_json(toCurrency(bom.total)) : nlohmann::ordered_json()},
            {"priced", toCurrency(bom.quoted())},
            {"assumed", toCurrency(bom.assumed)},
            {"assumed_share", bom.assumedShare()},
            {"unpriced", bom.unpricedParts()}};
}

nlohmann::ordered_json linesJson(const Bom& bom)
{
    auto lines = nlohmann::ordered_json::array();
    for (const auto& line : bom.lines) lines.push_back(lineJson(line));
    return lines;
}

} // namespace

nlohmann::ordered_json bomJson(const Bom& bom, const DesignStamp& stamp, const BomFileParts& with)
{
    nlohmann::ordered_json json{{"schema", "hallwright.bom/1"}};
    if (!stamp.empty()) json["design"] = {{"name", stamp.project}, {"revision", stamp.revision}, {"date", stamp.date}};
    json["currency"] = bom.currency;
    json["lines"] = linesJson(bom);
    json.update(sumsJson(bom));
    json["charges"] = {{"shipping_percent", bom.shippingPercent}, {"installation_percent", bom.installationPercent}, {"tax_percent", bom.taxPercent}};
    json["without_rate"] = bom.withoutRate;
    auto& left = json["left_out"] = nlohmann::ordered_json::array();
    for (const auto& out : bom.leftOut)
        left.push_back({{"between", out.between}, {"links", out.links}, {"cables", out.cables}, {"reason", out.reason}, {"remedy", out.todo}});
    if (with.orders) {
        auto& orders = json["orders"] = nlohmann::ordered_json::array();
        for (const LeadTime& order : *with.orders)
            orders.push_back({{"part", order.part},
                              {"quantity", order.quantity},
                              {"lead_days", order.days},
                              {"confidence", std::string(1, char(order.confidence))},
                              {"source", order.source},
                              {"phase", order.phase},
                              {"order_by", order.orderBy.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(order.orderBy)}});
    }
    if (!with.sections) return json;
    json["by"] = wordOf(with.sections->by);
    auto& all = json["sections"] = nlohmann::ordered_json::array();
    for (const auto& section : with.sections->sections) {
        nlohmann::ordered_json one{{"name", section.name}, {"title", section.title}};
        one.update(sumsJson(section.bom));
        one["lines"] = linesJson(section.bom);
        all.push_back(std::move(one));
    }
    return json;
}

Result<void> writeBom(const Bom& bom, const std::filesystem::path& file, const std::string& designName, const Progress& progress,
                      const DesignStamp& stamp, const BomFileParts& with)
{
    const auto ending = file.extension();
    if (ending == ".csv") return writeFile(file, csvText(bom, stamp, with.sections));
    if (ending == ".json") return writeFile(file, bomJson(bom, stamp, with).dump(2) + "\n");
    if (ending == ".xlsx") return writeXlsx(bom, file, designName, progress, stamp, with);
    return fail(ErrorCode::Usage, file.string(), i18n("file extension not recognized"), i18n("use the extension .csv, .xlsx or .json"));
}

} // namespace hw
