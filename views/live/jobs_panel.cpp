// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/jobs_panel.h"

#include "core/derived/values/host_fields.h"
#include "core/operations/jobs/throughput.h"
#include "views/live/deviations_panel.h"
#include "views/panels/entity_link.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/values/overlay_source.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QLabel>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr std::size_t kMostRanksNamed = 16;

QToolButton* jobTool(const char* name, const QString& image, const QString& title, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setIcon(icon(image));
    button->setText(title);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    return button;
}

QString jobShare(double share) { return percent(share, 1); }
QString tokensText(double perS) { return count(std::llround(perS)); }
QString noneOr(double value, QString (*words)(double)) { return value > 0 ? words(value) : QStringLiteral("–"); }

/// "4.31 s (3.92 s)": measured, and planned where there is a plan.
QString besidePlan(double value, double planned, QString (*words)(double))
{
    return planned > 0 ? QString("%1 (%2)").arg(noneOr(value, words), words(planned)) : noneOr(value, words);
}

QString jobStateText(const jobs::JobState& job)
{
    return job.stalled          ? QObject::tr("stalled")
           : job.slow           ? QObject::tr("slow")
           : job.causes.empty() ? QObject::tr("running")
                                : QObject::tr("running, with deviations");
}

Cell jobNumber(double value, double planned, QString (*words)(double), bool bad)
{
    return {besidePlan(value, planned, words), value, {}, bad ? theme().error : QColor(), -1, true};
}

CellRow jobRow(const jobs::JobState& job)
{
    const jobs::JobPlan plan = job.plan.value_or(jobs::JobPlan());
    const bool bad = job.slow || job.stalled, some = !job.causes.empty();
    CellRow row;
    row.key = text(job.name);
    row.bold = bad;
    if (!job.causes.empty()) row.entity = job.causes.front().entity;
    const double reference = job.plan ? plan.iterationS : job.referenceS;
    row.cells = {{text(job.name)},
                 {jobStateText(job),
                  bad    ? 0
                  : some ? 1
                         : 2,
                  bad    ? "error"
                  : some ? "warning"
                         : "ok",
                  bad    ? theme().error
                  : some ? theme().warning
                         : theme().ok},
                 {count(job.ranks), qlonglong(job.ranks), {}, {}, -1, true},
                 jobNumber(job.iterationS, reference, duration, job.slow),
                 jobNumber(job.tokensPerS, plan.tokensPerS, tokensText, false),
                 jobNumber(job.mfu, plan.mfu, jobShare, false),
                 jobNumber(job.times.wallS > 0 ? job.times.effective : 0, plan.goodput, jobShare, false),
                 {job.causes.empty() ? QString() : text(job.causes.front().what)}};
    return row;
}

/// What jobs are compared with.
QString planText(const JobsSeen& seen)
{
    if (!seen.plan) return QObject::tr("the best iterations so far");
    const QString scenario = QObject::tr("scenario “%1”").arg(text(seen.plan->name));
    if (!seen.planNote.empty()) return QObject::tr("%1 on the whole design").arg(scenario);
    if (seen.plan->hostsLost + seen.plan->linksLost == 0) return scenario;
    return QObject::tr("%1 on what is left: %2, %3 out of service")
        .arg(scenario, text(i18np(seen.plan->hostsLost, "{:L} host", "{:L} hosts")), text(i18np(seen.plan->linksLost, "{:L} link", "{:L} links")));
}

QString jobLine(const QString& label, double value, double planned, QString (*words)(double))
{
    if (!(value > 0) && !(planned > 0)) return {};
    return QString(
               "<tr><td style='padding-right:14px'>%1</td><td align='right' style='padding-right:10px'><b>%2</b></td><td align='right'>%3</td></tr>")
        .arg(label.toHtmlEscaped(), noneOr(value, words), noneOr(planned, words));
}

