// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"

#include "core/derived/figures/power.h"

#include <algorithm>

namespace hw {

/// A field of ids 0 … size-1 without values.
[[nodiscard]] inline ValueField emptyField(EntityKind entity, std::size_t size, FieldScale scale, TextId title, std::string unit)
{
    ValueField f;
    f.entity = entity;
    f.values.assign(size, ValueField::kNone);
    f.scale = scale;
    f.title = title;
    f.unit = std::move(unit);
    return f;
}

/// Of racks and of devices, as makers of overlays give them.
[[nodiscard]] inline std::vector<ValueField> both(ValueField racks, ValueField devices)
{
    std::vector<ValueField> fields;
    fields.push_back(std::move(racks));
    fields.push_back(std::move(devices));
    return fields;
}

/// From nothing to the first round value that no known value is beyond.
inline void fitToValues(ValueField& f)
{
    float most = 0;
    for (const float value : f.values)
        if (known(value)) most = std::max(most, value);
    f.high = roundUp(double(most));
}

/// Whose figures of power these are.
[[nodiscard]] inline Text basisOf(const Snapshot& s)
{
    switch (powerBasisOf(s)) {
    case PowerBasis::Typical: return i18n("typical basis");
    case PowerBasis::Design: break;
    case PowerBasis::Nameplate: return i18n("nameplate basis");
    }
    return i18n("design basis");
}

} // namespace hw
