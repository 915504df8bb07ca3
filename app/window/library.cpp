// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/library.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/spelling.h"

#include <algorithm>
#include <mutex>
#include <optional>

namespace hw::app {

Result<Library> Library::load()
{
    static std::mutex guard; // what ships does not change while the program runs
    static std::optional<Library> read;
    const std::scoped_lock lock(guard);
    if (read) return *read;
    auto catalog = Catalog::load(resourceFolder() / "catalog");
    if (!catalog) return tl::unexpected(catalog.error());
    auto templates = loadTemplates(resourceFolder() / "templates");
    if (!templates) return tl::unexpected(templates.error());
    (void)catalog->parts(); // parsed here, not where the window waits
    read = Library{std::make_shared<const Catalog>(std::move(*catalog)), std::move(*templates)};
    return *read;
}

const Template* Library::find(const std::string& name) const
{
    const auto found = std::ranges::find_if(templates, [&](const Template& t) { return sameName(t.name(), name); });
    return found == templates.end() ? nullptr : &*found;
}

} // namespace hw::app
