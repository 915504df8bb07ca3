// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"

#include <QDialog>
#include <QPointer>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace hw::views {
class ParameterForm;
}

namespace hw::app {

/// Changes the parameters of the open design: counts before and after while one types, one undo step
/// when applied, and a list of what could not be kept.
class ParametersDialog : public QDialog {
    Q_OBJECT
public:
    /// Fails for a design that was made without a template.
    [[nodiscard]] static Result<ParametersDialog*> forOpenDesign(Session& session, QWidget* parent);
    [[nodiscard]] views::ParameterForm* form() const { return m_form; }
    [[nodiscard]] QPushButton* applyButton() const { return m_apply; }

signals:
    void applied(const hw::MergeReport& report);

private:
    ParametersDialog(Session& session, const Template& design, QWidget* parent);
    void apply();
    void onDone(const Result<MergeReport>& report);
    Session& m_session;
    views::ParameterForm* m_form;
    QLabel* m_result;
    QPlainTextEdit* m_notKept;
    QPushButton *m_apply, *m_close;
};

} // namespace hw::app
