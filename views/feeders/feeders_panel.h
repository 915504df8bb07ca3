// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/output/feeders/feeder_study.h"
#include "views/bridge/following_view.h"

class QComboBox;
class QLabel;
class QStackedWidget;
class QTabBar;

namespace hw::views {

class ListView;

/// The power path as conductors: voltage drop, ampacity and losses of every run, short-circuit currents of boards beside what they withstand, and
/// the grid connection with its limits. A state without one utility feed or transformer may be chosen. Follows the design while it is looked at.
class FeedersPanel : public QWidget {
    Q_OBJECT
public:
    explicit FeedersPanel(DocumentBridge& bridge, QWidget* parent = nullptr);

    [[nodiscard]] const FeederStudy* study() const { return m_study.get(); } ///< null: none could be computed
    [[nodiscard]] ListView* runs() const { return m_runs; }
    [[nodiscard]] ListView* faults() const { return m_faults; }
    [[nodiscard]] ListView* grid() const { return m_grid; }
    enum Page { Runs, Faults, Grid };
    void showPage(Page page);

signals:
    void shown(); ///< a result, or why there is none

private:
    /// What a worker gives.
    struct Outcome {
        std::shared_ptr<const FeederStudy> study;
        FiguresPtr figures;
        QString problem;
    };
    void refresh();
    void show(const Outcome& outcome);
    void showStates(); ///< those that the design has

    DocumentBridge& m_bridge;
    QComboBox* m_states;
    QTabBar* m_pages;
    QLabel *m_summary, *m_problem;
    ListView *m_runs, *m_faults, *m_grid;
    QStackedWidget* m_result;
    std::shared_ptr<const FeederStudy> m_study;
    FollowingView m_following;
};

} // namespace hw::views
