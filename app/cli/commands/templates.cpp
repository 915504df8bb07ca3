// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::cli {

namespace templates_command {

struct Options {
    bool json = false;
};

void declare(CLI::App& app, Options& o) { app.add_flag("--json", o.json, words(i18n("Print JSON instead of a table"))); }

std::string asJson(const std::vector<Template>& templates)
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Template& design : templates) {
        Json parameters = Json::array();
        for (const Parameter& p : design.parameters()) {
            Json& entry = parameters.emplace_back(Json{{"name", p.name},
                                                       {"label", resourceText(p.label)},
                                                       {"default", p.defaultValue},
                                                       {"unit", resourceText(p.unit)},
                                                       {"minimum", p.minimum},
                                                       {"maximum", p.maximum},
                                                       {"range", {p.minimum, p.maximum}},
                                                       {"help", resourceText(p.help)}});
            if (!p.choices.empty()) entry["choices"] = p.choices, entry["default"] = p.textOf(p.defaultValue);
            if (p.flag) entry["flag"] = true;
        }
        list.push_back({{"name", design.name()},
                        {"title", resourceText(design.title())},
                        {"summary", resourceText(design.summary())},
                        {"source", design.source()},
                        {"parameters", std::move(parameters)}});
    }
    return Json{{"schema", "hallwright.templates/1"}, {"templates", std::move(list)}}.dump(2) + '\n';
}

/// What a parameter may be: "1 to 8 pods", "one of a, b", "0 or 1".
Text rangeText(const Parameter& p)
{
    if (!p.choices.empty()) return i18n("one of {}", listedNames(p.choices));
    if (p.flag) return i18n("0 or 1");
    return p.unit.empty() ? i18n("{} to {}", p.minimum, p.maximum) : i18n("{} to {} {}", p.minimum, p.maximum, resourceText(p.unit));
}

std::string asText(const std::vector<Template>& templates)
{
    std::string out;
    for (const Template& design : templates) {
        out += fmt::format("{}{}  {}\n", out.empty() ? "" : "\n", design.name(), resourceText(design.title()));
        out += fmt::format("  {}\n", resourceText(design.summary()));
        for (const Parameter& p : design.parameters())
            out += fmt::format("  {:<16} {:>6}  ({})  {}\n", p.name, p.textOf(p.defaultValue), rangeText(p),
                               resourceText(p.help.empty() ? p.label : p.help));
    }
    return out;
}

Outcome run(const Options& o, const Progress&)
{
    const auto templates = shippedTemplates();
    if (!templates) return tl::unexpected(templates.error());
    print(o.json ? asJson(*templates) : asText(*templates));
    return kDone;
}

} // namespace templates_command

void addTemplates(Session& session)
{
    using namespace templates_command;
    session.command<Options>("templates", i18n("List design templates"), declare, run);
}

} // namespace hw::cli
