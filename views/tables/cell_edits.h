// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/fields.h"
#include "views/bridge/document_bridge.h"

#include <QString>

#include <optional>
#include <vector>

namespace hw::views {

/// One cell of a table with what somebody typed, filled or pasted into it.
struct CellEdit {
    EntityRef entity;
    const edit::Field* field = nullptr;
    QString typed;
    QString before;    ///< what the cell shows now
    QString problem{}; ///< why it cannot be set; empty: it can
};

/// Sets the cells in one undo step, all of them or none; an error is shown by the bridge.
bool applyCells(DocumentBridge& bridge, const QString& name, const std::vector<CellEdit>& edits);
/// Sets what can be set, in a transaction that is open; the others get their problem.
[[nodiscard]] Result<void> trySetting(Transaction& transaction, std::vector<CellEdit>& edits);

/// Rows of cells as spreadsheets put them on the clipboard: tabs between cells, quotes around those with line ends.
[[nodiscard]] std::vector<QStringList> cellsOfText(const QString& text);
[[nodiscard]] QString textOfCells(const std::vector<QStringList>& rows);

} // namespace hw::views
