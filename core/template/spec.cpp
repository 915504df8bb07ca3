// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/spec.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace hw {

namespace {

using Words = std::set<std::string>;

/// Reads one file; remembers its name for error places.
class Reader {
public:
    explicit Reader(std::string file) : m_file(std::move(file)) {}

    [[nodiscard]] std::string place(const YAML::Node& node, const std::string& key) const
    {
        return fmt::format("{}:{}: {}", m_file, node.Mark().line + 1, key);
    }
    [[noreturn]] void refuse(const YAML::Node& node, const std::string& key, std::string what, std::string todo) const
    {
        throw TemplateFailure{Error{ErrorCode::Unreadable, place(node, key), std::move(what), std::move(todo)}};
    }

    [[nodiscard]] std::string word(const YAML::Node& node, const std::string& key) const
    {
        if (!node.IsScalar()) refuse(node, key, "must be a single value", "write it on one line");
        return node.Scalar();
    }
    [[nodiscard]] ExpressionText expression(const YAML::Node& node, const std::string& key) const { return {word(node, key), place(node, key)}; }

    [[nodiscard]] std::int64_t number(const YAML::Node& node, const std::string& key) const
    {
        std::int64_t value = 0;
        if (!text::fromText(word(node, key), value)) refuse(node, key, fmt::format("'{}' is not a whole number", node.Scalar()), "write a whole number");
        return value;
    }

    void checkKeys(const YAML::Node& node, const std::string& key, const Words& known) const
    {
        if (!node.IsMap()) refuse(node, key, "must be a mapping", "write key: value lines");
        for (const auto& entry : node)
            if (const auto name = entry.first.Scalar(); !known.contains(name))
                refuse(entry.first, key + "." + name, "unknown key", "known here: " + fmt::format("{}", fmt::join(known, ", ")));
    }

    template <class F>
    void forEachEntry(const YAML::Node& node, const std::string& key, F&& f) const
    {
        if (!node) return;
        if (!node.IsMap()) refuse(node, key, "must be a mapping", "write name: … lines");
        for (const auto& entry : node) f(entry.first.Scalar(), entry.second, key + "." + entry.first.Scalar());
    }

    [[nodiscard]] std::vector<std::pair<std::string, ExpressionText>> pairs(const YAML::Node& node, const std::string& key) const
    {
        std::vector<std::pair<std::string, ExpressionText>> result;
        forEachEntry(node, key, [&](const std::string& name, const YAML::Node& value, const std::string& path) {
            result.emplace_back(name, expression(value, path));
        });
        return result;
    }
    [[nodiscard]] std::map<std::string, ExpressionText> mapping(const YAML::Node& node, const std::string& key) const
    {
        const auto list = pairs(node, key);
        return {list.begin(), list.end()};
    }

    [[nodiscard]] MemberSpec member(const YAML::Node& node, const std::string& key) const
    {
        if (node.IsScalar()) return {node.Scalar(), {}, place(node, key)};
        checkKeys(node, key, {"set", "at"});
        if (!node["set"]) refuse(node, key, "'set' is missing", "name the set");
        return {word(node["set"], key + ".set"), mapping(node["at"], key + ".at"), place(node, key)};
    }

    [[nodiscard]] SetSpec set(const std::string& name, const YAML::Node& node, const std::string& key, Words fields) const
    {
        Words known = fields;
        known.insert({"in", "each", "when", "type", "rack", "hall", "ports"});
        checkKeys(node, key, known);
        SetSpec result;
        result.name = name;
        result.where = place(node, key);
        if (node["in"]) result.parent = word(node["in"], key + ".in");
        result.each = pairs(node["each"], key + ".each");
        fields.insert("when");
        for (const auto& field : fields) {
            const auto value = node[field];
            if (!value) continue;
            if (!value.IsSequence()) result.fields[field] = expression(value, key + "." + field);
            else
                for (std::size_t i = 0; i < value.size(); ++i)
                    result.fields[field + std::string(1, "xyz"[i % 3])] = expression(value[i], fmt::format("{}.{}[{}]", key, field, i));
        }
        if (const auto type = node["type"]; type && type.IsSequence())
            for (const auto& entry : type) result.types.push_back(expression(entry, key + ".type"));
        else if (type)
            result.types.push_back(expression(type, key + ".type"));
        for (const auto* place : {"rack", "hall"})
            if (node[place]) result.members[place] = member(node[place], key + "." + place);
        forEachEntry(node["ports"], key + ".ports", [&](const std::string& group, const YAML::Node& value, const std::string& path) {
            checkKeys(value, path, {"role", "cages", "split", "network", "first", "medium"});
            result.ports.push_back({group, mapping(value, path), place(value, path)});
        });
        return result;
    }

    [[nodiscard]] std::vector<SetSpec> sets(const YAML::Node& root, const std::string& section, const Words& fields) const
    {
        std::vector<SetSpec> result;
        forEachEntry(root[section], section, [&](const std::string& name, const YAML::Node& value, const std::string& path) {
            result.push_back(set(name, value, path, fields));
        });
        return result;
    }

