// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/dialog_preview.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace hw::app {

/// Copies what is selected in columns and rows of a pitch. The design shows the copies while the dialog is open; they become one undo step.
class ArrayDialog : public QDialog {
    Q_OBJECT
public:
    explicit ArrayDialog(views::DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] static bool allowed(const views::DocumentBridge& bridge);

public slots:
    void accept() override;

private:
    void check();
    views::DocumentBridge& m_bridge;
    views::DialogPreview m_preview;
    std::vector<EntityRef> m_originals;
    QSpinBox *m_columns, *m_rows;
    QLineEdit *m_dx, *m_dy;
    QLabel* m_state;
    QPushButton* m_apply;
};

} // namespace hw::app
