// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/cable_work.h"
#include "core/output/exchange/formats.h"

namespace hw::exchange {

/// A paper that follows from the cabling, for the command line and the window.
struct CablingPaper {
    const char* name; ///< of the format: "pull-schedule"
    TextId summary;
    PlainTable (*table)(const Figures&);
};
[[nodiscard]] std::span<const CablingPaper> cablingPapers();
/// Adds a format for each.
void addCablingFormats(Formats& formats);

} // namespace hw::exchange
