// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/workbook.h"

#include <utility>

namespace hw {

Result<Workbook> Workbook::create(const std::filesystem::path& target)
{
    auto file = AtomicFile::create(target);
    if (!file) return tl::unexpected(file.error());
    return Workbook(std::move(*file));
}

Workbook::Workbook(AtomicFile file) : m_file(std::move(file)), m_name(m_file.temporaryPath().string())
{
    lxw_workbook_options options{};
    options.constant_memory = LXW_TRUE;
    m_book = workbook_new_opt(m_name.c_str(), &options);
    m_bold = workbook_add_format(m_book);
    format_set_bold(m_bold);
    format_set_bottom(m_bold, LXW_BORDER_THIN);
    m_title = workbook_add_format(m_book);
    format_set_bold(m_title);
    format_set_font_size(m_title, 16);
    m_money = workbook_add_format(m_book);
    format_set_num_format(m_money, "#,##0.00");
    m_boldMoney = workbook_add_format(m_book);
    format_set_num_format(m_boldMoney, "#,##0.00");
    format_set_bold(m_boldMoney);
    format_set_top(m_boldMoney, LXW_BORDER_THIN);
    m_count = workbook_add_format(m_book);
    format_set_num_format(m_count, "#,##0");
    m_percent = workbook_add_format(m_book);
    format_set_num_format(m_percent, "0.0%");
}

Workbook::Workbook(Workbook&& other) noexcept
    : m_file(std::move(other.m_file)), m_name(std::move(other.m_name)), m_book(std::exchange(other.m_book, nullptr)), m_bold(other.m_bold),
      m_title(other.m_title), m_money(other.m_money), m_boldMoney(other.m_boldMoney), m_count(other.m_count), m_percent(other.m_percent)
{
}

Workbook::~Workbook()
{
    if (m_book) lxw_workbook_free(m_book);
}

lxw_worksheet* Workbook::addPlainSheet(const std::string& name, const std::vector<double>& widths)
{
    auto* sheet = workbook_add_worksheet(m_book, name.c_str());
    for (std::size_t c = 0; c < widths.size(); ++c) worksheet_set_column(sheet, lxw_col_t(c), lxw_col_t(c), widths[c], nullptr);
    return sheet;
}

lxw_worksheet* Workbook::addSheet(const std::string& name, const std::vector<Column>& columns, std::size_t rows)
{
    auto* sheet = workbook_add_worksheet(m_book, name.c_str());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        worksheet_set_column(sheet, lxw_col_t(c), lxw_col_t(c), columns[c].width, nullptr);
        worksheet_write_string(sheet, 0, lxw_col_t(c), columns[c].title.c_str(), m_bold);
    }
    worksheet_freeze_panes(sheet, 1, 0);
    worksheet_autofilter(sheet, 0, 0, lxw_row_t(rows), lxw_col_t(columns.size() - 1));
    return sheet;
}

Result<void> Workbook::commit()
{
    const auto error = workbook_close(std::exchange(m_book, nullptr)); // frees it, whatever the outcome
    if (error != LXW_NO_ERROR)
        return fail(ErrorCode::Unreadable, m_file.target().string(), i18n("workbook cannot be written: {}", lxw_strerror(error)),
                    i18n("free up disk space"));
    return m_file.commit();
}

} // namespace hw
