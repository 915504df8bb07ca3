// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QWidget>

namespace hw::views {

class FollowingView;

/// When which view is brought up to date: one timer for all of them. Belongs to the bridge.
class ViewClock : public QObject {
    Q_OBJECT
public:
    explicit ViewClock(DocumentBridge& bridge);

private:
    friend class FollowingView;
    void onFigures();
    void onTimer();
    void arm(); ///< for the view that is due first
    [[nodiscard]] qint64 now() const { return m_clock.elapsed(); }

    DocumentBridge& m_bridge;
    std::vector<FollowingView*> m_views;
    QElapsedTimer m_clock;
    QTimer m_timer;
};

/// What keeps a view up to date that shows something worked out from the figures. The view is told only while it can be seen; one that was
/// hidden when something changed is told once it is shown. A member of the view, which must outlive its work.
class FollowingView : public QObject {
    Q_OBJECT
public:
    enum class Pace : std::uint8_t {
        Live,  ///< with the figures; of a gesture in progress some frames a second
        Rested ///< once a gesture is over and nothing more came for a while: for what takes long
    };
    FollowingView(DocumentBridge& bridge, QWidget& view, Pace pace, std::function<void()> refresh);
    ~FollowingView() override;

    void soon();                      ///< again, though the figures may be the same
    void missed() { m_stale = true; } ///< the view could not be brought up to date: again when it is shown

    /// Lets a worker work something out and shows it. Work of the same slot that is running is let finish, so that a long gesture still
    /// shows numbers; then it starts again.
    template <class R>
    void work(const QString& slot, std::function<R(const Progress&)> work, std::function<void(const R&)> show)
    {
        m_again = m_bridge.jobs().busy(slot);
        if (m_again) return;
        m_bridge.jobs().start<R>(slot, {}, std::move(work), [this, show = std::move(show)](const R& result) {
            show(result);
            if (m_again) soon();
        });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    friend class ViewClock;
    void onFigures(qint64 now);
    void onTurn();

    DocumentBridge& m_bridge;
    QPointer<ViewClock> m_clock; ///< null once the bridge is gone: windows go in any order
    QWidget& m_view;
    Pace m_pace;
    std::function<void()> m_refresh;
    qint64 m_due = -1; ///< by the clock, ms; -1: not waiting
    bool m_stale = true, m_again = false;
};

} // namespace hw::views
