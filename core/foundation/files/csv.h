// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hw {

inline constexpr std::size_t kRowsBetweenLooks = 4096; ///< a long table looks at its progress after so many rows

/// Appends one CSV field (RFC 4180): quoted only where commas, quotes or line ends ask for it.
inline void appendCsv(std::string& out, std::string_view field)
{
    if (field.find_first_of(",\"\r\n") == field.npos) {
        out += field;
        return;
    }
    out += '"';
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

} // namespace hw
