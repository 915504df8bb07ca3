// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

namespace hw::views::twin {

/// The texture with the fronts of devices, painted once: what frontCell() of the scene refers to.
/// 1024 x 1024, RGBA, bottom row first.
[[nodiscard]] QImage frontAtlas();

} // namespace hw::views::twin
