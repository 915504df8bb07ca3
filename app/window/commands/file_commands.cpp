// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/import_dialog.h"
#include "app/window/dialogs/new_design_dialog.h"
#include "app/window/formats.h"
#include "core/foundation/base/file_kind.h"

#include <QFileDialog>

#include <algorithm>

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

/// The format of all files together; null: none knows them, and the user chooses.
const exchange::Importer* formatOf(const std::vector<exchange::ImportSource>& sources)
{
    const exchange::Importer* importer = formats().importerOf(sources.front());
    if (importer && importer->observes() && !std::ranges::all_of(sources, [&](const auto& source) { return importer->probe(source); }))
        return nullptr;
    return importer;
}

/// Asks for files and shows what they would change; those that observe can also be compared with the design alone.
void importFiles(Workspace& w, const QString& filter)
{
    const QStringList paths = QFileDialog::getOpenFileNames(w.dialogParent(), {}, {}, filter);
    std::vector<exchange::ImportSource> sources;
    for (const QString& path : paths) {
        auto source = exchange::readSource(path.toStdString());
        if (!source) return w.bridge().report(source.error());
        sources.push_back(std::move(*source));
    }
    if (sources.empty()) return;
    const exchange::Importer* importer = formatOf(sources);
    const auto& first = sources.front();
    if (const auto kind = fileKindOf(first.path, first.content); kind && kind->format.empty() && !importer) // a project, an archive, a picture …
        return w.bridge().report({ErrorCode::Unreadable, first.path.filename().string(), kind->what, kind->todo});
    auto* dialog = new ImportDialog(w.session(), importer, std::move(sources), w.dialogParent());
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

/// Files of another format: into the open project, or as a new one.
class Import final : public Command {
    Face face() const override { return {"file.import", tr("&Import …"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        importFiles(w, tr("All files (*);;Drawings, part types, prices and captures (*.dxf *.yaml *.yml *.csv *.tsv *.xlsx *.json *.txt *.gz)"));
    }
};

/// What was captured of the built hall, against the design.
class CompareAsBuilt final : public Command {
    Face face() const override { return {"design.asbuilt", tr("Compare with &as-built capture …"), "link", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        importFiles(w, tr("Captures: LLDP, ibnetdiscover, NetBox cables, scanned labels (*.json *.txt *.csv *.log);;All files (*)"));
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
    commands.push_back(std::make_unique<EmptySite>());
    commands.push_back(std::make_unique<Open>());
    commands.push_back(std::make_unique<Save>());
    commands.push_back(std::make_unique<SaveAs>());
    commands.push_back(std::make_unique<Import>());
    commands.push_back(std::make_unique<CompareAsBuilt>());
    commands.push_back(std::make_unique<Quit>());
}

} // namespace hw::app
