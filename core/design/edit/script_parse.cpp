// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/fields.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/script.h"
#include "core/foundation/base/spelling.h"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

namespace hw::edit {

namespace {

using nlohmann::json;

enum class KeyKind { Text, Integer, ScalarOrNull, Scalar, TextOrNull, Flag, Definition, Scalars, Texts };
struct Key {
    const char* name;
    KeyKind kind;
    bool required;
};
struct Action {
    const char* name;
    std::vector<Key> keys;
    bool columns = false; ///< and every column of its kind
};

const std::vector<Action>& actions()
{
    static const std::vector<Key> kCable = {{"entity", KeyKind::Text, false}, {"from", KeyKind::Text, false}, {"to", KeyKind::Text, false}};
    static const auto withCable = [](Key key) {
        auto keys = kCable;
        keys.push_back(key);
        return keys;
    };
    static const std::vector<Action> all = {
        {"set-parameter", {{"name", KeyKind::Text, true}, {"value", KeyKind::Scalar, true}}},
        {"use-template", {{"template", KeyKind::Text, true}, {"parameters", KeyKind::Scalars, false}}},
        {"layout", {{"hall", KeyKind::Text, false}}},
        {"move", {{"entity", KeyKind::Text, true}, {"dx_mm", KeyKind::Integer, true}, {"dy_mm", KeyKind::Integer, true}}},
        {"rename", {{"entity", KeyKind::Text, true}, {"name", KeyKind::Text, true}}},
        {"place",
         {{"entity", KeyKind::Text, true},
          {"rack", KeyKind::Text, false},
          {"u", KeyKind::Integer, false},
          {"hall", KeyKind::Text, false},
          {"x_mm", KeyKind::Integer, false},
          {"y_mm", KeyKind::Integer, false}}},
        {"add",
         {{"what", KeyKind::Text, true},
          {"name", KeyKind::Text, false},
          {"in", KeyKind::Text, false},
          {"type", KeyKind::Text, false},
          {"tier", KeyKind::Text, false},
          {"u", KeyKind::Integer, false},
          {"interface", KeyKind::Text, false},
          {"split", KeyKind::Integer, false},
          {"count", KeyKind::Integer, false},
          {"definition", KeyKind::Definition, false}},
         true},
        {"remove", {{"entity", KeyKind::Text, true}}},
        {"copy",
         {{"entity", KeyKind::Text, true},
          {"in", KeyKind::Text, false},
          {"name", KeyKind::Text, false},
          {"count", KeyKind::Integer, false},
          {"dx_mm", KeyKind::Integer, false},
          {"dy_mm", KeyKind::Integer, false}}},
        {"rotate", {{"entity", KeyKind::Text, true}, {"by_deg", KeyKind::Integer, true}}},
        {"resize",
         {{"entity", KeyKind::Text, true},
          {"size_x_mm", KeyKind::Integer, false},
          {"size_y_mm", KeyKind::Integer, false},
          {"size_z_mm", KeyKind::Integer, false},
          {"length_mm", KeyKind::Integer, false}}},
        {"align", {{"entities", KeyKind::Texts, true}, {"to", KeyKind::Text, true}}},
        {"distribute", {{"entities", KeyKind::Texts, true}, {"axis", KeyKind::Text, true}, {"gap_mm", KeyKind::Integer, false}}},
        {"mirror", {{"entities", KeyKind::Texts, true}, {"axis", KeyKind::Text, true}, {"at_mm", KeyKind::Integer, false}}},
        {"rotate-about",
         {{"entities", KeyKind::Texts, true},
          {"by_deg", KeyKind::Integer, true},
          {"x_mm", KeyKind::Integer, false},
          {"y_mm", KeyKind::Integer, false}}},
        {"reshape",
         {{"entity", KeyKind::Text, true},
          {"x1_mm", KeyKind::Integer, true},
          {"y1_mm", KeyKind::Integer, true},
          {"x2_mm", KeyKind::Integer, true},
          {"y2_mm", KeyKind::Integer, true},
          {"z1_mm", KeyKind::Integer, false},
          {"z2_mm", KeyKind::Integer, false}}},
        {"retype", {{"entity", KeyKind::Text, true}, {"type", KeyKind::Text, true}, {"force", KeyKind::Flag, false}}},
        {"set", {{"entity", KeyKind::Text, true}, {"column", KeyKind::Text, true}, {"value", KeyKind::ScalarOrNull, true}}},
        {"set-all",
         {{"what", KeyKind::Text, true},
          {"in", KeyKind::Text, false},
          {"type", KeyKind::Text, false},
          {"column", KeyKind::Text, true},
          {"value", KeyKind::ScalarOrNull, true}}},
        {"phase-plant", {}},
        {"assign-phase",
         {{"phase", KeyKind::Integer, true}, {"entities", KeyKind::Texts, false}, {"by", KeyKind::Text, false}, {"system", KeyKind::Text, false}}},
        {"price",
         {{"part", KeyKind::Text, true},
          {"each", KeyKind::Scalar, false},
          {"per_meter", KeyKind::Scalar, false},
          {"currency", KeyKind::Text, false},
          {"source", KeyKind::Text, true},
          {"supplier", KeyKind::Text, false},
          {"date", KeyKind::Text, false},
          {"trust", KeyKind::Text, false},
          {"lead_days", KeyKind::Integer, false}}},
        {"connect", {{"from", KeyKind::Text, true}, {"to", KeyKind::Text, true}}},
        {"disconnect", {{"from", KeyKind::Text, true}, {"to", KeyKind::Text, false}}},
        {"panel",
         {{"panel", KeyKind::Text, true},
          {"trunk", KeyKind::Text, false},
          {"cord", KeyKind::Text, false},
          {"rule", KeyKind::Text, false},
          {"from", KeyKind::Text, false},
          {"to", KeyKind::Text, false},
          {"from_rack", KeyKind::Text, false},
          {"to_rack", KeyKind::Text, false},
          {"by", KeyKind::Text, false}}},
        {"unpanel", {{"from", KeyKind::Text, false}, {"to", KeyKind::Text, false}, {"rule", KeyKind::Text, false}}},
        {"lead",
         {{"entity", KeyKind::Text, false},
          {"from", KeyKind::Text, false},
          {"to", KeyKind::Text, false},
          {"trays", KeyKind::Texts, true},
          {"together", KeyKind::Flag, false}}},
        {"set-cable-length", withCable({"length_mm", KeyKind::Integer, true})},
        {"set-cable-type", withCable({"type", KeyKind::TextOrNull, true})},
        {"waive",
         {{"finding", KeyKind::Text, true}, {"reason", KeyKind::Text, true}, {"author", KeyKind::Text, false}, {"date", KeyKind::Text, false}}},
        {"unwaive", {{"finding", KeyKind::Text, true}}},
        {"accept-gate",
         {{"segment", KeyKind::Text, true},
          {"network", KeyKind::Text, false},
          {"gate", KeyKind::Integer, true},
          {"result", KeyKind::Text, true},
          {"evidence", KeyKind::Text, false},
          {"author", KeyKind::Text, false},
          {"date", KeyKind::Text, false}}},
        {"set-setting", {{"key", KeyKind::Text, true}, {"value", KeyKind::ScalarOrNull, true}}},
        {"set-limit", {{"entity", KeyKind::Text, true}, {"limit_w", KeyKind::Integer, true}}},
        {"bind",
         {{"channel", KeyKind::Text, true},
          {"entity", KeyKind::Text, true},
          {"measure", KeyKind::Text, true},
          {"element", KeyKind::Text, false},
          {"unit", KeyKind::Text, false}}},
        {"unbind", {{"channel", KeyKind::Text, true}}},
        {"set-aside", {{"channel", KeyKind::Text, true}}},
        {"undo", {}},
        {"redo", {}},
    };
    return all;
}

Text wanted(KeyKind kind)
{
    switch (kind) {
    case KeyKind::Text: return i18n("a string");
    case KeyKind::Integer: return i18n("an integer");
    case KeyKind::Scalar: return i18n("a number, a string, true or false");
    case KeyKind::ScalarOrNull: return i18n("a number, a string, true, false or null");
    case KeyKind::TextOrNull: return i18n("a string or null");
    case KeyKind::Flag: return i18n("true or false");
    case KeyKind::Definition: return i18n("a string, an object or a list of objects");
    case KeyKind::Scalars: return i18n("an object of name/value pairs");
    case KeyKind::Texts: return i18n("a list of strings");
    }
    return {};
}

bool fits(const json& value, KeyKind kind)
{
    switch (kind) {
    case KeyKind::Text: return value.is_string();
    case KeyKind::Integer: return value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX));
    case KeyKind::ScalarOrNull: return value.is_null() || fits(value, KeyKind::Scalar);
    case KeyKind::Scalar: return value.is_string() || value.is_number() || value.is_boolean();
    case KeyKind::TextOrNull: return value.is_string() || value.is_null();
    case KeyKind::Flag: return value.is_boolean();
    case KeyKind::Definition: return value.is_string() || value.is_object() || value.is_array();
    case KeyKind::Texts: return value.is_array() && std::ranges::all_of(value, [](const json& one) { return one.is_string(); });
    case KeyKind::Scalars: return value.is_object() && std::ranges::all_of(value, [](const json& one) { return fits(one, KeyKind::Scalar); });
    }
    return false;
}

