// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <algorithm>
#include <cmath>

/// Relative, and exact where both are 0.
inline bool near(double a, double b, double tolerance = 1e-9) { return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); }

#define QNEAR(a, b, tolerance)                                                                                                                       \
    QVERIFY2(near(a, b, tolerance), qPrintable(QString("%1 is not %2").arg(double(a), 0, 'g', 12).arg(double(b), 0, 'g', 12)))
/// A Result that must hold a value.
#define QRUN(result) QVERIFY2(result.has_value(), result.has_value() ? "" : result.error().text().c_str())
