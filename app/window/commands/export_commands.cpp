// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/export_dialog.h"
#include "app/window/export_name.h"

#include "core/foundation/base/json_document.h"
#include "core/foundation/storage/text_form.h"
#include "core/output/document/handover.h"
#include "core/output/document/report_document.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/exchange/cabling_formats.h"
#include "core/output/exchange/design_stamp.h"
#include "core/output/exchange/lead_times.h"
#include "core/output/interconnects/interconnects.h"
#include "core/output/report/report.h"
#include "simulation/air/hall_document.h"
#include "views/air/air_panel.h"
#include "views/fabric/fabric_canvas.h"
#include "views/fabric/fabric_view.h"
#include "views/fabric/render.h"
#include "views/paper/paper.h"
#include "views/plan/plan_sheet.h"
#include "views/plan/plan_view.h"
#include "views/plan/render.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_view.h"
#include "views/power/render.h"
#include "views/style/format.h"
#include "views/tables/tables_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPrintDialog>
#include <QPrinter>
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
        return fail(ErrorCode::Unreadable, path.toStdString(), verbatim(file.errorString().toStdString()), i18n("choose another location"));
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
    [[nodiscard]] virtual What what(Workspace& w) const = 0;
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const What what = this->what(w);
        const QString path = askForFile(w, what.name, QString("%1-%2").arg(w.session().title(), what.suffix), what.filter);
        if (path.isEmpty()) return;
        w.bridge().jobs().start<Result<void>>(
            "export", tr("Exporting %1").arg(what.name),
            [write = what.write, path, figures = w.bridge().figures()](const Progress& progress) { return write(figures, path, progress); },
            [&w, path](Result<void> done) {
                if (done)
                    w.say(tr("Saved %1").arg(QFileInfo(path).absoluteFilePath()));
                else if (done.error().code != ErrorCode::Canceled)
                    w.bridge().report(done.error());
            });
    }
};

Result<void> writePaper(const document::ReportDocument& document, const views::PaperJob& job, const QString& path, const Progress& p)
{
    const auto bytes = path.endsWith(".pdf") ? views::makePdf(document, job, p) : views::makeHtml(document, job, p);
    if (!bytes) return tl::unexpected(bytes.error());
    return writeText(path, bytes->toStdString());
}

class ExportBom final : public Export {
    Face face() const override { return {"export.bom", tr("&Bill of materials …"), "table", {}}; }
    What what(Workspace&) const override
    {
        return {tr("bill of materials"), "bom.xlsx", tr("Excel (*.xlsx);;CSV (*.csv);;JSON (*.json)"),
                [](const FiguresPtr& f, const QString& path, const Progress& p) {
                    const Bom& bom = makeBom(*f);
                    const auto orders = leadTimes(*f->snapshot, phaseSections(*f, bom));
                    return writeBom(bom, path.toStdString(), f->snapshot->setting("project.name", "design"), p, DesignStamp::of(*f->snapshot),
                                    {nullptr, &orders});
                }};
    }
};

/// What the table of objects shows: its columns, the selected rows or all of them.
class ExportTable final : public Export {
    Face face() const override { return {"export.table", tr("&Table of objects …"), "table", {}}; }
    bool enabled(const Workspace& w) const override { return w.shown("tables"); }
    What what(Workspace& w) const override
    {
        const auto listed = w.tables()->listed();
        return {tr("table"), "table.xlsx", tr("Excel (*.xlsx);;CSV (*.csv)"),
                [listed](const FiguresPtr&, const QString& path, const Progress& p) -> Result<void> {
                    if (!listed.list) return fail(ErrorCode::Refused, "table", i18n("nothing is listed yet"), i18n("open the Tables panel first"));
                    return writeList(*listed.list, listed.rows, listed.columns, path.toStdString(), p);
                }};
    }
};

