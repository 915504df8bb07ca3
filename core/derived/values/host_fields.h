// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"

#include <span>

namespace hw {

inline constexpr std::string_view kHostsOverlay = "hosts"; ///< the name of these values

/// Which devices are among `hosts`, such as those of a job, with their racks and their links.
[[nodiscard]] std::vector<ValueField> hostFields(const Snapshot& snapshot, std::span<const DeviceId> hosts, const Text& title);

} // namespace hw
