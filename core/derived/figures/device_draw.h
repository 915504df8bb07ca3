// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/power.h"

namespace hw {

/// What a device of a type draws on a basis, as its part says: without modules, unless its figures include them.
[[nodiscard]] inline const Fact<Milliwatts>& drawOf(const DeviceSpec& spec, PowerBasis basis)
{
    switch (basis) {
    case PowerBasis::Typical: return spec.typical;
    case PowerBasis::Design: break;
    case PowerBasis::Nameplate: return spec.nameplate;
    }
    return spec.design;
}

} // namespace hw
