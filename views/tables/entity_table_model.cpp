// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/entity_table_model.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <algorithm>
#include <utility>

namespace hw::views {

void EntityTableModel::show(List list, std::vector<std::uint32_t> rows, std::vector<std::size_t> columns)
{
    const bool same = m_list && list && m_list->kind() == list->kind() && rows == m_rows && columns == m_columns;
    if (!same) beginResetModel();
    m_list = std::move(list);
    m_rows = std::move(rows);
    m_columns = std::move(columns);
    if (!same)
        endResetModel();
    else if (!m_rows.empty() && !m_columns.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

EntityRef EntityTableModel::entityAt(int row) const
{
    return m_list && row >= 0 && row < rowCount() ? EntityRef{m_list->kind(), m_rows[std::size_t(row)]} : EntityRef{};
}

int EntityTableModel::rowOf(EntityRef entity) const
{
    if (!m_list || entity.kind != m_list->kind()) return -1;
    const auto found = std::ranges::find(m_rows, entity.id);
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

const ListColumn* EntityTableModel::columnAt(int column) const
{
    return m_list && column >= 0 && column < columnCount() ? &m_list->columns()[m_columns[std::size_t(column)]] : nullptr;
}

int EntityTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int EntityTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_columns.size()); }

QVariant EntityTableModel::data(const QModelIndex& at, int role) const
{
    const ListColumn* column = at.isValid() && at.row() < rowCount() ? columnAt(at.column()) : nullptr;
    if (!column) return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
    case Qt::ToolTipRole: return text(m_list->text(m_rows[std::size_t(at.row())], m_columns[std::size_t(at.column())]));
    case Qt::TextAlignmentRole: return int((column->number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole: return column->field ? QVariant() : QVariant(theme().textDim); // follows from other values
    case WordsRole: {
        QStringList words;
        if (column->field)
            for (const auto word : column->field->words) words << QString::fromUtf8(word.data(), qsizetype(word.size()));
        return words;
    }
    default: return {};
    }
}

QVariant EntityTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const ListColumn* column = orientation == Qt::Horizontal ? columnAt(section) : nullptr;
    if (!column) return orientation == Qt::Vertical && role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (role == Qt::DisplayRole) return text(column->title);
    if (role == Qt::TextAlignmentRole) return int((column->number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return column->field ? tr("%1: can be edited").arg(text(column->title)) : tr("%1: computed").arg(text(column->title));
    return {};
}

Qt::ItemFlags EntityTableModel::flags(const QModelIndex& at) const
{
    const ListColumn* column = columnAt(at.column());
    return QAbstractTableModel::flags(at) | (column && column->field ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool EntityTableModel::setData(const QModelIndex& at, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !(flags(at) & Qt::ItemIsEditable)) return false;
    if (value.toString() != data(at, Qt::EditRole).toString()) emit typed(at, value.toString());
    return true;
}

void EntityTableModel::sort(int column, Qt::SortOrder order) { emit sortWanted(column, order); }

} // namespace hw::views
