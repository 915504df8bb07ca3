// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/derived/impact/ranking.h"
#include "views/bridge/following_view.h"

class QLabel;
class QTextBrowser;
class QToolButton;

namespace hw::views {

class ListView;
class WorkBar;

/// The worst single failures of the design, and what is lost when a chosen one, or what somebody selected, fails: as lists here, as colors in
/// all views. Worked out by workers while the panel can be seen; after an edit again.
class ImpactPanel : public QWidget {
    Q_OBJECT
public:
    explicit ImpactPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    /// What is lost when these fail together.
    void ask(const std::vector<EntityRef>& entities);
    void clear(); ///< the answer and its colors
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QTextBrowser* answer() const { return m_answer; }
    [[nodiscard]] std::uint64_t rankedRevision() const { return m_revision; } ///< 0: nothing yet
    [[nodiscard]] QString summary() const;                                    ///< the line above the list

signals:
    void simulateRequested(const std::vector<std::string>& failed);              ///< names of what is lost in the answer that is shown
    void airRequested(hw::HallId hall, const std::vector<hw::DeviceId>& failed); ///< air units that are down in the answer, of one hall

private:
    struct Ranking;
    struct Answer;
    void rank();
    void take(const Ranking& ranking, const SnapshotPtr& of);
    void onCurrent();
    void askFor(const std::vector<impact::Failing>& failing);
    void onJobs();
    void say();

    DocumentBridge& m_bridge;
    ListView* m_list;
    QTextBrowser* m_answer;
    QLabel* m_summary;
    WorkBar* m_work;
    QToolButton *m_stop, *m_simulate, *m_air, *m_clear;
    QString m_ranked;                                   ///< what the summary says of the list
    std::vector<std::string> m_failed;                  ///< of the answer
    std::pair<HallId, std::vector<DeviceId>> m_airLost; ///< of the answer: the hall that loses most air units; none: empty
    FollowingView m_following;
    std::uint64_t m_revision = 0;
    SnapshotPtr m_of;                                             ///< what the list is of
    impact::ModelPtr m_model;                                     ///< of that revision
    bool m_filling = false, m_ranking = false, m_stopped = false; ///< stopped by the user, until asked again
};

} // namespace hw::views
