// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/spec_reader.h"
#include "core/foundation/model/text_values.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

namespace {

constexpr TextId kWhatIsNeeded = TextId("every parameter needs default, min and max, or default and choices, or default and flag");

bool isNumber(const ExpressionText& fact)
{
    std::int64_t value = 0;
    return text::fromText(fact.text, value);
}

} // namespace

/// `choices: [a, b]`, or a mapping of choices to their facts: `choices: {a: {type: slug-a, gbps: 400}, b: …}`.
void SpecReader::readChoices(const YAML::Node& node, const std::string& key, ReadParameter& read) const
{
    const YAML::Node choices = node["choices"];
    Parameter& p = read.parameter;
    for (const auto* field : {"min", "max", "flag"})
        if (node[field]) refuse(node[field], key + "." + field, i18n("cannot be combined with 'choices'"), i18n("omit one of the two"));
    if (choices.IsMap())
        readFacts(choices, key + ".choices", read);
    else
        p.choices = words(choices, key + ".choices");
    if (p.choices.empty()) refuse(choices, key + ".choices", i18n("list is empty"), i18n("list the choices"));
    auto sorted = p.choices;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        refuse(choices, key + ".choices", i18n("a name occurs twice"), i18n("list each choice once"));
    p.maximum = std::int64_t(p.choices.size()) - 1;
}

void SpecReader::readFacts(const YAML::Node& choices, const std::string& key, ReadParameter& read) const
{
    forEachEntry(choices, key, [&](const std::string& choice, const YAML::Node& node, const std::string& path) {
        const auto facts = mapping(node, path);
        if (!read.parameter.choices.empty())
            for (const auto& [fact, values] : read.facts)
                if (!facts.contains(fact))
                    refuse(node, path, i18n("'{}' is missing, but other choices have it", fact), i18n("give every choice the same attributes"));
        for (const auto& [fact, value] : facts) {
            auto& values = read.facts[fact];
            if (values.size() != read.parameter.choices.size())
                refuse(node, path + "." + fact, i18n("preceding choices lack this attribute"), i18n("give every choice the same attributes"));
            values.push_back(value);
        }
        read.parameter.choices.push_back(choice);
    });
}

void SpecReader::readRange(const YAML::Node& node, const std::string& key, Parameter& p) const
{
    for (const auto* needed : {"min", "max"})
        if (!node[needed]) refuse(node, key, i18n("'{}' is missing", needed), kWhatIsNeeded);
    p.minimum = number(node["min"], key + ".min");
    p.maximum = number(node["max"], key + ".max");
}

std::int64_t SpecReader::valueOf(const Parameter& p, const YAML::Node& node, const std::string& key) const
{
    const auto value = p.valueOf(word(node, key));
    if (value && *value >= p.minimum && *value <= p.maximum) return *value;
    if (!p.choices.empty()) refuse(node, key, i18n("'{}' is not one of the choices", node.Scalar()), i18n("use {}", listedNames(p.choices)));
    if (p.flag) refuse(node, key, i18n("'{}' is neither 0 nor 1", node.Scalar()), i18n("use 0 or 1"));
    if (!value) refuse(node, key, i18n("'{}' is not an integer", node.Scalar()), i18n("use a whole number"));
    refuse(node, key, i18n("{} is outside the range {} to {}: min, default and max are out of order", *value, p.minimum, p.maximum),
           i18n("ensure that min <= default <= max"));
}

SpecReader::ReadParameter SpecReader::parameter(const std::string& name, const YAML::Node& node, const std::string& key) const
{
    checkKeys(node, key, {"default", "min", "max", "choices", "flag", "unit", "one", "label", "help", "limit", "fixed"});
    if (!node["default"] && !node["fixed"]) refuse(node, key, i18n("'default' is missing"), kWhatIsNeeded);
    ReadParameter read;
    Parameter& p = read.parameter;
    p.name = name;
    p.unit = wordOr(node, "unit", key, "");
    if (node["one"] && p.unit.empty()) refuse(node["one"], key + ".one", i18n("'{}' is missing", "unit"), i18n("use unit: pods, one: pod"));
    p.unitOfOne = wordOr(node, "one", key, p.unit);
    p.label = wordOr(node, "label", key, name);
    p.help = wordOr(node, "help", key, "");
    read.limit = wordOr(node, "limit", key, "");
    if (const YAML::Node flag = node["flag"]) {
        const auto on = oneOfFlag(word(flag, key + ".flag"));
        if (!on) refuse(flag, key + ".flag", i18n("'{}' is neither true nor false", flag.Scalar()), i18n("use true"));
        p.flag = *on;
    }
    if (node["choices"])
        readChoices(node, key, read);
    else if (p.flag)
        p.maximum = 1;
    else
        readRange(node, key, p);
    if (p.minimum > p.maximum) refuse(node, key, i18n("min, default and max are out of order"), i18n("ensure that min <= default <= max"));
    if (node["default"]) p.defaultValue = valueOf(p, node["default"], key + ".default");
    if (node["fixed"]) read.fixed = ExpressionText{std::to_string(valueOf(p, node["fixed"], key + ".fixed")), place(node["fixed"], key + ".fixed")};
    return read;
}

/// A parameter that is fixed is a value, and so is every number that its choices tell.
void SpecReader::add(ReadParameter&& read, TemplateSpec& spec) const
{
    const std::string& name = read.parameter.name;
    for (const auto& [fact, values] : read.facts) {
        spec.facts[name][fact] = values;
        if (!std::all_of(values.begin(), values.end(), isNumber)) continue;
        std::string picked = "pick(" + name;
        for (const auto& value : values) picked += ", " + value.text;
        spec.values.emplace_back(name + "." + fact, ExpressionText{picked + ")", values.front().where});
    }
    if (read.fixed) {
        spec.values.emplace_back(name, *read.fixed);
        return;
    }
    spec.limits[name] = std::move(read.limit);
    spec.parameters.push_back(std::move(read.parameter));
}

/// `type: PARAMETER.FACT` stands for what each choice of the parameter has there, and the parameter picks.
void SpecReader::expandTypes(SetSpec& set, const TemplateSpec& spec) const
{
    if (set.types.size() != 1) return;
    const ExpressionText type = set.types.front();
    const auto dot = type.text.find('.');
    const auto parameter = dot == std::string::npos ? spec.facts.end() : spec.facts.find(type.text.substr(0, dot));
    if (parameter == spec.facts.end()) return;
    const auto fact = parameter->second.find(type.text.substr(dot + 1));
    const auto broken = [&](Text what, Text todo) {
        throw TemplateFailure{Error{ErrorCode::Unreadable, type.where, std::move(what), std::move(todo)}};
    };
    if (fact == parameter->second.end())
        broken(i18n("the choices of '{}' have no attribute '{}'", parameter->first, type.text.substr(dot + 1)),
               i18n("specify the part slug there for every choice"));
    if (const auto* index = set.field("type_index"); index && index->text != parameter->first)
        broken(i18n("'type_index: {}' cannot be combined with a type that depends on '{}'", index->text, parameter->first),
               i18n("remove 'type_index'"));
    set.types = fact->second;
    set.fields["type_index"] = {parameter->first, type.where};
}

} // namespace hw
