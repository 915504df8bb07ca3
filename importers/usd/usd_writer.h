// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/scene/scene.h"

namespace hw::importers::usd {

/// A USD layer of a design (.usda). Meters, z up. Types are classes that elements refer to; `date`: of the assets, ISO 8601, may be empty.
[[nodiscard]] std::string usdaOf(const Figures& figures, const scene::Scope& scope, const std::string& date);

} // namespace hw::importers::usd
