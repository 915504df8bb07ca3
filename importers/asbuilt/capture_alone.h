// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/asbuilt/sighting.h"
#include "core/output/exchange/formats.h"

namespace hw::importers {

/// A design with what one capture saw, and nothing that was observed before; not kept anywhere.
struct CaptureAlone {
    FiguresPtr figures;
    std::vector<Text> facts;                   ///< what was read
    std::vector<asbuilt::CaptureIssue> doubts; ///< what of the capture could not be used
};

/// For `asbuilt::compareStored`. `importer` observes. Errors: as its plan has them.
[[nodiscard]] Result<CaptureAlone> captureAlone(const exchange::Importer& importer, std::span<const exchange::ImportSource> sources,
                                                const SnapshotPtr& design, const Progress& progress = {});

} // namespace hw::importers
