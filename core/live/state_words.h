// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/live/units.h"

#include <optional>

namespace hw::live {

/// The word that 1 stands for, as a conversion: "open" turns a breaker's value round, "open" of a valve is 100 %. Nothing for what is no such
/// word of this measure.
[[nodiscard]] std::optional<UnitReading> readStateUnit(std::string_view word, Measure measure);

} // namespace hw::live
