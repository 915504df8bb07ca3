// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/limits.h"

#include "core/model/number_setting.h"

namespace hw::watch {

Limits Limits::of(const Snapshot& s)
{
    const auto ms = [](double seconds) { return std::int64_t(std::llround(seconds * 1000)); };
    Limits l;
    l.holdMs = ms(numberSetting(s, "watch.hold_s", 5));
    l.missingMs = ms(numberSetting(s, "watch.missing_s", 15));
    l.flapMs = ms(numberSetting(s, "watch.flap_s", 60));
    l.causeHoldMs = ms(numberSetting(s, "watch.cause_hold_s", 2));
    l.idleMs = ms(numberSetting(s, "watch.idle_s", 60));
    l.hysteresis = numberSetting(s, "watch.hysteresis_percent", 3) / 100;
    l.overPlan = numberSetting(s, "watch.over_plan_percent", 10) / 100;
    l.capacity = numberSetting(s, "watch.capacity_percent", 100) / 100;
    l.imbalance = numberSetting(s, "watch.imbalance_percent", 15) / 100;
    l.flow = numberSetting(s, "watch.flow_percent", 90) / 100;
    l.supplyMarginK = numberSetting(s, "watch.supply_margin_k", 3);
    l.link = numberSetting(s, "watch.link_percent", 70) / 100;
    l.idle = numberSetting(s, "watch.idle_percent", 40) / 100;
    l.errors = numberSetting(s, "watch.errors_per_s", 1);
    l.drops = numberSetting(s, "watch.drops_per_s", 10);
    l.riseKPerMin = numberSetting(s, "watch.rise_k_per_min", 5);
    l.flaps = numberSetting(s, "watch.flaps", 5);
    l.margin = numberSetting(s, "watch.margin_percent", 10) / 100;
    return l;
}

} // namespace hw::watch
