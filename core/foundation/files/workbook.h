// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/files/atomic_file.h"

#include <optional>
#include <string>
#include <vector>
#include <xlsxwriter.h>

namespace hw {

/// An .xlsx file being written row by row with bounded memory; appears on `commit()` only.
/// Strings stand inline in the sheet, so a workbook of 400,000 rows needs no string table.
class Workbook {
public:
    [[nodiscard]] static Result<Workbook> create(const std::filesystem::path& target);
    Workbook(Workbook&& other) noexcept;
    Workbook(const Workbook&) = delete;
    Workbook& operator=(const Workbook&) = delete;
    Workbook& operator=(Workbook&&) = delete;
    ~Workbook();

    struct Column {
        std::string title;
        double width = 12;
    };
    /// A sheet with a bold, frozen header row and a filter over `rows` rows.
    [[nodiscard]] lxw_worksheet* addSheet(const std::string& name, const std::vector<Column>& columns, std::size_t rows);
    [[nodiscard]] lxw_worksheet* addPlainSheet(const std::string& name, const std::vector<double>& widths);
    [[nodiscard]] lxw_format* bold() const { return m_bold; }
    [[nodiscard]] lxw_format* title() const { return m_title; }
    [[nodiscard]] lxw_format* money() const { return m_money; }
    [[nodiscard]] lxw_format* boldMoney() const { return m_boldMoney; }
    [[nodiscard]] lxw_format* count() const { return m_count; }
    [[nodiscard]] lxw_format* percent() const { return m_percent; }
    [[nodiscard]] Result<void> commit();

private:
    explicit Workbook(AtomicFile file);
    AtomicFile m_file;
    std::string m_name;
    lxw_workbook* m_book = nullptr;
    lxw_format *m_bold = nullptr, *m_title = nullptr, *m_money = nullptr, *m_boldMoney = nullptr, *m_count = nullptr, *m_percent = nullptr;
};

} // namespace hw
