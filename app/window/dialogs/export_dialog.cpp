// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/export_dialog.h"

#include "app/window/formats.h"
#include "core/design/edit/edits_phase.h"
#include "core/foundation/model/find_network.h"
#include "core/foundation/storage/project_file.h"
#include "core/output/exchange/remote_exporter.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>
#include <QStyle>
#include <QTreeWidget>

#include <algorithm>

namespace hw::app {

using views::space;
using views::text;

std::optional<QString> endingOf(const exchange::FormatInfo& info)
{
    const QString summary =
        QString::fromUtf8(info.summary.id().data(), qsizetype(info.summary.id().size())); // in English, whatever the window speaks
    if (summary.contains("folder")) return QString();
    static const QRegularExpression ending("\\.([a-z][a-z0-9]*(?:\\.[a-z][a-z0-9]*)*)\\b");
    const auto match = ending.match(summary);
    if (match.hasMatch()) return match.captured(0);
    if (info.name.starts_with("fabric-")) return "." + QString::fromStdString(info.name.substr(7));
    if (info.name == "text") return QString(".txt");
    return std::nullopt;
}

ExportDialog::ExportDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_search(new QLineEdit), m_output(new QLineEdit), m_list(new QTreeWidget), m_title(new QLabel),
      m_summary(new QLabel), m_message(new QLabel), m_messageArea(new views::FittingArea(m_message)), m_fields(new FormatFields),
      m_phase(new QComboBox), m_network(new QComboBox), m_form(new QFormLayout), m_work(new views::WorkBar),
      m_browse(new QPushButton(tr("&Browse …"))), m_export(new QPushButton(tr("&Export"))), m_stop(new QPushButton(tr("&Cancel export")))
{
    setWindowTitle(tr("Export to another format"));
    m_search->setObjectName("exportSearch");
    m_search->setPlaceholderText(tr("Search formats"));
    m_search->setAccessibleName(tr("Search formats"));
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName("exportFormats");
    m_list->setAccessibleName(tr("Export formats"));
    m_list->setRootIsDecorated(false);
    m_list->setHeaderLabels({tr("Format"), tr("Content")});
    m_list->setUniformRowHeights(true);
    m_title->setProperty("role", "title");
    m_summary->setWordWrap(true);
    m_message->setObjectName("exportMessage");
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_phase->setObjectName("exportPhase");
    m_network->setObjectName("exportNetwork");
    m_output->setObjectName("exportOutput");
    m_output->setAccessibleName(tr("File or folder to write"));
    m_export->setObjectName("startExport");
    m_stop->setObjectName("stopExport");
    for (QPushButton* button : {m_browse, m_export, m_stop}) button->setAutoDefault(false);

    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, space(2), 0);
    leftColumn->setSpacing(space(2));
    leftColumn->addWidget(m_search);
    leftColumn->addWidget(m_list, 1);

    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_form->addRow(tr("Installation phase"), m_phase);
    m_form->addRow(tr("Network"), m_network);
    auto* options = new QWidget;
    auto* optionColumn = new QVBoxLayout(options);
    optionColumn->setContentsMargins(0, 0, space(2), 0);
    optionColumn->setSpacing(space(2));
    optionColumn->addLayout(m_form);
    optionColumn->addWidget(m_fields);
    optionColumn->addStretch(1);
    auto* where = new QHBoxLayout;
    where->addWidget(m_output, 1);
    where->addWidget(m_browse);
    auto* right = new QWidget;
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(space(2), 0, 0, 0);
    rightColumn->setSpacing(space(2));
    rightColumn->addWidget(m_title);
    rightColumn->addWidget(m_summary);
    rightColumn->addWidget(new views::FittingArea(options), 1);
    rightColumn->addWidget(new QLabel(tr("Write to")));
    rightColumn->addLayout(where);

