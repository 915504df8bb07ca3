// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/cabling.h"

namespace hw {

/// What runs through a tray section (indexed like Routing::sections()).
struct SectionLoad {
    std::int32_t cables = 0;
    std::int64_t areaUm2 = 0; ///< summed cross-section of the cables, π/4 d², in µm²
    friend bool operator==(const SectionLoad&, const SectionLoad&) = default;
};

/// Number and cross-section of the cables in every tray section, worked out on demand for bundles and
/// tray fill (a 3 mm cable is 7.07 mm²). Cables of unknown type count without cross-section.
[[nodiscard]] std::vector<SectionLoad> sectionLoad(const ProjectParts& parts, const Routing& routing, const Cabling& cabling);

/// Share of the trays' cross-section that the cables of a section fill, 1/1000; 0 where there is no tray.
[[nodiscard]] std::int32_t fillPermille(const Snapshot& snapshot, const ProjectParts& parts, const TraySection& section, const SectionLoad& load);

} // namespace hw
