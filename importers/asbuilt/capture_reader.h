// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/sighting.h"
#include "core/output/exchange/formats.h"

#include <nlohmann/json.hpp>

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

/// JSON of a file. Errors: Unreadable with FILE:LINE.
[[nodiscard]] Result<nlohmann::json> parseJson(std::string_view text, const std::string& file);
/// Rows that could not be used become doubts with their place; where nothing else was read, the first of them is the error.
[[nodiscard]] Result<void> tellLeftOut(const std::vector<Error>& left, bool anyTaken, asbuilt::Capture& capture);
/// A file's name without folder and ending: whom it is of, where it does not say.
[[nodiscard]] std::string stemOf(const std::filesystem::path& path);

} // namespace hw::importers
