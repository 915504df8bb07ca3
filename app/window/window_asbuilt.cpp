// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that compares what is built with the design: captures that are read, kept, and the work that follows.
#include "app/window/export_name.h"
#include "app/window/main_window.h"
#include "core/operations/asbuilt/work_order.h"
#include "importers/asbuilt/capture_alone.h"
#include "views/panels/asbuilt_panel.h"
#include "views/style/format.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

namespace hw::app {

namespace {

QString captureName(const Capture& capture)
{
    const auto& sources = capture.sources;
    if (sources.size() == 1) return QFileInfo(QString::fromStdString(sources.front().path.string())).fileName();
    return views::text(i18np(sources.size(), "{:L} file", "{:L} files"));
}

Result<void> writeWork(const QString& file, const FiguresPtr& figures, const views::AsBuiltPanel::ComparisonPtr& comparison, const Progress& progress)
{
    if (!file.endsWith(".txt")) return writeTable(asbuilt::workTable(*figures, *comparison), file.toStdString(), progress);
    const std::string sheet = asbuilt::workSheet(*figures, *comparison);
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(sheet.data(), qint64(sheet.size())) != qint64(sheet.size()) || !out.commit())
        return fail(ErrorCode::Unreadable, file.toStdString(), i18n("cannot be written: {}", out.errorString().toStdString()),
                    i18n("choose another location"));
    return {};
}

} // namespace

void MainWindow::makeAsBuilt()
{
    auto* panel = new views::AsBuiltPanel(m_session.bridge());
    connect(panel, &views::AsBuiltPanel::captureRequested, this, [this] { action("design.asbuilt")->trigger(); });
    connect(panel, &views::AsBuiltPanel::keepRequested, this, &MainWindow::keepCapture);
    connect(panel, &views::AsBuiltPanel::workOrderRequested, this,
            [this](const FiguresPtr& figures, const views::AsBuiltPanel::ComparisonPtr& found) {
                const QString filter = tr("Excel (*.xlsx);;CSV (*.csv);;Checklists by rack (*.txt)");
                QString chosen;
                const QString path = QFileDialog::getSaveFileName(this, tr("Work order"), "work-order.xlsx", filter, &chosen);
                if (path.isEmpty()) return;
                const ExportName name = exportName(path, filter, chosen);
                if (!name.problem.isEmpty()) return say(name.problem, true);
                m_session.bridge().jobs().start<Result<void>>(
                    "asbuilt.work", tr("Writing the work order"),
                    [figures, found, file = name.path](const Progress& progress) { return writeWork(file, figures, found, progress); },
                    [this, file = name.path](Result<void> written) {
                        if (!written) return m_session.bridge().report(written.error());
                        say(tr("Saved %1").arg(QFileInfo(file).fileName()), false);
                    });
            });
    dock("asbuilt", panel, Qt::BottomDockWidgetArea);
}

void MainWindow::compareAsBuilt(Capture capture)
{
    m_capture = std::move(capture);
    auto* panel = qobject_cast<views::AsBuiltPanel*>(m_panels["asbuilt"]);
    panel->compareWith(captureName(m_capture),
                       [capture = m_capture](const SnapshotPtr& design, const Progress& progress) -> Result<views::AsBuiltPanel::Seen> {
                           auto alone = importers::captureAlone(*capture.importer, capture.sources, design, progress);
                           if (!alone) return tl::unexpected(alone.error());
                           return views::AsBuiltPanel::Seen{std::move(alone->figures), std::move(alone->doubts)};
                       });
    raisePanel("asbuilt");
}

void MainWindow::showKept()
{
    m_capture = {};
    qobject_cast<views::AsBuiltPanel*>(m_panels["asbuilt"])->compareKept();
    raisePanel("asbuilt");
}

/// What the capture saw goes into the project, in one undo step.
void MainWindow::keepCapture()
{
    if (!m_capture.importer) return;
    m_session.bridge().jobs().start<Result<exchange::ImportPlan>>(
        "asbuilt.keep", tr("Saving %1").arg(captureName(m_capture)),
        [capture = m_capture, base = m_session.bridge().snapshot()](const Progress& progress) {
            return capture.importer->planTogether(capture.sources, base, progress);
        },
        [this](Result<exchange::ImportPlan> plan) {
            auto& bridge = m_session.bridge();
            if (!plan) return bridge.report(plan.error());
            const auto kept = bridge.edit(views::text(plan->name), [&](Transaction& t) { return exchange::applyPlan(t, *plan); });
            if (kept) showKept();
        });
}

} // namespace hw::app
