// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <string>

namespace hw {

/// A project that holds a site and nothing else; without a name it is "New site".
[[nodiscard]] SnapshotPtr emptySite(const std::string& name = {});

} // namespace hw
