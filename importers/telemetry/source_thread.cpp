// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/source_thread.h"

#include <algorithm>
#include <condition_variable>
#include <exception>

namespace hw::telemetry {

std::int64_t nowMs() { return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

bool waitFor(const std::stop_token& stop, std::chrono::milliseconds time)
{
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

void SourceThread::start(live::Intake& intake, std::function<void(const std::stop_token&)> work)
{
    m_intake = &intake;
    m_ended = false;
    m_thread = std::jthread([this, work = std::move(work)](const std::stop_token& stop) {
        try {
            work(stop);
        } catch (const std::exception& fault) { // the other sources and the window go on
            trouble(i18n("stopped by a fault: {}", fault.what()));
        }
        m_ended = true;
    });
}

void SourceThread::stop()
{
    m_thread.request_stop();
    if (m_thread.joinable()) m_thread.join();
}

Text SourceThread::trouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

void SourceThread::trouble(Text what)
{
    const std::lock_guard lock(m_mutex);
    m_trouble = std::move(what);
}

void SourceThread::lost(std::int64_t sinceMs, const Text& why)
{
    trouble(why);
    if (inGap()) return;
    m_gap = {m_name, sinceMs, 0, why};
    m_intake->gap(m_gap);
}

void SourceThread::back()
{
    if (!inGap()) return;
    trouble({});
    m_gap.toMs = std::max(nowMs(), m_gap.fromMs);
    m_intake->gap(m_gap);
    m_gap = {};
}

bool BackOff::wait(const std::stop_token& stop)
{
    const auto time = m_next;
    m_next = std::min(m_next * 2, m_longest);
    return waitFor(stop, time);
}

} // namespace hw::telemetry
