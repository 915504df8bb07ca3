// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"

#include <QDialog>

namespace hw::views {
class ExplorePanel;
}

namespace hw::app {

/// Stays beside the window, so that one design after the other can be opened and looked at.
class ExploreDialog : public QDialog {
    Q_OBJECT
public:
    ExploreDialog(Session& session, QWidget* parent);
    [[nodiscard]] views::ExplorePanel* panel() const { return m_panel; }

signals:
    void openRequested(const QString& templateName, const hw::ParameterValues& values);

private:
    views::ExplorePanel* m_panel;
};

} // namespace hw::app
