// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel> // before core's headers: moc cannot read <compare> as the very first one
#include <QColor>

#include "core/foundation/catalog/entity.h"
#include "core/operations/overlays/overlays.h"

#include <memory>
#include <vector>

namespace hw::views {

/// One cell of a list: what is shown and what it sorts by.
struct Cell {
    QString text{};
    QVariant sortKey{}; ///< none: the text
    QString iconName{};
    QColor color{};      ///< invalid: the ordinary text color
    double bar = -1;     ///< 0 … 1 draws a bar behind the text (see BarDelegate)
    bool number = false; ///< right-aligned
    bool place = false;  ///< names the row's entity: has its color of the overlay, and its value in the tool tip
};

struct CellRow {
    std::vector<Cell> cells{};
    EntityRef entity{}; ///< what a click selects
    QString key{};      ///< lasting identity: selection survives a refill
    QString toolTip{};
    bool dim = false; ///< of less importance: drawn faint
    bool bold = false;
};

/// A flat list for findings, bill of materials, hottest links, search results: filled as a whole.
/// Where key and order of the rows stay, a refill updates in place and keeps selection and scroll.
class CellTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { SortRole = Qt::UserRole + 1, BarRole, KeyRole };

    explicit CellTableModel(QStringList headers, QObject* parent = nullptr);
    void setRows(std::vector<CellRow> rows);
    /// What the overlay says of the entities of rows; null: nothing.
    void setValues(std::shared_ptr<const OverlayValues> values);
    [[nodiscard]] const CellRow* rowAt(int row) const;
    [[nodiscard]] EntityRef entityAt(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QStringList m_headers;
    std::vector<CellRow> m_rows;
    std::shared_ptr<const OverlayValues> m_values;
};

} // namespace hw::views
