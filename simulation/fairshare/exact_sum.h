// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace hw::sim {
inline namespace fairshare {

/// A sum with the lost low parts carried along (Neumaier 1974): its error does not grow with the number of terms.
class ExactSum {
public:
    explicit ExactSum(double start = 0) : m_sum(start) {}

    void add(double x)
    {
        const double sum = m_sum + x;
        m_lost += std::fabs(m_sum) >= std::fabs(x) ? (m_sum - sum) + x : (x - sum) + m_sum;
        m_sum = sum;
    }
    double value() const { return m_sum + m_lost; }

private:
    double m_sum;
    double m_lost = 0;
};

} // namespace fairshare
} // namespace hw::sim
