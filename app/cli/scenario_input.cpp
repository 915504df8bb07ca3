// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_input.h"

#include "app/cli/input_file.h"
#include "core/base/resources.h"

#include <algorithm>

namespace hw::cli {

Result<ScenarioText> readScenario(const std::string& nameOrPath)
{
    std::filesystem::path file = nameOrPath;
    std::error_code error;
    if (!std::filesystem::exists(file, error) && nameOrPath.find('/') == std::string::npos && file.extension() != ".json")
        if (const auto shipped = resourceFolder() / "scenarios" / (nameOrPath + ".json"); std::filesystem::exists(shipped, error)) file = shipped;
    auto text = readText(file);
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
