// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

namespace hw::test {

/// True when both hold the same values of the nodes that a window shows, bit for bit.
inline bool sameFigures(const Figures& a, const Figures& b)
{
    return std::ranges::all_of(MainNodes::infos(), [&](const NodeInfo* node) { return node->same(a.value(*node), b.value(*node)); });
}

} // namespace hw::test
