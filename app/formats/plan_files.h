// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

#include <filesystem>
#include <span>

namespace hw::app {

/// Files as they are named, and the files of folders by name. Unreadable: a folder that cannot be read, or holds none; `remedy` says what to name.
[[nodiscard]] Result<std::vector<std::filesystem::path>> filesOf(std::span<const std::string> paths, const Text& remedy);

/// Paths as sources of a format. One that observes takes folders for the files in them; what of these cannot be read as text is a source without
/// content, which the format names and skips. Errors: Unreadable.
[[nodiscard]] Result<std::vector<exchange::ImportSource>> sourcesOf(const exchange::Importer& importer, std::span<const std::string> paths,
                                                                    const exchange::FormatChoices& choices = {});

/// What people pointed at, before a format is chosen.
struct FoundSources {
    std::vector<exchange::ImportSource> sources;  ///< files; those of a folder, by name
    std::filesystem::path folder;                 ///< that they are the files of; empty: they were named one by one
    const exchange::Importer* importer = nullptr; ///< of most of them; null: no format knows any
};
/// Reads files, or one folder, and finds the format. Several files may have others between them, which cannot be read: those are without content.
/// Errors: Unreadable, Canceled.
[[nodiscard]] Result<FoundSources> findSources(const exchange::Formats& formats, std::span<const std::string> paths, const Progress& progress);
/// The format that takes the folder itself, with these files in it; null: none, it is its files.
[[nodiscard]] const exchange::Importer* importerOfFolder(const exchange::Formats& formats, const FoundSources& found);

/// The plan of all files as one: those of a format that observes are read together, others one after the other.
[[nodiscard]] Result<exchange::ImportPlan> planFiles(const exchange::Importer& importer, std::span<const exchange::ImportSource> sources,
                                                     const SnapshotPtr& base, const Progress& progress);

} // namespace hw::app
