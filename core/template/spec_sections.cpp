// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/text_values.h"
#include "core/template/spec_reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

void SpecReader::readChoices(const YAML::Node& node, const std::string& key, Parameter& p) const
{
    for (const auto* field : {"min", "max", "flag"})
        if (node[field]) refuse(node[field], key + "." + field, "does not go with 'choices'", "leave one of the two out");
    p.choices = words(node["choices"], key + ".choices");
    if (p.choices.empty()) refuse(node["choices"], key + ".choices", "the list is empty", "name what may be chosen");
    auto sorted = p.choices;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        refuse(node["choices"], key + ".choices", "a name stands there twice", "name each choice once");
    p.maximum = std::int64_t(p.choices.size()) - 1;
    const auto chosen = p.valueOf(word(node["default"], key + ".default"));
    if (!chosen) refuse(node["default"], key + ".default", fmt::format("'{}' is not one of the choices", node["default"].Scalar()),
                        fmt::format("use {}", fmt::join(p.choices, ", ")));
    p.defaultValue = *chosen;
}

void SpecReader::readRange(const YAML::Node& node, const std::string& key, Parameter& p) const
{
    for (const auto* needed : {"min", "max"})
        if (!node[needed]) refuse(node, key, fmt::format("'{}' is missing", needed), "every parameter has default, min and max, or default and choices, or default and flag");
    p.defaultValue = number(node["default"], key + ".default");
    p.minimum = number(node["min"], key + ".min");
    p.maximum = number(node["max"], key + ".max");
    if (p.minimum > p.maximum || p.defaultValue < p.minimum || p.defaultValue > p.maximum)
        refuse(node, key, "min, default and max are out of order", "make min <= default <= max");
}

Parameter SpecReader::parameter(const std::string& name, const YAML::Node& node, const std::string& key, std::string& limit) const
{
    checkKeys(node, key, {"default", "min", "max", "choices", "flag", "unit", "label", "help", "limit"});
    if (!node["default"]) refuse(node, key, "'default' is missing", "every parameter has default, min and max, or default and choices, or default and flag");
    Parameter p;
    p.name = name;
    p.unit = wordOr(node, "unit", key, "");
    p.label = wordOr(node, "label", key, name);
    p.help = wordOr(node, "help", key, "");
    limit = wordOr(node, "limit", key, "");
    if (const YAML::Node flag = node["flag"]) {
        const auto on = oneOfFlag(word(flag, key + ".flag"));
        if (!on) refuse(flag, key + ".flag", fmt::format("'{}' is neither true nor false", flag.Scalar()), "write true");
        p.flag = *on;
    }
    if (node["choices"]) {
        readChoices(node, key, p);
    } else if (p.flag) {
        p.maximum = 1;
        const auto on = oneOfFlag(word(node["default"], key + ".default"));
        if (!on) refuse(node["default"], key + ".default", fmt::format("'{}' is neither 0 nor 1", node["default"].Scalar()), "write 0 or 1");
        p.defaultValue = *on;
    } else {
        readRange(node, key, p);
    }
    return p;
}

LayoutSpec SpecReader::layout(const YAML::Node& node) const
{
    LayoutSpec result;
    if (!node) return result;
    auto known = layoutKeys();
    known.insert("place");
    checkKeys(node, "layout", known);
    result.where = place(node, "layout");
    for (const auto& name : layoutKeys())
        if (const YAML::Node value = node[name]) result.fields[name] = expression(value, "layout." + name);
    result.place = mapping(node["place"], "layout.place");
    return result;
}

SizingSpec SpecReader::sizing(const YAML::Node& node, const TemplateSpec& spec) const
{
    SizingSpec result;
    if (!node) return result;
    result.where = place(node, "sizing");
    if (!node.IsMap()) refuse(node, "sizing", "must be a mapping", "write key: value lines");
    // A parameter that a template took away from the one it extends, and gave a value, does not vary any more.
    const auto parameter = [&](const YAML::Node& at, const std::string& key, const std::string& name) -> const Parameter* {
        for (const auto& p : spec.parameters)
            if (p.name == name) return &p;
        for (const auto& [value, text] : spec.values)
            if (value == name) return nullptr;
        refuse(at, key, fmt::format("no parameter is called '{}'", name), "name one of 'parameters'");
    };
    for (const auto& name : words(node["grow"], "sizing.grow"))
        if (parameter(node["grow"], "sizing.grow", name)) result.grow.push_back(name);
    forEachEntry(node["vary"], "sizing.vary", [&](const std::string& name, const YAML::Node& list, const std::string& key) {
        const Parameter* p = parameter(list, key, name);
        if (!p) return;
        SizingSpec::Vary vary{name, {}};
        for (const auto& word : words(list, key)) {
            const auto value = p->valueOf(word);
            if (!value) refuse(list, key, fmt::format("'{}' is not a value of '{}'", word, name), "use values that the parameter allows");
            if (*value >= p->minimum && *value <= p->maximum) vary.values.push_back(*value); // the range may have been narrowed
        }
        result.vary.push_back(std::move(vary));
    });
    forEachEntry(node, "sizing", [&](const std::string& name, const YAML::Node& value, const std::string& key) {
        if (name != "grow" && name != "vary") result.fields[name] = expression(value, key);
    });
    return result;
}

void SpecReader::appendAddressing(const YAML::Node& node, const std::string& key, const std::string& scope, std::vector<AddressingEntry>& out) const
{
    static const Words kKnown{"loopback4", "loopback6", "fabric4", "fabric6", "host4", "host6", "host_subnet", "management4", "management6", "asn", "asn_per"};
    Words known = kKnown;
    if (scope.empty()) known.insert({"networks", "tiers"});
    checkKeys(node, key, known);
    for (const auto& name : kKnown)
        if (const YAML::Node value = node[name])
            out.push_back({scope, name, {fmt::format("{}", fmt::join(words(value, key + "." + name), " ")), place(value, key + "." + name)}});
}

std::vector<AddressingEntry> SpecReader::addressing(const YAML::Node& node) const
{
    std::vector<AddressingEntry> result;
    if (!node) return result;
    appendAddressing(node, "addressing", "", result);
    const auto nested = [&](const char* section, const std::string& prefix) {
        forEachEntry(node[section], std::string("addressing.") + section, [&](const std::string& name, const YAML::Node& value, const std::string& key) {
            appendAddressing(value, key, prefix + name, result);
        });
    };
    nested("networks", "network.");
    nested("tiers", "tier.");
    return result;
}

} // namespace hw
