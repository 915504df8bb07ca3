// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/following_view.h"

#include <QEvent>

#include <algorithm>

namespace hw::views {

namespace {

constexpr qint64 kBetweenFramesMs = 60, kIdleMs = 300;

} // namespace

ViewClock::ViewClock(DocumentBridge& bridge) : QObject(&bridge), m_bridge(bridge)
{
    m_clock.start();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ViewClock::onTimer);
    connect(&bridge, &DocumentBridge::figuresChanged, this, &ViewClock::onFigures);
}

void ViewClock::onFigures()
{
    for (FollowingView* view : m_views) view->onFigures(now());
    arm();
}

void ViewClock::onTimer()
{
    const qint64 at = now();
    const auto views = m_views; // one may come or go meanwhile
    for (FollowingView* view : views)
        if (std::ranges::find(m_views, view) != m_views.end() && view->m_due >= 0 && view->m_due <= at) view->onTurn();
    arm();
}

void ViewClock::arm()
{
    qint64 first = -1;
    for (const FollowingView* view : m_views)
        if (view->m_due >= 0 && (first < 0 || view->m_due < first)) first = view->m_due;
    if (first < 0)
        m_timer.stop();
    else
        m_timer.start(int(std::max<qint64>(0, first - now())));
}

FollowingView::FollowingView(DocumentBridge& bridge, QWidget& view, Pace pace, std::function<void()> refresh)
    : m_bridge(bridge), m_clock(&bridge.viewClock()), m_view(view), m_pace(pace), m_refresh(std::move(refresh))
{
    m_clock->m_views.push_back(this);
    view.installEventFilter(this);
}

FollowingView::~FollowingView()
{
    if (m_clock) std::erase(m_clock->m_views, this);
}

void FollowingView::onFigures(qint64 now)
{
    m_stale = true;
    if (m_pace == Pace::Rested)
        m_due = m_bridge.previewing() ? -1 : now + kIdleMs;
    else if (m_due < 0)
        m_due = m_bridge.previewing() ? now + kBetweenFramesMs : now;
}

void FollowingView::onTurn()
{
    m_due = -1;
    if (!m_view.isVisible() || !m_bridge.figures() || (m_pace == Pace::Rested && m_bridge.previewing())) return;
    m_stale = false;
    m_refresh();
}

void FollowingView::soon()
{
    m_stale = true;
    if (!m_clock) return;
    m_due = m_clock->now();
    m_clock->arm();
}

bool FollowingView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_view && event->type() == QEvent::Show && m_stale) soon();
    return QObject::eventFilter(watched, event);
}

} // namespace hw::views
