// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"
#include "core/foundation/base/quantity.h"
#include "core/foundation/base/units.h"

#include <QString>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace hw::views {

/// The units that the window shows and reads; SI on paper (PaperScope). Read on any thread, set on the GUI thread; views are repainted by who sets
/// them.
[[nodiscard]] UnitPreference units();
void setUnits(const UnitPreference& preference);

/// The currency in which the window shows sums; none on paper.
struct DisplayCurrency {
    std::string code;                                 ///< the one that is wanted
    std::map<std::string, double, std::less<>> rates; ///< units of the project's currency for one of another; that of the project itself is 1
    QString rate;                                     ///< that of `code`, with date and source; empty where nothing is converted
    [[nodiscard]] bool known() const { return rates.contains(code); }
};
/// Null: sums are shown in the currency that they have. One without a rate is not converted.
void setDisplayCurrency(std::shared_ptr<const DisplayCurrency> currency);
[[nodiscard]] std::shared_ptr<const DisplayCurrency> displayCurrency();
/// A sum and its currency as they are shown.
[[nodiscard]] std::pair<double, QString> inDisplayCurrency(double sum, const QString& currency);
/// The rate at which sums are converted, with date and source; empty where they are not.
[[nodiscard]] QString displayRate();

[[nodiscard]] QString lengthUnit();                                  ///< of coordinates and sizes: "m", "ft"
[[nodiscard]] double inLengthUnit(double mm);                        ///< 12000: 12, or 39.37
[[nodiscard]] QString exactLength(double mm);                        ///< "12.00 m", "39.37 ft"
[[nodiscard]] QString exactSize(double a, double b);                 ///< mm: "12.00 × 8.00 m"
[[nodiscard]] QString signedLength(double mm);                       ///< "+1.20 m"
[[nodiscard]] QString heat(Milliwatts p);                            ///< "132 kW", "450,400 BTU/h"
[[nodiscard]] QString temperature(double celsius, int decimals = 1); ///< "27.0 °C", "80.6 °F"
/// Temperatures of a field in °F for somebody who reads those: whatever shows it then does.
void inPreferredUnit(ValueField& field);
/// A length as typed into a field of lengths, where a number alone is in the unit of the window; mm.
[[nodiscard]] Result<std::int64_t> readLength(const QString& typed);

} // namespace hw::views
