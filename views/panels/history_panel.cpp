// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/history_panel.h"

#include "views/style/icons.h"
#include "views/style/theme.h"

namespace hw::views {

HistoryPanel::HistoryPanel(DocumentBridge& bridge, QWidget* parent) : QListWidget(parent), m_bridge(bridge)
{
    setAccessibleName(tr("History"));
    connect(&bridge, &DocumentBridge::documentChanged, this, &HistoryPanel::refresh);
    connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { travelTo(row(item)); });
    connect(this, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { travelTo(row(item)); });
    refresh();
}

void HistoryPanel::refresh()
{
    clear();
    addItem(new QListWidgetItem(icon("open"), tr("Before these steps")));
    const QStringList names = m_bridge.history();
    for (int i = 0; i < names.size(); ++i) {
        auto* item = new QListWidgetItem(icon(i < m_bridge.historyPosition() ? "ok" : "redo"), names[i]);
        if (i >= m_bridge.historyPosition()) item->setForeground(theme().textFaint);
        addItem(item);
    }
    setCurrentRow(m_bridge.historyPosition());
    scrollToItem(currentItem());
}

void HistoryPanel::travelTo(int row)
{
    for (int steps = m_bridge.historyPosition() - row; steps > 0; --steps) m_bridge.undo();
    for (int steps = row - m_bridge.historyPosition(); steps > 0; --steps) m_bridge.redo();
}

} // namespace hw::views
