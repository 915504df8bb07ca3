// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/export_name.h"

#include "core/exchange/bom.h"
#include "core/exchange/cable_schedule.h"
#include "core/exchange/cabling_formats.h"
#include "core/report/report.h"
#include "core/storage/text_form.h"
#include "views/fabric/fabric_canvas.h"
#include "views/fabric/fabric_view.h"
#include "views/fabric/render.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_view.h"
#include "views/power/render.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSaveFile>

#include <nlohmann/json.hpp>

namespace hw::app {
namespace {

using Writer = std::function<Result<void>(const FiguresPtr&, const QString& path, const Progress&)>;

/// Writes whole or not at all; for small outputs that are made in memory.
Result<void> writeText(const QString& path, const std::string& text)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) != qint64(text.size()) || !file.commit())
        return fail(ErrorCode::Unreadable, path.toStdString(), verbatim(file.errorString().toStdString()), i18n("choose another place"));
    return {};
}

/// Asks until the name is of a format that there is; empty when given up. A completed name is asked for again where it
/// exists, because only the typed one was confirmed.
QString askForFile(Workspace& w, const QString& what, QString path, const QString& filter)
{
    const QString title = QObject::tr("Export %1").arg(what);
    while (true) {
        QString chosen;
        path = QFileDialog::getSaveFileName(w.dialogParent(), title, path, filter, &chosen);
        if (path.isEmpty()) return {};
        const ExportName name = exportName(path, filter, chosen);
        if (name.problem.isEmpty() && (name.path == path || !QFileInfo::exists(name.path))) return name.path;
        if (!name.problem.isEmpty()) QMessageBox::information(w.dialogParent(), title, name.problem);
        path = name.path;
    }
}

/// Asks for a file name and writes it on a worker.
class Export : public Command {
protected:
    struct What {
        QString name, suffix, filter;
        Writer write;
    };
    [[nodiscard]] virtual What what() const = 0;
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const What what = this->what();
        const QString path = askForFile(w, what.name, QString("%1-%2").arg(w.session().title(), what.suffix), what.filter);
        if (path.isEmpty()) return;
        w.bridge().jobs().start<Result<void>>(
            "export", tr("Exporting %1").arg(what.name),
            [write = what.write, path, figures = w.bridge().figures()](const Progress& progress) { return write(figures, path, progress); },
            [&w, path](Result<void> done) {
                if (done)
                    w.say(tr("Wrote %1").arg(QFileInfo(path).absoluteFilePath()));
                else if (done.error().code != ErrorCode::Cancelled)
                    w.bridge().report(done.error());
            });
    }
};

class ExportBom final : public Export {
    Face face() const override { return {"export.bom", tr("&Bill of materials …"), "table", {}}; }
    What what() const override
    {
        return {tr("bill of materials"), "bom.xlsx", tr("Excel (*.xlsx);;CSV (*.csv);;JSON (*.json)"),
                [](const FiguresPtr& f, const QString& path, const Progress& p) {
                    return writeBom(makeBom(*f), path.toStdString(), f->snapshot->setting("project.name", "design"), p,
                                    DesignStamp::of(*f->snapshot));
                }};
    }
};

class ExportCables final : public Export {
    Face face() const override { return {"export.cables", tr("&Cable schedule …"), "link", {}}; }
    What what() const override
    {
        return {tr("cable schedule"), "cables.xlsx", tr("Excel (*.xlsx);;CSV (*.csv)"),
                [](const FiguresPtr& f, const QString& path, const Progress& p) { return writeCableSchedule(*f, path.toStdString(), p); }};
    }
};

/// A paper of the cabling: labels, pull schedule, work orders.
class ExportPaper final : public Export {
public:
    explicit ExportPaper(const exchange::CablingPaper& paper) : m_paper(paper) {}
    Face face() const override
    {
        const std::string name = m_paper.name;
        if (name == "labels") return {"export.labels", tr("&Labels of cables …"), "link", {}};
        if (name == "pull-schedule") return {"export.pull-schedule", tr("P&ull schedule …"), "link", {}};
        return {"export.work-order", tr("&Work orders …"), "link", {}};
    }
    What what() const override
    {
        return {QString(m_paper.name), QString("%1.xlsx").arg(m_paper.name), tr("Excel (*.xlsx);;CSV (*.csv)"),
                [table = m_paper.table](const FiguresPtr& f, const QString& path, const Progress& p) {
                    return writeTable(table(*f), path.toStdString(), p);
                }};
    }

private:
    const exchange::CablingPaper& m_paper;
};

