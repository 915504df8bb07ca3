// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"

#include <QTextBrowser>

namespace hw::views {

/// What an hour of an accelerator costs, with every assumption that it rests on; follows the design while it is looked at.
class CostPanel : public QTextBrowser {
    Q_OBJECT
public:
    explicit CostPanel(DocumentBridge& bridge, QWidget* parent = nullptr);

private:
    void refresh();
    DocumentBridge& m_bridge;
    FollowingView m_following;
};

} // namespace hw::views
