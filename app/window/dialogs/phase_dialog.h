// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog> // before core's headers: moc cannot read <compare> as the very first one

#include "views/bridge/document_bridge.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace hw::app {

/// Assigns an installation phase to the selection, its rows or segments, or to all equipment of a system, as one undo step.
class PhaseDialog : public QDialog {
    Q_OBJECT
public:
    explicit PhaseDialog(views::DocumentBridge& bridge, QWidget* parent = nullptr);

private:
    [[nodiscard]] std::vector<EntityRef> objects() const;
    void check();
    void accept() override;

    views::DocumentBridge& m_bridge;
    QComboBox* m_scope;
    QSpinBox* m_number;
    QLabel* m_state;
    QPushButton* m_apply = nullptr;
};

} // namespace hw::app
