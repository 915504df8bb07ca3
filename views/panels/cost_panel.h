// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QTextBrowser>
#include <QTimer>

namespace hw::views {

/// What an hour of an accelerator costs, with every assumption that it rests on; follows the design while it is looked at.
class CostPanel : public QTextBrowser {
    Q_OBJECT
public:
    explicit CostPanel(DocumentBridge& bridge, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    DocumentBridge& m_bridge;
    QTimer m_timer;
    bool m_again = false;
};

} // namespace hw::views