QString measuresHtml(const jobs::JobState& job)
{
    const jobs::JobPlan plan = job.plan.value_or(jobs::JobPlan());
    QString html = QString("<table><tr><td></td><td align='right' style='padding-right:10px'>%1</td><td align='right'>%2</td></tr>")
                       .arg(QObject::tr("measured"), job.plan ? QObject::tr("planned") : QObject::tr("best so far"));
    html += jobLine(QObject::tr("Iteration time"), job.iterationS, job.plan ? plan.iterationS : job.referenceS, duration);
    if (plan.hostsLost + plan.linksLost > 0) html += jobLine(QObject::tr("Planned with all equipment"), 0, plan.wholeIterationS, duration);
    html += jobLine(QObject::tr("Tokens per second"), job.tokensPerS, plan.tokensPerS, tokensText);
    html += jobLine(QObject::tr("Loss of throughput"), jobs::throughputLoss(job), 0, jobShare);
    html += jobLine(QObject::tr("MFU"), job.mfu, plan.mfu, jobShare);
    html += jobLine(QObject::tr("Compute"), job.computeS, plan.computeS, duration);
    html += jobLine(QObject::tr("Send time"), job.sendS, plan.sendS, duration);
    html += jobLine(QObject::tr("Data loader wait"), job.dataWaitS, 0, duration);
    html += jobLine(QObject::tr("Checkpoint"), job.checkpointS, plan.checkpointS, duration);
    if (job.times.wallS > 0) html += jobLine(QObject::tr("Effective training time (goodput)"), job.times.effective, plan.goodput, jobShare);
    html += "</table>";
    if (job.times.wallS > 0)
        html += QString("<p>%1</p>")
                    .arg(QObject::tr("Time lost: slow iterations %1, repeated iterations %2, checkpoints and stalls %3")
                             .arg(jobShare(job.times.slow), jobShare(job.times.repeated), jobShare(job.times.other)));
    return html;
}

QString causesHtml(const jobs::JobState& job, const DocumentBridge& bridge)
{
    QString html;
    for (const jobs::JobCause& cause : job.causes) {
        html += QString("<p><b>%1</b><br>%2").arg(text(cause.what).toHtmlEscaped(), text(cause.remedy).toHtmlEscaped());
        QStringList where;
        if (cause.entity)
            where << entityLink(bridge, cause.entity) + (cause.element.empty() ? QString() : " · " + text(cause.element).toHtmlEscaped());
        if (!cause.ranks.empty()) {
            QStringList ranks;
            for (std::size_t i = 0; i < std::min(kMostRanksNamed, cause.ranks.size()); ++i) ranks << QString::number(cause.ranks[i]);
            where << QObject::tr("ranks %1").arg(ranks.join(", ") + (cause.ranks.size() > kMostRanksNamed ? ", …" : "")); // no text
        }
        if (cause.extraS > 0) where << QObject::tr("+%1").arg(duration(cause.extraS));
        if (!where.isEmpty()) html += "<br>" + where.join("; ");
        for (const auto& one : cause.evidence) html += "<br>• " + text(one).toHtmlEscaped();
        html += "</p>";
    }
    return html;
}

QString namedHtml(const std::vector<jobs::FaultLocation::Named>& all, const DocumentBridge& bridge)
{
    QString html;
    for (const auto& one : all) {
        const QString link = entityLink(bridge, one.entity), what = text(one.what).toHtmlEscaped();
        html += QString("<p>%1%2%3</p>")
                    .arg(link.isEmpty() ? what : link + ": " + what, one.remedy.empty() ? QString() : "<br>", text(one.remedy).toHtmlEscaped());
    }
    return html;
}

/// What was found, and what readings exclude.
QString locatedHtml(const JobWatch::Located& located, const DocumentBridge& bridge)
{
    QString html = QString("<p><b>%1</b></p><table>").arg(QObject::tr("Fault check: %1").arg(located.title).toHtmlEscaped());
    for (const auto& dimension : located.location.dimensions) {
        QString result;
        if (!dimension.found.empty()) {
            QStringList found;
            for (const auto& [entity, what] : dimension.found) found << entityLink(bridge, entity) + " " + text(what).toHtmlEscaped();
            result = QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), QObject::tr("fault found")) + ": " + found.join("<br>");
        } else {
            result = dimension.excluded() ? text(i18np(std::int64_t(dimension.readings), "excluded: {:L} reading without deviation",
                                                       "excluded: {:L} readings without deviation"))
                                          : QObject::tr("not measured");
        }
        QString kind = deviationWords(dimension.kind);
        if (!kind.isEmpty()) kind[0] = kind[0].toUpper();
        html += QString("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>").arg(kind.toHtmlEscaped(), result);
    }
    return html + "</table>" + namedHtml(located.location.alarms, bridge) + namedHtml(located.location.causes, bridge);
}

} // namespace

