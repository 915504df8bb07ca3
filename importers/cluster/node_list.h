// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace hw::importers {

/// "n[01-03,7],gpu2" → n01 n02 n03 n7 gpu2; nothing for what is no such list.
[[nodiscard]] std::vector<std::string> nodesOfList(const std::string& text);

} // namespace hw::importers
