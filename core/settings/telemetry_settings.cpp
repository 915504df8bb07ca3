// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/telemetry_settings.h"

namespace hw {

std::vector<Setting> telemetrySettings()
{
    using Kind = SettingKind;
    const TextId group = TextId("Telemetry"), assumed = TextId("assumed");
    return {
        {"telemetry.rule_sets", Kind::Text, 0, 0, {}, group, TextId("Rule sets of bindings"), "", "all",
         TextId("all, none, or names parted by commas; they bind channels that no rule of the project fits")},
        {"telemetry.heat_percent", Kind::Number, 1, 100, {}, group, TextId("Heat may differ by"), "%", "10",
         TextId("measured against flow and temperatures; beyond it a sensor is bad"),
         TextId("flow meters 2 %, two sensors of 0.2 K at 10 K 4 %, with reserve (assumed)")},
        {"telemetry.heat_least_w", Kind::Number, 0, 1e6, {}, group, TextId("Heat may always differ by"), "W", "2000", {}, assumed},
        {"telemetry.meter_percent", Kind::Number, 1, 100, {}, group, TextId("Meters may differ by"), "%", "10",
         TextId("a meter against the sum of those below it and the losses between"), TextId("meters of class 1 (IEC 62053-21), with reserve (assumed)")},
        {"telemetry.meter_least_w", Kind::Number, 0, 1e6, {}, group, TextId("Meters may always differ by"), "W", "1000", {}, assumed},
        {"telemetry.stuck_samples", Kind::Count, 3, 1000, {}, group, TextId("A sensor is stuck after"), "", "10",
         TextId("values that are the same while those of its neighbours move"), assumed},
        {"telemetry.jumps", Kind::Count, 2, 12, {}, group, TextId("A sensor jumps after"), "", "6",
         TextId("leaps to and fro among 12 values, each many times what its neighbours move"), assumed},
        {"telemetry.hold_s", Kind::Number, 0, 3600, {}, group, TextId("A contradiction stands after"), "s", "10",
         TextId("so long without a break"), assumed},
        {"telemetry.old_s", Kind::Number, 1, 86'400, {}, group, TextId("A value is old after"), "s", "250",
         TextId("it is held against nothing any more"), TextId("DSX Exchange repeats values every 100 s: two and a half of them (assumed)")},
    };
}

} // namespace hw
