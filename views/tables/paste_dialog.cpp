// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/paste_dialog.h"

#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace hw::views {

PasteDialog::PasteDialog(DocumentBridge& bridge, std::vector<CellEdit> edits, const QStringList& notes, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_edits(std::move(edits)), m_preview(bridge)
{
    constexpr int kMostShown = 2000;
    setWindowTitle(tr("Paste cells"));
    QString blocked;
    if (const auto tried = m_preview.tryEdit(tr("Paste"), [this](Transaction& t) { return trySetting(t, m_edits); }); !tried)
        blocked = text(tried.error().text());
    m_settable = blocked.isEmpty() ? int(std::ranges::count_if(m_edits, [](const CellEdit& cell) { return cell.problem.isEmpty(); })) : 0;
    std::ranges::stable_sort(m_edits, [](const CellEdit& a, const CellEdit& b) { return !a.problem.isEmpty() && b.problem.isEmpty(); });

    auto* layout = new QVBoxLayout(this);
    auto* summary = new QLabel;
    summary->setObjectName("pasteSummary");
    summary->setWordWrap(true);
    QStringList lines;
    if (!blocked.isEmpty()) lines << blocked;
    lines << text(i18np(m_settable, "<b>{:L} cell</b> will change.", "<b>{:L} cells</b> will change."));
    if (refused() > 0)
        lines << text(i18np(refused(), "{:L} cell cannot be set and stays as it is.", "{:L} cells cannot be set and stay as they are."));
    lines << notes;
    summary->setText(lines.join(" "));
    layout->addWidget(summary);

    auto* table = new QTableWidget(std::min(int(m_edits.size()), kMostShown), 5);
    table->setObjectName("pasteTable");
    table->setHorizontalHeaderLabels({tr("Object"), tr("Column"), tr("Current value"), tr("New value"), tr("Problem")});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    for (int row = 0; row < table->rowCount(); ++row) {
        const CellEdit& cell = m_edits[std::size_t(row)];
        const QStringList texts{cell.entity ? m_bridge.nameOf(cell.entity) : QString(), cell.field ? text(edit::fieldLabel(*cell.field)) : QString(),
                                cell.before, cell.typed, cell.problem};
        for (int column = 0; column < texts.size(); ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setToolTip(texts[column]);
            if (!cell.problem.isEmpty()) item->setForeground(theme().warning);
            table->setItem(row, column, item);
        }
    }
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(table, 1);
    if (int(m_edits.size()) > kMostShown)
        layout->addWidget(new QLabel(tr("The first %1 of %2 cells are listed.").arg(kMostShown).arg(m_edits.size())));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto* apply = buttons->button(QDialogButtonBox::Ok);
    apply->setText(text(i18np(m_settable, "Set {:L} cell", "Set {:L} cells")));
    apply->setEnabled(m_settable > 0);
    connect(buttons, &QDialogButtonBox::accepted, this, &PasteDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PasteDialog::reject);
    layout->addWidget(buttons);
    fitToScreen(*this, {space(200), space(110)});
}

void PasteDialog::accept()
{
    m_preview.commit(text(i18np(m_settable, "Paste {:L} cell", "Paste {:L} cells")));
    QDialog::accept();
}

} // namespace hw::views
