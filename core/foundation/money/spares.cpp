// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/money/spares.h"

#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>

namespace hw {

std::int64_t poissonQuantile(double mean, double share)
{
    if (!(mean > 0) || !(share > 0)) return 0;
    const double wanted = std::min(share, 1 - 1e-12);
    // Terms from far below the mean, where what is left out is less than 1e-20.
    auto k = std::int64_t(std::max(0.0, std::floor(mean - 10 * std::sqrt(mean) - 10)));
    double term = std::exp(double(k) * std::log(mean) - mean - std::lgamma(double(k) + 1)), sum = term;
    const auto last = std::int64_t(mean + 60 * std::sqrt(mean) + 100);
    while (sum < wanted && k < last) {
        ++k;
        term *= mean / double(k);
        sum += term;
    }
    return k;
}

SparesPolicy SparesPolicy::of(const Snapshot& s)
{
    return {numberSetting(s, "spares.confidence_percent") / 100, std::int32_t(numberSetting(s, "spares.lead_days"))};
}

std::int64_t SparesPolicy::spares(double failuresPerYear, std::int64_t pieces, std::int32_t statedLeadDays) const
{
    constexpr double kDays = 365;
    const double lead = statedLeadDays > 0 ? statedLeadDays : leadDays;
    return poissonQuantile(failuresPerYear * double(pieces) * lead / kDays, share);
}

} // namespace hw
