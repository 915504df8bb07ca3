// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"

#include <QDialog>

class QLabel;
class QListWidget;
class QPushButton;

namespace hw::views {
class ParameterForm;
}

namespace hw::app {

/// Chooses a template and its parameters, with what they give counted live.
class NewDesignDialog : public QDialog {
    Q_OBJECT
public:
    NewDesignDialog(Session& session, QWidget* parent);
    [[nodiscard]] const Template& chosen() const;
    [[nodiscard]] ParameterValues values() const;
    [[nodiscard]] SnapshotPtr design() const; ///< what the last preview generated
    [[nodiscard]] views::ParameterForm* form() const { return m_form; }

private:
    void onTemplate();
    Session& m_session;
    QListWidget* m_list;
    QLabel *m_title, *m_summary;
    views::ParameterForm* m_form;
    QPushButton* m_create;
};

} // namespace hw::app
