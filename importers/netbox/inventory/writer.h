// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"
#include "importers/netbox/inventory/parts.h"

namespace hw::importers::netbox_in {

/// Writes what was read into a design. What is there by the same name stays as it is; where it differs, a remark says so. Adds facts and remarks.
void writeDesign(Snapshot& design, Inventory& inventory, const Wiring& wiring, ChosenParts& parts, const Catalog& catalog);

} // namespace hw::importers::netbox_in
