// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/figures/small_hall.h"

namespace hw::test {

/// A random hall whose hosts have cards in one or two networks, power over strips, busways and transformers with a way missing here and
/// there, and coolant units. With `switchgear` before the transformers, and busways of more ways.
[[nodiscard]] Snapshot randomPlant(unsigned seed, bool switchgear = false);

} // namespace hw::test
