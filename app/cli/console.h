// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"

#include <chrono>
#include <mutex>
#include <string_view>

namespace hw::cli {

/// `error: WHERE: WHAT; WHAT TO DO` on standard error; gives the exit code.
int printError(const Error& error);
/// `note: …` on standard error.
void printNote(const Text& text);
/// Writes to standard output; `finishOutput` tells whether all of it arrived.
void print(std::string_view text);
[[nodiscard]] Result<void> finishOutput();

/// A line on the terminal that says how far the work is; nothing when standard error is no terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine(); ///< wipes the line
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    /// A handle that stops on Ctrl-C and shows its reports here. Must not outlive the line.
    [[nodiscard]] Progress progress();
    static void wipe(); ///< before anything else is printed

private:
    void show(double fraction, std::string_view step);
    std::mutex m_mutex;
    std::chrono::steady_clock::time_point m_last{};
    bool m_terminal = false;
};

} // namespace hw::cli
