// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace hw::views {

class ListView;

/// Answers kept beside the project: open one, compare with it, export or remove it. Stale ones say so.
class StoredResultsView : public QWidget {
    Q_OBJECT
public:
    explicit StoredResultsView(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }

private:
    void refresh();
    [[nodiscard]] int chosen() const; ///< its number, 0 = none
    void open();
    void exportChosen();

    SimulationSession& m_session;
    ListView* m_list;
    QLabel* m_note;
    QPushButton *m_open, *m_export, *m_remove;
};

} // namespace hw::views
