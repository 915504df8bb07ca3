// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/tickets_panel.h"

#include "core/foundation/files/atomic_file.h"
#include "views/panels/entity_link.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QLabel>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>

namespace hw::views {

namespace {

constexpr int kTicketsEveryMs = 1000;

QToolButton* ticketTool(const char* name, const QString& image, const QString& title, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setIcon(icon(image));
    button->setText(title);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    return button;
}

QString dimensionText(tickets::Dimension dimension)
{
    using enum tickets::Dimension;
    switch (dimension) {
    case LowPerformance: return QObject::tr("low performance");
    case PacketLoss: return QObject::tr("packet loss");
    case Configuration: return QObject::tr("configuration");
    case NoConnection: return QObject::tr("no connection");
    case Facility: return QObject::tr("facility");
    }
    return {};
}

QString dimensionNamed(const std::string& word)
{
    using enum tickets::Dimension;
    for (const auto one : {LowPerformance, PacketLoss, Configuration, NoConnection})
        if (wordOf(one) == word) return dimensionText(one);
    return text(word);
}

} // namespace

TicketsPanel::TicketsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_session(session),
      m_list(new ListView(bridge, {tr("Category"), tr("Object"), tr("Team"), tr("GPUs"), tr("Since"), tr("Fault")}, tr("Tickets"))),
      m_detail(new QTextBrowser), m_summary(new QLabel),
      m_locate(ticketTool("ticketLocate", "find", tr("Locate fault"), tr("Check connection, configuration, packet loss and performance"))),
      m_export(ticketTool("ticketExport", "export", tr("Export …"), tr("Write the tickets to a file. Nothing is sent to a ticket system.")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(1), 0);
    top->addWidget(m_summary, 1);
    for (QToolButton* button : {m_locate, m_export}) top->addWidget(button);
    layout->addLayout(top);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_list);
    both->addWidget(m_detail);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    layout->addWidget(both, 1);
    m_list->setObjectName("tickets");
    m_list->setColumnWidths({15, 22, 14, 7, 10, -1});
    m_list->setSpareColumns({5, 3, 4});
    m_list->sortByColumn(-1, Qt::AscendingOrder);
    m_detail->setFrameShape(QFrame::NoFrame);
    m_detail->setAccessibleName(tr("Selected ticket"));
    m_detail->setPlaceholderText(tr("Select a ticket to see its remedy and evidence."));
    followEntityLinks(*m_detail, bridge);
    connect(m_locate, &QToolButton::clicked, this, [this] {
        if (const tickets::Ticket* ticket = current(); ticket && ticket->entity) emit locateRequested({ticket->entity});
    });
    connect(m_export, &QToolButton::clicked, this, [this] {
        const QString file = QFileDialog::getSaveFileName(this, tr("Export tickets"), "tickets.json", tr("JSON (*.json);;CSV (*.csv)")); // no text
        if (!file.isEmpty()) write(file);
    });
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &TicketsPanel::refresh);
    connect(&session, &LiveSession::shownChanged, this, [this] {
        if (isVisible() && !m_timer.isActive()) m_timer.start(m_tickets.empty() ? 0 : kTicketsEveryMs);
    });
    connect(&session, &LiveSession::stateChanged, this, &TicketsPanel::refresh);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TicketsPanel::showDetail);
    refresh();
}

void TicketsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

const tickets::Ticket* TicketsPanel::current() const
{
    const CellRow* row = m_list->currentRow();
    if (!row) return nullptr;
    const auto found = std::ranges::find(m_tickets, row->key.toStdString(), &tickets::Ticket::id);
    return found == m_tickets.end() ? nullptr : &*found;
}

void TicketsPanel::write(const QString& file)
{
    const bool csv = file.endsWith(".csv", Qt::CaseInsensitive);
    const auto done = writeFile(file.toStdString(), csv ? tickets::ticketsCsv(m_tickets) : tickets::ticketsJson(m_tickets));
    if (!done) return m_bridge.report(done.error());
    emit written(file);
}

void TicketsPanel::refresh()
{
    const auto frame = m_session.on() ? m_session.shown() : nullptr;
    const FiguresPtr design = frame && frame->design ? frame->design : m_bridge.figures();
    m_tickets.clear();
    QString problem;
    if (frame && design) {
        auto made = tickets::ticketsOf(*design, *frame);
        if (made)
            m_tickets = std::move(*made);
        else
            problem = QString::fromStdString(made.error().text());
    }
    std::vector<CellRow> rows;
    for (const tickets::Ticket& ticket : m_tickets) {
        CellRow row;
        row.entity = ticket.entity;
        row.key = text(ticket.id);
        row.toolTip = text(ticket.what);
        const std::int64_t gpus = std::int64_t(ticket.gpusLost) + ticket.gpusDegraded;
        row.cells = {{dimensionText(ticket.dimension), int(ticket.dimension), ticket.gpusLost > 0 ? "error" : "warning",
                      ticket.gpusLost > 0 ? theme().error : theme().warning},
                     {.text = text(ticket.name), .place = true},
                     {text(ticket.team)},
                     {gpus > 0 ? count(gpus) : QStringLiteral("–"), qlonglong(gpus), {}, {}, -1, true},
                     {momentText(ticket.openedMs, frame->atMs), qlonglong(ticket.openedMs), {}, {}, -1, true},
                     {text(ticket.what)}};
        rows.push_back(std::move(row));
    }
    const auto n = std::int64_t(rows.size());
    m_summary->setText(!problem.isEmpty() ? problem : !frame ? tr("No measurements yet.") : text(i18np(n, "{:L} ticket", "{:L} tickets")));
    m_list->cells()->setRows(std::move(rows));
    m_export->setEnabled(frame != nullptr && problem.isEmpty());
    if (!m_list->currentRow() && n > 0) m_list->showRow(0);
    showDetail();
}

void TicketsPanel::showDetail()
{
    const tickets::Ticket* ticket = current();
    m_locate->setEnabled(ticket && ticket->entity);
    QString html;
    if (ticket) {
        html = QString("<p><b>%1</b></p><p>%2<br>%3</p><p>%4</p>")
                   .arg(text(ticket->what).toHtmlEscaped(), entityLink(ticket->entity, text(ticket->name)), text(ticket->location).toHtmlEscaped(),
                        text(ticket->remedy).toHtmlEscaped());
        html += QString("<p>%1: %2</p>").arg(tr("Team"), text(ticket->team).toHtmlEscaped());
        for (const auto& one : ticket->evidence) html += "• " + text(one).toHtmlEscaped() + "<br>";
        QStringList others;
        for (const auto& one : ticket->ruledOut) others << dimensionNamed(one);
        if (!others.isEmpty()) html += QString("<p>%1: %2</p>").arg(tr("Not reported"), others.join(", "));
    }
    if (html == m_shownDetail) return; // who reads on stays where they are
    m_shownDetail = html;
    m_detail->setHtml(html);
}

} // namespace hw::views
