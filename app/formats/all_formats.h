// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::app {

/// Draws a network into `job.output` by its ending, .svg or .pdf. Each program draws in its own way: one has a display, the other starts a
/// program that has.
using DrawNetwork = std::function<Result<void>(const exchange::ExportJob& job, const std::string& network, const Progress& progress)>;

/// All formats that can be imported and exported: those of the importers, and drawings of networks.
[[nodiscard]] exchange::Formats allFormats(DrawNetwork draw);

} // namespace hw::app
