// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/plain_table.h"

#include "core/foundation/files/csv.h"
#include "core/foundation/files/workbook.h"

#include <fmt/format.h>

namespace hw {

namespace {

void appendRow(std::string& out, std::span<const PlainTable::Cell> row)
{
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) out += ',';
        if (const auto* text = std::get_if<std::string>(&row[i]))
            appendCsv(out, *text);
        else if (const auto* number = std::get_if<double>(&row[i]))
            out += fmt::format("{:.10g}", *number);
    }
    out += '\n';
}

std::string header(const PlainTable& table)
{
    std::string out;
    for (const auto& column : table.columns) out += (out.empty() ? "" : ",") + column.name;
    return out + "\n";
}

/// Counts rows and looks at the progress now and then.
class Monitor {
public:
    Monitor(const PlainTable& table, const Progress& progress) : m_table(table), m_progress(progress) {}
    [[nodiscard]] Result<void> next()
    {
        if (++m_rows % kRowsBetweenLooks != 0) return {};
        if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_table.sheet, i18n("stopped"));
        m_progress.report(double(m_rows) / double(std::max<std::size_t>(m_table.rows, m_rows)), words(i18n("Writing {}", m_table.sheet)));
        return {};
    }
    [[nodiscard]] std::size_t rows() const { return m_rows; }

private:
    const PlainTable& m_table;
    const Progress& m_progress;
    std::size_t m_rows = 0;
};

Result<void> produceCsv(const PlainTable& table, const Progress& progress, const std::function<Result<void>(std::string_view)>& take)
{
    std::string block = header(table);
    Monitor watch(table, progress);
    const auto done = table.each([&](std::span<const PlainTable::Cell> row) -> Result<void> {
        appendRow(block, row);
        if (auto go = watch.next(); !go) return go;
        if (block.size() < 1 << 16) return {};
        auto taken = take(block);
        block.clear();
        return taken;
    });
    if (!done) return done;
    return take(block);
}

Result<void> writeCsv(const PlainTable& table, const std::filesystem::path& file, const Progress& progress)
{
    auto out = AtomicFile::create(file);
    if (!out) return tl::unexpected(out.error());
    if (auto done = produceCsv(table, progress, [&](std::string_view block) { return out->write(block); }); !done) return done;
    return out->commit();
}

Result<void> writeXlsx(const PlainTable& table, const std::filesystem::path& file, const Progress& progress)
{
    constexpr std::size_t kMaxRows = 1'048'575; // of a sheet, less the header
    auto book = Workbook::create(file);
    if (!book) return tl::unexpected(book.error());
    std::vector<Workbook::Column> columns;
    for (const auto& column : table.columns) columns.push_back({column.name, column.width});
    auto* sheet = book->addSheet(table.sheet, columns, std::min(table.rows, kMaxRows));
    Monitor watch(table, progress);
    const auto done = table.each([&](std::span<const PlainTable::Cell> row) -> Result<void> {
        if (watch.rows() >= kMaxRows)
            return fail(ErrorCode::Unreadable, file.string(), i18n("more than {} rows exceed the sheet limit", kMaxRows), i18n("use .csv"));
        const auto at = lxw_row_t(watch.rows() + 1);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (const auto* text = std::get_if<std::string>(&row[i]))
                worksheet_write_string(sheet, at, lxw_col_t(i), text->c_str(), nullptr);
            else if (const auto* number = std::get_if<double>(&row[i]))
                worksheet_write_number(sheet, at, lxw_col_t(i), *number, nullptr);
        }
        return watch.next();
    });
    if (!done) return done;
    return book->commit();
}

} // namespace

Result<void> writeTable(const PlainTable& table, const std::filesystem::path& file, const Progress& progress)
{
    if (file.extension() == ".csv") return writeCsv(table, file, progress);
    if (file.extension() == ".xlsx") return writeXlsx(table, file, progress);
    return fail(ErrorCode::Usage, file.string(), i18n("file extension not recognized"), i18n("use the extension .csv or .xlsx"));
}

} // namespace hw
