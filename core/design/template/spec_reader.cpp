// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/spec_reader.h"

#include "core/design/template/yaml_source.h"
#include "core/foundation/model/text_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

namespace {

/// There are no half devices: a count that may not divide is rounded down.
void roundDown(ExpressionText& count)
{
    if (count.text.find('/') != std::string::npos) count.text = "floor(" + count.text + ")";
}

void roundDown(std::vector<std::pair<std::string, ExpressionText>>& counts)
{
    for (auto& [name, count] : counts) roundDown(count);
}

} // namespace

std::string SpecReader::place(const YAML::Node& node, const std::string& key) const
{
    const std::string file = fileOf(node);
    return fmt::format("{}:{}: {}", file.empty() ? m_file : file, node.Mark().line + 1, key);
}

void SpecReader::refuse(const YAML::Node& node, const std::string& key, Text what, Text todo) const
{
    throw TemplateFailure{Error{ErrorCode::Unreadable, place(node, key), std::move(what), std::move(todo)}};
}

std::string SpecReader::word(const YAML::Node& node, const std::string& key) const
{
    if (node.IsNull())
        refuse(node, key, i18n("has no value"), i18n("specify a value; in {{…}} an unquoted comma ends a text and starts the next key"));
    if (!node.IsScalar()) refuse(node, key, i18n("must be a single value"), i18n("write it on a single line"));
    return node.Scalar();
}

std::string SpecReader::wordOr(const YAML::Node& parent, const char* field, const std::string& key, const std::string& fallback) const
{
    const YAML::Node node = parent[field];
    return node ? word(node, key.empty() ? field : key + "." + field) : fallback;
}

std::vector<std::string> SpecReader::words(const YAML::Node& node, const std::string& key) const
{
    std::vector<std::string> result;
    if (node && node.IsScalar()) return {node.Scalar()};
    forEachElement(node, key, [&](const YAML::Node& entry) { result.push_back(word(entry, key)); });
    return result;
}

std::int64_t SpecReader::number(const YAML::Node& node, const std::string& key) const
{
    std::int64_t value = 0;
    if (!text::fromText(word(node, key), value)) refuse(node, key, i18n("'{}' is not an integer", node.Scalar()), i18n("use a whole number"));
    return value;
}

std::vector<std::pair<std::string, ExpressionText>> SpecReader::pairs(const YAML::Node& node, const std::string& key) const
{
    std::vector<std::pair<std::string, ExpressionText>> result;
    forEachEntry(node, key, [&](const std::string& name, const YAML::Node& value, const std::string& path) {
        result.emplace_back(name, expression(value, path));
    });
    return result;
}

std::map<std::string, ExpressionText> SpecReader::mapping(const YAML::Node& node, const std::string& key) const
{
    const auto list = pairs(node, key);
    return {list.begin(), list.end()};
}

void SpecReader::checkKeys(const YAML::Node& node, const std::string& key, const Words& known) const
{
    if (!node.IsMap()) refuse(node, key, i18n("must be a mapping"), i18n("use key: value lines"));
    for (const auto& entry : node)
        if (const auto name = entry.first.IsScalar() ? entry.first.Scalar() : std::string("?"); !known.contains(name)) {
            if (entry.second.IsNull() && node.Style() == YAML::EmitterStyle::Flow)
                refuse(entry.first, key + "." + name, i18n("unknown key '{}' without a value: an unquoted comma in {{…}} ends a text", name),
                       i18n("quote the entire preceding text"));
            refuse(entry.first, key + "." + name, i18n("unknown key"), i18n("known keys: {}", listedNames(known)));
        }
}

MemberSpec SpecReader::member(const YAML::Node& node, const std::string& key) const
{
    if (node.IsScalar()) return {node.Scalar(), {}, place(node, key)};
    checkKeys(node, key, {"set", "at"});
    if (!node["set"]) refuse(node, key, i18n("'set' is missing"), i18n("specify the set"));
    return {word(node["set"], key + ".set"), mapping(node["at"], key + ".at"), place(node, key)};
}

void SpecReader::readFields(const YAML::Node& node, const std::string& key, const Words& fields, SetSpec& set) const
{
    for (const auto& field : fields) {
        const auto value = node[field];
        if (!value) continue;
        if (!value.IsSequence())
            set.fields[field] = expression(value, key + "." + field);
        else
            for (std::size_t i = 0; i < value.size(); ++i)
                set.fields[field + std::string(1, "xyz"[i % 3])] = expression(value[i], fmt::format("{}.{}[{}]", key, field, i));
    }
}

