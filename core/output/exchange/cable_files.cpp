// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_why.h"
#include "core/foundation/files/csv.h"
#include "core/foundation/files/workbook.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/exchange/design_stamp.h"

#include <charconv>
#include <fmt/format.h>
#include <functional>

namespace hw {
namespace {

void appendNumber(std::string& out, std::int64_t value)
{
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

void appendIndex(std::string& out, int value)
{
    if (value >= 0) appendNumber(out, value);
}

/// 75000 → "75", 7500 → "7.5".
void appendMeters(std::string& out, std::int32_t mm)
{
    appendNumber(out, mm / 1000);
    if (const int rest = mm % 1000; rest != 0) {
        std::string digits = fmt::format(".{:03}", rest);
        while (digits.back() == '0') digits.pop_back();
        out += digits;
    }
}

void appendEnd(std::string& out, const CableRow::End& end)
{
    for (const std::string_view field : {end.device, std::string_view(end.port), end.hall, end.row, end.rack}) {
        appendCsv(out, field);
        out += ',';
    }
    appendIndex(out, end.u);
    out += ',';
}

void appendRow(std::string& out, const CableRow& row)
{
    appendNumber(out, std::int64_t(row.link.value) + 1);
    out += ',';
    appendCsv(out, row.network);
    out += ',';
    appendEnd(out, row.from);
    appendEnd(out, row.to);
    appendIndex(out, row.rail);
    out += ',';
    appendIndex(out, row.plane);
    out += ',';
    appendNumber(out, row.rateGbps);
    out += ',';
    out += row.medium;
    out += ',';
    appendMeters(out, row.lengthMm);
    out += ',';
    out += row.from.transceiver;
    out += ',';
    out += row.to.transceiver;
    out += ',';
    appendCsv(out, CableSchedule::label(row));
    out += ',';
    if (row.cable) appendNumber(out, std::int64_t((*row.cable).value) + 1);
}

std::string header(bool reasons)
{
    std::string out;
    for (const char* column : kCableColumns) out += (out.empty() ? "" : ",") + std::string(column);
    if (reasons)
        for (const char* column : kReasonColumns) out += std::string(",") + column;
    return out + "\n";
}

/// Why a link's cables are what they are; nothing where it has none.
class Reasons {
public:
    Reasons(const Figures& figures, bool wanted) : m_snapshot(*figures.snapshot)
    {
        if (wanted) m_reasons.emplace(*figures.snapshot, *figures.parts, *figures.cabling);
    }
    [[nodiscard]] bool wanted() const { return m_reasons.has_value(); }
    [[nodiscard]] std::optional<CableWhy> of(LinkId link)
    {
        const auto cable = m_snapshot.links.cable[link];
        return cable ? std::optional(m_reasons->of(*cable)) : std::nullopt;
    }

private:
    const Snapshot& m_snapshot;
    std::optional<CableReasons> m_reasons;
};

void appendReason(std::string& out, const std::optional<CableWhy>& why)
{
    if (!why) {
        out.append(kReasonColumns.size(), ',');
        return;
    }
    const Channel& c = why->channel;
    out += fmt::format(",{},{}", c.cables, c.panels);
    out += c.budgetMdb ? fmt::format(",{:.3f},{:.3f}", c.lossMdb() / 1000.0, *c.budgetMdb / 1000.0) : std::string(",,");
    for (const Text* text : {&why->reason, &why->runnerUp}) {
        out += ',';
        appendCsv(out, words(*text));
    }
    out += ',';
    if (!why->runnerUp.empty()) out += fmt::format("{:.2f}", toCurrency(why->extra));
    out += ',';
    appendCsv(out, words(why->excluded));
}

/// Calls `take` with blocks of CSV text; false stops.
Result<void> produceCsv(const Figures& figures, bool reasons, const Progress& progress, const std::function<Result<void>(std::string_view)>& take)
{
    const CableSchedule schedule(figures);
    std::string block = header(reasons);
    Reasons why(figures, reasons);
    CableRow row;
    const auto& links = schedule.links();
    for (std::size_t i = 0; i < links.size(); ++i) {
        schedule.read(links[i], row);
        appendRow(block, row);
        if (why.wanted()) appendReason(block, why.of(links[i]));
        block += '\n';
        if ((i + 1) % kRowsBetweenLooks != 0) continue;
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "cables", i18n("stopped"));
        progress.report(double(i) / double(links.size()), words(i18n("Writing cables")));
        if (auto taken = take(block); !taken) return taken;
        block.clear();
    }
    return take(block);
}

Result<void> writeCsv(const Figures& figures, const std::filesystem::path& path, bool reasons, const Progress& progress)
{
    auto file = AtomicFile::create(path);
    if (!file) return tl::unexpected(file.error());
    if (auto done = produceCsv(figures, reasons, progress, [&](std::string_view block) { return file->write(block); }); !done) return done;
    return file->commit();
}

/// One row of the sheet; text stays text and numbers are numbers.
class SheetRow {
public:
    SheetRow(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column = 0) : m_sheet(sheet), m_row(row), m_column(column) {}
    void text(std::string_view value)
    {
        if (!value.empty()) worksheet_write_string(m_sheet, m_row, m_column, std::string(value).c_str(), nullptr);
        ++m_column;
    }
    void number(double value) { worksheet_write_number(m_sheet, m_row, m_column++, value, nullptr); }
    void maybe(std::optional<double> value)
    {
        if (value)
            number(*value);
        else
            ++m_column;
    }
    void index(int value)
    {
        if (value >= 0)
            number(value);
        else
            ++m_column;
    }
    void end(const CableRow::End& e)
    {
        for (const std::string_view field : {e.device, std::string_view(e.port), e.hall, e.row, e.rack}) text(field);
        index(e.u);
    }

private:
    lxw_worksheet* m_sheet;
    lxw_row_t m_row;
    lxw_col_t m_column;
};

void writeReason(lxw_worksheet* sheet, lxw_row_t at, const std::optional<CableWhy>& why)
{
    if (!why) return;
    const Channel& c = why->channel;
    SheetRow cells(sheet, at, lxw_col_t(kCableColumns.size()));
    cells.number(c.cables);
    cells.number(c.panels);
    cells.maybe(c.budgetMdb ? std::optional(c.lossMdb() / 1000.0) : std::nullopt);
    cells.maybe(c.budgetMdb ? std::optional(*c.budgetMdb / 1000.0) : std::nullopt);
    cells.text(words(why->reason));
    cells.text(words(why->runnerUp));
    cells.maybe(why->runnerUp.empty() ? std::nullopt : std::optional(toCurrency(why->extra)));
    cells.text(words(why->excluded));
}

void writeSheetRow(lxw_worksheet* sheet, lxw_row_t at, const CableRow& row)
{
    SheetRow cells(sheet, at);
    cells.number(double(row.link.value) + 1);
    cells.text(row.network);
    cells.end(row.from);
    cells.end(row.to);
    cells.index(row.rail);
    cells.index(row.plane);
    cells.number(row.rateGbps);
    cells.text(row.medium);
    cells.number(toMeters(Millimeters(row.lengthMm)));
    cells.text(row.from.transceiver);
    cells.text(row.to.transceiver);
    cells.text(CableSchedule::label(row));
    if (row.cable) cells.number(double((*row.cable).value) + 1);
}

Result<void> writeXlsx(const Figures& figures, const std::filesystem::path& path, bool reasons, const Progress& progress)
{
    constexpr std::size_t kMaxRows = 1'048'575; // of a sheet, less the header
    const CableSchedule schedule(figures);
    const auto& links = schedule.links();
    if (links.size() > kMaxRows)
        return fail(ErrorCode::Unreadable, path.string(), i18n("{} rows exceed the sheet limit", links.size()), i18n("use .csv"));
    auto book = Workbook::create(path);
    if (!book) return tl::unexpected(book.error());
    std::vector<Workbook::Column> columns;
    for (const std::string title : kCableColumns)
        columns.push_back({title, title == "label" ? 48.0 : title.ends_with("device") || title.ends_with("rack") ? 22.0 : 12.0});
    Reasons why(figures, reasons);
    if (reasons)
        for (const std::string title : kReasonColumns)
            columns.push_back({title, title == "reason" || title == "runner_up" || title == "excluded" ? 48.0 : 12.0});
    auto* sheet = book->addSheet(words(i18n("Cables")), columns, links.size());
    CableRow row;
    for (std::size_t i = 0; i < links.size(); ++i) {
        schedule.read(links[i], row);
        writeSheetRow(sheet, lxw_row_t(i + 1), row);
        if (why.wanted()) writeReason(sheet, lxw_row_t(i + 1), why.of(links[i]));
        if ((i + 1) % kRowsBetweenLooks != 0) continue;
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, path.string(), i18n("stopped"));
        progress.report(double(i) / double(links.size()), words(i18n("Writing cables")));
    }
    worksheet_write_string(book->addPlainSheet(words(i18n("Design")), {60}), 0, 0, words(DesignStamp::of(*figures.snapshot).text()).c_str(), nullptr);
    return book->commit();
}

} // namespace

Result<void> writeCableSchedule(const Figures& figures, const std::filesystem::path& file, const Progress& progress, bool reasons)
{
    const auto ending = file.extension();
    if (ending == ".csv") return writeCsv(figures, file, reasons, progress);
    if (ending == ".xlsx") return writeXlsx(figures, file, reasons, progress);
    return fail(ErrorCode::Usage, file.string(), i18n("file extension not recognized"), i18n("use the extension .csv or .xlsx"));
}

} // namespace hw
