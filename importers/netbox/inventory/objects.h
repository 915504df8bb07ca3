// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/netbox/inventory/values.h"

#include <span>

namespace hw::importers::netbox_in {

/// A list of NetBox: how it is called in the API, and what is asked for of each object.
struct List {
    Kind kind;
    std::string_view path;   ///< "dcim/devices"
    std::string_view fields; ///< for `?fields=`
    bool ofDevices = false;  ///< can be asked for by device_id
    int since = 0;           ///< release × 10 that brought it: 47; 0: all
};
/// In the order in which they are read.
[[nodiscard]] std::span<const List> lists();

/// The kind of a list by its name: "devices", "dcim/devices", "03-device_types"; nothing: none that NetBox has.
[[nodiscard]] std::optional<Kind> kindNamed(std::string_view name);
/// By an object itself: its `url`, or what only objects of that kind have.
[[nodiscard]] std::optional<Kind> kindOf(const Json& object);

/// Takes one object. What lacks a value that it cannot be without is left out, with a remark.
void take(Kind kind, const Json& object, const std::string& where, const PlaceFields& fields, Inventory& into);

} // namespace hw::importers::netbox_in
