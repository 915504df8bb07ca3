// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "importers/netbox/inventory/inventory.h"

#include <functional>
#include <set>

namespace hw::importers::netbox_in {

/// Sites and locations that a selection names, and all locations within them. Errors: Usage, naming those that there are.
struct ChosenPlaces {
    std::set<std::size_t> sites, locations;
};
[[nodiscard]] Result<ChosenPlaces> chosenPlaces(Inventory& inventory, const Selection& selection);

/// Finds what objects refer to, by number, else by name. What belongs to other places than the selected ones is dropped; what refers to nothing is
/// left out with a remark. Ports that only cables name are added. `perRear`: front ports on one rear port of a device type, where no list says it.
/// Error: Usage, as `chosenPlaces`.
using PerRear = std::function<int(const DeviceType&)>;
[[nodiscard]] Result<void> resolve(Inventory& inventory, const Selection& selection, const PerRear& perRear);

/// "7" of "Front 07"; 0 where no number is at its end.
[[nodiscard]] int numberOfPort(const std::string& name);

} // namespace hw::importers::netbox_in
