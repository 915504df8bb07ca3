// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"

#include <filesystem>

namespace hw::bench {

/// A day of one rack in a store, then a hundred clicks on the window's time bar: how long until the moment is there.
void benchScrub(app::MainWindow& window, const std::filesystem::path& folder);

} // namespace hw::bench
