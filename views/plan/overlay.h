// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace hw::views {

/// What the colours of racks mean: what they hold, design power against their limit, the busiest link of
/// the last simulation, or whether a rule complains.
enum class Overlay { Kind, Power, Load, Findings };

} // namespace hw::views
