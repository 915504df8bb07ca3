// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/sighting.h"
#include "core/output/exchange/formats.h"
#include "importers/captures/json_text.h"

#include <memory>

namespace hw::importers {

using Sources = std::span<const exchange::ImportSource>;

/// What one format of captures is, and how its files become sightings. `base`: the design that they are of.
struct CaptureFormat {
    std::string name;
    TextId summary;
    std::vector<exchange::FormatOption> options;
    bool (*probe)(const exchange::ImportSource&) = nullptr;
    Result<asbuilt::Capture> (*read)(Sources, const SnapshotPtr& base, const Progress&) = nullptr;
};
/// The importer of such a format: adds options that all have (--date, --device, --port), puts what was read into the tables.
[[nodiscard]] std::unique_ptr<exchange::Importer> captureImporter(CaptureFormat format);

[[nodiscard]] CaptureFormat lldpFormat();
[[nodiscard]] CaptureFormat ibnetdiscoverFormat();
[[nodiscard]] CaptureFormat netboxCablesFormat();
[[nodiscard]] CaptureFormat labelsFormat();

/// Rows that could not be used become doubts with their place; where nothing else was read, the first of them is the error.
[[nodiscard]] Result<void> tellLeftOut(const std::vector<Error>& left, bool anyTaken, asbuilt::Capture& capture);
/// Of several files one that is no such capture: named and counted, not read.
void skipForeign(const exchange::ImportSource& source, Text why, asbuilt::Capture& capture);
/// Errors: Unreadable where no file was one.
[[nodiscard]] Result<void> noneTaken(std::size_t taken, Sources sources);
/// A file's name without folder and ending: whom it is of, where it does not say.
[[nodiscard]] std::string stemOf(const std::filesystem::path& path);

} // namespace hw::importers
