// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace hw::sim {
inline namespace questions {

/// Where the keys of a JSON text stand, because the parser does not say. For well-formed text; nesting beyond 64 is left out.
struct KeyLines {
    std::map<std::string, int, std::less<>> line; ///< by path, for example `jobs[1].gpus`; lines count from 1
    std::string duplicate;                        ///< path of the first key that occurs twice in its object, or empty
};
[[nodiscard]] KeyLines keyLines(std::string_view json);

} // namespace questions
} // namespace hw::sim
