// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QWidget>

class QTabWidget;
class QToolButton;

namespace hw::views {

class ScenarioSetup;
class TimeLineView;

/// The simulator's place in the window: set-up at the left; answer, links, histogram, time line and kept answers at the right.
class SimulationPanel : public QWidget {
    Q_OBJECT
public:
    explicit SimulationPanel(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ScenarioSetup* setup() const { return m_setup; }
    [[nodiscard]] TimeLineView* timeLine() const { return m_timeLine; }
    void showPage(const QString& name); ///< "answer", "links", "jobs", "histogram", "timeline", "kept"

private:
    void onAnswer();

    SimulationSession& m_session;
    ScenarioSetup* m_setup;
    TimeLineView* m_timeLine;
    QTabWidget* m_pages;
    QToolButton *m_pin, *m_clear;
};

} // namespace hw::views
