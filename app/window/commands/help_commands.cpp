// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/shortcuts_dialog.h"

#include "core/foundation/base/resources.h"

#include <QApplication>
#include <QMessageBox>

namespace hw::app {
namespace {

class ShowGuide final : public Command {
    Face face() const override { return {"help.guide", tr("&Users’ guide"), "info", QKeySequence(Qt::Key_F1)}; }
    void run(Workspace& w) override { w.showGuide(); }
};

class ShowShortcuts final : public Command {
    Face face() const override { return {"help.shortcuts", tr("&Keyboard and mouse …"), "info", QKeySequence(Qt::CTRL | Qt::Key_F1)}; }
    void run(Workspace& w) override
    {
        auto* dialog = new ShortcutsDialog(w.allActions(), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
};

class ShowDocumentation final : public Command {
    Face face() const override { return {"help.docs", tr("&Documentation"), "info", {}}; }
    void run(Workspace& w) override { w.showDocumentation(); }
};

class AboutProgram final : public Command {
    Face face() const override { return {"help.about", tr("&About Hallwright"), "hallwright", {}}; }
    void run(Workspace& w) override
    {
        auto* box = new QMessageBox(w.dialogParent());
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->setWindowTitle(tr("About Hallwright"));
        box->setIconPixmap(QApplication::windowIcon().pixmap(64));
        box->setTextFormat(Qt::RichText);
        box->setText(tr("<b>Hallwright %1</b><br>designs GPU data centers and is their digital twin.").arg(QApplication::applicationVersion()));
        box->setInformativeText(tr("Free software under the GNU General Public License, version 3 or later, without any "
                                   "warranty.<br><br>Qt %1. Catalog, templates and scenarios: %2. Every catalog value cites its source; "
                                   "values marked C are assumptions.")
                                    .arg(QString::fromLatin1(qVersion()), QString::fromStdString(resourceFolder().string())));
        box->open();
    }
};

} // namespace

void addHelpCommands(Commands& commands)
{
    commands.push_back(std::make_unique<ShowGuide>());
    commands.push_back(std::make_unique<ShowShortcuts>());
    commands.push_back(std::make_unique<ShowDocumentation>());
    commands.push_back(std::make_unique<AboutProgram>());
}

} // namespace hw::app
