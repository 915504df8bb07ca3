// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"

namespace hw::site {

// Closed forms of power and site planning. Watts and counts in, watts and counts out; all are plain
// arithmetic on what the caller states, so each can be checked by hand.

/// Power that one of `accelerators` gets of a limit: 18 MW / 15,360 = 1,171.9 W.
[[nodiscard]] double wattsPerAccelerator(double limitW, std::int64_t accelerators);

/// Whole hosts that a limit carries. `pue` is 1 where the limit is IT power, the site's PUE where the
/// limit is facility power: 18 MW carry 1,764 hosts of 10.2 kW as IT power, 1,470 at PUE 1.2.
[[nodiscard]] std::int64_t hostsAtLimit(double limitW, double hostW, double pue = 1.0);

/// What substations deliver. Each has `transformers` of `mva` MVA and still delivers when `spare` of its
/// own are out: 2 substations of 2 x 63 MVA at N-1 and power factor 0.95 give 119.7 MW.
struct Substations {
    std::int64_t count = 0;
    std::int64_t transformers = 2;
    double mva = 63.0;
    std::int64_t spare = 1;
    double powerFactor = 0.95;
    [[nodiscard]] double capacityW() const;
};

/// Share of a capacity that is left, negative where it is exceeded: 117.19 of 119.7 MW leave 2.1 %.
[[nodiscard]] double spareShare(double loadW, double capacityW);

/// Peak rate in FLOPS: 2,048 accelerators of 312 TF are 0.639 EF.
[[nodiscard]] double peakFlops(std::int64_t accelerators, double teraflops);

} // namespace hw::site
