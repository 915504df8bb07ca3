// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::sim {
inline namespace questions {

/// Keeps the order in which keys were written, so that results read as they are meant.
using Json = nlohmann::ordered_json;

/// Says when a parameter counts, by another one beside it; see onlyWhen().
struct Condition {
    enum class Test { Is, IsNot, Above0, Given, NotGiven };
    std::string key; ///< of a field that stands before or after it in the same object
    Test test = Test::Is;
    std::vector<Json> values = {}; ///< Is, IsNot: one of these; of a list: one of its entries
};

/// One parameter of an analysis: what a scenario may say, and what is taken when it says nothing.
struct Field {
    enum class Kind { Number, Integer, Text, Boolean, Numbers, Integers, Selection, Texts, Object, Objects };
    Kind kind = Kind::Number;
    std::string key;
    std::string unit; ///< "" for plain numbers
    Text help;
    Json fallback;                         ///< null: stays absent when not given
    double least = 0, most = 0;            ///< of a number, and of each number of a list
    std::vector<std::string> choices = {}; ///< of a text
    std::vector<Field> fields = {};        ///< of an object, and of each object of a list
    std::vector<Condition> when = {};      ///< it counts where all of these hold; elsewhere it is refused when given, and absent when not
    bool displayOnly = false;              ///< changes what is shown, or how fast it is found, and no number of the answer
    bool isFile = false;                   ///< a text that names a file, whose content belongs to the question
    std::vector<std::pair<std::string, std::string>> formerly = {}; ///< older words of a choice, each read as today's
};

/// The field with conditions, or marked as one that changes no number.
[[nodiscard]] Field onlyWhen(Field field, std::vector<Condition> conditions);
[[nodiscard]] Field displayOnly(Field field);
[[nodiscard]] Condition is(std::string key, std::vector<Json> values);
[[nodiscard]] Condition isNot(std::string key, std::vector<Json> values);
[[nodiscard]] Condition above0(std::string key);
[[nodiscard]] Condition given(std::string key);
[[nodiscard]] Condition notGiven(std::string key);

/// Makers, so that an analysis lists its parameters in a table.
[[nodiscard]] Field number(std::string key, std::string unit, Json fallback, double least, double most, Text help);
[[nodiscard]] Field integer(std::string key, Json fallback, double least, double most, Text help);
[[nodiscard]] Field boolean(std::string key, Json fallback, Text help);
[[nodiscard]] Field text(std::string key, Json fallback, std::vector<std::string> choices, Text help);
/// A text of which `choices` says the words by name(): enums whose names are said once, beside them.
template <class Enum, std::size_t Count>
[[nodiscard]] Field choice(std::string key, Enum fallback, const Enum (&choices)[Count], Text help)
{
    std::vector<std::string> names;
    for (const Enum value : choices) names.emplace_back(name(value));
    return text(std::move(key), name(fallback), std::move(names), std::move(help));
}
[[nodiscard]] Field formerly(Field field, std::string was, std::string is); ///< still takes an older word of a choice
[[nodiscard]] Field fileName(std::string key, Text help);                   ///< a text; empty unless given
[[nodiscard]] Field numbers(std::string key, std::string unit, Json fallback, double least, double most, Text help);
[[nodiscard]] Field integers(std::string key, Json fallback, double least, double most, Text help);
/// "all", or a list of whole numbers (pods, segments).
[[nodiscard]] Field selection(std::string key, double least, double most, Text help);
[[nodiscard]] Field texts(std::string key, Json fallback, Text help); ///< a list of texts
[[nodiscard]] Field object(std::string key, std::vector<Field> fields, Text help);
[[nodiscard]] Field objects(std::string key, Json fallback, std::vector<Field> fields, Text help);

/// The numbers of a selection; empty for "all".
[[nodiscard]] std::vector<int> selected(const Json& parameters, const char* key);

/// Checks `given` (an object) against the fields and fills in what is absent. A field whose conditions do not hold is not in the result.
/// Errors are Unreadable, with the path of the key as their place, for example `jobs[1].gpus`: unknown key, wrong type, out of range,
/// unknown choice, empty list; Refused for a given key that would change nothing, unless `unused` takes its path instead or its
/// value is the default.
[[nodiscard]] Result<Json> readParameters(const Json& given, std::span<const Field> fields, std::vector<std::string>* unused = nullptr);

/// The unit of a parameter as people read it.
[[nodiscard]] Text unitWords(const Field& field);

/// The same table as JSON: key, type, unit, default, range, choices, help.
[[nodiscard]] Json describeFields(std::span<const Field> fields);

} // namespace questions
} // namespace hw::sim
