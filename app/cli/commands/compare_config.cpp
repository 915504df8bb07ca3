// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/compare_config.h"

#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "importers/configuration/config_files.h"

namespace hw::cli {

Outcome compareConfig(const std::string& file, std::span<const exchange::ImportSource> sources, bool json, const Progress& progress)
{
    const auto& profiles = configuration::shippedProfiles();
    if (!profiles) return tl::unexpected(profiles.error());
    const auto figures = readFigures(file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto read = importers::readConfiguration(sources, *(*figures)->snapshot);
    if (!read) return tl::unexpected(read.error());
    const auto compared = configuration::compare(**figures, *profiles, read->items);
    if (!compared) return tl::unexpected(compared.error());
    for (const auto& doubt : read->doubts) printNote(i18n("{}: {}", doubt.where, doubt.what));
    print(json ? configuration::comparisonJson(*compared) : configuration::comparisonText(*compared));
    return compared->clean() ? kDone : kAnswerIsNo;
}

} // namespace hw::cli
