// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace questions {

/// The links that a text names: by two ends with a dash between them ("A - B" or "A – B"), each a device or a port of one; all links
/// between two devices; or by a port, or a cable. Errors: Refused, the place is `link`.
[[nodiscard]] Result<std::vector<LinkId>> linksNamed(const Snapshot& snapshot, const ProjectParts& parts, const std::string& text);

} // namespace questions
} // namespace hw::sim
