// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/bom_delta.h"

#include "core/output/exchange/bom_total.h"

#include "core/foundation/files/csv.h"
#include "core/foundation/files/workbook.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Key = std::tuple<Bom::Group, std::string, std::int32_t>;

std::map<Key, const Bom::Line*> linesOf(const Bom& bom)
{
    std::map<Key, const Bom::Line*> lines;
    for (const auto& line : bom.lines) lines.emplace(Key(line.group, line.part, line.lengthMm), &line);
    return lines;
}

BomDelta::Line lineOf(const Key& key, const Bom::Line* a, const Bom::Line* b)
{
    const Bom::Line& any = b ? *b : *a;
    BomDelta::Line line{std::get<0>(key), std::get<1>(key), any.description, std::get<2>(key)};
    line.before = a ? a->quantity : 0, line.after = b ? b->quantity : 0;
    line.priceBefore = (a ? *a : any).unitPrice, line.priceAfter = any.unitPrice;
    line.sumBefore = a ? a->sum : Money(), line.sumAfter = b ? b->sum : Money();
    line.confidence = a && a->confidence == Confidence::Assumed ? Confidence::Assumed : any.confidence;
    line.unit = bomUnit(any);
    return line;
}

std::string csvText(const BomDelta& delta)
{
    std::string out = "group,part,description,unit,quantity_before,quantity_after,quantity_change,price_before,price_after,confidence,for_quantity,"
                      "for_price,sum_change,currency\n";
    for (const auto& line : delta.lines) {
        out += fmt::format("{},", bomGroupName(line.group));
        appendCsv(out, line.part);
        out += ',';
        appendCsv(out, words(line.description));
        out += fmt::format(",{},{},{},{},{:.2f},{:.2f},{},{:.2f},{:.2f},{:.2f},{}\n", line.unit, line.before, line.after, line.after - line.before,
                           toCurrency(line.priceBefore), toCurrency(line.priceAfter), char(line.confidence), toCurrency(line.forQuantity()),
                           toCurrency(line.forPrice()), toCurrency(line.difference()), delta.currency);
    }
    out += fmt::format("total,,,,,,,{:.2f},{:.2f},,,,{:.2f},{}\n", toCurrency(delta.totalBefore), toCurrency(delta.totalAfter),
                       toCurrency(delta.difference()), delta.currency);
    for (const auto* stamp : {&delta.before, &delta.after}) {
        out += stamp == &delta.before ? "before,," : "after,,"; // no text
        appendCsv(out, words(stamp->text()));
        out += ",,,,,,,,,,,\n";
    }
    return out;
}

void text(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, const Text& what, lxw_format* format = nullptr)
{
    worksheet_write_string(sheet, row, column, words(what).c_str(), format);
}

Result<void> writeXlsx(const BomDelta& delta, const std::filesystem::path& file, const Progress& progress)
{
    auto book = Workbook::create(file);
    if (!book) return tl::unexpected(book.error());
    const auto column = [](const Text& title, double width) { return Workbook::Column{words(title), width}; };
    auto* sheet = book->addSheet(words(i18n("Change order")),
                                 {column(i18n("group"), 14), column(i18n("part"), 26), column(i18n("description"), 60), column(i18n("unit"), 6),
                                  column(i18n("quantity before"), 12), column(i18n("quantity after"), 12), column(i18n("price before"), 14),
                                  column(i18n("price after"), 14), column(i18n("confidence"), 11), column(i18n("change"), 18)},
                                 delta.lines.size());
    lxw_row_t row = 1;
    for (const auto& line : delta.lines) {
        text(sheet, row, 0, bomGroupText(line.group));
        worksheet_write_string(sheet, row, 1, line.part.c_str(), nullptr);
        text(sheet, row, 2, line.description);
        worksheet_write_string(sheet, row, 3, line.unit.c_str(), nullptr);
        worksheet_write_number(sheet, row, 4, double(line.before), book->count());
        worksheet_write_number(sheet, row, 5, double(line.after), book->count());
        worksheet_write_number(sheet, row, 6, toCurrency(line.priceBefore), book->money());
        worksheet_write_number(sheet, row, 7, toCurrency(line.priceAfter), book->money());
        worksheet_write_string(sheet, row, 8, std::string(1, char(line.confidence)).c_str(), nullptr);
        worksheet_write_formula_num(sheet, row, 9, fmt::format("=F{0}*H{0}-E{0}*G{0}", row + 1).c_str(), book->money(),
                                    toCurrency(line.difference()));
        ++row;
    }
    text(sheet, row, 0, i18n("total"), book->bold());
    worksheet_write_formula_num(sheet, row, 9, fmt::format("=SUM(J2:J{})", std::max<lxw_row_t>(row, 2)).c_str(), book->boldMoney(),
                                toCurrency(delta.difference()));
    row += 2;
    text(sheet, row, 0, i18n("From {}: {:.2f} {}", delta.before.text(), toCurrency(delta.totalBefore), delta.currency));
    text(sheet, row + 1, 0, i18n("To {}: {:.2f} {}", delta.after.text(), toCurrency(delta.totalAfter), delta.currency));
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, file.string(), i18n("stopped"));
    return book->commit();
}

nlohmann::ordered_json stampJson(const DesignStamp& stamp, Money total)
{
    return {{"name", stamp.project}, {"revision", stamp.revision}, {"date", stamp.date}, {"total", toCurrency(total)}};
}

} // namespace

