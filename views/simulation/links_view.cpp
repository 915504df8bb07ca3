// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/links_view.h"

#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>

#include <algorithm>

namespace hw::views {

namespace {

constexpr std::size_t kMostFlows = 500;

/// Flows over either direction of a link, by index.
std::vector<std::uint32_t> flowsOver(const sim::FlowResult& result, LinkId link)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t f = 0; f + 1 < result.flowLinkOffset.size(); ++f)
        for (auto i = result.flowLinkOffset[f]; i < result.flowLinkOffset[f + 1]; ++i)
            if (result.flowLinks[i] / 2 == link.value) {
                found.push_back(f);
                break;
            }
    return found;
}

} // namespace

LinksView::LinksView(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session),
      m_links(new ListView(session.bridge(), {tr("From"), tr("To"), tr("Load"), tr("Flows"), tr("Used")}, tr("Hottest links"))),
      m_flows(new ListView(session.bridge(), {tr("From"), tr("To"), tr("Ranks"), tr("Rate"), tr("Bytes")}, tr("Flows on the link"))),
      m_headline(new QLabel), m_standing(new QLabel), m_flowsTitle(new QLabel)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    const auto column = [&](QLabel* title, ListView* list, int stretch) {
        auto* box = new QVBoxLayout;
        box->setSpacing(space(1));
        title->setProperty("role", "dim");
        title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        list->setTextElideMode(Qt::ElideLeft); // names differ at their ends
        if (title == m_headline) box->addWidget(m_standing);
        box->addWidget(title);
        box->addWidget(list, 1);
        auto* side = new QWidget;
        box->setContentsMargins(0, 0, 0, 0);
        side->setLayout(box);
        row->addWidget(side, stretch);
        return side;
    };
    m_links->setObjectName("scenarioLinks");
    m_flows->setObjectName("scenarioFlows");
    m_standing->setObjectName("linksStanding");
    m_standing->setProperty("role", "warning");
    m_standing->setWordWrap(true);
    column(m_headline, m_links, 3);
    m_flowSide = column(m_flowsTitle, m_flows, 2);
    m_links->setColumnWidths({-1, -1, 11, 6, 9});
    m_flows->setColumnWidths({-1, -1, 11, 10, 9});
    connect(&session.bridge(), &DocumentBridge::simulationChanged, this, [this] {
        fillLinks();
        fillFlows();
    });
    connect(&session.bridge(), &DocumentBridge::simulationMarked, this, &LinksView::fillLinks);
    connect(&session, &SimulationSession::answerChanged, this, &LinksView::fillLinks);
    connect(&session, &SimulationSession::standingChanged, this, &LinksView::fillLinks);
    connect(&session.bridge(), &DocumentBridge::selectionChanged, this, &LinksView::onSelection);
    fillLinks();
    fillFlows();
}