class ExportCables final : public Export {
    Face face() const override { return {"export.cables", tr("&Cable schedule …"), "link", {}}; }
    What what(Workspace&) const override
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
        if (name == "labels") return {"export.labels", tr("Cable &labels …"), "link", {}};
        if (name == "pull-schedule") return {"export.pull-schedule", tr("P&ull schedule …"), "link", {}};
        return {"export.work-order", tr("&Work orders …"), "link", {}};
    }
    What what(Workspace&) const override
    {
        return {QString(m_paper.name), QString("%1.xlsx").arg(m_paper.name), tr("Excel (*.xlsx);;CSV (*.csv)"),
                [table = m_paper.table](const FiguresPtr& f, const QString& path, const Progress& p) {
                    return writeTable(table(*f), path.toStdString(), p);
                }};
    }

private:
    const exchange::CablingPaper& m_paper;
};

/// As text for reading, or as a document with drawings; with the air of the halls, where it is asked for.
class ExportReport final : public Export {
public:
    explicit ExportReport(bool air) : m_air(air) {}

private:
    using Halls = std::vector<std::shared_ptr<const sim::air::HallAir>>;
    Face face() const override
    {
        return m_air ? Face{"export.report-air", tr("Report with simulated &air …"), "gauge", {}}
                     : Face{"export.report", tr("&Report …"), "gauge", {}};
    }
    What what(Workspace& w) const override
    {
        const QImage twin = w.picture("twin"); // as it is seen: OpenGL is not a worker's
        Halls known;
        if (m_air && w.air() && w.air()->current()) known.push_back(w.air()->current());
        return {tr("report"), m_air ? "report-air.pdf" : "report.pdf", tr("PDF, A4 (*.pdf);;HTML (*.html);;Text (*.txt);;JSON (*.json)"),
                [twin, known, air = m_air](const FiguresPtr& f, const QString& path, const Progress& p) -> Result<void> {
                    constexpr double kAirShare = 0.8; // of the time
                    const Progress first{p.stop, [&](double done, std::string_view step) { p.report(done * kAirShare, step); }};
                    const Progress rest{p.stop,
                                        [&](double done, std::string_view step) { p.report(air ? kAirShare + done * (1 - kAirShare) : done, step); }};
                    Halls halls;
                    if (air) {
                        auto solved = sim::air::solveHalls(*f, {}, first, known);
                        if (!solved) return tl::unexpected(solved.error());
                        halls = std::move(*solved);
                    }
                    if (path.endsWith(".pdf") || path.endsWith(".html")) return writeDocument(f, {views::PaperSize::A4, twin}, halls, path, rest);
                    const auto report = makeProvenReport(*f, makeBom(*f), rest);
                    if (!report) return tl::unexpected(report.error());
                    if (path.endsWith(".json")) return writeText(path, documentText(sim::air::reportJson(*report, *f, halls)));
                    return writeText(path, sim::air::reportText(*report, *f, halls));
                }};
    }
    static Result<void> writeDocument(const FiguresPtr& f, const views::PaperJob& job, const Halls& halls, const QString& path, const Progress& p)
    {
        auto document = document::makeReportDocument(f, DesignStamp::of(*f->snapshot), p);
        if (!document) return tl::unexpected(document.error());
        if (!halls.empty()) sim::air::addAir(*document, halls);
        return writePaper(*document, job, path, p);
    }

    bool m_air;
};

/// What is signed when a segment changes hands; the segment is asked for first.
class ExportHandover final : public Export {
    Face face() const override { return {"export.handover", tr("&Handover package …"), "ok", {}}; }
    void run(Workspace& w) override
    {
        const Snapshot& s = *w.bridge().figures()->snapshot;
        QStringList names;
        std::vector<asbuilt::SegmentKey> keys;
        s.networks.forEach([&](NetworkId network) {
            if (s.networks.kind[network] != NetworkKind::Backend) return;
            for (const asbuilt::SegmentKey& key : asbuilt::segmentsOf(s, network)) {
                keys.push_back(key);
                names << views::text(words(asbuilt::segmentTitle(s, key)));
            }
        });
        if (keys.empty()) return w.say(tr("No backend network of this design has hosts."), true);
        bool chosen = true;
        const QString name = keys.size() == 1 ? names.front()
                                              : QInputDialog::getItem(w.dialogParent(), tr("Handover package"), tr("Segment that is handed over"),
                                                                      names, 0, false, &chosen);
        if (!chosen) return;
        m_key = keys[std::size_t(std::max(qsizetype(0), names.indexOf(name)))];
        Export::run(w);
    }
    What what(Workspace&) const override
    {
        return {tr("handover package"), QString("handover-%1.pdf").arg(views::text(asbuilt::segmentName(m_key)).replace('/', '-')),
                tr("PDF, A4 (*.pdf);;HTML (*.html)"), [key = m_key](const FiguresPtr& f, const QString& path, const Progress& p) -> Result<void> {
                    const auto pack = document::makeHandover(f, key, DesignStamp::of(*f->snapshot), p);
                    if (!pack) return tl::unexpected(pack.error());
                    return writePaper(*pack, {views::PaperSize::A4, {}}, path, p);
                }};
    }
    asbuilt::SegmentKey m_key;
};

