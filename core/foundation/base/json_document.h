// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/spelling.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hw {

namespace detail {

template <class Json>
void addFormerNames(Json& value, Json& deprecated)
{
    if (!value.is_structured()) return;
    std::vector<std::pair<std::string, Json>> former;
    for (auto& [name, part] : value.items()) {
        addFormerNames(part, deprecated);
        const std::string old(value.is_object() ? formerName(name) : std::string_view());
        if (old.empty() || value.contains(old)) continue;
        deprecated[old] = name;
        former.emplace_back(old, part);
    }
    for (auto& [name, part] : former) value[name] = std::move(part);
}

} // namespace detail

/// A JSON document as commands print and write it. Keys renamed since the last version stand under their former name, too, for one version;
/// `deprecated` at the top lists these with their present name.
template <class Json>
[[nodiscard]] std::string documentText(Json document, int indent = 2)
{
    Json deprecated = Json::object();
    detail::addFormerNames(document, deprecated);
    if (document.is_object() && !deprecated.empty()) document["deprecated"] = std::move(deprecated);
    return document.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace hw
