// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/supply_work.h"

#include "core/derived/figures/figures.h"
#include "core/foundation/catalog/entity.h"

namespace hw {

std::vector<SupplyPaper> supplyPapers(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    const Supply& supply = f.get<SupplyNode>();
    std::vector<SupplyPaper> papers;
    for (const SupplyLine& line : supply.lines()) {
        const auto cable = s.links.cable[line.link];
        if (!cable) continue;
        const auto plug = [&](PortId port) { return CablePlug{s.ports.device[port], portName(s, *f.parts, port)}; };
        SupplyPaper paper{*cable, &line, plug(s.links.from[line.link]), plug(s.links.to[line.link]), {}, 0};
        if (paper.from.device != line.consumer) std::swap(paper.from, paper.to);
        const auto& sections = supply.routing(line.medium).sections();
        const auto way = supply.sectionsOf(line);
        paper.sections = way.size();
        for (const std::uint32_t section : way)
            if (const auto tray = sections[section].tray; tray && (paper.trays.empty() || paper.trays.back() != *tray)) paper.trays.push_back(*tray);
        papers.push_back(std::move(paper));
    }
    return papers;
}

} // namespace hw
