// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hw {

/// A table of texts as spreadsheets write it: a header, then rows of no more cells than it has.
struct CsvTable {
    struct Row {
        std::size_t line = 0;           ///< in the file, from 1, where it begins
        std::vector<std::string> cells; ///< as many as the header has; trimmed
    };
    std::vector<std::string> header;
    std::size_t headerLine = 1;
    std::vector<Row> rows; ///< without empty ones
    char separator = ',';
};

/// Reads RFC 4180 with a comma, semicolon or tab between the cells, whichever the header has most of, or as a first line
/// "sep=;" says; a byte order mark is skipped. Errors: Unreadable with FILE:LINE for what is no UTF-8 text, an open quote,
/// text after a closing quote, a row with more cells than the header, no header, a column that is there twice.
[[nodiscard]] Result<CsvTable> readCsv(std::string_view text, const std::string& file);

/// Whether the bytes are UTF-8 without control characters but tabs and line ends.
[[nodiscard]] bool isPlainText(std::string_view text);

} // namespace hw
