// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/point.h"

#include <string_view>

namespace hw::bindings {

/// How a source's unit becomes that of a measure. Understood are symbols with SI prefixes ("kW", "mbar"), words ("degrees Celsius",
/// "litersPerMinute", "bytes/s"), UCUM ("Cel", "m3/h", "[psi]") and QUDT ("unit:KiloW", "DEG_C", "L-PER-MIN"). A counter ends in "total":
/// "bytes total" is converted after it was turned into its rise per second, so that it fits "bit/s"; so are amounts of what a measure counts
/// by the second ("B" of what is received). The unit of a state is the word for
/// which 1 stands: "closed" or "open" of a breaker, "ok" or "fault" of a status, "up" or "down" of a link, "leak" or "dry".
struct UnitReading {
    enum class Kind : std::uint8_t { Converted, Unknown, Other } kind = Kind::Unknown; ///< Other: a unit, but of something else
    Conversion conversion;
    friend bool operator==(const UnitReading&, const UnitReading&) = default;
};
[[nodiscard]] UnitReading readUnit(std::string_view unit, Measure measure);

/// The unit of a state from the words of its values: "0=Closed,1=Open" is "open". Empty where 1 is not among them.
[[nodiscard]] std::string stateUnit(std::string_view stateText);

} // namespace hw::bindings
