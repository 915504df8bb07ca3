// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace hw::app {

/// What an installed program must be able to do: find its resources, generate the sample, work out its
/// figures and check it. Prints what it did; 0 when all is well.
[[nodiscard]] int selfTest();

} // namespace hw::app
