// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"
#include "core/design/fitting/fitting.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace hw::views {
class ParameterForm;
}

namespace hw::app {

/// Fills a hall that is there: with a template's devices, or with those of the project that are not placed yet. One undo step where all of
/// them fit; else nothing changes, and the limits are listed with what would fit, which a second button lays out.
class LayoutDialog : public QDialog {
    Q_OBJECT
public:
    LayoutDialog(Session& session, QWidget* parent);
    /// What is laid out, and where; false where there is no such hall or template.
    bool propose(const QString& hall, const std::string& design, const ParameterValues& values);
    [[nodiscard]] QComboBox* halls() const { return m_halls; }
    [[nodiscard]] QComboBox* designs() const { return m_designs; }
    [[nodiscard]] views::ParameterForm* form() const { return m_form; }
    [[nodiscard]] QPushButton* applyButton() const { return m_apply; }
    [[nodiscard]] QPushButton* fittingButton() const { return m_fitting; } ///< "Lay out the N that fit": after an answer that says so
    [[nodiscard]] QPlainTextEdit* result() const { return m_result; }

signals:
    void finishedOne(bool fits);

private:
    void fill();
    void choose();
    void enable();
    void apply(fitting::WhereNotAll whereNotAll);
    void offer(std::int64_t accelerators);        ///< 0: nothing to offer
    [[nodiscard]] const Template* chosen() const; ///< null: what the project has

    Session& m_session;
    QComboBox *m_halls, *m_designs;
    views::ParameterForm* m_form;
    QLabel* m_hint;
    QPlainTextEdit* m_result;
    QPushButton *m_apply, *m_fitting;
    ParameterValues m_given; ///< for the template that is chosen next
    std::int64_t m_most = 0; ///< accelerators that fit, by the last answer to what is chosen
    bool m_working = false;
};

} // namespace hw::app
