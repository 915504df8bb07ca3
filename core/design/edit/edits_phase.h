// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/edit/fields.h"
#include "core/foundation/model/words.h"
#include "core/foundation/money/systems.h"

#include <span>

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

/// What of a selection gets a phase: the objects themselves, the rows that they stand in, or their segments.
enum class PhaseScope : std::uint8_t { Objects, Rows, Segments };
} // namespace hw::edit
namespace hw {
HW_WORDS(edit::PhaseScope, "object", "row", "segment")
} // namespace hw
namespace hw::edit {

/// The buildings, halls, rows, racks and devices that are meant; each once, ascending. Of a segment the racks that hold its devices, and its
/// devices that are in none.
[[nodiscard]] std::vector<EntityRef> phaseObjects(const Snapshot& snapshot, std::span<const EntityRef> selection, PhaseScope scope);
/// All devices of a system (`systemOf`).
[[nodiscard]] std::vector<EntityRef> phaseObjects(const Snapshot& snapshot, const ProjectParts& parts, CostSystem system);
/// Installs objects, with all that they hold, in the phase of a number; what they hold loses phases of its own. A phase that does not exist is
/// added. How many objects. Refused: none, a number out of range.
[[nodiscard]] Result<std::size_t> assignPhase(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, std::span<const EntityRef> objects,
                                              int number);

/// Gives power and cooling plant the phases in which its loads require it (`plantPhases`); how many devices changed. Phases that they had by hand
/// are replaced. Refused: a design with one phase.
[[nodiscard]] Result<std::size_t> phasePlant(Transaction& transaction, const ProjectParts& parts, Lookup& lookup);

} // namespace hw::edit
