// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "importers/netbox/inventory/inventory.h"

#include <chrono>
#include <filesystem>

namespace hw::importers::netbox_in {

/// How patient the reader is.
struct Patience {
    std::chrono::milliseconds pause{500}; ///< before the second try, twice as long before the third
    std::chrono::seconds answer{60};
    int tries = 3;
};

[[nodiscard]] bool isUrl(const std::string& text);

/// Reads an installation over its REST API, with GET alone: first its version, then list by list. A token comes from the environment
/// (HALLWRIGHT_NETBOX_TOKEN) or the credentials file (`credentials`, else the usual one). Lists that the token may not view are named, unless nothing
/// can be made without them. Errors: Usage (the URL), Refused (the token), Unreadable (no NetBox, or no answer), Canceled.
[[nodiscard]] Result<void> readServer(const std::string& url, const Selection& selection, const PlaceFields& fields, const Progress& progress,
                                      Inventory& into, const std::filesystem::path& credentials = {}, const Patience& patience = {});

} // namespace hw::importers::netbox_in