JobsPanel::JobsPanel(JobWatch& watch, QWidget* parent)
    : QWidget(parent), m_watch(watch), m_list(new ListView(watch.bridge(),
                                                           {tr("Job"), tr("State"), tr("GPUs"), tr("Iteration (planned)"), tr("Tokens/s (planned)"),
                                                            tr("MFU (planned)"), tr("Goodput (planned)"), tr("Cause")},
                                                           tr("Training jobs"))),
      m_detail(new QTextBrowser), m_summary(new QLabel),
      m_hosts(
          jobTool("jobHosts", "open", tr("Hosts …"), tr("Hosts of the jobs: output of scontrol show job, squeue, kubectl get pods -o json, or CSV"))),
      m_logs(jobTool("jobLogs", "open", tr("Logs …"), tr("Logs of Megatron-LM, NeMo, DeepSpeed, torchtitan or PyTorch Lightning"))),
      m_show(jobTool("jobShow", "layers", tr("Show hosts"), tr("Color the hosts of the job, their racks and their links in plan, 3D and fabric"))),
      m_locate(jobTool("jobLocate", "find", tr("Locate fault"),
                       tr("Check connection, configuration, packet loss and performance of all hosts of the job"))),
      m_cause(jobTool("jobCause", "cube", tr("Show cause"), tr("Zoom all views to the cause")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(1), 0);
    m_summary->setWordWrap(true);
    top->addWidget(m_summary, 1);
    m_show->setCheckable(true);
    for (QToolButton* button : {m_hosts, m_logs, m_show, m_locate, m_cause}) top->addWidget(button);
    layout->addLayout(top);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_list);
    both->addWidget(m_detail);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    layout->addWidget(both, 1);
    m_list->setObjectName("jobs");
    m_list->setColumnWidths({14, 12, 8, 17, 18, 15, 16, -1});
    m_list->setSpareColumns({7, 2, 5, 4});
    m_list->sortByColumn(-1, Qt::AscendingOrder);
    m_detail->setFrameShape(QFrame::NoFrame);
    m_detail->setObjectName("jobDetail");
    m_detail->setAccessibleName(tr("Selected job"));
    m_detail->setPlaceholderText(tr("Select a job to show its time breakdown and the causes of its slowdown."));
    followEntityLinks(*m_detail, watch.bridge());
    connect(m_hosts, &QToolButton::clicked, this, [this] {
        const QStringList files = QFileDialog::getOpenFileNames(this, tr("Hosts of the jobs"));
        if (!files.isEmpty()) m_watch.readHosts(files);
    });
    connect(m_logs, &QToolButton::clicked, this, [this] {
        const QStringList files = QFileDialog::getOpenFileNames(this, tr("Job logs"));
        if (!files.isEmpty()) m_watch.readLogs(files);
    });
    connect(m_show, &QToolButton::clicked, this, &JobsPanel::showHosts);
    connect(&OverlaySource::of(watch.bridge()), &OverlaySource::changed, this,
            [this] { m_show->setChecked(OverlaySource::of(m_watch.bridge()).name() == kHostsOverlay); });
    connect(m_locate, &QToolButton::clicked, this, &JobsPanel::locateCurrent);
    connect(m_cause, &QToolButton::clicked, this, &JobsPanel::zoomToCause);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        m_watch.forgetLocated();
        showDetail();
        if (m_show->isChecked()) showHosts();
    });
    connect(&watch, &JobWatch::changed, this, &JobsPanel::refresh);
    connect(&watch, &JobWatch::locatedChanged, this, &JobsPanel::showDetail);
    watch.watch(this);
    refresh();
}

QString JobsPanel::summary() const { return m_summary->text(); }

void JobsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_watch.soon();
}

