// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/import_dialog.h"
#include "app/window/dialogs/new_design_dialog.h"
#include "app/window/formats.h"
#include "core/foundation/base/file_kind.h"

#include <QCoreApplication>
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
    void run(Workspace& w) override { openNewDesign(w); }
};

class StartPage final : public Command {
    Face face() const override { return {"file.start", tr("S&tart page"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Home)}; }
    void run(Workspace& w) override { w.showStart(true); }
};

class EmptySite final : public Command {
    Face face() const override { return {"file.newSite", tr("New &empty site"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N)}; }
    bool enabled(const Workspace& w) const override { return w.session().hasLibrary(); }
    void run(Workspace& w) override
    {
        if (!w.mayLeave()) return;
        w.session().startEmpty();
        w.setShown("plan", true);
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

/// Shows what an import would change; what was seen in the built hall can also be compared with the design alone.
void openImport(Workspace& w, ImportDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ImportDialog::compareRequested, dialog, [dialog, &w] {
        w.compareAsBuilt({dialog->importer(), dialog->told()});
        dialog->reject();
    });
    QObject::connect(dialog, &ImportDialog::projectMade, dialog, [&w](const QString& path) {
        if (w.mayLeave()) w.session().open(path);
    });
    QObject::connect(dialog, &QDialog::accepted, dialog, [dialog, &w] {
        if (dialog->importer() && dialog->importer()->observes()) w.showKept();
    });
    dialog->open();
}

/// Reads files, or one folder, on a worker and opens the dialog.
void importPaths(Workspace& w, const QStringList& chosen)
{
    if (chosen.isEmpty()) return;
    std::vector<std::string> paths;
    for (const QString& path : chosen) paths.push_back(path.toStdString());
    w.bridge().jobs().start<Result<FoundSources>>(
        "import.read", QCoreApplication::translate("Command", "Reading files"),
        [paths](const Progress& progress) { return findSources(formats(), paths, progress); },
        [&w](Result<FoundSources> found) {
            if (!found) {
                if (found.error().code != ErrorCode::Canceled) w.bridge().report(found.error());
                return;
            }
            const auto& first = found->sources.front();
            if (const auto kind = fileKindOf(first.path, first.content);
                found->sources.size() == 1 && kind && kind->format.empty() && !found->importer) // a project, an archive, a picture …
                return w.bridge().report({ErrorCode::Unreadable, first.path.filename().string(), kind->what, kind->todo});
            openImport(w, new ImportDialog(w.session(), std::move(*found), w.dialogParent()));
        });
}

/// A site of its own for a hall whose drawing there is.
class HallDrawing final : public Command {
    Face face() const override { return {"file.newDrawing", tr("New site from hall &drawing …"), "plan", {}}; }
    bool enabled(const Workspace& w) const override { return w.session().hasLibrary(); }
    void run(Workspace& w) override
    {
        const QString path = QFileDialog::getOpenFileName(w.dialogParent(), {}, {}, tr("Hall drawings (*.dxf);;All files (*)"));
        if (path.isEmpty() || !w.mayLeave()) return;
        QObject::connect(
            &w.session(), &Session::opened, w.dialogParent(),
            [&w, path] {
                if (w.bridge().snapshot()->buildings.size() == 0) importPaths(w, {path}); // else something else was opened meanwhile
            },
            Qt::SingleShotConnection);
        w.session().startEmpty();
        w.setShown("plan", true);
    }
};

/// Files of another format: into the open project, or as a new one.
class Import final : public Command {
    Face face() const override { return {"file.import", tr("&Import …"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const QString filter =
            tr("All files (*);;Drawings, part types, prices and captures (*.dxf *.yaml *.yml *.csv *.tsv *.xlsx *.json *.txt *.gz)");
        importPaths(w, QFileDialog::getOpenFileNames(w.dialogParent(), {}, {}, filter));
    }
};

/// A folder: captures with other files beside them, exported lists.
class ImportFolder final : public Command {
    Face face() const override { return {"file.importFolder", tr("Import &folder …"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const QString folder = QFileDialog::getExistingDirectory(w.dialogParent(), tr("Folder to import"));
        if (!folder.isEmpty()) importPaths(w, {folder});
    }
};

class ImportNetbox final : public Command {
    Face face() const override { return {"file.importNetbox", tr("Import from Net&Box …"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override { openImport(w, new ImportDialog(w.session(), w.dialogParent())); }
};

/// What was captured of the built hall, against the design.
class CompareAsBuilt final : public Command {
    Face face() const override { return {"design.asbuilt", tr("Compare with &as-built capture …"), "link", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const QString filter = tr("Captures: LLDP, ibnetdiscover, NetBox cables, scanned labels (*.json *.txt *.csv *.log);;All files (*)");
        importPaths(w, QFileDialog::getOpenFileNames(w.dialogParent(), {}, {}, filter));
    }
};

class Quit final : public Command {
    Face face() const override { return {"file.quit", tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q)}; }
    void run(Workspace& w) override { w.quit(); }
};

} // namespace

void openNewDesign(Workspace& w, const QString& templateName)
{
    auto* dialog = new NewDesignDialog(w.session(), w.dialogParent());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, dialog, [dialog, &w] {
        if (w.mayLeave()) w.session().startDesign(dialog->chosen(), dialog->values(), dialog->design());
    });
    if (!templateName.isEmpty()) (void)dialog->choose(templateName.toStdString());
    dialog->open();
}

void addFileCommands(Commands& commands)
{
    commands.push_back(std::make_unique<StartPage>());
    commands.push_back(std::make_unique<NewDesign>());
    commands.push_back(std::make_unique<EmptySite>());
    commands.push_back(std::make_unique<HallDrawing>());
    commands.push_back(std::make_unique<Open>());
    commands.push_back(std::make_unique<Save>());
    commands.push_back(std::make_unique<SaveAs>());
    commands.push_back(std::make_unique<Import>());
    commands.push_back(std::make_unique<ImportFolder>());
    commands.push_back(std::make_unique<ImportNetbox>());
    commands.push_back(std::make_unique<CompareAsBuilt>());
    commands.push_back(std::make_unique<Quit>());
}

} // namespace hw::app
