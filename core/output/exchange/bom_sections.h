// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/bom.h"

namespace hw {

enum class BomBy : std::uint8_t { System, Phase, Building };
HW_WORDS(BomBy, "system", "phase", "building")

/// A bill in parts, each a bill of its own; their totals add up to that of the whole.
struct BomSections {
    struct Section {
        std::string name; ///< in files: the word of a system, the number of a phase, the name of a building; empty: stands in none
        Text title;       ///< for people
        Bom bom;
    };
    BomBy by = BomBy::System;
    std::vector<Section> sections; ///< without empty ones
};

/// By systems from the lines alone; by phases and buildings from where each thing stands: a cable comes with the later
/// of its ends and stands where its lower end does, metres of trays are rounded so that they add up, and the spares of a
/// phase are those that it needs on top of the earlier ones, in no building. Spare cables and what fills a pack come with the phase that opens it,
/// in no building.
[[nodiscard]] BomSections bomSections(const Figures& figures, const Bom& bom, BomBy by);

} // namespace hw
