// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/capacity_panel.h"

#include "core/operations/monitoring/incident/capacity.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QSplitter>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr int kCapacityEveryMs = 10'000;

Cell amount(double w) { return {power(w), w, {}, {}, -1, true}; }

CellRow lineRow(const monitoring::MeasuredCapacity::Line& line)
{
    CellRow row;
    row.entity = line.entity;
    row.key = text(line.name);
    Cell used = amount(line.p99W);
    used.bar = line.provisionedW > 0 ? std::min(1.0, line.p99W / line.provisionedW) : -1;
    row.cells = {{.text = text(line.name), .place = true},
                 amount(line.provisionedW),
                 amount(line.plannedW),
                 amount(line.meanW),
                 used,
                 amount(line.peakW),
                 amount(line.strandedW)};
    return row;
}

CellRow roomRow(const monitoring::MeasuredCapacity::Room& room)
{
    CellRow row;
    row.entity = room.place;
    row.key = text(room.name + "/" + room.rackType);
    row.cells = {{.text = text(room.name), .place = true},
                 {text(room.rackType)},
                 {count(room.planned), qlonglong(room.planned), {}, {}, -1, true},
                 {count(room.measured), qlonglong(room.measured), {}, room.measured > room.planned ? theme().ok : QColor(), -1, true},
                 {text(room.limit)}};
    return row;
}

} // namespace

CapacityPanel::CapacityPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_session(session),
      m_feeds(new ListView(bridge, {tr("Feed or loop"), tr("Rating"), tr("Planned"), tr("Mean"), tr("99th percentile"), tr("Peak"), tr("Stranded")},
                           tr("Provisioned but unused capacity"))),
      m_rooms(new ListView(
          bridge,
          {tr("Row"), tr("Rack type"), tr("Additional racks (planned load)"), tr("Additional racks (measured load)"), tr("Limiting resource")},
          tr("Headroom"))),
      m_summary(new QLabel)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    m_summary->setContentsMargins(space(3), 0, space(3), 0);
    m_summary->setWordWrap(true);
    layout->addWidget(m_summary);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_feeds);
    both->addWidget(m_rooms);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    layout->addWidget(both, 1);
    m_feeds->setColumnWidths({-1, 10, 10, 10, 11, 10, 10});
    m_rooms->setColumnWidths({-1, 16, 11, 11, 22});
    m_feeds->setSpareColumns({5, 3, 1}); // what is planned, used and stranded stays
    m_rooms->setSpareColumns({1, 4, 2});
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &CapacityPanel::refresh);
    connect(&session, &LiveSession::shownChanged, this, [this] {
        if (isVisible() && !m_timer.isActive()) m_timer.start(kCapacityEveryMs);
    });
    refresh();
}

void CapacityPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void CapacityPanel::refresh()
{
    const auto& frame = m_session.newest();
    if (!frame || !frame->bound || !frame->life || !m_bridge.figures()) {
        m_summary->setText(tr("The measured period is still too short."));
        return;
    }
    if (!isVisible()) return;
    m_bridge.jobs().start<monitoring::MeasuredCapacity>(
        "live.capacity", {},
        [frame, figures = m_bridge.figures()](const Progress&) { return monitoring::lifeCapacity(*figures, *frame->bound, *frame->life); },
        [this](const monitoring::MeasuredCapacity& capacity) {
            std::vector<CellRow> feeds, rooms;
            for (const auto& line : capacity.feeds) feeds.push_back(lineRow(line));
            for (const auto& line : capacity.loops) feeds.push_back(lineRow(line));
            for (const auto& room : capacity.rooms) rooms.push_back(roomRow(room));
            m_feeds->cells()->setRows(std::move(feeds));
            m_rooms->cells()->setRows(std::move(rooms));
            m_summary->setText(tr("%1 racks measured: %2 planned, %3 at the 99th percentile; diversity %4 planned, %5 measured; "
                                  "stranded: %6 of power, %7 of cooling")
                                   .arg(count(std::int64_t(capacity.racks)), power(capacity.plannedW), power(capacity.p99W),
                                        percent(capacity.plannedDiversity(), 0), percent(capacity.realDiversity(), 0), power(capacity.strandedPowerW),
                                        power(capacity.strandedCoolingW)));
        });
}

} // namespace hw::views
