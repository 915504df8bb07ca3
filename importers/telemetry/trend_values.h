// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hw::telemetry {

/// Whether a text is a unit of any measure: "kW", "°C", "degrees Celsius".
[[nodiscard]] bool isUnitText(const std::string& text);
/// A value of one unit in another of the same quantity; nothing: they are of different ones.
[[nodiscard]] std::optional<double> inUnit(double value, const std::string& from, const std::string& to);

/// What a cell of a table says. A status stands in braces behind or in its place: "23.5 {fault}", "{null}".
struct TrendCell {
    double value = 0; ///< NaN: there is none
    std::string unit; ///< behind the number: "46.2 kW"
    bool good = true;
};
/// `comma`: numbers have decimal commas. Nothing: neither a number nor a word that is known.
[[nodiscard]] std::optional<TrendCell> readTrendCell(std::string_view text, bool comma);
/// Whether a cell can only be read with a decimal comma: "23,5".
[[nodiscard]] bool hasDecimalComma(std::string_view text);

enum class TrendStatus { Good, Bad, Null };
/// A column of states: "{ok}", "{fault,alarm}", "Reliable", "null"; what is not known as bad is good.
[[nodiscard]] TrendStatus readTrendStatus(std::string_view text);

} // namespace hw::telemetry
