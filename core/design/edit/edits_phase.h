// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/edit/fields.h"

namespace hw::edit {

/// The design as it stands when phase `number` is installed: without what comes later and all that depends on it. Links to
/// what is left out are gone, their ports are free; what stays is where it is in the whole, cables and feeders in their trays, too: a tray of a
/// later row or room that some of them run through is there, and hangs in its room or on the campus. Refused: a number that no phase has.
[[nodiscard]] Result<FiguresPtr> figuresAtPhase(const FiguresPtr& whole, int number);
[[nodiscard]] Result<SnapshotPtr> designAtPhase(const SnapshotPtr& design, int number);

/// Things of one kind: of a part type, and in a place or of a tier, where these are given.
struct ManyThings {
    EntityKind kind = EntityKind::None;
    std::optional<EntityRef> in{}; ///< cables are in what holds one of their ends
    std::string type{};            ///< slug of the part type; of cages that of the socket: 400gbase-x-qsfp112
};
/// Sets one column of all of them; how many there are. Refused: none, and what `setField` refuses.
[[nodiscard]] Result<std::size_t> setMany(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, const ManyThings& many,
                                          std::string_view column, const std::optional<std::string>& value);

/// Gives power and cooling plant the phases in which its loads require it (`plantPhases`); how many devices changed. Phases that they had by hand
/// are replaced. Refused: a design with one phase.
[[nodiscard]] Result<std::size_t> phasePlant(Transaction& transaction, const ProjectParts& parts, Lookup& lookup);

} // namespace hw::edit
