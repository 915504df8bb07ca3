// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/alarms_panel.h"

#include "views/panels/entity_link.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hw::views {

namespace {

constexpr int kAlarmsEveryMs = 500;
constexpr std::size_t kMostNamed = 40, kMostCompared = 20;

QString row(const QString& label, const QString& value)
{
    return value.isEmpty() ? QString()
                           : QString("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>").arg(label.toHtmlEscaped(), value.toHtmlEscaped());
}

QToolButton* tool(const char* name, const QString& image, const QString& title, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setIcon(icon(image));
    button->setText(title);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    return button;
}

/// Causes before single alarms, what nobody has seen before the rest, what costs most first; of equals the newest.
auto rankOf(const monitoring::Alarm& alarm, std::int64_t nowMs)
{
    const bool quiet = alarm.acknowledged || alarm.shelvedUntilMs > nowMs;
    return std::tuple((quiet ? 2 : 0) + (alarm.kind == monitoring::AlarmKind::Cause ? 0 : 1), -std::int64_t(alarm.gpusLost), alarm.rideThroughS < 0,
                      -std::int64_t(alarm.gpusDegraded));
}

} // namespace

AlarmsPanel::AlarmsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_session(session),
      m_list(new ListView(bridge, {tr("Cause or alarm"), tr("Symptoms"), tr("GPUs"), tr("Ride-through"), tr("Since"), tr("State")}, tr("Alarms"))),
      m_detail(new QTextBrowser), m_summary(new QLabel), m_acknowledge(tool("alarmAcknowledge", "ok", tr("Acknowledge"), tr("Mark as acknowledged"))),
      m_shelve(tool("alarmShelve", "history", tr("Shelve"), tr("Suppress this alarm for a while"))),
      m_cause(tool("alarmCause", "find", tr("Show cause"), tr("Zoom all views to the cause"))),
      m_impact(tool("alarmImpact", "warning", tr("Show impact"), tr("Predicted impact of losing this element"))),
      m_report(tool("alarmReport", "export", tr("Report"), tr("Create an incident report")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(1), 0);
    top->addWidget(m_summary, 1);
    for (QToolButton* button : {m_acknowledge, m_shelve, m_cause, m_impact, m_report}) top->addWidget(button);
    layout->addLayout(top);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_list);
    both->addWidget(m_detail);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    layout->addWidget(both, 1);
    m_list->setObjectName("alarms");
    m_list->setColumnWidths({-1, 9, 6, 13, 9, 13});
    m_list->setSpareColumns({1, 5, 2}); // what the chosen alarm says beside the list; dim lines are acknowledged
    m_list->sortByColumn(-1, Qt::AscendingOrder);
    m_detail->setFrameShape(QFrame::NoFrame);
    m_detail->setAccessibleName(tr("Selected alarm"));
    m_detail->setPlaceholderText(tr("Select an alarm to see its description, its impact and the impact predicted by the design."));
    auto* times = new QMenu(m_shelve);
    for (const auto& [title, minutes] : {std::pair(tr("10 minutes"), 10), {tr("1 hour"), 60}, {tr("8 hours"), 480}, {tr("1 day"), 1440}})
        connect(times->addAction(title), &QAction::triggered, this,
                [this, minutes = minutes] { answer(monitoring::Answer::Kind::Shelve, m_session.newestMs() + minutes * 60'000LL); });
    times->addSeparator();
    connect(times->addAction(tr("Unshelve")), &QAction::triggered, this, [this] { answer(monitoring::Answer::Kind::Unshelve); });
    m_shelve->setMenu(times);
    m_shelve->setPopupMode(QToolButton::InstantPopup);
    connect(m_acknowledge, &QToolButton::clicked, this, [this] { answer(monitoring::Answer::Kind::Acknowledge); });
    connect(m_cause, &QToolButton::clicked, this, [this] {
        if (const monitoring::Alarm* alarm = current(); alarm && alarm->cause) m_bridge.zoomTo(alarm->cause);
    });
    connect(m_impact, &QToolButton::clicked, this, [this] {
        if (const monitoring::Alarm* alarm = current(); alarm && alarm->cause) emit impactRequested({alarm->cause});
    });
    connect(m_report, &QToolButton::clicked, this, [this] {
        if (const monitoring::Alarm* alarm = current()) emit reportRequested(text(alarm->id));
    });
    followEntityLinks(*m_detail, m_bridge);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &AlarmsPanel::refresh);
    connect(&session, &LiveSession::shownChanged, this, [this] {
        if (isVisible() && !m_timer.isActive()) m_timer.start(m_alarms.empty() ? 0 : kAlarmsEveryMs);
    });
    connect(&session, &LiveSession::stateChanged, this, &AlarmsPanel::refresh);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AlarmsPanel::showDetail);
    refresh();
}

void AlarmsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

/// What is left of it at the moment that is shown.
QString AlarmsPanel::rideThroughText(const monitoring::Alarm& alarm) const
{
    const auto& frame = m_session.shown();
    const auto left = monitoring::rideThroughLeftS(alarm, frame ? frame->atMs : 0);
    if (!left) return QStringLiteral("–");
    if (*left <= 0) return tr("elapsed");
    return *left < 60 ? tr("%1 s left").arg(int(std::ceil(*left))) : tr("%1 left").arg(duration(std::ceil(*left)));
}

const monitoring::Alarm* AlarmsPanel::current() const
{
    const CellRow* row = m_list->currentRow();
    if (!row) return nullptr;
    const auto found = std::ranges::find(m_alarms, row->key.toStdString(), &monitoring::Alarm::id);
    return found == m_alarms.end() ? nullptr : &*found;
}

void AlarmsPanel::answer(monitoring::Answer::Kind kind, std::int64_t untilMs)
{
    if (const monitoring::Alarm* alarm = current()) m_session.answer({kind, alarm->id, untilMs, qEnvironmentVariable("USER", "user").toStdString()});
}

void AlarmsPanel::refresh()
{
    const auto& frame = m_session.shown();
    m_alarms = frame ? frame->alarms : std::vector<monitoring::Alarm>();
    const std::int64_t now = frame ? frame->atMs : 0;
    std::ranges::stable_sort(m_alarms, {}, [now](const monitoring::Alarm& alarm) { return rankOf(alarm, now); });
    std::vector<CellRow> rows;
    std::int64_t open = 0;
    for (const monitoring::Alarm& alarm : m_alarms) {
        const bool cause = alarm.kind == monitoring::AlarmKind::Cause, shelved = alarm.shelvedUntilMs > now;
        open += !alarm.acknowledged && !shelved;
        CellRow line;
        line.entity = alarm.cause ? alarm.cause : alarm.symptoms.empty() ? EntityRef{} : alarm.symptoms.front();
        line.key = text(alarm.id);
        line.toolTip = text(alarm.what);
        line.dim = alarm.acknowledged || shelved;
        line.bold = cause && !line.dim;
        const std::int64_t gpus = std::int64_t(alarm.gpusLost) + alarm.gpusDegraded;
        const QString named = alarm.cause && m_bridge.figures()
                                  ? m_bridge.nameOf(alarm.cause) + (alarm.element.empty() ? QString() : " · " + text(alarm.element))
                                  : text(alarm.what);
        line.cells = {{named, int(alarm.kind), cause ? "error" : "warning", cause ? theme().error : theme().warning},
                      {count(std::int64_t(alarm.symptoms.size())), qlonglong(alarm.symptoms.size()), {}, {}, -1, true},
                      {gpus > 0 ? count(gpus) : QStringLiteral("–"), qlonglong(gpus), {}, {}, -1, true},
                      {rideThroughText(alarm), alarm.rideThroughS, {}, alarm.rideThroughS >= 0 ? theme().error : QColor(), -1, true},
                      {momentText(alarm.sinceMs, now), qlonglong(alarm.sinceMs), {}, {}, -1, true},
                      {shelved              ? tr("shelved until %1").arg(momentText(alarm.shelvedUntilMs, now))
                       : alarm.acknowledged ? tr("acknowledged")
                                            : tr("new")}};
        rows.push_back(std::move(line));
    }
    m_summary->setText(!frame             ? tr("No measurements yet.")
                       : m_alarms.empty() ? tr("No active alarms.")
                                          : tr("%1; %2").arg(text(i18np(std::int64_t(m_alarms.size()), "{:L} alarm", "{:L} alarms")),
                                                             text(i18np(open, "{:L} unacknowledged", "{:L} unacknowledged"))));
    m_list->cells()->setRows(std::move(rows));
    if (!m_list->currentRow() && !m_alarms.empty()) m_list->showRow(0); // nobody has to ask for the worst
    showDetail();
}

