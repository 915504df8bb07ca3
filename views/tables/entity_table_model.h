// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel> // before core's headers: moc cannot read <compare> as the very first one

#include "core/design/listing/entity_list.h"

#include <memory>
#include <vector>

namespace hw::views {

/// Entities of one kind, read from the design as they are looked at: four bytes a row.
class EntityTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using List = std::shared_ptr<const EntityList>;
    enum Role { WordsRole = Qt::UserRole + 1 }; ///< the words of a choice

    using QAbstractTableModel::QAbstractTableModel;
    /// What is shown: rows of a list in their order, and which of its columns.
    void show(List list, std::vector<std::uint32_t> rows, std::vector<std::size_t> columns);
    [[nodiscard]] const List& list() const { return m_list; }
    [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return m_rows; }
    [[nodiscard]] const std::vector<std::size_t>& columns() const { return m_columns; }
    [[nodiscard]] EntityRef entityAt(int row) const;
    [[nodiscard]] int rowOf(EntityRef entity) const; ///< -1: it is not listed
    [[nodiscard]] const ListColumn* columnAt(int column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void typed(const QModelIndex& index, const QString& text); ///< into a cell, which changes with the design
    void sortWanted(int column, Qt::SortOrder order);

private:
    List m_list;
    std::vector<std::uint32_t> m_rows;
    std::vector<std::size_t> m_columns;
};

} // namespace hw::views
