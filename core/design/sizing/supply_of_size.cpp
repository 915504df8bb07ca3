// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/supply_of_size.h"

#include "core/design/sizing/facility_of_size.h"
#include "core/design/sizing/parts_of_size.h"

#include <cmath>

namespace hw::sizing {

SupplyNeed supplyNeed(const SiteSupply& supply, double watts)
{
    SupplyNeed need;
    const double feed = supply.feedMva * 1e6 * supply.station.powerFactor;
    need.substations = supply.station.required(watts);
    if (feed > 0) need.feeds = std::int64_t(std::ceil(watts / feed - 1e-9));
    return need;
}

SupplyOfFewer supplyOfFewer(const SizedDesign& d)
{
    SupplyOfFewer out;
    const double facility = toWatts(d.facility);
    out.substations = supplyNeed(d.supply, facility).substations - 1;
    if (out.substations < 1 || !(facility > 0)) return {};
    out.watts = d.supply.station.capacityW(out.substations);
    out.accelerators = std::int64_t(double(d.accelerators) * out.watts / facility);
    return out;
}

Text supplyText(const SizedDesign& d)
{
    const double it = toWatts(d.campusIt), facility = toWatts(d.facility);
    const SupplyNeed ofIt = supplyNeed(d.supply, it), ofAll = supplyNeed(d.supply, facility);
    const Text source = i18n("PUE {:.3f}: {}", d.pue, pueSource(d));
    const Text feeds =
        ofAll.feeds == 0 ? Text() : i18n("{:L} feeds of {:g} MVA, {:L} with two feeds for each load", ofAll.feeds, d.supply.feedMva, 2 * ofAll.feeds);
    if (ofAll.substations == 0) return feeds.empty() ? feeds : i18n("{} for {} ({})", feeds, powerText(facility), source);
    Text stations = i18np(ofAll.substations,
                          "{0:L} substation for {1} ({2}), {3:L} for the IT power of {4}; {5} transformers of {6:g} MVA in each, "
                          "{7} of them out of service",
                          "{0:L} substations for {1} ({2}), {3:L} for the IT power of {4}; {5} transformers of {6:g} MVA in each, {7} of them out of "
                          "service",
                          powerText(facility), source, ofIt.substations, powerText(it), d.supply.station.transformers,
                          d.supply.station.transformerMva, d.supply.station.spare);
    if (const SupplyOfFewer fewer = supplyOfFewer(d); fewer.substations > 0)
        stations = i18np(fewer.substations, "{1}; {0:L} supplies {2}: {3:L} accelerators", "{1}; {0:L} supply {2}: {3:L} accelerators", stations,
                         powerText(fewer.watts), fewer.accelerators);
    return feeds.empty() ? stations : i18n("{}; without substations {}", stations, feeds);
}

} // namespace hw::sizing
