// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"
#include "core/output/exchange/bom.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace hw::app {

/// The parts of the bill of materials with quantity, price and sum, the costliest first; prices are changed in the table, each change is one undo
/// step. A price that is removed leaves the guess of the catalog. The field above shows the parts that hold its words.
class PricesDialog : public QDialog {
    Q_OBJECT
public:
    PricesDialog(Session& session, QWidget* parent);
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    [[nodiscard]] QLabel* message() const { return m_message; }
    [[nodiscard]] QLineEdit* search() const { return m_search; }
    [[nodiscard]] QLabel* total() const { return m_total; }

private:
    void start();
    void fill(const Bom& bom);
    void change(QTableWidgetItem* item);
    void removeChosen();
    void showMatches();
    [[nodiscard]] QString cell(int row, int column) const;

    Session& m_session;
    QLineEdit* m_search;
    QTableWidget* m_table;
    QLabel* m_total;
    QLabel* m_message;
    QPushButton* m_remove;
    bool m_filling = false;
};

} // namespace hw::app
