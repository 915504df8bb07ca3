// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <algorithm>
#include <cmath>

/// Relative, and exact where both are 0.
inline bool near(double a, double b, double tolerance = 1e-9) { return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); }

/// Prints both numbers where they differ by more than a relative tolerance.
#define QNEAR(actual, expected, tolerance)                                                                                                           \
    do {                                                                                                                                             \
        const double a_ = double(actual), e_ = double(expected);                                                                                     \
        QVERIFY2(near(a_, e_, tolerance), qPrintable(QString("%1 = %2, expected %3").arg(#actual).arg(a_, 0, 'g', 12).arg(e_, 0, 'g', 12)));         \
    } while (false)
/// The same with an absolute tolerance.
#define QWITHIN(actual, expected, tolerance)                                                                                                         \
    do {                                                                                                                                             \
        const double a_ = (actual), e_ = (expected);                                                                                                 \
        QVERIFY2(std::abs(a_ - e_) <= (tolerance), qPrintable(QString("%1 = %2, expected %3").arg(#actual).arg(a_, 0, 'g', 9).arg(e_, 0, 'g', 9)));  \
    } while (false)
/// A Result that must hold a value.
#define QRUN(result) QVERIFY2(result.has_value(), result.has_value() ? "" : result.error().text().c_str())
