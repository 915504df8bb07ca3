// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/new_design_dialog.h"

#include "app/window/dialogs/design_sketch.h"
#include "core/foundation/base/spelling.h"
#include "views/panels/parameter_form.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

#include <algorithm>

namespace hw::app {

using views::space;

NewDesignDialog::NewDesignDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_list(new QListWidget), m_title(new QLabel), m_summary(new QLabel),
      m_form(new views::ParameterForm(session.bridge().jobs(), session.library().catalog)),
      m_sketch(new DesignSketch(session.bridge().jobs(), session.library().catalog)), m_create(new QPushButton(tr("&Create")))
{
    setWindowTitle(tr("New design"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(4), space(4), space(4), space(4));
    auto* middle = new QHBoxLayout;
    middle->setSpacing(space(5));
    middle->addLayout(makeList());
    auto* right = new QVBoxLayout;
    right->setSpacing(space(3));
    m_title->setProperty("role", "title");
    m_summary->setProperty("role", "dim");
    m_summary->setWordWrap(true);
    right->addWidget(m_title);
    right->addWidget(m_summary);
    right->addWidget(new views::FittingArea(m_form), 2);
    right->addWidget(m_sketch, 3);
    middle->addLayout(right, 1);
    layout->addLayout(middle, 1);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(new QPushButton(tr("Cancel")), QDialogButtonBox::RejectRole);
    buttons->addButton(m_create, QDialogButtonBox::AcceptRole);
    m_create->setDefault(true);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_form, &views::ParameterForm::previewChanged, this, [this] {
        m_create->setEnabled(m_form->acceptable());
        if (m_form->acceptable()) m_sketch->show(m_form->figures());
    });
    connect(m_list, &QListWidget::currentRowChanged, this, &NewDesignDialog::onTemplate);
    int first = 0;
    for (std::size_t i = 0; i < session.library().templates.size(); ++i)
        if (session.library().templates[i].name() == "hpn") first = int(i);
    m_list->setCurrentRow(first);
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 200, fontMetrics().height() * 56});
}

/// The templates, to be searched by any word of their title or summary.
QLayout* NewDesignDialog::makeList()
{
    auto* column = new QVBoxLayout;
    auto* filter = new QLineEdit;
    filter->setPlaceholderText(tr("Search templates"));
    filter->setAccessibleName(tr("Search templates"));
    filter->setObjectName("templateFilter");
    filter->setClearButtonEnabled(true);
    for (QWidget* widget : {static_cast<QWidget*>(filter), static_cast<QWidget*>(m_list)}) {
        widget->setFixedWidth(fontMetrics().averageCharWidth() * 36);
        column->addWidget(widget);
    }
    m_list->setAccessibleName(tr("Templates"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    for (const Template& design : m_session.library().templates) {
        const QString title = design.title().empty() ? views::text(design.name()) : views::text(resourceText(design.title()));
        const QString summary = views::text(resourceText(design.summary()));
        auto* item = new QListWidgetItem(views::icon("network"), title);
        item->setToolTip(title + "\n" + summary);
        item->setData(Qt::UserRole, title + " " + views::text(design.name()) + " " + summary);
        m_list->addItem(item);
    }
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        const QStringList wanted = words.split(' ', Qt::SkipEmptyParts);
        for (int i = 0; i < m_list->count(); ++i) {
            const QString about = m_list->item(i)->data(Qt::UserRole).toString();
            m_list->item(i)->setHidden(!std::ranges::all_of(wanted, [&](const QString& word) { return about.contains(word, Qt::CaseInsensitive); }));
        }
    });
    return column;
}

const Template& NewDesignDialog::chosen() const { return m_session.library().templates[std::size_t(std::max(0, m_list->currentRow()))]; }
ParameterValues NewDesignDialog::values() const { return m_form->values(); }
SnapshotPtr NewDesignDialog::design() const { return m_form->design(); }

bool NewDesignDialog::choose(const std::string& name, const ParameterValues& values)
{
    const auto& templates = m_session.library().templates;
    for (std::size_t i = 0; i < templates.size(); ++i)
        if (sameName(templates[i].name(), name)) {
            m_given = values;
            if (m_list->currentRow() == int(i))
                onTemplate();
            else
                m_list->setCurrentRow(int(i));
            return true;
        }
    return false;
}

void NewDesignDialog::onTemplate()
{
    const Template& design = chosen();
    m_title->setText(views::text(resourceText(design.title())));
    m_summary->setText(views::text(resourceText(design.summary())));
    m_form->setTemplate(design, std::exchange(m_given, {}));
}

} // namespace hw::app
