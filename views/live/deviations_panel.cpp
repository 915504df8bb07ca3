// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/deviations_panel.h"

#include "core/operations/overlays/live_fields.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr int kDeviationsEveryMs = 500;
constexpr double kFar = 0.1, kWholeBar = 0.5, kNoPowerW = 1;

/// What draws power by design, and draws none or says nothing: "dead" as far as the list can tell before a cause is found.
std::size_t deadIn(const monitoring::Frame& frame)
{
    std::size_t dead = 0;
    for (std::size_t p = 0; p < frame.bound->points.size() && p < frame.values.size(); ++p) {
        const bindings::Point& point = frame.bound->points[p];
        if (point.measure != bindings::Measure::ActivePower || point.entity.kind != EntityKind::Rack || !point.element.empty()) continue;
        const double value = double(frame.values[p]);
        if (!std::isnan(value) && std::abs(value) >= kNoPowerW) continue;
        const auto planned = plannedValue(*frame.design, point);
        dead += planned && *planned > kNoPowerW;
    }
    return dead;
}

/// Without a deviation: whether all that should be measured is, and nothing else is wrong.
QString summaryWithout(const monitoring::Frame& frame, const LiveSession& session)
{
    const auto gone = std::ranges::find_if(
        session.log().gaps(), [&](const bindings::Gap& gap) { return gap.fromMs <= frame.atMs && (gap.toMs == 0 || gap.toMs > frame.atMs); });
    if (!frame.alarms.empty())
        return text(i18np(std::int64_t(frame.alarms.size()), "No deviations besides {:L} active alarm", "No deviations besides {:L} active alarms"));
    if (!frame.bound || frame.bound->bound == 0) return QObject::tr("No channel is bound to the design: nothing to compare.");
    if (gone != session.log().gaps().end()) return QObject::tr("No deviations in the data received; no data from %1.").arg(text(gone->source));
    if (const auto dead = frame.design ? deadIn(frame) : 0; dead > 0)
        return text(i18np(std::int64_t(dead), "No deviations reported; {:L} rack draws no power or reports none",
                          "No deviations reported; {:L} racks draw no power or report none"));
    if (&frame == session.newest().get() && !session.troubles().empty()) return QObject::tr("No deviations reported; live data is incomplete.");
    return QObject::tr("All measurements match the design.");
}

} // namespace

QString deviationWords(monitoring::DeviationKind kind)
{
    using enum monitoring::DeviationKind;
    switch (kind) {
    case OverBudget: return QObject::tr("over budget");
    case PhaseImbalance: return QObject::tr("phase imbalance");
    case LowFlow: return QObject::tr("low flow");
    case HighSupply: return QObject::tr("high supply temperature");
    case LowLinkLoad: return QObject::tr("low link load");
    case Idle: return QObject::tr("idle");
    case LowPerformance: return QObject::tr("low performance");
    case PacketLoss: return QObject::tr("packet loss");
    case WrongSetting: return QObject::tr("configuration mismatch");
    case NoConnection: return QObject::tr("no connection");
    case BadSensor: return QObject::tr("bad sensor");
    }
    return {};
}

DeviationsPanel::DeviationsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_session(session),
      m_list(new ListView(bridge, {tr("Kind"), tr("Object"), tr("Measured"), tr("Expected"), tr("Deviation"), tr("Since"), tr("At risk")},
                          tr("Deviations"))),
      m_summary(new QLabel)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    m_summary->setContentsMargins(space(3), 0, space(3), 0);
    layout->addWidget(m_summary);
    layout->addWidget(m_list, 1);
    m_list->setObjectName("deviations");
    m_list->setColumnWidths({15, 20, 11, 11, 9, 9, -1});
    m_list->setSpareColumns({3});                 // how far off it is says it, too
    m_list->sortByColumn(-1, Qt::AscendingOrder); // as they come: worst first
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DeviationsPanel::refresh);
    connect(&session, &LiveSession::shownChanged, this, [this] {
        if (!m_any) return refresh();
        if (isVisible() && !m_timer.isActive()) m_timer.start(kDeviationsEveryMs);
    });
    refresh();
}

QString DeviationsPanel::summary() const { return m_summary->text(); }

void DeviationsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void DeviationsPanel::refresh()
{
    const auto& frame = m_session.shown();
    m_any = frame != nullptr;
    std::vector<CellRow> rows;
    if (frame && m_bridge.figures())
        for (const monitoring::Deviation& d : frame->deviations) {
            const bool far = std::abs(d.share) > kFar;
            CellRow row;
            row.entity = d.entity;
            row.key = QString("%1/%2/%3/%4/%5").arg(int(d.kind)).arg(int(d.entity.kind)).arg(d.entity.id).arg(text(d.element)).arg(int(d.measure));
            row.toolTip = text(d.what) + (d.risk.empty() ? QString() : "\n" + text(d.risk));
            const QString name = m_bridge.nameOf(d.entity) + (d.element.empty() ? QString() : " · " + text(d.element));
            row.cells = {{deviationWords(d.kind), int(d.kind), far ? "error" : "warning", far ? theme().error : theme().warning},
                         {.text = name, .place = true},
                         {measureText(d.measure, d.measured), d.measured, {}, {}, -1, true},
                         {measureText(d.measure, d.expected), d.expected, {}, {}, -1, true},
                         {signedText(percent(std::abs(d.share), 0), d.measured < d.expected ? -1 : 1),
                          std::abs(d.share),
                          {},
                          {},
                          std::min(1.0, std::abs(d.share) / kWholeBar),
                          true},
                         {momentText(d.sinceMs, frame->atMs), qlonglong(d.sinceMs), {}, {}, -1, true},
                         {d.risk.empty() ? text(d.what) : text(d.risk)}};
            rows.push_back(std::move(row));
        }
    const auto n = std::int64_t(rows.size());
    m_summary->setText(!frame   ? tr("No measurements yet.")
                       : n == 0 ? summaryWithout(*frame, m_session)
                                : text(i18np(n, "{:L} deviation from the design, worst first", "{:L} deviations from the design, worst first")));
    m_list->cells()->setRows(std::move(rows));
}

} // namespace hw::views
