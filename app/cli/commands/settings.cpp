// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/design/edit/settings_check.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace settings_command {

struct Options {
    std::string file;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("To change a setting, use an edit script: {{\"do\": \"set-setting\", \"key\": \"site.pue\", \"value\": \"1.15\"}}.")));
}

bool hasRange(SettingKind kind) { return kind == SettingKind::Number || kind == SettingKind::Count; }

std::string asJson(const Snapshot& s)
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Setting& setting : edit::knownSettings(s)) {
        Json entry = {{"key", setting.key}, {"type", name(setting.kind)}, {"group", setting.group}};
        const std::string value = s.setting(setting.key);
        entry["value"] = value.empty() ? Json() : Json(value); // null: the default holds
        entry["default"] = setting.fallback.empty() ? Json() : Json(setting.fallback);
        if (!setting.unit.empty()) entry["unit"] = setting.unit;
        if (hasRange(setting.kind)) entry["range"] = {setting.least, setting.most};
        if (!setting.choices.empty()) entry["choices"] = setting.choices;
        entry["label"] = setting.label;
        if (!setting.help.empty()) entry["help"] = setting.help;
        list.push_back(std::move(entry));
    }
    return Json{{"schema", "hallwright.settings/1"}, {"settings", list}}.dump(1) + '\n';
}

/// Address pools are many and mostly not set: in the text only those that are.
std::string asText(const Snapshot& s)
{
    std::string out;
    Text group;
    for (const Setting& setting : edit::knownSettings(s)) {
        const std::string value = s.setting(setting.key);
        if (setting.kind == SettingKind::Address && value.empty()) continue;
        if (!(setting.group == group)) out += (group.empty() ? "" : "\n") + words(setting.group) + '\n';
        group = setting.group;
        const std::string unit = setting.unit.empty() ? "" : " " + setting.unit;
        const std::string shown = !value.empty()             ? value + unit
                                  : setting.fallback.empty() ? "-"
                                                             : words(i18n("{} (default)", setting.fallback + unit));
        out += fmt::format("  {:<44} {:<24} {}\n", setting.key, shown, setting.label);
    }
    return out;
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto design = readDesign(o.file, progress);
    if (!design) return tl::unexpected(design.error());
    print(o.json ? asJson(**design) : asText(**design));
    return kDone;
}

} // namespace settings_command

void addSettings(Session& session)
{
    using namespace settings_command;
    session.command<Options>("settings", i18n("List all project settings with value, default, unit and range"), declare, run);
}

} // namespace hw::cli
