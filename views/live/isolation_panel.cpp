// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/isolation_panel.h"

#include "core/foundation/files/atomic_file.h"
#include "views/panels/entity_link.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>

namespace hw::views {

namespace {

QToolButton* nodeTool(const char* name, const QString& image, const QString& title, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setIcon(icon(image));
    button->setText(title);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    return button;
}

std::string contentOf(const isolation::List& list, IsolationPanel::Format format)
{
    switch (format) {
    case IsolationPanel::Format::Json: return isolation::isolationJson(list);
    case IsolationPanel::Format::Slurm: return isolation::isolationSlurm(list);
    case IsolationPanel::Format::Kubernetes: return isolation::isolationKubernetes(list);
    case IsolationPanel::Format::Csv: return isolation::isolationCsv(list);
    }
    return {};
}

QString ageText(std::int64_t sinceMs, std::int64_t atMs)
{
    if (sinceMs <= 0 || sinceMs > atMs) return QStringLiteral("–");
    const std::int64_t s = (atMs - sinceMs) / 1000, minutes = s / 60, hours = minutes / 60;
    if (s < 120) return QObject::tr("%1 s").arg(s);
    if (minutes < 120) return QObject::tr("%1 min").arg(minutes);
    return hours < 48 ? QObject::tr("%1 h").arg(hours) : QObject::tr("%1 d").arg(hours / 24);
}

QString schedulerText(const isolation::Cordoned* by) { return by ? text(by->scheduler) : QStringLiteral("–"); }

} // namespace

IsolationPanel::IsolationPanel(JobWatch& watch, QWidget* parent)
    : QWidget(parent), m_watch(watch),
      m_list(new ListView(watch.bridge(), {tr("Node"), tr("Reason"), tr("Reasons"), tr("Age"), tr("Cordoned by")}, tr("Nodes to isolate"))),
      m_detail(new QTextBrowser), m_summary(new QLabel),
      m_cordoned(nodeTool("isolationCordoned", "open", tr("Cordoned nodes …"),
                          tr("Nodes already cordoned: output of sinfo -R, scontrol show node or kubectl get nodes -o json"))),
      m_locate(
          nodeTool("isolationLocate", "find", tr("Locate fault"), tr("Check connection, configuration, packet loss and performance of the host"))),
      m_export(nodeTool("isolationExport", "export", tr("Export"), tr("Write the list to a file. Nothing is sent to a scheduler.")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(1), 0);
    m_summary->setWordWrap(true);
    top->addWidget(m_summary, 1);
    for (QToolButton* button : {m_cordoned, m_locate, m_export}) top->addWidget(button);
    layout->addLayout(top);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_list);
    both->addWidget(m_detail);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    layout->addWidget(both, 1);
    m_list->setObjectName("isolation");
    m_list->setColumnWidths({18, -1, 9, 11, 13});
    m_list->setSpareColumns({2, 4});
    m_list->sortByColumn(-1, Qt::AscendingOrder);
    m_detail->setFrameShape(QFrame::NoFrame);
    m_detail->setAccessibleName(tr("Selected node"));
    m_detail->setPlaceholderText(tr("Select a node to see its reasons and their evidence."));
    followEntityLinks(*m_detail, watch.bridge());
    auto* formats = new QMenu(m_export);
    for (const auto& [title, format, name, filter] :
         {std::tuple(tr("&JSON …"), Format::Json, "nodes-to-isolate.json", tr("JSON (*.json)")),
          std::tuple(tr("&Slurm: scontrol commands …"), Format::Slurm, "nodes-to-isolate.sh", tr("Shell script (*.sh)")),
          std::tuple(tr("&Kubernetes: taints …"), Format::Kubernetes, "nodes-to-isolate.yaml", tr("YAML (*.yaml)")),
          std::tuple(tr("&CSV …"), Format::Csv, "nodes-to-isolate.csv", tr("CSV (*.csv)"))}) {
        auto* action = formats->addAction(title);
        action->setObjectName(QString("isolation.%1").arg(int(format)));
        connect(action, &QAction::triggered, this, [this, format = format, name = name, filter = filter] { askAndWrite(format, name, filter); });
    }
    m_export->setMenu(formats);
    m_export->setPopupMode(QToolButton::InstantPopup);
    connect(m_cordoned, &QToolButton::clicked, this, [this] {
        const QStringList files = QFileDialog::getOpenFileNames(this, tr("Cordoned nodes"));
        if (!files.isEmpty()) m_watch.readCordoned(files);
    });
    connect(m_locate, &QToolButton::clicked, this, [this] {
        if (const isolation::Node* node = current()) emit locateRequested({ref(node->host)});
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &IsolationPanel::showDetail);
    connect(&watch, &JobWatch::changed, this, &IsolationPanel::refresh);
    watch.watch(this);
    refresh();
}

QString IsolationPanel::summary() const { return m_summary->text(); }

void IsolationPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_watch.soon();
}