    auto* splitter = new QSplitter;
    splitter->addWidget(left);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    auto* close = new QPushButton(tr("Close"));
    close->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_work);
    buttons->addWidget(m_stop);
    buttons->addStretch(1);
    buttons->addWidget(m_export);
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    column->addWidget(splitter, 1);
    m_messageArea->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_messageArea->setMaximumHeight(fontMetrics().height() * 9); // reports of a server are long
    column->addWidget(m_messageArea);
    column->addLayout(buttons);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::start);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_session.bridge().jobs().cancelSlot("export"); });
    connect(m_search, &QLineEdit::textChanged, this, &ExportDialog::search);
    connect(m_search, &QLineEdit::returnPressed, m_list, qOverload<>(&QWidget::setFocus));
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ExportDialog::showFormat);
    connect(m_output, &QLineEdit::textChanged, this, &ExportDialog::enable);
    connect(m_fields, &FormatFields::changed, this, &ExportDialog::enable);
    connect(&m_session.bridge().jobs(), &views::Jobs::changed, this, &ExportDialog::showProgress);
    connect(&m_session.bridge().jobs(), &views::Jobs::faulted, this, [this](const QString&, const QString& what) {
        if (!m_running || m_session.bridge().jobs().busy("export")) return;
        m_running = false;
        enable();
        say(what, true);
    });
    connect(&m_session.bridge(), &views::DocumentBridge::figuresChanged, this, &ExportDialog::fillDesign);
    m_work->hide(), m_stop->hide(), m_messageArea->hide();
    fillDesign();
    fillFormats();
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 36});
    splitter->setSizes({width() * 9 / 20, width() * 11 / 20});
}

void ExportDialog::fillFormats()
{
    for (const auto& format : formats().exporters()) {
        const auto info = format->info();
        auto* item = new QTreeWidgetItem({QString::fromStdString(info.name), text(info.summary)});
        item->setToolTip(1, text(info.summary));
        m_list->addTopLevelItem(item);
    }
    m_list->sortItems(0, Qt::AscendingOrder);
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    const QString last = QSettings().value("export/format").toString();
    if (last.isEmpty() || !choose(last)) m_list->setCurrentItem(m_list->topLevelItem(0));
}

/// What depends on the design: its phases and networks.
void ExportDialog::fillDesign()
{
    const auto keep = [](QComboBox* list, const QString& first, const auto& fill) {
        const QVariant before = list->currentData();
        list->clear();
        list->addItem(first);
        fill();
        list->setCurrentIndex(std::max(0, before.isValid() ? list->findData(before) : 0));
    };
    const Snapshot& s = *m_session.bridge().snapshot();
    keep(m_phase, tr("Whole design"), [&] {
        auto phases = s.phases.ids();
        std::ranges::sort(phases, {}, [&](PhaseId id) { return s.phases.number[id]; });
        for (const PhaseId id : phases)
            m_phase->addItem(tr("Phase %1: %2").arg(s.phases.number[id]).arg(QString::fromStdString(s.phases.name[id])), int(s.phases.number[id]));
    });
    keep(m_network, tr("Default"), [&] {
        for (const auto& name : networkNames(s)) m_network->addItem(QString::fromStdString(name), QString::fromStdString(name));
    });
    if (const auto shown = m_session.bridge().phase()) m_phase->setCurrentIndex(std::max(0, m_phase->findData(*shown)));
    if (m_list->currentItem()) showFormat();
}

bool ExportDialog::choose(const QString& format)
{
    const auto found = m_list->findItems(format, Qt::MatchExactly, 0);
    if (found.isEmpty()) return false;
    m_list->setCurrentItem(found.front());
    return true;
}

void ExportDialog::search(const QString& words)
{
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        auto* item = m_list->topLevelItem(i);
        const QString all = item->text(0) + " " + item->text(1);
        bool matches = true;
        for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) matches = matches && all.contains(word, Qt::CaseInsensitive);
        item->setHidden(!matches);
        if (matches && !first) first = item;
    }
    if (first && m_list->currentItem() && m_list->currentItem()->isHidden()) m_list->setCurrentItem(first);
}

