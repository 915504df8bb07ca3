// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/import_dialog.h"

#include "core/foundation/base/file_kind.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace hw::app {

using views::space;
using views::text;

ImportDialog::ImportDialog(Session& session, const exchange::Importer& importer, std::vector<exchange::ImportSource> sources, QWidget* parent)
    : QDialog(parent), m_session(session), m_importer(importer), m_sources(std::move(sources)), m_plan(new QPlainTextEdit),
      m_apply(new QPushButton(tr("&Import")))
{
    setWindowTitle(tr("Import %1").arg(sourcesName()));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    auto* form = new QFormLayout;
    for (const auto& option : m_importer.options()) {
        auto* field = new QLineEdit;
        field->setObjectName(QString::fromStdString(option.name));
        field->setAccessibleName(QString::fromStdString(option.name));
        field->setPlaceholderText(QString::fromStdString(option.value));
        field->setToolTip(text(option.help));
        connect(field, &QLineEdit::textChanged, &m_later, qOverload<>(&QTimer::start));
        if (option.repeats) m_repeating.insert(option.name), field->setToolTip(tr("%1; separate several with semicolons").arg(text(option.help)));
        form->addRow(QString::fromStdString(option.name), field);
        m_options[option.name] = field;
    }
    m_plan->setReadOnly(true);
    m_plan->setObjectName("plan");
    m_plan->setAccessibleName(tr("Planned changes"));
    m_apply->setObjectName("applyImport");
    m_apply->setDefault(true);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(new QPushButton(tr("Cancel")), QDialogButtonBox::RejectRole);
    buttons->addButton(m_apply, QDialogButtonBox::ApplyRole);
    if (m_importer.observes()) {
        auto* compare = new QPushButton(tr("Co&mpare with the design"));
        compare->setObjectName("compareImport");
        compare->setToolTip(tr("Show the differences without changing the project"));
        buttons->addButton(compare, QDialogButtonBox::ActionRole);
        m_apply->setText(tr("&Save to project"));
        connect(compare, &QPushButton::clicked, this, &ImportDialog::compareRequested);
    }
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &ImportDialog::apply);
    column->addLayout(form);
    column->addWidget(m_plan, 1);
    column->addWidget(buttons);
    m_later.setSingleShot(true);
    m_later.setInterval(300);
    connect(&m_later, &QTimer::timeout, this, &ImportDialog::look);
    connect(this, &QDialog::finished, this, [this] { m_session.bridge().jobs().cancelSlot("import"); });
    connect(&m_session.bridge(), &views::DocumentBridge::documentChanged, &m_later, qOverload<>(&QTimer::start));
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 36});
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
    for (const auto& [name, field] : m_options)
        if (QString value = field->text().trimmed(); !value.isEmpty()) {
            if (m_repeating.contains(name)) value = value.split(';', Qt::SkipEmptyParts).join('\n');
            for (auto& source : sources) source.options[name] = value.toStdString();
        }
    return sources;
}

/// Works out on a worker what would change.
void ImportDialog::look()
{
    m_planned.reset();
    m_apply->setEnabled(false);
    auto& bridge = m_session.bridge();
    bridge.jobs().start<Result<exchange::ImportPlan>>(
        "import", tr("Reading %1").arg(sourcesName()),
        [importer = &m_importer, sources = told(), base = bridge.snapshot()](const Progress& progress) {
            return importer->observes() ? importer->planTogether(sources, base, progress) : importer->plan(sources.front(), base, progress);
        },
        [dialog = QPointer(this)](Result<exchange::ImportPlan> plan) {
            if (dialog) dialog->showPlan(std::move(plan));
        });
}

void ImportDialog::showPlan(Result<exchange::ImportPlan> plan)
{
    if (!plan) return m_plan->setPlainText(text(explainedByFile(plan.error(), m_importer.info().name).text()));
    m_plan->setPlainText(text(exchange::planText(*plan)));
    m_apply->setEnabled(plan->after != nullptr);
    m_planned = std::move(*plan);
}

void ImportDialog::apply()
{
    if (!m_planned) return;
    const exchange::ImportPlan plan = std::move(*m_planned);
    const auto done = m_session.bridge().edit(text(words(plan.name)), [&](Transaction& t) { return exchange::applyPlan(t, plan); });
    if (done) accept();
}

} // namespace hw::app
