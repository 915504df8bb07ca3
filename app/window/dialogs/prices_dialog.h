// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"
#include "core/exchange/bom.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace hw::app {

/// The parts of the bill of materials with their prices, to be changed in the table; each change is one undo step. A price
/// that is taken away leaves the guess of the catalogue.
class PricesDialog : public QDialog {
    Q_OBJECT
public:
    PricesDialog(Session& session, QWidget* parent);
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    [[nodiscard]] QLabel* message() const { return m_message; }

private:
    void start();
    void fill(const Bom& bom);
    void change(QTableWidgetItem* item);
    void removeChosen();
    [[nodiscard]] QString cell(int row, int column) const;

    Session& m_session;
    QTableWidget* m_table;
    QLabel* m_message;
    QPushButton* m_remove;
    bool m_filling = false;
};

} // namespace hw::app
