// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/import_dialog.h"
#include "app/window/dialogs/new_design_dialog.h"
#include "importers/formats.h"

#include <QFileDialog>

namespace hw::app {
namespace {

const char* const kFilter = QT_TRANSLATE_NOOP("Command", "Hallwright project (*.hall)");

/// Asks for a name and saves there. Reached from Save of a new design, too.
void saveAs(Workspace& w, const QString& filter)
{
    const QString proposal = w.session().path().isEmpty() ? w.session().title() + ".hall" : w.session().path();
    QString path = QFileDialog::getSaveFileName(w.dialogParent(), {}, proposal, filter);
    if (path.isEmpty()) return;
    if (!path.endsWith(".hall")) path += ".hall";
    w.session().saveAs(path);
}

class NewDesign final : public Command {
    Face face() const override { return {"file.new", tr("&New design …"), "new", QKeySequence::New}; }
    bool enabled(const Workspace& w) const override { return w.session().hasLibrary(); }
    void run(Workspace& w) override
    {
        auto* dialog = new NewDesignDialog(w.session(), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &QDialog::accepted, dialog, [dialog, &w] {
            if (w.mayLeave()) w.session().startDesign(dialog->chosen(), dialog->values(), dialog->design());
        });
        dialog->open();
    }
};

class Open final : public Command {
    Face face() const override { return {"file.open", tr("&Open …"), "open", QKeySequence::Open}; }
    void run(Workspace& w) override
    {
        const QString path = QFileDialog::getOpenFileName(w.dialogParent(), {}, {}, tr(kFilter));
        if (!path.isEmpty() && w.mayLeave()) w.session().open(path);
    }
};

class Save final : public Command {
    Face face() const override { return {"file.save", tr("&Save"), "save", QKeySequence::Save}; }
    bool enabled(const Workspace& w) const override { return w.session().path().isEmpty() || w.session().modified(); }
    void run(Workspace& w) override
    {
        if (w.session().path().isEmpty())
            saveAs(w, tr(kFilter));
        else
            w.session().save();
    }
};

class SaveAs final : public Command {
    Face face() const override { return {"file.saveAs", tr("Save &as …"), {}, QKeySequence::SaveAs}; }
    void run(Workspace& w) override { saveAs(w, tr(kFilter)); }
};

/// A file of another format into the open project: drawings of rooms, part types, prices.
class Import final : public Command {
    Face face() const override { return {"file.import", tr("&Import …"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const QString path = QFileDialog::getOpenFileName(w.dialogParent(), {}, {},
                                                          tr("Drawings, part types and prices (*.dxf *.yaml *.yml *.csv *.tsv);;All files (*)"));
        if (path.isEmpty()) return;
        auto source = exchange::readSource(path.toStdString());
        if (!source) return w.bridge().report(source.error());
        const exchange::Importer* importer = formats().importerOf(*source);
        if (!importer || importer->makesProject()) return w.say(tr("%1 is of no format that can be imported into a project").arg(path), true);
        auto* dialog = new ImportDialog(w.session(), *importer, std::move(*source), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
    static const exchange::Formats& formats()
    {
        static const exchange::Formats all = [] {
            exchange::Formats made;
            importers::registerFormats(made);
            return made;
        }();
        return all;
    }
};

class Quit final : public Command {
    Face face() const override { return {"file.quit", tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q)}; }
    void run(Workspace& w) override { w.quit(); }
};

} // namespace

void addFileCommands(Commands& commands)
{
    commands.push_back(std::make_unique<NewDesign>());
    commands.push_back(std::make_unique<Open>());
    commands.push_back(std::make_unique<Save>());
    commands.push_back(std::make_unique<SaveAs>());
    commands.push_back(std::make_unique<Import>());
    commands.push_back(std::make_unique<Quit>());
}

} // namespace hw::app
