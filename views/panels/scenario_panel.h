// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace hw::views {

class ListView;

/// What the user asked the flow simulation for, before it is tied to the engine's own types.
struct ScenarioChoice {
    bool permutation = false;   ///< else: ring all-reduce per rail
    std::vector<int> segments;  ///< from 0; empty = all
    double bytes = 0;           ///< per flow (permutation) or per GPU (all-reduce)
    std::uint64_t seed = 1;
};
/// Runs on a worker. The app says which engine; the panel knows none.
using ScenarioRunner = std::function<Result<FlowPtr>(const FiguresPtr&, const ScenarioChoice&, const Progress&)>;

/// Chooses a workload, runs it in a worker, and shows what came out: completion, rates, the hottest
/// links (a click selects one, a double click zooms there), and whether the rates were proved max-min.
class ScenarioPanel : public QWidget {
    Q_OBJECT
public:
    ScenarioPanel(DocumentBridge& bridge, ScenarioRunner runner, QWidget* parent = nullptr);
    [[nodiscard]] ListView* hottest() const { return m_hottest; }
    void run();
    void cancel();
    /// "1-4, 7" to 0 … 3, 6; empty text is all; nothing for anything else.
    [[nodiscard]] static std::optional<std::vector<int>> parseSegments(const QString& text);

private:
    QWidget* makeForm();
    QWidget* makeResults();
    void onJobs();
    void showResult();
    void fillHottest(const sim::FlowResult& result);
    [[nodiscard]] std::optional<ScenarioChoice> choice() const;

    DocumentBridge& m_bridge;
    ScenarioRunner m_runner;
    QComboBox* m_kind;
    QLineEdit* m_segments;
    QDoubleSpinBox* m_megabytes;
    QSpinBox* m_seed;
    QPushButton *m_run, *m_clear;
    QProgressBar* m_progress;
    QLabel *m_state, *m_completion, *m_rates, *m_certificate, *m_notes;
    ListView* m_hottest;
};

} // namespace hw::views
