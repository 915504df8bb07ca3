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
    : QWidget(parent), m_session(session), m_links(new ListView(session.bridge(), {tr("Hottest links"), tr("Direction"), tr("Load"), tr("Flows"), tr("Used")}, tr("Hottest links"))),
      m_flows(new ListView(session.bridge(), {tr("From"), tr("To"), tr("Ranks"), tr("Rate"), tr("Bytes")}, tr("Flows on the link"))), m_headline(new QLabel), m_flowsTitle(new QLabel)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    const auto column = [&](QLabel* title, ListView* list, int stretch) {
        auto* box = new QVBoxLayout;
        box->setSpacing(space(1));
        title->setProperty("role", "dim");
        box->addWidget(title);
        box->addWidget(list, 1);
        row->addLayout(box, stretch);
    };
    m_links->setObjectName("scenarioLinks");
    m_flows->setObjectName("scenarioFlows");
    column(m_headline, m_links, 3);
    column(m_flowsTitle, m_flows, 2);
    m_links->setColumnWidths({-1, 8, 11, 6, 9});
    m_flows->setColumnWidths({-1, -1, 11, 10, 9});
    connect(&session.bridge(), &DocumentBridge::simulationChanged, this, [this] {
        fillLinks();
        fillFlows();
    });
    connect(&session.bridge(), &DocumentBridge::selectionChanged, this, &LinksView::fillFlows);
    fillLinks();
    fillFlows();
}

void LinksView::fillLinks()
{
    const FlowPtr& result = m_session.bridge().flows();
    const auto& figures = m_session.bridge().figures();
    std::vector<CellRow> rows;
    if (!result || !figures) {
        m_headline->setText(tr("No link loads: run a workload on this design"));
        return m_links->cells()->setRows({});
    }
    std::size_t collisions = 0;
    for (const auto& hot : result->hottest) {
        const LinkId link(hot.directedLink / 2);
        if (!figures->snapshot->links.contains(link)) continue;
        collisions += hot.flows > 1 && hot.utilisation > 0.999;
        CellRow row;
        row.entity = ref(link);
        row.key = QString::number(hot.directedLink);
        row.cells = {{m_session.bridge().nameOf(ref(link))},
                     {hot.directedLink % 2 == 0 ? tr("up") : tr("down")},
                     {rate(result->loadGbps[hot.directedLink]), double(result->loadGbps[hot.directedLink]), {}, {}, -1, true},
                     {count(hot.flows), hot.flows, {}, {}, -1, true},
                     {percent(hot.utilisation), hot.utilisation, {}, {}, hot.utilisation, true}};
        row.toolTip = tr("%1 of %2").arg(rate(result->loadGbps[hot.directedLink]), rate(result->capacityGbps[hot.directedLink]));
        rows.push_back(std::move(row));
    }
    QString text_ = text(result->scenarioName);
    if (!result->flows.empty()) text_ += tr(" · %1 flows, slowest %2, mean %3").arg(count(std::int64_t(result->flows.size())), rate(result->minRateGbps), rate(result->meanRateGbps));
    if (collisions) text_ += tr(" · %1 full links with several flows among the %2 hottest").arg(collisions).arg(rows.size());
    m_headline->setText(text_);
    m_links->cells()->setRows(std::move(rows));
}

void LinksView::fillFlows()
{
    const FlowPtr& result = m_session.bridge().flows();
    const EntityRef selected = m_session.bridge().selected();
    if (!result || selected.kind != EntityKind::Link || result->flows.empty()) {
        m_flowsTitle->setText(result && result->flows.empty() ? tr("This result lists no single flows") : tr("Select a link to see its flows"));
        return m_flows->cells()->setRows({});
    }
    const auto over = flowsOver(*result, LinkId(selected.id));
    m_flowsTitle->setText(tr("%1 on %2").arg(counted(std::int64_t(over.size()), tr("flow"), tr("flows")), m_session.bridge().nameOf(selected)));
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
        row.toolTip = tr("Job %1").arg(flow.job + 1);
        rows.push_back(std::move(row));
    }
    m_flows->cells()->setRows(std::move(rows));
}

} // namespace hw::views
