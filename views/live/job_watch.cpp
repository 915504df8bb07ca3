// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/job_watch.h"

#include "core/foundation/base/file_kind.h"
#include "core/operations/jobs/out_of_service.h"
#include "importers/cluster/cordoned_nodes.h"
#include "importers/cluster/job_hosts.h"
#include "importers/joblogs/job_log.h"
#include "views/style/format.h"

#include <QDateTime>
#include <QFileInfo>
#include <QWidget>

#include <algorithm>

namespace hw::views {

namespace {

constexpr int kJobsEveryMs = 2000;
constexpr const char* kEvaluating = "live.jobs";

std::vector<std::string> pathsOf(const QStringList& files)
{
    std::vector<std::string> out;
    for (const QString& file : files) out.push_back(file.toStdString());
    return out;
}

/// All files with the same reader; the first that cannot be read refuses all.
template <class Row>
Result<std::vector<Row>> readAll(const std::vector<std::string>& files, Result<std::vector<Row>> (*read)(const exchange::ImportSource&))
{
    std::vector<Row> all;
    for (const auto& file : files) {
        const auto source = exchange::readSource(file);
        if (!source) return tl::unexpected(source.error());
        const auto rows = read(*source);
        if (!rows) return tl::unexpected(rows.error());
        all.insert(all.end(), rows->begin(), rows->end());
    }
    return all;
}

struct ReadLogs {
    std::vector<jobs::JobSample> samples;
    std::vector<Text> notes;
};

Result<ReadLogs> logsOf(const std::vector<std::string>& files)
{
    ReadLogs out;
    for (const auto& file : files) {
        const auto content = readTextFile(file);
        if (!content) return tl::unexpected(content.error());
        auto log = importers::readJobLog(*content, file, std::filesystem::path(file).stem().string());
        if (!log) return tl::unexpected(log.error());
        out.samples.insert(out.samples.end(), log->samples.begin(), log->samples.end());
        out.notes.insert(out.notes.end(), log->notes.begin(), log->notes.end());
    }
    return out;
}

/// Of sources and of logs; a log of a job that telemetry also reports stays a job of its own.
std::vector<jobs::JobData> dataOf(const jobs::JobTelemetry* live, const jobs::JobTelemetry* logs)
{
    std::vector<jobs::JobData> all = live ? live->jobs() : std::vector<jobs::JobData>();
    if (!logs) return all;
    for (jobs::JobData& one : logs->jobs()) {
        if (std::ranges::find(all, one.name, &jobs::JobData::name) != all.end()) one.name = words(i18n("{} (log)", one.name));
        all.push_back(std::move(one));
    }
    return all;
}

/// The plan on what is left of the design; the simulation runs again only when something else is out of service.
void planLeft(JobsSeen& seen, const std::optional<jobs::JobPlan>& plan, const sim::ResultsAfter& after, jobs::OutOfService& out,
              const std::vector<isolation::Cordoned>& cordoned, const monitoring::Frame* frame, const JobsSeen* before, const Progress& progress)
{
    seen.whole = seen.plan = plan;
    if (!plan || !after) return;
    auto lost = out.of(frame, {}, cordoned, progress);
    if (!lost) return; // nothing is named, so it was canceled
    seen.lost = std::move(*lost);
    if (before && before->planNo == seen.planNo && before->design == seen.design && before->lost == seen.lost) {
        seen.plan = before->plan, seen.planNote = before->planNote;
        return;
    }
    sim::PlanLeft left = sim::plannedJobAfter(*plan, seen.lost, after, *seen.design);
    seen.plan = std::move(left.plan), seen.planNote = std::move(left.note);
}

} // namespace

JobWatch::JobWatch(DocumentBridge& bridge, LiveSession& session, QObject* parent) : QObject(parent), m_bridge(bridge), m_session(session)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &JobWatch::evaluate);
    connect(&session, &LiveSession::shownChanged, this, [this] {
        const bool visible = std::ranges::any_of(m_panels, [](const QWidget* panel) { return panel->isVisible(); });
        if (visible && !m_timer.isActive()) m_timer.start(m_seen && m_seen->measured ? kJobsEveryMs : 0);
    });
    connect(&session, &LiveSession::stateChanged, this, [this] {
        if (!m_session.on()) m_plan.reset(), m_after = nullptr;
        soon();
    });
    connect(&bridge, &DocumentBridge::documentChanged, this, [this](const ChangeEvent& event) {
        if (event.origin == ChangeOrigin::Load) dropFiles();
    });
    connect(&bridge, &DocumentBridge::figuresChanged, this, &JobWatch::soon);
}

void JobWatch::dropFiles()
{
    m_places.clear();
    m_cordoned.clear();
    m_logs = nullptr;
    m_seen = nullptr;
    forgetLocated();
}

void JobWatch::watch(QWidget* panel) { m_panels.push_back(panel); }

