// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/import_dialog.h"

#include "app/window/dialogs/netbox_fields.h"
#include "app/window/formats.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/storage/project_file.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>

#include <algorithm>

namespace hw::app {

using views::space;
using views::text;

ImportDialog::ImportDialog(Session& session, FoundSources found, QWidget* parent)
    : QDialog(parent), m_session(session), m_found(std::move(found)), m_ofFolder(importerOfFolder(formats(), m_found)), m_formats(new QComboBox),
      m_hint(new QLabel), m_fields(new FormatFields), m_area(new views::FittingArea(m_fields)), m_plan(new QPlainTextEdit),
      m_work(new views::WorkBar), m_apply(new QPushButton(tr("&Import"))), m_compare(new QPushButton(tr("Co&mpare with the design"))),
      m_read(new QPushButton(tr("&Preview"))), m_stop(new QPushButton(tr("Stop &reading")))
{
    setWindowTitle(tr("Import %1").arg(sourcesName()));
    m_hint->setText(m_found.sources.size() > 1 ? tr("File format not recognized. Select the format of the files.")
                                               : tr("File format not recognized. Select the format of the file."));
    build();
    choose(m_found.importer);
    connect(m_formats, &QComboBox::currentIndexChanged, this, [this] {
        const auto format = formats().importer(m_formats->currentData().toString().toStdString());
        choose(format ? *format : nullptr);
    });
}

ImportDialog::ImportDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_netbox(new NetboxSource), m_formats(new QComboBox), m_hint(new QLabel), m_fields(new FormatFields),
      m_area(new views::FittingArea(m_fields)), m_plan(new QPlainTextEdit), m_work(new views::WorkBar), m_apply(new QPushButton(tr("&Import"))),
      m_compare(new QPushButton), m_read(new QPushButton(tr("&Preview"))), m_stop(new QPushButton(tr("Stop &reading")))
{
    setWindowTitle(tr("Import from NetBox"));
    build();
    const auto netbox = formats().importer("netbox");
    choose(netbox ? *netbox : nullptr);
    connect(m_netbox, &NetboxSource::changed, this, &ImportDialog::follow);
    connect(m_read, &QPushButton::clicked, this, &ImportDialog::look);
}

void ImportDialog::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    m_formats->setObjectName("importFormat");
    m_formats->setAccessibleName(tr("Format"));
    m_hint->setWordWrap(true);
    m_hint->setProperty("role", "dim");
    m_plan->setReadOnly(true);
    m_plan->setObjectName("plan");
    m_plan->setAccessibleName(tr("Planned changes"));
    m_apply->setObjectName("applyImport");
    m_compare->setObjectName("compareImport");
    m_compare->setToolTip(tr("Show the differences without changing the project"));
    m_read->setObjectName("readImport");
    m_stop->setObjectName("stopImport");
    m_stop->setAutoDefault(false);
    (m_netbox ? m_read : m_apply)->setDefault(true);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_work);
    buttons->addWidget(m_stop);
    buttons->addStretch(1);
    buttons->addWidget(m_read);
    buttons->addWidget(m_compare);
    buttons->addWidget(m_apply);
    buttons->addWidget(cancel);
    if (!m_netbox) m_read->hide();
    m_work->hide(), m_stop->hide();
    if (m_netbox) { // its source and options beside the plan, which is long
        m_formats->setParent(this), m_hint->setParent(this);
        m_formats->hide(), m_hint->hide();
        auto* left = new QWidget;
        auto* stated = new QVBoxLayout(left);
        stated->setContentsMargins(0, 0, space(2), 0);
        stated->setSpacing(space(3));
        stated->addWidget(m_netbox);
        stated->addWidget(m_area, 1);
        auto* both = new QSplitter;
        both->setChildrenCollapsible(false);
        both->addWidget(left);
        both->addWidget(m_plan);
        both->setStretchFactor(0, 2);
        both->setStretchFactor(1, 3);
        column->addWidget(both, 1);
    } else {
        auto* form = new QFormLayout;
        form->addRow(tr("Format"), m_formats);
        column->addLayout(form);
        column->addWidget(m_hint);
        m_area->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // no more than its fields need
        column->addWidget(m_area);
        column->addWidget(m_plan, 1);
    }
    column->addLayout(buttons);
    if (!m_found.importer) m_formats->addItem(tr("Choose a format"));
    for (const auto& format : formats().importers()) {
        const auto info = format->info();
        m_formats->addItem(QString("%1 – %2").arg(QString::fromStdString(info.name), text(info.summary)), QString::fromStdString(info.name));
    }
    m_formats->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // summaries are long
    connect(m_compare, &QPushButton::clicked, this, &ImportDialog::compareRequested);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &ImportDialog::apply);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_session.bridge().jobs().cancelSlot("import"); });
    connect(m_fields, &FormatFields::changed, this, &ImportDialog::follow);
    m_later.setSingleShot(true);
    m_later.setInterval(300);
    connect(&m_later, &QTimer::timeout, this, &ImportDialog::look);
    connect(this, &QDialog::finished, this, [this] {
        m_later.stop();
        m_session.bridge().jobs().cancelSlot("import");
    });
    connect(&m_session.bridge(), &views::DocumentBridge::documentChanged, this, &ImportDialog::follow);
    connect(&m_session.bridge().jobs(), &views::Jobs::changed, this, &ImportDialog::showProgress);
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * (m_netbox ? 160 : 110), fontMetrics().height() * 36});
    if (m_found.importer) m_formats->setCurrentIndex(m_formats->findData(QString::fromStdString(m_found.importer->info().name)));
}

