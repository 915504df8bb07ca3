// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

namespace hw {

/// The modules that go into the sockets of the devices among `types`, the cables between these modules, and those that
/// plug into the sockets themselves: slugs, in the catalog's order. None where `types` state a module or cable: then
/// the template has chosen.
[[nodiscard]] std::vector<std::string> offeredParts(const PartTypes& types, const Catalog& catalog);

} // namespace hw
