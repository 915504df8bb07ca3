// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/answers/parameter_schema.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::size_t kMostEntries = 10'000;

tl::unexpected<Error> refuse(std::string path, Text what, Text todo)
{
    return fail(ErrorCode::Unreadable, std::move(path), std::move(what), std::move(todo));
}

using Unused = std::vector<std::string>*;

Result<Json> readObject(const Json& given, std::span<const Field> fields, const std::string& prefix, Unused unused);

Text rangeOf(const Field& field, bool whole)
{
    if (field.unit.empty())
        return whole ? i18n("specify a whole number from {:g} to {:g}", field.least, field.most)
                     : i18n("specify a number from {:g} to {:g}", field.least, field.most);
    return whole ? i18n("specify a whole number from {:g} to {:g} {}", field.least, field.most, unitWords(field))
                 : i18n("specify a number from {:g} to {:g} {}", field.least, field.most, unitWords(field));
}

Result<Json> readNumber(const Json& value, const Field& field, const std::string& path, bool whole)
{
    const Text range = rangeOf(field, whole);
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        return refuse(path, whole ? i18n("must be a whole number") : i18n("must be a number"), range);
    const double number = value.get<double>();
    if (whole && number != std::floor(number)) return refuse(path, i18n("must be a whole number"), range);
    if (number < field.least || number > field.most) return refuse(path, i18n("{:g} is out of range", number), range);
    return whole ? Json(std::int64_t(number)) : Json(number);
}

Result<Json> readText(const Json& value, const Field& field, const std::string& path)
{
    const Text todo = field.choices.empty() ? i18n("put it in quotes") : i18n("use {}", listedNames(field.choices));
    if (!value.is_string()) return refuse(path, i18n("must be a string"), todo);
    for (const auto& [was, is] : field.formerly)
        if (value == was) return Json(is);
    if (!field.choices.empty() && std::ranges::find(field.choices, value.get<std::string>()) == field.choices.end())
        return refuse(path, i18n("unknown value \"{}\"", value.get<std::string>()), todo);
    return value;
}

template <class ReadEntry>
Result<Json> readList(const Json& value, const std::string& path, ReadEntry readEntry)
{
    if (!value.is_array() || value.empty()) return refuse(path, i18n("must be a list with at least one entry"), i18n("use [ … ]"));
    if (value.size() > kMostEntries) return refuse(path, i18n("has {} entries", value.size()), i18n("specify no more than {}", kMostEntries));
    Json list = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i) {
        Result<Json> entry = readEntry(value[i], fmt::format("{}[{}]", path, i));
        if (!entry) return entry;
        list.push_back(std::move(*entry));
    }
    return list;
}

Result<Json> readValue(const Json& value, const Field& field, const std::string& path, Unused unused)
{
    switch (field.kind) {
    case Field::Kind::Number: return readNumber(value, field, path, false);
    case Field::Kind::Integer: return readNumber(value, field, path, true);
    case Field::Kind::Text: return readText(value, field, path);
    case Field::Kind::Boolean:
        if (!value.is_boolean()) return refuse(path, i18n("must be true or false"), i18n("correct the value"));
        return value;
    case Field::Kind::Numbers: return readList(value, path, [&](const Json& v, const std::string& p) { return readNumber(v, field, p, false); });
    case Field::Kind::Integers: return readList(value, path, [&](const Json& v, const std::string& p) { return readNumber(v, field, p, true); });
    case Field::Kind::Selection:
        if (value.is_string() && value == "all") return value;
        if (!value.is_array() || value.empty()) return refuse(path, i18n("must be \"all\" or a list of numbers"), i18n("for example: [1, 2]"));
        return readList(value, path, [&](const Json& v, const std::string& p) { return readNumber(v, field, p, true); });
    case Field::Kind::Texts: return readList(value, path, [&](const Json& v, const std::string& p) { return readText(v, field, p); });
    case Field::Kind::Object: return readObject(value, field.fields, path, unused);
    case Field::Kind::Objects:
        return readList(value, path, [&](const Json& v, const std::string& p) { return readObject(v, field.fields, p, unused); });
    }
    return value;
}

bool oneOf(const Json& value, const std::vector<Json>& values)
{
    const auto among = [&](const Json& v) { return std::ranges::find(values, v) != values.end(); };
    return value.is_array() ? std::ranges::any_of(value, among) : among(value);
}

