// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/spec.h"

#include "core/design/template/spec_reader.h"
#include "core/design/template/yaml_source.h"
#include "core/foundation/money/price_book.h"

namespace hw {

namespace {

TemplateFailure unreadable(std::string where, Text what)
{
    return {Error{ErrorCode::Unreadable, std::move(where), std::move(what), i18n("start with 'template: NAME'")}};
}

void readHead(const SpecReader& reader, const YAML::Node& root, TemplateSpec& spec)
{
    reader.checkKeys(root, "template", {"template",  "title", "summary", "source", "parameters", "values", "constraints", "networks",
                                        "buildings", "halls", "rows",    "racks",  "trays",      "tiers",  "links",       "settings",
                                        "waivers",   "parts", "layout",  "sizing", "addressing", "phases"});
    if (!root["template"]) throw unreadable(spec.file + ": template", i18n("name is missing"));
    spec.name = reader.word(root["template"], "template");
    spec.title = reader.wordOr(root, "title", "", spec.name);
    spec.summary = reader.wordOr(root, "summary", "", "");
    spec.source = reader.wordOr(root, "source", "", "");
    reader.forEachEntry(root["parameters"], "parameters", [&](const std::string& name, const YAML::Node& node, const std::string& key) {
        reader.add(reader.parameter(name, node, key), spec);
    });
    for (auto& value : reader.pairs(root["values"], "values")) spec.values.push_back(std::move(value));
    reader.forEachElement(root["constraints"], "constraints", [&](const YAML::Node& node) {
        reader.checkKeys(node, "constraints", {"require", "message"});
        for (const auto* needed : {"require", "message"})
            if (!node[needed]) reader.refuse(node, "constraints", i18n("'{}' is missing", needed), i18n("use {{require: …, message: …}}"));
        spec.constraints.push_back(
            {reader.expression(node["require"], "constraints.require"), reader.expression(node["message"], "constraints.message")});
    });
}

void readSets(const SpecReader& reader, const YAML::Node& root, TemplateSpec& spec)
{
    spec.networks = reader.sets(root, "networks", {"label", "kind", "planes", "rails", "color", "domain", "rate_gbps"});
    spec.buildings = reader.sets(root, "buildings", {"name", "kind", "at", "size", "it_limit_w"});
    spec.halls = reader.sets(root, "halls", {"name", "at", "size", "kind", "floor", "floor_load", "clear_height", "it_limit_w"});
    spec.rows = reader.sets(root, "rows", {"name", "at", "angle", "cell", "containment"});
    spec.racks = reader.sets(root, "racks", {"name", "type_index", "along", "across", "power_limit_w"});
    spec.trays = reader.sets(root, "trays", {"name", "kind", "from", "to", "plane", "count", "carries", "side", "barrier"});
    spec.tiers = reader.sets(root, "tiers", {"name", "label", "kind", "network", "level", "role", "backup", "u", "at", "angle", "type_index"});
    for (auto* sets : {&spec.racks, &spec.tiers})
        for (auto& set : *sets) reader.expandTypes(set, spec);
    reader.forEachEntry(root["links"], "links", [&](const std::string& name, const YAML::Node& node, const std::string& key) {
        spec.links.push_back(reader.link(name, node, key));
    });
}

void readPhases(const SpecReader& reader, const YAML::Node& node, PhasesSpec& phases)
{
    if (!node) return;
    reader.checkKeys(node, "phases", {"number", "names", "dates"});
    if (!node["number"]) reader.refuse(node, "phases", i18n("'{}' is missing", "number"), i18n("use number: pod + 1"));
    phases.number = reader.expression(node["number"], "phases.number");
    phases.names = reader.words(node["names"], "phases.names");
    phases.dates = reader.words(node["dates"], "phases.dates");
    for (const auto& date : phases.dates)
        if (!isDate(date)) reader.refuse(node["dates"], "phases.dates", i18n("'{}' is not a valid date", date), i18n("use the form 2026-11-23"));
}

void readRest(const SpecReader& reader, const YAML::Node& root, TemplateSpec& spec)
{
    reader.forEachEntry(root["settings"], "settings", [&](const std::string& name, const YAML::Node& node, const std::string& key) {
        spec.settings.emplace_back(name, reader.word(node, key));
    });
    reader.forEachElement(root["waivers"], "waivers", [&](const YAML::Node& node) {
        reader.checkKeys(node, "waivers", {"finding", "reason", "each"});
        for (const auto* needed : {"finding", "reason"})
            if (!node[needed]) reader.refuse(node, "waivers", i18n("'{}' is missing", needed), i18n("use {{finding: …, reason: …}}"));
        spec.waivers.push_back({reader.expression(node["finding"], "waivers.finding"), reader.word(node["reason"], "waivers.reason"),
                                reader.pairs(node["each"], "waivers.each")});
    });
    spec.parts = reader.words(root["parts"], "parts");
    spec.layout = reader.layout(root["layout"]);
    spec.sizing = reader.sizing(root["sizing"], spec);
    readPhases(reader, root["phases"], spec.phases);
    spec.addressing = reader.addressing(root["addressing"]);
}

} // namespace

std::shared_ptr<const TemplateSpec> readTemplate(const std::string& yaml, const std::string& where, const std::filesystem::path& folder)
try {
    const YamlSource source = readYaml(yaml, where, folder);
    const SpecReader reader(where);
    auto spec = std::make_shared<TemplateSpec>();
    spec->text = source.text;
    spec->file = where;
    const YAML::Node& root = source.root;
    readHead(reader, root, *spec);
    readSets(reader, root, *spec);
    readRest(reader, root, *spec);
    return spec;
} catch (const YAML::Exception& e) { // a value where a mapping was expected, which no reader met
    throw TemplateFailure{
        Error{ErrorCode::Unreadable, where, i18n("does not have the structure of a template: {}", e.msg), i18n("see resources/templates/README.md")}};
}

} // namespace hw