    [[nodiscard]] LinkSpec link(const std::string& name, const YAML::Node& node, const std::string& key) const
    {
        checkKeys(node, key, {"network", "medium", "from", "to", "at", "free", "each", "when", "from_index", "to_index", "backup"});
        LinkSpec result;
        result.name = name;
        result.where = place(node, key);
        const auto end = [&](const char* side, std::string& tier, std::string& group) {
            if (!node[side]) refuse(node, key, fmt::format("'{}' is missing", side), "write tier.portgroup");
            const auto text = word(node[side], key + "." + side);
            const auto dot = text.find('.');
            if (dot == std::string::npos) refuse(node[side], key + "." + side, fmt::format("'{}' names no port group", text), "write tier.portgroup");
            tier = text.substr(0, dot);
            group = text.substr(dot + 1);
        };
        end("from", result.from, result.fromGroup);
        end("to", result.to, result.toGroup);
        result.at = mapping(node["at"], key + ".at");
        for (const auto& entry : node["free"]) result.free.push_back(word(entry, key + ".free"));
        result.each = pairs(node["each"], key + ".each");
        for (const auto* field : {"network", "medium", "when", "from_index", "to_index", "backup"})
            if (node[field]) result.fields[field] = expression(node[field], key + "." + field);
        return result;
    }

    [[nodiscard]] Parameter parameter(const std::string& name, const YAML::Node& node, const std::string& key, std::string& limit) const
    {
        checkKeys(node, key, {"default", "min", "max", "unit", "label", "help", "limit"});
        for (const auto* needed : {"default", "min", "max"})
            if (!node[needed]) refuse(node, key, fmt::format("'{}' is missing", needed), "every parameter has default, min and max");
        Parameter p;
        p.name = name;
        p.defaultValue = number(node["default"], key + ".default");
        p.minimum = number(node["min"], key + ".min");
        p.maximum = number(node["max"], key + ".max");
        p.unit = node["unit"].as<std::string>("");
        p.label = node["label"].as<std::string>(name);
        p.help = node["help"].as<std::string>("");
        limit = node["limit"].as<std::string>("");
        if (p.minimum > p.maximum || p.defaultValue < p.minimum || p.defaultValue > p.maximum)
            refuse(node, key, "min, default and max are out of order", "make min <= default <= max");
        return p;
    }

private:
    std::string m_file;
};

} // namespace

std::shared_ptr<const TemplateSpec> readTemplate(const std::string& yaml, const std::string& where)
{
    const Reader reader(where);
    auto spec = std::make_shared<TemplateSpec>();
    spec->text = yaml;
    spec->file = where;
    YAML::Node root;
    try {
        root = YAML::Load(yaml);
    } catch (const YAML::Exception& e) {
        throw TemplateFailure{Error{ErrorCode::Unreadable, fmt::format("{}:{}", where, e.mark.line + 1), "not YAML: " + e.msg, "correct the syntax"}};
    }
    if (!root.IsMap()) throw TemplateFailure{Error{ErrorCode::Unreadable, where, "not a template", "start with 'template: NAME'"}};
    reader.checkKeys(root, "template",
                     {"template", "title", "summary", "source", "parameters", "values", "constraints", "networks", "buildings", "halls", "rows",
                      "racks", "trays", "tiers", "links", "settings", "waivers", "parts"});
    if (!root["template"]) throw TemplateFailure{Error{ErrorCode::Unreadable, where + ": template", "the name is missing", "start with 'template: NAME'"}};
    spec->name = reader.word(root["template"], "template");
    spec->title = root["title"].as<std::string>(spec->name);
    spec->summary = root["summary"].as<std::string>("");
    spec->source = root["source"].as<std::string>("");
    reader.forEachEntry(root["parameters"], "parameters", [&](const std::string& name, const YAML::Node& node, const std::string& key) {
        spec->parameters.push_back(reader.parameter(name, node, key, spec->limits[name]));
    });
    spec->values = reader.pairs(root["values"], "values");
    for (const auto& node : root["constraints"]) {
        reader.checkKeys(node, "constraints", {"require", "message"});
        spec->constraints.push_back({reader.expression(node["require"], "constraints.require"), reader.expression(node["message"], "constraints.message")});
    }
    spec->networks = reader.sets(root, "networks", {"label", "planes", "rails", "color"});
    spec->buildings = reader.sets(root, "buildings", {"name", "kind", "at", "size", "it_limit_w"});
    spec->halls = reader.sets(root, "halls", {"name", "at", "size"});
    spec->rows = reader.sets(root, "rows", {"name", "at", "angle", "cell"});
    spec->racks = reader.sets(root, "racks", {"name", "type_index", "along", "across", "power_limit_w"});
    spec->trays = reader.sets(root, "trays", {"name", "kind", "from", "to", "plane", "count"});
    spec->tiers = reader.sets(root, "tiers", {"name", "label", "kind", "network", "level", "role", "backup", "u", "at", "type_index"});
    reader.forEachEntry(root["links"], "links", [&](const std::string& name, const YAML::Node& node, const std::string& key) {
        spec->links.push_back(reader.link(name, node, key));
    });
    reader.forEachEntry(root["settings"], "settings", [&](const std::string& name, const YAML::Node& node, const std::string& key) {
        spec->settings.emplace_back(name, reader.word(node, key));
    });
    for (const auto& node : root["waivers"]) {
        reader.checkKeys(node, "waivers", {"finding", "reason", "each"});
        spec->waivers.push_back({reader.expression(node["finding"], "waivers.finding"), reader.word(node["reason"], "waivers.reason"), reader.pairs(node["each"], "waivers.each")});
    }
    for (const auto& node : root["parts"]) spec->parts.push_back(reader.word(node, "parts"));
    return spec;
}

} // namespace hw
