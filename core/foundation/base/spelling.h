// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace hw {

/// Names in files and scripts that were spelled the British way until version 0.3 (one setting had a name of its own); readers accept both for good,
/// only one is written.
/// The other spelling of such a name; empty for every other name.
[[nodiscard]] std::string_view otherSpelling(std::string_view name);
/// The former name of what has its present one; empty for every other name.
[[nodiscard]] std::string_view formerName(std::string_view name);
/// The same name, in either spelling.
[[nodiscard]] bool sameName(std::string_view a, std::string_view b);

/// What `find` has for a name or, where that is nothing, for its other spelling.
template <class Find>
[[nodiscard]] auto inEitherSpelling(std::string_view name, const Find& find) -> decltype(find(name))
{
    auto found = find(name);
    if (const std::string_view other = found ? std::string_view() : otherSpelling(name); !other.empty()) found = find(other);
    return found;
}

} // namespace hw
