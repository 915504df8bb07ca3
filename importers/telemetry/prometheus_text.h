// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"

#include <optional>
#include <string>
#include <string_view>

namespace hw::telemetry {

/// One sample of the text that exporters expose (Prometheus text format 0.0.4, OpenMetrics 1.0).
struct Exposed {
    std::string metric;
    bindings::Labels labels; ///< ascending
    double value = 0;
    std::optional<std::int64_t> timeMs; ///< of either format: seconds below 1e11, milliseconds above
};
/// A line that is no comment. Nothing: not understood.
[[nodiscard]] std::optional<Exposed> readExposition(std::string_view line);
/// "# UNIT metric unit": both; nothing: another line.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> readUnitLine(std::string_view line);
/// Whether a sample tells of the exporter or of a distribution, and not of the hall.
[[nodiscard]] bool besideTheHall(const Exposed& sample);

} // namespace hw::telemetry
