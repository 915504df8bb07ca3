// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/settings/monitoring_settings.h"

#include "core/foundation/settings/number_rows.h"

namespace hw {

std::vector<Setting> monitoringSettings()
{
    const TextId assumed = TextId("assumed");
    std::vector<Setting> all;
    addNumbers(
        all, TextId("Live monitoring"),
        {
            {"watch.hold_s", 0, 3600, TextId("Deviation confirmed after"), "s", "5",
             TextId("time beyond a threshold to raise, and back within it to clear"), assumed},
            {"watch.hysteresis_percent", 0, 50, TextId("Hysteresis"), "%", "3", TextId("margin within a threshold before a deviation clears"),
             assumed},
            {"watch.over_plan_percent", 0, 500, TextId("Over-plan threshold"), "%", "10", TextId("above the planned power on the project's basis"),
             assumed},
            {"watch.capacity_percent", 10, 200, TextId("Over-capacity threshold"), "%", "100", TextId("of the rating of a feed, busway, PDU or UPS"),
             TextId("the rating itself; NEC 210.20 uses 80 % for loads of three hours or more")},
            {"watch.imbalance_percent", 0, 100, TextId("Phase imbalance threshold"), "%", "15",
             TextId("highest phase relative to the average of the three, in excess of the design's own imbalance; for "
                    "elements loaded to at least a tenth of their rating"),
             assumed},
            {"watch.flow_percent", 1, 100, TextId("Low flow threshold"), "%", "90", TextId("of the flow required for the measured heat"), assumed},
            {"watch.supply_margin_k", 0, 30, TextId("High loop temperature threshold"), "K", "3",
             TextId("above the planned supply temperature of a loop"), assumed},
            {"watch.link_percent", 0, 100, TextId("Slow link threshold"), "%", "70", TextId("of the simulated load"), assumed},
            {"watch.idle_percent", 0, 100, TextId("Idle threshold"), "%", "40",
             TextId("of the load factor of all servers, if that is at least 60 % of the planned power"), assumed},
            {"watch.idle_s", 0, 86'400, TextId("Idle-server alarm delay"), "s", "60", TextId("longer than a checkpoint or a job restart"), assumed},
            {"watch.errors_per_s", 0, 1e9, TextId("Frame error threshold"), "1/s", "1", TextId("per port"),
             TextId("assumed; IEEE 802.3 allows a frame loss ratio of 6.2e-10, one frame in 40 s at 400 Gb/s")},
            {"watch.drops_per_s", 0, 1e9, TextId("Packet drop threshold"), "1/s", "10", TextId("per port; a lossless fabric drops none"), assumed},
            {"watch.missing_s", 1, 86'400, TextId("Missing data delay"), "s", "15",
             TextId("minimum; at least six times the longest recent interval of the channel"), assumed},
            {"watch.rise_k_per_min", 0.1, 1000, TextId("Fast temperature rise threshold"), "K/min", "5", TextId("for air and coolant"),
             TextId("assumed; ASHRAE TC 9.9 allows 20 K per hour, and 5 K in 15 min with tape drives")},
            {"watch.flaps", 2, 1000, TextId("State flapping threshold"), "changes", "5", TextId("within watch.flap_s"), assumed},
            {"watch.flap_s", 1, 86'400, TextId("State flapping window"), "s", "60", TextId("period for watch.flaps"), assumed},
            {"watch.cause_hold_s", 0, 600, TextId("Root cause confirmed after"), "s", "2", TextId("time for which it explains the observations"),
             assumed},
            {"watch.aisle_warm_c", 10, 60, TextId("High cold aisle temperature threshold"), "°C", "27",
             TextId("air inlet of racks; at least 5 K above the design supply temperature"),
             TextId("ASHRAE TC 9.9: recommended upper limit of classes A1 to A4")},
            {"watch.fuel_h", 0, 1000, TextId("Generator fuel at rated load"), "h", "12", TextId("fuel stored on site; 0 = not reported"),
             TextId("Uptime Institute, Tier Standard: Topology: 12 hours of fuel on site")},
            {"watch.margin_percent", 0, 100, TextId("Margin of measured headroom"), "%", "10", TextId("added to measured peaks"), assumed},
        });
    return all;
}

} // namespace hw
