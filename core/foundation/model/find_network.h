// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

/// A network by its name, else by its key, else the only one of the kind that the text says ("backend").
[[nodiscard]] std::optional<NetworkId> findNetwork(const Snapshot& snapshot, std::string_view text);
/// In the order of the design.
[[nodiscard]] std::vector<std::string> networkNames(const Snapshot& snapshot);

} // namespace hw
