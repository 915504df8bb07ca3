// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "problem.h"

namespace hw::sim {
inline namespace fairshare {

constexpr double kCertificateTolerance = 1e-9; ///< relative

/// Proof, without a reference solver, that rates are max-min fair: no link is overloaded, and every flow crosses a
/// saturated link on which no flow has a higher rate / weight (Bertsekas and Gallager, Data Networks, 6.5.2; the
/// condition is necessary and sufficient). All figures are relative.
struct Certificate {
    double overload = 0;       ///< of the worst link, load / capacity - 1, at least 0
    double worstGap = 0;       ///< of the worst flow: how far its best link is from being its bottleneck
    size_t violatingFlows = 0; ///< with a gap above the tolerance, or a rate that is negative or not finite
    size_t saturatedLinks = 0;
    size_t distinctRates = 0; ///< levels of rate / weight that differ by more than 1e-9
    bool ok = false;
};

/// `rate` has one entry a flow; `capacity` replaces the problem's if not empty (0 is a dead link).
Certificate certify(const FlowProblem& problem, std::span<const double> rate, double tolerance = kCertificateTolerance,
                    std::span<const double> capacity = {});

} // namespace fairshare
} // namespace hw::sim