void LinksView::fillLinks()
{
    const FlowPtr& result = m_session.bridge().flows();
    const auto& figures = m_session.bridge().figures();
    std::vector<CellRow> rows;
    m_standing->setText(m_session.standingText());
    m_standing->setVisible(!m_standing->text().isEmpty());
    if (!result || !figures) {
        m_headline->setText(m_session.standing() == AnswerState::Other ? tr("Link loads do not match the current design")
                                                                       : tr("No link loads: run a workload on this design"));
        return m_links->cells()->setRows({});
    }
    const Snapshot& s = *figures->snapshot;
    std::size_t collisions = 0;
    for (const auto& hot : result->hottest) {
        const LinkId link(hot.directedLink / 2);
        if (!figures->snapshot->links.contains(link)) continue;
        collisions += hot.flows > 1 && hot.utilization > 0.999;
        CellRow row;
        row.entity = ref(link);
        row.key = QString::number(hot.directedLink);
        const bool up = hot.directedLink % 2 == 0;
        row.cells = {{m_session.bridge().nameOf(ref(up ? s.links.from[link] : s.links.to[link]))},
                     {m_session.bridge().nameOf(ref(up ? s.links.to[link] : s.links.from[link]))},
                     {rate(result->loadGbps[hot.directedLink]), double(result->loadGbps[hot.directedLink]), {}, {}, -1, true},
                     {count(hot.flows), hot.flows, {}, {}, -1, true},
                     {percent(hot.utilization), hot.utilization, {}, {}, hot.utilization, true}};
        row.toolTip = row.cells[0].text + " → " + row.cells[1].text + "\n" +
                      tr("%1 of %2").arg(rate(result->loadGbps[hot.directedLink]), rate(result->capacityGbps[hot.directedLink]));
        rows.push_back(std::move(row));
    }
    const QString text_ = m_session.bridge().flowsMark().peak
                              ? tr("Peak load of every link over the timeline of %1").arg(m_session.bridge().flowsMark().whose)
                              : text(result->scenarioName);
    QStringList headline{text_};
    if (rows.empty())
        headline << tr("no traffic on any link at this time");
    else
        headline.prepend(tr("Hottest links"));
    if (!result->flows.empty())
        headline << text(i18np(std::int64_t(result->flows.size()), "{:L} flow, slowest {}, mean {}", "{:L} flows, slowest {}, mean {}",
                               rate(result->minRateGbps).toStdString(), rate(result->meanRateGbps).toStdString()));
    if (collisions) headline << tr("%1 saturated links with several flows among the %2 hottest").arg(collisions).arg(rows.size());
    m_headline->setText(headline.join(" · "));
    m_headline->setToolTip(m_headline->text());
    m_links->cells()->setRows(std::move(rows));
}

/// A flow's host may be looked at, and the flows stay listed.
void LinksView::onSelection()
{
    const EntityRef selected = m_session.bridge().selected();
    if (selected.kind != EntityKind::Link || m_link == LinkId(selected.id)) return;
    m_link = LinkId(selected.id);
    fillFlows();
}

void LinksView::fillFlows()
{
    const FlowPtr& result = m_session.bridge().flows();
    const auto& figures = m_session.bridge().figures();
    if (m_link && (!figures || !figures->snapshot->links.contains(*m_link))) m_link.reset();
    m_flowSide->setVisible(result && !result->flows.empty()); // where there are none, the links have its room
    if (!result || !m_link || result->flows.empty()) {
        m_flowsTitle->setText(result && result->flows.empty() ? tr("These loads are totals; individual flows are not listed")
                                                              : tr("Select a link to see its flows"));
        return m_flows->cells()->setRows({});
    }
    const EntityRef selected = ref(*m_link);
    const auto over = flowsOver(*result, *m_link);
    m_flowsTitle->setText(tr("%1 on %2").arg(text(i18np(std::int64_t(over.size()), "{:L} flow", "{:L} flows")), m_session.bridge().nameOf(selected)));
    std::vector<CellRow> rows;
    for (std::size_t i = 0; i < std::min(kMostFlows, over.size()); ++i) {
        const auto& flow = result->flows[over[i]];
        CellRow row;
        row.entity = ref(flow.source);
        row.key = QString::number(over[i]);
        row.cells = {{m_session.bridge().nameOf(ref(flow.source))},
                     {m_session.bridge().nameOf(ref(flow.destination))},
                     {tr("%1 → %2").arg(flow.sourceRank).arg(flow.destinationRank), flow.sourceRank},
                     {rate(flow.rateGbps), flow.rateGbps, {}, {}, -1, true},
                     {QString::number(flow.bytes / 1e6, 'f', 1) + " MB", flow.bytes, {}, {}, -1, true}};
        row.toolTip = row.cells[0].text + " → " + row.cells[1].text + "\n" + tr("Job %1").arg(flow.job + 1);
        rows.push_back(std::move(row));
    }
    m_flows->cells()->setRows(std::move(rows));
}

} // namespace hw::views
