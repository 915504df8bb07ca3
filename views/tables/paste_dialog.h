// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/dialog_preview.h"
#include "views/tables/cell_edits.h"

#include <QDialog>

namespace hw::views {

/// Shows what pasted cells would change, and which of them cannot be set, before they are set in one undo step.
class PasteDialog : public QDialog {
    Q_OBJECT
public:
    PasteDialog(DocumentBridge& bridge, std::vector<CellEdit> edits, const QStringList& notes, QWidget* parent = nullptr);
    [[nodiscard]] int settable() const { return m_settable; }
    [[nodiscard]] int refused() const { return int(m_edits.size()) - m_settable; }

public slots:
    void accept() override;

private:
    DocumentBridge& m_bridge;
    std::vector<CellEdit> m_edits;
    int m_settable = 0;
    DialogPreview m_preview;
};

} // namespace hw::views