/// `there`: the values beside the field, complete; `given`: what was said of them.
bool holds(const Condition& c, const Json& there, const Json& given)
{
    const bool known = there.contains(c.key);
    switch (c.test) {
    case Condition::Test::Is: return known && oneOf(there.at(c.key), c.values);
    case Condition::Test::IsNot: return known && !oneOf(there.at(c.key), c.values);
    case Condition::Test::Above0: return known && there.at(c.key).is_number() && there.at(c.key).get<double>() > 0;
    case Condition::Test::Given: return given.contains(c.key);
    case Condition::Test::NotGiven: return !given.contains(c.key);
    }
    return true;
}

Text textOf(const Condition& c)
{
    Text values;
    for (const Json& v : c.values) {
        Text value = verbatim(v.is_string() ? v.get<std::string>() : v.dump());
        values = values.empty() ? std::move(value) : i18n("{} or {}", values, value);
    }
    switch (c.test) {
    case Condition::Test::Is: return i18n("{} is {}", c.key, values);
    case Condition::Test::IsNot: return i18n("{} is not {}", c.key, values);
    case Condition::Test::Above0: return i18n("{} is above 0", c.key);
    case Condition::Test::Given: return i18n("{} is given", c.key);
    case Condition::Test::NotGiven: return i18n("{} is not given", c.key);
    }
    return {};
}

Text textOf(const std::vector<Condition>& conditions)
{
    Text all;
    for (const Condition& c : conditions) all = all.empty() ? textOf(c) : i18n("{} and {}", all, textOf(c));
    return all;
}

/// Takes out what does not count, field by field, so that a condition on a field that is out does not hold.
Result<void> dropUnused(Json& result, const Json& given, std::span<const Field> fields, const std::string& prefix, Unused unused)
{
    for (const Field& field : fields) {
        if (std::ranges::all_of(field.when, [&](const Condition& c) { return holds(c, result, given); })) continue;
        const bool said = given.contains(field.key) && result.at(field.key) != field.fallback; // who says what holds anyway asks for nothing
        result.erase(field.key);
        if (!said) continue;
        const std::string path = prefix.empty() ? field.key : prefix + "." + field.key;
        if (!unused)
            return fail(ErrorCode::Refused, path, i18n("has no effect here: it applies only if {}", textOf(field.when)),
                        i18n("omit it, or change what it depends on"));
        unused->push_back(path);
    }
    return {};
}

Result<Json> readObject(const Json& given, std::span<const Field> fields, const std::string& prefix, Unused unused)
{
    if (!given.is_object()) return refuse(prefix.empty() ? "parameters" : prefix, i18n("must be an object"), i18n("use {{ … }}"));
    const auto pathOf = [&](const std::string& key) { return prefix.empty() ? key : prefix + "." + key; };
    for (const auto& [key, value] : given.items()) {
        if (std::ranges::find(fields, key, &Field::key) != fields.end()) continue;
        std::vector<std::string> known;
        for (const Field& f : fields) known.push_back(f.key);
        return refuse(pathOf(key), i18n("unknown key"), i18n("use {}", listedNames(known)));
    }
    Json result = Json::object();
    for (const Field& field : fields) {
        const auto it = given.find(field.key);
        if (it == given.end() && field.fallback.is_null()) continue;
        Result<Json> value = readValue(it == given.end() ? field.fallback : *it, field, pathOf(field.key), unused);
        if (!value) return value;
        result[field.key] = std::move(*value);
    }
    if (const auto dropped = dropUnused(result, given, fields, prefix, unused); !dropped) return tl::unexpected(dropped.error());
    return result;
}

/// Words of the format.
const char* kindName(Field::Kind kind)
{
    switch (kind) {
    case Field::Kind::Number: return "number";
    case Field::Kind::Integer: return "integer";
    case Field::Kind::Text: return "text";
    case Field::Kind::Boolean: return "boolean";
    case Field::Kind::Numbers: return "list of numbers";               // no text
    case Field::Kind::Integers: return "list of integers";             // no text
    case Field::Kind::Selection: return "\"all\" or list of integers"; // no text
    case Field::Kind::Texts: return "list of texts";                   // no text
    case Field::Kind::Object: return "object";
    case Field::Kind::Objects: return "list of objects"; // no text
    }
    return "";
}

bool hasRange(Field::Kind kind)
{
    return kind == Field::Kind::Number || kind == Field::Kind::Integer || kind == Field::Kind::Numbers || kind == Field::Kind::Integers ||
           kind == Field::Kind::Selection;
}

} // namespace

