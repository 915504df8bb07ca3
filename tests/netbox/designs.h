// SPDX-License-Identifier: GPL-3.0-or-later
// Designs from shipped templates for tests against NetBox.
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/template/template.h"

#include <QTest>

/// The figures of a shipped template with some parameters; null, and a warning, where it cannot be made.
inline hw::FiguresPtr designOf(const char* name, const std::map<std::string, std::string>& values)
{
    const auto catalog = hw::Catalog::load(std::filesystem::path(HW_RESOURCES) / "catalog");
    const auto design = hw::Template::load(std::filesystem::path(HW_RESOURCES) / "templates" / (std::string(name) + ".yaml"));
    if (!catalog || !design) return qWarning("template"), nullptr;
    const auto complete = design->complete(values);
    if (!complete) return qWarning("%s", complete.error().text().c_str()), nullptr;
    const auto snapshot = hw::instantiate(*design, *complete, *catalog);
    if (!snapshot) return qWarning("%s", snapshot.error().text().c_str()), nullptr;
    const auto figures = hw::figuresOf(*snapshot);
    return figures ? *figures : nullptr;
}
