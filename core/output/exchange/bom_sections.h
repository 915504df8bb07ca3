// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/bom.h"

namespace hw {

enum class BomBy : std::uint8_t { System, Phase, Building, Room };
HW_WORDS(BomBy, "system", "phase", "building", "room")

/// A bill in parts, each a bill of its own; their totals add up to that of the whole.
struct BomSections {
    struct Section {
        std::string name; ///< in files: the word of a system, the number of a phase, the name of a building or room; empty: in none
        Text title;       ///< for people
        Bom bom;
    };
    BomBy by = BomBy::System;
    std::vector<Section> sections; ///< without empty ones
};

/// By systems from the lines alone; by phases, buildings and rooms from where each thing stands: a cable comes with the later
/// of its ends and stands where its lower end does, meters of trays are rounded so that they add up, and the spares of a
/// phase are those that it needs on top of the earlier ones, in no building. Spare cables and what fills a pack come with the phase that opens it,
/// in no building.
[[nodiscard]] BomSections bomSections(const Figures& figures, const Bom& bom, BomBy by);

/// A part of a line of the bill: what of it is in one room and comes in one phase.
struct PlacedBomLine {
    std::size_t line = 0; ///< in the bill
    Maybe<HallId> hall;   ///< none: spares, and what is not placed
    int phase = 1;
    std::int64_t quantity = 0;
    friend bool operator==(const PlacedBomLine&, const PlacedBomLine&) = default;
};
/// All lines but charges, by line, phase and room; their quantities add up to those of the bill.
[[nodiscard]] std::vector<PlacedBomLine> placedLines(const Figures& figures, const Bom& bom);

} // namespace hw
