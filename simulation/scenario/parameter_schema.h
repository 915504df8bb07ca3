// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::sim {

/// Keeps the order in which keys were written, so that results read as they are meant.
using Json = nlohmann::ordered_json;

/// One parameter of an analysis: what a scenario may say, and what is taken when it says nothing.
struct Field {
    enum class Kind { Number, Integer, Text, Boolean, Numbers, Integers, Selection, Texts, Object, Objects };
    Kind kind = Kind::Number;
    std::string key;
    std::string unit;              ///< "" for plain numbers
    std::string help;
    Json fallback;                 ///< null: stays absent when not given
    double least = 0, most = 0;    ///< of a number, and of each number of a list
    std::vector<std::string> choices = {}; ///< of a text
    std::vector<Field> fields = {};     ///< of an object, and of each object of a list
};

/// Makers, so that an analysis lists its parameters in a table.
[[nodiscard]] Field number(std::string key, std::string unit, Json fallback, double least, double most, std::string help);
[[nodiscard]] Field integer(std::string key, Json fallback, double least, double most, std::string help);
[[nodiscard]] Field boolean(std::string key, Json fallback, std::string help);
[[nodiscard]] Field text(std::string key, Json fallback, std::vector<std::string> choices, std::string help);
[[nodiscard]] Field numbers(std::string key, std::string unit, Json fallback, double least, double most, std::string help);
[[nodiscard]] Field integers(std::string key, Json fallback, double least, double most, std::string help);
/// "all", or a list of whole numbers (pods, segments).
[[nodiscard]] Field selection(std::string key, double least, double most, std::string help);
[[nodiscard]] Field texts(std::string key, Json fallback, std::string help); ///< a list of texts
[[nodiscard]] Field object(std::string key, std::vector<Field> fields, std::string help);
[[nodiscard]] Field objects(std::string key, Json fallback, std::vector<Field> fields, std::string help);

/// The numbers of a selection; empty for "all".
[[nodiscard]] std::vector<int> selected(const Json& parameters, const char* key);

/// Checks `given` (an object) against the fields and fills in what is absent. Errors are Unreadable, with the path of the key as
/// their place, for example `jobs[1].gpus`: unknown key, wrong type, out of range, unknown choice, empty list.
[[nodiscard]] Result<Json> readParameters(const Json& given, std::span<const Field> fields);

/// The same table as JSON: key, type, unit, default, range, choices, help.
[[nodiscard]] Json describeFields(std::span<const Field> fields);

} // namespace hw::sim
