// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/netbox/inventory/inventory.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace hw::importers::netbox_in {

using Json = nlohmann::json;

// Values of NetBox's JSON, of whatever form: choices are {value, label} or a bare word, decimals numbers or strings, related objects maps, numbers or
// names. Nothing here throws; what is not there is null, empty or the fallback.

[[nodiscard]] const Json& member(const Json& object, const char* key);
[[nodiscard]] std::string textOf(const Json& value);
[[nodiscard]] std::optional<double> numberOf(const Json& value); ///< also the number that a text begins with: "42U"
[[nodiscard]] std::int64_t wholeOf(const Json& value, std::int64_t fallback = 0);
[[nodiscard]] bool flagOf(const Json& value, bool fallback);
[[nodiscard]] Ref refOf(const Json& value);

/// The word of a choice, lower case: "Active" → "active".
[[nodiscard]] std::string choiceOf(const Json& value);

[[nodiscard]] std::string lower(std::string_view text);
/// Letters and digits of a name, lower case: what names have in common that are written differently.
[[nodiscard]] std::string bare(std::string_view text);
/// A name as a slug: a-z, 0-9, - and _.
[[nodiscard]] std::string slugOf(std::string_view text);
/// In the order of people: digits by their value.
[[nodiscard]] bool naturalLess(std::string_view a, std::string_view b);
/// The slug of an interface type that a list shows by its label: "OSFP (800GE)" → 800gbase-x-osfp; a slug stays as it is.
[[nodiscard]] std::string interfaceSlug(const std::string& shown);
/// Names of one cell, separated by commas or line ends.
[[nodiscard]] std::vector<std::string> namesIn(const std::string& cell);
/// In meters; nothing where the unit is unknown.
[[nodiscard]] std::optional<double> metersOf(double length, std::string_view unit);

} // namespace hw::importers::netbox_in
