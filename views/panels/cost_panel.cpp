// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/cost_panel.h"

#include "core/output/cost/hour_cost.h"
#include "core/output/exchange/bom_total.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <cmath>

namespace hw::views {

namespace {

QString costRow(const QString& label, double sum, const HourCost& cost, const QString& remark = {})
{
    return QString("<tr><td>%1</td><td align='right'>%2</td><td align='right'>%3</td><td style='color:%4'>%5</td></tr>")
        .arg(label.toHtmlEscaped(), count(std::llround(sum)), QString::number(cost.anHour(sum), 'f', 4), theme().textDim.name(),
             remark.toHtmlEscaped());
}

QString elsewhere(const HourCost& cost)
{
    const double effective = cost.preemptible.effective();
    const QString sum =
        std::isfinite(effective) ? QObject::tr("%1 per productive hour").arg(effective, 0, 'f', 4) : QObject::tr("no useful progress");
    return QObject::tr("<p>On demand: %1 %2 per hour; spot/preemptible: %3, %4 of the time lost: %5.</p>")
        .arg(cost.onDemand, 0, 'f', 2)
        .arg(text(cost.currency))
        .arg(cost.preemptible.price, 0, 'f', 4)
        .arg(percent(1 - cost.preemptible.usefulShare()))
        .arg(sum);
}

QString assumptions(const HourCost& cost)
{
    QString html = QObject::tr("<p>Assumptions (change them in Settings):</p>") + "<table cellpadding='2'>";
    for (const auto& a : cost.assumptions) {
        const QString origin = a.own ? QObject::tr("project") : text(words(a.setting.source));
        html += QString("<tr><td>%1</td><td align='right'>%2</td><td>%3</td><td style='color:%4'>%5</td></tr>")
                    .arg(text(words(a.setting.label)).toHtmlEscaped(), text(a.value).toHtmlEscaped(), text(a.setting.unit).toHtmlEscaped(),
                         theme().textDim.name(), origin.toHtmlEscaped());
    }
    return html + "</table>";
}

QString pageOf(const HourCost& cost)
{
    QString html;
    if (const Text missing = withoutRateText(cost.withoutRate); !missing.empty()) html = "<p><b>" + text(words(missing)).toHtmlEscaped() + "</b></p>";
    if (!cost.billKnown) return html;
    html += QObject::tr("<p><b>%1 %2 per accelerator-hour</b>, %3 accelerators, %4 of the bill of materials at assumed prices</p>")
                .arg(cost.anHour(cost.total()), 0, 'f', 4)
                .arg(text(cost.currency))
                .arg(count(cost.accelerators))
                .arg(percent(cost.assumedShare, 0));
    if (cost.converted.rate > 0)
        html += QObject::tr("<p>Converted at %1</p>").arg(text(words(rateText(cost.converted, cost.currency, cost.projectCurrency))).toHtmlEscaped());
    html += QString("<table cellpadding='2'><tr><td></td><td align='right'>%1</td><td align='right'>%2</td></tr>")
                .arg(QObject::tr("per year"), QObject::tr("per hour"));
    for (const auto& s : cost.systems)
        html += costRow(text(words(systemText(s.system))), s.perYear, cost,
                        QObject::tr("%1 over %2 years").arg(count(std::llround(s.capital))).arg(s.years));
    html += costRow(QObject::tr("energy"), cost.energy, cost, QObject::tr("%1 kWh").arg(count(std::llround(cost.energyKwh))));
    html += costRow(QObject::tr("staff"), cost.staff, cost);
    html += costRow(QObject::tr("maintenance"), cost.maintenance, cost);
    html += costRow(QObject::tr("rent"), cost.rent, cost);
    return html + "</table>" + elsewhere(cost) + assumptions(cost);
}

} // namespace

CostPanel::CostPanel(DocumentBridge& bridge, QWidget* parent)
    : QTextBrowser(parent), m_bridge(bridge), m_following(bridge, *this, FollowingView::Pace::Rested, [this] { refresh(); })
{
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Cost per accelerator-hour"));
}

void CostPanel::refresh()
{
    m_following.work<HourCost>(
        "cost",
        [figures = m_bridge.figures(), shown = displayCurrency()](const Progress&) {
            HourCost cost = hourCost(*figures, makeBom(*figures));
            if (!shown || !shown->known()) return cost;
            auto converted = inCurrency(cost, *figures->snapshot, shown->code);
            return converted ? std::move(*converted) : cost;
        },
        [this](const HourCost& cost) { setHtml(pageOf(cost)); });
}

} // namespace hw::views
