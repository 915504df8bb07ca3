// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/polling_thread.h"

#include "core/foundation/base/fence.h"

#include <algorithm>

namespace hw::telemetry {

using namespace std::chrono_literals;

Result<void> PollingThread::start(bindings::Intake& intake)
{
    m_goodMs = nowMs();
    const ServerState standing = m_server.find({});
    if (standing.final) return fail(ErrorCode::Unreadable, name(), standing.wrong, i18n("see the sources and credentials in docs/live.md"));
    m_thread.start(intake, [this, standing](const std::stop_token& stop) { work(stop, standing); });
    return {};
}

void PollingThread::work(const std::stop_token& stop, ServerState standing)
{
    while (!stop.stop_requested()) {
        const auto began = std::chrono::steady_clock::now();
        if (standing.wrong.empty()) { // an exception is another reason why nothing can be read
            if (const auto fault = faultIn([&] { standing.wrong = m_server.ask(stop); })) standing.wrong = faultOf(name(), *fault);
        }
        if (stop.stop_requested()) break;
        if (!standing.wrong.empty()) {
            m_thread.lost(m_goodMs, standing.wrong);
            if (!m_backOff.wait(stop)) break;
            if (const auto fault = faultIn([&] { standing = m_server.find(stop); })) standing = {faultOf(name(), *fault)};
            continue;
        }
        m_goodMs = nowMs();
        m_thread.back();
        m_backOff.reset();
        const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
        waitFor(stop, std::max(10ms, m_interval - spent));
    }
}

} // namespace hw::telemetry
