// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/incident/findings.h"

#include <nlohmann/json_fwd.hpp>

namespace hw::monitoring {

/// "2026-11-23T06:20:00.000Z".
[[nodiscard]] std::string timeText(std::int64_t ms);
/// What an event is of, as a line of `live --json` and `replay --json`: {"t", "event": "deviation"|"alarm"|"gap"|"trouble", "what":
/// "begins"|"changes"|"ends", …}. The same event gives the same bytes.
[[nodiscard]] nlohmann::ordered_json eventJson(const Event& event, const Figures& figures);
[[nodiscard]] nlohmann::ordered_json deviationJson(const Deviation& deviation, const Figures& figures);
[[nodiscard]] nlohmann::ordered_json alarmJson(const Alarm& alarm, const Figures& figures);
/// A line for people: "06:20:00 alarm: hall1-busway1 has failed, …".
[[nodiscard]] Text eventText(const Event& event, const Figures& figures);

} // namespace hw::monitoring
