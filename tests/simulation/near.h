// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <cmath>

/// Compares with a relative tolerance and prints both numbers when they differ.
#define QNEAR(actual, expected, tolerance)                                                                                                           \
    do {                                                                                                                                             \
        const double a_ = (actual), e_ = (expected);                                                                                                 \
        QVERIFY2(std::abs(a_ - e_) <= (tolerance)*std::abs(e_),                                                                                      \
                 qPrintable(QString("%1 = %2, expected %3").arg(#actual).arg(a_, 0, 'g', 9).arg(e_, 0, 'g', 9)));                                    \
    } while (false)

/// The same with an absolute tolerance.
#define QWITHIN(actual, expected, tolerance)                                                                                                         \
    do {                                                                                                                                             \
        const double a_ = (actual), e_ = (expected);                                                                                                 \
        QVERIFY2(std::abs(a_ - e_) <= (tolerance), qPrintable(QString("%1 = %2, expected %3").arg(#actual).arg(a_, 0, 'g', 9).arg(e_, 0, 'g', 9)));  \
    } while (false)
