// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/cords.h"
#include "core/derived/figures/supply.h"
#include "core/foundation/money/sundry.h"
#include "core/foundation/money/systems.h"

#include <map>

namespace hw {

/// What a sundry is counted in.
enum class SundryUnit : std::uint8_t { Piece, Meter, Liter };
HW_WORDS(SundryUnit, "pcs", "m", "L")

struct Sundry {
    std::string part; ///< as `sundry::`
    Text description{};
    SundryUnit unit = SundryUnit::Piece;
    CostSystem system = CostSystem::Building;
    std::string with{}; ///< slug of the part whose price contains it; empty: it has a price of its own
};

/// So much of a sundry, and what it belongs to.
struct SundryNeed {
    std::uint32_t sundry = 0;     ///< among `Sundries::kinds`
    std::int64_t thousandths = 0; ///< of its unit
    Maybe<DeviceId> device{};     ///< one of these three
    Maybe<RackId> rack{};
    Maybe<RowId> row{};
};

/// Rails, blanking panels, containment, couplings, coolant, outgoing breakers, sections of busways and battery cabinets of a design. Labels follow
/// from what the bill counts (`labelsOf`).
struct Sundries {
    std::vector<Sundry> kinds;
    std::vector<SundryNeed> needs;
};

/// What sundries follow from.
struct SundrySources {
    const Snapshot& s;
    const ProjectParts& parts;
    const Placement& placement;
    const Supply& supply;
    const MediumGraph& coolant;
    const CoolingChain& chain;
};
[[nodiscard]] Sundries sundriesOf(const SundrySources& from);

/// Labels of so many cables, cords, hoses or pipes: one at each end (ANSI/TIA-606).
[[nodiscard]] constexpr std::int64_t labelsOf(std::int64_t pieces) { return 2 * pieces; }
/// One on a rack or device.
[[nodiscard]] Sundry labelSundry();

/// The least standard rating of a breaker that carries so much, in A; 0 where none does.
[[nodiscard]] int breakerAmperes(std::int64_t milliamperes);

} // namespace hw
