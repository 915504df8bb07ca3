// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/asbuilt/compare.h"

#include <nlohmann/json_fwd.hpp>

namespace hw::asbuilt {

/// `hallwright.as-built/1`.
[[nodiscard]] nlohmann::ordered_json comparisonJson(const Figures& figures, const Comparison& comparison);
[[nodiscard]] std::string comparisonText(const Figures& figures, const Comparison& comparison, std::size_t most = 50);

} // namespace hw::asbuilt
