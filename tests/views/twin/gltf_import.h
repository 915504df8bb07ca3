// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <vector>

namespace hw::test {

/// Bounds of every actor that VTK's importer makes of a glTF file: x, y and z, low and high each.
[[nodiscard]] std::vector<std::array<double, 6>> actorBounds(const std::string& file);

} // namespace hw::test
