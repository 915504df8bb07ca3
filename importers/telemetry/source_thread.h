// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace hw::telemetry {

[[nodiscard]] std::int64_t nowMs(); ///< since 1970

/// Why a source that failed brings nothing; it is logged.
[[nodiscard]] Text faultOf(const std::string& source, const std::string& what);

/// Waits, at most until asked to stop. False: to be stopped.
bool waitFor(const std::stop_token& stop, std::chrono::milliseconds time);

/// What the sources share: their thread, what troubles them, and the gap that goes on. The gap belongs to the thread that calls it.
class SourceThread {
public:
    explicit SourceThread(std::string name) : m_name(std::move(name)) {}
    [[nodiscard]] const std::string& name() const { return m_name; }

    /// What `work` throws does not end the program: a gap begins, and the source has ended. Work that can go on keeps its exceptions to itself.
    void start(bindings::Intake& intake, std::function<void(const std::stop_token&)> work);
    void stop(); ///< and wait
    [[nodiscard]] bool ended() const { return m_ended; }
    [[nodiscard]] Text trouble() const;
    void trouble(Text what);
    [[nodiscard]] bindings::Intake& intake() { return *m_intake; }

    void lost(std::int64_t sinceMs, const Text& why); ///< a gap begins, unless one goes on
    void back();                                      ///< it ends, and what troubled with it
    [[nodiscard]] bool inGap() const { return m_gap.fromMs != 0; }

private:
    std::string m_name;
    bindings::Intake* m_intake = nullptr;
    bindings::Gap m_gap;
    mutable std::mutex m_mutex;
    Text m_trouble;
    std::chrono::steady_clock::time_point m_logged{}; ///< a trouble, last
    std::atomic<bool> m_ended{false};
    std::jthread m_thread;
};

/// Waits that grow while something fails.
class BackOff {
public:
    BackOff(std::chrono::milliseconds first, std::chrono::milliseconds longest) : m_first(first), m_longest(longest), m_next(first) {}
    void reset() { m_next = m_first; }
    bool wait(const std::stop_token& stop); ///< false: to be stopped

private:
    std::chrono::milliseconds m_first, m_longest, m_next;
};

} // namespace hw::telemetry
