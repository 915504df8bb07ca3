// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/watch_settings.h"

namespace hw {

namespace {

struct Threshold {
    const char* key;
    double least, most;
    TextId label;
    const char *unit, *fallback;
    TextId help;
    TextId source;
};

} // namespace

std::vector<Setting> watchSettings()
{
    const TextId assumed = TextId("assumed");
    const std::initializer_list<Threshold> rows = {
        {"watch.hold_s", 0, 3600, TextId("Deviations stand after"), "s", "5", TextId("so long beyond a threshold, and so long back within it"),
         assumed},
        {"watch.hysteresis_percent", 0, 50, TextId("Hysteresis"), "%", "3", TextId("so far back within a threshold until a deviation ends"), assumed},
        {"watch.over_plan_percent", 0, 500, TextId("Over plan from"), "%", "10", TextId("beyond the planned power on the project's basis"), assumed},
        {"watch.capacity_percent", 10, 200, TextId("Over capacity from"), "%", "100", TextId("of the rating of a feed, busway, PDU or UPS"),
         TextId("the rating itself; for loads of three hours and more NEC 210.20 counts 80 %")},
        {"watch.imbalance_percent", 0, 100, TextId("Phases are uneven from"), "%", "15",
         TextId("fullest phase over the mean of the three, beyond what the design has of it; of what carries a tenth of its rating or more"),
         assumed},
        {"watch.flow_percent", 1, 100, TextId("Flow is low under"), "%", "90", TextId("of what the measured heat needs"), assumed},
        {"watch.supply_margin_k", 0, 30, TextId("Loops are warm from"), "K", "3", TextId("over the planned supply temperature of a loop"), assumed},
        {"watch.link_percent", 0, 100, TextId("Links are slow under"), "%", "70", TextId("of their simulated load"), assumed},
        {"watch.idle_percent", 0, 100, TextId("Idle under"), "%", "40",
         TextId("of the load factor of all servers, while that is 60 % of the planned power or more"), assumed},
        {"watch.idle_s", 0, 86'400, TextId("Idle servers are told after"), "s", "60", TextId("longer than a save or a restart of a job takes"),
         assumed},
        {"watch.errors_per_s", 0, 1e9, TextId("Damaged frames from"), "1/s", "1", TextId("on a port"),
         TextId("assumed; IEEE 802.3 allows a frame loss ratio of 6.2e-10, one frame in 40 s at 400 Gb/s")},
        {"watch.drops_per_s", 0, 1e9, TextId("Dropped packets from"), "1/s", "10", TextId("on a port; a lossless fabric drops none"), assumed},
        {"watch.missing_s", 1, 86'400, TextId("Data are missing after"), "s", "15",
         TextId("at least, and six times the longest interval of the channel of late"), assumed},
        {"watch.rise_k_per_min", 0.1, 1000, TextId("Temperatures rise fast from"), "K/min", "5", TextId("of air and coolant"),
         TextId("assumed; ASHRAE TC 9.9 allows 20 K in an hour, and 5 K in 15 min where tape drives stand")},
        {"watch.flaps", 2, 1000, TextId("A state flaps from"), "changes", "5", TextId("within watch.flap_s"), assumed},
        {"watch.flap_s", 1, 86'400, TextId("Changes of a state are counted over"), "s", "60", TextId("for watch.flaps"), assumed},
        {"watch.cause_hold_s", 0, 600, TextId("A cause stands after"), "s", "2", TextId("so long explaining what is seen"), assumed},
        {"watch.margin_percent", 0, 100, TextId("Headroom from life keeps"), "%", "10", TextId("of measured peaks on top of them"), assumed},
    };
    std::vector<Setting> all;
    for (const Threshold& row : rows)
        all.push_back(
            {row.key, SettingKind::Number, row.least, row.most, {}, TextId("Live twin"), row.label, row.unit, row.fallback, row.help, row.source});
    return all;
}

} // namespace hw
