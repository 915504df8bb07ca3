// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/sizing.h"

namespace hw::sizing {

inline constexpr std::int64_t kMostMade = 20'000;          ///< accelerators of a design: some tenths of a second
inline constexpr std::int64_t kMostMadeTogether = 120'000; ///< of all designs larger than that, if they are few: some seconds

/// Which designs of an answer get the facility power of their own losses.
enum class FacilityOf : std::uint8_t { All, ParetoOptimal };

/// Accelerators of the largest design that is made for its losses: any, where those above `kMostMade` are few; else `kMostMade`.
[[nodiscard]] std::int64_t mostMade(const SizeAnswer& answer, FacilityOf which);

/// Facility power of what an answer lists, as the report of each design states it: designs of up to `mostAccelerators` are made for that. Of larger
/// ones a smaller design of the same variant is made, and its PUE holds for the larger one, which says so. Errors: Canceled.
[[nodiscard]] Result<void> addFacilityPower(SizeAnswer& answer, const std::vector<Template>& templates, const Catalog& catalog,
                                            std::int64_t mostAccelerators = kMostMade, const Progress& progress = {},
                                            FacilityOf which = FacilityOf::All);

/// `size` with facility power. A limit of facility power holds for the PUE that each design of the answer has by its own losses (of all of them).
/// Large designs are made, too, where they are few, so that a design asked for by name has the figures of its report.
[[nodiscard]] Result<SizeAnswer> sizeWithFacility(const SizeRequest& request, const std::vector<Template>& templates, const Catalog& catalog,
                                                  const Progress& progress = {}, FacilityOf which = FacilityOf::All);

/// "losses and cooling of this design": where the PUE of a design is from.
[[nodiscard]] Text pueSource(const SizedDesign& design);

} // namespace hw::sizing
