// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"

#include <QDialog>

class QLineEdit;

namespace hw::views {
class SettingsForm;
}

namespace hw::app {

/// Site, cooling, cabling, rule thresholds and addresses of the open project: one undo step when applied.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(Session& session, QWidget* parent);
    [[nodiscard]] views::SettingsForm* form() const { return m_form; }
    void showSetting(const QString& key); ///< alone, with the keyboard focus

private:
    views::SettingsForm* m_form;
    QLineEdit* m_filter;
};

} // namespace hw::app
