// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include "app/cli/interrupt.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace hw::cli {

namespace {
std::atomic<bool> lineShown = false;
std::atomic<bool> outputFailed = false;
} // namespace

int printError(const Error& error)
{
    ProgressLine::wipe();
    Error shown = error;
    if (shown.code == ErrorCode::Canceled && shown.todo.empty()) shown.todo = i18n("nothing was changed");
    const std::string line = words(i18n("error")) + ": " + shown.text() + '\n';
    std::fputs(line.c_str(), stderr);
    return int(shown.code);
}

void printNote(const Text& text)
{
    ProgressLine::wipe();
    const std::string line = words(i18n("note")) + ": " + words(text) + '\n';
    std::fputs(line.c_str(), stderr);
}

void print(std::string_view text)
{
    ProgressLine::wipe();
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) outputFailed = true;
}

Result<void> finishOutput()
{
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) outputFailed = true;
    if (outputFailed)
        return fail(ErrorCode::Unreadable, words(i18n("standard output")), i18n("cannot be written"),
                    i18n("free up disk space or redirect the output"));
    return {};
}

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) == 1) {}
ProgressLine::~ProgressLine() { wipe(); }

Progress ProgressLine::progress()
{
    Progress handle{interrupt::token(), {}};
    if (m_terminal) handle.sink = [this](double fraction, std::string_view step) { show(fraction, step); };
    return handle;
}

void ProgressLine::wipe()
{
    if (lineShown.exchange(false)) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(double fraction, std::string_view step)
{
    using namespace std::chrono_literals;
    const std::lock_guard lock(m_mutex);
    const auto now = std::chrono::steady_clock::now();
    if (now - m_last < 100ms) return;
    m_last = now;
    const std::string line = fmt::format("\r{:3.0f} % {}\033[K", 100 * std::clamp(fraction, 0.0, 1.0), step);
    std::fputs(line.c_str(), stderr);
    lineShown = true;
}

} // namespace hw::cli
