// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/connect_ports_dialog.h"

#include "core/design/edit/lookup.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/tables/cell_edits.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace hw::app {

namespace {
constexpr int kRecheckMs = 40;
}

using views::space;
using views::text;

ConnectPortsDialog::ConnectPortsDialog(views::DocumentBridge& bridge, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_preview(bridge), m_from(new QLineEdit), m_to(new QLineEdit), m_table(new QTableWidget(0, 3)),
      m_state(new QLabel)
{
    setWindowTitle(tr("Connect ports"));
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    m_from->setObjectName("connectFrom");
    m_from->setPlaceholderText("host[h=001-016]:nic[r=1-8]p1");
    m_to->setObjectName("connectTo");
    m_to->setPlaceholderText("leaf-[r]:port[h]");
    form->addRow(tr("&From"), m_from);
    form->addRow(tr("&To"), m_to);
    layout->addLayout(form);
    auto* hint =
        new QLabel(tr("Enter device:port. A range such as [1-8] stands for all its numbers; a range with a name, [r=1-8], can be repeated as [r]."));
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(hint);

    auto* tools = new QHBoxLayout;
    const auto tool = [&](const QString& title, const char* name, auto slot) {
        auto* button = new QPushButton(title);
        button->setObjectName(name);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, slot);
        tools->addWidget(button);
        return button;
    };
    tool(tr("&Add"), "connectAdd", &ConnectPortsDialog::addByRanges);
    tool(tr("&Paste pairs"), "connectPaste", &ConnectPortsDialog::paste)->setToolTip(tr("Two columns of a spreadsheet: device:port and device:port"));
    for (const EntityRef entity : bridge.selection())
        if (entity.kind == EntityKind::Device) m_devices.push_back(DeviceId(entity.id));
    if (m_devices.size() != 2) m_devices.clear();
    auto* match = tool(tr("&Match free ports of the selected devices"), "connectMatch", &ConnectPortsDialog::matchFreePorts);
    match->setEnabled(m_devices.size() == 2);
    match->setToolTip(m_devices.size() == 2 ? QString() : tr("Select two devices first"));
    tool(tr("&Remove rows"), "connectRemove", &ConnectPortsDialog::removeChosen);
    tools->addStretch(1);
    layout->addLayout(tools);

    m_table->setObjectName("connectTable");
    m_table->setHorizontalHeaderLabels({tr("From"), tr("To"), tr("Problem")});
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_table, &QTableWidget::cellChanged, this, &ConnectPortsDialog::onTyped);
    layout->addWidget(m_table, 1);
    m_state->setObjectName("connectState");
    m_state->setWordWrap(true);
    layout->addWidget(m_state);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_apply = buttons->button(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectPortsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ConnectPortsDialog::reject);
    layout->addWidget(buttons);
    connect(m_from, &QLineEdit::returnPressed, m_to, qOverload<>(&QWidget::setFocus));
    connect(m_to, &QLineEdit::returnPressed, this, &ConnectPortsDialog::addByRanges);
    m_apply->setAutoDefault(false);
    m_apply->setDefault(false);

    std::vector<std::string> ports; // selected ones are where it begins
    for (const EntityRef entity : bridge.selection())
        if (entity.kind == EntityKind::Port) ports.push_back(bridge.nameOf(entity).toStdString());
    if (!ports.empty()) m_from->setText(text(ports[0]));
    if (ports.size() > 1) m_to->setText(text(ports[1]));
    if (m_devices.size() == 2) {
        m_from->setText(bridge.nameOf(ref(m_devices[0])) + ":");
        m_to->setText(bridge.nameOf(ref(m_devices[1])) + ":");
    }
    views::fitToScreen(*this, {space(190), space(120)});
    refresh();
}

void ConnectPortsDialog::add(std::vector<edit::PortPair> pairs)
{
    m_pairs.insert(m_pairs.end(), std::make_move_iterator(pairs.begin()), std::make_move_iterator(pairs.end()));
    check();
}

void ConnectPortsDialog::addByRanges()
{
    auto pairs = edit::expandPairs(m_from->text().trimmed().toStdString(), m_to->text().trimmed().toStdString());
    if (!pairs) {
        m_state->setText(text(pairs.error().text()));
        return;
    }
    add(std::move(*pairs));
}