const exchange::Exporter* ExportDialog::chosen() const
{
    const auto* item = m_list->currentItem();
    if (!item) return nullptr;
    const auto format = formats().exporter(item->text(0).toStdString());
    return format ? *format : nullptr;
}

void ExportDialog::showFormat()
{
    const exchange::Exporter* format = chosen();
    if (!format) return;
    const auto info = format->info();
    const QString name = QString::fromStdString(info.name);
    if (m_title->text() != name) { // another format: its own fields and path
        m_title->setText(name);
        m_summary->setText(sentence(text(info.summary)));
        m_fields->setOptions(format->options());
        m_messageArea->hide();
        propose();
        enable();
    }
    m_form->setRowVisible(m_phase, format->takesPhase() && m_phase->count() > 1);
    m_form->setRowVisible(m_network, format->takesNetwork() && m_network->count() > 1);
    m_list->scrollToItem(m_list->currentItem());
}

/// A name beside the project, or where the last export went.
void ExportDialog::propose()
{
    const exchange::Exporter* format = chosen();
    QString folder = QSettings().value("export/folder").toString();
    if (folder.isEmpty() || !QFileInfo(folder).isDir())
        folder = m_session.path().isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                                            : QFileInfo(m_session.path()).absolutePath();
    if (folder.isEmpty()) folder = QDir::homePath();
    const auto info = format->info();
    m_output->setText(
        QDir(folder).filePath(QString("%1-%2%3").arg(m_session.title(), QString::fromStdString(info.name), endingOf(info).value_or(QString()))));
    m_confirmed.clear();
}

void ExportDialog::browse()
{
    const exchange::Exporter* format = chosen();
    if (!format) return;
    const auto ending = endingOf(format->info());
    const bool folder = ending && ending->isEmpty();
    QString path;
    if (folder) {
        // A new folder has to be named, so that what is asked for is a name and not a folder that is there.
        path = QFileDialog::getSaveFileName(this, tr("Folder to write"), m_output->text(), {}, nullptr, QFileDialog::DontConfirmOverwrite);
    } else {
        const QString filter = ending ? QString("*%1").arg(*ending) + ";;" + tr("All files (*)") : tr("All files (*)");
        path = QFileDialog::getSaveFileName(this, tr("File to write"), m_output->text(), filter);
        m_confirmed = path;
    }
    if (!path.isEmpty()) m_output->setText(path);
}

exchange::ExportJob ExportDialog::job() const
{
    exchange::ExportJob job;
    job.project = m_session.path().toStdString();
    job.output = m_output->text().trimmed().toStdString();
    const exchange::Exporter* format = chosen();
    if (format->takesNetwork()) job.network = m_network->currentData().toString().toStdString();
    job.options = m_fields->choices();
    const FiguresPtr whole = m_session.bridge().wholeFigures();
    const QVariant phase = format->takesPhase() ? m_phase->currentData() : QVariant();
    job.figures = [whole, phase]() -> Result<FiguresPtr> {
        if (!phase.isValid()) return whole;
        return edit::figuresAtPhase(whole, phase.toInt());
    };
    job.design = [figures = job.figures]() -> Result<SnapshotPtr> {
        const auto made = figures();
        if (!made) return tl::unexpected(made.error());
        return (*made)->snapshot;
    };
    return job;
}

