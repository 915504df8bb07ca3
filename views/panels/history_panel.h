// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QListWidget>

namespace hw::views {

/// What was done, oldest first, and what was undone below it; a click travels there.
class HistoryPanel : public QListWidget {
    Q_OBJECT
public:
    explicit HistoryPanel(DocumentBridge& bridge, QWidget* parent = nullptr);

private:
    void refresh();
    void travelTo(int row);
    DocumentBridge& m_bridge;
};

} // namespace hw::views
