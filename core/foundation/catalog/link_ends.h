// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace hw {

/// The two parts of a name such as "a:nic1 – b:P1.1", as links are shown, or "a:nic1 > b:P1.1", as cables are labeled, at each dash, hyphen or
/// angle between spaces: names may contain one.
/// `findEntity` finds a link by the names of its two ports, in either order.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> endsInName(std::string_view name);

} // namespace hw
