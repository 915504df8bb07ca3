// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/list_view.h"

#include "views/style/theme.h"
#include "views/values/overlay_source.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace hw::views {
namespace {

constexpr int kStretchingCharacters = 22; ///< of a column that takes what is left, at least

/// Draws the share of a cell as a bar under its text, in the color of the map.
class BarDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const double share = index.data(CellTableModel::BarRole).toDouble();
        QStyledItemDelegate::paint(painter, option, index);
        if (share < 0) return;
        const QRectF track = QRectF(option.rect).adjusted(space(2), option.rect.height() - 5, -space(2), -2);
        painter->fillRect(track, theme().border);
        painter->fillRect(QRectF(track.topLeft(), QSizeF(track.width() * std::clamp(share, 0.0, 1.0), track.height())), mapColor(share));
    }
};

} // namespace

ListView::ListView(DocumentBridge& bridge, const QStringList& headers, const QString& accessibleName, QWidget* parent)
    : QTableView(parent), m_cells(new CellTableModel(headers, this)), m_proxy(new QSortFilterProxyModel(this)), m_bridge(bridge)
{
    m_proxy->setSourceModel(m_cells);
    m_proxy->setSortRole(CellTableModel::SortRole);
    setModel(m_proxy);
    setItemDelegate(new BarDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setSortingEnabled(true);
    setTabKeyNavigation(false);
    setAccessibleName(accessibleName);
    setIconSize({space(4), space(4)});
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(int(fontMetrics().height() * 1.55));
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setStretchLastSection(false);
    m_proxy->sort(-1);
    const auto takeValues = [this] { m_cells->setValues(OverlaySource::of(m_bridge).listed()); };
    connect(&OverlaySource::of(bridge), &OverlaySource::changed, this, takeValues);
    takeValues();
    connect(m_cells, &QAbstractItemModel::modelAboutToBeReset, this, &ListView::keepPlace);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &ListView::takePlace);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
        const CellRow* row = rowOf(at);
        if (row && row->entity && hasFocus() && !m_keeps) m_bridge.select(row->entity);
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& at) {
        const CellRow* row = rowOf(at);
        if (row && row->entity) m_bridge.select(row->entity);
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        const CellRow* row = rowOf(at);
        if (row && row->entity) m_bridge.zoomTo(row->entity);
    });
}

void ListView::showRow(int viewRow)
{
    m_keeps = true;
    selectRow(viewRow);
    m_keeps = false;
}

void ListView::keepPlace()
{
    const CellRow* row = currentRow();
    m_keptKey = row ? row->key : QString();
    m_keptScroll = verticalScrollBar()->value();
}

void ListView::takePlace()
{
    m_keeps = true;
    for (int i = 0; !m_keptKey.isEmpty() && i < m_proxy->rowCount(); ++i) {
        const QModelIndex at = m_proxy->index(i, 0);
        if (at.data(CellTableModel::KeyRole).toString() != m_keptKey) continue;
        selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        break;
    }
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(m_keptScroll);
    m_keeps = false;
}

const CellRow* ListView::rowOf(const QModelIndex& at) const { return at.isValid() ? m_cells->rowAt(m_proxy->mapToSource(at).row()) : nullptr; }

const CellRow* ListView::currentRow() const { return rowOf(currentIndex()); }

void ListView::setColumnWidths(const std::vector<int>& characters)
{
    m_widths = characters;
    applyWidths();
    if (std::ranges::find(m_widths, 0) == m_widths.end()) return;
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &ListView::applyWidths);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, &ListView::applyWidths);
    connect(m_proxy, &QAbstractItemModel::dataChanged, this, &ListView::applyWidths);
}

void ListView::setSpareColumns(std::vector<int> columns)
{
    m_spare = std::move(columns);
    applyWidths();
}

void ListView::applyWidths()
{
    const double character = fontMetrics().averageCharWidth();
    const int least = int(kStretchingCharacters * character);
    const QFontMetrics heading = horizontalHeader()->fontMetrics();
    std::vector<int> stretching, widths(m_widths.size(), least);
    int needed = 0;
    for (int i = 0; i < int(m_widths.size()); ++i) {
        const int characters = m_widths[std::size_t(i)];
        if (characters < 0)
            stretching.push_back(i);
        else
            widths[std::size_t(i)] =
                characters > 0
                    ? int(characters * character) + space(4)
                    : std::max(sizeHintForColumn(i), heading.horizontalAdvance(m_proxy->headerData(i, Qt::Horizontal).toString()) + space(5));
        needed += widths[std::size_t(i)];
    }
    const int room = viewport()->width();
    for (const int i : m_spare) {
        const bool leaves = needed > room;
        setColumnHidden(i, leaves);
        if (leaves) needed -= widths[std::size_t(i)];
    }
    for (int i = 0; i < int(widths.size()); ++i) setColumnWidth(i, widths[std::size_t(i)]);
    for (const int i : stretching) setColumnWidth(i, least + std::max(0, room - needed) / int(stretching.size()));
}

void ListView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    applyWidths();
}

void ListView::contextMenuEvent(QContextMenuEvent* event)
{
    const CellRow* row = event->reason() == QContextMenuEvent::Keyboard ? currentRow() : rowOf(indexAt(event->pos()));
    if (row && row->entity) m_bridge.openMenu(row->entity, event->globalPos());
}

void ListView::keyPressEvent(QKeyEvent* event)
{
    const CellRow* row = currentRow();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && row && row->entity)
        m_bridge.zoomTo(row->entity);
    else
        QTableView::keyPressEvent(event);
}

} // namespace hw::views