/// What is read beside what the design foretells of the same loss.
QString AlarmsPanel::comparedHtml(const monitoring::Alarm& alarm) const
{
    if (alarm.compared.empty()) return {};
    QString html =
        QString("<p><table><tr><td></td><td align='right' style='padding-right:10px'>%1</td><td align='right' style='padding-right:10px'>%2"
                "</td><td align='right'>%3</td></tr>")
            .arg(tr("measured"), tr("predicted"), tr("planned"));
    std::size_t lines = 0;
    for (const monitoring::Compared& c : alarm.compared) {
        if (++lines > kMostCompared) break;
        html += QString("<tr><td style='padding-right:14px'>%1</td><td align='right' style='padding-right:10px'><b>%2</b></td><td align='right' "
                        "style='padding-right:10px'>%3</td><td align='right'>%4</td></tr>")
                    .arg((m_bridge.nameOf(c.entity) + " · " + pointText({c.entity, c.measure, c.element})).toHtmlEscaped(),
                         measureText(c.measure, c.measured), measureText(c.measure, c.predicted), measureText(c.measure, c.planned));
    }
    return html + QString("</table></p><p>%1</p>").arg(tr("Predicted and planned values assume design power."));
}

void AlarmsPanel::showDetail()
{
    const monitoring::Alarm* alarm = current();
    const bool live = m_session.mode() == LiveSession::Mode::Live;
    m_acknowledge->setEnabled(alarm && live && !alarm->acknowledged);
    m_shelve->setEnabled(alarm && live);
    m_cause->setEnabled(alarm && alarm->cause);
    m_impact->setEnabled(alarm && alarm->cause);
    m_report->setEnabled(alarm);
    QString html;
    if (alarm && m_bridge.figures()) {
        html = QString("<p><b>%1</b></p><table>").arg(text(alarm->what).toHtmlEscaped());
        html += row(tr("Since"), momentText(alarm->sinceMs, m_session.newestMs()));
        if (alarm->gpusLost > 0)
            html += row(alarm->together.empty() ? tr("GPUs lost") : tr("GPUs lost, %1 failures combined").arg(alarm->together.size()),
                        count(alarm->gpusLost));
        if (alarm->gpusDegraded > 0) html += row(tr("GPUs degraded"), count(alarm->gpusDegraded));
        if (alarm->redundancyLost > 0)
            html += row(tr("Redundancy lost"), text(i18np(std::int64_t(alarm->redundancyLost), "of {:L} device", "of {:L} devices")));
        if (alarm->rideThroughS >= 0) html += row(tr("Ride-through"), tr("%1, %2").arg(duration(alarm->rideThroughS), rideThroughText(*alarm)));
        html += "</table>";
        html += comparedHtml(*alarm);
        if (!alarm->symptoms.empty()) {
            html += QString("<p>%1</p><p>").arg(text(i18np(std::int64_t(alarm->symptoms.size()), "{:L} symptom:", "{:L} symptoms:")).toHtmlEscaped());
            QStringList names;
            for (std::size_t i = 0; i < std::min(kMostNamed, alarm->symptoms.size()); ++i) { names << entityLink(m_bridge, alarm->symptoms[i]); }
            html += names.join(", ") + (alarm->symptoms.size() > kMostNamed ? ", …" : "") + "</p>"; // no text
        }
    }
    if (html == m_shownDetail) return; // who reads on stays where they are
    m_shownDetail = html;
    m_detail->setHtml(html);
}

} // namespace hw::views
