// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/headroom_panel.h"

#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>

namespace hw::views {
namespace {

/// What a row has left of a resource, and in its tool tip what of that nobody can use.
Cell amount(const QString& shown, double key, bool limits) { return {shown, key, {}, limits ? theme().warning : QColor(), -1, true}; }

CellRow rowOf(const PlaceSpare& place, bool hall)
{
    CellRow row;
    row.entity = place.entity;
    row.key = QString("%1/%2").arg(int(place.entity.kind)).arg(place.entity.id);
    row.bold = hall;
    const auto limits = [&](Resource r) { return place.limit == r; };
    row.cells = {
        {.text = text(place.name), .place = true},
        amount(count(place.servers), double(place.servers), false),
        {place.limit ? text(resourceWord(*place.limit)) : QString()},
        amount(place.power ? power(*place.power) : QObject::tr("any"), place.power ? double(place.power->count()) : 1e18, limits(Resource::Power)),
        amount(count(place.units), place.units, limits(Resource::Units)),
        amount(count(place.ports), double(place.ports), limits(Resource::Ports)),
        amount(place.weight ? weight(*place.weight) : QObject::tr("any"), place.weight ? double(place.weight->count()) : 1e18,
               limits(Resource::Weight))};
    return row;
}

QString strandedTip(const Headroom& headroom, const PlaceSpare& place)
{
    return QObject::tr("Unused when no further server fits: %1 kW, %2 U, %3 ports, %4 kg")
        .arg(QString::number(headroom.stranded(place, Resource::Power), 'f', 1), count(std::int64_t(headroom.stranded(place, Resource::Units))),
             count(std::int64_t(headroom.stranded(place, Resource::Ports))), count(std::int64_t(headroom.stranded(place, Resource::Weight))));
}

} // namespace

HeadroomPanel::HeadroomPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge),
      m_list(new ListView(bridge, {tr("Location"), tr("Servers"), tr("Limiting resource"), tr("Power"), tr("Units"), tr("Ports"), tr("Weight")},
                          tr("Headroom"))),
      m_sum(new QLabel), m_following(bridge, *this, FollowingView::Pace::Live, [this] { refresh(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    top->addWidget(m_sum, 1);
    layout->addLayout(top);
    layout->addWidget(m_list, 1);
    m_list->setColumnWidths({-1, 10, 16, 14, 10, 10, 14});
    m_list->sortByColumn(1, Qt::DescendingOrder); // where most fits comes first
}

void HeadroomPanel::refresh()
{
    m_following.work<Headroom>(
        "headroom", [figures = m_bridge.figures()](const Progress&) { return headroomOf(*figures); },
        [this](const Headroom& headroom) { show(headroom); });
}

void HeadroomPanel::show(const Headroom& headroom)
{
    std::vector<CellRow> rows;
    std::int64_t servers = 0;
    for (const auto* places : {&headroom.halls, &headroom.rows})
        for (const PlaceSpare& place : *places) {
            rows.push_back(rowOf(place, places == &headroom.halls));
            rows.back().toolTip = strandedTip(headroom, place);
        }
    for (const PlaceSpare& hall : headroom.halls) servers += hall.servers;
    m_list->cells()->setRows(std::move(rows));
    m_sum->setText(headroom.server
                       ? text(i18np(servers, "<b>{:L} more server</b> of the type used in the design fits, {}, {} U and {} backend ports each",
                                    "<b>{:L} more servers</b> of the type used in the design fit, {}, {} U and {} backend ports each",
                                    power(headroom.serverPower).toStdString(), headroom.serverUnits, headroom.serverPorts))
                       : tr("The design contains no servers to add"));
}

} // namespace hw::views