Result<BomDelta> bomDelta(const Bom& before, const Bom& after, DesignStamp stampBefore, DesignStamp stampAfter)
{
    if (before.currency != after.currency)
        return fail(ErrorCode::Refused, before.currency + " / " + after.currency, i18n("the two bills of materials use different currencies"),
                    i18n("use the same project.currency for both, with an exchange rate"));
    for (const Bom* bom : {&before, &after})
        if (!totalKnown(bom->total, bom->withoutRate))
            return fail(ErrorCode::Refused, bom->currency, i18n("the prices have no exchange rate: the total is unknown"),
                        i18n("set currency.CODE.rate, .date and .source"));
    BomDelta delta{std::move(stampBefore), std::move(stampAfter), after.currency, {}, before.total, after.total};
    const auto a = linesOf(before), b = linesOf(after);
    std::map<Key, int> keys;
    for (const auto* side : {&a, &b})
        for (const auto& [key, line] : *side) keys[key];
    for (const auto& [key, none] : keys) {
        const auto inA = a.find(key), inB = b.find(key);
        const auto line = lineOf(key, inA == a.end() ? nullptr : inA->second, inB == b.end() ? nullptr : inB->second);
        if (line.before != line.after || line.priceBefore != line.priceAfter) delta.lines.push_back(line);
    }
    return delta;
}

std::vector<BomDelta::Exchange> BomDelta::exchanges() const
{
    std::map<Bom::Group, Exchange> byGroup;
    for (const Line& line : lines) {
        Exchange& of = byGroup.try_emplace(line.group, Exchange{line.group, {}, {}}).first->second;
        if (line.after < line.before)
            of.goes += line.priceBefore * (line.before - line.after);
        else
            of.comes += line.priceAfter * (line.after - line.before);
    }
    std::vector<Exchange> out;
    for (const auto& [group, of] : byGroup)
        if (of.goes.count() > 0 && of.comes.count() > 0) out.push_back(of);
    return out;
}

nlohmann::ordered_json deltaJson(const BomDelta& delta)
{
    nlohmann::ordered_json json{{"schema", "hallwright.bom-delta/1"},
                                {"before", stampJson(delta.before, delta.totalBefore)},
                                {"after", stampJson(delta.after, delta.totalAfter)},
                                {"currency", delta.currency}};
    auto& lines = json["lines"] = nlohmann::ordered_json::array();
    for (const auto& line : delta.lines) {
        nlohmann::ordered_json one{{"group", bomGroupName(line.group)}, {"part", line.part}, {"description", line.description}};
        if (line.lengthMm > 0) one["length_m"] = toMeters(Millimeters(line.lengthMm));
        one["unit"] = line.unit;
        one["quantity_before"] = line.before, one["quantity_after"] = line.after;
        one["price_before"] = toCurrency(line.priceBefore), one["price_after"] = toCurrency(line.priceAfter);
        one["confidence"] = std::string(1, char(line.confidence));
        one["for_quantity"] = toCurrency(line.forQuantity()), one["for_price"] = toCurrency(line.forPrice());
        one["sum_change"] = toCurrency(line.difference());
        lines.push_back(std::move(one));
    }
    auto& exchanges = json["exchanged"] = nlohmann::ordered_json::array();
    for (const auto& of : delta.exchanges())
        exchanges.push_back(
            {{"group", bomGroupName(of.group)}, {"goes", toCurrency(of.goes)}, {"comes", toCurrency(of.comes)}, {"change", of.change()}});
    json["total_change"] = toCurrency(delta.difference());
    return json;
}

std::string deltaText(const BomDelta& delta)
{
    auto lines = delta.lines;
    std::ranges::stable_sort(lines, std::greater(), [](const BomDelta::Line& l) { return std::abs(l.difference().count()); });
    const auto whole = [](Money sum) { return sum.count() / 10'000; };
    std::string out = words(i18n("From {}: {:L} {}", delta.before.text(), whole(delta.totalBefore), delta.currency)) + '\n' +
                      words(i18n("To {}: {:L} {}", delta.after.text(), whole(delta.totalAfter), delta.currency)) + "\n\n";
    if (lines.empty()) return out + words(i18n("No differences.")) + '\n';
    for (const auto& line : lines) {
        const std::string length = line.lengthMm > 0 ? fmt::format(" {:g} m", toMeters(Millimeters(line.lengthMm))) : std::string();
        out += fmt::format("{:>10} {:>10}  {:<40.40} {:>16}  {}\n", line.before, line.after, line.part + length,
                           words(i18n("{:L}", whole(line.difference()))), bomGroupText(line.group));
    }
    out += '\n';
    for (const auto& of : delta.exchanges())
        out += words(i18n("Replaced {}: {:L} {} added, {:L} {} removed, {:+.1f} %", bomGroupText(of.group), whole(of.comes), delta.currency,
                          whole(of.goes), delta.currency, of.change() * 100)) +
               '\n';
    return out + words(i18n("Change: {:L} {}", whole(delta.difference()), delta.currency)) + '\n';
}

Result<void> writeDelta(const BomDelta& delta, const std::filesystem::path& file, const Progress& progress)
{
    const auto ending = file.extension();
    if (ending == ".csv") return writeFile(file, csvText(delta));
    if (ending == ".json") return writeFile(file, deltaJson(delta).dump(2) + "\n");
    if (ending == ".xlsx") return writeXlsx(delta, file, progress);
    return fail(ErrorCode::Usage, file.string(), i18n("file extension not recognized"), i18n("use the extension .csv, .xlsx or .json"));
}

} // namespace hw