constexpr int kDeepest = 64;
struct TooDeep {};

/// Where the parser stands, for errors that JSON libraries give without a place.
struct Position {
    std::size_t edit = 0; ///< from 1; 0 = before the first
    std::string key;

    [[nodiscard]] std::string where(std::string_view name) const
    {
        return std::string(name) + (edit ? ": edit " + std::to_string(edit) : "") +
               (key.empty() ? "" : (edit ? ", key \"" : ": key \"") + key + "\"");
    }
};

/// Reads as `json::parse` does and says where it is. (Its callback would look through the whole list again after each edit.)
class ScriptReader : public nlohmann::detail::json_sax_dom_parser<json> {
public:
    ScriptReader(json& script, Position& at) : json_sax_dom_parser(script), m_at(at) {}
    bool start_object(std::size_t size)
    {
        if (m_depth == 2) ++m_at.edit, m_at.key.clear();
        return deeper() && json_sax_dom_parser::start_object(size);
    }
    bool start_array(std::size_t size) { return deeper() && json_sax_dom_parser::start_array(size); }
    bool end_object() { return --m_depth, json_sax_dom_parser::end_object(); }
    bool end_array() { return --m_depth, json_sax_dom_parser::end_array(); }
    bool key(std::string& name)
    {
        m_at.key = name;
        return json_sax_dom_parser::key(name);
    }

private:
    bool deeper()
    {
        if (m_depth++ > kDeepest) throw TooDeep{};
        return true;
    }
    Position& m_at;
    int m_depth = 0; ///< objects and lists that are open
};

