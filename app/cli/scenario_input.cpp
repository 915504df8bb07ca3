// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_input.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/base/resources.h"
#include "simulation/questions/scenario_kind.h"

#include <algorithm>

namespace hw::cli {

namespace {

/// A name that is no file and no shipped scenario; that of a kind needs a file around it.
Error unknownScenario(const std::string& name)
{
    const auto* kind = sim::findScenarioKind(name);
    if (!kind)
        return {ErrorCode::Usage, "--scenario " + name, i18n("no file or shipped scenario with this name"),
                i18n("see 'scenarios' for the list, or specify the path of a file")};
    return {ErrorCode::Usage, "--scenario " + name, i18n("this is a scenario kind, not a scenario"),
            i18n("write a file with {{\"{}\": \"{}\"}}, for example s.json, and specify its path; 'scenarios {}' lists the other keys",
                 kind->onDesign ? "workload" : "analysis", name, name)};
}

} // namespace

Result<ScenarioText> readScenario(const std::string& nameOrPath)
{
    std::filesystem::path file = nameOrPath;
    std::error_code error;
    if (!std::filesystem::exists(file, error) && nameOrPath.find('/') == std::string::npos && file.extension() != ".json") {
        file = resourceFolder() / "scenarios" / (nameOrPath + ".json");
        if (!std::filesystem::exists(file, error)) return tl::unexpected(unknownScenario(nameOrPath));
    }
    auto text = readTextFile(file);
    if (!text) return tl::unexpected(text.error());
    return ScenarioText{std::move(*text), file.string()};
}

std::vector<std::string> shippedScenarios()
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(resourceFolder() / "scenarios", error))
        if (file.path().extension() == ".json") names.push_back(file.path().stem().string());
    std::ranges::sort(names);
    return names;
}

} // namespace hw::cli