void JobWatch::soon()
{
    if (std::ranges::any_of(m_panels, [](const QWidget* panel) { return panel->isVisible(); })) m_timer.start(0);
}

void JobWatch::plan(std::optional<jobs::JobPlan> plan, sim::ResultsAfter after)
{
    m_plan = std::move(plan);
    m_after = std::move(after);
    ++m_planNo;
    soon();
}

void JobWatch::evaluate()
{
    const auto& frame = m_session.on() ? m_session.newest() : nullptr;
    const bool measured = frame && frame->bound && frame->design;
    const auto design = measured ? frame->design : m_bridge.figures();
    if (!design) return;
    if (m_bridge.jobs().busy(kEvaluating)) { // a newer request would replace it, and none would ever end
        m_again = true;
        return;
    }
    if (!m_out || m_out->figures() != design) m_out = std::make_shared<jobs::OutOfService>(design);
    m_bridge.jobs().start<JobsSeenPtr>(
        kEvaluating, {},
        [design, frame = measured ? frame : nullptr, live = m_session.jobTelemetry(), logs = m_logs, places = m_places, cordoned = m_cordoned,
         plan = m_plan, after = m_after, planNo = m_planNo, out = m_out, before = m_seen,
         now = QDateTime::currentMSecsSinceEpoch()](const Progress& progress) -> JobsSeenPtr {
            auto seen = std::make_shared<JobsSeen>();
            seen->design = design;
            seen->measured = frame != nullptr;
            seen->planNo = planNo;
            seen->atMs = frame ? frame->atMs : now;
            planLeft(*seen, plan, after, *out, cordoned, frame.get(), before.get(), progress);
            seen->jobs = jobs::evaluateJobs(*design, dataOf(live.get(), logs.get()), places, seen->plan, frame.get(), frame ? frame->atMs : 0);
            seen->isolation = isolation::nodesToIsolate(*design, frame.get(), seen->atMs);
            jobs::addSlowHosts(seen->isolation, *design, seen->jobs);
            isolation::compareWith(seen->isolation, *design, cordoned);
            return seen;
        },
        [this](JobsSeenPtr seen) {
            m_seen = std::move(seen);
            emit changed();
            if (std::exchange(m_again, false)) soon();
        });
}

void JobWatch::readHosts(const QStringList& files)
{
    m_bridge.jobs().start<Result<std::vector<jobs::JobPlace>>>(
        "live.jobHosts", tr("Reading hosts of jobs"),
        [files = pathsOf(files)](const Progress&) { return readAll<jobs::JobPlace>(files, importers::readJobHosts); },
        [this](Result<std::vector<jobs::JobPlace>> places) {
            if (!places) return m_bridge.report(places.error());
            m_places = std::move(*places);
            evaluate();
        });
}

void JobWatch::readCordoned(const QStringList& files)
{
    m_bridge.jobs().start<Result<std::vector<isolation::Cordoned>>>(
        "live.cordoned", tr("Reading cordoned nodes"),
        [files = pathsOf(files)](const Progress&) { return readAll<isolation::Cordoned>(files, importers::readCordoned); },
        [this](Result<std::vector<isolation::Cordoned>> nodes) {
            if (!nodes) return m_bridge.report(nodes.error());
            m_cordoned = std::move(*nodes);
            evaluate();
        });
}

void JobWatch::readLogs(const QStringList& files)
{
    m_bridge.jobs().start<Result<ReadLogs>>(
        "live.jobLogs", tr("Reading job logs"), [files = pathsOf(files)](const Progress&) { return logsOf(files); },
        [this](Result<ReadLogs> read) {
            if (!read) return m_bridge.report(read.error());
            m_logs = std::make_shared<jobs::JobTelemetry>();
            for (const auto& sample : read->samples) m_logs->take(sample);
            for (const Text& note : read->notes) emit m_bridge.problem(text(note));
            evaluate();
        });
}

void JobWatch::locate(const QString& title, std::vector<EntityRef> equipment)
{
    const auto frame = m_session.on() ? m_session.newest() : nullptr;
    const auto design = frame && frame->design ? frame->design : m_bridge.figures();
    if (!design) return;
    m_bridge.jobs().start<jobs::FaultLocation>(
        "live.locate", {},
        [design, frame, equipment = std::move(equipment), seen = m_seen, cordoned = m_cordoned](const Progress& progress) {
            const auto lost = jobs::OutOfService(design).of(frame.get(), {}, cordoned, progress);
            return jobs::locateFault(*design, equipment, frame.get(), seen ? seen->jobs : std::vector<jobs::JobState>(),
                                     lost ? *lost : impact::NetworkLoss());
        },
        [this, title](jobs::FaultLocation location) {
            m_located = Located{title, std::move(location)};
            emit locatedChanged();
        });
}

void JobWatch::forgetLocated()
{
    if (!m_located) return;
    m_located.reset();
    emit locatedChanged();
}

} // namespace hw::views
