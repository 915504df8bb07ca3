// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/library.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/spelling.h"

#include <algorithm>

namespace hw::app {

Result<Library> Library::load()
{
    auto catalogue = Catalogue::load(resourceFolder() / "catalogue");
    if (!catalogue) return tl::unexpected(catalogue.error());
    auto templates = loadTemplates(resourceFolder() / "templates");
    if (!templates) return tl::unexpected(templates.error());
    return Library{std::make_shared<const Catalogue>(std::move(*catalogue)), std::move(*templates)};
}

const Template* Library::find(const std::string& name) const
{
    const auto found = std::ranges::find_if(templates, [&](const Template& t) { return sameName(t.name(), name); });
    return found == templates.end() ? nullptr : &*found;
}

} // namespace hw::app
