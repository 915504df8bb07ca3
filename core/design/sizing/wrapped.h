// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace hw::sizing {

/// A line broken at spaces to at most 100 columns, with `indent` spaces before the lines that follow.
[[nodiscard]] inline std::string wrapped(std::string line, std::size_t indent, std::size_t columns = 100)
{
    std::string out;
    while (line.size() > columns) {
        auto at = line.rfind(' ', columns);
        if (at == std::string::npos || at <= indent) at = line.find(' ', columns);
        if (at == std::string::npos) break;
        out += line.substr(0, at) + '\n';
        line = std::string(indent, ' ') + line.substr(at + 1);
    }
    return out + line + '\n';
}

} // namespace hw::sizing
