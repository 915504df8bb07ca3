// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/settings/grid_settings.h"

#include "core/foundation/settings/number_rows.h"

namespace hw {

std::vector<Setting> gridSettings()
{
    const TextId assumed = TextId("assumed"), group = TextId("Grid connection");
    std::vector<Setting> all = {
        {"site.grid",
         SettingKind::Text,
         0,
         0,
         {},
         group,
         TextId("Grid operator"),
         "",
         "",
         TextId("shipped ramp and step limits for large loads, for example ercot, caiso, ieso; if empty, none apply")},
        {"site.contract_steps",
         SettingKind::Text,
         0,
         0,
         {},
         group,
         TextId("Contracted demand by phase"),
         "",
         "",
         TextId("PHASE=MW, separated by ;: 1=20; 2=45; a step holds until the next one")},
    };
    addNumbers(all, group,
               {{"site.fault_mva", 1, 1e6, TextId("Utility fault level"), "MVA", "500", TextId("at the connection of each utility feed"),
                 TextId("assumed: 500 MVA at 20 kV, a typical distribution network")},
                {"power.transformer_uk_percent", 1, 30, TextId("Transformer impedance (%Z)"), "%", "6", TextId("above 630 kVA; smaller ones 4 %"),
                 TextId("IEC 60076-5: 4 % to 630 kVA, 6 % above; 5.75 % in North America")},
                {"power.high_uk_percent", 1, 30, TextId("HV/MV transformer impedance (%Z)"), "%", "12",
                 TextId("transformers that feed switchgear from the utility"), assumed},
                {"power.magnetizing_percent", 0, 10, TextId("Transformer magnetizing current"), "%", "0.5",
                 TextId("of the rated current; reactive power at any load"), assumed},
                {"power.subtransient_percent", 5, 50, TextId("Generator subtransient reactance"), "%", "15",
                 TextId("saturated; the short-circuit current of a set is its rated current divided by this value"),
                 TextId("typical: 12 to 18 % (assumed)")},
                {"power.ups_input_factor", 0.5, 1, TextId("UPS input power factor"), "", "0.99", TextId("at the load of the design"),
                 TextId("typical of double conversion with active rectifiers (assumed)")}});
    return all;
}

} // namespace hw
