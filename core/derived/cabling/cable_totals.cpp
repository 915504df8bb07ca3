// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_totals.h"

namespace hw {

CableTotals cableTotals(const ProjectParts& parts, const Cabling& cabling)
{
    CableTotals totals;
    for (const auto& [key, n] : cabling.physicalByTypeLength()) {
        const CableSpec& cable = parts.cable(key.type);
        totals.lengthMm += std::int64_t(key.lengthMm) * n;
        totals.cables += n;
        totals.cost += (cable.priceFixed.value + Money(cable.pricePerMeter.value.count() * key.lengthMm / 1000)) * n;
    }
    for (const auto& [type, n] : cabling.transceivers()) {
        if (isBuiltIn(parts.transceiver(type))) continue;
        totals.optics += n;
        totals.cost += parts.transceiver(type).price.value * n;
    }
    totals.longestMm = cabling.longestMm();
    return totals;
}

} // namespace hw
