// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/workspace.h"

#include <QAction>
#include <QCoreApplication>

#include <memory>
#include <vector>

namespace hw::app {

/// One thing that a user can do. The window makes a QAction of each and knows nothing more of it; menus,
/// tool bar, shortcuts and the find field all run the same object.
class Command {
public:
    struct Face {
        const char* id; ///< stable: "file.save"
        QString title;  ///< with mnemonic
        QString icon;
        QKeySequence shortcut;
        bool checkable = false;
        QList<QKeySequence> alternatives{}; ///< other keys for the same
    };
    virtual ~Command() = default;
    [[nodiscard]] virtual Face face() const = 0;
    virtual void run(Workspace& w) = 0;
    [[nodiscard]] virtual bool enabled(const Workspace&) const { return true; }
    [[nodiscard]] virtual bool checked(const Workspace&) const { return false; }
    [[nodiscard]] virtual QString title(const Workspace&) const { return face().title; } ///< where it changes, as with undo

protected:
    [[nodiscard]] static QString tr(const char* text) { return QCoreApplication::translate("Command", text); }
};

using Commands = std::vector<std::unique_ptr<Command>>;
/// The dialog of a new design, at a template if one is named.
void openNewDesign(Workspace& w, const QString& templateName = {});
void addFileCommands(Commands& commands);
void addEditCommands(Commands& commands);
void addCreateCommands(Commands& commands);
void addArrangeCommands(Commands& commands);
void addClipboardCommands(Commands& commands);
void addExportCommands(Commands& commands);
void addViewCommands(Commands& commands);
void addDesignCommands(Commands& commands);
void addLiveCommands(Commands& commands);
void addHelpCommands(Commands& commands);

} // namespace hw::app
