// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/compare.h"

#include <nlohmann/json_fwd.hpp>

namespace hw::asbuilt {

/// `hallwright.as-built/1`.
[[nodiscard]] nlohmann::ordered_json comparisonJson(const Figures& figures, const Comparison& comparison);
/// What a difference costs while it stands: "8 GPUs degraded and 2 things with a way less"; empty: nothing.
[[nodiscard]] std::string costText(const impact::Loss& loss);
[[nodiscard]] std::string comparisonText(const Figures& figures, const Comparison& comparison, std::size_t most = 50);

} // namespace hw::asbuilt
