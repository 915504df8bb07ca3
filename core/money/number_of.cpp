// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/money/number_of.h"

#include "core/model/number_setting.h"
#include "core/settings/registry.h"

namespace hw {

double numberOf(const Snapshot& snapshot, std::string_view key)
{
    const Setting* setting = findSetting(key);
    const double fallback = setting ? std::strtod(setting->fallback.c_str(), nullptr) : 0;
    return numberSetting(snapshot, key, fallback);
}

bool isSet(const Snapshot& snapshot, std::string_view key) { return !snapshot.setting(key).empty(); }

} // namespace hw