Field number(std::string key, std::string unit, Json fallback, double least, double most, Text help)
{
    return {Field::Kind::Number, std::move(key), std::move(unit), std::move(help), std::move(fallback), least, most};
}
Field integer(std::string key, Json fallback, double least, double most, Text help)
{
    return {Field::Kind::Integer, std::move(key), "", std::move(help), std::move(fallback), least, most};
}
Field boolean(std::string key, Json fallback, Text help)
{
    return {Field::Kind::Boolean, std::move(key), "", std::move(help), std::move(fallback), 0, 0};
}
Field text(std::string key, Json fallback, std::vector<std::string> choices, Text help)
{
    return {Field::Kind::Text, std::move(key), "", std::move(help), std::move(fallback), 0, 0, std::move(choices)};
}
Field formerly(Field field, std::string was, std::string is)
{
    field.formerly.emplace_back(std::move(was), std::move(is));
    return field;
}
Field fileName(std::string key, Text help)
{
    Field field = text(std::move(key), "", {}, std::move(help));
    field.isFile = true;
    return field;
}
Field numbers(std::string key, std::string unit, Json fallback, double least, double most, Text help)
{
    return {Field::Kind::Numbers, std::move(key), std::move(unit), std::move(help), std::move(fallback), least, most};
}
Field integers(std::string key, Json fallback, double least, double most, Text help)
{
    return {Field::Kind::Integers, std::move(key), "", std::move(help), std::move(fallback), least, most};
}
Field selection(std::string key, double least, double most, Text help)
{
    return {Field::Kind::Selection, std::move(key), "", std::move(help), "all", least, most};
}
Field texts(std::string key, Json fallback, Text help)
{
    return {Field::Kind::Texts, std::move(key), "", std::move(help), std::move(fallback), 0, 0};
}
Field object(std::string key, std::vector<Field> fields, Text help)
{
    return {Field::Kind::Object, std::move(key), "", std::move(help), Json::object(), 0, 0, {}, std::move(fields)};
}
Field objects(std::string key, Json fallback, std::vector<Field> fields, Text help)
{
    return {Field::Kind::Objects, std::move(key), "", std::move(help), std::move(fallback), 0, 0, {}, std::move(fields)};
}

std::vector<int> selected(const Json& parameters, const char* key)
{
    const Json& value = parameters.at(key);
    return value.is_array() ? value.get<std::vector<int>>() : std::vector<int>();
}

Field onlyWhen(Field field, std::vector<Condition> conditions)
{
    field.when.insert(field.when.end(), std::make_move_iterator(conditions.begin()), std::make_move_iterator(conditions.end()));
    return field;
}
Field displayOnly(Field field)
{
    field.displayOnly = true;
    return field;
}
Condition is(std::string key, std::vector<Json> values) { return {std::move(key), Condition::Test::Is, std::move(values)}; }
Condition isNot(std::string key, std::vector<Json> values) { return {std::move(key), Condition::Test::IsNot, std::move(values)}; }
Condition above0(std::string key) { return {std::move(key), Condition::Test::Above0, {}}; }
Condition given(std::string key) { return {std::move(key), Condition::Test::Given, {}}; }
Condition notGiven(std::string key) { return {std::move(key), Condition::Test::NotGiven, {}}; }

Result<Json> readParameters(const Json& given, std::span<const Field> fields, std::vector<std::string>* unused)
{
    return readObject(given, fields, "", unused);
}

Text unitWords(const Field& field)
{
    if (field.unit == "bytes") return i18n("bytes");
    if (field.unit == "points") return i18n("points");
    return verbatim(field.unit);
}

Json describeFields(std::span<const Field> fields)
{
    Json list = Json::array();
    for (const Field& f : fields) {
        Json entry = {{"key", f.key}, {"type", kindName(f.kind)}};
        if (!f.unit.empty()) entry["unit"] = f.unit;
        if (f.kind != Field::Kind::Object) entry["default"] = f.fallback;
        if (hasRange(f.kind)) entry["range"] = Json::array({f.least, f.most});
        if (!f.choices.empty()) entry["choices"] = f.choices;
        if (!f.fields.empty()) entry["fields"] = describeFields(f.fields);
        if (!f.when.empty()) entry["counts_when"] = textOf(f.when);
        if (f.displayOnly) entry["display_only"] = true;
        entry["help"] = f.help;
        list.push_back(std::move(entry));
    }
    return list;
}

} // namespace questions
} // namespace hw::sim
