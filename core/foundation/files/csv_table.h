// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/base/text_encoding.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hw {

/// A table of texts as spreadsheets write it: a header, then rows of no more cells than it has.
struct CsvTable {
    struct Row {
        std::size_t line = 0;           ///< in the file, from 1, where it begins
        std::vector<std::string> cells; ///< as many as the header has; trimmed
        Text wrong{};                   ///< what keeps it from being read (`CsvWays::everyRow`); empty otherwise
    };
    std::vector<std::string> header;
    std::size_t headerLine = 1;
    std::vector<Row> rows; ///< without empty ones
    char separator = ',';
    std::string encoding; ///< that the text was decoded from; empty: UTF-8
};

/// How a table is read that people have made for people.
struct CsvWays {
    /// Whether these cells are a header: of the first 50 lines the first such is it, and those before are a preamble. Without: the first line.
    std::function<bool(const std::vector<std::string>&)> isHeader{};
    bool everyRow = false; ///< a broken row is kept with what is wrong, and does not refuse the table; a column may be there twice
};

/// Reads RFC 4180 with a comma, semicolon or tab between the cells, whichever the header has most of, or as a first line
/// "sep=;" says; in UTF-8, UTF-16, GB18030 or Windows-1252 (`decodeText`). Errors: Unreadable with FILE:LINE for what is no text, no header; unless
/// `ways.everyRow` for an open quote, text after a closing quote, a row with more cells than the header, a column that is there twice.
[[nodiscard]] Result<CsvTable> readCsv(std::string_view text, const std::string& file, const CsvWays& ways = {});

} // namespace hw
