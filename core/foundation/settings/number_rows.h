// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/settings/registry.h"

#include <initializer_list>

namespace hw {

/// A setting that is a number, as the lists of settings declare it: `least`, `most` and `fallback` are in `unit`; `source` says where the
/// fallback is from.
struct NumberRow {
    const char* key;
    double least, most;
    TextId label;
    const char *unit, *fallback;
    TextId help;
    TextId source;
};

inline void addNumbers(std::vector<Setting>& all, TextId group, std::initializer_list<NumberRow> rows)
{
    for (const NumberRow& row : rows)
        all.push_back({row.key, SettingKind::Number, row.least, row.most, {}, group, row.label, row.unit, row.fallback, row.help, row.source});
}

} // namespace hw
