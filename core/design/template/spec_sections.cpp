// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/spec_reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

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
    if (!node.IsMap()) refuse(node, "sizing", i18n("must be a mapping"), i18n("use key: value lines"));
    // A parameter that a template took away from the one it extends, and gave a value, does not vary any more.
    const auto parameter = [&](const YAML::Node& at, const std::string& key, const std::string& name) -> const Parameter* {
        for (const auto& p : spec.parameters)
            if (p.name == name) return &p;
        for (const auto& [value, text] : spec.values)
            if (value == name) return nullptr;
        refuse(at, key, i18n("unknown parameter '{}'", name), i18n("use one of 'parameters'"));
    };
    for (const auto& name : words(node["grow"], "sizing.grow"))
        if (parameter(node["grow"], "sizing.grow", name)) result.grow.push_back(name);
    forEachEntry(node["vary"], "sizing.vary", [&](const std::string& name, const YAML::Node& list, const std::string& key) {
        const Parameter* p = parameter(list, key, name);
        if (!p) return;
        SizingSpec::Vary vary{name, {}};
        for (const auto& word : words(list, key)) {
            const auto value = p->valueOf(word);
            if (!value) refuse(list, key, i18n("'{}' is not a valid value for '{}'", word, name), i18n("use values that the parameter allows"));
            if (*value >= p->minimum && *value <= p->maximum) vary.values.push_back(*value); // the range may have been narrowed
        }
        result.vary.push_back(std::move(vary));
    });
    forEachEntry(node["split"], "sizing.split", [&](const std::string& tier, const YAML::Node& name, const std::string& key) {
        if (std::none_of(spec.tiers.begin(), spec.tiers.end(), [&](const SetSpec& t) { return t.name == tier; }))
            refuse(name, key, i18n("unknown tier '{}'", tier), i18n("use one of 'tiers'"));
        if (const Parameter* p = parameter(name, key, word(name, key))) result.split[tier] = p->name;
    });
    forEachEntry(node, "sizing", [&](const std::string& name, const YAML::Node& value, const std::string& key) {
        if (name == "grow" || name == "vary" || name == "split") return;
        if (name != "last" || parameter(value, key, expression(value, key).text)) result.fields[name] = expression(value, key);
    });
    return result;
}

void SpecReader::appendAddressing(const YAML::Node& node, const std::string& key, const std::string& scope, std::vector<AddressingEntry>& out) const
{
    static const Words kKnown{"loopback4",   "loopback6",   "fabric4",     "fabric6", "host4",  "host6",
                              "host_subnet", "management4", "management6", "asn",     "asn_per"};
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
        forEachEntry(
            node[section], std::string("addressing.") + section,
            [&](const std::string& name, const YAML::Node& value, const std::string& key) { appendAddressing(value, key, prefix + name, result); });
    };
    nested("networks", "network.");
    nested("tiers", "tier.");
    return result;
}

} // namespace hw
