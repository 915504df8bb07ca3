// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hw::telemetry {

/// Milliseconds since 1970 of a time in ISO 8601: "2026-11-23T06:00:00.250Z", "2026-11-23 06:00:00+01:00"; no zone: UTC.
[[nodiscard]] std::optional<std::int64_t> isoTime(const std::string& text);

} // namespace hw::telemetry
