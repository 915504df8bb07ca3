// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hw::importers {

struct TerminalLine {
    std::string text; ///< without line end, escape sequences and pager; tabs as blanks
    std::size_t number = 0;
    bool whole = true; ///< a line end follows; false of the last line of a file that ends without
};

/// What one command printed.
struct TerminalPart {
    std::string device; ///< of the prompt before it; empty: none, or a command on another host (ssh)
    bool ended = false; ///< a prompt follows
    std::vector<TerminalLine> lines;
    [[nodiscard]] bool empty() const;
    /// The text again, with as many empty lines before it that lines keep their numbers.
    [[nodiscard]] std::string text() const;
};

/// A line without escape sequences, pager, carriage returns and NULs; tabs as blanks.
[[nodiscard]] std::string plainLine(std::string_view line);

/// A recorded terminal, command by command. Without prompts it is one part. `markup`: lines such as <cli> are no prompts.
[[nodiscard]] std::vector<TerminalPart> terminalParts(std::string_view content, bool markup);

} // namespace hw::importers
