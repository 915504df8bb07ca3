// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/settings/prediction_settings.h"

#include "core/foundation/settings/number_rows.h"

namespace hw {

std::vector<Setting> predictionSettings()
{
    const TextId assumed = TextId("assumed"), help = TextId("exponent w of the failure rate factor (1 + count / usual count)^w");
    std::vector<Setting> all;
    addNumbers(
        all, TextId("Fault prediction"),
        {
            {"prediction.base_per_host_year", 0.001, 1000, TextId("Failures per host and year"), "1/a", "1.38",
             TextId("failure rate of a host without signs of failure"), TextId("Llama 3 log: 419 faults in 54 days on 16,384 GPUs, 8 per host")},
            {"prediction.horizon_days", 0.1, 365, TextId("Prediction horizon"), "d", "7",
             TextId("period for which the probability of a failure is given"), assumed},
            {"prediction.threshold_percent", 1, 100, TextId("Prediction threshold"), "%", "30",
             TextId("failure probability within the horizon at or above which a failure is predicted"), assumed},
            {"prediction.half_life_days", 0.1, 365, TextId("Half-life of signs of failure"), "d", "3",
             TextId("age at which a sign of failure counts half"), assumed},
            {"prediction.hot_c", 30, 120, TextId("High GPU temperature"), "°C", "87", TextId("hours above this temperature are a sign of failure"),
             assumed},
            {"prediction.weight_xid", 0, 10, TextId("Weight of XID errors"), "", "1.5", help, assumed},
            {"prediction.weight_ecc_corrected", 0, 10, TextId("Weight of corrected ECC errors"), "", "1", help, assumed},
            {"prediction.weight_ecc_uncorrected", 0, 10, TextId("Weight of uncorrected ECC errors"), "", "3", help, assumed},
            {"prediction.weight_pcie_replays", 0, 10, TextId("Weight of PCIe replays"), "", "1", help, assumed},
            {"prediction.weight_link_errors", 0, 10, TextId("Weight of link errors"), "", "1", help, assumed},
            {"prediction.weight_flaps", 0, 10, TextId("Weight of link flaps"), "", "1", help, assumed},
            {"prediction.weight_hot_hours", 0, 10, TextId("Weight of hours above the temperature limit"), "", "1", help, assumed},
        });
    all.push_back({"operations.teams",
                   SettingKind::Text,
                   0,
                   0,
                   {},
                   TextId("Tickets"),
                   TextId("Responsible teams"),
                   "",
                   "compute=Compute; network=Network; storage=Storage; power=Electrical; cooling=Mechanical; configuration=Network", // no text
                   TextId("TRADE=TEAM; … for tickets; trades: compute, network, storage, power, cooling, configuration"),
                   assumed});
    return all;
}

} // namespace hw