/// Asks once where something would be replaced that was not named in a file dialog.
bool ExportDialog::mayReplace()
{
    const QString path = m_output->text().trimmed();
    const QFileInfo info(path);
    if (path == m_confirmed || !info.exists() || (info.isDir() && QDir(path).isEmpty())) return true;
    const auto answer = QMessageBox::question(this, tr("Replace"), tr("%1 exists. Replace it?").arg(info.fileName()),
                                              QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
    return answer == QMessageBox::Yes;
}

/// Whether the format goes to a server, as its option says, instead of to a file.
bool ExportDialog::toServer() const
{
    return dynamic_cast<const exchange::RemoteExporter*>(chosen()) && m_fields->choices().contains(exchange::RemoteExporter::kServerOption);
}

void ExportDialog::enable()
{
    const bool remote = toServer();
    m_output->setEnabled(!remote);
    m_browse->setEnabled(!remote);
    m_export->setEnabled(!m_running && (remote || !m_output->text().trimmed().isEmpty()));
}

void ExportDialog::start()
{
    const exchange::Exporter* format = chosen();
    if (!format || m_running || !m_session.bridge().figures()) return;
    const exchange::ExportJob job = this->job();
    if (const auto fine = exchange::checkChoices(format->info().name, format->options(), job.options); !fine)
        return say(text(fine.error().text()), true);
    const bool remote = toServer();
    if (!remote && isProjectFile(job.output))
        return say(tr("%1 is a Hallwright project file; choose another file name").arg(QString::fromStdString(job.output.string())), true);
    if (!remote && !mayReplace()) return;
    m_running = true;
    say({}, false);
    m_export->setEnabled(false);
    const QString path = QString::fromStdString(job.output.string());
    QSettings().setValue("export/format", m_title->text());
    if (!remote) QSettings().setValue("export/folder", QFileInfo(path).absolutePath());
    auto& bridge = m_session.bridge();
    using Outcome = exchange::RemoteExporter::Outcome;
    bridge.jobs().start<Result<Outcome>>(
        "export", tr("Exporting %1").arg(m_title->text()),
        [format, job, remote](const Progress& progress) -> Result<Outcome> {
            if (remote) return dynamic_cast<const exchange::RemoteExporter&>(*format).send(job, progress);
            if (const auto done = format->write(job, progress); !done) return tl::unexpected(done.error());
            return Outcome{};
        },
        [dialog = QPointer(this), &bridge, path](const Result<Outcome>& done) {
            if (dialog && done) return dialog->finish(path, done->report, done->done);
            if (dialog) return dialog->stop(done.error());
            if (!done && done.error().code != ErrorCode::Canceled) bridge.report(done.error()); // the dialog was closed meanwhile
        });
}

/// A server reports what it did, and what it refused; a file is simply there.
void ExportDialog::finish(const QString& path, const Text& report, bool whole)
{
    m_running = false;
    enable();
    if (!report.empty()) {
        say(text(report), !whole);
        if (!whole) return emit failed(text(report));
    } else {
        m_confirmed = path; // written by us: written again without a question
        say(tr("Saved %1").arg(QFileInfo(path).absoluteFilePath()), false);
    }
    emit exported(report.empty() ? path : QString());
}

void ExportDialog::stop(const Error& error)
{
    m_running = false;
    enable();
    if (error.code == ErrorCode::Canceled) return;
    say(text(error.text()), true);
    emit failed(text(error.text()));
}

void ExportDialog::showProgress()
{
    auto& jobs = m_session.bridge().jobs();
    const auto own = std::ranges::find(jobs.running(), QString("export"), &views::Jobs::Job::slot);
    const bool on = m_running && own != jobs.running().end();
    m_work->setVisible(on);
    m_stop->setVisible(on);
    if (on)
        m_work->setFraction(own->fraction);
    else if (m_running && !jobs.busy("export")) { // canceled; `finish` comes before this where it was not
        m_running = false;
        enable();
        say(tr("Export canceled"), false);
    }
}

void ExportDialog::say(const QString& what, bool problem)
{
    m_messageArea->setVisible(!what.isEmpty());
    m_message->setText(what);
    m_message->setProperty("role", problem ? "error" : "dim");
    m_message->style()->unpolish(m_message);
    m_message->style()->polish(m_message);
}

} // namespace hw::app
