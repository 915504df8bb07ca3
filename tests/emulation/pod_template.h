// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/template.h"

#include <string>

/// A shipped template as faults and telemetry are tried on it. Of nvl72 and nvl36 with one header of each kind, one loop of facility water and four
/// CDUs of 1.3 MW in a cell: what one header or two units do is to be seen in the values.
inline hw::Result<hw::Template> podTemplate(const std::string& name)
{
    if (!name.starts_with("nvl")) return hw::Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
    std::string text =
        "template: pod\nextends: " + name + "\nsettings: {cooling.coolant_supply_c: \"30\"}\nlayout: {headers: single, cdu_rejector: none}\n";
    if (name == "nvl72")
        text += "tiers:\n  cdu: {when: hall * 16 + cell * 4 < segments, type: cdu-1300kw, type_index: null}\n"
                "  fan_wall: {when: null, type: fan-wall-450kw, type_index: null}\n";
    return hw::Template::parse(text, "pod.yaml", HW_RESOURCES "/templates");
}
