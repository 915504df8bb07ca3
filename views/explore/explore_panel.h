// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/design/template/template.h"
#include "simulation/batch/slurm_points.h"
#include "simulation/explore/explore.h"
#include "views/bridge/document_bridge.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace hw::views {

class ExploreForm;
class ListView;
class ScatterChart;
class WorkBar;

/// Many designs compared: the request at the left; a chart of two figures and a table at the right, in which each point opens as a design. Runs on
/// local cores or Slurm. GUI thread.
class ExplorePanel : public QWidget {
    Q_OBJECT
public:
    ExplorePanel(DocumentBridge& bridge, const std::vector<Template>& templates, QWidget* parent = nullptr);
    ~ExplorePanel() override; ///< stops what it runs
    [[nodiscard]] ExploreForm* form() const { return m_form; }
    [[nodiscard]] ScatterChart* chart() const { return m_chart; }
    [[nodiscard]] ListView* table() const { return m_table; }
    [[nodiscard]] const sim::Json& document() const { return m_document; } ///< null: nothing yet

signals:
    void openRequested(const QString& templateName, const std::map<std::string, std::string>& parameters);

private:
    void run(std::optional<sim::SlurmPoints> slurm);
    void askForSlurm();
    void openRequest();
    void saveRequest();
    void exportResult();
    void onJobs();
    void check();
    void present(sim::Json document);
    void fillTable();
    void plot();
    void choose(std::optional<int> point);
    void open(int point);
    [[nodiscard]] bool busy() const;

    DocumentBridge& m_bridge;
    ExploreForm* m_form;
    ScatterChart* m_chart;
    ListView* m_table;
    QComboBox *m_xBox, *m_yBox;
    QLabel *m_problem, *m_summary, *m_step;
    QPushButton *m_run, *m_slurm, *m_open, *m_export;
    WorkBar* m_work;
    sim::Json m_document;
};

} // namespace hw::views
