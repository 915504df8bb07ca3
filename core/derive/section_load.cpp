// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/section_load.h"

namespace hw {

std::vector<SectionLoad> sectionLoad(const ProjectParts& parts, const Routing& routing, const Cabling& cabling)
{
    std::vector<std::int64_t> areaOf(parts.size(), -1); // by cable type
    const auto area = [&](PartTypeId type) {
        auto& known = areaOf[type.value];
        if (known < 0) known = crossSectionUm2(parts.cable(type));
        return known;
    };
    std::vector<SectionLoad> loads(routing.sections().size());
    for (std::uint32_t pair = 0; pair < routing.pairs().size(); ++pair) {
        SectionLoad own;
        for (const CableId id : cabling.cablesOfPair(pair)) {
            ++own.cables;
            if (const auto type = cabling[id].type) own.areaUm2 += area(*type);
        }
        for (const std::uint32_t section : routing.sectionsOf(pair)) {
            loads[section].cables += own.cables;
            loads[section].areaUm2 += own.areaUm2;
        }
    }
    return loads;
}

std::int32_t fillPermille(const Snapshot& snapshot, const ProjectParts& parts, const TraySection& section, const SectionLoad& load)
{
    if (!section.tray) return 0;
    const TraySpec& spec = parts.tray(snapshot.trays.type[*section.tray]);
    const std::int64_t area =
        std::int64_t(spec.width.value.count()) * spec.height.value.count() * std::max<std::int16_t>(snapshot.trays.count[*section.tray], 1);
    return area > 0 ? std::int32_t(load.areaUm2 / 1000 / area) : 0;
}

} // namespace hw
