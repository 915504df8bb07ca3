// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel> // before core's headers: moc cannot read <compare> as the very first one

#include "importers/netbox_export/differences.h"

namespace hw::app {

/// Differences with NetBox as a tree: kinds, and under each its rows with a check box. A filter hides rows and keeps what is checked.
class NetboxRowsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Object, Type, Field, Design, NetBox, Sides, Row, Columns };

    explicit NetboxRowsModel(QObject* parent = nullptr);
    void setRows(std::vector<netbox::Difference> rows);
    void setFilter(const QString& words); ///< all of them in any cell
    [[nodiscard]] const std::vector<netbox::Difference>& rows() const { return m_rows; }
    /// Checked rows of which a side can be taken.
    [[nodiscard]] std::set<std::size_t> chosen(bool netbox::Difference::*able) const;
    [[nodiscard]] std::size_t checkedRows() const;
    void checkShown(bool checked);
    /// The row at an index; kNone: a kind.
    [[nodiscard]] std::size_t rowAt(const QModelIndex& index) const;
    static constexpr std::size_t kNone = std::size_t(-1);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void checkedChanged();

private:
    struct Group {
        netbox::DifferenceKind kind{};
        std::size_t all = 0;            ///< rows of this kind, shown or not
        std::vector<std::size_t> shown; ///< rows that match the filter
    };
    void regroup();
    [[nodiscard]] QString cell(const netbox::Difference& row, std::size_t number, int column) const;
    [[nodiscard]] bool able(std::size_t row) const { return m_rows[row].toNetbox || m_rows[row].toDesign; }
    [[nodiscard]] QVariant groupData(const Group& group, int column, int role) const;
    void tellGroup(int group);

    std::vector<netbox::Difference> m_rows;
    std::vector<bool> m_checked;
    std::vector<Group> m_groups; ///< those with rows
    QStringList m_words;
};

} // namespace hw::app
