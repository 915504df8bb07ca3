// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/settings/registry.h"
#include "core/operations/monitoring/detectors/air.h"
#include "core/operations/monitoring/detectors/exchanged.h"
#include "core/operations/monitoring/detectors/flow_faults.h"
#include "core/operations/monitoring/detectors/link_faults.h"
#include "core/operations/monitoring/detectors/lost_coolant.h"
#include "core/operations/monitoring/detectors/no_cooling.h"
#include "core/operations/monitoring/detectors/rack_dark.h"
#include "core/operations/monitoring/detectors/reserve.h"
#include "core/operations/monitoring/detectors/silent_loss.h"
#include "core/operations/monitoring/detectors/slow_hosts.h"
#include "core/operations/monitoring/detectors/slow_nics.h"
#include "core/operations/monitoring/detectors/supply_quality.h"

namespace hw::monitoring {

namespace {

const TextId kHeld = TextId("`watch.hold_s`"), kBackInside = TextId("`watch.hold_s` within the threshold by `watch.hysteresis_percent`"),
             kAtOnce = TextId("at once"), kNormalAgain = TextId("normal again");

/// Detectors that compare readings with plan or peers, and those of links, units and jobs.
std::vector<DetectorInfo> ofPlan()
{
    return {
        {"rack-power",
         TextId("Rack power"),
         TextId("above plan by `watch.over_plan_percent`, or above the limit of the rack"),
         kHeld,
         kBackInside,
         {"watch.over_plan_percent", "watch.hold_s", "watch.hysteresis_percent"},
         nullptr,
         false,
         {Criterion::RackPower},
         overBudget},
        {"feed-load",
         TextId("Feed load"),
         TextId("above `watch.capacity_percent` of the rating"),
         kHeld,
         kBackInside,
         {"watch.capacity_percent"},
         nullptr,
         false,
         {Criterion::FeedPower},
         overBudget},
        {"phase-imbalance",
         TextId("Phase imbalance"),
         TextId("highest phase exceeds the average by more than `watch.imbalance_percent` beyond the imbalance of its servers, over two minutes; "
                "average of at "
                "least `watch.phase_load_percent` of the rating"),
         kHeld,
         kBackInside,
         {"watch.imbalance_percent", "watch.phase_load_percent"},
         nullptr,
         false,
         {Criterion::Phase},
         phaseImbalance},
        {"low-flow-rack",
         TextId("Low flow, rack"),
         TextId("below `watch.flow_percent` of the flow that the measured heat requires, over 20 s"),
         kHeld,
         kBackInside,
         {"watch.flow_percent"},
         nullptr,
         false,
         {Criterion::Flow},
         lowFlow},
        {"low-flow-unit",
         TextId("Low flow, CDU or chiller"),
         TextId("below `watch.flow_percent` of its share of the loop flow; the share is raised while the loop delivers less than its loads require"),
         TextId("`watch.unit_flow_s`; at once if most of the loop is affected"),
         TextId("flow restored"),
         {"watch.unit_flow_s"},
         nullptr,
         false,
         {Criterion::UnitFlow},
         lowUnitFlow},
        {"low-flow-loop",
         TextId("Low flow, loop"),
         TextId("racks that need most of a loop's coolant, or units of the loop, are below `watch.flow_percent`; one alarm per loop with its units"),
         TextId("`watch.hold_s`; `watch.unit_flow_s` where units alone are affected"),
         TextId("flow restored; after repeated alarms, for 1 to 16 min"),
         {"watch.flow_percent", "watch.unit_flow_s"},
         nullptr,
         false,
         {},
         nullptr,
         makeFlowFaults},
        {"supply-temperature",
         TextId("Supply temperature"),
         TextId("coolant or air above the class limit of the cooled equipment, or a loop above its plan by `watch.supply_margin_k`"),
         kHeld,
         kBackInside,
         {"watch.supply_margin_k"},
         nullptr,
         false,
         {Criterion::Supply, Criterion::LoopSupply, Criterion::Air},
         highSupply},
        {"temperature-rise",
         TextId("Fast temperature rise"),
         TextId("supply temperature rises by more than `watch.rise_k_per_min`, and by more than 1 K"),
         TextId("30 s; 12 s later if one element alone shows it, as its sensor may be faulty"),
         TextId("rise below half of the rate"),
         {"watch.rise_k_per_min"}},
        {"link-load",
         TextId("Link load"),
         TextId("below `watch.link_percent` of the simulated load"),
         TextId("2 min"),
         TextId("load restored"),
         {"watch.link_percent"},
         nullptr,
         false,
         {Criterion::Traffic},
         lowLinkLoad},
        {"slow-job",
         TextId("Slow job"),
         TextId("all links of the simulated job below `watch.link_percent` of their load"),
         TextId("`watch.job_s`"),
         TextId("load restored for `watch.hold_s`"),
         {"watch.job_s"},
         nullptr,
         false,
         {},
         nullptr,
         makeSlowJob},
        {"idle-server",
         TextId("Idle server"),
         TextId("below `watch.idle_percent` of the load factor of all servers while its GPUs report load, or after the other servers of its job have "
                "resumed; all servers above `watch.idle_hall_percent` of their plan"),
         TextId("`watch.idle_s`"),
         kBackInside,
         {"watch.idle_percent", "watch.idle_hall_percent", "watch.idle_s"},
         nullptr,
         false,
         {Criterion::HostPower},
         idleHost},
        {"throttled-server",
         TextId("Throttled server"),
         TextId(
             "draws less than `watch.throttled_percent` of the power of equally busy servers; one deviation if most servers of a rack are affected"),
         TextId("`watch.throttled_readings`"),
         kNormalAgain,
         {"watch.throttled_percent", "watch.throttled_readings"},
         nullptr,
         false,
         {},
         nullptr,
         makeSlowHosts},
        {"slow-nic",
         TextId("Slow NIC"),
         TextId("sends less than `watch.nic_percent` of the median of its host's other NICs while its network link is healthy; points to the PCIe "
                "link"),
         TextId("`watch.nic_readings`"),
         TextId("two normal readings"),
         {"watch.nic_percent", "watch.nic_readings"},
         nullptr,
         false,
         {},
         nullptr,
         makeSlowNics},
        {"link-down",
         TextId("No connection"),
         TextId("link down at one end"),
         kHeld,
         TextId("`watch.hold_s` after the link is up"),
         {},
         nullptr,
         false,
         {Criterion::LinkUp},
         linkDown},
        {"wrong-rate",
         TextId("Wrong link rate"),
         TextId("rate differs from plan; ends may differ for up to 90 s"),
         kHeld,
         TextId("rate as planned"),
         {},
         nullptr,
         false,
         {Criterion::LinkRate},
         wrongRate},
        {"lost-lanes",
         TextId("Lost lanes"),
         TextId("fewer lanes than the maximum observed"),
         kHeld,
         TextId("lane count restored"),
         {},
         nullptr,
         false,
         {Criterion::LinkLanes},
         lostLanes},
        {"packet-loss",
         TextId("Packet loss"),
         TextId("errored (FCS) frames above `watch.errors_per_s` on a link, or dropped packets above `watch.drops_per_s` at a port"),
         kHeld,
         TextId("`watch.hold_s` after the counters stop increasing"),
         {"watch.errors_per_s", "watch.drops_per_s"},
         nullptr,
         false,
         {Criterion::Errors, Criterion::Drops},
         packetLoss},
        {"silent-loss",
         TextId("Silent packet loss"),
         TextId("RDMA NICs retransmit or miss more than `watch.retransmit_percent` of their packets (packet_seq_err, out_of_sequence, "
                "local_ack_timeout_err), at least twice as many as the lowest quarter of the NICs of their network and 60 % of the highest, and no "
                "port of the network counts errors or drops; reported at the link of one NIC, the access switch of most of its NICs, or the network"),
         TextId("two readings"),
         TextId("two normal readings"),
         {"watch.retransmit_percent"},
         nullptr,
         false,
         {},
         nullptr,
         makeSilentLoss},
        {"faulty-device",
         TextId("Faulty device"),
         TextId(
             "at least `watch.device_links` of its links and `watch.device_percent` of the measured ones show the same fault; otherwise the link is "
             "reported, or the port if only its end shows the fault"),
         TextId("up to 30 s while other links of the device have not been read"),
         TextId("as for a link"),
         {"watch.device_links", "watch.device_percent"},
         nullptr,
         false,
         {},
         nullptr,
         makeLinkFaults},
        {"flapping",
         TextId("Flapping"),
         TextId("`watch.flaps` state changes within `watch.flap_s`, from states and carrier counters"),
         kAtOnce,
         TextId("fewer changes within `watch.flap_s`"),
         {"watch.flaps", "watch.flap_s"}},
        {"missing",
         TextId("Missing telemetry"),
         TextId("no sample for six times the longest recent interval, at least `watch.missing_s`; 330 s for on-change sources, 1.3 × the repeat "
                "interval once known (135 s on DSX); `watch.together` elements within `watch.together_s` raise one alarm"),
         TextId("`watch.cause_hold_s` plus 3 s"),
         TextId("next sample"),
         {"watch.missing_s", "watch.together", "watch.together_s"}},
        {"no-telemetry",
         TextId("No telemetry"),
         TextId("nothing received for `watch.silent_s` and for three times the usual interval, and no recorded gap explains it"),
         kAtOnce,
         TextId("next sample"),
         {"watch.silent_s"}},
        {"leak", TextId("Leak"), TextId("any leak sensor active"), kAtOnce, TextId("sensor clears"), {}},
        {"xid", TextId("XID"), TextId("codes that indicate GPU hardware faults"), kAtOnce, TextId("restart or repair"), {}},
        {"bad-sensor",
         TextId("Bad sensor"),
         TextId("reading violates the energy or flow balance with neighboring sensors by more than `telemetry.heat_percent` or "
                "`telemetry.meter_percent`, is stuck for `telemetry.stuck_samples`, or erratic (`telemetry.jumps`)"),
         TextId("`telemetry.hold_s` to 2 min"),
         TextId("valid for one minute"),
         {"telemetry.heat_percent", "telemetry.heat_least_w", "telemetry.meter_percent", "telemetry.meter_least_w", "telemetry.stuck_samples",
          "telemetry.jumps", "telemetry.hold_s"}},
        {"clock",
         TextId("Clock jump"),
         TextId("timestamps of a source differ from the time of arrival by more than 10 s"),
         TextId("3 s"),
         TextId("all timestamps correct for one minute"),
         {}},
        {"cause",
         TextId("Root cause"),
         TextId("see Root causes"),
         TextId("`watch.cause_hold_s`; 4 to 25 s after the fault"),
         TextId("`watch.hold_s` after most affected points have recovered"),
         {"watch.cause_hold_s"}},
    };
}

/// What raises one alarm, regardless of how many sensors show it.
std::vector<DetectorInfo> ofConditions()
{
    const TextId supply = TextId("`watch.supply_s`"), inside = TextId("within 80 % of the tolerance for `watch.supply_s`");
    return {
        {"on-battery",
         TextId("UPS on battery"),
         TextId("battery charge falls in `watch.discharge_readings` consecutive readings, by at least `watch.discharge_percent`"),
         kAtOnce,
         TextId("charge rises, or is constant for `watch.discharge_steady_s`"),
         {"watch.discharge_readings", "watch.discharge_percent", "watch.discharge_steady_s"},
         makeOnBattery},
        {"open-path",
         TextId("Open breaker"),
         TextId(
             "a transformer or UPS that carried load is energized and carries less than `watch.open_path_percent` of its rating while the elements "
             "that it feeds carry load"),
         TextId("`watch.open_path_s`"),
         TextId("carries load, is de-energized, or nothing it feeds carries load"),
         {"watch.open_path_percent", "watch.open_path_s"},
         makeOpenPath,
         true},
        {"on-generator",
         TextId("Generator sets carrying load"),
         TextId("active power above `watch.generator_percent` of the rating; fuel: `watch.fuel_h` at rated load, less the measured energy since the "
                "start"),
         kAtOnce,
         TextId("`watch.generator_off_s` after the load has ended"),
         {"watch.generator_percent", "watch.generator_off_s", "watch.fuel_h"},
         makeOnGenerator},
        {"frequency",
         TextId("Frequency out of range"),
         TextId("deviates by more than `watch.frequency_percent` from 50 or 60 Hz"),
         supply,
         inside,
         {"watch.frequency_percent", "watch.supply_s"},
         makeFrequency},
        {"voltage",
         TextId("Voltage out of range"),
         TextId("deviates by more than `watch.voltage_percent` from the normal voltage while energized; reported at its origin"),
         supply,
         inside,
         {"watch.voltage_percent", "watch.supply_s"},
         makeVoltage},
        {"phase-loss",
         TextId("Phase loss"),
         TextId(
             "a phase that carried load carries less than `watch.phase_loss_percent` of the other two, and so do most metered elements downstream"),
         supply,
         TextId("carries load for `watch.supply_s`"),
         {"watch.phase_loss_percent", "watch.supply_s"},
         makePhaseLoss},
        {"no-cooling",
         TextId("Unit without cooling water"),
         TextId(
             "the difference between supply and return temperature of a CDU or air-cooling unit falls below `watch.no_cooling_percent` of its usual "
             "value while its flow continues and another unit of its loop is cooling"),
         TextId("`watch.no_cooling_s`"),
         TextId("25 % of the usual difference above the threshold, or flow stops"),
         {"watch.no_cooling_percent", "watch.no_cooling_s"},
         makeNoCooling,
         true},
        {"low-air-flow",
         TextId("Air flow below fan speed"),
         TextId("ratio of air flow to fan speed is below `watch.air_flow_percent` of its usual value, or of that of units of the same type; where "
                "air flow is not measured, the ratio of valve opening to fan speed of this unit alone falls; where fan speed is not measured, its "
                "air flow falls beside that of at least two units of its type"),
         TextId("`watch.air_flow_s`"),
         TextId("10 % of the usual value above the threshold"),
         {"watch.air_flow_percent", "watch.air_flow_s"},
         makeLowAirFlow},
        {"warm-aisle",
         TextId("High cold aisle temperature"),
         TextId("inlet air of at least `watch.aisle_racks` racks of a row is above the higher of `watch.aisle_warm_c` and the design supply "
                "temperature plus `watch.aisle_above_k`"),
         TextId("`watch.aisle_s`"),
         TextId("0.5 K below the threshold for `watch.aisle_s`"),
         {"watch.aisle_warm_c", "watch.aisle_above_k", "watch.aisle_racks", "watch.aisle_s"},
         makeWarmAisle,
         true},
        {"rack-dark",
         TextId("Rack without power"),
         TextId(
             "all rack PDUs or power shelves of a rack are energized and carry less than `watch.dark_percent` of their planned load, and its coolant "
             "flowed before"),
         TextId("`watch.dark_s`"),
         TextId("load restored"),
         {"watch.dark_percent", "watch.dark_s"},
         makeRackDark},
        {"exchanged",
         TextId("Meters swapped"),
         TextId("the mean readings of two racks differ from other measurements of them by `watch.swapped_percent`, or the traffic of two hosts by "
                "`watch.swapped_traffic_percent`, and match when swapped"),
         TextId("`watch.swapped_s`; four times that for fluctuating readings that differ by less than 30 %, half of it for traffic"),
         TextId("readings match the other measurements of the same rack or host"),
         {"watch.swapped_percent", "watch.swapped_traffic_percent", "watch.swapped_s"},
         makeExchanged},
        {"lost-coolant",
         TextId("Coolant loss"),
         TextId("the cooling units of a loop supply at least `watch.coolant_loss_percent` and `watch.coolant_loss_lpm` more coolant than its racks "
                "receive"),
         TextId("`watch.coolant_loss_s`"),
         TextId("difference halved for one minute"),
         {"watch.coolant_loss_percent", "watch.coolant_loss_lpm", "watch.coolant_loss_s"},
         makeLostCoolant},
    };
}

} // namespace

std::span<const DetectorInfo> detectors()
{
    static const std::vector<DetectorInfo> all = [] {
        std::vector<DetectorInfo> rows = ofPlan();
        for (DetectorInfo& info : ofConditions()) rows.push_back(std::move(info));
        return rows;
    }();
    return all;
}

std::string detectorTable()
{
    std::string out = "| finding | condition | raised after | cleared | thresholds |\n|---|---|---|---|---|\n"; // no text: of the docs
    for (const DetectorInfo& info : detectors()) {
        std::string settings;
        for (const std::string_view key : info.settings) {
            const Setting* setting = findSetting(key);
            if (!settings.empty()) settings += ", ";
            settings += '`' + std::string(key) + '`';
            if (!setting) continue;
            settings += ' ' + setting->fallback;
            if (setting->unit.starts_with("1/")) // no text: "10/s"
                settings += setting->unit.substr(1);
            else if (!setting->unit.empty())
                settings += ' ' + setting->unit;
        }
        for (const std::string& cell : {words(info.title), words(info.condition), words(info.after), words(info.cleared), settings})
            out += "| " + cell + ' ';
        out += "|\n";
    }
    return out;
}

} // namespace hw::monitoring
