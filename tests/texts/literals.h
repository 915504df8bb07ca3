// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hw {

/// A string of a C++ source, adjacent literals put together, as the compiler reads it.
struct Literal {
    std::string value;
    int line = 0;
    std::string callee; ///< name before the innermost bracket around it; empty: none
    int argument = 0;   ///< its place in that bracket, from 0
    int bracket = 0;    ///< running number of that bracket
};

/// All string literals of a source; comments, character literals and digit separators are skipped.
[[nodiscard]] std::vector<Literal> literalsOf(const std::filesystem::path& source);

} // namespace hw
