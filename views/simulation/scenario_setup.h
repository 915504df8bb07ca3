// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hw::views {

class FieldForm;
class WorkBar;

/// Chooses a scenario (shipped, or a kind of its own), sets its parameters by form or as JSON, sweeps one of them, and runs it.
class ScenarioSetup : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioSetup(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] Result<sim::ScenarioRequest> request() const;
    void setRequest(const sim::ScenarioRequest& request);
    /// A shipped scenario or a kind, by name; false when it is not there.
    bool choose(const QString& name);
    /// The same, or a file. Errors: those of the file.
    [[nodiscard]] Result<void> chooseOrRead(const QString& nameOrPath);
    void run();
    [[nodiscard]] FieldForm* form() const { return m_form; }
    [[nodiscard]] QSize sizeHint() const override; ///< what it would like; it works with less

private:
    void fillChooser();
    void onChosen();
    void offer(const sim::ScenarioRequest& request);
    void editJson();
    void askForSlurm();
    void onJobs();
    void check();

    SimulationSession& m_session;
    const sim::ScenarioKind* m_kind = nullptr;
    sim::ScenarioRequest m_base; ///< name, design and sweep that the form does not show
    QComboBox* m_chooser;
    FieldForm* m_form;
    QLineEdit* m_sweep;
    QString m_sweepText; ///< of m_base's own axes
    QLabel *m_summary, *m_step;
    QPushButton *m_run, *m_json, *m_slurm;
    WorkBar* m_progress;
};

} // namespace hw::views
