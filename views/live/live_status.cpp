// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/live_status.h"

#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <algorithm>
#include <cmath>

namespace hw::views {

LiveStatus::LiveStatus(LiveSession& session, QWidget* parent) : QToolButton(parent), m_session(session)
{
    setObjectName("liveStatus");
    setAutoRaise(true);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(&session, &LiveSession::statusChanged, this, &LiveStatus::refresh);
    connect(&session, &LiveSession::stateChanged, this, &LiveStatus::refresh);
    connect(&session, &LiveSession::compareChanged, this, &LiveStatus::refresh);
    refresh();
}

void LiveStatus::refresh()
{
    using State = LiveSession::State;
    setVisible(m_session.state() != State::Off);
    if (m_session.state() == State::Off) return;
    if (m_session.state() == State::Connecting) {
        setIcon(hw::views::icon("pulse", theme().textDim));
        setText(tr("connecting …"));
        return;
    }
    const auto& counts = m_session.counts();
    const auto not_ = counts.unbound + counts.ambiguous + counts.conflicting;
    const bool gap = std::ranges::any_of(m_session.log().gaps(), [](const bindings::Gap& g) { return g.toMs == 0; });
    const bool trouble = !m_session.troubles().empty();
    QStringList parts;
    const auto alarms = m_session.newest() ? std::int64_t(m_session.newest()->alarms.size()) : 0;
    if (alarms > 0) parts << hw::views::text(i18np(alarms, "{:L} alarm", "{:L} alarms"));
    if (m_session.state() == State::Ended)
        parts << tr("ended");
    else
        parts << tr("%1 samples/s").arg(count(std::llround(m_session.samplesPerSecond())));
    parts << tr("%1 bound").arg(count(std::int64_t(counts.bound)));
    if (not_ > 0) parts << tr("%1 unbound").arg(count(std::int64_t(not_)));
    if (gap) parts << tr("gap");
    if (counts.lost > 0) parts << tr("%1 lost").arg(count(std::int64_t(counts.lost)));
    setIcon(hw::views::icon("pulse", alarms > 0 ? theme().error : trouble || gap ? theme().warning : theme().ok));
    setText(parts.join("  ·  "));
    QStringList tip{m_session.name(),
                    tr("%1 samples received, %2 stored, %3 duplicate, %4 out of order")
                        .arg(count(std::int64_t(counts.received)), count(std::int64_t(counts.stored)), count(std::int64_t(counts.duplicate)),
                             count(std::int64_t(counts.outOfOrder))),
                    tr("%1 channels: %2 bound, %3 unbound, %4 ambiguous, %5 with unit mismatch")
                        .arg(count(std::int64_t(counts.channels)), count(std::int64_t(counts.bound)), count(std::int64_t(counts.unbound)),
                             count(std::int64_t(counts.ambiguous)), count(std::int64_t(counts.conflicting)))};
    if (!m_session.simulatedBy().isEmpty()) tip << tr("Link load compared with scenario “%1”").arg(m_session.simulatedBy());
    for (const Text& what : m_session.troubles()) tip << hw::views::text(what);
    setToolTip(tip.join("\n"));
}

} // namespace hw::views
