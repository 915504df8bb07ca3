// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/template.h"
#include "tests/catalog/shipped.h"

#include <map>

namespace hw::test {

/// A shipped template with parameters, made once.
inline SnapshotPtr design(const std::string& name, const ParameterValues& values)
{
    static std::map<std::pair<std::string, ParameterValues>, SnapshotPtr> made;
    auto& snapshot = made[{name, values}];
    if (snapshot) return snapshot;
    const auto loaded = Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    const auto result = instantiate(*loaded, values, catalog());
    if (!result) qFatal("%s", result.error().text().c_str());
    return snapshot = *result;
}

} // namespace hw::test
