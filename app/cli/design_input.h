// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/derived/figures/figures.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/catalog.h"

#include <filesystem>

namespace hw::cli {

/// A project as it stands, its journal included; says so on standard error where a writer left one.
/// Nothing on disk changes.
[[nodiscard]] Result<SnapshotPtr> readDesign(const std::filesystem::path& file, const Progress& progress);
/// The same with what follows from it, made as it is asked for.
[[nodiscard]] Result<FiguresPtr> readFigures(const std::filesystem::path& file, const Progress& progress, std::optional<int> phase = {});
/// A revision of a project: its last save, or a commit since. Error: Refused, naming those that the file has.
[[nodiscard]] Result<SnapshotPtr> readRevision(const std::filesystem::path& file, std::uint64_t revision, const Progress& progress);
/// `--phase N`: the design as it stands when phase N is installed.
void addPhaseOption(CLI::App& app, std::optional<int>& phase);

[[nodiscard]] Result<Catalog> shippedCatalog();
[[nodiscard]] Result<std::vector<Template>> shippedTemplates();
/// A shipped template by name, or the one in a file. Usage where there is neither.
[[nodiscard]] Result<Template> findTemplate(const std::string& nameOrPath);

/// The same design with the limit compared on another basis, in memory only.
[[nodiscard]] Result<FiguresPtr> onBasis(const FiguresPtr& figures, PowerBasis basis);
/// `--basis`; nothing for an empty text. Error: Usage.
[[nodiscard]] Result<std::optional<PowerBasis>> chosenBasis(const std::string& name);

} // namespace hw::cli
