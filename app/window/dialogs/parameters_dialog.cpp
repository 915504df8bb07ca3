// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/parameters_dialog.h"

#include "core/design/fitting/fitting.h"
#include "views/panels/parameter_form.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace hw::app {

using views::space;

Result<ParametersDialog*> ParametersDialog::forOpenDesign(Session& session, QWidget* parent)
{
    const Snapshot& s = *session.bridge().snapshot();
    const std::string name = s.setting("template.name"), text = s.setting("template.text");
    const Template* shipped = session.library().find(name);
    if (!text.empty()) {
        auto own = Template::parse(text, words(i18n("the project's template")));
        if (own) return new ParametersDialog(session, *own, parent);
    }
    if (!shipped)
        return fail(ErrorCode::Refused, "parameters", i18n("this design was not created from a template"),
                    i18n("create a new design from a template"));
    return new ParametersDialog(session, *shipped, parent);
}

ParametersDialog::ParametersDialog(Session& session, const Template& design, QWidget* parent)
    : QDialog(parent), m_session(session), m_form(new views::ParameterForm(session.bridge().jobs(), session.library().catalog)), m_result(new QLabel),
      m_notKept(new QPlainTextEdit), m_apply(new QPushButton(tr("&Apply"))), m_close(new QPushButton(tr("Close")))
{
    setWindowTitle(tr("Template parameters"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(4), space(4), space(4), space(4));
    layout->setSpacing(space(3));
    auto* title = new QLabel(views::text(resourceText(design.title())));
    title->setProperty("role", "title");
    auto* hint = new QLabel(tr("Manual moves, renames and rewiring are kept for all objects that still exist. Applying is a single undo step."));
    hint->setProperty("role", "dim");
    hint->setWordWrap(true);
    m_result->setWordWrap(true);
    m_notKept->setReadOnly(true);
    m_notKept->setAccessibleName(tr("Manual edits that could not be kept"));
    layout->addWidget(title);
    layout->addWidget(hint);
    layout->addWidget(new views::FittingArea(m_form), 1);
    layout->addWidget(m_result);
    layout->addWidget(m_notKept);
    m_result->hide();
    m_notKept->hide();
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);
    buttons->addButton(m_apply, QDialogButtonBox::ApplyRole);
    m_close->setAutoDefault(false);
    m_apply->setDefault(true);
    m_apply->setObjectName("applyParameters");
    layout->addWidget(buttons);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &ParametersDialog::apply);
    connect(m_form, &views::ParameterForm::previewChanged, this,
            [this] { m_apply->setEnabled(m_form->acceptable() && m_form->values() != parametersOf(*m_session.bridge().snapshot())); });
    const Snapshot& s = *session.bridge().snapshot();
    const auto& figures = session.bridge().figures();
    m_form->setTemplate(design, parametersOf(s), figures ? std::optional(views::countDesign(*figures)) : std::nullopt);
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 130, m_form->sizeHint().height() + fontMetrics().height() * 14});
}

void ParametersDialog::apply()
{
    const ParameterValues wanted = m_form->values();
    m_apply->setEnabled(false);
    m_session.bridge().editInWorker<MergeReport>(
        tr("Change template parameters"),
        [wanted, catalog = m_session.library().catalog](Transaction& transaction, const Progress& progress) {
            return fitting::changeParameters(transaction, wanted, *catalog, progress);
        },
        [self = QPointer<ParametersDialog>(this)](const Result<MergeReport>& report) {
            if (self) self->onDone(report);
        });
}

void ParametersDialog::onDone(const Result<MergeReport>& report)
{
    m_result->show();
    if (!report) {
        m_result->setText(QString::fromStdString(report.error().text()));
        m_apply->setEnabled(true);
        return;
    }
    m_result->setText(
        tr("Done: %1 rows added, %2 removed, %3 kept.")
            .arg(views::count(std::int64_t(report->inserted)), views::count(std::int64_t(report->erased)), views::count(std::int64_t(report->kept))) +
        (report->notKept.empty() ? QString() : "  " + tr("Could not be kept:")));
    QStringList lines;
    for (const auto& line : report->notKept) lines << views::text(line);
    m_notKept->setPlainText(lines.join("\n"));
    m_notKept->setVisible(!lines.isEmpty());
    emit applied(*report);
    if (lines.isEmpty()) accept();
}

} // namespace hw::app
