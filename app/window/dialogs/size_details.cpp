// SPDX-License-Identifier: GPL-3.0-or-later
// What the size assistant says of one design.
#include "app/window/dialogs/size_dialog.h"

#include "core/design/sizing/facility_of_size.h"
#include "core/design/sizing/supply_of_size.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <algorithm>

namespace hw::app {

using views::count;
using views::text;
using views::theme;

namespace {

/// Which way a tier's ports look.
QString sideOf(PortRole role)
{
    switch (role) {
    case PortRole::Host: return SizeDialog::tr("to hosts");
    case PortRole::Down: return SizeDialog::tr("down");
    case PortRole::Up: return SizeDialog::tr("up");
    case PortRole::Backup: return SizeDialog::tr("to backup hosts");
    case PortRole::Peer: return SizeDialog::tr("to peers");
    }
    return {};
}

/// A tier as the rows above name it.
QString nameOf(const sizing::SizedDesign& design, const std::string& tier)
{
    const auto it = std::ranges::find(design.tiers, tier, &sizing::SizedTier::name);
    return text(it == design.tiers.end() || it->label.empty() ? tier : it->label);
}

} // namespace

QString SizeDialog::details(const sizing::SizedDesign& d) const
{
    QString html = QString("<h3 style='margin:0'>%1 <span style='color:%2'>%3</span></h3>")
                       .arg(text(d.title).toHtmlEscaped(), theme().textDim.name(), text(d.variant).toHtmlEscaped());
    const auto line = [&](const QString& label, const QString& value) {
        html += QString("<tr><td style='color:%1'>%2&nbsp;&nbsp;</td><td>%3</td></tr>").arg(theme().textDim.name(), label, value.toHtmlEscaped());
    };
    html += "<table cellpadding='2'>";
    if (!d.explanation.empty()) line(tr("Verdict"), text(d.explanation));
    for (const auto& use : d.limits)
        line(tr("Limit: %1").arg(text(use.label)), tr("%1 of %2, %3").arg(text(use.taken), text(use.limit), views::percent(use.share, 0)));
    if (m_facility && (d.pareto || m_answer->request.limits.facility)) { // of the others it is not computed
        line(tr("Facility power"), tr("%1, PUE %2: %3").arg(views::power(d.facility), QString::number(d.pue, 'f', 3), text(sizing::pueSource(d))));
        if (const Text supply = sizing::supplyText(d); !supply.empty()) line(tr("Supply"), text(supply));
    }
    if (!d.binding.empty()) line(tr("Limiting factor"), text(d.binding));
    if (m_answer->request.accelerators > 0 && d.accelerators > m_answer->request.accelerators)
        line(tr("Accelerators"), tr("%1, %2 more than requested").arg(count(d.accelerators), count(d.accelerators - m_answer->request.accelerators)));
    line(tr("Servers"), tr("%1 × %2, %3 backup").arg(count(d.servers), text(d.serverType), count(d.backupServers)));
    for (const auto& t : d.tiers)
        line(text(resourceText(t.label)), tr("%1 × %2, oversubscription %3").arg(count(t.switches), text(t.type), views::ratio(t.oversubscription)));
    line(tr("Cables"), tr("%1 in this network, %2 in total, longest %3 (lengths are estimates)")
                           .arg(count(d.cables), views::length(d.cabling.lengthMm), views::length(d.cabling.longestMm)));
    for (const auto& p : d.ports)
        line(tr("Free ports, %1 %2").arg(nameOf(d, p.tier), sideOf(p.role)),
             tr("%1 of %2 at %3").arg(count(p.left()), count(p.total), views::rate(double(p.rate.count()))));
    for (const auto& [slug, n] : d.cabling.transceivers) line(tr("Transceivers (estimate)"), tr("%1 × %2").arg(count(n), text(slug)));
    line(tr("Power"),
         tr("%1 for servers and this network, %2 in total").arg(views::power(d.powerAtBasis()), views::power(d.powerOfAll[std::size_t(d.basis)])));
    line(tr("Price"), tr("%1, of which %2 at assumed prices and %3 based on estimated lengths")
                          .arg(views::money(d.price.total, text(d.currency)), views::percent(d.price.assumedShare(), 0),
                               views::percent(d.price.estimatedShare(), 0)));
    line(tr("Loss of one %1").arg(text(d.failure.tier)),
         (d.failure.jobStops ? tr("%1 accelerators (%2) keep %3 of their NIC bandwidth; the job stops")
                             : tr("%1 accelerators (%2) keep %3 of their NIC bandwidth; the job continues"))
             .arg(count(d.failure.accelerators), views::percent(d.failure.acceleratorShare), views::percent(d.failure.bandwidthLeft, 0)));
    line(tr("Expandable to"), d.reachLimit.empty() ? count(d.reach) : tr("%1: %2").arg(count(d.reach), text(d.reachLimit)));
    if (!d.tierNote.empty()) line(tr("Tiers"), text(d.tierNote));
    for (const auto& s : d.schedulers)
        line(tr("Scheduler"),
             tr("%1: %2 nodes; this design has %3 servers (%4)").arg(text(s.limit), count(s.nodes), count(s.servers), text(s.source)));
    return html + "</table>";
}

/// What is not possible for one kind of reason, each design with its own.
QString SizeDialog::refusals(sizing::Refusal kind) const
{
    QString html = QString("<h3 style='margin:0'>%1</h3><table cellpadding='2'>").arg(tr("Not possible: %1").arg(text(sizing::refusalText(kind))));
    for (const auto& r : m_answer->refused)
        if (r.kind == kind)
            html += QString("<tr><td>%1 <span style='color:%2'>%3</span></td><td>%4</td></tr>")
                        .arg(text(r.title).toHtmlEscaped(), theme().textDim.name(), text(r.variant).toHtmlEscaped(), text(r.reason).toHtmlEscaped());
    return html + "</table>";
}

} // namespace hw::app
