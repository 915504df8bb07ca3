// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QWidget>

class QLabel;

namespace hw::views {

class ListView;

/// The jobs of an answer: a click selects a job's hosts in every view, and names its busiest links.
class JobsView : public QWidget {
    Q_OBJECT
public:
    explicit JobsView(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ListView* jobs() const { return m_jobs; }
    [[nodiscard]] ListView* links() const { return m_links; }

private:
    void refresh();
    void onJob();

    SimulationSession& m_session;
    ListView *m_jobs, *m_links;
    QLabel* m_note;
};

} // namespace hw::views