std::string shortened(const json& value)
{
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() > 40 ? text.substr(0, 40) + "…" : text;
}

tl::unexpected<Error> wrong(std::string where, Text what, Text todo)
{
    return fail(ErrorCode::Unreadable, std::move(where), std::move(what), std::move(todo));
}

/// Columns as keys: of the kind that the edit names.
Result<void> checkColumn(const json& edit, const Action& action, const std::string& name, const json& value, const std::string& where)
{
    const auto word = edit.contains("what") && edit["what"].is_string() ? edit["what"].get<std::string>() : std::string();
    const auto kind = action.columns ? kindOfWord(word) : std::nullopt;
    if (!kind || !findField(*kind, name))
        return wrong(where, kind ? i18n("unknown key for a {}", kindText(*kind)) : i18n("unknown key for {}", action.name),
                     i18n("remove it; `edit --help` lists the keys"));
    if (!fits(value, KeyKind::ScalarOrNull))
        return wrong(where, i18n("{} is not {}", shortened(value), wanted(KeyKind::ScalarOrNull)), i18n("correct the value"));
    return {};
}

/// Keys of which one must be there, or that go together.
Result<void> checkTogether(const json& edit, const Action& action, const std::string& where)
{
    const bool panels = action.name == std::string_view("panel") || action.name == std::string_view("unpanel");
    if (action.name == std::string_view("unpanel") && edit.contains("from") == edit.contains("rule"))
        return wrong(where + ", key \"from\"", i18n("specify the links with either from or rule"), i18n("use one of the two"));
    const bool cable = !panels && std::any_of(action.keys.begin(), action.keys.end(),
                                              [](const Key& k) { return k.name == std::string_view("from") && !k.required; });
    if (cable && edit.contains("entity") == edit.contains("from"))
        return wrong(where + ", key \"entity\"", i18n("specify the cable with either entity or from"), i18n("use one of the two"));
    if (action.name == std::string_view("panel") && edit.contains("by") && edit["by"] != "row" && edit["by"] != "rack")
        return wrong(where + ", key \"by\"", i18n("{} is neither row nor rack", shortened(edit["by"])),
                     i18n("specify whether panels are shared by row or by rack"));
    if (action.name == std::string_view("place")) {
        if (edit.contains("rack") == edit.contains("hall"))
            return wrong(where + ", key \"rack\"", i18n("specify the location with either rack or hall"), i18n("use one of the two"));
        if (edit.contains("rack") && !edit.contains("u")) return wrong(where + ", key \"u\"", i18n("missing"), i18n("specify an integer"));
    }
    if (action.name == std::string_view("price") && !edit.contains("each") && !edit.contains("per_meter"))
        return wrong(where + ", key \"each\"", i18n("missing"), i18n("specify each or per_meter"));
    const bool named = action.name == std::string_view("add") || action.name == std::string_view("set-all");
    if (named && !kindOfWord(edit["what"].get<std::string>()))
        return wrong(where + ", key \"what\"", i18n("{} is not an object type", shortened(edit["what"])),
                     i18n("for example rack, device or part-type"));
    return {};
}

