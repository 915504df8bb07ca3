// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/survey.h"

namespace hw::test {

/// One loss alone, by loop.
inline std::vector<LoopAfterLoss> coolingWithout(const CoolingChain& chain, std::span<const DeviceId> lost, std::span<const LinkId> shut = {})
{
    return cooling::Survey(chain).without(lost, shut).loops;
}

} // namespace hw::test
