// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/rack_kind.h"

#include <array>

namespace hw::scene {

/// Body colors of racks by what they are for, 0xRRGGBB: those of the 3D twin on light ground, and of exported models.
inline constexpr std::array<std::uint32_t, kRackKinds> kRackRgb = {0x9AA3AB, 0xB4BCC4, 0x2F6FA8, 0x5B4B9A, 0x4D8A6F, 0xCBC8C0, 0xC4C9CE};
inline constexpr std::uint32_t kDeviceRgb = 0x3B444C, kFacilityRgb = 0xCBC8C0, kTrayRgb = 0xB4BCC3, kStructureRgb = 0x9AA7B2, kSlabRgb = 0xEDEFF1,
                               kColdRgb = 0x5B9BD5, kHotRgb = 0xE0724A;
/// Of media that trays and pipes are for (assumed: no standard is followed).
inline constexpr std::uint32_t kPowerRgb = 0xD9A441, kSupplyRgb = 0x3E86C6, kReturnRgb = 0xC65B4A;

} // namespace hw::scene