Result<void> checkKeys(const json& edit, const Action& action, const std::string& where)
{
    for (const auto& [name, value] : edit.items()) {
        if (name == "do") continue;
        const std::string at = where + ", key \"" + name + "\"";
        const auto key = std::find_if(action.keys.begin(), action.keys.end(), [&, name = name](const Key& k) { return k.name == name; });
        if (key == action.keys.end()) {
            if (!action.columns) return wrong(at, i18n("unknown key for {}", action.name), i18n("remove it"));
            if (auto fine = checkColumn(edit, action, name, value, at); !fine) return fine;
        } else if (!fits(value, key->kind)) {
            return wrong(at, i18n("{} is not {}", shortened(value), wanted(key->kind)), i18n("correct the value"));
        }
    }
    for (const auto& key : action.keys)
        if (key.required && !edit.contains(key.name))
            return wrong(where + ", key \"" + key.name + "\"", i18n("missing"), i18n("specify {}", wanted(key.kind)));
    return checkTogether(edit, action, where);
}

/// Keys in the spelling that the action has for them.
void respell(json& edit, const Action& action)
{
    for (const Key& key : action.keys)
        if (const std::string other(otherSpelling(key.name)); !other.empty() && edit.contains(other) && !edit.contains(key.name)) {
            edit[key.name] = std::move(edit[other]);
            edit.erase(other);
        }
}

Result<ScriptEdit> checkEdit(json& edit, std::size_t number, std::string_view name)
{
    const std::string where = std::string(name) + ": edit " + std::to_string(number);
    if (!edit.is_object()) return wrong(where, i18n("{} is not an object", shortened(edit)), i18n("use the form {{\"do\": …}}"));
    if (!edit.contains("do") || !edit["do"].is_string())
        return wrong(where + ", key \"do\"", i18n("missing or not a string"), i18n("specify an action, for example \"move\""));
    const std::string verb = edit["do"];
    const auto action = std::find_if(actions().begin(), actions().end(), [&](const Action& a) { return a.name == verb; });
    if (action == actions().end()) {
        std::vector<std::string> known;
        for (const auto& a : actions()) known.emplace_back(a.name);
        return wrong(where + ", key \"do\"", i18n("{}: unknown edit action", shortened(edit["do"])), i18n("known: {}", listedNames(known)));
    }
    respell(edit, *action);
    if (auto fine = checkKeys(edit, *action, where); !fine) return tl::unexpected(fine.error());
    return ScriptEdit{number, verb, edit.dump()};
}

} // namespace

