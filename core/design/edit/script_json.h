// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace hw::edit {

/// A scalar of a script as text; nothing for null.
inline std::optional<std::string> valueOf(const nlohmann::json& value)
{
    if (value.is_null()) return std::nullopt;
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The definition of a part type: YAML as it stands, or JSON objects, which are YAML too: a device or rack is two documents.
inline std::string definitionOf(const nlohmann::json& given)
{
    if (given.is_string()) return given.get<std::string>();
    if (given.is_object()) return given.dump(1) + "\n";
    std::string all;
    for (const auto& document : given) all += (all.empty() ? "" : "---\n") + document.dump(1) + "\n";
    return all;
}

} // namespace hw::edit
