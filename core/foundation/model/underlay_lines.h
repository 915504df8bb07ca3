// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace hw {

/// The lines of an underlay, mm: from "x1,y1,x2,y2;…", as Underlays::lines has them; what is no line is left out.
[[nodiscard]] inline std::vector<std::array<int, 4>> underlayLines(const std::string& text)
{
    std::vector<std::array<int, 4>> lines;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        std::array<int, 4> v{};
        std::size_t n = 0;
        for (; n < 4 && at < end; ++n) {
            const auto [next, error] = std::from_chars(at, end, v[n]);
            if (error != std::errc()) break;
            at = next;
            if (n < 3 && (at == end || *at++ != ',')) break;
        }
        if (n == 4) lines.push_back(v);
        while (at < end && *at++ != ';') {}
    }
    return lines;
}

} // namespace hw
