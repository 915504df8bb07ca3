// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"
#include "core/derived/values/value_field.h"

namespace hw {

inline constexpr std::string_view kImpactOverlay = "impact"; ///< the name of these values

inline constexpr float kImpactLost = 2, kImpactFailed = 3; ///< states of these values

/// What a failure leaves of racks, of devices and of links: untouched, with a way less, lost. Of a rack the worst of what stands in it; a power strip
/// that is lost is a way less there. `title`: what fails.
[[nodiscard]] std::vector<ValueField> impactFields(const impact::Study& study, const impact::Effect& effect, const Text& title);

/// "If pod1-busway1 and 2 more fail".
[[nodiscard]] Text impactTitle(const impact::Model& model, std::span<const impact::Failing> failing);

} // namespace hw
