// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/site/site.h"

#include <algorithm>
#include <cmath>

namespace hw::site {
namespace {

/// Division of watts that ignores what only the binary form of 10.2 kW or 1.2 adds.
double wholeDown(double ratio) { return std::floor(ratio + 1e-9); }

} // namespace

double wattsPerAccelerator(double limitW, std::int64_t accelerators) { return accelerators > 0 ? limitW / double(accelerators) : 0.0; }

std::int64_t hostsAtLimit(double limitW, double hostW, double pue)
{
    return hostW > 0 && pue > 0 ? std::int64_t(wholeDown(limitW / pue / hostW)) : 0;
}

double Substations::capacityW() const { return double(count) * double(std::max<std::int64_t>(transformers - spare, 0)) * mva * 1e6 * powerFactor; }

double spareShare(double loadW, double capacityW) { return capacityW > 0 ? 1.0 - loadW / capacityW : 0.0; }

double peakFlops(std::int64_t accelerators, double teraflops) { return double(accelerators) * teraflops * 1e12; }

} // namespace hw::site
