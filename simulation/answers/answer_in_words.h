// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace questions {

/// A table for people: numbers with their units, keys as words.
struct ResultTable {
    struct Column {
        Text title;
        std::string key;
        bool number = false; ///< to be aligned right
        bool swept = false;  ///< what a sweep goes through
    };
    Text title;
    std::vector<Column> columns; ///< none: rows of label and value
    std::vector<std::vector<Text>> rows;
    std::vector<std::vector<Json>> values; ///< of the cells, to sort by; empty for rows of label and value
};

/// An answer (hallwright.result/1) as a person says it: one sentence first, then the figures that one looks for first, then the rest. Made
/// from the document alone, so that kept answers and new kinds of scenario read alike.
struct ResultDocument {
    Text verdict;
    struct Figure {
        Text label, value;
    };
    std::vector<Figure> figures;     ///< at most six
    std::vector<ResultTable> tables; ///< of a sweep the first is the sweep: what varies between its points
    std::vector<Figure> constants;   ///< of a sweep: what is the same at all points
    Text proof;                      ///< whether the rates are proved, in a few words; empty where nothing is said
};
[[nodiscard]] ResultDocument inWords(const Json& document);

/// The one sentence alone; empty where nothing can be said.
[[nodiscard]] Text verdictOf(const Json& document);

/// Two answers side by side, as a person compares them.
struct ComparisonDocument {
    Text verdict;       ///< how they differ, or that they do not, or that they answer different questions
    Text first, second; ///< names that tell them apart
    struct Row {
        Text label, first, second, change;
    };
    std::vector<Row> rows; ///< of what differs, in the first one's order; nothing of answers to different questions
};
[[nodiscard]] ComparisonDocument compareInWords(const Json& a, const Json& b);

} // namespace questions
} // namespace hw::sim
