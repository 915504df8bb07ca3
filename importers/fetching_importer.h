// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::importers {

/// An importer that reads from places that are no single file, too: a server, a folder. Such a source has a path and no content, and several
/// sources are one plan.
class FetchingImporter : public exchange::Importer {
public:
    /// Whether it reads a path itself.
    [[nodiscard]] virtual bool fetches(const std::string& path) const = 0;
    /// Whether these paths belong together; else each is a plan of its own.
    [[nodiscard]] virtual bool together(std::span<const std::string> paths) const = 0;
};

/// A path as a source: read, or left to its importer.
[[nodiscard]] inline Result<exchange::ImportSource> sourceOf(const exchange::Importer& importer, const std::string& path)
{
    const auto* own = dynamic_cast<const FetchingImporter*>(&importer);
    if (own && own->fetches(path)) return exchange::ImportSource{path, {}, {}};
    return exchange::readSource(path);
}

} // namespace hw::importers
