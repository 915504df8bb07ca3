// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/plan/limits.h"

#include "core/foundation/model/setting_values.h"

#include <cmath>

namespace hw::monitoring {

Limits Limits::of(const Snapshot& s)
{
    const auto ms = [](double seconds) { return std::int64_t(std::llround(seconds * 1000)); };
    Limits l;
    l.holdMs = ms(numberSetting(s, "watch.hold_s"));
    l.missingMs = ms(numberSetting(s, "watch.missing_s"));
    l.flapMs = ms(numberSetting(s, "watch.flap_s"));
    l.causeHoldMs = ms(numberSetting(s, "watch.cause_hold_s"));
    l.idleMs = ms(numberSetting(s, "watch.idle_s"));
    l.hysteresis = numberSetting(s, "watch.hysteresis_percent") / 100;
    l.overPlan = numberSetting(s, "watch.over_plan_percent") / 100;
    l.capacity = numberSetting(s, "watch.capacity_percent") / 100;
    l.imbalance = numberSetting(s, "watch.imbalance_percent") / 100;
    l.flow = numberSetting(s, "watch.flow_percent") / 100;
    l.supplyMarginK = numberSetting(s, "watch.supply_margin_k");
    l.link = numberSetting(s, "watch.link_percent") / 100;
    l.idle = numberSetting(s, "watch.idle_percent") / 100;
    l.errors = numberSetting(s, "watch.errors_per_s");
    l.drops = numberSetting(s, "watch.drops_per_s");
    l.riseKPerMin = numberSetting(s, "watch.rise_k_per_min");
    l.flaps = numberSetting(s, "watch.flaps");
    l.margin = numberSetting(s, "watch.margin_percent") / 100;
    return l;
}

} // namespace hw::monitoring
