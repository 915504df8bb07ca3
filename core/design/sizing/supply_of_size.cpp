// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/supply_of_size.h"

#include "core/design/sizing/facility_of_size.h"
#include "core/design/sizing/parts_of_size.h"

#include <cmath>

namespace hw::sizing {

namespace {

std::int64_t ceilOf(double value) { return std::int64_t(std::ceil(value - 1e-9)); }

} // namespace

SupplyNeed supplyNeed(const SiteSupply& supply, double watts)
{
    SupplyNeed need;
    const double each = supply.transformerMva * 1e6 * supply.powerFactor, feed = supply.feedMva * 1e6 * supply.powerFactor;
    if (each > 0 && supply.transformers > supply.spare)
        need.substations = ceilOf(watts / (double(supply.transformers - supply.spare) * each));
    else if (each > 0 && supply.transformers > 0)
        need.substations = ceilOf(watts / (double(supply.transformers) * each)) + (supply.spare > 0 ? 1 : 0);
    if (feed > 0) need.feeds = ceilOf(watts / feed);
    return need;
}

Text supplyText(const SizedDesign& d)
{
    const double it = toWatts(d.campusIt), facility = toWatts(d.facility);
    const SupplyNeed ofIt = supplyNeed(d.supply, it), ofAll = supplyNeed(d.supply, facility);
    const Text source = i18n("PUE {:.2f}: {}", d.pue, pueSource(d));
    const Text feeds =
        ofAll.feeds == 0 ? Text() : i18n("{:L} feeds of {:g} MVA, {:L} with two feeds for each load", ofAll.feeds, d.supply.feedMva, 2 * ofAll.feeds);
    if (ofAll.substations == 0) return feeds.empty() ? feeds : i18n("{} for {} ({})", feeds, powerText(facility), source);
    const Text stations =
        i18np(ofAll.substations,
              "{0:L} substation for {1} ({2}), {3:L} for the IT power of {4}; {5} transformers of {6:g} MVA in each, "
              "{7} of them out of service",
              "{0:L} substations for {1} ({2}), {3:L} for the IT power of {4}; {5} transformers of {6:g} MVA in each, {7} of them out of "
              "service",
              powerText(facility), source, ofIt.substations, powerText(it), d.supply.transformers, d.supply.transformerMva, d.supply.spare);
    return feeds.empty() ? stations : i18n("{}; without substations {}", stations, feeds);
}

} // namespace hw::sizing