const isolation::Node* IsolationPanel::current() const
{
    const CellRow* row = m_list->currentRow();
    const auto& seen = m_watch.seen();
    if (!row || !seen) return nullptr;
    const auto found = std::ranges::find(seen->isolation.nodes, row->key.toStdString(), &isolation::Node::name);
    return found == seen->isolation.nodes.end() ? nullptr : &*found;
}

void IsolationPanel::askAndWrite(Format format, const QString& name, const QString& filter)
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Export nodes to isolate"), name, filter);
    if (!file.isEmpty()) write(format, file);
}

void IsolationPanel::write(Format format, const QString& file)
{
    const auto& seen = m_watch.seen();
    if (!seen) return;
    const auto done = writeFile(file.toStdString(), contentOf(seen->isolation, format));
    if (!done) return m_watch.bridge().report(done.error());
    emit written(file);
}

void IsolationPanel::refresh()
{
    const auto& seen = m_watch.seen();
    std::vector<CellRow> rows;
    if (seen) {
        const isolation::List& list = seen->isolation;
        for (const isolation::Node& node : list.nodes) {
            CellRow row;
            row.entity = ref(node.host);
            row.key = text(node.name);
            const isolation::Cordoned* by = list.cordoned(node.name);
            row.dim = by != nullptr;
            row.cells = {{.text = text(node.name), .place = true},
                         {text(node.reasons.front().what)},
                         {count(std::int64_t(node.reasons.size())), qlonglong(node.reasons.size()), {}, {}, -1, true},
                         {ageText(node.sinceMs(), seen->atMs), qlonglong(-node.sinceMs()), {}, {}, -1, true},
                         {schedulerText(by)}};
            rows.push_back(std::move(row));
        }
        for (const auto* others : {&list.onlyCordoned, &list.unknown})
            for (const isolation::Cordoned& one : *others) {
                CellRow row;
                row.key = "cordoned/" + text(one.node);
                row.dim = true;
                row.cells = {{text(one.node)},
                             {others == &list.unknown ? tr("not in the design; cordoned: %1").arg(text(one.reason))
                                                      : tr("cordoned: %1").arg(text(one.reason))},
                             {QStringLiteral("–"), 0, {}, {}, -1, true},
                             {text(one.since)},
                             {schedulerText(&one)}};
                rows.push_back(std::move(row));
            }
    }
    const auto n = seen ? std::int64_t(seen->isolation.nodes.size()) : 0;
    m_summary->setText(!seen ? tr("No measurements yet.")
                             : tr("%1 (%2 already cordoned); %3")
                                   .arg(text(i18np(n, "{:L} node to isolate", "{:L} nodes to isolate")),
                                        count(std::int64_t(seen->isolation.both.size())),
                                        seen->measured ? tr("based on alarms, deviations and failed acceptance gates")
                                                       : tr("based on failed acceptance gates only: no live data")));
    m_list->cells()->setRows(std::move(rows));
    m_export->setEnabled(seen != nullptr);
    if (!m_list->currentRow() && m_list->cells()->rowCount() > 0) m_list->showRow(0);
    showDetail();
}

void IsolationPanel::showDetail()
{
    const isolation::Node* node = current();
    m_locate->setEnabled(node);
    QString html;
    if (node) {
        const auto& seen = m_watch.seen();
        html = QString("<p><b>%1</b></p>").arg(entityLink(ref(node->host), text(node->name)));
        for (const isolation::Reason& reason : node->reasons) {
            html += QString("<p>%1<br>%2")
                        .arg(text(reason.what).toHtmlEscaped(),
                             reason.sinceMs > 0 ? tr("Since %1, %2").arg(momentText(reason.sinceMs, seen->atMs), ageText(reason.sinceMs, seen->atMs))
                                                : tr("Time not recorded"));
            for (const auto& one : reason.evidence) html += "<br>• " + text(one).toHtmlEscaped();
            html += "</p>";
        }
        if (const isolation::Cordoned* by = seen->isolation.cordoned(node->name))
            html += QString("<p>%1</p>").arg(tr("Cordoned by %1: %2").arg(text(by->scheduler), text(by->reason)).toHtmlEscaped());
    }
    if (html == m_shownDetail) return;
    m_shownDetail = html;
    m_detail->setHtml(html);
}

} // namespace hw::views
