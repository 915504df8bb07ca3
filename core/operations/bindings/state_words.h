// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "core/operations/bindings/units.h"

#include <optional>

namespace hw::bindings {

/// The word that 1 stands for, as a conversion: "open" turns a breaker's value round, "open" of a valve is 100 %. Nothing for what is no such
/// word of this measure.
[[nodiscard]] std::optional<UnitReading> readStateUnit(std::string_view word, Measure measure);
/// The same from the words of all values, "0=OK,1=Warning,2=Critical": which of them stand for 1. Of a leak detector every state counts that its
/// words do not tell to be dry or a fault of its own. Nothing: the words tell nothing.
[[nodiscard]] std::optional<UnitReading> readStateText(std::string_view stateText, Measure measure);
/// Whether a channel is there to report leaks, as its name and labels say.
[[nodiscard]] bool reportsLeak(const ChannelText& channel);

} // namespace hw::bindings