/// The report, page by page as its PDF, on a printer that is asked for.
class PrintReport final : public Command {
    Face face() const override { return {"file.print", tr("&Print report …"), {}, QKeySequence(QKeySequence::Print)}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
        QPrintDialog dialog(printer.get(), w.dialogParent());
        dialog.setWindowTitle(tr("Print report"));
        dialog.setOptions(QAbstractPrintDialog::PrintToFile | QAbstractPrintDialog::PrintShowPageSize); // all of its pages
        if (dialog.exec() != QDialog::Accepted) return;
        printer->setFullPage(true); // its margins are drawn
        printer->setDocName(w.session().title());
        const bool letter = printer->pageLayout().pageSize().id() == QPageSize::Letter;
        w.bridge().jobs().start<Result<void>>(
            "print", tr("Printing the report"),
            [printer, figures = w.bridge().figures(),
             job = views::PaperJob{letter ? views::PaperSize::Letter : views::PaperSize::A4, w.picture("twin")}](const Progress& p) -> Result<void> {
                const auto document = document::makeReportDocument(figures, DesignStamp::of(*figures->snapshot), p);
                return document ? views::printPages(*document, job, *printer, p) : tl::unexpected(document.error());
            },
            [&w](Result<void> done) {
                if (done)
                    w.say(tr("Printed"));
                else if (done.error().code != ErrorCode::Canceled)
                    w.bridge().report(done.error());
            });
    }
};

/// The plan with its colors and layers, as lines.
class ExportPlan final : public Export {
    Face face() const override { return {"export.plan", tr("&Plan drawing …"), "plan", {}}; }
    What what(Workspace& w) const override
    {
        const auto values = views::OverlaySource::of(w.bridge()).values();
        const views::PlanLayers layers = w.plan()->layers();
        return {tr("plan drawing"), "plan.pdf", tr("PDF, A3 (*.pdf);;SVG, A3 (*.svg)"),
                [values, layers](const FiguresPtr& f, const QString& path, const Progress&) {
                    views::PlanSheet sheet{f, values, layers};
                    sheet.trayNames = !values->of(EntityKind::Rack) && values->of(EntityKind::Tray);
                    return views::writePlanPage(sheet, path, views::text(DesignStamp::of(*f->snapshot).text()));
                }};
    }
};

/// Bandwidth and reach, with the links of the design: the same files as those of the command line.
class ExportInterconnects final : public Export {
    Face face() const override { return {"export.interconnects", tr("&Interconnect map …"), "link", {}}; }
    What what(Workspace&) const override
    {
        return {tr("interconnect map"), "interconnects.svg", tr("SVG (*.svg);;Excel (*.xlsx);;CSV (*.csv)"),
                [](const FiguresPtr& f, const QString& path, const Progress& p) -> Result<void> {
                    if (const auto made = f->prepare<CablingNode>(p); !made) return tl::unexpected(made.error());
                    const InterconnectMap map = interconnectsOf(*f);
                    if (path.endsWith(".svg")) return writeText(path, interconnectSvg(map, DesignStamp::of(*f->snapshot)));
                    return writeTable(interconnectTable(map), path.toStdString(), p);
                }};
    }
};

class ExportText final : public Export {
    Face face() const override { return {"export.text", tr("Project as &text …"), "export", {}}; }
    What what(Workspace&) const override
    {
        return {tr("text"), "project.txt", tr("Text (*.txt)"),
                [](const FiguresPtr& f, const QString& path, const Progress& p) { return exportText(*f->snapshot, path.toStdString(), p); }};
    }
};

