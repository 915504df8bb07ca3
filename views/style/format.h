// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/base/units.h"

#include <QCoreApplication>
#include <QString>

#include <cmath>

namespace hw::views {

/// Numbers as planners read them: thousands grouped, three significant digits with a unit prefix.
[[nodiscard]] QString count(std::int64_t n); ///< 15,360
[[nodiscard]] QString power(Milliwatts p);   ///< 17.86 MW, 32.6 kW, 312 W
[[nodiscard]] inline QString power(double watts) { return power(Milliwatts(std::llround(watts * 1000))); }
[[nodiscard]] QString length(std::int64_t mm);                              ///< 69.8 m, 1,234 km
[[nodiscard]] QString money(Money m, const QString& currency = "USD");      ///< $1.23 M
[[nodiscard]] QString moneyExact(Money m, const QString& currency = "USD"); ///< $1,234.50
[[nodiscard]] QString rate(double gbps);                                    ///< 400 Gb/s, 12.3 Tb/s
[[nodiscard]] QString percent(double share, int decimals = 1);
[[nodiscard]] QString ratio(double value);      ///< 1.067
[[nodiscard]] QString duration(double seconds); ///< 12.3 ms
[[nodiscard]] QString weight(Grams g);
/// With an explicit sign, for differences: +12.3 m, −4, ±0.
[[nodiscard]] QString signedText(const QString& absolute, std::int64_t sign);
/// The text in the language of the program, where no class has its own `tr`.
[[nodiscard]] inline QString tr(const char* text) { return QCoreApplication::translate("Views", text); } // no text: context
[[nodiscard]] inline QString text(const std::string& s) { return QString::fromStdString(s); }
[[nodiscard]] inline QString text(const Text& s) { return QString::fromStdString(words(s)); }

} // namespace hw::views
