// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "views/live/live_session.h"

class QLabel;

namespace hw::views {

class ListView;

/// What is provisioned and never used, as life showed it: feeds and loops of which most is stranded, the real diversity, and how many racks
/// more each row's power and cooling carry. Worked out while it is seen, every ten seconds at most.
class CapacityPanel : public QWidget {
    Q_OBJECT
public:
    CapacityPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    ListView *m_feeds, *m_rooms;
    QLabel* m_summary;
    QTimer m_timer;
};

} // namespace hw::views
