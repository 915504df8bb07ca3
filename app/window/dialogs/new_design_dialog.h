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

class DesignSketch;

/// Chooses a template and its parameters, with counts, a drawing and the limits live.
class NewDesignDialog : public QDialog {
    Q_OBJECT
public:
    NewDesignDialog(Session& session, QWidget* parent);
    [[nodiscard]] const Template& chosen() const;
    [[nodiscard]] ParameterValues values() const;
    [[nodiscard]] SnapshotPtr design() const; ///< what the last preview generated
    [[nodiscard]] views::ParameterForm* form() const { return m_form; }
    [[nodiscard]] DesignSketch* sketch() const { return m_sketch; }
    /// Goes to a template and sets its parameters; false when there is no such template.
    bool choose(const std::string& name, const ParameterValues& values = {});

private:
    QLayout* makeList();
    void onTemplate();
    ParameterValues m_given; ///< for the template that is chosen next
    Session& m_session;
    QListWidget* m_list;
    QLabel *m_title, *m_summary;
    views::ParameterForm* m_form;
    DesignSketch* m_sketch;
    QPushButton* m_create;
};

} // namespace hw::app
