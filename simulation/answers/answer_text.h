// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace questions {

/// An answer (hallwright.result/1) for people: values with their units, lists of like objects as tables, a sweep as one table.
[[nodiscard]] std::string answerText(const Json& document);

/// An answer as CSV: of a sweep one row a point (swept parameters, then every single number or text of the results); of a single run its
/// largest table, or one row of its single values. RFC 4180.
[[nodiscard]] std::string answerCsv(const Json& document);

/// A table of cells: what answerText and answerCsv print, and the window shows.
struct AnswerTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};
[[nodiscard]] std::vector<AnswerTable> answerTables(const Json& document);

/// Two answers number by number: {"schema": "hallwright.result-comparison/1", "rows": [{"key", "a", "b", "difference", "ratio"}]}; what only
/// one of them has stands with null. Texts are compared too.
[[nodiscard]] Json compareAnswers(const Json& a, const Json& b);

/// Every single value below `value` with its path ("policies[0].utilization"), in document order.
[[nodiscard]] std::vector<std::pair<std::string, Json>> leaves(const Json& value);

} // namespace questions
} // namespace hw::sim
