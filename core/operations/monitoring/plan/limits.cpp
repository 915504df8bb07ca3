// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/plan/limits.h"

#include "core/foundation/model/setting_values.h"

#include <cmath>

namespace hw::monitoring {

double shareSetting(const Snapshot& snapshot, std::string_view key) { return numberSetting(snapshot, key) / 100; }
std::int64_t msSetting(const Snapshot& snapshot, std::string_view key) { return std::int64_t(std::llround(numberSetting(snapshot, key) * 1000)); }

Limits Limits::of(const Snapshot& s)
{
    Limits l;
    l.holdMs = msSetting(s, "watch.hold_s");
    l.missingMs = msSetting(s, "watch.missing_s");
    l.flapMs = msSetting(s, "watch.flap_s");
    l.causeHoldMs = msSetting(s, "watch.cause_hold_s");
    l.idleMs = msSetting(s, "watch.idle_s");
    l.hysteresis = shareSetting(s, "watch.hysteresis_percent");
    l.overPlan = shareSetting(s, "watch.over_plan_percent");
    l.capacity = shareSetting(s, "watch.capacity_percent");
    l.imbalance = shareSetting(s, "watch.imbalance_percent");
    l.flow = shareSetting(s, "watch.flow_percent");
    l.supplyMarginK = numberSetting(s, "watch.supply_margin_k");
    l.link = shareSetting(s, "watch.link_percent");
    l.idle = shareSetting(s, "watch.idle_percent");
    l.errors = numberSetting(s, "watch.errors_per_s");
    l.drops = numberSetting(s, "watch.drops_per_s");
    l.retransmits = shareSetting(s, "watch.retransmit_percent");
    l.riseKPerMin = numberSetting(s, "watch.rise_k_per_min");
    l.flaps = numberSetting(s, "watch.flaps");
    l.margin = shareSetting(s, "watch.margin_percent");
    l.jobMs = msSetting(s, "watch.job_s");
    l.aloneMs = msSetting(s, "watch.unit_flow_s");
    l.togetherMs = msSetting(s, "watch.together_s");
    l.silentMs = msSetting(s, "watch.silent_s");
    l.nic = shareSetting(s, "watch.nic_percent");
    l.nicReadings = numberSetting(s, "watch.nic_readings");
    l.throttled = shareSetting(s, "watch.throttled_percent");
    l.throttledReadings = numberSetting(s, "watch.throttled_readings");
    l.deviceLinks = numberSetting(s, "watch.device_links");
    l.device = shareSetting(s, "watch.device_percent");
    l.idleHall = shareSetting(s, "watch.idle_hall_percent");
    l.phaseLoad = shareSetting(s, "watch.phase_load_percent");
    l.together = numberSetting(s, "watch.together");
    return l;
}

} // namespace hw::monitoring
