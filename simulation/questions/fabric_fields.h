// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"
#include "simulation/fabric/routing_options.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace questions {

/// What kinds that ask about a fabric share.
inline Field networkField() { return text("network", "backend", {}, i18n("network that carries the traffic")); }
/// The stack was called "stacked" here and "stacked-tor" there; both are still read.
inline Field variantField()
{
    return formerly(choice("variant", FabricVariant::AsDesigned, kFabricVariants, i18n("same equipment, cabled in this variant")), "stacked",
                    name(FabricVariant::StackedToR));
}

/// How connections get their paths. Whether `disjoint` has anything to keep apart: see refuseNothingToPart().
inline Field selectionField(const char* key)
{
    return choice(key, PathSelection::Hash, kPathSelections,
                  i18n("path selection of connections: hash: ECMP by source port; disjoint: source ports are searched until "
                       "the connections of a NIC pair share no link between switches, as far as there are enough paths; "
                       "least-load: the path with the lowest maximum load; spray: every packet over all shortest paths"));
}
/// Refused where each pair of NICs has a single connection in each plane, which is disjoint from nothing.
inline Result<void> refuseNothingToPart(PathSelection selection, const char* key, int connectionsPerPort, const char* connectionsKey, int ports,
                                        int planes)
{
    if (selection != PathSelection::Disjoint || connectionsPerPort > 1 || ports > std::max(planes, 1)) return {};
    return fail(ErrorCode::Refused, key, i18n("disjoint has no effect: each NIC pair has one connection, or one per plane"),
                i18n("set {} to 2 or more, or choose another selection", connectionsKey));
}

inline Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); } ///< null: never
inline Json proof(bool ok, double gap) { return {{"ok", ok}, {"worst_gap", gap}}; }

} // namespace questions
} // namespace hw::sim