/// Another format has other fields and another plan.
void ImportDialog::choose(const exchange::Importer* importer)
{
    m_importer = importer;
    auto options = importer ? importer->options() : std::vector<exchange::FormatOption>();
    if (m_netbox) std::erase_if(options, [](const auto& option) { return option.name == "credentials"; }); // stands with the server
    m_area->setVisible(!options.empty());
    m_fields->setOptions(std::move(options));
    m_area->updateGeometry();
    m_formats->setToolTip(importer ? text(importer->info().summary) : QString());
    m_hint->setVisible(!importer);
    const bool observes = importer && importer->observes();
    m_compare->setVisible(observes);
    m_apply->setText(observes ? tr("&Save to project") : importer && importer->makesProject() ? tr("&Create project …") : tr("&Import"));
    m_netbox ? follow() : look();
}

QString ImportDialog::sourcesName() const
{
    if (m_netbox) return m_netbox->name();
    if (!m_found.folder.empty()) return QFileInfo(QString::fromStdString(m_found.folder.string())).fileName();
    if (m_found.sources.size() > 1) return text(i18np(m_found.sources.size(), "{:L} file", "{:L} files"));
    return QFileInfo(QString::fromStdString(m_found.sources.front().path.string())).fileName();
}

std::vector<exchange::ImportSource> ImportDialog::told() const
{
    auto sources = m_found.sources;
    if (m_importer && m_importer == m_ofFolder) sources = {{m_found.folder, {}, {}}};
    if (m_netbox)
        for (const auto& path : m_netbox->paths()) sources.push_back({path, {}, {}});
    for (auto& source : sources) {
        source.options = m_fields->choices();
        if (m_netbox && m_netbox->isServer() && !m_netbox->server().credentials().empty())
            source.options["credentials"] = m_netbox->server().credentials();
    }
    return sources;
}

/// Files are looked at again by themselves, a server when that is asked for.
void ImportDialog::follow()
{
    if (!m_netbox) return m_later.start();
    m_reading = false;
    m_session.bridge().jobs().cancelSlot("import");
    m_planned.reset();
    m_apply->setEnabled(false);
    const bool stated = !m_netbox->paths().empty();
    m_read->setEnabled(stated);
    m_plan->setPlainText(stated ? tr("Preview reads the lists and shows what the import would change. Nothing is written to NetBox.")
                                : tr("Specify the address of the server, or the exported lists."));
}

