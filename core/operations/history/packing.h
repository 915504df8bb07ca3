// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/history/telemetry_file.h"

#include <functional>

namespace hw::history {

/// Makes chunks of what is frozen, channels without a place given one, with the minutes of the file joined to those of the samples.
/// `between` is called now and then; it may add samples to `contents.active`.
[[nodiscard]] Result<Packed> pack(Contents& contents, TelemetryFile& file, const std::function<void()>& between);

} // namespace hw::history
