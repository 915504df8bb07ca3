// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/cable_totals.h"

namespace hw::views {

CableTotals cableTotals(const Figures& figures)
{
    CableTotals totals;
    const ProjectParts& parts = *figures.parts;
    for (const auto& [key, n] : figures.cabling->physicalByTypeLength()) {
        const CableSpec& cable = parts.cable(key.type);
        totals.lengthMm += std::int64_t(key.lengthMm) * n;
        totals.cables += n;
        totals.cost += (cable.priceFixed.value + Money(cable.pricePerMetre.value.count() * key.lengthMm / 1000)) * n;
    }
    for (const auto& [type, n] : figures.cabling->transceivers()) {
        totals.optics += n;
        totals.cost += parts.transceiver(type).price.value * n;
    }
    totals.longestMm = figures.cabling->longestMm();
    return totals;
}

} // namespace hw::views
