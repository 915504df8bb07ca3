// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/template.h"
#include "simulation/fabric/studies/study.h"

#include <cmath>
#include <map>
#include <string>

namespace hw::test {

/// A design from a template of the product, made once per test program.
inline SnapshotPtr design(const std::string& name, const ParameterValues& values)
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    static std::map<std::pair<std::string, ParameterValues>, SnapshotPtr> made;
    auto& snapshot = made[{name, values}];
    if (!snapshot) snapshot = *instantiate(*Template::load(HW_RESOURCES "/templates/" + name + ".yaml"), values, *catalog);
    return snapshot;
}

/// Relative difference, for tolerances stated as such.
inline bool near(double value, double expected, double relative) { return std::abs(value - expected) <= relative * std::abs(expected); }

} // namespace hw::test
