// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/library.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/spelling.h"

#include <algorithm>

namespace hw::app {

Result<Library> Library::load()
{
    auto catalog = Catalog::load(resourceFolder() / "catalog");
    if (!catalog) return tl::unexpected(catalog.error());
    auto templates = loadTemplates(resourceFolder() / "templates");
    if (!templates) return tl::unexpected(templates.error());
    return Library{std::make_shared<const Catalog>(std::move(*catalog)), std::move(*templates)};
}

const Template* Library::find(const std::string& name) const
{
    const auto found = std::ranges::find_if(templates, [&](const Template& t) { return sameName(t.name(), name); });
    return found == templates.end() ? nullptr : &*found;
}

} // namespace hw::app
