// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace hw::views {

/// A table whose cells are selected, copied, filled and pasted as those of a spreadsheet.
class EntityTableView : public QTableView {
    Q_OBJECT
public:
    explicit EntityTableView(QWidget* parent = nullptr);
    [[nodiscard]] QModelIndexList selectedCells() const { return selectionModel() ? selectionModel()->selectedIndexes() : QModelIndexList(); }
    [[nodiscard]] std::vector<int> selectedRows() const; ///< in their order, of any selected cell

signals:
    void copyWanted();
    void pasteWanted();
    void fillWanted();
    void menuWanted(QPoint globalPosition);
    void cellsSelected();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
};

} // namespace hw::views
