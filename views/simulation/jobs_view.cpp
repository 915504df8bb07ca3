// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/jobs_view.h"

#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>

#include <algorithm>
#include <map>
#include <set>

namespace hw::views {

namespace {
constexpr std::size_t kMostLinks = 200;
}

JobsView::JobsView(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_jobs(new ListView(session.bridge(), {tr("Job"), tr("Hosts"), tr("Segments")}, tr("Jobs"))),
      m_links(new ListView(session.bridge(), {tr("Access links of the job's hosts"), tr("Load"), tr("Used")}, tr("Job links"))), m_note(new QLabel)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_note->setProperty("role", "dim");
    column->addWidget(m_note);
    auto* row = new QHBoxLayout;
    row->addWidget(m_jobs, 1);
    row->addWidget(m_links, 1);
    column->addLayout(row, 1);
    m_jobs->setObjectName("scenarioJobs");
    m_jobs->setColumnWidths({-1, 9, 10});
    m_links->setColumnWidths({-1, 12, 10});
    connect(&session, &SimulationSession::answerChanged, this, &JobsView::refresh);
    m_links->setTextElideMode(Qt::ElideLeft);
    connect(&session, &SimulationSession::standingChanged, this, &JobsView::refresh);
    connect(m_jobs->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &JobsView::onJob);
    refresh();
}

void JobsView::refresh()
{
    std::vector<CellRow> rows;
    const auto* play = m_session.playback();
    const auto& figures = m_session.bridge().figures();
    if (play && figures && m_session.drawn())
        for (std::size_t j = 0; j < play->jobs.size(); ++j) {
            std::set<std::pair<int, int>> segments;
            for (const auto h : play->jobs[j].hosts)
                segments.emplace(figures->snapshot->devices.pod[DeviceId(h)], figures->snapshot->devices.segment[DeviceId(h)]);
            CellRow row;
            row.key = QString::number(j);
            row.cells = {{text(play->jobs[j].name)},
                         {count(std::int64_t(play->jobs[j].hosts.size())), qulonglong(play->jobs[j].hosts.size()), {}, {}, -1, true},
                         {count(std::int64_t(segments.size())), qulonglong(segments.size()), {}, {}, -1, true}};
            rows.push_back(std::move(row));
        }
    const QString standing = m_session.standingText();
    m_note->setText(!standing.isEmpty() ? standing
                    : rows.empty()      ? tr("This result contains no jobs")
                                        : tr("Click to select the job's hosts in all views"));
    m_jobs->cells()->setRows(std::move(rows));
    m_links->cells()->setRows({});
}

void JobsView::onJob()
{
    const auto* play = m_session.playback();
    const auto& figures = m_session.bridge().figures();
    const CellRow* chosen = m_jobs->currentRow();
    if (!play || !figures || !chosen || chosen->key.toULong() >= play->jobs.size()) return;
    const Snapshot& s = *figures->snapshot;
    const auto& job = play->jobs[chosen->key.toULong()];
    std::set<std::uint32_t> hosts(job.hosts.begin(), job.hosts.end());
    std::vector<EntityRef> selection;
    for (const auto h : job.hosts)
        if (s.devices.contains(DeviceId(h))) selection.push_back(ref(DeviceId(h)));
    m_session.bridge().select(std::move(selection));
    std::vector<CellRow> rows;
    if (const auto& flows = m_session.bridge().flows())
        s.links.forEach([&](LinkId l) {
            if (2 * std::size_t(l.value) + 1 >= flows->loadGbps.size()) return;
            const float load = std::max(flows->loadGbps[2 * l.value], flows->loadGbps[2 * l.value + 1]);
            if (load <= 0 || (!hosts.contains(s.ports.device[s.links.from[l]].value) && !hosts.contains(s.ports.device[s.links.to[l]].value))) return;
            const double used = std::max(flows->utilization(2 * l.value), flows->utilization(2 * l.value + 1));
            CellRow row;
            row.entity = ref(l);
            row.key = QString::number(l.value);
            row.cells = {
                {m_session.bridge().nameOf(ref(l))}, {rate(load), double(load), {}, {}, -1, true}, {percent(used), used, {}, {}, used, true}};
            rows.push_back(std::move(row));
        });
    std::ranges::stable_sort(rows, [](const CellRow& a, const CellRow& b) { return a.cells[2].bar > b.cells[2].bar; });
    rows.resize(std::min(rows.size(), kMostLinks));
    m_links->cells()->setRows(std::move(rows));
}

} // namespace hw::views