/// Works out on a worker what would change.
void ImportDialog::look()
{
    m_planned.reset();
    m_apply->setEnabled(false);
    auto& bridge = m_session.bridge();
    if (!m_importer) {
        bridge.jobs().cancelSlot("import");
        return m_plan->setPlainText({});
    }
    const auto sources = told();
    if (sources.empty()) return;
    if (const auto fine = exchange::checkChoices(m_importer->info().name, m_importer->options(), sources.front().options); !fine)
        return m_plan->setPlainText(text(fine.error().text()));
    m_reading = true;
    if (m_netbox) m_netbox->server().remember(), m_plan->setPlainText(tr("Reading …"));
    bridge.jobs().start<Result<exchange::ImportPlan>>(
        "import", tr("Reading %1").arg(sourcesName()),
        [importer = m_importer, sources, named = m_netbox != nullptr, token = m_netbox ? m_netbox->server().token() : nullptr,
         base = m_importer->makesProject() ? std::make_shared<const Snapshot>()
                                           : bridge.snapshot()](const Progress& progress) -> Result<exchange::ImportPlan> {
            if (!named) return planFiles(*importer, sources, base, progress);
            std::vector<std::string> paths;
            for (const auto& source : sources) paths.push_back(source.path.string());
            const auto read = sourcesOf(*importer, paths, sources.front().options);
            if (!read) return tl::unexpected(read.error());
            return planFiles(*importer, *read, base, progress);
        },
        [dialog = QPointer(this)](Result<exchange::ImportPlan> plan) {
            if (dialog) dialog->showPlan(std::move(plan));
        });
}

void ImportDialog::showProgress()
{
    auto& jobs = m_session.bridge().jobs();
    const auto own = std::ranges::find(jobs.running(), QString("import"), &views::Jobs::Job::slot);
    const bool on = m_reading && own != jobs.running().end();
    m_work->setVisible(on && m_netbox);
    m_stop->setVisible(on && m_netbox);
    m_read->setEnabled(!on && (!m_netbox || !m_netbox->paths().empty()));
    if (on) return m_work->setFraction(own->fraction);
    if (m_reading && m_netbox) m_plan->setPlainText(tr("Stopped. Nothing has changed.")); // `showPlan` comes before this where it was not
    m_reading = false;
}

void ImportDialog::showPlan(Result<exchange::ImportPlan> plan)
{
    m_reading = false;
    if (!plan) return m_plan->setPlainText(text(explainedByFile(plan.error(), m_importer->info().name).text()));
    m_plan->setPlainText(text(exchange::planText(*plan)));
    m_apply->setEnabled(plan->after != nullptr && (!m_importer->makesProject() || m_found.sources.size() == 1));
    m_planned = std::move(*plan);
}

void ImportDialog::apply()
{
    if (!m_planned) return;
    if (m_importer->makesProject()) return makeProject(*m_planned);
    if (m_session.bridge().jobs().busy("edit") || m_session.bridge().previewing())
        return m_session.bridge().report({ErrorCode::Refused, "import", i18n("another change is in progress"), i18n("finish or cancel it first")});
    m_apply->setEnabled(false);
    const QString name = text(words(m_planned->name));
    m_session.bridge().editInWorker<bool>(
        name,
        [plan = std::move(*m_planned)](Transaction& t, const Progress&) -> Result<bool> {
            if (const auto done = exchange::applyPlan(t, plan); !done) return tl::unexpected(done.error());
            return true;
        },
        [dialog = QPointer(this), &bridge = m_session.bridge()](const Result<bool>& done) {
            if (!done) bridge.report(done.error());
            if (!dialog) return;
            if (done) return dialog->accept();
            dialog->follow();
        });
    m_planned.reset();
}

/// A project is a file of its own, beside the one that is open.
void ImportDialog::makeProject(const exchange::ImportPlan& plan)
{
    const QFileInfo from(QString::fromStdString(m_found.sources.front().path.string()));
    QString path = QFileDialog::getSaveFileName(this, tr("Project to create"), from.absolutePath() + "/" + from.completeBaseName() + ".hall",
                                                tr("Hallwright project (*.hall)"));
    if (path.isEmpty()) return;
    if (!path.endsWith(".hall")) path += ".hall";
    m_apply->setEnabled(false);
    auto& bridge = m_session.bridge();
    bridge.jobs().start<Result<void>>(
        "import", tr("Writing %1").arg(QFileInfo(path).fileName()),
        [after = plan.after, file = path.toStdString()](const Progress& progress) { return writeProject(*after, file, progress); },
        [dialog = QPointer(this), &bridge, path](Result<void> done) {
            if (!done) bridge.report(done.error());
            if (!dialog) return;
            if (!done) return dialog->m_apply->setEnabled(true);
            emit dialog->projectMade(path);
            dialog->accept();
        });
}

} // namespace hw::app
