// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"
#include "views/models/cell_table_model.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace hw::views {

/// A table over a CellTableModel as all panels use it: sorted by a click on a header, whole rows, a
/// click or the arrow keys select the row's entity, a double click or Return zooms to it. Where rows have keys, the current one stays so and the
/// list where it was scrolled to when other rows come and go.
class ListView : public QTableView {
    Q_OBJECT
public:
    ListView(DocumentBridge& bridge, const QStringList& headers, const QString& accessibleName, QWidget* parent = nullptr);
    [[nodiscard]] CellTableModel* cells() const { return m_cells; }
    [[nodiscard]] const CellRow* currentRow() const;
    [[nodiscard]] const CellRow* rowOf(const QModelIndex& viewIndex) const;
    void showRow(int viewRow); ///< makes it the current one; nothing is selected in the project by that
    /// Widths in characters; 0: as wide as what stands in the column; negative ones share what is left.
    void setColumnWidths(const std::vector<int>& characters);
    /// Columns that are left out where the others have no room, the first of them first.
    void setSpareColumns(std::vector<int> columns);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void applyWidths();
    void keepPlace();
    void takePlace();
    CellTableModel* m_cells;
    QSortFilterProxyModel* m_proxy;
    DocumentBridge& m_bridge;
    std::vector<int> m_widths;
    std::vector<int> m_spare;
    QString m_keptKey; ///< of the current row while rows are replaced
    int m_keptScroll = 0;
    bool m_keeps = false; ///< the current row is set, and nobody chose it
};

} // namespace hw::views
