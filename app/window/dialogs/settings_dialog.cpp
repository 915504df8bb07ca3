// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/settings_dialog.h"

#include "views/panels/settings_form.h"
#include "views/style/fit.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace hw::app {

using views::space;

SettingsDialog::SettingsDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_form(new views::SettingsForm(session.bridge())), m_filter(new QLineEdit)
{
    setWindowTitle(tr("Site and project settings"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    auto* hint = new QLabel(tr("Empty fields use the default shown. Applying is a single undo step."));
    hint->setProperty("role", "dim");
    hint->setWordWrap(true);
    m_filter->setPlaceholderText(tr("Search settings by name or key"));
    m_filter->setAccessibleName(tr("Search settings"));
    m_filter->setObjectName("settingFilter");
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, m_form, &views::SettingsForm::filter);
    auto* apply = new QPushButton(tr("&Apply"));
    apply->setObjectName("applySettings");
    apply->setEnabled(false);
    apply->setDefault(true);
    connect(m_form, &views::SettingsForm::edited, this, [this, apply] { apply->setEnabled(m_form->changed()); });
    connect(apply, &QPushButton::clicked, this, [this] {
        if (m_form->apply()) accept();
    });
    auto* buttons = new QDialogButtonBox;
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setAutoDefault(false); // Return applies
    buttons->addButton(cancel, QDialogButtonBox::RejectRole);
    buttons->addButton(apply, QDialogButtonBox::ApplyRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(hint);
    column->addWidget(m_filter);
    column->addWidget(new views::FittingArea(m_form), 1);
    column->addWidget(buttons);
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 120, fontMetrics().height() * 48});
}

void SettingsDialog::showSetting(const QString& key)
{
    m_filter->setText(key);
    auto* editor = m_form->editor(key);
    if (!editor) return;
    editor->setFocus(Qt::OtherFocusReason);
    if (auto* line = qobject_cast<QLineEdit*>(editor)) line->selectAll(); // what is typed replaces it
}

} // namespace hw::app
