// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hw {

/// A unit in which people write a quantity: value × size + zero is the same in the first unit of its measure.
struct WrittenUnit {
    std::string_view name;
    double size = 1;
    double zero = 0;        ///< of scales that begin elsewhere, as °F
    bool onlyTyped = false; ///< the program does not choose it by itself
};

/// The units of the measure that `unit` belongs to, what the program stores first: mm, mW, Gb/s, °, kg/m² or °C. Empty for other units.
[[nodiscard]] std::span<const WrittenUnit> writtenUnits(std::string_view unit);
/// Nothing where the units are not of one measure.
[[nodiscard]] std::optional<double> converted(double value, std::string_view from, std::string_view to);
/// A number and the unit behind it, "12 ft 6 in" being 12.5 ft; without a unit in `unit`. Groups of thousands are read: "1,200". The result is in
/// `unit`. Errors are Refused: no number, a unit of another measure (the units there are).
[[nodiscard]] Result<double> readInUnit(std::string_view text, std::string_view unit);
/// "1,200.5 m" as "1200.5 m": commas that part groups of three digits, as the program itself writes them. Others stay.
[[nodiscard]] std::string ungrouped(std::string_view text);

/// The units in which a person wants to see and type quantities. Files and reports are in SI units.
struct UnitPreference {
    bool feet = false, fahrenheit = false, btu = false; ///< instead of m, °C and kW (of heat)
    friend bool operator==(const UnitPreference&, const UnitPreference&) = default;
};
/// "m" is "ft", "mm" is "in", "°C" is "°F" for somebody who prefers them; other units stay.
[[nodiscard]] std::string preferredUnit(std::string_view unit, const UnitPreference& preference);
/// A length as fields show it in feet: "12 ft", "39.37 ft", "7.5 in" below one foot.
[[nodiscard]] std::string feetText(double mm);

} // namespace hw
