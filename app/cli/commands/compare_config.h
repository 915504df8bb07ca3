// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/output/exchange/formats.h"

namespace hw::cli {

/// `import config PATH... --compare FILE`: configuration of devices against what the design expects.
[[nodiscard]] Outcome compareConfig(const std::string& file, std::span<const exchange::ImportSource> sources, bool json, const Progress& progress);

} // namespace hw::cli