SetSpec SpecReader::set(const std::string& name, const YAML::Node& node, const std::string& key, Words fields) const
{
    Words known = fields;
    known.insert({"in", "each", "when", "type", "rack", "hall", "ports"});
    checkKeys(node, key, known);
    SetSpec result;
    result.name = name;
    result.where = place(node, key);
    if (node["in"]) result.parent = word(node["in"], key + ".in");
    result.each = pairs(node["each"], key + ".each");
    roundDown(result.each);
    fields.insert("when");
    readFields(node, key, fields, result);
    const YAML::Node type = node["type"];
    if (type && type.IsSequence())
        for (const auto& entry : type) result.types.push_back(expression(entry, key + ".type"));
    else if (type)
        result.types.push_back(expression(type, key + ".type"));
    for (const auto* where : {"rack", "hall"})
        if (node[where]) result.members[where] = member(node[where], key + "." + where);
    forEachEntry(node["ports"], key + ".ports", [&](const std::string& group, const YAML::Node& value, const std::string& path) {
        checkKeys(value, path, {"role", "cages", "split", "network", "first", "interfaces", "medium"});
        result.ports.push_back({group, mapping(value, path), place(value, path)});
        if (const auto cages = result.ports.back().fields.find("cages"); cages != result.ports.back().fields.end()) roundDown(cages->second);
    });
    return result;
}

std::vector<SetSpec> SpecReader::sets(const YAML::Node& root, const std::string& section, const Words& fields) const
{
    std::vector<SetSpec> result;
    forEachEntry(root[section], section, [&](const std::string& name, const YAML::Node& value, const std::string& path) {
        result.push_back(set(name, value, path, fields));
    });
    return result;
}

LinkSpec SpecReader::link(const std::string& name, const YAML::Node& node, const std::string& key) const
{
    checkKeys(node, key,
              {"network", "medium", "from", "to", "at", "free", "each", "when", "from_index", "to_index", "backup", "spread", "count", "panels"});
    LinkSpec result;
    result.name = name;
    result.where = place(node, key);
    const auto end = [&](const char* side, std::string& tier, std::string& group) {
        if (!node[side]) refuse(node, key, i18n("'{}' is missing", side), i18n("use tier.portgroup"));
        const auto text = word(node[side], key + "." + side);
        const auto dot = text.find('.');
        if (dot == std::string::npos)
            refuse(node[side], key + "." + side, i18n("'{}' does not specify a port group", text), i18n("use tier.portgroup"));
        tier = text.substr(0, dot);
        group = text.substr(dot + 1);
    };
    end("from", result.from, result.fromGroup);
    end("to", result.to, result.toGroup);
    result.at = mapping(node["at"], key + ".at");
    result.free = words(node["free"], key + ".free");
    result.each = pairs(node["each"], key + ".each");
    roundDown(result.each);
    for (const auto* field : {"network", "medium", "when", "from_index", "to_index", "backup", "count"})
        if (node[field]) result.fields[field] = expression(node[field], key + "." + field);
    if (const YAML::Node panels = node["panels"]) {
        const std::string path = key + ".panels";
        checkKeys(panels, path, {"panel", "trunk", "cord", "by", "when"});
        if (!panels["panel"]) refuse(panels, path, i18n("has no 'panel'"), i18n("specify the part used as patch panel"));
        for (const auto* field : {"panel", "trunk", "cord", "by", "when"})
            if (panels[field]) result.fields[std::string("panels.") + field] = expression(panels[field], path + "." + field);
        if (panels["by"])
            if (const auto by = word(panels["by"], path + ".by"); by != "row" && by != "rack")
                refuse(panels["by"], path + ".by", i18n("'{}' is neither row nor rack", by),
                       i18n("specify whether panels are shared by row or by rack"));
    }
    if (node["count"]) roundDown(result.fields.at("count"));
    result.spread = node["spread"] && oneOfFlag(word(node["spread"], key + ".spread")).value_or(false);
    if (node["spread"] && !oneOfFlag(word(node["spread"], key + ".spread")))
        refuse(node["spread"], key + ".spread", i18n("'{}' is neither true nor false", node["spread"].Scalar()), i18n("use true or false"));
    if (result.spread)
        for (const auto* field : {"each", "from_index", "to_index"})
            if (node[field]) refuse(node[field], key + "." + field, i18n("cannot be combined with 'spread'"), i18n("omit one of the two"));
    if (!result.spread && node["count"]) refuse(node["count"], key + ".count", i18n("only valid with 'spread'"), i18n("use 'each' instead"));
    return result;
}

} // namespace hw
