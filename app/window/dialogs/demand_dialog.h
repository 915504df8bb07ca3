// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"

#include "core/design/sizing/demand.h"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTextBrowser;

namespace hw::app {

/// In which quarter the open design runs out of servers, ports, megawatts or racks, under a demand curve: a file (date, accelerators,
/// tenant) or a growth law.
class DemandDialog : public QDialog {
    Q_OBJECT
public:
    DemandDialog(Session& session, QWidget* parent);
    [[nodiscard]] const sizing::DemandAnswer& answer() const { return m_answer; }
    bool loadCurve(const QString& path);

private:
    class Chart;
    void useLaw();
    void showFile(const QString& path); ///< empty: the form speaks again
    void meet(sizing::DemandCurve curve);
    void findLimits();

    Session& m_session;
    QLineEdit* m_from;
    QSpinBox* m_start;
    QComboBox* m_law;
    QDoubleSpinBox* m_amount;
    QWidget* m_form;
    QPushButton* m_backToForm;
    QLabel* m_note;
    Chart* m_chart;
    QTextBrowser* m_table;
    std::vector<sizing::DesignLimit> m_limits;
    sizing::DemandCurve m_curve;
    sizing::DemandAnswer m_answer;
};

} // namespace hw::app
