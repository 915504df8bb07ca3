// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/quantity.h"
#include "core/foundation/base/units.h"

#include <QString>

namespace hw::views {

/// The units that the window shows and reads; SI on paper (PaperScope). Read on any thread, set on the GUI thread; views are repainted by who sets
/// them.
[[nodiscard]] UnitPreference units();
void setUnits(const UnitPreference& preference);

[[nodiscard]] QString lengthUnit();                                  ///< of coordinates and sizes: "m", "ft"
[[nodiscard]] double inLengthUnit(double mm);                        ///< 12000: 12, or 39.37
[[nodiscard]] QString exactLength(double mm);                        ///< "12.00 m", "39.37 ft"
[[nodiscard]] QString exactSize(double a, double b);                 ///< mm: "12.00 × 8.00 m"
[[nodiscard]] QString signedLength(double mm);                       ///< "+1.20 m"
[[nodiscard]] QString heat(Milliwatts p);                            ///< "132 kW", "450,400 BTU/h"
[[nodiscard]] QString temperature(double celsius, int decimals = 1); ///< "27.0 °C", "80.6 °F"
/// A length as typed into a field of lengths, where a number alone is in the unit of the window; mm.
[[nodiscard]] Result<std::int64_t> readLength(const QString& typed);

} // namespace hw::views
