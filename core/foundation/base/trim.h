// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace hw {

/// Without the blanks, tabs and line ends around it.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlank = " \t\r\n\v\f";
    const auto first = text.find_first_not_of(kBlank);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

} // namespace hw
