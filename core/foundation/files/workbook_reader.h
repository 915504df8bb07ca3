// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hw {

/// A sheet of a workbook as texts: rows and cells where they are in the sheet, empty ones included. Numbers with a point and no thousands sign; one
/// with three decimals has a fourth, so that no reader takes its point for such a sign. Dates are the numbers of days that the file has.
struct SheetText {
    std::string name;
    std::vector<std::vector<std::string>> rows;
    /// Tab-separated lines, a row each: what `readCsv` reads. Tabs and line ends in cells are blanks.
    [[nodiscard]] std::string text() const;
};

/// Whether the bytes begin as an Office Open XML file does.
[[nodiscard]] bool isWorkbook(std::string_view bytes);
/// The visible sheets of an .xlsx file in their order. Values of formulas are those that were saved. Errors: Unreadable for what is damaged,
/// encrypted or larger than a price list or a schedule is.
[[nodiscard]] Result<std::vector<SheetText>> readWorkbook(std::string_view bytes, const std::string& file);
/// The day of a date cell (1900 system) as ISO 8601; empty for numbers outside of 1990 to 2099.
[[nodiscard]] std::string dateOfSerial(long days);

} // namespace hw
