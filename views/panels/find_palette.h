// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QFrame>

class QAction;
class QLineEdit;
class QListWidget;

namespace hw::views {

/// One field that finds everything: entities by name or key, and the window's own commands. Return
/// selects and zooms, or runs the command; Escape closes. Floats over the top of the window.
class FindPalette : public QFrame {
    Q_OBJECT
public:
    FindPalette(DocumentBridge& bridge, QWidget* window);
    void open(const QList<QAction*>& commands);
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QListWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void addEntities(const QString& words);
    void addCommands(const QString& words);
    void accept();
    void dismiss();

    DocumentBridge& m_bridge;
    QLineEdit* m_field;
    QListWidget* m_list;
    QList<QAction*> m_commands;
    std::vector<EntityRef> m_entities; ///< of the first rows of the list
};

} // namespace hw::views
