// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one

#include "core/operations/isolation/isolation.h"
#include "core/operations/jobs/fault_location.h"
#include "core/operations/jobs/out_of_service.h"
#include "simulation/reliability/planned_job.h"
#include "views/live/live_session.h"

#include <filesystem>

namespace hw::views {

/// Training jobs and nodes to isolate of the present moment. Immutable.
struct JobsSeen {
    FiguresPtr design;
    std::int64_t atMs = 0; ///< of the newest measurement, or the time of day where nothing is followed
    bool measured = false; ///< something is followed
    std::vector<jobs::JobState> jobs;
    isolation::List isolation;
    std::optional<jobs::JobPlan> whole, plan; ///< of the scenario: on the whole design, and on what is left of it
    impact::NetworkLoss lost;
    int planNo = 0; ///< of JobWatch::plan
    Text planNote;  ///< why the plan is that of the whole design although something is lost
};
using JobsSeenPtr = std::shared_ptr<const JobsSeen>;

/// Evaluates the jobs of the hall that is followed, beside the plan and what was read from files: logs, hosts of jobs, cordoned nodes. On a worker,
/// while a panel shows it, every two seconds at most. What was read is dropped with the project. GUI thread.
class JobWatch : public QObject {
    Q_OBJECT
public:
    JobWatch(DocumentBridge& bridge, LiveSession& session, QObject* parent = nullptr);

    [[nodiscard]] const JobsSeenPtr& seen() const { return m_seen; } ///< null: nothing yet
    [[nodiscard]] DocumentBridge& bridge() { return m_bridge; }
    void soon();                ///< a panel is shown
    void watch(QWidget* panel); ///< evaluates again as time goes on while the panel is visible
    /// Of the scenario that the hall is compared with, none: no longer; `after`: on what is left while something is out of service.
    void plan(std::optional<jobs::JobPlan> plan, sim::ResultsAfter after = {});
    [[nodiscard]] const std::optional<jobs::JobPlan>& plan() const { return m_plan; }

    // What schedulers and frameworks wrote; on a worker, errors go to the bridge.
    void readHosts(const QStringList& files);
    void readLogs(const QStringList& files);
    void readCordoned(const QStringList& files);

    /// Which of the four dimensions explains what is wrong with the equipment.
    void locate(const QString& title, std::vector<EntityRef> equipment);
    struct Located {
        QString title;
        jobs::FaultLocation location;
    };
    [[nodiscard]] const std::optional<Located>& located() const { return m_located; }
    void forgetLocated();

signals:
    void changed();
    void locatedChanged();

private:
    void evaluate();
    void dropFiles();

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    QTimer m_timer;
    std::vector<QWidget*> m_panels;
    std::vector<jobs::JobPlace> m_places;
    std::vector<isolation::Cordoned> m_cordoned;
    std::shared_ptr<jobs::JobTelemetry> m_logs;
    std::optional<jobs::JobPlan> m_plan;
    sim::ResultsAfter m_after;
    int m_planNo = 0;                          ///< counts what was planned
    std::shared_ptr<jobs::OutOfService> m_out; ///< of the design that was evaluated last; a worker's while one runs
    std::optional<Located> m_located;
    JobsSeenPtr m_seen;
    bool m_again = false; ///< something came while it was evaluated
};

} // namespace hw::views