Text describeEdits()
{
    std::string text, columns;
    for (const auto& action : actions()) {
        text += std::string("  ") + action.name;
        for (const auto& key : action.keys) text += key.required ? std::string(" ") + key.name : std::string(" [") + key.name + "]";
        text += action.columns ? " [COLUMN]...\n" : "\n";
    }
    schemaSnapshot().eachTable([&](const auto& table) {
        const auto kind = kKindOf<std::decay_t<decltype(table)>>;
        std::string names;
        for (const Field& field : fieldsOf(kind))
            if (field.column != "name") names += (names.empty() ? "" : ", ") + field.column;
        if (!names.empty()) columns += "  " + kindWord(kind) + ": " + names + "\n";
    });
    return i18n("{}Columns for add and set; numbers may have a unit (\"35 kW\", \"1.2 m\"), null means none:\n{}", text, columns);
}

Result<std::vector<ScriptEdit>> parseScript(std::string_view text, std::string_view name)
{
    json script;
    Position at;
    try {
        ScriptReader reader(script, at);
        json::sax_parse(text, &reader);
    } catch (const TooDeep&) {
        return wrong(at.where(name), i18n("nested more than {} levels deep", kDeepest), i18n("correct the file"));
    } catch (const json::parse_error& e) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(e.byte, text.size())), '\n');
        std::string what = e.what();
        if (const auto start = what.find("syntax error"); start != std::string::npos) what.erase(0, start); // no text
        return wrong(std::string(name) + ":" + std::to_string(line), i18n("invalid JSON: {}", what), i18n("correct the file"));
    } catch (const json::exception& e) { // a number that no double can hold
        std::string what = e.what();
        if (const auto end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
        return wrong(at.where(name), verbatim(what), i18n("correct the value"));
    }
    if (!script.is_object() || !script.contains("edits") || !script["edits"].is_array())
        return wrong(std::string(name) + ", key \"edits\"", i18n("missing or not a list"), i18n("use the form {{\"edits\": [ … ]}}"));
    for (const auto& [key, value] : script.items())
        if (key != "edits" && key != "schema") return wrong(std::string(name) + ", key \"" + key + "\"", i18n("unknown key"), i18n("remove it"));
    std::vector<ScriptEdit> edits;
    for (auto& edit : script["edits"]) {
        auto checked = checkEdit(edit, edits.size() + 1, name);
        if (!checked) return tl::unexpected(checked.error());
        edits.push_back(std::move(*checked));
    }
    return edits;
}

Result<std::vector<ScriptEdit>> readScript(const std::filesystem::path& path)
{
    constexpr std::size_t kLargest = std::size_t(256) << 20;
    std::error_code error;
    std::ifstream file(path, std::ios::binary);
    if (std::filesystem::is_directory(path, error) || !file)
        return wrong(path.string(), i18n("cannot be read"), i18n("check the path and its permissions"));
    std::string text;
    std::vector<char> buffer(65536); // a pipe ends when its writer closes it
    while (text.size() <= kLargest && (file.read(buffer.data(), std::streamsize(buffer.size())), file.gcount() > 0))
        text.append(buffer.data(), std::size_t(file.gcount()));
    if (file.bad()) return wrong(path.string(), i18n("cannot be read"), i18n("check the disk"));
    if (text.size() > kLargest) return wrong(path.string(), i18n("larger than 256 MiB"), i18n("split the script"));
    return parseScript(text, path.string());
}

} // namespace hw::edit