void ConnectPortsDialog::paste()
{
    std::vector<edit::PortPair> pairs;
    int left = 0;
    for (const QStringList& row : views::cellsOfText(QGuiApplication::clipboard()->text())) {
        if (row.size() == 1 && row.front().trimmed().isEmpty()) continue;
        if (row.size() < 2) {
            ++left;
            continue;
        }
        if (pairs.empty() && !row[0].contains(':') && !row[1].contains(':')) continue; // their headers
        pairs.push_back({.from = row[0].trimmed().toStdString(), .to = row[1].trimmed().toStdString()});
    }
    add(std::move(pairs));
    if (left > 0)
        m_state->setText(text(i18np(left, "{:L} row without two columns is left out.", "{:L} rows without two columns are left out.")) + " " +
                         m_state->text());
}

void ConnectPortsDialog::matchFreePorts()
{
    if (m_devices.size() != 2 || !m_bridge.figures()) return;
    const Figures& f = m_bridge.figuresBeforePreview() && m_preview.open() ? *m_bridge.figuresBeforePreview() : *m_bridge.figures();
    auto pairs = edit::freePairs(*f.snapshot, *f.parts, f.get<IndexNode>(), m_devices[0], m_devices[1]);
    std::erase_if(pairs, [&](const edit::PortPair& pair) { return std::ranges::find(m_pairs, pair) != m_pairs.end(); });
    if (pairs.empty())
        m_state->setText(tr("The two devices have no free ports of the same medium, rate and network."));
    else
        add(std::move(pairs));
}

void ConnectPortsDialog::removeChosen()
{
    std::set<int, std::greater<>> rows;
    for (const QModelIndex& at : m_table->selectionModel()->selectedRows()) rows.insert(at.row());
    for (const int row : rows) m_pairs.erase(m_pairs.begin() + row);
    check();
}

void ConnectPortsDialog::onTyped(int row, int column)
{
    if (m_filling || row >= int(m_pairs.size()) || column > 1) return;
    (column == 0 ? m_pairs[std::size_t(row)].from : m_pairs[std::size_t(row)].to) = m_table->item(row, column)->text().trimmed().toStdString();
    QMetaObject::invokeMethod(this, &ConnectPortsDialog::check, Qt::QueuedConnection); // once the editor has closed
}

void ConnectPortsDialog::check()
{
    m_preview.cancel();
    m_connected = 0;
    m_apply->setEnabled(false);
    if (!m_bridge.figuresCurrent()) return QTimer::singleShot(kRecheckMs, this, &ConnectPortsDialog::check); // those without the links come first
    Result<void> tried;
    if (!m_pairs.empty())
        tried = m_preview.tryEdit(tr("Connect ports"), [this](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            if (!parts) return tl::unexpected(parts.error());
            edit::Lookup lookup(t.preview());
            m_connected = edit::connectPairs(t, **parts, lookup, m_pairs);
            return {};
        });
    refresh();
    if (!tried) m_state->setText(text(tried.error().text()));
}

void ConnectPortsDialog::refresh()
{
    m_filling = true;
    m_table->setRowCount(int(m_pairs.size()));
    for (int row = 0; row < int(m_pairs.size()); ++row) {
        const edit::PortPair& pair = m_pairs[std::size_t(row)];
        const QStringList texts{text(pair.from), text(pair.to), text(pair.problem)};
        for (int column = 0; column < 3; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setToolTip(texts[column]);
            if (column == 2) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
            if (!pair.problem.empty()) item->setForeground(views::theme().warning);
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnsToContents();
    m_filling = false;
    const auto refused = m_pairs.size() - m_connected;
    QString state =
        m_pairs.empty() ? tr("No pairs yet.") : text(i18np(std::int64_t(m_connected), "{:L} link can be made.", "{:L} links can be made."));
    if (refused > 0) state += " " + text(i18np(std::int64_t(refused), "{:L} pair is left out.", "{:L} pairs are left out."));
    m_state->setText(state);
    m_apply->setText(text(i18np(std::int64_t(m_connected), "Connect {:L} link", "Connect {:L} links")));
    m_apply->setEnabled(m_connected > 0);
}

void ConnectPortsDialog::accept()
{
    if (m_connected == 0) return;
    m_preview.commit(text(i18np(std::int64_t(m_connected), "Connect {:L} link", "Connect {:L} links")));
    QDialog::accept();
}

} // namespace hw::app