/// Every format that the command line writes, in a dialog with its options.
class ExportOther final : public Command {
    Face face() const override { return {"export.other", tr("&Other formats …"), "export", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        auto* dialog = new ExportDialog(w.session(), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &ExportDialog::exported, dialog, [&w](const QString& path) {
            if (!path.isEmpty()) w.say(tr("Saved %1").arg(QFileInfo(path).absoluteFilePath()));
        });
        dialog->open();
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
            w.say(tr("Saved %1").arg(QFileInfo(path).absoluteFilePath()));
        else
            w.bridge().report(done.error());
    }
};

/// A one-line diagram: of power, or of cooling.
class ExportOneLine : public Command {
protected:
    [[nodiscard]] virtual views::OneLineView* view(Workspace& w) const = 0;
    [[nodiscard]] virtual QString what() const = 0;
    [[nodiscard]] virtual const char* suffix() const = 0;
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        view(w)->whenReady([this, &w] { write(w); });
    }

private:
    void write(Workspace& w) const
    {
        const QString path = askForFile(w, what(), QString("%1-%2.pdf").arg(w.session().title(), suffix()), tr("PDF, A3 (*.pdf);;SVG, A3 (*.svg)"));
        if (path.isEmpty()) return;
        if (const auto done = views::writeOneLinePage(views::makeOneLinePage(view(w)->canvas()->model(), view(w)->canvas()->look()), path))
            w.say(tr("Saved %1").arg(QFileInfo(path).absoluteFilePath()));
        else
            w.bridge().report(done.error());
    }
};

class ExportPower final : public ExportOneLine {
    Face face() const override { return {"export.power", tr("One-&line diagram …"), "power", {}}; }
    views::OneLineView* view(Workspace& w) const override { return w.power(); }
    QString what() const override { return tr("one-line diagram"); }
    const char* suffix() const override { return "power"; }
};

class ExportCooling final : public ExportOneLine {
    Face face() const override { return {"export.cooling", tr("&Cooling diagram …"), "cooling", {}}; }
    views::OneLineView* view(Workspace& w) const override { return w.cooling(); }
    QString what() const override { return tr("cooling diagram"); }
    const char* suffix() const override { return "cooling"; }
};

class ExportPicture final : public Command {
    Face face() const override { return {"export.picture", tr("&Image of the view …"), "camera", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const QString pane = w.shown("fabric")          ? "fabric"
                             : w.shown("power")         ? "power"
                             : w.shown("cooling")       ? "cooling"
                             : w.shown("interconnects") ? "interconnects"
                             : w.shown("twin")          ? "twin"
                                                        : "plan";
        const QImage image = w.picture(pane);
        const QString path = askForFile(w, tr("image"), QString("%1-%2.png").arg(w.session().title(), pane), tr("Image (*.png)"));
        if (path.isEmpty()) return;
        if (image.save(path, "PNG"))
            w.say(tr("Saved %1").arg(path));
        else
            w.say(tr("%1 cannot be written; choose another location").arg(path), true);
    }
};

} // namespace

void addExportCommands(Commands& commands)
{
    commands.push_back(std::make_unique<ExportBom>());
    commands.push_back(std::make_unique<ExportTable>());
    commands.push_back(std::make_unique<ExportCables>());
    for (const auto& paper : exchange::cablingPapers()) commands.push_back(std::make_unique<ExportPaper>(paper));
    for (const bool air : {false, true}) commands.push_back(std::make_unique<ExportReport>(air));
    commands.push_back(std::make_unique<ExportHandover>());
    commands.push_back(std::make_unique<PrintReport>());
    commands.push_back(std::make_unique<ExportText>());
    commands.push_back(std::make_unique<ExportFabric>());
    commands.push_back(std::make_unique<ExportPlan>());
    commands.push_back(std::make_unique<ExportPower>());
    commands.push_back(std::make_unique<ExportCooling>());
    commands.push_back(std::make_unique<ExportInterconnects>());
    commands.push_back(std::make_unique<ExportPicture>());
    commands.push_back(std::make_unique<ExportOther>());
}

} // namespace hw::app
