// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"

#include "core/foundation/model/setting_values.h"

namespace hw {

CoolingConditions coolingConditions(const Snapshot& s)
{
    CoolingConditions out;
    out.basis = powerBasisOf(s);
    out.coolant = settingOf(s, "cooling.coolant") == "water" ? "water" : "pg25";
    const auto read = [&](const char* key, double& value) { value = numberSetting(s, key); };
    read("cooling.coolant_supply_c", out.supplyC);
    read("cooling.coolant_delta_k", out.deltaK);
    read("cooling.facility_supply_c", out.facilitySupplyC);
    read("cooling.facility_delta_k", out.facilityDeltaK);
    read("cooling.air_supply_c", out.airSupplyC);
    read("cooling.air_delta_k", out.airDeltaK);
    read("cooling.air_limit_c", out.airLimitC);
    out.bypassShare = numberSetting(s, "cooling.bypass_percent") / 100;
    read("site.ambient_c", out.ambientC);
    read("site.wet_bulb_c", out.wetBulbC);
    read("site.dew_point_c", out.dewPointC);
    read("cooling.fittings_k", out.fittingsK);
    read("cooling.ride_through_k", out.rideThroughK);
    read("impact.cabinet_margin_s", out.cabinetMarginS);
    read("impact.air_margin_s", out.airMarginS);
    for (double* rise : {&out.deltaK, &out.facilityDeltaK, &out.airDeltaK}) *rise = std::max(*rise, 0.1);
    return out;
}

CoolingElement coolingElement(const DeviceSpec& spec)
{
    if (spec.cooling.element != CoolingElement::None) return spec.cooling.element;
    if (spec.removes == "liquid") return CoolingElement::Cdu;
    return spec.removes == "air" ? CoolingElement::FanWall : CoolingElement::None;
}

} // namespace hw