class ExportReport final : public Export {
    Face face() const override { return {"export.report", tr("&Report …"), "gauge", {}}; }
    What what() const override
    {
        return {tr("report"), "report.txt", tr("Text (*.txt);;JSON (*.json)"),
                [](const FiguresPtr& f, const QString& path, const Progress& p) -> Result<void> {
                    const auto report = makeProvenReport(*f, makeBom(*f), p);
                    if (!report) return tl::unexpected(report.error());
                    return writeText(path, path.endsWith(".json") ? reportJson(*report, *f).dump(2) + "\n" : reportText(*report, *f));
                }};
    }
};

class ExportText final : public Export {
    Face face() const override { return {"export.text", tr("Project as &text …"), "export", {}}; }
    What what() const override
    {
        return {tr("text"), "project.txt", tr("Text (*.txt)"),
                [](const FiguresPtr& f, const QString& path, const Progress& p) { return exportText(*f->snapshot, path.toStdString(), p); }};
    }
};

class ExportFabric final : public Command {
    Face face() const override { return {"export.fabric", tr("&Fabric drawing …"), "network", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        w.fabric()->whenReady([&w] { write(w); }); // its index is made when it is first wanted
    }
    static void write(Workspace& w)
    {
        const QString path =
            askForFile(w, tr("fabric drawing"), QString("%1-fabric.pdf").arg(w.session().title()), tr("PDF, A3 (*.pdf);;SVG, A3 (*.svg)"));
        if (path.isEmpty()) return;
        const auto done = views::writeFabricPage(views::makeFabricPage(w.fabric()->canvas()->model(), w.fabric()->canvas()->look()), path);
        if (done)
            w.say(tr("Wrote %1").arg(QFileInfo(path).absoluteFilePath()));
        else
            w.bridge().report(done.error());
    }
};

class ExportPower final : public Command {
    Face face() const override { return {"export.power", tr("One-&line diagram …"), "power", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        w.power()->whenReady([&w] { write(w); });
    }
    static void write(Workspace& w)
    {
        const QString path =
            askForFile(w, tr("one-line diagram"), QString("%1-power.pdf").arg(w.session().title()), tr("PDF, A3 (*.pdf);;SVG, A3 (*.svg)"));
        if (path.isEmpty()) return;
        if (const auto done = views::writeOneLinePage(views::makeOneLinePage(w.power()->canvas()->model()), path))
            w.say(tr("Wrote %1").arg(QFileInfo(path).absoluteFilePath()));
        else
            w.bridge().report(done.error());
    }
};

class ExportPicture final : public Command {
    Face face() const override { return {"export.picture", tr("&Picture of the view …"), "camera", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const QString pane = w.shown("fabric") ? "fabric" : w.shown("power") ? "power" : w.shown("twin") ? "twin" : "plan";
        const QImage image = w.picture(pane);
        const QString path = askForFile(w, tr("picture"), QString("%1-%2.png").arg(w.session().title(), pane), tr("Picture (*.png)"));
        if (path.isEmpty()) return;
        if (image.save(path, "PNG"))
            w.say(tr("Wrote %1").arg(path));
        else
            w.say(tr("%1 cannot be written; choose another place").arg(path), true);
    }
};

} // namespace

void addExportCommands(Commands& commands)
{
    commands.push_back(std::make_unique<ExportBom>());
    commands.push_back(std::make_unique<ExportCables>());
    for (const auto& paper : exchange::cablingPapers()) commands.push_back(std::make_unique<ExportPaper>(paper));
    commands.push_back(std::make_unique<ExportReport>());
    commands.push_back(std::make_unique<ExportText>());
    commands.push_back(std::make_unique<ExportFabric>());
    commands.push_back(std::make_unique<ExportPower>());
    commands.push_back(std::make_unique<ExportPicture>());
}

} // namespace hw::app
