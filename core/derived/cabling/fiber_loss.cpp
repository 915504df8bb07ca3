// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/fiber_loss.h"

#include "core/foundation/model/setting_values.h"

#include <cmath>

namespace hw {

FiberLoss FiberLoss::of(const Snapshot& s)
{
    const auto thousandths = [&](std::string_view key) { return std::int32_t(std::lround(1000 * numberSetting(s, key))); };
    FiberLoss loss;
    loss.multimode850 = thousandths("cabling.mm_850_db_km");
    loss.multimode953 = thousandths("cabling.mm_953_db_km");
    loss.singleMode = thousandths("cabling.sm_db_km");
    loss.singleModeOs1 = thousandths("cabling.sm_os1_db_km");
    loss.mpo = thousandths("cabling.mpo_db");
    loss.lc = thousandths("cabling.lc_db");
    loss.splice = thousandths("cabling.splice_db");
    loss.trunkSplices = int(numberSetting(s, "cabling.trunk_splices"));
    loss.atModules = int(numberSetting(s, "cabling.module_pairs"));
    return loss;
}

std::int32_t FiberLoss::perKilometer(const std::string& medium, const std::string& signal) const
{
    if (medium.starts_with("mmf")) return signal.starts_with("9") ? multimode953 : multimode850;
    if (medium == "smf-os1") return singleModeOs1;
    return medium.starts_with("smf") ? singleMode : 0;
}

std::int32_t FiberLoss::pair(const std::string& connector) const
{
    if (connector.find("mpo") != connector.npos) return mpo;
    return connector.starts_with("lc") ? lc : 0;
}

std::optional<std::int32_t> lossBudget(const TransceiverSpec& a, const TransceiverSpec& b, const std::string& medium)
{
    std::optional<std::int32_t> lower;
    for (const auto* module : {&a, &b}) {
        const auto found = module->lossBudget.find(medium);
        if (found == module->lossBudget.end() || found->second.value <= 0) continue;
        const auto own = std::int32_t(std::lround(1000 * found->second.value));
        lower = std::min(lower.value_or(own), own);
    }
    return lower;
}

} // namespace hw
