// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/cell_table_model.h"

#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/value_colors.h"

#include <algorithm>

namespace hw::views {

CellTableModel::CellTableModel(QStringList headers, QObject* parent) : QAbstractTableModel(parent), m_headers(std::move(headers)) {}

void CellTableModel::setRows(std::vector<CellRow> rows)
{
    const bool sameKeys = rows.size() == m_rows.size() && !rows.empty() && std::ranges::equal(rows, m_rows, {}, &CellRow::key, &CellRow::key);
    if (sameKeys) {
        m_rows = std::move(rows);
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void CellTableModel::setValues(std::shared_ptr<const OverlayValues> values)
{
    if (values == m_values) return;
    m_values = std::move(values);
    if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole, Qt::ToolTipRole});
}

const CellRow* CellTableModel::rowAt(int row) const { return row >= 0 && row < int(m_rows.size()) ? &m_rows[std::size_t(row)] : nullptr; }

EntityRef CellTableModel::entityAt(const QModelIndex& index) const
{
    const CellRow* row = index.isValid() ? rowAt(index.row()) : nullptr;
    return row ? row->entity : EntityRef{};
}

int CellTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int CellTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_headers.size()); }

QVariant CellTableModel::data(const QModelIndex& index, int role) const
{
    const CellRow* row = index.isValid() ? rowAt(index.row()) : nullptr;
    if (!row || index.column() >= int(row->cells.size())) return {};
    const Cell& cell = row->cells[std::size_t(index.column())];
    const ValueField* field = cell.place && m_values ? m_values->of(row->entity) : nullptr;
    switch (role) {
    case Qt::DisplayRole: return cell.text;
    case SortRole: return cell.sortKey.isValid() ? cell.sortKey : QVariant(cell.text);
    case BarRole: return cell.bar;
    case KeyRole: return row->key;
    case Qt::ToolTipRole: {
        const QString said = row->toolTip.isEmpty() ? cell.text : row->toolTip;
        return field ? said + "\n" + text(field->title) + ": " + text(valueText(*field, field->at(row->entity.id))) : said;
    }
    case Qt::TextAlignmentRole: return QVariant(int(Qt::AlignVCenter | (cell.number ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ForegroundRole:
        if (row->dim) return theme().textFaint;
        return cell.color.isValid() ? QVariant(cell.color) : QVariant();
    case Qt::DecorationRole:
        if (field) return QColor::fromRgb(valueRgb(*field, field->at(row->entity.id), theme().dark()));
        if (cell.iconName.isEmpty()) return {};
        return cell.color.isValid() && !row->dim ? icon(cell.iconName, cell.color) : icon(cell.iconName);
    case Qt::FontRole: return row->bold ? QVariant(scaledFont(1.0, QFont::DemiBold)) : QVariant();
    default: return {};
    }
}

QVariant CellTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section >= m_headers.size()) return {};
    if (role == Qt::DisplayRole) return m_headers[section];
    if (role == Qt::TextAlignmentRole) {
        const bool number = !m_rows.empty() && section < int(m_rows.front().cells.size()) && m_rows.front().cells[std::size_t(section)].number;
        return QVariant(int(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
    }
    return {};
}

} // namespace hw::views
