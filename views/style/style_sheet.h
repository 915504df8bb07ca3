// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace hw::views {

struct Theme;

/// The style sheet of resources/styles with its @names@ replaced by the theme's colors and sizes.
[[nodiscard]] QString styleSheet(const Theme& theme);

} // namespace hw::views
