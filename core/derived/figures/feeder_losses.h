// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

namespace hw {

/// Heat of the feeders, whips and bus ducts into each device, by device, at what its ways carry in the chain with nothing lost: 3·I²·R of the
/// conductor at the temperature of the setting "power.conductor_c". Stated beside the chain, whose elements do not carry it; what is laid in a cable
/// of no known resistance loses nothing.
[[nodiscard]] std::vector<Milliwatts> feederLosses(const Figures& figures, const PowerChain& chain);

} // namespace hw
