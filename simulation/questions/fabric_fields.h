// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/routing_options.h"
#include "simulation/questions/parameter_schema.h"

#include <cmath>

namespace hw::sim {
inline namespace questions {

/// What kinds that ask about a fabric share.
inline Field networkField() { return text("network", "backend", {}, i18n("that carries the traffic")); }
/// The stack was called "stacked" here and "stacked-tor" there; both are still read.
inline Field variantField()
{
    return formerly(choice("variant", FabricVariant::AsDesigned, kFabricVariants, i18n("the same equipment, cabled so")), "stacked",
                    name(FabricVariant::StackedToR));
}

inline Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); } ///< null: never
inline Json proof(bool ok, double gap) { return {{"ok", ok}, {"worst_gap", gap}}; }

} // namespace questions
} // namespace hw::sim
