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

SettingsDialog::SettingsDialog(Session& session, QWidget* parent) : QDialog(parent), m_form(new views::SettingsForm(session.bridge()))
{
    setWindowTitle(tr("Site and project settings"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    auto* hint = new QLabel(tr("Empty fields use the default shown. Applying is a single undo step."));
    hint->setProperty("role", "dim");
    hint->setWordWrap(true);
    auto* filter = new QLineEdit;
    filter->setPlaceholderText(tr("Search settings by name or key"));
    filter->setAccessibleName(tr("Search settings"));
    filter->setObjectName("settingFilter");
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, m_form, &views::SettingsForm::filter);
    auto* apply = new QPushButton(tr("&Apply"));
    apply->setObjectName("applySettings");
    apply->setEnabled(false);
    apply->setDefault(true);
    connect(m_form, &views::SettingsForm::edited, this, [this, apply] { apply->setEnabled(m_form->changed()); });
    connect(apply, &QPushButton::clicked, this, [this] {
        if (m_form->apply()) accept();
    });
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(new QPushButton(tr("Cancel")), QDialogButtonBox::RejectRole);
    buttons->addButton(apply, QDialogButtonBox::ApplyRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(hint);
    column->addWidget(filter);
    column->addWidget(new views::FittingArea(m_form), 1);
    column->addWidget(buttons);
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 120, fontMetrics().height() * 48});
}

} // namespace hw::app
