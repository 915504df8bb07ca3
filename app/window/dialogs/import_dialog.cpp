// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/import_dialog.h"

#include "app/formats/plan_files.h"
#include "app/window/formats.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/storage/project_file.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>

#include <algorithm>

namespace hw::app {

using views::space;
using views::text;

ImportDialog::ImportDialog(Session& session, const exchange::Importer* importer, std::vector<exchange::ImportSource> sources, QWidget* parent)
    : QDialog(parent), m_session(session), m_importer(nullptr), m_sources(std::move(sources)), m_formats(new QComboBox),
      m_hint(new QLabel(tr("File format not recognized. Select the format of the file."))), m_fields(new FormatFields),
      m_area(new views::FittingArea(m_fields)), m_plan(new QPlainTextEdit), m_apply(new QPushButton(tr("&Import"))),
      m_compare(new QPushButton(tr("Co&mpare with the design")))
{
    setWindowTitle(tr("Import %1").arg(sourcesName()));
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
    m_apply->setDefault(true);
    m_compare->setObjectName("compareImport");
    m_compare->setToolTip(tr("Show the differences without changing the project"));
    auto* form = new QFormLayout;
    form->addRow(tr("Format"), m_formats);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(new QPushButton(tr("Cancel")), QDialogButtonBox::RejectRole);
    buttons->addButton(m_apply, QDialogButtonBox::ApplyRole);
    buttons->addButton(m_compare, QDialogButtonBox::ActionRole);
    column->addLayout(form);
    column->addWidget(m_hint);
    m_area->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // no more than its fields need
    column->addWidget(m_area);
    column->addWidget(m_plan, 1);
    column->addWidget(buttons);
    if (!importer) m_formats->addItem(tr("Choose a format"));
    for (const auto& format : formats().importers()) {
        const auto info = format->info();
        m_formats->addItem(QString("%1 – %2").arg(QString::fromStdString(info.name), text(info.summary)), QString::fromStdString(info.name));
    }
    m_formats->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // summaries are long
    connect(m_compare, &QPushButton::clicked, this, &ImportDialog::compareRequested);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &ImportDialog::apply);
    connect(m_fields, &FormatFields::changed, &m_later, qOverload<>(&QTimer::start));
    m_later.setSingleShot(true);
    m_later.setInterval(300);
    connect(&m_later, &QTimer::timeout, this, &ImportDialog::look);
    connect(this, &QDialog::finished, this, [this] { m_session.bridge().jobs().cancelSlot("import"); });
    connect(&m_session.bridge(), &views::DocumentBridge::documentChanged, &m_later, qOverload<>(&QTimer::start));
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 36});
    if (importer) m_formats->setCurrentIndex(m_formats->findData(QString::fromStdString(importer->info().name)));
    choose(importer);
    connect(m_formats, &QComboBox::currentIndexChanged, this, [this] {
        const auto found = formats().importer(m_formats->currentData().toString().toStdString());
        choose(found ? *found : nullptr);
    });
}

/// Another format has other fields and another plan.
void ImportDialog::choose(const exchange::Importer* importer)
{
    m_importer = importer;
    auto options = importer ? importer->options() : std::vector<exchange::FormatOption>();
    m_area->setVisible(!options.empty());
    m_fields->setOptions(std::move(options));
    m_area->updateGeometry();
    m_formats->setToolTip(importer ? text(importer->info().summary) : QString());
    m_hint->setVisible(!importer);
    const bool observes = importer && importer->observes();
    m_compare->setVisible(observes);
    m_apply->setText(observes ? tr("&Save to project") : importer && importer->makesProject() ? tr("&Create project …") : tr("&Import"));
    look();
}

QString ImportDialog::sourcesName() const
{
    if (m_sources.size() > 1) return text(i18np(m_sources.size(), "{:L} file", "{:L} files"));
    return QFileInfo(QString::fromStdString(m_sources.front().path.string())).fileName();
}

std::vector<exchange::ImportSource> ImportDialog::told() const
{
    auto sources = m_sources;
    for (auto& source : sources) source.options = m_fields->choices();
    return sources;
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
    if (const auto fine = exchange::checkChoices(m_importer->info().name, m_importer->options(), sources.front().options); !fine)
        return m_plan->setPlainText(text(fine.error().text()));
    bridge.jobs().start<Result<exchange::ImportPlan>>(
        "import", tr("Reading %1").arg(sourcesName()),
        [importer = m_importer, sources, base = m_importer->makesProject() ? std::make_shared<const Snapshot>() : bridge.snapshot()](
            const Progress& progress) { return planFiles(*importer, sources, base, progress); },
        [dialog = QPointer(this)](Result<exchange::ImportPlan> plan) {
            if (dialog) dialog->showPlan(std::move(plan));
        });
}

void ImportDialog::showPlan(Result<exchange::ImportPlan> plan)
{
    if (!plan) return m_plan->setPlainText(text(explainedByFile(plan.error(), m_importer->info().name).text()));
    m_plan->setPlainText(text(exchange::planText(*plan)));
    m_apply->setEnabled(plan->after != nullptr && (!m_importer->makesProject() || m_sources.size() == 1));
    m_planned = std::move(*plan);
}

void ImportDialog::apply()
{
    if (!m_planned) return;
    if (m_importer->makesProject()) return makeProject(*m_planned);
    const exchange::ImportPlan plan = std::move(*m_planned);
    const auto done = m_session.bridge().edit(text(words(plan.name)), [&](Transaction& t) { return exchange::applyPlan(t, plan); });
    if (done) accept();
}

/// A project is a file of its own, beside the one that is open.
void ImportDialog::makeProject(const exchange::ImportPlan& plan)
{
    const QFileInfo from(QString::fromStdString(m_sources.front().path.string()));
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
