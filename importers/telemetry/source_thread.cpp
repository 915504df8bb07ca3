// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/source_thread.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"

#include <algorithm>
#include <condition_variable>

namespace hw::telemetry {

namespace {
constexpr auto kLogEvery = std::chrono::minutes(1); ///< what comes and goes, or says another number each time
}

std::int64_t nowMs() { return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

Text faultOf(const std::string& source, const std::string& what)
{
    logging::error(logging::Id::SourceFault, "{}: {}", source, what);
    return i18n("internal error: {}", what);
}

bool waitFor(const std::stop_token& stop, std::chrono::milliseconds time)
{
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

void SourceThread::start(bindings::Intake& intake, std::function<void(const std::stop_token&)> work)
{
    m_intake = &intake;
    m_ended = false;
    m_thread = std::jthread([this, work = std::move(work)](const std::stop_token& stop) {
        if (const auto fault = faultIn([&] { work(stop); })) // the other sources and the window go on
            if (const auto again = faultIn([&] { lost(nowMs(), faultOf(m_name, *fault)); }))
                logging::error(logging::Id::SourceFault, "{}: {}", m_name, *again);
        logging::info(logging::Id::SourceEnded, "{}", m_name);
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
    const auto now = std::chrono::steady_clock::now();
    if (!what.empty() && !(what == m_trouble) && (m_logged.time_since_epoch().count() == 0 || now - m_logged >= kLogEvery)) {
        logging::warn(logging::Id::SourceTrouble, "{}: {}", m_name, what);
        m_logged = now;
    }
    m_trouble = std::move(what);
}

void SourceThread::lost(std::int64_t sinceMs, const Text& why)
{
    {
        const std::lock_guard lock(m_mutex);
        m_trouble = why; // the gap says it in the log
    }
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
