// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton> // before core's headers: moc cannot read <compare> as the very first one

#include "views/live/live_session.h"

namespace hw::views {

/// What is followed, in the status line: whether it is live, samples a second, what is bound, what is wrong. Hidden while nothing is followed;
/// a click asks for the bindings.
class LiveStatus : public QToolButton {
    Q_OBJECT
public:
    explicit LiveStatus(LiveSession& session, QWidget* parent = nullptr);

private:
    void refresh();
    LiveSession& m_session;
};

} // namespace hw::views
