// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/import_dialog.h"

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

ImportDialog::ImportDialog(Session& session, const exchange::Importer& importer, exchange::ImportSource source, QWidget* parent)
    : QDialog(parent), m_session(session), m_importer(importer), m_source(std::move(source)), m_plan(new QPlainTextEdit),
      m_apply(new QPushButton(tr("&Import")))
{
    setWindowTitle(tr("Import %1").arg(QFileInfo(QString::fromStdString(m_source.path.string())).fileName()));
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
        if (option.repeats)
            m_repeating.insert(option.name), field->setToolTip(tr("%1; several with a semicolon between them").arg(text(option.help)));
        form->addRow(QString::fromStdString(option.name), field);
        m_options[option.name] = field;
    }
    m_plan->setReadOnly(true);
    m_plan->setObjectName("plan");
    m_plan->setAccessibleName(tr("What would change"));
    m_apply->setObjectName("applyImport");
    m_apply->setDefault(true);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(new QPushButton(tr("Cancel")), QDialogButtonBox::RejectRole);
    buttons->addButton(m_apply, QDialogButtonBox::ApplyRole);
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

/// Works out on a worker what would change.
void ImportDialog::look()
{
    m_planned.reset();
    m_apply->setEnabled(false);
    exchange::ImportSource source = m_source;
    for (const auto& [name, field] : m_options)
        if (QString value = field->text().trimmed(); !value.isEmpty()) {
            if (m_repeating.contains(name)) value = value.split(';', Qt::SkipEmptyParts).join('\n');
            source.options[name] = value.toStdString();
        }
    auto& bridge = m_session.bridge();
    bridge.jobs().start<Result<exchange::ImportPlan>>(
        "import", tr("Reading %1").arg(QFileInfo(QString::fromStdString(source.path.string())).fileName()),
        [importer = &m_importer, source = std::move(source), base = bridge.snapshot()](const Progress& progress) {
            return importer->plan(source, base, progress);
        },
        [dialog = QPointer(this)](Result<exchange::ImportPlan> plan) {
            if (dialog) dialog->showPlan(std::move(plan));
        });
}

void ImportDialog::showPlan(Result<exchange::ImportPlan> plan)
{
    if (!plan) return m_plan->setPlainText(text(plan.error().text()));
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