const jobs::JobState* JobsPanel::current() const
{
    const CellRow* row = m_list->currentRow();
    const auto& seen = m_watch.seen();
    if (!row || !seen) return nullptr;
    const auto found = std::ranges::find(seen->jobs, row->key.toStdString(), &jobs::JobState::name);
    return found == seen->jobs.end() ? nullptr : &*found;
}

void JobsPanel::locateCurrent()
{
    const jobs::JobState* job = current();
    if (const auto figures = m_watch.bridge().figures(); job && figures) m_watch.locate(text(job->name), jobs::equipmentOf(*figures, *job));
}

/// In all views, until another color is chosen or the button is released.
void JobsPanel::showHosts()
{
    auto& overlay = OverlaySource::of(m_watch.bridge());
    const jobs::JobState* job = current();
    const auto figures = m_watch.bridge().figures();
    if (!m_show->isChecked() || !job || job->hosts.empty() || !figures) {
        if (overlay.name() == kHostsOverlay) overlay.hide();
        return m_show->setChecked(false);
    }
    overlay.show(std::make_shared<const OverlayValues>(
        OverlayValues{std::string(kHostsOverlay), hostFields(*figures->snapshot, job->hosts, i18n("Hosts of {}", job->name))}));
}

void JobsPanel::zoomToCause()
{
    if (const jobs::JobState* job = current())
        for (const jobs::JobCause& cause : job->causes)
            if (cause.entity) return m_watch.bridge().zoomTo(cause.entity);
}

void JobsPanel::refresh()
{
    const auto& seen = m_watch.seen();
    std::vector<CellRow> rows;
    std::int64_t slow = 0, stalled = 0;
    if (seen)
        for (const jobs::JobState& job : seen->jobs) {
            rows.push_back(jobRow(job));
            slow += job.slow && !job.stalled, stalled += job.stalled;
        }
    std::ranges::stable_sort(rows, {}, [](const CellRow& row) { return row.cells[1].sortKey.toInt(); });
    const auto n = std::int64_t(rows.size());
    m_summary->setText(n == 0 ? tr("No training job channels received. See “Training jobs” in the documentation, or open a log.")
                              : tr("%1; %2; %3; compared with %4")
                                    .arg(text(i18np(n, "{:L} job", "{:L} jobs")), text(i18np(slow, "{:L} slow", "{:L} slow")),
                                         text(i18np(stalled, "{:L} stalled", "{:L} stalled")), planText(*seen)));
    m_list->cells()->setRows(std::move(rows));
    if (!m_list->currentRow() && n > 0) m_list->showRow(0);
    showDetail();
}

void JobsPanel::showDetail()
{
    const jobs::JobState* job = current();
    m_locate->setEnabled(job && !job->hosts.empty());
    m_show->setEnabled(job && !job->hosts.empty());
    m_cause->setEnabled(job && std::ranges::any_of(job->causes, [](const jobs::JobCause& cause) { return bool(cause.entity); }));
    QString html;
    if (m_watch.bridge().figures()) {
        const DocumentBridge& bridge = m_watch.bridge();
        if (m_watch.located()) html += locatedHtml(*m_watch.located(), bridge);
        if (job) {
            const auto& seen = m_watch.seen();
            html += QString("<p><b>%1</b>: %2</p>").arg(text(job->name).toHtmlEscaped(), jobStateText(*job));
            if (job->slow) html += QString("<p>%1</p>").arg(tr("Slow since %1").arg(momentText(job->slowSinceMs, seen->atMs)));
            if (!seen->planNote.empty()) html += QString("<p>%1</p>").arg(text(seen->planNote).toHtmlEscaped());
            html += causesHtml(*job, bridge) + measuresHtml(*job);
            if (!job->unknownHosts.empty())
                html += QString("<p>%1 %2</p>")
                            .arg(tr("Hosts that are not in the design:"),
                                 text(job->unknownHosts.front()).toHtmlEscaped() + (job->unknownHosts.size() > 1 ? ", …" : "")); // no text
        }
    }
    if (html == m_shownDetail) return; // who reads on stays where they are
    m_shownDetail = html;
    m_detail->setHtml(html);
}

} // namespace hw::views
