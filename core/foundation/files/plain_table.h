// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace hw {

/// A table for people and programs, written row by row: as CSV, or as the one sheet of a workbook.
struct PlainTable {
    using Cell = std::variant<std::monostate, std::string, double>; ///< numbers stay numbers; monostate: empty
    struct Column {
        std::string name; ///< "length_m"
        double width = 12;
    };
    using Take = std::function<Result<void>(std::span<const Cell>)>;
    std::string sheet; ///< its name in a workbook
    std::vector<Column> columns;
    std::size_t rows = 0;                          ///< about, for progress and the filter of the sheet
    std::function<Result<void>(const Take&)> each; ///< calls take(row) for every row; passes its errors on
};

/// Writes .csv or .xlsx by the name's ending (Usage for another one); whole or not at all. Errors: Canceled, Unreadable.
[[nodiscard]] Result<void> writeTable(const PlainTable& table, const std::filesystem::path& file, const Progress& progress = {});

} // namespace hw
