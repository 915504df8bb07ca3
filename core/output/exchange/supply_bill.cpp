// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/supply_bill.h"

#include <algorithm>

namespace hw {

std::vector<SupplyNeed> supplyNeeds(const Supply& supply, const Cords& cords)
{
    std::map<Cabling::TypeLength, std::int64_t> pieces;
    for (const auto* sums : {&cords.cords(), &cords.hoses()})
        for (const auto& [key, n] : *sums) pieces[key] += n;
    std::map<PartTypeId, std::int64_t> boxes;
    for (const SupplyLine& line : supply.lines()) {
        if (line.size.type) pieces[{*line.size.type, line.lengthMm}] += line.size.runs;
        if (line.size.tapOff) ++boxes[*line.size.tapOff];
    }
    std::vector<SupplyNeed> needs;
    for (const auto& [type, n] : boxes) needs.push_back({type, n, 0});
    for (const auto& [key, n] : pieces) needs.push_back({key.type, n, key.lengthMm});
    return needs;
}

SupplyTotals supplyTotals(const Supply& supply, const Cords& cords)
{
    SupplyTotals t;
    t.cords = cords.cordCount(), t.cordMm = cords.cordMm(), t.withoutPart = cords.withoutPart();
    t.hoses = cords.hoseCount();
    for (const auto& [key, n] : cords.hoses()) t.hoseMm += n * key.lengthMm;
    for (const SupplyLine& line : supply.lines()) {
        const std::int64_t mm = std::int64_t(line.lengthMm) * line.size.runs;
        t.noWay += line.noWay, t.withoutPart += !line.size.type;
        switch (line.size.kind) {
        case SupplyKind::Whip: ++t.whips, t.whipMm += mm, t.tapOffs += bool(line.size.tapOff); break;
        case SupplyKind::Feeder:
            ++t.feeders, t.runs += line.size.runs, t.feederMm += mm;
            t.longestFeederMm = std::max(t.longestFeederMm, line.lengthMm);
            break;
        case SupplyKind::BusDuct: ++t.busDucts, t.busDuctMm += mm; break;
        case SupplyKind::Hose: ++t.hoses, t.hoseMm += mm; break;
        case SupplyKind::Pipe: ++t.pipes, t.pipeMm += mm; break;
        }
    }
    return t;
}

} // namespace hw
