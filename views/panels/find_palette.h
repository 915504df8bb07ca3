// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QFrame>
#include <QIcon>
#include <QPointer>

#include <functional>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace hw::views {

/// The groups of the palette, in the order in which equally good matches are listed.
enum class PaletteScope { Object, Command, PartType, Setting, Rule, Help };

/// One line of the palette and what Return does with it.
struct PaletteEntry {
    PaletteScope scope = PaletteScope::Command;
    QString title, detail; ///< both are searched; matches in the title come first
    QIcon icon{};
    std::function<void()> run{};
};

/// The command palette: one field over the commands of the window, the objects of the design, part types, settings, rules and help topics.
/// Return runs the current line, Escape closes; a sign at the front restricts the search to one group. Floats over the top of the window.
class FindPalette : public QFrame {
    Q_OBJECT
public:
    FindPalette(DocumentBridge& bridge, QWidget* window);
    /// Commands that are disabled now are not listed; `others` are of all groups but objects and commands.
    void open(const QList<QAction*>& commands, std::vector<PaletteEntry> others = {});
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QListWidget* list() const { return m_list; }

signals:
    void objectChosen(hw::EntityRef entity);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Match {
        int rank = 0;
        PaletteEntry entry;
    };
    void search();
    void addObjects(const QString& words, std::vector<Match>& matches);
    void fill(std::vector<Match> matches);
    void accept();
    void dismiss();
    void step(int rows);

    DocumentBridge& m_bridge;
    QLineEdit* m_field;
    QListWidget* m_list;
    QLabel* m_signs;
    std::vector<PaletteEntry> m_known; ///< commands first
    std::vector<PaletteEntry> m_shown; ///< of the rows of the list
    QPointer<QWidget> m_before;        ///< had the focus
};

} // namespace hw::views
